"""Stones that are about to be locked in: what people may be warned of."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from games.engine import Move
from games.isis.board import MEANING, PERSONAL, THRONES
from games.isis.position import NOWHERE, IsisState


@dataclass(frozen=True, slots=True)
class Danger:
    """A stone in heaven that a single move could lock in.

    :param owner: whose personal stone it is; None for a neutral one.
    :param by: the seats that have such a move, in a position like this one.
    """

    square: int
    owner: int | None
    by: tuple[int, ...]


def dangers(state: IsisState) -> list[Danger]:
    """The stones in danger, by square.

    Every seat is asked as if it were its turn, the one whose turn it is under the ban, the others
    without: what will be banned then is not known yet. That a seat could lock in its own
    stone is no danger.
    """
    seats = [seat for seat in range(len(state.personal)) if seat not in state.placed]
    world = state.clone()
    world.seen = {}  # what has been is of no account, and long to copy
    locked: dict[Move, list[int]] = {}
    threats = [
        (square, seat) for seat in seats for square in sorted(_could_lock(world, seat, locked))
    ]
    return [
        Danger(square, state.owner(square), tuple(by for at, by in threats if at == square))
        for square in sorted({square for square, _ in threats})
    ]


def _could_lock(state: IsisState, seat: int, locked: dict[Move, list[int]]) -> set[int]:
    """The squares of stones that a move of the seat would lock in, its own stone excepted.

    :param locked: by move of a neutral stone, what it would lock in, whoever makes it.
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
    """The squares of the stones that are locked in once a move is made."""
    origin, square = MEANING.get(move, (NOWHERE, NOWHERE))
    if origin == NOWHERE or square in THRONES:
        return []  # turning over locks no stone in, and after a victory it does not matter
    after = world.clone()
    if move.startswith(PERSONAL):
        after.move_personal(seat, square)
    else:
        after.move_neutral(origin, square)
    return after.locked()
