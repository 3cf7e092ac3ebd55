"""The frame that all pictures of the house share: card, title, name plates and caption.

A painter begins with ``card``, draws its board, a ``Plate`` per seat, and ends with ``caption``::

    canvas = card(896)
    for seat, box in enumerate(column.rows(players, gap=8)):
        room = draw_plate(canvas, box, Plate(seat, names[seat], to_move=seat == turn))
        ...  # the game's own counters go into ``room``
    caption(canvas, (MARGIN, 848), [scene.code, "K4"], 780)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from render.canvas import Canvas, Sprite, fitted
from render.geometry import Box, Outline, Point, regular, star
from render.theme import (
    FAINT,
    GOLD,
    INK,
    LIGHT,
    LINE,
    PANEL,
    PARCHMENT,
    SEATS,
    SOFT,
    WIDTH,
    Colour,
    Shape,
    Type,
    mix,
)

TITLE = Type("title", 40)
NAME = Type("strong", 28)
CAPTION = Type("text", 26)
HEADER = 52
"""Height of the band of a plate that bears the name."""

_HALF = 0.886  # the sides of a square as large as the unit disc are 2 * 0.886
_DIAMOND = sqrt(2) * _HALF
_ARM, _REACH = 0.36, 1.06
_OUTLINES: dict[Shape, Outline] = {
    # The triangle hangs on its middle of gravity, so that it sits well in a circle.
    "triangle": [(x * 1.22, y * 1.22) for x, y in regular(3)],
    "disc": regular(48),
    "square": [(-_HALF, -_HALF), (_HALF, -_HALF), (_HALF, _HALF), (-_HALF, _HALF)],
    "diamond": [(0, -_DIAMOND), (0.9 * _DIAMOND, 0), (0, _DIAMOND), (-0.9 * _DIAMOND, 0)],
    "cross": [
        (-_ARM, -_REACH), (_ARM, -_REACH), (_ARM, -_ARM), (_REACH, -_ARM),
        (_REACH, _ARM), (_ARM, _ARM), (_ARM, _REACH), (-_ARM, _REACH),
        (-_ARM, _ARM), (-_REACH, _ARM), (-_REACH, -_ARM), (-_ARM, -_ARM),
    ],
}  # fmt: skip


def device(canvas: Canvas, seat: int, centre: Point, size: float, colour: Colour) -> None:
    """The shape of a seat, about ``size`` high; all shapes look equally heavy."""
    canvas.path([_OUTLINES[SEATS[seat].shape]], colour, centre=centre, scale=size / 2)


@lru_cache(maxsize=256)
def token(seat: int, size: int) -> Sprite:
    """A round shield in the seat's colour that bears its device; ``size`` across."""
    style = SEATS[seat]
    canvas = Canvas(size, size)
    centre, radius = (size / 2, size / 2), size / 2
    rim = max(2.0, size / 24)
    canvas.circle(centre, radius, INK)
    canvas.circle(centre, radius - rim, mix(style.colour, INK, 0.22))
    canvas.circle(centre, radius - 2.4 * rim, style.colour)
    device(canvas, seat, centre, size * 0.46, style.device)
    return canvas.sprite()


def card(height: int) -> Canvas:
    """An empty picture: a rounded card of parchment on a mat, so that it rests on any theme."""
    canvas = Canvas(WIDTH, height, PANEL)
    canvas.rect(canvas.box.inset(8), PARCHMENT, LINE, 2, radius=20)
    return canvas


def title(canvas: Canvas, box: Box, text: str) -> None:
    """The name of the game in capitals, between two fine lines, filling ``box``."""
    x, y = box.centre
    half = canvas.text((x, y), text.upper(), TITLE).width / 2 + 16
    if half < box.width / 2:
        for left, right in ((box.left, x - half), (x + half, box.right)):
            canvas.line([(left, y), (right, y)], LINE, 2)


def caption(canvas: Canvas, at: Point, parts: Sequence[str], width: float) -> None:
    """The quiet line below the board: its parts divided by points, the first one in faint ink."""
    x, y = at
    head, *rest = [part for part in parts if part]
    x = canvas.text((x, y), head, CAPTION, FAINT, "lm").right
    room = at[0] + width - x
    if rest:
        line = fitted("  ·  " + "  ·  ".join(rest), CAPTION, room)
        canvas.text((x + 14, y), line.lstrip(), CAPTION, SOFT, "lm")


@dataclass(frozen=True, slots=True)
class Plate:
    """The name plate of a seat.

    :param name: as ``printed_names`` gives it.
    :param to_move: the seat owes a decision: its band shows its colour and points to the board.
    :param computer: it is a computer player: a cogwheel behind the name.
    :param winner: it has won: a star behind the name.
    """

    seat: int
    name: str
    to_move: bool = False
    computer: bool = False
    winner: bool = False


def draw_plate(canvas: Canvas, box: Box, plate: Plate) -> Box:
    """Draw a plate and return the room below its name, for the counters of the game."""
    style = SEATS[plate.seat]
    strong = plate.to_move or plate.winner
    if strong:
        canvas.halo(box, style.colour, radius=12, reach=9)
    canvas.rect(box, LIGHT, INK if strong else LINE, 3 if strong else 2, radius=12)
    band = Box(box.left, box.top, box.right, box.top + HEADER)
    ground, ink = (style.colour, style.device) if strong else (PANEL, INK)
    _band(canvas, band, ground, INK if strong else LINE, 3 if strong else 2)
    canvas.stamp(token(plate.seat, 40), (box.left + 30, band.centre[1]))
    right = box.right - 16
    for wanted, outline in ((plate.winner, star(5)), (plate.computer, _COG)):
        if wanted:
            canvas.path(
                [outline, *_HUB] if outline is _COG else [outline],
                ink if outline is _COG else GOLD,
                centre=(right - 13, band.centre[1]),
                scale=13,
            )
            right -= 36
    left = box.left + 60
    canvas.text((left, band.centre[1]), fitted(plate.name, NAME, right - left), NAME, ink, "lm")
    return Box(box.left + 16, band.bottom + 8, box.right - 16, box.bottom - 8)


def _band(canvas: Canvas, band: Box, fill: Colour, edge: Colour, width: float) -> None:
    canvas.rect(band, fill, edge, width, radius=12)
    lower = Box(band.left, band.bottom - 14, band.right, band.bottom)
    canvas.rect(Box(lower.left + width, lower.top, lower.right - width, lower.bottom), fill)
    for x in (lower.left, lower.right - width):
        canvas.rect(Box(x, lower.top, x + width, lower.bottom), edge)
    canvas.rect(Box(lower.left, lower.bottom - width, lower.right, lower.bottom), edge)


def _cog(teeth: int = 8) -> list[Point]:
    inner, outer = regular(4 * teeth), regular(4 * teeth)
    return [
        (outer[k] if k % 4 in (0, 3) else (inner[k][0] * 0.74, inner[k][1] * 0.74))
        for k in range(4 * teeth)
    ]


_COG: Outline = _cog()
_HUB: list[Outline] = [[(x * 0.32, y * 0.32) for x, y in regular(24)]]
