"""Computer players are compared in critical positions."""

from __future__ import annotations

import random
from typing import Any

import pytest

from benchmarks import critical
from games.engine import Match, Move


def test_each_position_has_its_own_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """A level that looks ahead only sometimes decides anew in each position."""
    drawn: list[float] = []

    def choose(match: Match[Any], seat: int, rng: random.Random) -> Move:
        drawn.append(rng.random())
        return match.game.random_move(match.state, seat, rng)

    monkeypatch.setattr(critical, "chooser", lambda _: choose)
    critical.compare("lancelot", ["novice"], 1, 5)
    assert len(set(drawn)) == 5


@pytest.mark.parametrize(("name", "columns"), [("lancelot-3", 5), ("twilight-4", 7)])
def test_points_given_away_are_counted_for_every_number_of_players(
    name: str, columns: int, capsys: pytest.CaptureFixture[str]
) -> None:
    critical.compare(name, ["random"], 1, 3)
    assert len(capsys.readouterr().out.strip().strip("|").split("|")) == columns
