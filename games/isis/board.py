"""The board: fifty squares and the underworld, and all paths between them.

The squares form four rows of sixteen; square 0, the underworld, fills the two middle rows of the
first seven columns::

     1  3  5  7  9 11 13 15 19 23 27 31 35  39  43  47
     0  0  0  0  0  0  0 16 20 24 28 32 36  40 [44] 48
     0  0  0  0  0  0  0 17 21 25 29 33 37  41 [45] 49
     2  4  6  8 10 12 14 18 22 26 30 34 38  42  46  50

``ReachTable`` holds all paths of a stone on an otherwise empty board, each with the set of its
squares, so the stones of a position only have to be compared with these sets.

A set of squares is an int with one bit for each square.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache, reduce
from itertools import pairwise
from operator import or_

from games.engine import Move

STONES = 7
UNDERWORLD = 0
SQUARES = range(1, 51)
HEAVEN = range(39, 51)
THRONES = (44, 45)
EXITS = (16, 17)
"""The squares from which a stone enters the underworld."""

LANES = tuple(range(1, 15, 2)), tuple(range(2, 15, 2))
"""The ways up from the underworld: the upper lane begins at square 1, the lower one at 2."""

PERSONAL = "P"
"""The prefix of a move with the personal stone."""

TURN = "turn:"
"""The prefix of a move that turns a neutral stone into a personal one."""

WALLS = frozenset(map(frozenset, ((40, 44), (41, 45), (43, 44), (44, 45), (45, 46))))
"""Neighbouring squares between which no stone can pass: a throne is open on one side only."""

_LANE_END = 14
_ROWS = 4


def row(square: int) -> int:
    """Return the row of a square on the board, 0 (top) to 3."""
    if square <= _LANE_END:
        return 0 if square % 2 else _ROWS - 1
    return (square - _LANE_END - 1) % _ROWS


def column(square: int) -> int:
    """Return the column of a square on the board, from 0 (where the lanes begin) to 15 (the end of
    heaven).
    """
    if square <= _LANE_END:
        return (square - 1) // 2
    return len(LANES[0]) + (square - _LANE_END - 1) // _ROWS


_AT = {(row(square), column(square)): square for square in SQUARES}


def _neighbours(square: int) -> tuple[int, ...]:
    nearby = [
        _AT.get((row(square) + down, column(square) + right))
        for down, right in ((0, 1), (0, -1), (-1, 0), (1, 0))
    ]
    return tuple(
        other for other in nearby if other is not None and frozenset((square, other)) not in WALLS
    )


NEIGHBOURS = {square: _neighbours(square) for square in SQUARES}
"""The squares one step away, except the underworld."""


# -------------------------------------------------------------------------------- paths
Path = tuple[int, ...]
"""The squares that a stone touches, from its origin to its destination."""

Walk = tuple[Path, int]
"""A path, and the set of its squares without the underworld."""


class Going(Enum):
    """The directions allowed during a whole move."""

    FORWARD = "forward or sideways"
    RETREAT = "forward or sideways, within heaven also backward"
    FREE = "in any direction"
    DOWN = "backward or sideways"


def _may_step(start: int, end: int, going: Going) -> bool:
    onwards = column(end) - column(start)
    match going:
        case Going.FORWARD:
            return onwards >= 0
        case Going.RETREAT:
            return onwards >= 0 or (start in HEAVEN and end in HEAVEN)
        case Going.DOWN:
            return onwards <= 0
        case _:
            return True


_ONWARD = {
    going: {
        square: ()
        if square in THRONES
        else tuple(other for other in NEIGHBOURS[square] if _may_step(square, other, going))
        for square in SQUARES
    }
    for going in Going
}
"""The squares to which the next step of a move may lead; a throne always ends a move."""


@cache
def _walks(square: int, steps: int, going: Going) -> tuple[Walk, ...]:
    """Return all walks of exactly this many steps on an empty board that touch no square twice and
    do not enter the underworld.
    """
    if steps == 0:
        return (((square,), 1 << square),)
    onward = _ONWARD[going]
    return tuple(
        [
            ((*path, following), touched | 1 << following)
            for path, touched in _walks(square, steps - 1, going)
            for following in onward[path[-1]]
            if not touched >> following & 1
        ]
    )


def paths(square: int, steps: int, going: Going) -> list[Path]:
    """Return all paths of exactly this many steps on an empty board, the straightest first."""
    return straightest_first(path for path, _ in _walks(square, steps, going))


def straightest_first(found: Iterable[Path]) -> list[Path]:
    """Return the paths, sorted by their number of turns, the fewest first."""
    return sorted(found, key=lambda path: (_bends(path), path))


def _bends(path: Path) -> int:
    steps = [(row(end) - row(start), column(end) - column(start)) for start, end in pairwise(path)]
    return sum(step != following for step, following in pairwise(steps))


# --------------------------------------------------------------------------------- ways
@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """The moves of one kind of stone from one square with one number of steps.

    :param paths: the paths of each move, in order of destination.
    :param ends: each move with the squares of each of its paths, without the origin.
    :param masks: the same sets of squares, for the paths of all moves in one list.
    :param span: all squares on any of the paths; stones elsewhere do not matter.
    """

    paths: dict[Move, list[Path]]
    ends: tuple[tuple[Move, tuple[int, ...]], ...]
    masks: tuple[int, ...]
    span: int

    @classmethod
    def along(cls, walks: Iterable[Walk], personal: bool) -> Reach:
        """Return the moves along these walks, which all begin on one square."""
        by_end: dict[int, list[Walk]] = {}
        for walk in walks:
            by_end.setdefault(walk[0][-1], []).append(walk)
        known: dict[Move, list[Path]] = {}
        ends = []
        for end, same in sorted(by_end.items()):
            origin = same[0][0][0]
            move = move_name(origin, end, personal)
            known[move] = [path for path, _ in same]
            masks = tuple([touched & ~(1 << origin) for _, touched in same])
            ends.append((move, masks))
        all_masks = tuple([mask for _, masks in ends for mask in masks])
        return cls(known, tuple(ends), all_masks, span=reduce(or_, all_masks, 0))

    def open(self, occupied: int) -> tuple[Move, ...]:
        """Return the moves that other stones do not block.

        :param occupied: the set of squares with a stone.
        """
        return _open(self, occupied & self.span)

    def is_open(self, occupied: int) -> bool:
        """Return whether any move is possible; this is faster than listing the moves."""
        for mask in self.masks:  # noqa: SIM110 (a generator would take twice as long)
            if not mask & occupied:
                return True
        return False

    def free(self, move: Move, occupied: int) -> list[Path]:
        """Return the unblocked paths of a move, the straightest first."""
        return straightest_first(
            path for path in self.paths[move] if not set_of(path[1:]) & occupied
        )


@lru_cache(maxsize=1 << 15)
def _open(way: Reach, blocked: int) -> tuple[Move, ...]:
    # Cached, because the same moves are asked for in every turn until something blocks the stone.
    found = []
    for move, masks in way.ends:
        for mask in masks:
            if not mask & blocked:
                found.append(move)
                break
    return tuple(found)


def set_of(squares: Iterable[int]) -> int:
    """Return the bit set of these squares."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask


