"""The board itself: what never changes during a match."""

from __future__ import annotations

from games.isis.board import EXITS, HEAVEN, LANES, SQUARES, THRONES, UNDERWORLD
from render.canvas import Canvas, layer
from render.geometry import Box, star, trace
from render.isis.look import (
    BOARD,
    DUSK_LINE,
    FAINT_STAR,
    HEADER,
    HEIGHT,
    NIGHT,
    NIGHT_DEEP,
    NIGHT_WAVE,
    NUMBER,
    SAND_LINE,
    STAR,
    cell,
    door,
    ground_of,
    ink_of,
    number_at,
    stand,
)
from render.plates import card, title
from render.theme import GOLD, INK, LIGHT

WALL = 7
"""Thickness of a wall that no one passes."""
DOOR = 34
"""Width of an opening in it."""

THRONE = trace("M -1 -1 H -0.5 V 0.1 H 0.35 V 0.45 H 1 V 1 H -1 Z")
"""The sign of Isis: a seat with a high back, seen from the side."""

HULL = trace(
    "M -236 -52 C -214 -46 -210 -2 -188 14 C -150 30 150 30 188 14 C 210 -2 214 -46 236 -52"
    " C 232 -12 222 24 196 40 C 150 60 -150 60 -196 40 C -222 24 -232 -12 -236 -52 Z"
)
"""The boat on which the sun passes the night, and with it the stones."""


@layer
def ground() -> Canvas:
    """The card with the board, without any stone."""
    canvas = card(HEIGHT)
    title(canvas, Box(HEADER.left, HEADER.top, HEADER.left + 220, HEADER.bottom), "Isis")
    for inset, colour in ((7, INK), (4, GOLD), (2, INK)):
        canvas.rect(BOARD.inset(-inset), colour, radius=inset + 1)
    _underworld(canvas)
    for square in SQUARES:
        _square(canvas, square)
    _walls(canvas)
    return canvas


def _square(canvas: Canvas, square: int) -> None:
    box = cell(square)
    canvas.rect(box, DUSK_LINE if square in HEAVEN else SAND_LINE)
    canvas.rect(Box(box.left + 1, box.top + 1, box.right, box.bottom), ground_of(square))
    if square in THRONES:
        canvas.path(THRONE, STAR, INK, 3, stand(square), 25)
    elif square in HEAVEN:
        canvas.path([star(5, 0.3)], FAINT_STAR, centre=stand(square), scale=22)
    canvas.text(number_at(square), str(square), NUMBER, ink_of(square))


def _underworld(canvas: Canvas) -> None:
    box = cell(UNDERWORLD)
    canvas.rect(box, NIGHT)
    for n in range(5):
        _wave(canvas, box, box.bottom - 13 - 14 * n)
    canvas.path(HULL, NIGHT_DEEP, NIGHT_WAVE, 2.5, (box.centre[0], box.bottom - 82))
    canvas.text((box.centre[0], box.top + 28), str(UNDERWORLD), NUMBER, LIGHT)


def _wave(canvas: Canvas, box: Box, y: float) -> None:
    """A line of water as the hieroglyph writes it: a zigzag from shore to shore."""
    crests = range(int(box.left) + 12, int(box.right) - 6, 12)
    canvas.line([(x, y + 4 * (-1) ** n) for n, x in enumerate(crests)], NIGHT_WAVE, 2.5)


def _walls(canvas: Canvas) -> None:
    """Thick lines where no one passes, with the doors of the underworld in them."""
    below = cell(UNDERWORLD)
    corners = [
        (below.left, below.top),
        (below.right, below.top),
        (below.right, below.bottom),
        (below.left, below.bottom),
    ]
    canvas.line(corners, INK, WALL)
    for square in (LANES[0][0], LANES[1][0], *EXITS):
        _door(canvas, square)
    upper, lower = map(cell, THRONES)
    around = [
        (upper.right, upper.top),
        (upper.left, upper.top),
        (lower.left, lower.bottom),
        (lower.right, lower.bottom),
    ]
    for wall in (around, [(upper.left, upper.bottom), (upper.right, upper.bottom)]):
        canvas.line(wall, INK, WALL)
        canvas.line(wall, STAR, WALL - 4)


def _door(canvas: Canvas, square: int) -> None:
    """An opening in the wall, and behind it an arrow that says which way it leads."""
    (x, y), (right, down) = door(square)
    upright = right != 0
    gap = (WALL + 2, DOOR) if upright else (DOOR, WALL + 2)
    canvas.rect(Box.at((x, y), *gap), STAR)
    x, y = (x - 17, y) if upright else (x, y - 17 * down)
    tip = [(0.0, -1.0), (1.0, 0.7), (-1.0, 0.7)]
    canvas.path(
        [[(-down * u - right * v, right * u - down * v) for u, v in tip]],
        STAR,
        centre=(x, y),
        scale=11,
    )
