"""The small figures of La Mancha, in relief: churches, windmills, knights, Sancho, castles.

All are drawn in a square of 100 by 100 units, except the castle, which is 68 by 116; any of them
can be made at any size.
"""

from __future__ import annotations

from games.donquixote.tiles import CHURCH, KNIGHT, NOTHING, WINDMILL
from render.cache import cached
from render.canvas import Canvas, Sprite
from render.donquixote.colours import (
    ARMOUR,
    LIME,
    LIME_SHADE,
    ROAD,
    ROOF,
    ROOF_SHADE,
    SLATE,
    STEEL,
    STONE,
    STONE_SHADE,
    TIMBER,
)
from render.geometry import Point, placed, trace
from render.light import raised, relief
from render.theme import INK, LIGHT, MIN_TEXT, Colour, Type

DETAILED = 80
"""Figures of at least this size show details and relief; smaller ones are flat."""
SMALLEST_FIGURE = 32
"""Below this size, dots show a knight's strength, because a digit would not fit on the shield."""


@cached
def symbol(kind: str, worth: int, size: int) -> Sprite:
    """Return a church, a windmill, Sancho's hat, or the shield of a knight with its strength.

    :param kind: the symbol of a tile.
    :param worth: the strength of a knight; 0 for all other symbols, and for a blank shield.
    :param size: height without the shadow.
    """
    canvas, scale = Canvas(size, size), size / 100
    if kind == KNIGHT:
        _knight(canvas, scale, worth)
    else:
        {CHURCH: _church, WINDMILL: _windmill, NOTHING: _sancho}[kind](canvas, scale)
    return raised(canvas.sprite(), max(1.0, size * 0.045))


def draw_part(
    canvas: Canvas, scale: float, path: str, fill: Colour, edge: float = 5, depth: float = 0
) -> None:
    """Draw one part of a figure.

    :param edge: width of its rim of ink, in units.
    :param depth: how far its edges are rounded, in units; 0 leaves it flat. Small figures are
        always flat.
    """
    rim = INK if edge else None
    if not depth or canvas.height < DETAILED:
        canvas.path(trace(path), fill, rim, edge * scale, scale=scale)
        return
    piece = Canvas(canvas.width, canvas.height)
    piece.path(trace(path), fill, rim, edge * scale, scale=scale)
    canvas.stamp(relief(piece.sprite(), depth * scale, 0.6), canvas.box.centre)


def _church(canvas: Canvas, scale: float) -> None:
    draw_part(canvas, scale, "M 40 58 H 95 V 96 H 40 Z", LIME_SHADE)
    draw_part(canvas, scale, "M 34 62 L 48 38 H 84 L 99 62 Z", ROOF_SHADE, 5, 4)
    draw_part(canvas, scale, "M 8 44 H 44 V 96 H 8 Z", LIME)
    draw_part(canvas, scale, "M 34 46 H 42 V 94 H 34 Z", LIME_SHADE, 0)
    draw_part(canvas, scale, "M 2 47 L 26 14 L 50 47 Z", ROOF, 5, 4)
    for line in (((26, 0), (26, 16)), ((19, 7), (33, 7))):
        canvas.line(placed(line, (0, 0), scale), INK, 5 * scale)
    draw_part(canvas, scale, "M 18 96 V 76 Q 25 65 32 76 V 96 Z", INK, 1)
    draw_part(canvas, scale, "M 60 90 V 78 Q 66 70 72 78 V 90 Z", INK, 1)


def _windmill(canvas: Canvas, scale: float) -> None:
    """Draw a white tower with a slate cap, and four sails of cloth on their stocks."""
    draw_part(canvas, scale, "M 27 98 L 33 48 H 67 L 73 98 Z", LIME)
    draw_part(canvas, scale, "M 57 50 H 64 L 70 96 H 60 Z", LIME_SHADE, 0)
    draw_part(canvas, scale, "M 30 50 Q 50 12 70 50 Z", SLATE, 5, 5)
    draw_part(canvas, scale, "M 43 97 V 80 Q 50 70 57 80 V 97 Z", INK, 1)
    hub = 50 * scale, 47 * scale
    for turn in range(4):
        sail = [_turned(point, turn) for point in ((6, -3), (33, -31), (44, -20), (17, 8))]
        canvas.polygon(placed(sail, hub, scale), LIGHT, INK, 5 * scale)
        stock = [_turned(point, turn) for point in ((0, 0), (36, -35))]
        canvas.line(placed(stock, hub, scale), TIMBER, 5 * scale)
    canvas.circle(hub, 8 * scale, TIMBER, INK, 3 * scale)