def move_name(origin: int, end: int, personal: bool) -> Move:
    """Return the notation of a move: ``14-21``, or ``P14-21`` with the personal stone."""
    return f"{PERSONAL if personal else ''}{origin}-{end}"


MEANING: dict[Move, tuple[int, int]] = {
    move_name(origin, end, personal): (origin, end)
    for personal in (False, True)
    for origin in (UNDERWORLD, *SQUARES)
    for end in (UNDERWORLD, *SQUARES)
}
"""Origin and destination of every text that has the form of a move."""


class Ways(dict[tuple[int, int], Reach]):
    """Moves by square and number of steps. Each entry is computed when it is first needed, because
    computing all of them would delay the start.

    :param walks: returns the walks from a square with some number of steps.
    :param personal: whether the stones are personal ones; no others may enter a throne.
    """

    def __init__(self, walks: Callable[[int, int], Iterable[Walk]], personal: bool) -> None:
        super().__init__()
        self._walks, self._personal = walks, personal

    def __missing__(self, place: tuple[int, int]) -> Reach:
        square, steps = place
        known = self._walks(square, steps) if steps else ()
        way = Reach.along(
            (walk for walk in known if self._personal or walk[0][-1] not in THRONES),
            self._personal,
        )
        self[place] = way
        return way


@dataclass(frozen=True, slots=True, eq=False)
class ReachTable:
    """All moves on the board. There is one instance for each reading of the rules.

    :param retreat: whether a stone that enters heaven during its move may go backward there.
    :param ways: moves of neutral and of personal stones; from square 0 they lead up into the lanes.
    :param down: moves into the underworld, for the same two kinds.
    """

    retreat: bool
    ways: tuple[Ways, Ways]
    down: tuple[Ways, Ways]

    def __reduce__(self) -> tuple[object, tuple[bool]]:
        """Pickle only the argument, because the other process can build the same board from it."""
        return board_for, (self.retreat,)


@cache
def board_for(retreat: bool) -> ReachTable:
    """Return the board for one reading of the rules."""
    on_earth = Going.RETREAT if retreat else Going.FORWARD

    def onward(square: int, steps: int) -> Iterable[Walk]:
        if square == UNDERWORLD:
            lanes = [lane[:steps] for lane in LANES]
            return [((UNDERWORLD, *lane), set_of(lane)) for lane in lanes]
        return _walks(square, steps, Going.FREE if square in HEAVEN else on_earth)

    def downward(square: int, steps: int) -> Iterable[Walk]:
        if not 0 < square < HEAVEN.start:
            return ()
        above = _walks(square, steps - 1, Going.DOWN)
        return [((*path, UNDERWORLD), touched) for path, touched in above if path[-1] in EXITS]

    return ReachTable(
        retreat,
        ways=(Ways(onward, personal=False), Ways(onward, personal=True)),
        down=(Ways(downward, personal=False), Ways(downward, personal=True)),
    )
