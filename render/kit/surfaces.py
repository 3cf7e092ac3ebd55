"""Boards of squares, of hexagons or of fields along a track; each place has a name."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt
from string import ascii_lowercase
from typing import Final

from render.canvas import Canvas
from render.geometry import Box, Point, placed, regular
from render.theme import INK, LIGHT, LINE, MIN_TEXT, PANEL, Colour, Type

LABEL: Final = Type("text", MIN_TEXT)
MARGIN: Final = 44
"""Width of the margin for the names of rows and columns, in pixels."""

SHADES: Final[tuple[Colour, Colour]] = (LIGHT, PANEL)
"""The colours of the fields; INK is legible on both."""

EMPTY: Final = "·"
"""How an empty place appears in a text."""


def _lines(places: Sequence[str], length: int) -> list[Sequence[str]]:
    return [places[start : start + length] for start in range(0, len(places), length)]


def _rows_as_text(
    places: Sequence[str], columns: int, signs: Mapping[str, str], shift: int = 0
) -> list[str]:
    """Return rows with their numbers, highest first, with the letters of the columns below them.

    :param shift: how many spaces precede every second row.
    """
    lines = [
        f"{n + 1:2} {' ' * (n % 2 * shift)}" + " ".join(signs.get(place, EMPTY) for place in row)
        for n, row in enumerate(_lines(places, columns))
    ]
    return [*reversed(lines), f"   {' '.join(ascii_lowercase[:columns].upper())}"]


class BoardSurface(ABC):
    """Named places, laid out in a box of any size."""

    @property
    @abstractmethod
    def places(self) -> Sequence[str]:
        """The names of all places, as they are written in moves."""

    @abstractmethod
    def centre(self, place: str, box: Box) -> Point:
        """Return the centre of a place, if the surface fills this box."""

    @abstractmethod
    def room(self, box: Box) -> float:
        """Return the width available for a piece, in pixels."""

    @abstractmethod
    def draw(self, canvas: Canvas, box: Box, ink: Colour) -> None:
        """Draw the empty surface.

        :param ink: the colour for the names of rows and columns.
        """

    @abstractmethod
    def text(self, signs: Mapping[str, str]) -> list[str]:
        """Return the surface as lines of text, to be shown in a monospaced font.

        :param signs: the character of each occupied place; all other places show ``EMPTY``.
        """


@dataclass(frozen=True)
class Grid(BoardSurface):
    """Squares, named ``a1`` from the lower left: columns by letters, rows by numbers.

    :param columns: 1..26.
    :param rows: 1..26.
    """

    columns: int
    rows: int

    @cached_property
    def places(self) -> Sequence[str]:
        """The squares row by row, lowest row first."""
        letters = ascii_lowercase[: self.columns]
        return [f"{letter}{row + 1}" for row in range(self.rows) for letter in letters]

    def centre(self, place: str, box: Box) -> Point:
        """Return the centre of a square."""
        cell, left, bottom = self._layout(box)
        column, row = ascii_lowercase.index(place[0]), int(place[1:]) - 1
        return left + (column + 0.5) * cell, bottom - (row + 0.5) * cell

    def room(self, box: Box) -> float:
        """Return four fifths of the side of a square."""
        return self._layout(box)[0] * 0.8

    def draw(self, canvas: Canvas, box: Box, ink: Colour) -> None:
        """Draw squares in two shades, with letters below and numbers on the left."""
        cell, left, bottom = self._layout(box)
        area = Box(left, bottom - cell * self.rows, left + cell * self.columns, bottom)
        canvas.shadow(area.inset(-6), 10, radius=6)
        canvas.rect(area.inset(-6), LINE, radius=6)
        for n, place in enumerate(self.places):
            column, row = n % self.columns, n // self.columns
            square = Box.at(self.centre(place, box), cell).inset(1)
            canvas.rect(square, SHADES[(column + row) % 2])
        for n in range(self.columns):
            at = (left + (n + 0.5) * cell, bottom + MARGIN * 0.65)
            canvas.text(at, ascii_lowercase[n].upper(), LABEL, ink)
        for n in range(self.rows):
            at = (left - MARGIN * 0.65, bottom - (n + 0.5) * cell)
            canvas.text(at, str(n + 1), LABEL, ink)

    def text(self, signs: Mapping[str, str]) -> list[str]:
        """Return the surface in lines, highest row first."""
        return _rows_as_text(self.places, self.columns, signs)

    def _layout(self, box: Box) -> tuple[float, float, float]:
        """Return the side of a square, and the left and lower edges of all squares."""
        across, down = box.width - 2 * MARGIN, box.height - 2 * MARGIN
        cell = float(int(min(across / self.columns, down / self.rows)))
        x, y = box.centre
        return cell, round(x - cell * self.columns / 2), round(y + cell * self.rows / 2)


@dataclass(frozen=True)
class Hexes(BoardSurface):
    """Rows of hexagons with a corner at the top, every second row shifted to the right by half a
    hexagon; they are named like squares, with ``a1`` at the lower left.

    :param columns: 1..26.
    :param rows: 1..26.
    """

    columns: int
    rows: int

    @cached_property
    def places(self) -> Sequence[str]:
        """The hexagons row by row, lowest row first."""
        return Grid(self.columns, self.rows).places

    def centre(self, place: str, box: Box) -> Point:
        """Return the centre of a hexagon."""
        radius, left, bottom = self._layout(box)
        column, row = ascii_lowercase.index(place[0]), int(place[1:]) - 1
        x = left + (column + 0.5 + row % 2 / 2) * radius * sqrt(3)
        return x, bottom - radius - row * radius * 1.5

    def room(self, box: Box) -> float:
        """Return the width that fits well within a hexagon."""
        return self._layout(box)[0] * 1.25

    def draw(self, canvas: Canvas, box: Box, ink: Colour) -> None:
        """Draw hexagons, with letters below the lowest row and a number to the left of each row."""
        radius, _, _ = self._layout(box)
        for n, place in enumerate(self.places):
            shade = SHADES[(n // self.columns) % 2]
            hexagon = placed(regular(6), self.centre(place, box), radius)
            canvas.polygon(hexagon, shade, LINE, 3)
        for column in range(self.columns):
            x, y = self.centre(self.places[column], box)
            canvas.text((x, y + radius + 16), ascii_lowercase[column].upper(), LABEL, ink)
        for row in range(self.rows):
            x, y = self.centre(self.places[row * self.columns], box)
            canvas.text((x - radius - 12, y), str(row + 1), LABEL, ink)

    def text(self, signs: Mapping[str, str]) -> list[str]:
        """Return the surface in lines, highest row first, every second line shifted to the
        right.
        """
        return _rows_as_text(self.places, self.columns, signs, shift=1)

    def _layout(self, box: Box) -> tuple[float, float, float]:
        """Return the radius of a hexagon, and the left and lower edges of all hexagons."""
        across, down = box.width - 2 * MARGIN, box.height - 2 * MARGIN
        wide = self.columns + (0.5 if self.rows > 1 else 0)
        high = 1.5 * self.rows + 0.5
        radius = min(across / (wide * sqrt(3)), down / high)
        x, y = box.centre
        return radius, x - wide * radius * sqrt(3) / 2, y + high * radius / 2


@dataclass(frozen=True)
class Track(BoardSurface):
    """Fields in lines that run in alternate directions (boustrophedon).

    :param names: the names of the fields, in order; up to three characters each.
    """

    names: tuple[str, ...]

    @property
    def places(self) -> Sequence[str]:
        """The fields from the first to the last."""
        return self.names

    def centre(self, place: str, box: Box) -> Point:
        """Return the centre of a field."""
        across, side, left, top = self._layout(box)
        line, n = divmod(self.names.index(place), across)
        column = n if line % 2 == 0 else across - 1 - n
        return left + (column + 0.5) * side, top + (line + 0.5) * side

    def room(self, box: Box) -> float:
        """Return the width available in a field, below its name."""
        return self._layout(box)[1] * 0.56

    def draw(self, canvas: Canvas, box: Box, ink: Colour) -> None:
        """Draw the path and its fields, with their names at the upper left."""
        side = self._layout(box)[1]
        way = [self.centre(place, box) for place in self.names]
        canvas.line(way, LINE, side * 0.3)
        for n, (place, centre) in enumerate(zip(self.names, way, strict=True)):
            field = Box.at(centre, side * 0.92)
            canvas.rect(field, SHADES[n % 2], LINE, 3, radius=10)
            canvas.text((field.left + 8, field.top + 20), place, LABEL, INK, "lm", under=True)

    def text(self, signs: Mapping[str, str]) -> list[str]:
        """Return the track in lines of ten fields."""
        fields = [f"{name}:{signs.get(name, EMPTY)}" for name in self.names]
        return ["  ".join(line) for line in _lines(fields, 10)]

    def _layout(self, box: Box) -> tuple[int, float, float, float]:
        """Return the fields per line, the side of a field, and the left and upper edges of all
        fields.
        """
        count = len(self.names)
        across = max(1, ceil(sqrt(count * box.width / box.height)))
        lines = ceil(count / across)
        side = min(box.width / across, box.height / lines)
        x, y = box.centre
        return across, side, x - side * across / 2, y - side * lines / 2
