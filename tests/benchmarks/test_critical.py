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
