"""The parts that never change during a match: the stone table with the papyrus board."""

from __future__ import annotations

from math import pi, sin

from games.isis.board import EXITS, HEAVEN, LANES, SQUARES, THRONES, UNDERWORLD
from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box, arc, curve, placed, tapered, trace
from render.isis.glyphs import carved, glyph_of
from render.isis.look import (
    BANK_INK,
    BOARD,
    BORDER,
    DECK,
    DEEP,
    EMBER,
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
    SERPENT,
    SERPENT_LIGHT,
    STAR,
    STONE,
    TABLE,
    WATERS,
    cell,
    door,
    ground_of,
    ink_of,
    number_at,
    stand,
)
from render.isis.pieces import gold_star, speck, throne
from render.light import raised, relief
from render.plates import card, title
from render.theme import INK, LIGHT, Colour, mix

# ---------------------------------------------------------------------------------- the underworld
WALL = 10
"""Thickness of a wall."""
DOOR = 40
"""Width of a door in a wall."""

BOX = cell(UNDERWORLD)
_MIDDLE = BOX.centre[0]

_HULL = trace(
    "M -226 -62 C -208 -58 -204 -8 -182 2 H 182 C 204 -8 208 -58 226 -62"
    " C 231 -20 220 26 188 38 C 150 48 -150 48 -188 38 C -220 26 -231 -20 -226 -62 Z"
)
_BANDS = tuple(f"M {x} 3 H {x + 9} L {x + 7} 44 H {x + 2} Z" for x in (-176, -128, 119, 167))
_GUNWALE = trace("M -186 -3 H 186 V 6 H -186 Z")
_HEAD = trace(
    "M 16 -14 C 4 -24 -14 -22 -26 -12 C -38 -6 -48 2 -48 10"
    " C -44 18 -28 20 -14 18 C 4 18 16 14 18 10 Z"
)
_UMBEL = "M 0 0 C -12 -8 -18 -20 -16 -30 C -6 -26 6 -26 16 -30 C 18 -20 12 -8 0 0 Z"


def draw_underworld(canvas: Canvas, awake: bool) -> None:
    """Draw the basin without any stones.

    :param awake: whether the serpent is red because it has just received a stone.
    """
    canvas.rect(BOX, DEEP)
    sun = _MIDDLE, DECK - 78
    for radius, opacity in ((112, 0.35), (82, 1.0)):
        canvas.circle(sun, radius, EMBER, opacity=opacity)
    canvas.circle(sun, 70, mix(EMBER, OCHRE, 0.45))
    canvas.stamp(_serpent(*(_AWAKE if awake else _ASLEEP)), BOX.centre)
    for n, colour in enumerate(WATERS):
        if n == 2:
            canvas.stamp(_barque(), (_MIDDLE, DECK))
        _wave(canvas, BOX.bottom - 46 + 13 * n, colour, n * 0.37)
    canvas.sink(BOX, 12, opacity=0.6)
    canvas.text((_MIDDLE, BOX.top + 27), str(UNDERWORLD), NUMBER, LIGHT)
    _walls(canvas)


def _wave(canvas: Canvas, y: float, colour: Colour, shift: float) -> None:
    """Draw the water below a wave's crest."""
    length = 35
    crest = [
        (x, y + 3.5 * sin((x / length + shift) * 2 * pi))
        for x in range(int(BOX.left), int(BOX.right) + 1, 5)
    ]
    canvas.polygon([*crest, (BOX.right, BOX.bottom), (BOX.left, BOX.bottom)], colour)
    canvas.line(crest, mix(colour, LIGHT, 0.22), 2)


def _barque() -> Sprite:
    """Return the sun's night boat, which carries the stones; its deck is halfway up."""
    canvas = Canvas(500, 150)
    at = canvas.box.centre
    for shapes, colour in ((_HULL, "#9B6A2C"), *((trace(band), OCHRE) for band in _BANDS)):
        piece = Canvas(500, 150)
        piece.path(shapes, colour, INK if shapes is _HULL else None, 3, at)
        canvas.stamp(relief(piece.sprite(), 6), at)
    for x, turn in ((-222, -14), (222, 14)):
        flower = Canvas(60, 60)
        flower.path(trace(_UMBEL), STAR, INK, 2, (30, 44), 0.8)
        canvas.stamp(relief(flower.sprite(), 3).turned(turn), (at[0] + x, at[1] - 72))
    rail = Canvas(500, 150)
    rail.path(_GUNWALE, STAR, GILT_SHADE, 1.5, at)
    canvas.stamp(relief(rail.sprite(), 2.5), at)
    return canvas.sprite()


_ASLEEP = "#22365A", "#2C446E"
_AWAKE = SERPENT, SERPENT_LIGHT


def _serpent(colour: Colour, light: Colour) -> Sprite:
    """Return the serpent that lies in wait for the barque; it is as large as the basin."""
    canvas = Canvas(round(BOX.width), round(BOX.height))
    body = curve([(18, 262), (-20, 30), (120, -40), (150, 120), (168, 210), (220, 250)], 28)
    neck = curve(
        [(262, 262), (330, 220), (310, 10), (420, 10), (496, 14), (478, 110), (420, 92)], 32
    )
    for points, start, end in ((body, 12, 36), (neck, 38, 26)):
        canvas.polygon(tapered(points, start, end), colour)
    canvas.path(_HEAD, colour, centre=neck[-1])
    lit = Canvas(canvas.width, canvas.height)
    lit.stamp(relief(canvas.sprite(), 8, 0.8), lit.box.centre)
    for points in (body, neck):
        for n in range(3, len(points) - 2, 3):
            lit.circle(points[n], 4, light)
    x, y = neck[-1]
    lit.circle((x - 6, y - 4), 5, light)
    lit.line([(x - 46, y + 12), (x - 62, y + 10), (x - 70, y + 4)], light, 2.5)
    lit.line([(x - 62, y + 10), (x - 70, y + 16)], light, 2.5)
    return lit.sprite()


