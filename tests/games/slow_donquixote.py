"""A second implementation of Don Quixote's scoring, based on a drawing: slow, short and obvious.

Every tile is a picture of 5 x 5 characters, and a principality is one large drawing of 40 x 15. The
code finds roads by following the strokes, and uses none of the engine's ports, halves or sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

PICTURES = """
CH1      CH2      CH3      CH4      CH5      CH6
  |                 |        |                 |
  C        C--    --C        C      --C--    --C
  |        |                 |        |
  +      --+               --+--      +        +--
  |                                   |        |

WM1      WM2      WM3      WM4      WM5      WM6
  |                 |        |                 |
  W      --W        W--      W      --W--      W--
  |        |                 |        |
  +        +--             --+--      +      --+
  |                                   |        |

KN01     KN02     KN03     KN04     KN05     KN06
  |                 |        |                 |
  1--    --1--      1        2      --2      --2
  |        |        |        |        |
--+--      +        +--      +      --+      --+--
           |        |        |        |

KN07     KN08     KN09     KN10     CA6      CA4
           |                 |        |
  2--      3--    --3        3        +      --+
  |                 |        |        6        4
  +--               +      --+        +        +--
  |                 |                 |

SANCHO
  |
--+--
  |
--+--
  |
"""

COLUMNS = "ABCDEFGH"
SIZE = 5

Cell = tuple[int, int]

STROKE = {(0, -1): "|", (0, 1): "|", (-1, 0): "-", (1, 0): "-"}
CROSSING = "+CW123"
STRENGTH = {"1": 1, "2": 2, "3": 3}
CASTLE = {6: "6", 4: "4"}


def _pictures() -> dict[str, list[str]]:
    pictures = {}
    for block in PICTURES.strip("\n").split("\n\n"):
        names, *lines = block.split("\n")
        for number, name in enumerate(names.split()):
            left = number * 9
            picture = [line.ljust(left + SIZE)[left : left + SIZE] for line in lines]
            pictures[name] = picture + [" " * SIZE] * (SIZE - len(picture))
    return pictures


PICTURE = _pictures()
"""The lines of each unturned tile's picture."""


def picture(piece: str) -> list[str]:
    """The picture of a piece; half a turn reverses it."""
    if piece.endswith("r"):
        return [line[::-1] for line in reversed(PICTURE[piece.removesuffix("r")])]
    return PICTURE[piece]


class Drawing:
    """A principality as one drawing."""

    def __init__(self, board: Mapping[str, str]) -> None:
        self.ink: dict[Cell, str] = {}
        for field, piece in board.items():
            left, top = SIZE * COLUMNS.index(field[0]), SIZE * (int(field[1]) - 1)
            for y, line in enumerate(picture(piece)):
                for x, char in enumerate(line):
                    if char != " ":
                        self.ink[left + x, top + y] = char

    def find(self, chars: str) -> list[Cell]:
        """The cells with one of these characters."""
        return [cell for cell, char in self.ink.items() if char in chars]

    def next_to(self, cell: Cell) -> Iterator[Cell]:
        """The neighbouring cells that a road continues to."""
        for (right, down), stroke in STROKE.items():
            there = cell[0] + right, cell[1] + down
            if all(self.ink.get(c, " ") in stroke + CROSSING for c in (cell, there)):
                yield there

    def road(self, start: Cell) -> frozenset[Cell]:
        """All cells connected with a cell."""
        reached, open_ends = {start}, [start]
        while open_ends:
            for there in self.next_to(open_ends.pop()):
                if there not in reached:
                    reached.add(there)
                    open_ends.append(there)
        return frozenset(reached)

    def roads(self) -> set[frozenset[Cell]]:
        return {self.road(cell) for cell in self.find(CROSSING)}

    def count(self, road: frozenset[Cell], chars: str) -> int:
        return sum(self.ink[cell] in chars for cell in road)

    def strength(self, road: frozenset[Cell]) -> int:
        """The total strength of the knights on a road."""
        return sum(STRENGTH.get(self.ink[cell], 0) for cell in road)

    def at_castle(self, value: int) -> frozenset[Cell]:
        """Both roads of a castle, which start above and below its number."""
        cells: set[Cell] = set()
        for x, y in self.find(CASTLE[value]):
            cells |= self.road((x, y - 1)) | self.road((x, y + 1))
        return frozenset(cells)

    def leads_out(self, knight: Cell) -> bool:
        """Return whether a straight stroke leads from the knight off the drawing."""
        for (right, down), stroke in STROKE.items():
            x, y = knight[0] + right, knight[1] + down
            while self.ink.get((x, y)) == stroke:
                x, y = x + right, y + down
            if not (0 <= x < SIZE * len(COLUMNS) and 0 <= y < SIZE * 3):
                return True
        return False


def group_points(count: int) -> int:
    """Nothing for one building, 2 for a pair, and 2 for each in a group of three or more."""
    return 0 if count < 2 else 2 if count == 2 else 2 * count


def slow_score(board: Mapping[str, str], round_: int) -> tuple[int, ...]:
    """Points for castle 6, castle 4, churches, windmills, defence and the largest group."""
    drawing = Drawing(board)
    roads = drawing.roads()
    castles = [
        value if drawing.count(drawing.at_castle(value), "123") >= round_ else 0 for value in (6, 4)
    ]
    buildings = [sum(group_points(drawing.count(road, kind)) for road in roads) for kind in "CW"]
    guards = [knight for knight in drawing.find("123") if drawing.leads_out(knight)]
    guard = sum(STRENGTH[drawing.ink[knight]] for knight in guards)
    largest = max(map(drawing.strength, roads), default=0)
    return (
        *castles,
        *buildings,
        5 if guard >= 4 * round_ else 0,
        largest if round_ == 3 else 0,
    )
