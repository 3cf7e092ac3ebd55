"""The parts of Lancelot's table that never change during a match: the oak and the woven field; and
the geometry of its squares and lines.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from games.lancelot.field import Field, field_for
from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box, Point, trace
from render.lancelot.pieces import THREAD
from render.materials import Material
from render.plates import OAK, Livery, card, title
from render.scene import Scene
from render.theme import MARGIN, WIDTH, Colour, Type

RIM = 44
"""Width of the hem around the squares, on which coordinates and pennants are shown."""
CROWN = 98
"""Height of the hem above the squares; this part also holds the title."""
EDGE = 5
"""Distance between the hem and the edge of the picture."""
FIELD = 1092
"""Side of the largest field: 14 squares of 78 pixels."""


@dataclass(frozen=True)
class FieldGeometry:
    """The layout of the field for a number of players.

    :param diagonals: whether diagonals count as lines, too.
    """

    players: int
    diagonals: bool

    @classmethod
    def of(cls, scene: Scene) -> FieldGeometry:
        """Return the geometry for a scene."""
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
        return FIELD // self.size

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
        return Box.at((WIDTH / 2, EDGE + CROWN + FIELD / 2), self.cell * self.size)

    @property
    def hem(self) -> Box:
        """The cloth: the squares and the hem around them, almost as wide as the picture."""
        below = EDGE + CROWN + FIELD + RIM
        return Box(EDGE, EDGE, WIDTH - EDGE, below)

    def square(self, number: int) -> Box:
        """Return a square by its number."""
        row, column = divmod(number, self.size)
        left, bottom = self.box.left + column * self.cell, self.box.bottom - row * self.cell
        return Box(left, bottom - self.cell, left + self.cell, bottom)

    def named(self, name: str) -> Box:
        """Return a square by its name."""
        return self.square(self.lines.index[name])

    def centre(self, name: str) -> Point:
        """Return the centre of a square by its name."""
        return self.named(name).centre

    def squares(self, kind: str, name: str) -> list[str]:
        """Return the squares of a line; lines have the names that facts give them: ``K``, ``7`` or
        ``D4-K11``.
        """
        numbers = self.lines.squares_of[self.lines.labels.index((kind, name))]
        return [self.lines.names[number] for number in numbers]

    def line(self, kind: str, name: str) -> tuple[Point, Point]:
        """Return the ends of a line; see ``squares`` for its name."""
        first, *_, last = self.squares(kind, name)
        return self.centre(first), self.centre(last)

    def lane(self, kind: str, name: str) -> Box | None:
        """Return the box of a column or row; None for a diagonal."""
        if kind == "diagonal":
            return None
        squares = self.lines.squares_of[self.lines.labels.index((kind, name))]
        first, last = self.square(squares[0]), self.square(squares[-1])
        return Box(first.left, last.top, last.right, first.bottom)


# ----------------------------------------------------------------------------------- cloth and oak
HEIGHT = 1504
STRIP = Box(18, 1260, WIDTH - 18, 1448)
"""The strip of the plates, below the field."""
CAPTION = Box(MARGIN, 1452, WIDTH - MARGIN, 1492)
COORDINATE = Type("strong", 28)

# -- the colours of the cloth
LINEN = Material("twill", "#EADAB0", "#F1E4C2")
STRAW = Material("twill", "#CFB277", "#D8BD85")
BURGUNDY = Material("twill", "#561724", "#6C1F2F")
LIVERY = Livery(BURGUNDY, THREAD, Material("linen", "#F6ECD2", "#F6ECD2"), "#B08A3C")
DULL: Colour = "#B08A3C"
EMBROIDERY: Colour = "#BD9C59"
SEAM: Colour = "#A98B4F"

_LILY = trace(
    "M 50 8 C 62 24 66 38 58 54 L 56 60 C 62 44 78 36 88 46 C 96 54 90 68 78 66 "
    "C 84 62 82 54 76 54 C 68 54 64 62 62 68 L 68 68 V 75 H 58 C 60 82 64 86 66 90 "
    "C 58 90 53 88 50 94 C 47 88 42 90 34 90 C 36 86 40 82 42 75 H 32 V 68 L 38 68 "
    "C 36 62 32 54 24 54 C 18 54 16 62 22 66 C 10 68 4 54 12 46 C 22 36 38 44 44 60 "
    "L 42 54 C 34 38 38 24 50 8 Z"
)


@cached
def ground(players: int) -> Canvas:
    """Return everything that looks the same in all matches with this many players, with or without
    diagonals.
    """
    field = FieldGeometry(players, diagonals=False)
    canvas = card(HEIGHT, OAK)
    _hem(canvas, field)
    heading = Box(EDGE + 60, EDGE + 6, WIDTH - EDGE - 60, EDGE + 50)
    title(canvas, heading, "Lancelot", OAK)
    _squares(canvas, field)
    _coordinates(canvas, field)
    return canvas


def _hem(canvas: Canvas, field: FieldGeometry) -> None:
    """Draw the border of the cloth: burgundy, with a seam of gold thread and lilies in the
    corners.
    """
    hem = field.hem
    canvas.shadow(hem, 8, radius=14, opacity=0.75)
    canvas.cover(hem, BURGUNDY, radius=14)
    canvas.rect(hem.inset(1), None, "#3A0E17", 2, radius=14)
    edge = hem.inset(2)
    for y in (edge.top, edge.bottom):
        canvas.dashes([(edge.left + 4, y), (edge.right - 8, y)], THREAD, 2, dash=7)
    for x in (edge.left, edge.right):
        canvas.dashes([(x, edge.top + 4), (x, edge.bottom - 8)], THREAD, 2, dash=7)
    for x in (hem.left + RIM / 2 + 1, hem.right - RIM / 2 - 1):
        for y in (hem.top + RIM / 2 + 1, hem.bottom - RIM / 2 - 1):
            canvas.stamp(lily(26, THREAD), (x, y))


def _squares(canvas: Canvas, field: FieldGeometry) -> None:
    """Draw alternating squares of linen and straw; every straw square has a lily in a slightly
    different tone.
    """
    box = field.box
    canvas.rect(box.inset(-4), THREAD, radius=2)
    canvas.rect(box.inset(-1.5), "#3A0E17")
    block = _four_squares(field.cell)
    for row in range(0, field.size, 2):
        for column in range(0, field.size, 2):
            corner = box.left + column * field.cell, box.top + row * field.cell
            canvas.inlay(block, block.box.moved(*corner), block.box.moved(*corner))
    canvas.sink(box, 4, opacity=0.3)


def _four_squares(cell: int) -> Canvas:
    """Return the part of the field that repeats: two squares of linen and two of straw, with their
    seams.
    """
    canvas = Canvas(2 * cell, 2 * cell, LINEN.light)
    for n, (x, y) in enumerate(((0, 0), (cell, 0), (cell, cell), (0, cell))):
        square = Box(x, y, x + cell, y + cell)
        canvas.cover(square, STRAW if n % 2 else LINEN)
        if n % 2:
            canvas.stamp(lily(round(cell * 0.5), EMBROIDERY), square.centre)
    for at in (0, cell, 2 * cell):
        canvas.rect(Box(at - 1, 0, at + 1, 2 * cell), SEAM, opacity=0.55)
        canvas.rect(Box(0, at - 1, 2 * cell, at + 1), SEAM, opacity=0.55)
    return canvas


def _coordinates(canvas: Canvas, field: FieldGeometry) -> None:
    """Draw the letters below and the numbers on the left, embroidered on the hem."""
    names, middle = field.lines.names, RIM / 2
    for n in range(field.size):
        x, _ = field.square(n).centre
        _, y = field.square(n * field.size).centre
        letter, number = names[n][0], names[n * field.size][1:]
        canvas.text((x, field.box.bottom + middle), letter, COORDINATE, THREAD)
        canvas.text((field.box.left - middle - 2, y), number, COORDINATE, THREAD)


@cached
def lily(size: int, colour: Colour) -> Sprite:
    """Return a heraldic lily."""
    canvas = Canvas(size, size)
    canvas.path(_LILY, colour, scale=size / 100)
    return canvas.sprite()
