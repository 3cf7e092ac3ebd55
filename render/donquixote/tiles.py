"""The way tiles as they are printed: a meadow, roads that run to the edge, and a symbol.

Everything is measured in the width of a tile, so that a tile can be drawn at any size.
"""

from __future__ import annotations

from functools import lru_cache

from games.donquixote.tiles import CASTLE, CHURCH, KNIGHT, NOTHING, PIECES, WINDMILL, Piece
from render.canvas import Canvas, Sprite
from render.donquixote.colours import (
    GRASS,
    MEADOW,
    ROAD,
    ROOF,
    SEAM,
    STEEL,
    STONE,
    STONE_SHADE,
    TIMBER,
    VERGE,
)
from render.geometry import Box, Point, placed, trace
from render.theme import INK, LIGHT, MIN_TEXT, Colour, Type

RATIO = 1.5
"""Height of a tile."""

ROAD_WIDTH = 0.2
VERGE_WIDTH = 0.034
SQUARE_RADIUS = 0.36

OUTWARDS = {
    "N": (0, -1),
    "NE": (1, 0),
    "SE": (1, 0),
    "S": (0, 1),
    "SW": (-1, 0),
    "NW": (-1, 0),
}
"""In which direction a road leaves a tile: steps to the right and down."""

TUFTS = ((0.16, 0.12), (0.84, 0.1), (0.2, 0.62), (0.82, 0.66), (0.14, 1.36), (0.86, 1.38))


def tile_height(width: int) -> int:
    """Height of a tile of a width."""
    return round(width * RATIO)


def road_width(width: int) -> int:
    """Width of the roads of a tile without their verges; even, so that roads lie in the middle."""
    return max(2, 2 * round(width * ROAD_WIDTH / 2))


def verge_width(width: int) -> int:
    """Width of the line on each side of a road."""
    return max(1, round(width * VERGE_WIDTH))


def junction(width: int, upper: bool) -> Point:
    """Where the roads of a half meet, from the upper left corner of the tile."""
    quarter = round(width * RATIO / 4)
    return width // 2, quarter if upper else tile_height(width) - quarter


def port_at(port: str, width: int) -> Point:
    """Where a road leaves a tile, from its upper left corner."""
    x, y = junction(width, upper="N" in port)
    right, down = OUTWARDS[port]
    if down:
        return x, 0 if down < 0 else tile_height(width)
    return 0 if right < 0 else width, y


@lru_cache(maxsize=256)
def tile(
    name: str, width: int, upper: Colour = ROAD, lower: Colour = ROAD, square: bool = False
) -> Sprite:
    """A tile as it lies.

    :param name: as in a view: ``KN03``, ``KN03r``, ``CA6``.
    :param upper: colour of the roads of the upper half.
    :param lower: colour of those of the lower half.
    :param square: the symbol stands on a round square in the colour of its road.
    """
    piece = PIECES[name]
    canvas = Canvas(width, tile_height(width), MEADOW)
    canvas.stamp(_meadow(width), canvas.box.centre)
    _roads(canvas, piece, width, upper, lower)
    if square:
        middle, colour = junction(width, piece.symbol_up), upper if piece.symbol_up else lower
        canvas.circle(middle, width * SQUARE_RADIUS, colour, VERGE, verge_width(width))
    _symbol(canvas, piece, width)
    return canvas.sprite()


@lru_cache(maxsize=16)
def _meadow(width: int) -> Sprite:
    canvas = Canvas(width, tile_height(width), MEADOW)
    for tuft in TUFTS:
        blades = [(-0.04, -0.05), (0.0, 0.0), (0.04, -0.05)]
        points = [((tuft[0] + x) * width, (tuft[1] + y) * width) for x, y in blades]
        canvas.line(points, GRASS, max(1.0, width / 55))
    canvas.rect(canvas.box, None, SEAM, 1)
    for left, right in ((0.04, 0.2), (0.8, 0.96)):  # the stroke that divides the halves
        y = canvas.height / 2
        canvas.line([(left * width, y), (right * width, y)], SEAM, max(1.5, width / 45))
    return canvas.sprite()


# --------------------------------------------------------------------------------- roads
def _roads(canvas: Canvas, piece: Piece, width: int, upper: Colour, lower: Colour) -> None:
    """All verges first, then all roads, so that roads open into each other."""
    broad = road_width(width)
    verge = broad + 2 * verge_width(width)
    for across, inked in ((verge, True), (broad, False)):
        if piece.tile.linked:
            link = _band(junction(width, upper=True), junction(width, upper=False), across)
            canvas.rect(link, VERGE if inked else upper)
        for ports, is_upper, colour in ((piece.upper, True, upper), (piece.lower, False, lower)):
            middle = junction(width, is_upper)
            if ports and piece.tile.symbol != CASTLE:
                canvas.circle(middle, across / 2, VERGE if inked else colour)
            for port in sorted(ports):
                road = _band(middle, port_at(port, width), across)
                canvas.rect(road, VERGE if inked else colour)


