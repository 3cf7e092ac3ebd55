"""Simple hieroglyphs, carved into the squares tone in tone: each zone has its own."""

from __future__ import annotations

from PIL import Image

from games.isis.board import LANES, column, row
from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import placed, trace
from render.theme import Colour

Strokes = tuple[str, ...]
"""Lines in a square of 100 by 100."""

_RIPPLE = "M 6 {0} L 17 {1} L 28 {0} L 39 {1} L 50 {0} L 61 {1} L 72 {0} L 83 {1} L 94 {0}"

GLYPHS: dict[str, Strokes] = {
    "water": tuple(_RIPPLE.format(y + 8, y - 6) for y in (26, 50, 74)),
    "reed": (
        "M 44 96 L 47 30",
        "M 46 62 C 34 44 40 18 60 4 C 70 26 66 50 46 62",
        "M 28 96 H 72",
    ),
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
    "ankh": (
        "M 50 50 C 22 34 26 4 50 4 C 74 4 78 34 50 50",
        "M 50 50 L 50 96",
        "M 20 54 H 80",
    ),
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
    "legs": (
        "M 46 6 L 26 58 L 36 90 L 20 92",
        "M 52 6 L 66 52 L 62 92 L 84 92",
    ),
    "wick": (
        "M 50 6 C 70 20 30 26 50 38 C 70 50 30 56 50 68 C 60 76 60 86 64 96",
        "M 50 6 C 30 20 70 26 50 38 C 30 50 70 56 50 68 C 40 76 40 86 36 96",
    ),
    "bread": ("M 16 78 C 16 20 84 20 84 78 H 16", "M 34 62 C 40 50 60 50 66 62"),
}

_BANK = ("reed", "water", "lotus", "viper")
_EARTH = ("ankh", "sun", "feather", "eye", "legs", "horizon", "wick", "bread")


def glyph_of(square: int) -> str:
    """The sign of a square on earth."""
    if square in LANES[0] + LANES[1]:
        return _BANK[(column(square) + row(square)) % len(_BANK)]
    return _EARTH[(3 * row(square) + column(square)) % len(_EARTH)]


@cached
def carved(name: str, size: int, colour: Colour, light: Colour) -> Sprite:
    """A sign as if it were cut into its ground: dark, and bright along its lower right edge."""
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
