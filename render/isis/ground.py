"""What never changes during a match: the table of stone, and on it the papyrus with the board."""

from __future__ import annotations

from games.isis.board import HEAVEN, SQUARES, THRONES
from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box, arc
from render.isis.glyphs import carved, glyph_of
from render.isis.look import (
    BANK_INK,
    BOARD,
    BORDER,
    FAIENCE,
    GILT_SHADE,
    HEADER,
    HEIGHT,
    LANE_SQUARES,
    LAPIS,
    LIMESTONE,
    LINE_OF_DUSK,
    LINE_OF_SAND,
    NUMBER,
    OCHRE,
    SAND_INK,
    STAR,
    STONE,
    TABLE,
    cell,
    ground_of,
    ink_of,
    number_at,
    stand,
)
from render.isis.pieces import gold_star, speck, throne
from render.isis.underworld import draw_underworld
from render.light import raised, relief
from render.plates import card, title
from render.theme import INK, LIGHT, Colour

THRONE_WALL = 12
"""Thickness of the walls around a throne."""

HEAVENLY = Box(cell(min(HEAVEN)).left, BOARD.top, BOARD.right, BOARD.bottom)
"""All of heaven."""
GLORY = cell(THRONES[0]).centre[0], cell(THRONES[0]).bottom
"""Between the thrones: from here the rays go out."""
GLORY_BOX = Box(
    cell(THRONES[0]).left - THRONE_WALL / 2,
    cell(THRONES[0]).top - THRONE_WALL / 2,
    cell(THRONES[1]).right,
    cell(THRONES[1]).bottom + THRONE_WALL / 2,
)
"""Both chambers of thrones with their walls."""
CHAMBER: Colour = "#2B3F8F"
RAY: Colour = "#7A68C0"
"""Light of the thrones on the night sky."""


@cached
def ground(awake: bool = False) -> Canvas:
    """The card with the board, without any stone.

    :param awake: whether the serpent in the underworld is red.
    """
    canvas = card(HEIGHT, TABLE)
    title(canvas, Box(HEADER.left, HEADER.top, HEADER.left + 200, HEADER.bottom), "Isis", TABLE)
    _border(canvas)
    draw_earth(canvas)
    _heaven(canvas)
    draw_underworld(canvas, awake)
    draw_thrones(canvas)
    return canvas


def _border(canvas: Canvas) -> None:
    """The sheet, and the painted band along its edge: blocks of lapis, ochre and faience."""
    sheet = BOARD.inset(-BORDER - 3)
    canvas.shadow(sheet, 12, opacity=0.8)
    canvas.rect(sheet, STAR)
    canvas.rect(sheet.inset(1), GILT_SHADE)
    band = BOARD.inset(-BORDER)
    canvas.rect(band, LIMESTONE)
    colours = LAPIS, FAIENCE, LAPIS, OCHRE
    for n, left in enumerate(range(int(band.left) + 1, int(band.right) - 10, 14)):
        for y in (band.top, BOARD.bottom + 3):
            canvas.rect(Box(left, y, left + 11, y + BORDER - 3), colours[n % 4])
    for n, top in enumerate(range(int(BOARD.top) + 2, int(BOARD.bottom) - 10, 14)):
        for x in (band.left, BOARD.right + 3):
            canvas.rect(Box(x, top, x + BORDER - 3, top + 11), colours[n % 4])
    canvas.rect(BOARD.inset(-3), INK)
    canvas.rect(BOARD.inset(-2), STAR)


def draw_earth(canvas: Canvas) -> None:
    """The squares on earth, each with its sign."""
    for square in SQUARES:
        if square in HEAVEN:
            continue
        box = cell(square)
        canvas.rect(box, LINE_OF_SAND)
        material = ground_of(square)
        canvas.cover(Box(box.left + 1, box.top + 1, box.right, box.bottom), material)
        ink = BANK_INK if square in LANE_SQUARES else SAND_INK
        canvas.stamp(carved(glyph_of(square), 52, ink, material.light), stand(square))
        canvas.text(number_at(square), str(square), NUMBER, INK)


