"""The simple scripted players that computer players are measured against."""

from __future__ import annotations

import random

import pytest

from benchmarks.beginners import COUNTS, best_moves, by_script
from benchmarks.matches import Terms, pair
from games import GAMES
from games.lancelot import Lancelot, LancelotState
from tests.games.lancelot_table import position

LANCELOT = Lancelot()


@pytest.mark.parametrize("game", GAMES)
def test_both_scripts_play_to_the_end(game: str) -> None:
    assert set(COUNTS) == set(GAMES)
    score = pair(Terms(game, seed="scripts"), 0, by_script(1), by_script(2))
    assert 0 <= score <= 1


def test_two_plies_see_the_answer(rng: random.Random) -> None:
    """Both scripts take whatever they can; only the two-ply script also guards against the
    reply.
    """
    taking = position("D4 E4", "K4 J8")
    for plies in (1, 2):
        for move in best_moves(LANCELOT, taking, 0, plies, rng):
            assert played(taking, move).captured[0] == 1
    threatened = position("K4 J8", "D4 E4")
    blind, sighted = (best_moves(LANCELOT, threatened, 0, plies, rng) for plies in (1, 2))
    assert len(blind) == len(LANCELOT.legal(threatened, 0))
    assert 0 < len(sighted) < len(blind)
    for move in sighted:
        answers = LANCELOT.legal(played(threatened, move), 1)
        assert not any(played(threatened, move, answer).captured[1] for answer in answers)


def played(state: LancelotState, *moves: str) -> LancelotState:
    copy = state.clone()
    for move in moves:
        LANCELOT.do(copy, copy.turn, move)
    return copy
