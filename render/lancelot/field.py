"""Where the squares and lines of Lancelot's field lie in the picture."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from games.lancelot.field import Field, field_for
from render.geometry import Box, Point
from render.scene import Scene
from render.theme import MARGIN

RIM = 50
"""Width of the hem around the squares that bears the coordinates."""
BOARD = Box(MARGIN - 4, MARGIN - 4, MARGIN + 796, MARGIN + 796)


@dataclass(frozen=True)
class FieldGeometry:
    """The field that a number of players uses.

    :param diagonals: the diagonals count, too.
    """

    players: int
    diagonals: bool

    @classmethod
    def of(cls, scene: Scene) -> FieldGeometry:
        """The field that a scene shows."""
        return cls(scene.view.players, scene.view.options["diagonals"])

    @cached_property
    def lines(self) -> Field:
        """Its squares and lines by number."""
        return field_for(self.players, self.diagonals)

    @property
    def size(self) -> int:
        """Squares along one side."""
        return self.lines.size

    @cached_property
    def cell(self) -> int:
        """Side of a square."""
        return int((BOARD.width - 2 * RIM) // self.size)

    @property
    def stone(self) -> int:
        """Diameter of a stone."""
        return round(self.cell * 0.84)

    @property
    def sword(self) -> int:
        """Height of Excalibur."""
        return round(self.cell * 0.94)

    @cached_property
    def box(self) -> Box:
        """All squares together."""
        return Box.at(BOARD.centre, self.cell * self.size)

    @property
    def hem(self) -> Box:
        """The cloth: the squares with the hem around them."""
        return self.box.inset(-RIM)

    def square(self, number: int) -> Box:
        """A square by its number."""
        row, column = divmod(number, self.size)
        left, bottom = self.box.left + column * self.cell, self.box.bottom - row * self.cell
        return Box(left, bottom - self.cell, left + self.cell, bottom)

    def named(self, name: str) -> Box:
        """A square by its name."""
        return self.square(self.lines.index[name])

    def centre(self, name: str) -> Point:
        """The middle of a square by its name."""
        return self.named(name).centre

    def squares(self, kind: str, name: str) -> list[str]:
        """The squares of a line, named as the facts name it: ``K``, ``7`` or ``D4-K11``."""
        numbers = self.lines.squares_of[self.lines.labels.index((kind, name))]
        return [self.lines.names[number] for number in numbers]

    def line(self, kind: str, name: str) -> tuple[Point, Point]:
        """The ends of a line, named as the facts name it."""
        first, *_, last = self.squares(kind, name)
        return self.centre(first), self.centre(last)

    def lane(self, kind: str, name: str) -> Box | None:
        """All squares of a column or row together; None for a diagonal."""
        if kind == "diagonal":
            return None
        squares = self.lines.squares_of[self.lines.labels.index((kind, name))]
        first, last = self.square(squares[0]), self.square(squares[-1])
        return Box(first.left, last.top, last.right, first.bottom)
