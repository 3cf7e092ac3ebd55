"""The board: fifty squares and the underworld, and every way that leads from one to another.

The squares lie in four rows of sixteen; square 0, the underworld, fills the two middle rows of
the first seven columns. ``Board`` holds all paths that a stone could go if it were alone, each as
the set of its squares, so that a position only has to be laid over them::

     1  3  5  7  9 11 13 15 19 23 27 31 35  39  43  47
     0  0  0  0  0  0  0 16 20 24 28 32 36  40 [44] 48
     0  0  0  0  0  0  0 17 21 25 29 33 37  41 [45] 49
     2  4  6  8 10 12 14 18 22 26 30 34 38  42  46  50

A set of squares is an int with one bit for each square.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from itertools import pairwise

from games.engine import Move

STONES = 7
UNDERWORLD = 0
SQUARES = range(1, 51)
HEAVEN = range(39, 51)
THRONES = (44, 45)
EXITS = (16, 17)
"""The squares from which a stone descends into the underworld."""

LANES = tuple(range(1, 15, 2)), tuple(range(2, 15, 2))
"""The ways out of the underworld: the upper lane begins at square 1, the lower one at 2."""

PERSONAL = "P"
"""What the notation of a move with the personal stone begins with."""

TURN = "turn:"
"""What the notation of turning a neutral stone into a personal one begins with."""

WALLS = frozenset(map(frozenset, ((40, 44), (41, 45), (43, 44), (44, 45), (45, 46))))
"""Neighbours between which no stone passes: a throne is open on one side only."""

_LANE_END = 14
_ROWS = 4


def row(square: int) -> int:
    """The row of a square from 1 on, 0 (top) to 3."""
    if square <= _LANE_END:
        return 0 if square % 2 else _ROWS - 1
    return (square - _LANE_END - 1) % _ROWS


def column(square: int) -> int:
    """The column of a square from 1 on, 0 (beside the underworld) to 15 (the end of heaven)."""
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
"""The squares that one step leads to, except the underworld."""


# -------------------------------------------------------------------------------- paths
Path = tuple[int, ...]
"""The squares that a stone touches, from the one it leaves to the one it comes to."""


class Going(Enum):
    """The directions that are allowed for the whole of one move."""

    FORWARD = "forward or sideways"
    RETREAT = "forward or sideways, within heaven also backward"
    FREE = "in any direction"
    DOWN = "backward or sideways"


def paths(square: int, steps: int, going: Going) -> list[Path]:
    """All paths of exactly so many steps over an empty board, the straightest first.

    No square is touched twice, and a throne is only ever the end. The underworld is not entered.
    """
    return sorted(_walk((square,), steps, going), key=lambda path: (_bends(path), path))


def descents(square: int, steps: int) -> list[Path]:
    """All paths of exactly so many steps that lead from a square on earth into the underworld."""
    above = paths(square, steps - 1, Going.DOWN)
    return [(*path, UNDERWORLD) for path in above if path[-1] in EXITS]


def _walk(path: Path, steps: int, going: Going) -> Iterator[Path]:
    if steps == 0:
        yield path
    elif path[-1] not in THRONES:
        for square in NEIGHBOURS[path[-1]]:
            if square not in path and _may_step(path[-1], square, going):
                yield from _walk((*path, square), steps - 1, going)


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


def _bends(path: Path) -> int:
    """How often a path turns a corner."""
    steps = [(row(end) - row(start), column(end) - column(start)) for start, end in pairwise(path)]
    return sum(step != following for step, following in pairwise(steps))


# --------------------------------------------------------------------------------- ways
@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """What is open to one kind of stone on one square with one number of steps.

    :param paths: each move with its paths, the straightest first; in order of destination.
    :param ends: each move with the squares of each of its paths, the origin left out.
    :param span: all squares of all paths: stones elsewhere do not matter.
    """

    paths: dict[Move, tuple[Path, ...]]
    ends: tuple[tuple[Move, tuple[int, ...]], ...]
    span: int

    @classmethod
    def along(cls, known: Iterable[Path], personal: bool) -> Way:
        """The way that consists of these paths, which all begin on one square."""
        by_end: dict[int, list[Path]] = {}
        for path in known:
            by_end.setdefault(path[-1], []).append(path)
        named = {move_name(by_end[end][0][0], end, personal): by_end[end] for end in sorted(by_end)}
        return cls(
            paths={move: tuple(same) for move, same in named.items()},
            ends=tuple(
                (move, tuple(set_of(path[1:]) for path in same)) for move, same in named.items()
            ),
            span=set_of(square for same in named.values() for path in same for square in path[1:]),
        )

    def open(self, occupied: int) -> tuple[Move, ...]:
        """The moves that are possible among other stones.

        :param occupied: the set of squares with a stone.
        """
        return _open(self, occupied & self.span)

    def free(self, move: Move, occupied: int) -> Iterator[Path]:
        """The paths of a move that no other stone blocks, the straightest first."""
        return (path for path in self.paths[move] if not set_of(path[1:]) & occupied)


@lru_cache(maxsize=1 << 15)
def _open(way: Way, blocked: int) -> tuple[Move, ...]:
    # Remembered, because the same question comes again and again: when a stone in heaven might be
    # locked in, when its moves are listed, and turn after turn until something stands in its way.
    found = []
    for move, masks in way.ends:
        for mask in masks:
            if not mask & blocked:
                found.append(move)
                break
    return tuple(found)


def set_of(squares: Iterable[int]) -> int:
    """The set of these squares."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask


