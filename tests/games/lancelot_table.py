"""Helpers that set up positions of Lancelot."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from games.engine import (
    Fact,
    IllegalMove,
    Move,
)
from games.lancelot import Lancelot, LancelotState

GAME = Lancelot()
STONES = 30


# ------------------------------------------------------------------- setting up positions
def position(
    own: str = "",
    enemy: str = "",
    *others: str,
    players: int = 2,
    excalibur: str | None = None,
    diagonals: bool = False,
    turn: int = 0,
    **changes: Any,
) -> LancelotState:
    """A position with the stones of seat 0, seat 1 and so on, as squares separated by spaces.

    :param changes: other entries of the public view (``captured``, ``stock``, ``power``, ...).
    """
    options = {"diagonals": diagonals, "king": excalibur is not None, "starter": "1"}
    view = GAME.view(GAME.start(GAME.setup(players, options)), None)
    board = {
        square: seat
        for seat, squares in enumerate((own, enemy, *others))
        for square in squares.split()
    }
    placed = [list(board.values()).count(seat) for seat in range(players)]
    public = {
        **view.public,
        "board": board,
        "excalibur": excalibur,
        "turn": turn,
        "stock": [STONES - count for count in placed],
        **changes,
    }
    return GAME.determinize(replace(view, phase="turn", public=public), random.Random(0))


def played(state: LancelotState, *texts: str) -> list[Fact]:
    """Play the moves, each by the seat whose turn it is, and return the facts."""
    facts: list[Fact] = []
    for text in texts:
        (seat,) = GAME.actors(state)
        GAME.do(state, seat, GAME.parse(state, seat, text), facts)
    return facts


def taken(facts: list[Fact]) -> set[str]:
    """The squares of captured stones."""
    return {square for fact in facts if fact.kind == "captured" for square in fact.data["squares"]}


def public(state: LancelotState) -> Mapping[str, Any]:
    return GAME.view(state, None).public


def legal(state: LancelotState) -> list[Move]:
    """The moves of the seat whose turn it is."""
    return GAME.legal(state, state.turn)


def refusal(state: LancelotState, text: str) -> IllegalMove:
    """The refusal of a move; checks that the refusal changes nothing."""
    before = state.clone()
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(state, state.turn, text)
    assert state == before
    return caught.value


def row(number: int, columns: str = "DEFGHIJK") -> set[str]:
    """The squares of a row on the board for two."""
    return {f"{column}{number}" for column in columns}


def column(letter: str) -> set[str]:
    """The squares of a column on the board for two."""
    return {f"{letter}{number}" for number in range(4, 12)}
