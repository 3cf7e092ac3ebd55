"""The computer player of Isis takes thrones, heads for them, blocks the way, and explains its
moves.
"""

from __future__ import annotations

import random

import pytest

from games.engine import CHANCE
from games.isis import Isis, IsisState
from games.isis.board import HEAVEN, MEANING, THRONES
from games.isis.position import OVER
from games.players import LEVELS, Advice, Budget
from games.players.isis import IsisPolicy, throne_in_reach
from games.players.search import Search
from tests.games.isis_table import position

GAME = Isis()
POLICY = IsisPolicy(GAME)


def advice(state: IsisState, iterations: int = 300, seed: int = 1) -> Advice:
    """The search's advice for the seat to move."""
    view = GAME.view(state, state.turn)
    return Search(POLICY, view, random.Random(seed)).run(Budget(iterations))


def after(state: IsisState, move: str) -> IsisState:
    copy = state.clone()
    GAME.do(copy, copy.turn, move)
    return copy


# ---------------------------------------------------------------------- always noticed
@pytest.mark.parametrize("level", LEVELS)
def test_a_throne_is_never_overlooked(level: str) -> None:
    state = in_reach()
    for seed in range(5):
        chosen = LEVELS[level].player
        move = chosen(GAME, GAME.view(state, 0), random.Random(seed), Budget(1)).best
        assert move == throne_in_reach(state, 0)
        outcome = GAME.outcome(after(state, move))
        assert outcome is not None
        assert outcome.winners() == (0,)


@pytest.mark.seeds(4)
def test_a_throne_in_reach_of_others_is_defended(seed: int) -> None:
    state = in_reach(turn=1)
    assert throne_in_reach(state, 0)
    move = advice(state, seed=seed).best
    assert not throne_in_reach(after(state, move), 0)
    assert any(throne_in_reach(after(state, careless), 0) for careless in GAME.legal(state, 1))


@pytest.mark.full
def test_a_throne_is_in_reach_if_a_move_ends_there(rng: random.Random) -> None:
    reached: set[bool] = set()
    for retreat in (False, True) * 12:
        state = GAME.start(GAME.setup(2, {"retreat": retreat}))
        while state.phase != OVER:
            seat = GAME.actors(state)[0]
            if seat == CHANCE:
                GAME.do(state, CHANCE, GAME.sample(state, rng))
                continue
            moves = GAME.legal(state, seat)
            thrones = [move for move in moves if MEANING.get(move, (0, 0))[1] in THRONES]
            assert throne_in_reach(state, seat) == (thrones[0] if thrones else None)
            if thrones:
                reached.add(state.personal[seat] in HEAVEN)
            GAME.do(state, seat, rng.choice([move for move in moves if move not in thrones]))
    assert reached == {True, False}


# ------------------------------------------------------------------------- its knowledge
def in_reach(turn: int = 0) -> IsisState:
    """Two stones in play; from 49, two steps lead to the throne on 44 via 48."""
    return position("43", 49, turn=turn)


def test_a_throne_is_in_reach_of_the_right_number_of_steps() -> None:
    """The required number of steps is the number of stones in play."""
    state = in_reach()
    assert throne_in_reach(state, 0) == "P49-44"
    assert throne_in_reach(state, 1) is None
    assert throne_in_reach(position("43 10", 49), 0) is None
    assert throne_in_reach(position("43", 38), 0) is None


def test_the_nearer_the_throne_the_better() -> None:
    """A personal stone is worth more the farther it has come, and most with a free way to a throne;
    the values of both seats add up to zero.
    """
    places = [None, 3, 30, 50]
    values = [POLICY.values(position("9 12", place, 20))[0] for place in places]
    assert values == sorted(values)
    assert POLICY.values(in_reach())[0] > values[-1]
    assert sum(POLICY.values(in_reach())) == pytest.approx(0)


# ---------------------------------------------------------------------------- the motives
def test_exactly_the_moves_that_block_a_throne_parry() -> None:
    state = in_reach(turn=1)
    parrying = [move for move in GAME.legal(state, 1) if not throne_in_reach(after(state, move), 0)]
    assert parrying
    for move in GAME.legal(state, 1):
        kinds = [(fact.kind, fact.data["seat"]) for fact in POLICY.motives(state, 1, move)]
        assert (("parries", 0) in kinds) == (move in parrying)


def test_only_moves_that_open_a_way_aim() -> None:
    state = position("30", 46)
    aims = {
        move: bool(throne_in_reach(after(state, move), 0)) and not throne_in_reach(state, 0)
        for move in GAME.legal(state, 0)
    }
    assert True in aims.values()
    for move, expected in aims.items():
        told = [fact.kind for fact in POLICY.motives(state, 0, move)]
        assert ("aims" in told) == expected


def test_only_a_neutral_stone_is_said_to_come_nearer() -> None:
    """A player's own stone that gains a column but has no way left has no trait."""
    state = position("31 36 37 38 39", 27)
    assert [fact.kind for fact in POLICY.traits(state, 0, "0-1")] == ["nears"]
    assert POLICY.traits(state, 0, "P27-32") == []


def test_what_is_said_about_the_columns_of_a_stone_is_true() -> None:
    """A player's own stone comes closer to heaven only by changing its column."""
    state = position("22 36 46", 35)
    moves = {
        "0-1": "nears",
        "22-26": "nears",
        "22-21": "stays",
        "22-18": "recedes",
        "46-42": "within",
        "46-38": "leaves",
    }
    for move, kind in moves.items():
        assert [fact.kind for fact in POLICY.traits(state, 0, move)] == [kind]
    own = {move: POLICY.motives(state, 0, move) for move in ("P35-38", "P35-37")}
    assert not any(fact.kind == "onwards" for facts in own.values() for fact in facts)
