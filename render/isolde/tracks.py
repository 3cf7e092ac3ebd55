"""One board: its banner, the path around its painting, and the pieces on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from games.isolde import NUMBERS
from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.geometry import Box, Point
from render.isolde.colours import BOARDS, DEEP, FOIL, INKS, JOINTS, PATHS, TOWERS
from render.isolde.devices import (
    emblem,
    parchment,
    ribbon,
    score_seal,
    shield,
)
from render.isolde.scenery import scenery
from render.isolde.standings import (
    ROMAN,
    BoardView,
    Prize,
    next_scoring,
    on_lap,
    prizes,
    unmoved,
    waits_for_scroll,
)
from render.isolde.words import board_name
from render.letters import text_width
from render.plates import corner_ticks, device, flat_token, laid_token
from render.scene import Scene
from render.theme import INK, LIGHT, MIN_TEXT, SEATS, Colour, Type, mix

SIDE = 6
"""Fields along each side, counting both corners; every fifth field is a corner."""
BANNER = 0.8
"""Height of the banner above a board, in fields."""
MERLONS, MERLON = 13, 5
"""How many merlons and gaps there are along the top of a board, and their height in pixels."""
REST = 0.9
"""Diameter of a piece, in fields."""
CORNERS = 8
"""Thickness of the corner marks on the frame around the last move."""
CROWD = 3
"""If more pieces than this share a prize, their number is shown instead."""
FEW = 3
"""If there are at most this many prizes, the lower edge of the painting stays free."""
HELD = 0.64
"""Diameter, in fields, of a piece next to a prize, if the prizes leave enough room."""
LARGER = 0.86
"""Size of a board's painting, as a share of the board; the path covers the painting's edges."""
AROUND = 0.0, 0.13
"""The painting's upper left corner, as shares of the board; prizes cover its right side."""
PILE = 0.92
"""Width and height of a pile of pieces, in fields; above a tag, it is lower."""
ABOVE_TAG = 0.66
"""Diameter of a single piece above a tag, in fields."""
TAG, RING = 26, 4
"""Height of a tag, and width of a ring, in pixels."""
OVERLAP = 0.9
"""Minimum distance between two pieces that have not moved, as a share of their diameter."""
OVERHANG, SPILL = 0.34, 0.2
"""How far pieces may reach into the painting and onto the neighbouring fields, in fields."""
LAP = Type("strong", MIN_TEXT)
"""The type for the number of a field on the tag of pieces that are a lap ahead."""


