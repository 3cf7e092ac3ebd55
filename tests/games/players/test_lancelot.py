"""The computer player of Lancelot wins in one, blocks, captures, and explains its moves."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from games.engine import Fact
from games.lancelot import Lancelot, LancelotState
from games.players import LEVELS, Advice, Budget, Level
from games.players.lancelot import LancelotPolicy, ripe, takeable
from games.players.search import Search
from tests.games.lancelot_table import position

GAME = Lancelot()
POLICY = LancelotPolicy(GAME)
GOAL = position().goal


def advice(state: LancelotState, iterations: int = 300, seed: int = 1) -> Advice:
    """The search's advice for the seat to move."""
    view = GAME.view(state, state.turn)
    return Search(POLICY, view, random.Random(seed)).run(Budget(iterations))


def after(state: LancelotState, *moves: str) -> LancelotState:
    copy = state.clone()
    for move in moves:
        GAME.do(copy, copy.turn, move)
    return copy


def wins_at_once(state: LancelotState, seat: int) -> list[str]:
    """All moves that win at once for the seat to move."""
    assert state.turn == seat
    found = []
    for move in GAME.legal(state, seat):
        outcome = GAME.outcome(after(state, move))
        if outcome is not None and outcome.winners() == (seat,):
            found.append(move)
    return found


# ---------------------------------------------------------------------- always noticed
@pytest.mark.parametrize("level", LEVELS)
def test_a_win_in_one_is_never_overlooked(level: str) -> None:
    state = position("D4 E4", "K4 K5 K6", captured=[GOAL - 1, 0])
    winning = wins_at_once(state, 0)
    assert winning
    chosen: Level = LEVELS[level]
    for seed in range(5):
        view = GAME.view(state, 0)
        assert chosen.player(GAME, view, random.Random(seed), Budget(1)).best in winning


def test_a_glance_captures_and_sees_nothing_beyond() -> None:
    taking = position("D4 E4", "K4 K5 K6")
    threatened = position("K4 J8", "D4 E4")
    saved = 0
    for seed in range(20):
        move = Search(POLICY, GAME.view(taking, 0), random.Random(seed)).glance().best
        assert after(taking, move).captured[0] == 1
        move = Search(POLICY, GAME.view(threatened, 0), random.Random(seed)).glance().best
        saved += not ripe(after(threatened, move), 1)
    assert saved < 20


def test_learners_let_nobody_win_with_the_next_move() -> None:
    """Learners and skilled players never let the opponent win with the next move; novices sometimes
    do.
    """
    state = position("K4 J8", "D4 E4", captured=[0, GOAL - 1])
    lost = dict.fromkeys(("novice", "learner", "skilled"), 0)
    for level in lost:
        budget = LEVELS[level].budget_in("lancelot")
        for seed in range(20):
            move = LEVELS[level].player(GAME, GAME.view(state, 0), random.Random(seed), budget).best
            lost[level] += bool(wins_at_once(after(state, move), 1))
    assert lost["learner"] == lost["skilled"] == 0 < lost["novice"]


def test_the_kings_power_wins_at_once_too() -> None:
    """Excalibur captures in one row and then the stone in another, so using the power wins."""
    state = position(
        "D4 E4 D8 E8",
        "K4 J8",
        excalibur="J11",
        captured=[GOAL - 2, 0],
        power=[True, False],
    )
    move = POLICY.decisive(state, 0)
    assert move is not None
    assert move.startswith("X:")
    assert wins_at_once(after(state, move), 0)


def test_nothing_decisive_where_nothing_wins() -> None:
    """A move captures at most one stone, and two are needed."""
    state = position("D4 E4", "K4 K5 K6", captured=[GOAL - 2, 0])
    assert POLICY.decisive(state, 0) is None
    assert wins_at_once(state, 0) == []


@pytest.mark.seeds(5)
def test_a_loss_in_one_is_prevented(seed: int) -> None:
    """With one more stone in row 4, the opponent would take K4 and win; the search prevents it."""
    state = position("K4 F9", "D4 E4", captured=[0, GOAL - 1])
    move = advice(state, seed=seed).best
    assert wins_at_once(after(state, move), 1) == []
    careless = next(m for m in GAME.legal(state, 0) if wins_at_once(after(state, m), 1))
    assert careless


@pytest.mark.seeds(5)
def test_captures_are_made(seed: int) -> None:
    """Three stones are captured at once, both with and without a search."""
    state = position("D4 E4 F4 G4", "H4 I4 J4 D8 E8")
    gains = {move: after(state, move).captured[0] for move in GAME.legal(state, 0)}
    assert gains[advice(state, seed=seed).best] == max(gains.values()) == 3
    assert gains[POLICY.pick(state, 0, random.Random(seed))] == 3


