"""The path tiles as they are printed: a meadow, roads that lead to the edges, and a symbol.

Measures are in widths of a tile unless noted, so that a tile can be drawn at any size.
"""

from __future__ import annotations

from games.donquixote.tiles import CASTLE, PIECES, TurnedTile
from render.cache import cached
from render.canvas import Canvas, Sprite
from render.donquixote.colours import BLOOM, GRASS, MEADOW, QUIET, QUIET_ROAD, ROAD, RUT, VERGE
from render.donquixote.figures import castle, symbol
from render.geometry import Box, Point
from render.light import raised
from render.materials import Material
from render.theme import LIGHT, SHADOW, Colour, mix

RATIO = 1.5
"""Height of a tile."""
JUNCTION = 0.28
"""Distance between the short edge and the point where the roads of a half meet, as a share of the
tile's height.
"""
ROAD_WIDTH = 0.22, 0.26
"""Width of a road: on a tile with details, and on a smaller one."""
VERGE_WIDTH = 0.034
SYMBOL = 0.66
SQUARE_RADIUS = 0.41
DETAILED = 100
"""Tiles at least this wide, in pixels, have a grain, tufts and flowers in their meadows and ruts in
their roads. Smaller tiles appear in large numbers, so details would only make the file larger.
"""

OUTWARDS = {"N": (0, -1), "NE": (1, 0), "SE": (1, 0), "S": (0, 1), "SW": (-1, 0), "NW": (-1, 0)}
"""The direction in which a road leaves a tile: steps to the right and down."""

TUFTS = ((0.14, 0.12), (0.86, 0.67), (0.15, 1.37))
BLOOMS = ((0.2, 0.15), (0.82, 0.71), (0.11, 0.78), (0.79, 1.4), (0.9, 1.2))


def tile_height(width: int) -> int:
    """Return the height of a tile with this width."""
    return round(width * RATIO)


def road_width(width: int) -> int:
    """Return the width of a tile's roads without their verges; even, so that roads are centred."""
    return max(2, 2 * round(width * ROAD_WIDTH[width < DETAILED] / 2))


def verge_width(width: int) -> int:
    """Return the width of the line on each side of a road."""
    return max(1, round(width * VERGE_WIDTH))


def junction(width: int, upper: bool) -> Point:
    """Return the point where the roads of a half meet, relative to the upper left corner of the
    tile.
    """
    down = round(width * RATIO * JUNCTION)
    return width // 2, down if upper else tile_height(width) - down


def port_at(port: str, width: int) -> Point:
    """Return the point where a road leaves a tile, relative to the tile's upper left corner."""
    x, y = junction(width, upper="N" in port)
    right, down = OUTWARDS[port]
    if down:
        return x, 0 if down < 0 else tile_height(width)
    return 0 if right < 0 else width, y


@cached
def tile(name: str, width: int) -> Sprite:
    """Return a tile, the right way up or turned.

    :param name: the tile's name as in a view: ``KN03``, ``KN03r``, ``CA6``.
    """
    return _drawn(PIECES[name], width, MEADOW, ROAD, ROAD)


@cached
def told_tile(
    name: str, width: int, upper: Colour, lower: Colour, square: bool, quiet: bool
) -> Sprite:
    """Return a tile in the account of a round.

    :param upper: the colour of the roads in the upper half.
    :param lower: the same for the lower half.
    :param square: whether the symbol is drawn on a disc in the colour of its road.
    :param quiet: whether nothing on the tile counts, so that its meadow is dull.
    """
    return _drawn(PIECES[name], width, QUIET if quiet else MEADOW, upper, lower, square)


@cached
def loose_tile(name: str, width: int) -> Sprite:
    """Return a tile that lies on the table, with its shadow."""
    return raised(tile(name, width), width * 0.07)


@cached
def dull_tile(name: str, width: int) -> Sprite:
    """Return a tile in the hand that was not chosen: its meadow and roads are dull."""
    return raised(_drawn(PIECES[name], width, QUIET, QUIET_ROAD, QUIET_ROAD), width * 0.07)


def _drawn(
    piece: TurnedTile,
    width: int,
    ground: Material,
    upper: Colour,
    lower: Colour,
    square: bool = False,
) -> Sprite:
    canvas = Canvas(width, tile_height(width), LIGHT)
    canvas.stamp(_meadow(width, ground), canvas.box.centre)
    _roads(canvas, piece, width, upper, lower)
    if square:
        middle, colour = junction(width, piece.symbol_up), upper if piece.symbol_up else lower
        canvas.circle(middle, width * SQUARE_RADIUS, colour, VERGE, verge_width(width))
    _symbol(canvas, piece, width)
    return canvas.sprite()


