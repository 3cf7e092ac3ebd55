"""Who leads the lines of a position, and what a further stone would take: asked of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from games.engine import Fact, View
from games.lancelot.game import Lancelot
from games.lancelot.position import OVER, STONE, TURN, LancelotState

_GAME = Lancelot()


def position_from_view(view: View) -> LancelotState:
    """The position that a view shows; nothing in it is hidden."""
    return _GAME.determinize(view, Random(0))


def led(state: LancelotState) -> Iterator[tuple[int, int, int]]:
    """Number, leader and lead of each line that a seat leads."""
    for line, pieces in enumerate(state.pieces):
        for seat, own in enumerate(state.own):
            if 2 * own[line] > pieces:
                yield line, seat, state.lead(seat, line)


def takes(state: LancelotState, seat: int) -> dict[str, list[str]]:
    """What one stone of ``seat`` would take, by the square it is placed on.

    Only squares that it may be placed on, and that take something. The King's power is not called
    upon; if the seat has just done so, Excalibur fights for it.
    """
    found: dict[str, list[str]] = {}
    if state.phase == OVER or not state.stock[seat]:
        return found
    for square in state.field.pick(state.field.names, state.open_squares(seat)):
        trial, facts = state.clone(), list[Fact]()
        if seat != trial.turn and trial.phase == STONE:
            trial.phase = TURN
        trial.turn = seat
        _GAME.do(trial, seat, square, facts)
        if taken := [name for f in facts if f.kind == "captured" for name in f.data["squares"]]:
            found[square] = taken
    return found