def move_name(origin: int, end: int, personal: bool) -> Move:
    """The notation of a move: ``14-21``, with the personal stone ``P14-21``."""
    return f"{PERSONAL if personal else ''}{origin}-{end}"


Table = tuple[tuple[Way, ...], ...]
"""Ways by square and number of steps."""


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """All ways. One instance for each reading.

    :param retreat: a stone that enters heaven during its move may go backward there.
    :param ways: of neutral stones and of personal ones; square 0 leads up into the lanes.
    :param down: likewise, into the underworld.
    :param meaning: origin and destination of each move.
    """

    retreat: bool
    ways: tuple[Table, Table]
    down: tuple[Table, Table]
    meaning: dict[Move, tuple[int, int]]

    def __reduce__(self) -> tuple[object, tuple[bool]]:
        """Pickled by its argument: the other process has the same board already."""
        return board_for, (self.retreat,)


@cache
def board_for(retreat: bool) -> Board:
    """The board of one reading."""

    def onward(square: int, steps: int) -> list[Path]:
        if square == UNDERWORLD:
            return [(UNDERWORLD, *lane[:steps]) for lane in LANES]
        if square in HEAVEN:
            return paths(square, steps, Going.FREE)
        return paths(square, steps, Going.RETREAT if retreat else Going.FORWARD)

    def downward(square: int, steps: int) -> list[Path]:
        return descents(square, steps) if 0 < square < HEAVEN.start else []

    ways = _table(onward, personal=False), _table(onward, personal=True)
    down = _table(downward, personal=False), _table(downward, personal=True)
    meaning = {
        move: (same[0][0], same[0][-1])
        for table in (*ways, *down)
        for by_steps in table
        for way in by_steps
        for move, same in way.paths.items()
    }
    return Board(retreat, ways, down, meaning)


def _table(paths_of: Callable[[int, int], list[Path]], personal: bool) -> Table:
    """The ways of neutral or of personal stones: a throne is for personal stones alone."""

    def way(square: int, steps: int) -> Way:
        known = paths_of(square, steps) if steps else []
        return Way.along((p for p in known if personal or p[-1] not in THRONES), personal)

    return tuple(
        tuple(way(square, steps) for steps in range(STONES + 1))
        for square in (UNDERWORLD, *SQUARES)
    )