@dataclass(frozen=True)
class BoardTrack:
    """The layout of a board: 20 fields around a square, numbered clockwise so that the lower left
    corner is field 20, and a banner above them.

    :param left: left edge of the board.
    :param top: top of its banner.
    :param cell: the side of a field.
    """

    left: int
    top: int
    cell: int

    @cached_property
    def banner(self) -> Box:
        """The strip with the name."""
        return Box(self.left, self.top, self.left + SIDE * self.cell, self._crown)

    @cached_property
    def square(self) -> Box:
        """All fields and the painting between them."""
        side = SIDE * self.cell
        return Box(self.left, self._crown, self.left + side, self._crown + side)

    @cached_property
    def box(self) -> Box:
        """The banner and the square together."""
        return Box(*self.banner[:2], *self.square[2:])

    @cached_property
    def yard(self) -> Box:
        """The painting; pieces that have not moved wait at its lower edge."""
        return self.square.inset(self.cell)

    @cached_property
    def disc(self) -> int:
        """Diameter of a piece."""
        return round(self.cell * REST)

    @cached_property
    def _crown(self) -> int:
        return self.top + round(self.cell * BANNER)

    def cell_of(self, field: int) -> Box:
        """Return the box of a field; fields are counted from 1."""
        side, step = divmod(field - 1, SIDE - 1)
        column, row = (
            (0, SIDE - 2 - step),
            (step + 1, 0),
            (SIDE - 1, step + 1),
            (SIDE - 2 - step, SIDE - 1),
        )[side]
        x, y = self.square.left + column * self.cell, self.square.top + row * self.cell
        return Box(x, y, x + self.cell, y + self.cell)

    def inwards(self, field: int) -> Point:
        """Return the direction from a field towards the painting; from a corner, it is diagonal."""
        sides = (1, 0), (0, 1), (-1, 0), (0, -1)
        side, step = divmod(field - 1, SIDE - 1)
        x, y = sides[side]
        if step == SIDE - 2:
            onward = sides[(side + 1) % 4]
            x, y = x + onward[0], y + onward[1]
        return x, y

    def pile(self, field: int, *, tagged: bool) -> Box:
        """Return the place for the pieces on a field.

        :param tagged: whether the field has a tag; see ``tag_of``.
        """
        box = Box.at(self.cell_of(field).centre, self.cell * PILE)
        return box._replace(bottom=self.tag_of(field, 0).top) if tagged else box

    def places(self, field: int, pieces: int, *, tagged: bool = False) -> list[Point]:
        """Return the places of the pieces on a field, from the bottom up.

        :param tagged: whether the field has a tag; see ``tag_of``.
        """
        return [row.centre for row in reversed(self.pile(field, tagged=tagged).rows(pieces))]

    def tag_of(self, field: int, width: float) -> Box:
        """Return the place for the tag of pieces that are a lap ahead: the lower edge of the
        field.
        """
        cell = self.cell_of(field)
        return Box.at((cell.centre[0], cell.bottom - TAG / 2 - 1), width, TAG)

    def passing(self, field: int) -> Point:
        """Return the place for the dot of a piece that has passed a field; it avoids the field's
        number.
        """
        (x, y), (dx, dy) = self.cell_of(field).centre, self.inwards(field)
        off = self.cell * 0.36 if is_corner(field) else 0.0
        return x + dx * off, y + dy * off

    def waiting(self, here: BoardView, pieces: int) -> tuple[int, list[Point]]:
        """Return the diameter and the places of pieces that have not moved: side by side in the
        yard, in two rows if there are many.
        """
        yard = self.yard
        # A long column of prizes ends where the last of five would be.
        long = max(len(here.get("points", ())), len(here.get("places", ()))) > FEW
        room = yard.width - (self.cell if long else 0) - 8
        size = round(self.cell * 0.8)
        across = min(pieces, 1 + int((room - size) / (OVERLAP * size)))
        step = min(size + 2, (room - size) / max(1, across - 1))
        left, y = yard.left + 4 + size / 2, yard.bottom - size / 2 - 4
        return size, [(left + n % across * step, y - n // across * size) for n in range(pieces)]


def is_corner(field: int) -> bool:
    """Return whether a field is a corner, which has a number."""
    return field % (SIDE - 1) == 0


# ------------------------------------------------------------------------ what stays
def draw_board(canvas: Canvas, track: BoardTrack, board: str) -> None:
    """Draw the empty board: banner, fields and painting."""
    canvas.shadow(track.box, 5, radius=4, opacity=0.7)
    _draw_banner(canvas, track.banner, board)
    square = track.square
    _draw_scene(canvas, track, board)
    for field in range(1, NUMBERS.lap + 1):
        slab = _slab(board, is_corner(field), track.cell)
        canvas.stamp(slab, track.cell_of(field).centre)
        if is_corner(field):
            kind = Type("strong", round(track.cell * 0.54))
            canvas.text(track.cell_of(field).centre, str(field), kind, INK, under=True)
    for field in range(1, NUMBERS.lap, SIDE - 1):
        _draw_arrow(canvas, track, field, JOINTS[board])
    canvas.rect(square, None, DEEP[board], 2)


def _draw_scene(canvas: Canvas, track: BoardTrack, board: str) -> None:
    """Draw the painting, whose edges the path will cover."""
    square, size = track.square, round(track.square.width * LARGER)
    canvas.rect(square, mix(PATHS[board].dark, DEEP[board], 0.6))
    painting = Canvas(size, size)
    painting.stamp(scenery(board, size, lit=False), painting.box.centre)
    x, y = AROUND
    left, top = square.left + square.width * x, square.top + square.height * y
    canvas.inlay(painting, Box(round(left), round(top), 0, 0), track.yard.inset(-3))


@cached
def _slab(board: str, corner: bool, cell: int) -> Sprite:
    """Return one stone, plank or sod of the path, with its shadow."""
    side = cell - round(cell * 0.06)
    canvas = Canvas(side, side)
    material = (TOWERS if corner else PATHS)[board]
    canvas.rect(canvas.box, JOINTS[board])
    canvas.rect(Box(0, 0, side - 2, side - 2), mix(material.light, LIGHT, 0.6))
    canvas.rect(Box(2, 2, side - 2, side - 2), material.light)
    return canvas.sprite()


def _draw_arrow(canvas: Canvas, track: BoardTrack, field: int, colour: Colour) -> None:
    """Draw an arrow on the field after a corner, to show the direction."""
    (x, y), (dx, dy) = track.cell_of(field).centre, track.inwards(field)
    ahead, size = (dy, -dx), track.cell * 0.2
    tip = x + ahead[0] * size, y + ahead[1] * size
    wings = [(tip[0] - (ahead[0] + k * dx) * size, tip[1] - (ahead[1] + k * dy) * size)
             for k in (1, -1)]  # fmt: skip
    canvas.line([wings[0], tip, wings[1]], colour, track.cell * 0.07)


def _draw_banner(canvas: Canvas, box: Box, board: str) -> None:
    canvas.rect(box, BOARDS[board])
    for merlon in Box(box.left, box.top - MERLON, box.right, box.top).columns(MERLONS)[::2]:
        canvas.rect(Box(*map(round, merlon)), BOARDS[board])
    canvas.rect(Box(box.left, box.bottom - 3, box.right, box.bottom), DEEP[board])
    canvas.rect(Box(box.left, box.top, box.right, box.top + 2), mix(BOARDS[board], LIGHT, 0.35))


# ---------------------------------------------------------------------- what changes
def draw_banner(canvas: Canvas, track: BoardTrack, scene: Scene, board: str) -> None:
    """Draw a board's device, its name, and the seal of its next scoring."""
    box = track.banner
    y, size = box.centre[1], round(box.height * 0.84)
    canvas.stamp(emblem(board, size), (box.left + 5 + size / 2, y))
    sign, right = _seal(scene, board, size), box.right - 5
    if sign is not None:
        right -= sign.size[0]
        canvas.stamp(sign, (right + sign.size[0] / 2, y))
    left = box.left + size + 11
    name = board_name(board, scene.say)
    kinds = Type("strong", round(track.cell * 0.55)), Type("strong", MIN_TEXT)
    write(canvas, (left, y), name, kinds, right - left - 4, INKS[board], "lm")


def _seal(scene: Scene, board: str, size: int) -> Sprite | None:
    """Return the seal of the next scoring of a board, or a scroll if it waits for one; None if it
    is never scored again.
    """
    coming = next_scoring(scene.view, board)
    if coming is not None:
        return score_seal(ROMAN[coming], coming == scene.view.round, size, INKS[board])
    if scene.view.outcome is None and waits_for_scroll(scene.view, board):
        return parchment(size)
    return None


def draw_prizes(canvas: Canvas, track: BoardTrack, scene: Scene, board: str) -> None:
    """Draw the prizes on the right side of the painting, in the order of ``prizes``, each with the
    colours that would win it.
    """
    due, here = prizes(scene.view, board), scene.view.public["boards"][board]
    pitch = min(track.cell * 0.94, (track.yard.height - 8) / max(1, len(due)))
    height, held = round(min(pitch - 5, track.cell * 0.8)), round(min(pitch - 3, track.cell * HELD))
    for n, prize in enumerate(due):
        shown = sign(board, prize, height)
        right, y = track.yard.right - 6, track.yard.top + 5 + (n + 0.5) * pitch
        canvas.stamp(shown, (right - shown.size[0] / 2, y))
        x = right - shown.size[0] - held * 0.43
        room = x + held / 2 - track.yard.left - 4
        colours = prize.colours if any(here["positions"]) else ()  # nobody is last at the start
        if len(colours) > CROWD:
            _draw_crowd(canvas, (x, y + height * 0.06), held, len(colours))
            continue
        size = min(held, round(room / max(1, len(colours))))
        x += (held - size) / 2
        for colour in reversed(colours):
            canvas.stamp(flat_token(colour, size), (x, y + height * 0.06))
            x -= size


def _draw_crowd(canvas: Canvas, at: Point, size: int, number: int) -> None:
    """Draw a disc with the number of pieces that share a prize."""
    canvas.circle(at, size / 2, LIGHT, INK, 3)
    canvas.text(at, str(number), Type("strong", max(MIN_TEXT, round(size * 0.66))), INK)


def sign(board: str, prize: Prize, height: int) -> Sprite:
    """Return a prize: a shield, or a ribbon for any other prize."""
    return (shield if prize.worth else ribbon)(board, prize.text, height)


def clear_corners(canvas: Canvas, track: BoardTrack, board: str, here: BoardView) -> None:
    """Remove the numbers of the corners on which pieces stand: half a number is of no use."""
    taken = {on_lap(position)[1] for position in here["positions"] if position}
    for field in filter(is_corner, taken):
        canvas.stamp(_slab(board, True, track.cell), track.cell_of(field).centre)


def draw_pieces(canvas: Canvas, track: BoardTrack, board: str, here: BoardView) -> None:
    """Draw the scrolls that are left; draw pieces that have not moved side by side at the lower
    edge of the painting, and all others on their fields, in piles with the leading piece on top.

    A piece that is a lap ahead has a golden ring, and its field has a golden tag with the number of
    the field it has reached.
    """
    waiting = unmoved(here)
    size, spots = track.waiting(here, len(waiting))
    if waiting:
        top = spots[-1][1] - size / 2 - 5
        canvas.rect(track.yard.inset(-2)._replace(top=round(top)), PATHS[board].light)
    for colour, at in zip(waiting, spots, strict=True):
        canvas.stamp(laid_token(colour, size), at)
    for field in here.get("scrolls", ()):
        x, y = track.cell_of(field).centre
        dx, dy = track.inwards(field)
        out = track.cell * 0.42
        canvas.stamp(parchment(round(track.cell * 0.7)), (x + dx * out, y + dy * out))
    placed = [(on_lap(here["positions"][colour]), colour) for colour in reversed(here["order"])]
    placed.sort(key=lambda piece: piece[0][1])
    ahead: dict[int, int] = {}
    for field, pieces in groupby(placed, key=lambda piece: piece[0][1]):
        stack = [(laps, colour) for (laps, _), colour in pieces]
        most = max(laps for laps, _ in stack)
        if most:
            ahead[field] = most
        pile = track.pile(field, tagged=most > 0)
        for (laps, colour), row in zip(reversed(stack), pile.rows(len(stack)), strict=True):
            if len(stack) > 1:
                canvas.stamp(
                    _counter(colour, round(row.width), round(row.height), laps > 0), row.centre
                )
                continue
            size = round(track.cell * ABOVE_TAG) if most else track.disc
            at = row.centre[0], row.bottom - size / 2 + 3 if most else row.centre[1]
            for ring in range(laps, 0, -1):
                canvas.circle(at, size / 2 + ring * RING, FOIL, INK, 1.5)
            canvas.stamp(laid_token(colour, size), at)
    for field, laps in ahead.items():  # on top of the pieces on neighbouring fields
        _draw_tag(canvas, track, field, laps)


@cached
def _counter(seat: int, width: int, height: int, ahead: bool) -> Sprite:
    """Return a piece in a pile, seen from the side; it has a golden edge if it is a lap ahead."""
    canvas = Canvas(width, height)
    canvas.rect(canvas.box, INK, radius=7)
    canvas.rect(canvas.box.inset(1.5), FOIL if ahead else LIGHT, radius=6)
    canvas.rect(canvas.box.inset(5 if ahead else 2.5), SEATS[seat].colour, radius=4)
    device(canvas, seat, canvas.box.centre, height * 0.66, SEATS[seat].device)
    return canvas.sprite()


def has_tag(here: BoardView, field: int) -> bool:
    """Return whether a piece on a field of the track is a lap ahead."""
    laps = [on_lap(position) for position in here["positions"] if position]
    return any(lap and at == field for lap, at in laps)


def _draw_tag(canvas: Canvas, track: BoardTrack, field: int, laps: int) -> None:
    """Draw the number of the field reached by pieces with a ring, once for all of them."""
    text = str(field + laps * NUMBERS.lap)
    tag = track.tag_of(field, text_width(text, LAP) + 12)
    canvas.rect(tag, FOIL, INK, 1.5, radius=7)
    canvas.text(tag.centre, text, LAP)


def mark(canvas: Canvas, track: BoardTrack, origin: int, field: int) -> None:
    """Frame the field a piece has reached, and draw a dotted line to it."""
    for passed in range(origin + 1, field):
        at = track.passing(on_lap(passed)[1])
        canvas.circle(at, track.cell * 0.16, INK)
        canvas.circle(at, track.cell * 0.16 - 1.5, FOIL)
    cell = track.cell_of(on_lap(field)[1])
    canvas.frame(cell.inset(3), radius=4)
    side = track.cell + 4
    canvas.stamp(corner_ticks(side, side, CORNERS), cell.centre)
