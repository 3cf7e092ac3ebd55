"""Draws a principality: a walled meadow of upright fields, with the tiles on them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from games.donquixote.tiles import COLUMNS, FIELDS, PIECES, PLACE, ROWS, neighbour
from render.cache import cached
from render.canvas import Canvas, Sprite
from render.donquixote.colours import (
    FALLOW,
    FURROW,
    JOINT,
    PALE_STONE,
    PLACE_NAME,
    QUIET_ROAD,
    ROAD,
    VERGE,
    WALL,
)
from render.donquixote.tiles import (
    OUTWARDS,
    RATIO,
    grown,
    port_at,
    road_width,
    tile,
    tile_height,
    told_tile,
    verge_width,
)
from render.geometry import Box, Point
from render.light import raised
from render.plates import corner_ticks, device
from render.theme import INK, LIGHT, MIN_TEXT, SEATS, Colour, Type, mix

WALL_WIDTH = 0.12
"""Thickness of the wall, in widths of a tile."""
STONE_LENGTH = 0.36
"""Length of a stone of the wall, in widths of a tile."""
TONGUE = 0.13
"""How far an open road reaches into an empty field, in widths of a tile."""
FADING: Colour = mix(VERGE, FALLOW.light, 0.45)
"""The colour of the verges of an open road where it fades into an empty field."""
LETTERED = 40
"""Fields of at least this width show their names."""
BATCH = 4
"""A picture of the fields is kept after each batch of this many tiles."""
GATES = [(name, port) for name in FIELDS for port in OUTWARDS if neighbour(name, port) is None]
"""The fields and ports by which roads can leave a principality."""

Halves = Mapping[str, Colour]
"""The colours of roads, by half; halves are named ``A1u`` or ``A1l``, and those not listed have
plain or dull roads.
"""


@dataclass(frozen=True)
class Land:
    """The place of a principality in a picture.

    All lengths are in whole pixels.

    :param left: the left edge of its first column.
    :param top: the upper edge of its first row.
    :param tile: the width of a tile.
    """

    left: int
    top: int
    tile: int

    @classmethod
    def fitting(cls, room: Box) -> Land:
        """Return the largest principality that fits into a box together with its wall; it is
        centred there.
        """
        wide = room.width / (len(COLUMNS) + 2 * WALL_WIDTH)
        high = room.height / (len(ROWS) * RATIO + 2 * WALL_WIDTH)
        width = 2 * int(min(wide, high) / 2)  # even, so that roads are centred
        x, y = room.centre
        return cls(
            round(x - len(COLUMNS) * width / 2),
            round(y - len(ROWS) * tile_height(width) / 2),
            width,
        )

    @property
    def box(self) -> Box:
        """All fields together."""
        width, height = len(COLUMNS) * self.tile, len(ROWS) * tile_height(self.tile)
        return Box(self.left, self.top, self.left + width, self.top + height)

    @property
    def wall(self) -> int:
        """Thickness of the wall around the fields."""
        return round(self.tile * WALL_WIDTH)

    @property
    def walled(self) -> Box:
        """All fields with the wall."""
        return self.box.inset(-self.wall)

    def moved_to_origin(self) -> Land:
        """Return the same principality, moved to the upper left corner of a picture."""
        return Land(self.wall, self.wall, self.tile)

    def field(self, name: str) -> Box:
        """Return the box of a field, by its name."""
        column, row = PLACE[name]
        left, top = self.left + column * self.tile, self.top + row * tile_height(self.tile)
        return Box(left, top, left + self.tile, top + tile_height(self.tile))


@dataclass(slots=True)
class Marks:
    """The marks on a principality.

    :param due: the field that has to be filled.
    :param chosen: whether a tile has been chosen for that field and lies there face down.
    :param latest: the fields that were filled last.
    :param tried: a field whose tile is only chosen or being tried.
    :param roads: colours of roads that are not plain.
    :param squares: the halves whose symbol is drawn on a disc in the colour of its road.
    :param quiet: whether roads not in ``roads``, and tiles with no other roads, are dull.
    """

    due: str | None = None
    chosen: bool = False
    latest: Collection[str] = ()
    tried: str | None = None
    roads: Halves = field(default_factory=dict)
    squares: frozenset[str] = frozenset()
    quiet: bool = False

    def told(self, name: str) -> bool:
        """Return whether any road in a field is not plain."""
        return name + "u" in self.roads or name + "l" in self.roads

    def road(self, half: str) -> Colour:
        """Return the colour of the road in a half."""
        return self.roads.get(half, QUIET_ROAD if self.quiet else ROAD)


# ------------------------------------------------------------------------------- ground
def draw_bare(canvas: Canvas, land: Land) -> None:
    """Draw the parts that never change during a match: the wall and the empty fields with names."""
    canvas.stamp(_bare(land.moved_to_origin()), land.box.centre)


@cached
def _bare(land: Land) -> Sprite:
    wall = land.walled
    canvas = Canvas(round(wall.width), round(wall.height))
    canvas.cover(wall, grown(WALL, land.tile), radius=land.wall * 0.6)
    _joints(canvas, land)
    canvas.rect(wall.inset(0.5), None, LIGHT, 1.5, radius=land.wall * 0.6, opacity=0.5)
    kind = Type("strong", max(MIN_TEXT, round(land.tile * 0.36)))
    fallow = _fallow(land.tile)
    for name in FIELDS:
        box = land.field(name)
        canvas.stamp(fallow, box.centre)
        if land.tile >= LETTERED:
            canvas.text(box.centre, name, kind, PLACE_NAME, under=True)
    canvas.sink(land.box, max(3, land.tile * 0.06), opacity=0.5)
    return raised(canvas.sprite(), max(3.0, land.tile * 0.09), 0.6)


def _fallow(width: int) -> Sprite:
    canvas = Canvas(width, tile_height(width), FURROW)
    canvas.cover(Box(0, 0, canvas.width - 1, canvas.height - 1), grown(FALLOW, width))
    return canvas.sprite()


def _joints(canvas: Canvas, land: Land) -> None:
    """Draw the joints between the stones of the wall."""
    box, wall = land.walled, land.wall
    weight = max(1, round(wall / 8))
    across = round(box.width / (land.tile * STONE_LENGTH))
    down = round(box.height / (land.tile * STONE_LENGTH))
    for n in range(1, across):
        x = round(box.left + n * box.width / across)
        for top in (box.top, box.bottom - wall):
            canvas.rect(Box(x, top, x + weight, top + wall), JOINT)
    for n in range(1, down):
        y = round(box.top + n * box.height / down)
        for left in (box.left, box.right - wall):
            canvas.rect(Box(left, y, left + wall, y + weight), JOINT)


# -------------------------------------------------------------------------------- tiles
def draw_land(
    canvas: Canvas, land: Land, board: Mapping[str, str], marks: Marks, seat: int
) -> None:
    """Draw the tiles and marks of a principality, whose wall and fields are drawn already.

    :param board: the pieces by field, as in a view.
    :param seat: the seat whose colour marks the field to fill.
    """
    if marks.quiet:
        loose = [*board]
    else:
        _draw_settled(canvas, land, [laid for laid in board.items() if laid[0] != marks.tried])
        loose = [name for name in board if name == marks.tried or marks.told(name)]
    for name in loose:
        canvas.stamp(_tile_on(land, name, board[name], marks), land.field(name).centre)
    for name in loose:
        _draw_ends(canvas, land, board, name, marks)
    _draw_gates(canvas, land, board, marks)
    if marks.due is not None and marks.due not in board:  # on top of the ends of roads next to it
        if marks.chosen:
            canvas.stamp(_back(land.tile, seat), land.field(marks.due).centre)
        else:
            _draw_due(canvas, land, marks.due, seat)
    for name in marks.latest:
        box = land.field(name)
        if name == marks.tried:
            canvas.frame(box, radius=4, weight=8)
            continue
        canvas.stamp(corner_ticks(round(box.width), round(box.height), 9), box.centre)


def _draw_settled(canvas: Canvas, land: Land, settled: Sequence[tuple[str, str]]) -> None:
    """Draw the fields with those tiles that no longer change, without coloured roads.

    :param settled: fields with their pieces, in the order in which they were placed.
    """
    kept = len(settled) // BATCH * BATCH
    canvas.inlay(_fields(land.tile, tuple(settled[:kept])), land.box, land.box)
    _draw_tiles(canvas, land, settled, kept)


@cached
def _fields(width: int, settled: tuple[tuple[str, str], ...]) -> Canvas:
    """Return a picture of the fields with some tiles that no longer change; it begins as a copy of
    the one with a batch less, if that is cached.
    """
    land, done = Land(0, 0, width), max(0, len(settled) - BATCH)
    if done and _fields.held(width, settled[:done]):
        canvas = _fields(width, settled[:done]).copy()
    else:
        canvas, done = Canvas(round(land.box.width), round(land.box.height), FURROW), 0
        draw_bare(canvas, land)
    _draw_tiles(canvas, land, settled, done)
    return canvas


def _draw_tiles(canvas: Canvas, land: Land, settled: Sequence[tuple[str, str]], done: int) -> None:
    """Draw tiles in the order in which they were placed, except the first ``done``."""
    for number, (name, piece) in enumerate(settled[done:], done + 1):
        canvas.stamp(tile(piece, land.tile), land.field(name).centre)
        _draw_ends(canvas, land, dict(settled[:number]), name, Marks())


def _tile_on(land: Land, name: str, piece: str, marks: Marks) -> Sprite:
    upper, lower = (marks.road(name + half) for half in "ul")
    if (upper, lower) == (ROAD, ROAD):
        return tile(piece, land.tile)
    square = not marks.squares.isdisjoint((name + "u", name + "l"))
    quiet = (upper, lower) == (QUIET_ROAD, QUIET_ROAD)
    return told_tile(piece, land.tile, upper, lower, square, quiet)


def _draw_ends(
    canvas: Canvas, land: Land, board: Mapping[str, str], name: str, marks: Marks
) -> None:
    """Draw the ends of the roads that lead out of a field, or into it from its neighbours."""
    for port in OUTWARDS:
        beyond = neighbour(name, port)
        if beyond is not None:
            _draw_end(canvas, land, board, name, port, beyond, marks)
            _draw_end(canvas, land, board, *beyond, (name, port), marks)


def _draw_end(
    canvas: Canvas,
    land: Land,
    board: Mapping[str, str],
    name: str,
    port: str,
    beyond: tuple[str, str],
    marks: Marks,
) -> None:
    """If a road leads to a port, draw its end: a stub in an empty field, or a bar across the road
    if the next tile has no road there.

    :param beyond: the field and port on the other side of this port.
    """
    if not _has_road(board, name, port):
        return
    at, colour = _end_of(land, name, port, marks)
    if beyond[0] not in board:
        reach = round(land.tile * TONGUE)
        canvas.rect(_across(at, port, reach, _verged(land)), FADING)
        canvas.rect(_across(at, port, reach, road_width(land.tile)), colour)
    elif not _has_road(board, *beyond):
        thickness = max(2, round(land.tile * 0.07))
        canvas.rect(_across(at, port, -thickness, _verged(land)), VERGE)


def _draw_gates(canvas: Canvas, land: Land, board: Mapping[str, str], marks: Marks) -> None:
    """Wherever a road leaves the principality, draw a gap in the wall between two posts."""
    for name, port in GATES:
        if _has_road(board, name, port):
            (x, y), colour = _end_of(land, name, port, marks)
            gate, (right, down) = _gate(land.tile, port, colour), OUTWARDS[port]
            canvas.stamp(gate, (x + right * land.wall / 2, y + down * land.wall / 2))


@cached
def _gate(width: int, port: str, colour: Colour) -> Sprite:
    """Return a gate for roads of a colour that leave by a port of a tile."""
    land = Land(0, 0, width)
    posts = _verged(land) + 2 * max(2, width // 20)
    box = _across((0, 0), port, land.wall, posts)
    canvas, at = Canvas(round(box.width), round(box.height)), (-box.left, -box.top)
    canvas.rect(canvas.box, PALE_STONE)
    canvas.rect(_across(at, port, land.wall, _verged(land)), VERGE)
    canvas.rect(_across(at, port, land.wall, road_width(width)), colour)
    return canvas.sprite()


def _has_road(board: Mapping[str, str], name: str, port: str) -> bool:
    """Return whether the tile in a field has a road at a port."""
    return name in board and port in PIECES[board[name]].exits


def _end_of(land: Land, name: str, port: str, marks: Marks) -> tuple[Point, Colour]:
    """Return the point where a road leaves a field, and its colour."""
    box, (x, y) = land.field(name), port_at(port, land.tile)
    return (box.left + x, box.top + y), marks.road(name + ("u" if "N" in port else "l"))


def _verged(land: Land) -> int:
    return road_width(land.tile) + 2 * verge_width(land.tile)


def _across(at: Point, port: str, reach: int, broad: int) -> Box:
    """Return a piece of road that begins at a port and is ``reach`` long, outwards or, if negative,
    inwards.
    """
    (x, y), (right, down) = at, OUTWARDS[port]
    far_x, far_y = x + right * reach, y + down * reach
    half = broad // 2
    if right:
        return Box(min(x, far_x), y - half, max(x, far_x), y + half)
    return Box(x - half, min(y, far_y), x + half, max(y, far_y))


def _draw_due(canvas: Canvas, land: Land, name: str, seat: int) -> None:
    """Draw the field to fill: bright, with a frame inside it in the colour of the seat."""
    box = land.field(name)
    canvas.stamp(_due(land.tile, seat), box.centre)
    if land.tile >= LETTERED:
        kind = Type("strong", max(MIN_TEXT, round(land.tile * 0.46)))
        canvas.text(box.centre, name, kind, INK)


@cached
def _back(width: int, seat: int) -> Sprite:
    """Return the back of a tile in the colour of a seat."""
    canvas = Canvas(width, tile_height(width))
    edge = max(2, width // 24)
    canvas.rect(canvas.box, INK, radius=edge)
    canvas.rect(canvas.box.inset(1.5), LIGHT, radius=edge)
    canvas.rect(canvas.box.inset(1.5 + edge), SEATS[seat].colour, radius=edge)
    canvas.rect(canvas.box.inset(3 * edge), None, SEATS[seat].device, edge / 2, opacity=0.6)
    device(canvas, seat, canvas.box.centre, width * 0.5, SEATS[seat].device)
    return raised(canvas.sprite(), max(2.0, width * 0.05))


@cached
def _due(width: int, seat: int) -> Sprite:
    weight = max(4, width // 12)
    canvas = Canvas(width, tile_height(width))
    canvas.rect(canvas.box, INK)
    canvas.rect(canvas.box.inset(1.5), SEATS[seat].colour)
    canvas.rect(canvas.box.inset(weight), INK)
    canvas.rect(canvas.box.inset(weight + 1.5), LIGHT)
    return canvas.sprite()