def grown(ground: Material, width: int) -> Material:
    """Return a material as it is used for fields of this width: small ones have no grain."""
    if width >= DETAILED:
        return ground
    tone = mix(ground.dark, ground.light, 0.5)
    return ground._replace(dark=tone, light=tone)


@cached
def _meadow(width: int, ground: Material) -> Sprite:
    """Return grass with tufts and poppies and lit edges; ticks on both sides separate the
    halves.
    """
    canvas = Canvas(width, tile_height(width), LIGHT)
    canvas.cover(canvas.box, grown(ground, width))
    for tuft in TUFTS if width >= DETAILED else ():
        blades = [(-0.035, -0.03), (0.0, 0.0), (0.005, -0.05), (0.0, 0.0), (0.035, -0.03)]
        points = [((tuft[0] + x) * width, (tuft[1] + y) * width) for x, y in blades]
        canvas.line(points, GRASS, max(1.0, width / 60))
    if width >= DETAILED and ground == MEADOW:
        for x, y in BLOOMS:
            canvas.circle((x * width, y * width), max(1.5, width / 60), BLOOM)
    for left, right in ((0.05, 0.17), (0.83, 0.95)):
        y = canvas.height / 2
        canvas.line([(left * width, y), (right * width, y)], GRASS, max(2.0, width / 40))
    edge = max(1, round(width / 40))
    box = canvas.box
    for lit, colour, opacity in (
        (Box(0, 0, box.right, edge), LIGHT, 0.45),
        (Box(0, 0, edge, box.bottom), LIGHT, 0.4),
        (Box(0, box.bottom - edge, box.right, box.bottom), SHADOW, 0.55),
        (Box(box.right - edge, 0, box.right, box.bottom), SHADOW, 0.45),
    ):
        canvas.rect(lit, colour, opacity=opacity)
    return canvas.sprite()


# --------------------------------------------------------------------------------- roads
def _roads(canvas: Canvas, piece: TurnedTile, width: int, upper: Colour, lower: Colour) -> None:
    """Draw all verges first and then all roads, so that roads run into each other; draw the ruts
    last.
    """
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
                road = _band(_inner_end(piece, port, width), port_at(port, width), across)
                canvas.rect(road, VERGE if inked else colour)
    if width >= DETAILED and (upper, lower) == (ROAD, ROAD):
        _ruts(canvas, piece, width, broad // 4)


def _inner_end(piece: TurnedTile, port: str, width: int) -> Point:
    """Return the inner end of a road: the point where the roads of its half meet, or the wall of a
    castle.
    """
    x, y = junction(width, "N" in port)
    right, _ = OUTWARDS[port]
    return (x + right * round(width * 0.2), y) if piece.tile.symbol == CASTLE else (x, y)


def _ruts(canvas: Canvas, piece: TurnedTile, width: int, aside: int) -> None:
    """Draw cart ruts: two fine lines along a road, but not where roads meet."""
    ways = [(_inner_end(piece, port, width), port_at(port, width)) for port in sorted(piece.exits)]
    if piece.tile.linked:
        middle = width // 2, tile_height(width) // 2
        ways += [(junction(width, upper), middle) for upper in (True, False)]
    weight, gap = max(1, round(width / 60)), 2 * aside + 2
    for (x, y), (to_x, to_y) in ways:
        right, down = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
        for side in (-aside, aside):
            start = x + right * gap + abs(down) * side, y + down * gap + abs(right) * side
            end = to_x + abs(down) * side, to_y + abs(right) * side
            canvas.rect(_band(start, end, weight), RUT)


def _band(start: Point, end: Point, across: float) -> Box:
    """Return the box of a straight road, vertical or horizontal, between two points.

    :param across: the width of the road.
    """
    (x, y), (to_x, to_y) = start, end
    before = across // 2
    after = across - before
    if x == to_x:
        return Box(x - before, min(y, to_y), x + after, max(y, to_y))
    return Box(min(x, to_x), y - before, max(x, to_x), y + after)


def _symbol(canvas: Canvas, piece: TurnedTile, width: int) -> None:
    if piece.tile.symbol == CASTLE:
        canvas.stamp(castle(piece.tile.worth, width), canvas.box.centre)
    else:
        sign = symbol(piece.tile.symbol, piece.tile.worth, round(width * SYMBOL))
        canvas.stamp(sign, junction(width, piece.symbol_up))
