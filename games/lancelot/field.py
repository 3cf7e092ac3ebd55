"""The plan, the part of it that is used at each player count, and its lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress

PLAN_COLUMNS = "ABCDEFGHIJKLMN"
PLAN_SIZE = len(PLAN_COLUMNS)

DIAGONAL_MIN = 4
"""The length of the shortest diagonal that counts."""

SWORD = "X:"
"""The prefix of Excalibur's moves."""


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """The part of the plan in use and its lines. One instance per (players, diagonals).

    Squares and lines are numbers. A set of squares is an int with one byte, a *lane*, per square:
    ``&`` intersects such sets and ``compress`` lists their squares, both at the speed of C.

    :param names: name of each square, row by row from the lower left.
    :param sword_names: the move of Excalibur to each square.
    :param index: square by name.
    :param lines_of: lines through each square.
    :param squares_of: squares on each line.
    :param elsewhere: for each line, the set of all squares not on it.
    :param labels: kind and name of each line: ``("column", "K")``, ``("diagonal", "D4-K11")``.
    :param reach: the largest number of squares that share a line with one square, including that
        square.
    """

    players: int
    diagonals: bool
    size: int
    names: tuple[str, ...]
    sword_names: tuple[str, ...]
    index: dict[str, int]
    lines_of: tuple[tuple[int, ...], ...]
    squares_of: tuple[tuple[int, ...], ...]
    elsewhere: tuple[int, ...]
    labels: tuple[tuple[str, str], ...]
    reach: int

    def __reduce__(self) -> tuple[object, tuple[int, bool]]:
        """Pickle only the arguments, because the other process can build the same field
        from them.
        """
        return field_for, (self.players, self.diagonals)

    def pick(self, names: Sequence[str], squares: int) -> list[str]:
        """Return the names of the squares in a set."""
        return list(compress(names, squares.to_bytes(len(names), "little")))

    def numbers(self, squares: int) -> Iterator[int]:
        """Return the numbers of the squares in a set."""
        return compress(range(len(self.names)), squares.to_bytes(len(self.names), "little"))


def lane(square: int) -> int:
    """Return the set that contains only this square."""
    return 1 << 8 * square


@cache
def field_for(players: int, diagonals: bool) -> Field:
    """Return the field in the middle of the plan: 8 x 8 squares for two players; each further
    player makes its sides two squares longer.
    """
    size = 2 * players + 4
    margin = (PLAN_SIZE - size) // 2
    names = tuple(
        f"{PLAN_COLUMNS[margin + column]}{margin + row + 1}"
        for row in range(size)
        for column in range(size)
    )
    kinds, squares_of = zip(*_lines(size, diagonals), strict=True)
    lines_of = tuple(
        tuple(line for line, squares in enumerate(squares_of) if square in squares)
        for square in range(size * size)
    )
    everywhere = sum(map(lane, range(size * size)))
    return Field(
        players=players,
        diagonals=diagonals,
        size=size,
        names=names,
        sword_names=tuple(SWORD + name for name in names),
        index={name: square for square, name in enumerate(names)},
        lines_of=lines_of,
        squares_of=squares_of,
        elsewhere=tuple(everywhere - sum(map(lane, squares)) for squares in squares_of),
        labels=tuple(
            (kind, _line_name(kind, names[squares[0]], names[squares[-1]]))
            for kind, squares in zip(kinds, squares_of, strict=True)
        ),
        reach=max(
            len({other for line in lines for other in squares_of[line]}) for lines in lines_of
        ),
    )


def plan() -> Field:
    """Return the whole plan."""
    return field_for(5, diagonals=False)


def _lines(size: int, diagonals: bool) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the kind and the squares of every line that counts: columns, then rows, then
    diagonals.
    """
    side = range(size)
    for column in side:
        yield "column", tuple(row * size + column for row in side)
    for row in side:
        yield "row", tuple(row * size + column for column in side)
    if diagonals:
        yield from _diagonals(size)


def _diagonals(size: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the rising and the falling diagonals that are long enough, each from the left."""
    side = range(size)
    rising = ([(column, column - shift) for column in side] for shift in range(-size, size))
    falling = ([(column, total - column) for column in side] for total in range(2 * size))
    for cells in (*rising, *falling):
        squares = tuple(row * size + column for column, row in cells if row in side)
        if len(squares) >= DIAGONAL_MIN:
            yield "diagonal", squares


def _line_name(kind: str, first: str, last: str) -> str:
    return {"column": first[0], "row": first[1:], "diagonal": f"{first}-{last}"}[kind]