def _heaven(canvas: Canvas) -> None:
    """Night sky with rays from the thrones, and a star of gold on each square."""
    for square in HEAVEN:
        box = cell(square)
        canvas.rect(box, LINE_OF_DUSK)
        canvas.cover(Box(box.left + 1, box.top + 1, box.right, box.bottom), ground_of(square))
    canvas.stamp(_rays(), HEAVENLY.centre)
    for square in HEAVEN:
        if square in THRONES:
            continue
        canvas.stamp(gold_star(40), stand(square))
        canvas.text(number_at(square), str(square), NUMBER, LIGHT)
    for x, y in _DUST:
        canvas.stamp(speck(), (HEAVENLY.left + x, HEAVENLY.top + y))
    canvas.rect(Box(HEAVENLY.left - 2, BOARD.top, HEAVENLY.left + 2, BOARD.bottom), STAR)
    canvas.rect(Box(HEAVENLY.left + 2, BOARD.top, HEAVENLY.left + 3, BOARD.bottom), INK)


_DUST = tuple(
    (column * 70 + x, row * 132 + y)
    for column in range(3)
    for row in range(4)
    for x, y in (((12, 48), (58, 118)) if (column + row) % 2 else ((58, 46), (14, 112)))
    if (column, row) not in ((1, 1), (1, 2))
)
"""Small stars, within heaven."""


def _rays() -> Sprite:
    """Light that goes out from the thrones over all of heaven."""
    canvas = Canvas(round(HEAVENLY.width), round(HEAVENLY.height))
    middle = GLORY[0] - HEAVENLY.left, GLORY[1] - HEAVENLY.top
    wedges = 14
    for n in range(wedges):
        edge = arc(middle, 420, (n + 0.28) / wedges, (n + 0.72) / wedges)
        canvas.polygon([middle, *edge], RAY, opacity=0.4)
    return canvas.sprite()


def draw_thrones(canvas: Canvas) -> None:
    """Two chambers of gold: thick walls on three sides, open on the right, a throne in each."""
    canvas.stamp(_chambers(), GLORY_BOX.centre)


@cached
def _chambers() -> Sprite:
    """Both chambers, with the shadow of their walls."""
    outer, wall = GLORY_BOX, THRONE_WALL
    canvas, walls = (Canvas(round(outer.width) + 20, round(outer.height) + 20) for _ in range(2))
    left, top = outer.left - 10, outer.top - 10
    for square in THRONES:
        box = cell(square).moved(-left, -top)
        canvas.rect(box, CHAMBER)
        for radius, opacity in ((32, 0.2), (26, 0.3), (19, 0.45)):
            at = box.centre[0], stand(square)[1] - top
            canvas.circle(at, radius, STAR, opacity=opacity)
        canvas.sink(box.inset(wall / 2 - 1), 7, opacity=0.7)
    for y in (10, 10 + (outer.height - wall) / 2, 10 + outer.height - wall):
        walls.rect(Box(10, y, 10 + outer.width, y + wall), STAR)
    walls.rect(Box(10, 10, 10 + wall, 10 + outer.height), STAR)
    canvas.stamp(raised(relief(walls.sprite(), 3.5), 6, 0.7), canvas.box.centre)
    for square in THRONES:
        x, y = stand(square)
        canvas.stamp(throne(STONE - 6), (x - left + 3, y - top))
        x, y = number_at(square)
        canvas.text((x - left, y - top), str(square), NUMBER, LIGHT)
    return canvas.sprite()


@cached
def number(square: int) -> Sprite:
    """The number of a square on a patch of its ground: a way passes below it."""
    canvas = Canvas(48, 34)
    canvas.cover(canvas.box, ground_of(square), radius=10)
    canvas.text(canvas.box.centre, str(square), NUMBER, ink_of(square))
    return canvas.sprite()
