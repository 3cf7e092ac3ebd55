"""Finds stones in danger of being locked in, for warnings."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from games.engine import Move
from games.isis.board import MEANING, PERSONAL, THRONES
from games.isis.position import NOWHERE, IsisState


@dataclass(frozen=True, slots=True)
class Danger:
    """A stone in heaven that a single move could lock in.

    :param owner: the seat whose personal stone it is; None for a neutral stone.
    :param by: the seats that could lock it in with a move from this position.
    """

    square: int
    owner: int | None
    by: tuple[int, ...]


def dangers(state: IsisState) -> list[Danger]:
    """Return the stones in danger, by square.

    Each seat is tested as if it had the turn. The ban applies only to the seat whose turn it is,
    because the bans of the others are not known yet. A seat does not count as a danger to its own
    stone.
    """
    seats = [seat for seat in range(len(state.personal)) if seat not in state.placed]
    world = state.clone()
    world.seen = {}  # repetition does not matter here, and every clone would copy this dict
    locked: dict[Move, list[int]] = {}
    threats = [
        (square, seat) for seat in seats for square in sorted(_could_lock(world, seat, locked))
    ]
    return [
        Danger(square, state.owner(square), tuple(by for at, by in threats if at == square))
        for square in sorted({square for square, _ in threats})
    ]


def _could_lock(state: IsisState, seat: int, locked: dict[Move, list[int]]) -> set[int]:
    """Return the squares of stones that a move of the seat could lock in, except its own.

    :param locked: filled here: for each move of a neutral stone, the stones that it locks in, which
        do not depend on the seat.
    """
    world = state.clone()
    if seat != state.turn:
        world.ban = NOWHERE
    found: set[int] = set()
    for move in chain.from_iterable(world.choices(seat)):
        if move.startswith(PERSONAL):
            found.update(_locked_after(world, seat, move))
        else:
            if move not in locked:
                locked[move] = _locked_after(world, seat, move)
            found.update(locked[move])
    return found - {state.personal[seat]}


def _locked_after(world: IsisState, seat: int, move: Move) -> list[int]:
    origin, square = MEANING.get(move, (NOWHERE, NOWHERE))
    if origin == NOWHERE or square in THRONES:
        return []  # turning a stone over locks nothing in, and after a win it does not matter
    after = world.clone()
    if move.startswith(PERSONAL):
        after.move_personal(seat, square)
    else:
        after.move_neutral(origin, square)
    return after.locked()
