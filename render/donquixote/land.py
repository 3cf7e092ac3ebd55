"""A principality as it is drawn: a walled meadow of upright fields, with what lies on them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from games.donquixote.tiles import COLUMNS, FIELDS, PIECES, PLACE, ROWS, neighbour
from render.canvas import Canvas
from render.donquixote.colours import FALLOW, FURROW, ROAD, VERGE, WALL
from render.donquixote.tiles import (
    OUTWARDS,
    RATIO,
    port_at,
    road_width,
    tile,
    tile_height,
    verge_width,
)
from render.geometry import Box, Point
from render.theme import GOLD, INK, LIGHT, MIN_TEXT, SEATS, SOFT, Colour, Type

WALL_WIDTH = 0.1
"""Thickness of the wall in widths of a tile."""

Halves = Mapping[str, Colour]
"""The colour of the road in some halves, named ``A1u`` and ``A1l``; all others are plain."""


@dataclass(frozen=True)
class Land:
    """Where a principality lies in the picture.

    :param left: of its first column, in whole pixels like all that follows.
    :param top: of its first row.
    :param tile: width of a tile.
    """

    left: int
    top: int
    tile: int

    @classmethod
    def fitting(cls, room: Box) -> Land:
        """The largest principality that fits into the middle of a room with its wall."""
        wide = room.width / (len(COLUMNS) + 2 * WALL_WIDTH)
        high = room.height / (len(ROWS) * RATIO + 2 * WALL_WIDTH)
        width = 2 * int(min(wide, high) / 2)  # even, so that roads lie in the middle
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
        """The same principality in the upper left corner of a picture."""
        return Land(self.wall, self.wall, self.tile)

    def field(self, name: str) -> Box:
        """A field by its name."""
        column, row = PLACE[name]
        left, top = self.left + column * self.tile, self.top + row * tile_height(self.tile)
        return Box(left, top, left + self.tile, top + tile_height(self.tile))


@dataclass(slots=True)
class Marks:
    """What a picture marks in a principality.

    :param due: the field to fill.
    :param latest: fields on which something was laid just now.
    :param roads: colours of roads that are not plain.
    :param squares: halves whose symbol stands on a square in the colour of its road.
    """

    due: str | None = None
    latest: Collection[str] = ()
    roads: Halves = field(default_factory=dict)
    squares: frozenset[str] = frozenset()


# ------------------------------------------------------------------------------- ground
def draw_ground(canvas: Canvas, land: Land) -> None:
    """The wall and the empty fields with their names: what does not change during a match."""
    canvas.rect(land.walled, WALL, INK, 2, radius=land.wall)
    kind = Type("strong", max(MIN_TEXT, round(land.tile * 0.34)))
    for name in FIELDS:
        box = land.field(name)
        canvas.rect(box, FURROW)
        canvas.rect(box.inset(1), FALLOW)
        canvas.text(box.centre, name, kind, SOFT)


# -------------------------------------------------------------------------------- tiles
def draw_land(
    canvas: Canvas, land: Land, board: Mapping[str, str], marks: Marks, seat: int
) -> None:
    """What lies in a principality, and what of it is marked.

    :param board: field -> piece, as in a view.
    :param seat: whose colour marks the field to fill.
    """
    for name, piece in board.items():
        upper, lower = (marks.roads.get(name + half, ROAD) for half in "ul")
        square = not marks.squares.isdisjoint((name + "u", name + "l"))
        canvas.stamp(tile(piece, land.tile, upper, lower, square), land.field(name).centre)
    for name, piece in board.items():
        _draw_ends(canvas, land, board, name, piece, marks.roads)
    for name in marks.latest:
        _draw_corners(canvas, land.field(name), land.tile)
    if marks.due is not None and marks.due not in board:
        _draw_due(canvas, land, marks.due, seat)


def _draw_ends(
    canvas: Canvas, land: Land, board: Mapping[str, str], name: str, piece: str, roads: Halves
) -> None:
    """A gate where a road leads out of the principality, a bar where it ends at a neighbour's
    meadow. It stays open towards a field that is still empty.
    """
    box = land.field(name)
    for port in sorted(PIECES[piece].exits):
        x, y = port_at(port, land.tile)
        at = box.left + x, box.top + y
        beyond = neighbour(name, port)
        if beyond is None:
            half = name + ("u" if "N" in port else "l")
            _draw_gate(canvas, land, at, port, roads.get(half, ROAD))
        elif beyond[0] in board and beyond[1] not in PIECES[board[beyond[0]]].exits:
            thickness = verge_width(land.tile) + 2
            canvas.rect(_across(at, port, -thickness, _verged(land)), VERGE)


def _draw_gate(canvas: Canvas, land: Land, at: Point, port: str, colour: Colour) -> None:
    canvas.rect(_across(at, port, land.wall, _verged(land)), VERGE)
    canvas.rect(_across(at, port, land.wall, road_width(land.tile)), colour)


def _verged(land: Land) -> int:
    return road_width(land.tile) + 2 * verge_width(land.tile)


def _across(at: Point, port: str, reach: int, broad: int) -> Box:
    """A piece of road that begins at a port: ``reach`` long, outwards or (negative) inwards."""
    (x, y), (right, down) = at, OUTWARDS[port]
    far_x, far_y = x + right * reach, y + down * reach
    half = broad // 2
    if right:
        return Box(min(x, far_x), y - half, max(x, far_x), y + half)
    return Box(x - half, min(y, far_y), x + half, max(y, far_y))


def _draw_due(canvas: Canvas, land: Land, name: str, seat: int) -> None:
    """The field to fill: bright, in a frame of the seat's colour."""
    box = land.field(name)
    weight = max(6, land.tile // 12)
    canvas.rect(box.inset(-weight), INK, radius=weight)
    canvas.rect(box.inset(2 - weight), SEATS[seat].colour, radius=weight - 2)
    canvas.rect(box.inset(1), INK)
    canvas.rect(box.inset(3), LIGHT)
    kind = Type("strong", max(MIN_TEXT, round(land.tile * 0.42)))
    canvas.text(box.centre, name, kind, INK)


def _draw_corners(canvas: Canvas, box: Box, width: int) -> None:
    """The mark of what was laid last: golden corners, between which all roads can be seen."""
    inner, reach, weight = box.inset(1 + width // 24), round(width * 0.2), max(5, width // 12)
    for thickness, colour in ((weight + 3, INK), (weight, GOLD)):
        for x, right in ((inner.left, 1), (inner.right, -1)):
            for y, down in ((inner.top, 1), (inner.bottom, -1)):
                canvas.line(
                    [(x + right * reach, y), (x, y), (x, y + down * reach)], colour, thickness
                )
