"""Line drawings: the amulets on the printed sides of the stones, and simple hieroglyphs that look
carved into the squares.
"""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from games.isis.board import LANES, column, row
from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Point, placed, trace
from render.theme import Colour


# ----------------------------------------------------------------------------------------- amulets
@dataclass(frozen=True, slots=True)
class Amulet:
    """A design in a square of 100 by 100.

    :param shapes: filled outlines; where two outlines of one path overlap, there is a hole.
    :param strokes: lines with their widths.
    :param cuts: lines that are cut out of the shapes.
    """

    shapes: tuple[str, ...] = ()
    strokes: tuple[tuple[str, float], ...] = ()
    cuts: tuple[tuple[str, float], ...] = ()


AMULET_SHAPES = {
    "ankh": Amulet(
        shapes=(
            (
                "M 50 54 C 22 36 24 2 50 2 C 76 2 78 36 50 54 Z"
                " M 50 40 C 37 30 36 14 50 14 C 64 14 63 30 50 40 Z"
            ),
            "M 12 45 L 46 49 H 54 L 88 45 V 63 L 54 59 H 46 L 12 63 Z",
            "M 45 50 H 55 L 60 98 H 40 Z",
        )
    ),
    "was": Amulet(
        shapes=(
            (
                "M 20 22 C 28 12 40 8 52 8 L 70 0 L 66 12 C 74 16 82 22 84 30 L 66 26 L 58 30"
                " L 48 26 L 26 32 Z"
            ),
        ),
        strokes=(("M 55 24 L 50 84", 10), ("M 50 80 L 36 96", 9), ("M 50 80 L 64 96", 9)),
    ),
    "djed": Amulet(
        shapes=(
            "M 22 4 H 78 V 13 H 22 Z",
            "M 18 19 H 82 V 28 H 18 Z",
            "M 18 34 H 82 V 43 H 18 Z",
            "M 22 49 H 78 V 58 H 22 Z",
            "M 38 4 H 62 V 60 L 70 98 H 30 L 38 60 Z",
        )
    ),
    "scarab": Amulet(
        shapes=(
            "M 50 34 C 80 34 80 98 50 98 C 20 98 20 34 50 34 Z",
            "M 28 32 C 30 16 40 14 50 14 C 60 14 70 16 72 32 C 60 26 40 26 28 32 Z",
            "M 36 14 C 38 2 62 2 64 14 C 56 10 44 10 36 14 Z",
        ),
        strokes=(
            ("M 30 40 L 10 30 L 8 12", 6),
            ("M 70 40 L 90 30 L 92 12", 6),
            ("M 27 60 L 6 58", 6),
            ("M 73 60 L 94 58", 6),
            ("M 30 78 L 10 90", 6),
            ("M 70 78 L 90 90", 6),
        ),
        cuts=(("M 50 50 L 50 98", 5), ("M 26 50 L 74 50", 5)),
    ),
    "papyrus": Amulet(
        shapes=(
            "M 8 12 C 30 2 70 2 92 12 C 82 32 64 40 60 58 H 40 C 36 40 18 32 8 12 Z",
            "M 43 62 H 57 L 60 98 H 40 Z",
        ),
        strokes=(("M 50 96 C 40 86 32 82 24 66", 7), ("M 50 96 C 60 86 68 82 76 66", 7)),
        cuts=(("M 50 12 L 50 56", 4), ("M 28 14 L 45 56", 4), ("M 72 14 L 55 56", 4)),
    ),
    "udjat": Amulet(
        shapes=(
            (
                "M 8 48 C 24 26 66 24 94 46 C 70 66 28 68 8 48 Z"
                " M 22 48 C 36 38 62 36 78 47 C 62 57 38 58 22 48 Z"
            ),
            "M 50 37 C 62 37 62 57 50 57 C 38 57 38 37 50 37 Z",
        ),
        strokes=(
            ("M 6 30 C 26 10 70 8 96 28", 9),
            ("M 40 62 L 36 94", 8),
            ("M 56 62 C 62 84 88 92 90 78 C 91 70 80 68 79 77", 7),
        ),
    ),
    "tyet": Amulet(
        shapes=(
            (
                "M 50 42 C 24 30 26 2 50 2 C 74 2 76 30 50 42 Z"
                " M 50 31 C 38 24 38 13 50 13 C 62 13 62 24 50 31 Z"
            ),
            "M 36 40 H 64 V 51 H 36 Z",
            "M 44 50 H 56 L 64 98 H 36 Z",
        ),
        strokes=(("M 42 46 C 22 44 18 60 20 88", 11), ("M 58 46 C 78 44 82 60 80 88", 11)),
    ),
}


