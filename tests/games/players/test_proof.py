"""Proofs by the search, in a small game that can be solved completely, and the bounds they use."""

from __future__ import annotations

import random

import pytest

from games.players import Advice, Budget
from games.players.advice import Proof, Stop
from games.players.policy import Policy
from games.players.proof import Bounds, bounds_of
from games.players.search import Search
from tests.games.players.nim import Nim, NimState, utilities

GAME = Nim()


def advice(state: NimState, seed: int = 1, iterations: int = 4000) -> Advice:
    """The advice for the player to move."""
    view = GAME.view(state, state.turn)
    return Search(Policy(GAME), view, random.Random(seed)).run(Budget(iterations))


@pytest.mark.parametrize("heap", range(4, 12))
def test_a_proven_win_is_played_and_a_lost_position_is_known(heap: int) -> None:
    """By the theory of Nim, a player who leaves a multiple of four wins."""
    found = advice(NimState(2, heap, poison=False))
    assert found.stop is Stop.PROVEN
    best = found.moves[0]
    if heap % 4:
        assert (best.move, best.proof, best.value) == (f"take:{heap % 4}", Proof.WIN, 1)
    else:
        assert {ranked.proof for ranked in found.moves} == {Proof.LOSS}
        assert len(found.moves) == 3


@pytest.mark.parametrize("heap", [4, 8])
def test_among_losses_the_longest_comes_first(heap: int) -> None:
    """The losing moves are ranked by distance, longest first; each distance is even, and at least
    half the heap.
    """
    distances = [ranked.distance for ranked in advice(NimState(2, heap, poison=False)).moves]
    assert distances == sorted(distances, reverse=True)
    assert all(distance % 2 == 0 and distance >= heap / 2 for distance in distances)


@pytest.mark.parametrize("poison", [False, True])
@pytest.mark.parametrize("heap", range(1, 12))
def test_proofs_for_three_hold_against_all_sensible_play(heap: int, poison: bool) -> None:
    """The positions include those in which a seat that cannot win decides who does."""
    state = NimState(3, heap, poison)
    for ranked in advice(state).moves:
        after = state.clone()
        GAME.do(after, 0, ranked.move)
        results = {result[0] for result in utilities(after)}
        if ranked.proof is Proof.WIN:
            assert results == {1}
        if ranked.proof is Proof.LOSS:
            assert max(results) < 0


def test_a_lost_move_is_not_tried_again_while_another_is_left() -> None:
    """A move known to lose gets less than a third of the budget and is not the advice."""
    found = advice(NimState(2, 30, poison=False), iterations=1500)
    visits = {ranked.move: ranked.visits for ranked in found.moves if ranked.proof is Proof.LOSS}
    assert all(number < 500 for number in visits.values())
    assert found.moves[0].proof is not Proof.LOSS


def of(low: float, high: float, moves: int = 1) -> Bounds:
    """Bounds of a position for two players."""
    return Bounds((low, -high), (high, -low), moves)


def test_bounds_of_a_position() -> None:
    """A win needs one winning move, a loss needs all moves to lose; moves known to be worse are
    ignored.
    """
    won, lost, even = of(1, 1, 4), of(-1, -1, 6), of(0, 0, 2)
    assert bounds_of(0, [None, won, of(1, 1, 2)], complete=False) == of(1, 1, 3)
    assert bounds_of(0, [None, lost], complete=True) is None
    assert bounds_of(0, [lost, of(-1, -1, 2)], complete=True) == of(-1, -1, 7)
    assert bounds_of(0, [lost, lost], complete=False) is None
    assert bounds_of(0, [lost, even], complete=True) == of(0, 0, 3)
    assert bounds_of(1, [won, even], complete=True) == of(0, 0, 3)


def test_a_seat_that_cannot_win_may_choose_the_winner() -> None:
    """The bounds allow a win for each of the other seats, but do not promise one."""
    one, other = (
        Bounds((-0.5, 1, -0.5), (-0.5, 1, -0.5), 0),
        Bounds((-0.5, -0.5, 1), (-0.5, -0.5, 1), 0),
    )
    assert bounds_of(0, [one, other], complete=True) == Bounds((-0.5, -0.5, -0.5), (-0.5, 1, 1), 1)