# ------------------------------------------------------------------------- its knowledge
def test_ripe_lines() -> None:
    """A line with two of the seat's own stones, one more than all others have, captures with the
    next one.
    """
    state = position("D4 E4 D8 D9 E9", "F4 K9")
    names = {state.field.labels[line][1]: stones for line, stones in ripe(state, 0).items()}
    assert names["4"] == 1
    assert names["9"] == 1
    assert "8" not in names
    assert ripe(state, 1) == {}


# ------------------------------------------------------------------------ the King's power
OPENING = position("F6 G8", "H7 J9", excalibur="G7", power=[True, True])
"""Nothing can be captured, even with the King's power."""

EVEN = position("D4 E4", "K4 J4 K9", excalibur="J11", power=[True, True])
"""Both players have two stones in row 4: Excalibur and a stone there capture two."""


@pytest.mark.seeds(5)
def test_the_kings_power_is_not_wasted(seed: int) -> None:
    assert not advice(OPENING, seed=seed).best.startswith("X:")


@pytest.mark.seeds(5)
def test_the_kings_power_is_called_at_a_glance_where_it_captures(seed: int) -> None:
    """Where the power captures, the policy uses it without a search, so that playouts show what it
    is worth.
    """
    move = POLICY.pick(EVEN, 0, random.Random(seed))
    assert move.startswith("X:")
    assert move.endswith("4")


@pytest.mark.seeds(2)
def test_what_can_be_taken_is_what_some_move_takes(seed: int) -> None:
    rng = random.Random(seed)
    state = GAME.start(GAME.setup(2 + seed % 3, {"king": True, "starter": "1"}))
    expected = 0
    while len(GAME.actors(state)) and sum(state.pieces) < 90:
        moves = GAME.legal(state, state.turn)
        if sum(state.pieces) > 45 and state.stock[state.turn] % 3 == 0:
            lines = {state.field.labels[line] for line in takeable(state, state.turn)}
            assert lines == lines_taken(state)
            expected += len(lines)
        stones = [move for move in moves if not move.startswith("X:")]
        GAME.do(state, state.turn, rng.choice(stones or moves))
    assert expected > 5


def lines_taken(state: LancelotState) -> set[tuple[str, str]]:
    """All lines on which the seat to move can capture."""
    facts: list[Fact] = []
    for move in GAME.legal(state, state.turn):
        there = state.clone()
        GAME.do(there, state.turn, move, facts)
        for stone in GAME.legal(there, state.turn) if move.startswith("X:") else ():
            GAME.do(there.clone(), state.turn, stone, facts)
    captures = [line for fact in facts if fact.kind == "captured" for line in fact.data["lines"]]
    return {(line["line"], line["name"]) for line in captures}


def test_the_kings_power_wins_on_an_even_line() -> None:
    """If two stones are needed to win, the decisive move uses the power on a line where both
    players have two stones.
    """
    state = EVEN.clone()
    state.captured[0] = GOAL - 2
    assert wins_at_once(state, 0) == []
    move = POLICY.decisive(state, 0)
    assert move is not None
    assert wins_at_once(after(state, move), 0)


def test_idle_calls_together_are_one_more_move() -> None:
    """Together, idle calls have a weight below 1, however many squares Excalibur could move to."""
    moves = GAME.legal(OPENING, 0)
    weights = dict(zip(moves, POLICY.weights(OPENING, 0, moves), strict=True))
    idle = [weight for move, weight in weights.items() if move.startswith("X:")]
    assert len(idle) > 20
    assert sum(idle) < 1


def test_unused_power_is_worth_something() -> None:
    mine, theirs = POLICY.values(position("F6", "H7", excalibur="G7", power=[True, False]))
    assert mine > 0 > theirs


# ---------------------------------------------------------------------------- the motives
def motives(state: LancelotState, move: str) -> list[tuple[str, Mapping[str, Any]]]:
    told: list[Fact] = POLICY.motives(state, state.turn, move)
    return [(fact.kind, fact.data) for fact in told]


def test_blocking_is_a_motive() -> None:
    state = position("K4 F9", "D4 E4")
    row4 = [{"line": "row", "name": "4"}]
    assert ("blocks", {"seat": 1, "lines": row4}) in motives(state, "G4")
    assert all(kind != "blocks" for kind, _ in motives(state, "J11"))


def test_preparing_is_a_motive() -> None:
    """A second stone makes the opponents' stones on that line capturable."""
    state = position("D4 D9", "K4 H9 J9")
    row4 = [{"line": "row", "name": "4"}]
    ripens, joins = ("ripens", {"seat": 0, "lines": row4}), ("joins", {"seat": 0, "number": 1})
    assert motives(state, "E4") == [ripens, joins]
    assert motives(state, "E10") == []


def test_excalibur_counts_for_whoever_calls_it() -> None:
    state = position("D4 E4", "K4 J8", excalibur="J11", power=[True, False])
    (fact,) = POLICY.traits(state, 0, "X:G8")
    lines = [{"line": "column", "name": "G"}, {"line": "row", "name": "8"}]
    assert fact.kind == "backs"
    assert sorted(fact.data["lines"], key=lambda line: line["line"]) == lines