def draw_amulet(
    canvas: Canvas, name: str, centre: Point, size: float, colour: Colour, ground: Colour
) -> None:
    """Draw an amulet, ``size`` wide and high."""
    design = AMULET_SHAPES[name]
    scale = size / 100
    corner = centre[0] - size / 2, centre[1] - size / 2

    def lines(strokes: tuple[tuple[str, float], ...], ink: Colour) -> None:
        for path, width in strokes:
            for points in trace(path):
                canvas.line(placed(points, corner, scale), ink, width * scale)

    for path in design.shapes:
        canvas.path(trace(path), colour, centre=corner, scale=scale)
    lines(design.strokes, colour)
    lines(design.cuts, ground)


# ------------------------------------------------------------------------------------- hieroglyphs
Strokes = tuple[str, ...]
"""Lines in a square of 100 by 100."""

_RIPPLE = "M 6 {0} L 17 {1} L 28 {0} L 39 {1} L 50 {0} L 61 {1} L 72 {0} L 83 {1} L 94 {0}"

GLYPHS: dict[str, Strokes] = {
    "water": tuple(_RIPPLE.format(y + 8, y - 6) for y in (26, 50, 74)),
    "reed": ("M 44 96 L 47 30", "M 46 62 C 34 44 40 18 60 4 C 70 26 66 50 46 62", "M 28 96 H 72"),
    "lotus": (
        "M 50 96 C 50 80 50 66 50 56",
        "M 50 56 C 28 54 14 40 12 18 C 28 22 40 36 50 56 C 60 36 72 22 88 18 C 86 40 72 54 50 56",
        "M 50 56 C 36 36 40 18 50 6 C 60 18 64 36 50 56",
    ),
    "viper": (
        "M 4 66 C 20 48 34 48 46 62 C 56 74 68 74 76 60 C 80 50 84 46 94 50",
        "M 80 50 L 74 34",
        "M 87 48 L 88 32",
    ),
    "sun": (
        "M 50 10 C 103 10 103 90 50 90 C -3 90 -3 10 50 10",
        "M 50 43 C 59 43 59 57 50 57 C 41 57 41 43 50 43",
    ),
    "ankh": ("M 50 50 C 22 34 26 4 50 4 C 74 4 78 34 50 50", "M 50 50 L 50 96", "M 20 54 H 80"),
    "eye": (
        "M 6 48 C 24 26 68 24 94 44 C 72 64 30 66 6 48",
        "M 51 36 C 64 36 64 56 51 56 C 38 56 38 36 51 36",
        "M 8 28 C 28 8 70 8 94 24",
        "M 44 62 L 40 92",
        "M 58 60 C 62 82 82 88 86 76",
    ),
    "feather": (
        "M 44 98 L 44 34",
        "M 44 84 C 66 80 72 60 70 38 C 70 14 56 2 42 6 C 34 10 36 22 44 34",
    ),
    "horizon": (
        "M 4 84 C 14 84 20 40 34 40 C 44 40 42 62 50 62 C 58 62 56 40 66 40 C 80 40 86 84 96 84",
        "M 4 84 H 96",
        "M 50 12 C 72 12 72 46 50 46 C 28 46 28 12 50 12",
    ),
    "legs": ("M 46 6 L 26 58 L 36 90 L 20 92", "M 52 6 L 66 52 L 62 92 L 84 92"),
    "wick": (
        "M 50 6 C 70 20 30 26 50 38 C 70 50 30 56 50 68 C 60 76 60 86 64 96",
        "M 50 6 C 30 20 70 26 50 38 C 30 50 70 56 50 68 C 40 76 40 86 36 96",
    ),
    "bread": ("M 16 78 C 16 20 84 20 84 78 H 16", "M 34 62 C 40 50 60 50 66 62"),
}

_BANK = ("reed", "water", "lotus", "viper")
_EARTH = ("ankh", "sun", "feather", "eye", "legs", "horizon", "wick", "bread")


def glyph_of(square: int) -> str:
    """Return the sign of a square on earth."""
    if square in LANES[0] + LANES[1]:
        return _BANK[(column(square) + row(square)) % len(_BANK)]
    return _EARTH[(3 * row(square) + column(square)) % len(_EARTH)]


@cached
def carved(name: str, size: int, colour: Colour, light: Colour) -> Sprite:
    """Return a sign that looks carved into its ground: dark, and bright along its lower right
    edge.
    """
    drawn = Canvas(size + 6, size + 6)
    for path in GLYPHS[name]:
        for points in trace(path):
            drawn.line(placed(points, (3, 3), size / 100), colour, size / 14)
    sign = drawn.sprite()
    edge = Sprite(Image.new("RGB", sign.size, light), sign.mask)
    canvas, (x, y) = Canvas(*sign.size), drawn.box.centre
    canvas.stamp(edge, (x + 1, y + 1))
    canvas.stamp(sign, (x, y))
    return canvas.sprite()
