"""Judging computer players position by position: the judge, the regrets, and the table."""

from __future__ import annotations

import random
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import thought
from benchmarks.matches import NO_CAP, Sampling, budget_of
from games.players import Budget, policy_for
from games.players.policy import Policy
from games.players.search import Search

PLAYERS = ["short", "middle", "long"]


def line(chosen: str, **worths: float) -> thought.Line:
    """A judged position: the move that each player chose, and what each move is worth."""
    return {"chosen": dict(zip(PLAYERS, chosen, strict=True)), "worths": worths}


@pytest.fixture(autouse=True)
def _matches_at_a_glance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Choose moves quickly: the matches that supply positions need not be played well."""
    monkeypatch.setattr(thought, "GLANCE", 2)


LINES = [line("aab", a=0.1, b=0.3), line("abb", a=-0.5, b=-0.2), line("ccc", c=0.0)]


def test_regret_is_the_difference_from_the_best() -> None:
    """The best move counts even if no player chose it."""
    assert thought.regrets(LINES[0], PLAYERS) == pytest.approx([0.2, 0.2, 0.0])
    assert thought.regrets(line("aab", a=0.1, b=0.3, z=0.4), PLAYERS) == pytest.approx(
        [0.3, 0.3, 0.1]
    )


def test_a_table_compares_thoughts_in_the_same_positions() -> None:
    """Each row is compared with the row above and with the first; regrets in Lancelot are in per
    cent of a win.
    """
    rows = [
        [cell.strip() for cell in row.split("|")[1:-1]]
        for row in thought.table("lancelot", LINES, PLAYERS)
    ]
    assert [row[:4] for row in rows] == [
        ["lancelot", "short", "3", "33%"],
        ["lancelot", "middle", "3", "67%"],
        ["lancelot", "long", "3", "100%"],
    ]
    # Regrets in per cent of a win: 10, 15, 0; 10, 0, 0; 0, 0, 0.
    assert rows[0][4:] == ["8.33 % of a win (0.00 to 16.98)", "", ""]
    assert rows[1][4:] == [
        "3.33 % of a win (0.00 to 9.87)",
        "+5.00 (-4.80 to +14.80)",
        "+5.00 (-4.80 to +14.80)",
    ]
    assert rows[2][5:] == ["+3.33 (-3.20 to +9.87)", "+8.33 (-0.31 to +16.98)"]


@pytest.mark.parametrize("game_id", ["lancelot", "twilight"])
def test_the_judge_searches_the_given_moves_equally_often(game_id: str) -> None:
    match = thought.position(game_id, 0, "test", 0)
    assert match is not None
    view = match.view(match.actors[0])
    moves = match.game.legal(match.state, match.actors[0])[-3:]
    judge = thought.Narrowed(policy_for(match.game), view, random.Random(1), moves)
    worths = judge.worths(20)
    assert sorted(worths) == sorted(moves)
    assert {branch.visits for branch in judge.root.branches.values()} == {20}


def test_a_position_is_judged_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A second run continues where the first one stopped and reports all positions."""
    file = tmp_path / "positions.jsonl"
    for positions in (1, 2):
        command = (
            f"thought lancelot --players 2 9 --positions {positions} --judge 9 --results {file}"
        )
        monkeypatch.setattr(sys, "argv", command.split())
        thought.main()
    assert [kept["number"] for kept in thought.read(file)] == [0, 1]
    told = capsys.readouterr().out
    assert "seed 'thought', 9 iterations" in told
    assert "| lancelot | 9 | 2 | 100% |" in told


def test_a_name_says_how_a_player_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name sets the iterations, a policy parameter, and a part of the search to leave out."""
    match = thought.position("twilight", 0, "test", 0)
    assert match is not None
    searched: list[tuple[type[Search[Any]], Policy[Any]]] = []
    init = Search.__init__

    def noted(self: Search[Any], policy: Policy[Any], *rest: Any) -> None:
        searched.append((type(self), policy))
        init(self, policy, *rest)

    monkeypatch.setattr(Search, "__init__", noted)
    advice = thought.advised("7:boldness=2:worlds=3:without=remainder", match, "seed")
    ((kind, policy),) = searched
    assert (advice.iterations, kind, policy.boldness, policy.worlds) == (7, Sampling, 2.0, 3)
    with pytest.raises(ValueError, match="no colour"):
        thought.advised("7:colour=2", match, "seed")


def test_a_length_is_in_iterations_or_in_seconds() -> None:
    """A length is a number of iterations or, ending in “s”, of seconds of CPU time, without a limit
    on iterations.
    """
    assert (budget_of("60").iterations, budget_of("60").seconds) == (60, Budget(60).seconds)
    assert (budget_of("0.25s").iterations, budget_of("0.25s").seconds) == (NO_CAP, 0.25)
    with pytest.raises(ValueError, match="could not convert"):
        budget_of("somes")


def test_every_move_can_be_judged() -> None:
    """``every`` judges all legal moves even if the players agree."""
    wanted = Namespace(seed="test", tricks=0, players=["9"], judge=3, every=True)
    match = thought.position("isis", 0, wanted.seed, wanted.tricks)
    assert match is not None
    kept = thought.judge("isis", 0, wanted)
    assert sorted(kept["worths"]) == sorted(match.game.legal(match.state, match.actors[0]))
    wanted.every = False
    assert thought.judge("isis", 0, wanted)["by"] == "all agree"


@pytest.mark.full
def test_twilight_late_in_a_deal_is_judged_double_dummy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every move is judged, but only where the players differ."""
    monkeypatch.setattr(thought, "WORLDS", 3)
    wanted = Namespace(seed="late", tricks=2, players=["1", "30"], judge=5, every=False)
    kinds = set()
    for number in range(4):
        match = thought.position("twilight", number, wanted.seed, wanted.tricks)
        assert match is not None
        assert sum(map(len, match.state.hands)) <= 8
        kept = thought.judge("twilight", number, wanted)
        if len(set(kept["chosen"].values())) > 1:
            legal = match.game.legal(match.state, match.actors[0])
            assert sorted(kept["worths"]) == sorted(legal)
        kinds.add(kept["by"])
    assert kinds == {"all agree", "double dummy"}
