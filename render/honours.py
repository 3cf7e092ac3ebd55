"""Honours in pictures: parchment sheets on a table, cups, and the podium."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.geometry import Box, arc, trace
from render.laurel import METALS, rank_medal
from render.letters import lines_of, text_width
from render.light import raised, relief
from render.plates import PAPER
from render.theme import INK, LIGHT, Palette, Type, mix

_TONES = (
    *(mix(metal, end, share / 4) for metal in METALS for end in (LIGHT, INK) for share in range(4)),
    *(mix(PAPER.material.dark, PAPER.material.light, share / 4) for share in range(5)),
)
PALETTE = Palette((*Palette.of("lancelot-end").colours, *_TONES))
"""The colours of the picture at the end of a Lancelot match (wood, gold, shields), plus those of
metals and parchment.
"""

_BOWL = trace(
    "M -0.62 -0.95 H 0.62 C 0.62 -0.1 0.4 0.22 0.12 0.32 V 0.62 H 0.42 V 0.92 H -0.42 V 0.62"
    " H -0.12 V 0.32 C -0.4 0.22 -0.62 -0.1 -0.62 -0.95 Z"
)


@cached
def cup(place: int, size: int) -> Sprite:
    """Return a cup of gold, silver or bronze.

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


def parchment_sheet(canvas: Canvas, box: Box) -> None:
    """Draw a sheet of parchment that lies on the table."""
    canvas.shadow(box, 8, radius=14)
    canvas.cover(box, PAPER.material, radius=14)
    canvas.rect(box, None, PAPER.line, 2, radius=14)


# ----------------------------------------------------------------------------- podium
STEPS = (1.0, 0.8, 0.62)
"""Height of each place's step, as a share of the highest."""
STEP_GAP = 8
WINNER = 180
"""Height of the shield on the highest step; this and the following lengths are at scale 1."""
MEDALS = (112, 108, 100)
NAME_SIZE, CUP_SIZE = 28, 64
NAME_LINES = 3
"""Number of lines of a name that has a step to itself."""


@dataclass(frozen=True, slots=True)
class Stand:
    """A step of the podium.

    :param place: 1..3.
    :param names: the names of the people who share it, as printed.
    """

    place: int
    names: tuple[str, ...]


def draw_podium(canvas: Canvas, area: Box, stands: Sequence[Stand], scale: float) -> None:
    """Draw steps of gold, silver and bronze with shields on them: first place in the middle, second
    place on its left.

    :param stands: at most three, the best first.
    """
    width = (area.width - 2 * STEP_GAP) / 3
    highest = area.height - WINNER * scale
    for stand, column in zip(stands, (1, 0, 2), strict=False):
        x, rank = area.left + width / 2 + column * (width + STEP_GAP), stand.place - 1
        top = area.bottom - round(highest * STEPS[rank])
        _draw_step(canvas, Box(x - width / 2, top, x + width / 2, area.bottom), stand, scale)
        size = round(min(MEDALS[rank] * scale, width / (1.05 * len(stand.names))))
        middle = top - size / 2 - 10 * scale
        for n in range(len(stand.names)):
            at = x + (n - (len(stand.names) - 1) / 2) * size * 1.05, middle
            canvas.stamp(raised(rank_medal(stand.place, size), size / 18), at)
        if rank == 0:
            above = x, middle - size / 2 - CUP_SIZE * scale * 0.42
            canvas.stamp(cup(stand.place, round(CUP_SIZE * scale)), above)


def _draw_step(canvas: Canvas, box: Box, stand: Stand, scale: float) -> None:
    """Draw a block of metal with names; the medal above it bears the number."""
    block = Canvas(round(box.width), round(box.height))
    block.rect(block.box, METALS[stand.place - 1])
    canvas.stamp(raised(relief(block.sprite(), 4, 0.8), 6), box.centre)
    size = max(28, round(NAME_SIZE * scale / (1 if len(stand.names) == 1 else 1.2)))
    kinds = Type("strong", size), Type("strong", max(28, round(size * 0.75)))
    x, y, leading = box.centre[0], box.top + 14 * scale + size / 2, size * 1.25
    wide = box.width - 14
    lines = list(stand.names)
    if len(lines) == 1 and text_width(lines[0], kinds[-1]) > wide:
        lines = lines_of(lines[0], wide, NAME_LINES, kinds[-1])
    fits = [kind for kind in kinds if max(text_width(line, kind) for line in lines) <= wide]
    for n, line in enumerate(lines):
        write(canvas, (x, y + n * leading), line, (fits or kinds[-1:])[:1], wide)