def _band(start: Point, end: Point, across: int) -> Box:
    """A straight road, upright or level, from one point to another."""
    reach = across / 2
    (x, y), (to_x, to_y) = start, end
    if x == to_x:
        return Box(x - reach, min(y, to_y), x + reach, max(y, to_y))
    return Box(min(x, to_x), y - reach, max(x, to_x), y + reach)


# ------------------------------------------------------------------------------- symbols
def _symbol(canvas: Canvas, piece: Piece, width: int) -> None:
    if piece.tile.symbol == CASTLE:
        canvas.stamp(castle(piece.tile.worth, width), canvas.box.centre)
    else:
        sign = symbol(piece.tile.symbol, piece.tile.worth, round(width * 0.56))
        canvas.stamp(sign, junction(width, piece.symbol_up))


@lru_cache(maxsize=64)
def symbol(kind: str, worth: int, size: int) -> Sprite:
    """A church, a windmill, or the shield of a knight with its strength; ``size`` high."""
    canvas = Canvas(size, size)
    draw = {CHURCH: _church, WINDMILL: _windmill, NOTHING: _sancho}
    if kind == KNIGHT:
        _shield(canvas, size / 100, str(worth))
    else:
        draw[kind](canvas, size / 100)
    return canvas.sprite()


def _part(canvas: Canvas, scale: float, path: str, fill: Colour, width: float = 5) -> None:
    canvas.path(trace(path), fill, INK, width * scale, scale=scale)


def _church(canvas: Canvas, scale: float) -> None:
    _part(canvas, scale, "M 40 60 H 94 V 96 H 40 Z", LIGHT)
    _part(canvas, scale, "M 36 62 L 48 40 H 84 L 98 62 Z", ROOF)
    _part(canvas, scale, "M 10 44 H 42 V 96 H 10 Z", LIGHT)
    _part(canvas, scale, "M 5 46 L 26 14 L 47 46 Z", ROOF)
    canvas.line(placed(((26, 2), (26, 18)), (0, 0), scale), INK, 5 * scale)
    canvas.line(placed(((20, 8), (32, 8)), (0, 0), scale), INK, 5 * scale)
    _part(canvas, scale, "M 20 96 V 76 Q 26 66 32 76 V 96 Z", INK, 1)
    _part(canvas, scale, "M 62 96 V 80 Q 68 70 74 80 V 96 Z", INK, 1)


def _windmill(canvas: Canvas, scale: float) -> None:
    _part(canvas, scale, "M 26 97 L 38 44 H 62 L 74 97 Z", TIMBER)
    _part(canvas, scale, "M 35 46 Q 50 16 65 46 Z", TIMBER)
    for turn in range(4):
        sail = [_turned(point, turn) for point in ((4, -8), (36, -40), (44, -26), (12, 2))]
        canvas.polygon(placed(sail, (50 * scale, 44 * scale), scale), LIGHT, INK, 5 * scale)
    canvas.circle((50 * scale, 44 * scale), 7 * scale, INK)


def _turned(point: Point, quarters: int) -> Point:
    """A point turned clockwise about the origin by quarters of a turn."""
    x, y = point
    for _ in range(quarters):
        x, y = -y, x
    return x, y


def _shield(canvas: Canvas, scale: float, strength: str) -> None:
    _part(canvas, scale, "M 8 6 H 92 V 50 C 92 74 72 88 50 97 C 28 88 8 74 8 50 Z", STEEL, 6)
    size = max(MIN_TEXT, round(62 * scale))
    canvas.text((50 * scale, 46 * scale), strength, Type("strong", size), LIGHT)


def _sancho(canvas: Canvas, scale: float) -> None:
    """His hat on a round square, because he has no weapon."""
    canvas.circle((50 * scale, 50 * scale), 46 * scale, ROAD, INK, 5 * scale)
    _part(canvas, scale, "M 14 62 Q 50 52 86 62 Q 84 76 50 76 Q 16 76 14 62 Z", TIMBER, 4)
    _part(canvas, scale, "M 30 62 Q 30 28 50 28 Q 70 28 70 62 Q 50 66 30 62 Z", TIMBER, 4)
    _part(canvas, scale, "M 30 52 Q 50 56 70 52 V 61 Q 50 66 30 61 Z", ROOF, 3)


@lru_cache(maxsize=32)
def castle(value: int, width: int) -> Sprite:
    """A castle that spans both halves of its tile and so parts its roads; it shows its value."""
    scale = width / 100
    canvas = Canvas(round(68 * scale), round(116 * scale))
    _part(canvas, scale, "M 14 24 H 54 V 113 H 14 Z", STONE_SHADE, 4)
    for left in (3, 43):
        _part(canvas, scale, f"M {left} 113 V 18 H {left + 22} V 113 Z", STONE, 4)
        _part(canvas, scale, f"M {left - 1} 20 L {left + 11} 3 L {left + 23} 20 Z", ROOF, 4)
    _part(canvas, scale, "M 26 113 V 98 Q 34 86 42 98 V 113 Z", INK, 1)
    canvas.circle((34 * scale, 58 * scale), 22 * scale, LIGHT, INK, 4 * scale)
    size = max(MIN_TEXT, round(34 * scale))
    canvas.text((34 * scale, 58 * scale), str(value), Type("strong", size), INK)
    return canvas.sprite()
