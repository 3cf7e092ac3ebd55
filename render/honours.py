"""Honours in pictures: parchment sheets on a table, cups, and the podium."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from render.cache import cached
from render.canvas import Canvas, Sprite, write_lines
from render.emblems import GAME_COLOURS, NIGHT
from render.geometry import Box, arc, regular, trace
from render.laurel import METALS, rank_medal
from render.letters import LEADING, set_in_box
from render.light import raised, relief
from render.plates import PAPER
from render.theme import INK, LIGHT, Palette, Type, mix

_TONES = (
    *GAME_COLOURS.values(),
    *(mix(colour, LIGHT, 0.5) for colour in GAME_COLOURS.values()),
    NIGHT,
    *(mix(metal, end, share / 4) for metal in METALS for end in (LIGHT, INK) for share in range(4)),
    *(mix(PAPER.material.dark, PAPER.material.light, share / 4) for share in range(5)),
)
PALETTE = Palette((*Palette.of("lancelot-end").colours, *_TONES))
"""The colours of the picture at the end of a Lancelot match (wood, gold, shields), and those of the
games' emblems, metals and parchment.
"""

_CUP = (
    "M -0.64 -0.8 C -0.64 -0.1 -0.4 0.2 -0.11 0.28 V 0.5 C -0.11 0.62 -0.3 0.66 -0.4 0.7 V 0.8"
    " H -0.54 V 0.96 H 0.54 V 0.8 H 0.4 V 0.7 C 0.3 0.66 0.11 0.62 0.11 0.5 V 0.28"
    " C 0.4 0.2 0.64 -0.1 0.64 -0.8 Z"
)
_SHINE = "M -0.48 -0.62 C -0.47 -0.2 -0.36 0 -0.22 0.1 C -0.3 -0.1 -0.34 -0.36 -0.34 -0.6 Z"


@cached
def cup(place: int, size: int) -> Sprite:
    """Return a cup of gold, silver or bronze.

    :param place: 1..3.
    :param size: height and width, without the shadow.
    """
    metal, half = METALS[place - 1], size / 2
    fine, (x, y) = max(1.5, size / 50), (half, half)
    edge, body, canvas = (Canvas(size, size) for _ in range(3))
    for side in (-1, 1):
        handle = arc((half + side * half * 0.6, half * 0.66), half * 0.29, 0, side * 0.5)
        edge.line(handle, INK, size / 18 + 2 * fine)
        body.line(handle, metal, size / 18)
    body.path(trace(_CUP), metal, centre=(x, y), scale=half)
    canvas.stamp(edge.sprite(), (x, y))
    # Only the body is in relief; the edge below it stays dark.
    canvas.stamp(relief(body.sprite(), size / 26, 0.8), (x, y))
    canvas.path(trace(_CUP), None, INK, fine, centre=(x, y), scale=half)
    canvas.path(trace(_SHINE), mix(metal, LIGHT, 0.6), centre=(x, y), scale=half)
    canvas.circle((x, y + half * 0.4), half * 0.17, mix(metal, INK, 0.12), INK, fine)
    mouth = [(x + dx * half * 0.64, y + half * (dy * 0.13 - 0.8)) for dx, dy in regular(40)]
    canvas.polygon(mouth, mix(metal, INK, 0.55), INK, fine)
    return raised(canvas.sprite(), size / 24)


def parchment_sheet(canvas: Canvas, box: Box) -> None:
    """Draw a sheet of parchment that lies on the table."""
    canvas.shadow(box, 8, radius=14)
    canvas.cover(box, PAPER.material, radius=14)
    canvas.rect(box, None, PAPER.line, 2, radius=14)


# ----------------------------------------------------------------------------- podium
STEPS = (1.0, 0.89, 0.78)
"""Height of the step for each place, as a share of the highest."""
CUPS = (1.0, 0.84, 0.74)
"""Size of the cup on each step, as a share of the largest."""
ORDER = {1: (0,), 2: (1, 0), 3: (1, 0, 2)}
"""The column of each step, from the best place down, by the number of steps."""
WIDEST, STEP_GAP = {1: 620, 2: 500, 3: 440}, 8
"""Maximum width of a step by the number of steps, and the gap between two steps."""
FEW = 2
"""If there is only one step and it has more names than this, it is wider and has two columns of
names.
"""
LEDGE = 22
"""Height of the upper face of a step, on which the cup stands."""
PAD = 16
MEDAL, MEDAL_BESIDE = 132, 76
"""Size of the medal on a step, alone and beside a figure."""
NAMES = tuple(Type("strong", size) for size in (68, 60, 52, 44, 38, 32, 28))
FIGURE = Type("strong", 44)


@dataclass(frozen=True, slots=True)
class Stand:
    """A step of the podium.

    :param place: 1..3.
    :param names: the names of those who share it, as printed.
    :param figure: a number next to the medal, such as a rating.
    """

    place: int
    names: tuple[str, ...]
    figure: str = ""


def draw_podium(
    canvas: Canvas, area: Box, stands: Sequence[Stand], size: int, foot: float = PAD
) -> list[Box]:
    """Draw steps of gold, silver and bronze with cups on them: second place to the left of the
    first, third place to its right.

    :param stands: one to three, best first.
    :param size: the size of the gold cup.
    :param foot: how much to leave free at the lower end of each step.
    :returns: the front of each step.
    """
    alone = len(stands) == 1 and len(stands[0].names) > FEW
    widest = WIDEST[len(stands)] + (WIDEST[3] if alone else 0)
    width = min(widest, (area.width - STEP_GAP * (len(stands) - 1)) / len(stands))
    left = area.centre[0] - (width * len(stands) + STEP_GAP * (len(stands) - 1)) / 2
    highest, fronts = area.height - size - LEDGE / 2, []
    for stand, column in zip(stands, ORDER[len(stands)], strict=True):
        x = left + column * (width + STEP_GAP)
        top = area.bottom - round(highest * STEPS[stand.place - 1])
        fronts.append(Box(round(x), top, round(x + width), area.bottom))
        _draw_step(canvas, fronts[-1], stand, foot)
        tall = round(size * CUPS[stand.place - 1])
        canvas.stamp(cup(stand.place, tall), (x + width / 2, top - LEDGE / 2 - tall * 0.46))
    return fronts


def _draw_step(canvas: Canvas, box: Box, stand: Stand, foot: float) -> None:
    """Draw a block of metal with the medal and the names on its front."""
    metal, block = METALS[stand.place - 1], Canvas(round(box.width), round(box.height))
    block.rect(block.box, metal)
    canvas.stamp(raised(relief(block.sprite(), 4, 0.8), 6), box.centre)
    back = box.top - LEDGE
    ledge = [(box.left, box.top), (box.left + 2 * LEDGE, back), (box.right - 2 * LEDGE, back)]
    canvas.polygon([*ledge, (box.right, box.top)], mix(metal, LIGHT, 0.5), mix(metal, INK, 0.5), 2)
    (x, _), medal = box.centre, MEDAL_BESIDE if stand.figure else MEDAL
    middle = box.top + PAD + medal / 2
    if stand.figure:
        canvas.stamp(
            rank_medal(stand.place, medal, on_metal=True),
            (box.left + 1.5 * PAD + medal / 2, middle),
        )
        canvas.text((box.right - 2 * PAD, middle), stand.figure, FIGURE, anchor="rm")
    else:
        canvas.stamp(rank_medal(stand.place, medal, on_metal=True), (x, middle))
    edge = middle + medal / 2 + 4
    room = Box(box.left + 1.5 * PAD, edge, box.right - 1.5 * PAD, box.bottom - foot - 8)
    columns = 2 if box.width > WIDEST[1] else 1
    rows = room.rows(ceil(len(stand.names) / columns))
    cells = [cell for row in rows for cell in row.columns(columns)][: len(stand.names)]
    if len(stand.names) > 1:
        cells = [cell.inset(0, 3) for cell in cells]
    size = min(_size(name, cell) for name, cell in zip(stand.names, cells, strict=True))
    kinds = [kind for kind in NAMES if kind.size <= size]
    for cell, name in zip(cells, stand.names, strict=True):
        write_lines(canvas, cell.centre, name, kinds, (cell.width, cell.height))


def _size(name: str, cell: Box) -> int:
    """Return the size of the largest type in which a name fits into a cell."""
    kinds = [kind for kind in NAMES if kind.size * LEADING <= cell.height] or NAMES[-1:]
    return set_in_box(name, kinds, cell.width, cell.height)[1].size
