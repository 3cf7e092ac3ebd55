"""What tells of honours in pictures: sheets of parchment on a table, cups, and podiums' colours."""

from __future__ import annotations

from functools import lru_cache

from render.canvas import Canvas, Sprite
from render.geometry import Box, arc, trace
from render.light import raised, relief
from render.plates import PAPER
from render.theme import INK, LIGHT, Colour, Palette, mix

GOLDEN: Colour = "#E0B64C"
SILVER: Colour = "#C4CAD2"
BRONZE: Colour = "#C88A55"
METALS: tuple[Colour, ...] = (GOLDEN, SILVER, BRONZE)
"""By place, from the first."""

_TONES = (
    *(mix(metal, end, share / 4) for metal in METALS for end in (LIGHT, INK) for share in range(4)),
    *(mix(PAPER.material.dark, PAPER.material.light, share / 4) for share in range(5)),
)
PALETTE = Palette((*Palette.of("lancelot-end").colours, *_TONES))
"""The colours of wood, gold and shields, as at the end of a match at that table, and of metals and
parchment.
"""

_BOWL = trace(
    "M -0.62 -0.95 H 0.62 C 0.62 -0.1 0.4 0.22 0.12 0.32 V 0.62 H 0.42 V 0.92 H -0.42 V 0.62"
    " H -0.12 V 0.32 C -0.4 0.22 -0.62 -0.1 -0.62 -0.95 Z"
)


@lru_cache(maxsize=16)
def cup(place: int, size: int) -> Sprite:
    """A cup of gold, silver or bronze.

    :param place: 1..3.
    :param size: height and width.
    """
    metal, half = METALS[place - 1], size / 2
    canvas = Canvas(size, size)
    for side in (-1, 1):
        handle = arc((half + side * half * 0.6, half * 0.62), half * 0.3, 0, side * 0.5)
        canvas.line(handle, INK, size / 11)
        canvas.line(handle, metal, size / 18)
    canvas.path(_BOWL, metal, INK, max(1.5, size / 40), centre=(half, half), scale=half)
    return raised(relief(canvas.sprite(), size / 26, 0.8), size / 24)


def sheet(canvas: Canvas, box: Box) -> None:
    """A sheet of parchment that lies on the table."""
    canvas.shadow(box, 8, radius=14)
    canvas.cover(box, PAPER.material, radius=14)
    canvas.rect(box, None, PAPER.line, 2, radius=14)