def _turned(point: Point, quarters: int) -> Point:
    """Rotate a point clockwise about the origin by quarter turns."""
    x, y = point
    for _ in range(quarters):
        x, y = -y, x
    return x, y


def _knight(canvas: Canvas, scale: float, strength: int) -> None:
    """Draw a shield with the strength; if there is room, with a helmet, plume and lance
    behind it.
    """
    top = 8
    if canvas.height >= DETAILED:
        top = 30
        lance = placed(((8, 96), (94, 4)), (0, 0), scale)
        canvas.line(lance, INK, 9 * scale)
        canvas.line(lance, TIMBER, 4 * scale)
        draw_part(canvas, scale, "M 50 12 C 62 -4 86 2 88 26 C 78 14 66 18 58 24 Z", ROOF, 4, 3)
        draw_part(canvas, scale, "M 30 44 V 24 Q 32 6 50 6 Q 68 6 70 24 V 44 Z", ARMOUR, 4, 5)
        draw_part(canvas, scale, "M 35 22 H 65 V 29 H 35 Z", INK, 0)
    left, right = (10, 90) if top == 8 else (16, 84)
    shield = f"M {left} {top} H {right} V 52 C {right} 76 70 89 50 98 C 30 89 {left} 76 {left} 52 Z"
    draw_part(canvas, scale, shield, LIGHT, 6)
    lower = (
        f"M {left + 8} {top + 8} H {right - 8} V 52 "
        f"C {right - 8} 70 66 81 50 88 C 34 81 {left + 8} 70 {left + 8} 52 Z"
    )
    draw_part(canvas, scale, lower, STEEL, 0, 2)
    if canvas.height < SMALLEST_FIGURE or not strength:
        for n in range(strength):
            x = 50 + (n - (strength - 1) / 2) * 22
            canvas.circle((x * scale, 46 * scale), 10 * scale, LIGHT)
        return
    size = max(MIN_TEXT, round((66 if top == 8 else 48) * scale))
    middle = 48 if top == 8 else 60
    canvas.text((50 * scale, middle * scale), str(strength), Type("strong", size), LIGHT)


def _sancho(canvas: Canvas, scale: float) -> None:
    """Draw Sancho Pansa's hat on a disc."""
    canvas.circle((50 * scale, 50 * scale), 47 * scale, ROAD, INK, 5 * scale)
    draw_part(canvas, scale, "M 12 64 Q 50 52 88 64 Q 86 80 50 80 Q 14 80 12 64 Z", TIMBER, 4, 4)
    draw_part(canvas, scale, "M 30 64 Q 28 26 50 26 Q 72 26 70 64 Q 50 70 30 64 Z", TIMBER, 4, 5)
    draw_part(canvas, scale, "M 30 54 Q 50 59 70 54 V 64 Q 50 69 30 64 Z", ROOF, 3)


@cached
def castle(value: int, width: int) -> Sprite:
    """Return a castle with its value; it spans both halves of its tile, so it separates their
    roads.

    :param width: the width of its tile.
    """
    scale = width / 100
    canvas = Canvas(round(68 * scale), round(116 * scale))
    wall = "M 14 34 V 24 H 22 V 32 H 30 V 24 H 38 V 32 H 46 V 24 H 54 V 113 H 14 Z"
    draw_part(canvas, scale, wall, STONE, 4, 4)
    for left in (3, 43):
        draw_part(canvas, scale, f"M {left} 113 V 20 H {left + 22} V 113 Z", STONE, 4, 5)
        draw_part(
            canvas, scale, f"M {left + 15} 26 H {left + 20} V 111 H {left + 15} Z", STONE_SHADE, 0
        )
        draw_part(canvas, scale, f"M {left - 2} 23 L {left + 11} 3 L {left + 24} 23 Z", ROOF, 4, 4)
    draw_part(canvas, scale, "M 24 113 V 98 Q 34 84 44 98 V 113 Z", INK, 1)
    canvas.circle((34 * scale, 60 * scale), 24 * scale, LIGHT, INK, 4 * scale)
    size = max(MIN_TEXT, round(40 * scale))
    canvas.text((34 * scale, 60 * scale), str(value), Type("strong", size), INK)
    return raised(canvas.sprite(), max(1.0, width * 0.035))