def _walls(canvas: Canvas) -> None:
    """Draw the walls, with the doors of the underworld."""
    room = Canvas(round(BOX.width) + 20, round(BOX.height) + 20)
    for wall in _courses():
        room.rect(wall.moved(10 - BOX.left, 10 - BOX.top), TABLE.raised, radius=2)
    canvas.stamp(raised(relief(room.sprite(), 3), 4, 0.7), BOX.centre)
    for square in (LANES[0][0], LANES[1][0], *EXITS):
        _door(canvas, square)


def _courses() -> list[Box]:
    """Return the parts of the wall between the doors."""
    half, gap = WALL / 2, DOOR / 2
    pieces = []
    for square, y in ((LANES[0][0], BOX.top), (LANES[1][0], BOX.bottom)):
        (x, _), _ = door(square)
        pieces.append(Box(BOX.left, y - half, x - gap, y + half))
        pieces.append(Box(x + gap, y - half, BOX.right + half, y + half))
    upper, lower = (door(square)[0][1] for square in EXITS)
    ends = (
        (BOX.top - half, upper - gap),
        (upper + gap, lower - gap),
        (lower + gap, BOX.bottom + half),
    )
    pieces += [Box(BOX.right - half, top, BOX.right + half, end) for top, end in ends]
    return pieces


def _door(canvas: Canvas, square: int) -> None:
    """Draw a golden threshold, and two chevrons that point the way through."""
    (x, y), (right, down) = door(square)
    tall = (6, DOOR) if right else (DOOR, 6)
    canvas.rect(Box.at((x, y), *tall), STAR)
    for step in (0, 11):
        aside = (-22 if right else -20) + step
        tip = x + right * -aside, y + down * aside
        if right:
            tip = x - 24 + step, y
        points = [(-8.0, 6.0), (0.0, -3.0), (8.0, 6.0)]
        turned = [(-down * u - right * v, right * u - down * v) for u, v in points]
        canvas.line(placed(turned, tip, 1), STAR, 4)


# --------------------------------------------------------------------------------------- the board
THRONE_WALL = 12
"""Thickness of the walls around a throne."""

HEAVENLY = Box(cell(min(HEAVEN)).left, BOARD.top, BOARD.right, BOARD.bottom)
GLORY = cell(THRONES[0]).centre[0], cell(THRONES[0]).bottom
"""The point between the thrones where the rays start."""
GLORY_BOX = Box(
    cell(THRONES[0]).left - THRONE_WALL / 2,
    cell(THRONES[0]).top - THRONE_WALL / 2,
    cell(THRONES[1]).right,
    cell(THRONES[1]).bottom + THRONE_WALL / 2,
)
"""Both throne chambers, including their walls."""
CHAMBER: Colour = "#2B3F8F"
RAY: Colour = "#7A68C0"
"""The colour of the thrones' light on the night sky."""


@cached
def ground(awake: bool = False) -> Canvas:
    """Return the card with the board, without any stones.

    :param awake: whether the serpent in the underworld is red.
    """
    canvas = card(HEIGHT, TABLE)
    title(canvas, Box(HEADER.left, HEADER.top, HEADER.left + 128, HEADER.bottom), "Isis", TABLE)
    _border(canvas)
    draw_earth(canvas)
    _heaven(canvas)
    draw_underworld(canvas, awake)
    draw_thrones(canvas)
    return canvas


def _border(canvas: Canvas) -> None:
    """Draw the sheet and the painted band along its edge: blocks of lapis, ochre and faience."""
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
    """Draw the squares on earth, each with its sign."""
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
    """Draw the night sky with rays of light from the thrones, and a gold star on each square
    without a throne.
    """
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
"""The positions of small stars in heaven."""


def _rays() -> Sprite:
    """Return rays of light that spread from the thrones over all of heaven."""
    canvas = Canvas(round(HEAVENLY.width), round(HEAVENLY.height))
    middle = GLORY[0] - HEAVENLY.left, GLORY[1] - HEAVENLY.top
    wedges = 14
    for n in range(wedges):
        edge = arc(middle, 420, (n + 0.28) / wedges, (n + 0.72) / wedges)
        canvas.polygon([middle, *edge], RAY, opacity=0.4)
    return canvas.sprite()


def draw_thrones(canvas: Canvas) -> None:
    """Draw two golden chambers, each with a throne in it: thick walls on three sides, open on the
    right.
    """
    canvas.stamp(_chambers(), GLORY_BOX.centre)


@cached
def _chambers() -> Sprite:
    """Return both chambers, with the shadow of their walls."""
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
    """Return the number of a square on a patch of the square's colour, so that paths appear to pass
    below it.
    """
    canvas = Canvas(48, 34)
    canvas.cover(canvas.box, ground_of(square), radius=10)
    canvas.text(canvas.box.centre, str(square), NUMBER, ink_of(square))
    return canvas.sprite()
