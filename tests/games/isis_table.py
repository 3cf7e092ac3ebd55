"""Helpers that set up positions of Isis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from games.engine import Fact, IllegalMove, Move
from games.isis import AMULETS, Isis, IsisState, position_of
from games.isis.board import SQUARES

GAME = Isis()
STONES = 7


# ------------------------------------------------------------------- setting up positions
def position(
    neutral: str = "",
    *personal: int | None,
    players: int = 2,
    turn: int = 0,
    ban: int | None = None,
    turned: Sequence[bool] | None = None,
    **options: Any,
) -> IsisState:
    """A position with neutral stones on these squares; the other ones are in the underworld.

    :param personal: the square of each seat's personal stone, None for none.
    """
    own = [*personal, *[None] * (players - len(personal))]
    squares = sorted(map(int, neutral.split()))
    setup = GAME.setup(players, {"starter": "1", **options})
    view = GAME.view(GAME.start(setup), None)
    public = {
        **view.public,
        "neutral": squares,
        "below": STONES - len(squares) - sum(square is not None for square in own),
        "personal": own,
        "turned": turned or [square is not None for square in own],
        "amulets": [AMULETS[seat] if at is not None else "" for seat, at in enumerate(own)],
        "turn": turn,
        "ban": ban,
        "seen": [],
    }
    state = position_of(replace(view, public=public))
    state.seen[state.situation()] = [*state.situation(), 1]
    return state


def legal(state: IsisState) -> list[Move]:
    """The moves of the seat whose turn it is."""
    return GAME.legal(state, state.turn)


def ends(state: IsisState, stone: int | str) -> set[int]:
    """The destinations of a stone, such as ``14`` or ``"P46"``."""
    return {int(move.split("-")[1]) for move in legal(state) if move.startswith(f"{stone}-")}


def played(state: IsisState, *texts: str) -> list[Fact]:
    """Play the moves, each by the seat whose turn it is, and return the facts."""
    facts: list[Fact] = []
    for text in texts:
        (seat,) = GAME.actors(state)
        GAME.do(state, seat, GAME.parse(state, seat, text), facts)
    return facts


def kinds(facts: Iterable[Fact]) -> list[str]:
    return [fact.kind for fact in facts]


def public(state: IsisState) -> Mapping[str, Any]:
    return GAME.view(state, None).public


def on_board(state: IsisState) -> set[int]:
    """The squares in play that hold a stone."""
    return {square for square in SQUARES if state.occupied >> square & 1}


def refusal(state: IsisState, text: str) -> IllegalMove:
    """The refusal of a move; checks that the refusal changes nothing."""
    before = state.clone()
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(state, state.turn, text)
    assert state == before
    return caught.value
