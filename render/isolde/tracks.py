"""One board: its banner, the path around its painting, and the pieces on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product
from math import dist, hypot
from operator import attrgetter

from games.isolde import NUMBERS
from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.geometry import Box, Point
from render.isolde.colours import BOARDS, DEEP, FOIL, INKS, JOINTS, PATHS, TOWERS
from render.isolde.devices import (
    bold_token,
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
    is_done,
    moved,
    next_scoring,
    on_lap,
    prizes,
    unmoved,
    waits_for_scroll,
)
from render.isolde.words import board_name
from render.letters import text_width
from render.plates import corner_ticks
from render.scene import Scene
from render.theme import INK, LIGHT, MIN_TEXT, Colour, Type, mix

SIDE = 6
"""Fields along each side, counting both corners; every fifth field is a corner."""
BANNER = 0.88
"""Height of the banner above a board, in fields."""
CORNERS = 8
"""Thickness of the corner marks on the frame around the last move."""
CROWD = 3
"""If more pieces than this share a prize, their number is shown instead."""
FEW = 3
"""Up to this many prizes are in one column; more are in two."""
HELD = 0.84
"""Diameter, in fields, of a piece next to a prize, if the prizes leave enough room."""
VIEWS: dict[str, tuple[float, float, float]] = {
    "ISOLDE": (0.13, 0.05, 1.17),
    "MAGIE": (0.11, 0.04, 1.15),
    "LANZE": (0.14, 0.14, 1.19),
    "TURNIER": (0.14, 0.06, 1.19),
    "STUDIEN": (0.2, 0.27, 1.28),
    "KOENIG": (0, 0.14, 1.3),
    "GRAL": (0.27, 0.31, 1.4),
    "BARM": (0.14, 0.24, 1.2),
}
"""For each board, how much of its painting is to the left of the window and above it, as shares of
the painting, and how much wider than the window the painting is.
"""
LEAD, HOLD = 5, 9
"""Width of the line from a field to its points, and its length on the field, in pixels."""
SCROLL, SHADE = 1.2, 4
"""Width of a scroll under points in fields, and of the edge of a scroll or shield that is only
shadow in pixels.
"""
STARTERS = 0.8
"""Maximum diameter of a piece that has not moved, in fields."""
ALONE, SHARED = 0.9, 0.76
"""Diameter of a piece that is alone on a field without a tag, and of any other, in fields."""
ROWS: tuple[tuple[Point, ...], ...] = (
    ((0, 0),),
    ((0, 0), (0.68, 0)),
    ((0, 0), (0.6, 0), (1.2, 0)),
    ((0, 0.32), (0, -0.32), (0.6, 0.32), (0.6, -0.32)),
    ((0, 0.32), (0, -0.32), (0.6, 0.32), (0.6, -0.32), (1.2, 0)),
)
"""For each number of pieces on a field, their places from the leading piece on: how far inwards and
how far ahead on the path they are, in fields.
"""
AROUND = 1.15
"""How much farther apart pieces on a corner are: they stand between those on the next fields."""
SLANTS = 0.5, 0, 0, -0.5, 0
"""For each field of a side, how far a row of two or three pieces turns to the left for each step
inwards: away from a corner beside the field.
"""
FIRST = 0.06
"""How far the first piece of a row stands outwards from the middle of its field, in fields."""
BESIDE_TAG: dict[Point, Point] = {
    (1, 0): (0.32, 0.12),
    (1, -1): (0.48, 0),
    (0, 1): (0.26, 0),
    (1, 1): (0.18, 0),
}
"""How far the first piece on a field with a tag stands inwards and below the middle of the field,
in fields, along each axis of the direction inwards; -1 is a field of the left or right side that
has a corner above it. A tag is wider than it is high.
"""
BEYOND = 2
"""How far a tag on a corner or on a field of the left or right side reaches beyond the board, in
pixels.
"""
PLANK = 4
"""How far the plank under a row reaches beyond its pieces, in pixels."""
LOWEST, SMALLEST = (0.78, 0.62), 0.5
"""Minimum height of a prize's line, first with enough room and then with too little, and minimum
diameter of a piece beside a prize; all in fields.
"""
AIR = 4
"""Minimum distance of pieces that wait, and of points for a field, from a row, in pixels."""
TAG, RING = 0.48, 4
"""Height of a tag in fields, and width of a ring in pixels."""


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
        """Everything inside the path."""
        return self.square.inset(self.cell)

    @cached_property
    def window(self) -> Box:
        """The part of the yard in which the painting is seen."""
        return self.yard._replace(bottom=self.yard.bottom - self.cell)

    @cached_property
    def start(self) -> Box:
        """The strip below the painting, for the pieces that have not moved."""
        return self.yard._replace(top=self.window.bottom)

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

    def edge(self, field: int) -> Point:
        """Return the middle of a field's inner edge."""
        (x, y), (dx, dy) = self.cell_of(field).centre, self.inwards(field)
        return x + dx * self.cell / 2, y + dy * self.cell / 2

    def size(self, pieces: int, *, tagged: bool = False) -> int:
        """Return the diameter of the pieces on a field, by their number.

        :param tagged: whether the field has a tag; see ``tag_of``.
        """
        return round(self.cell * (SHARED if tagged or pieces > 1 else ALONE))

    def places(self, field: int, pieces: int, *, tagged: bool = False) -> list[Point]:
        """Return the places of the pieces on a field, from the bottom up: a row that begins with
        the leading piece on the field and continues inwards.

        :param tagged: whether the field has a tag; see ``tag_of``.
        """
        (x, y), (dx, dy) = self.cell_of(field).centre, self.inwards(field)
        first, down = 0.0 if pieces == 1 else -FIRST, 0.0
        if tagged:
            first, down = BESIDE_TAG[abs(dx), -1 if self._is_below_corner(field) else abs(dy)]
        x, y = x + dx * first * self.cell, y + (dy * first + down) * self.cell
        pitch = self.cell * (AROUND if is_corner(field) else 1)
        dx, dy = (each * pitch for each in self._course(field, pieces))
        spots = reversed(ROWS[pieces - 1])
        return [(x + dx * far + dy * ahead, y + dy * far - dx * ahead) for far, ahead in spots]

    def _course(self, field: int, pieces: int) -> Point:
        """Return the direction of a row of pieces, as a unit vector."""
        (dx, dy), turn = self.inwards(field), SLANTS[(field - 1) % (SIDE - 1)] * (pieces < 4)
        length = hypot(dx, dy) * hypot(1, turn)
        return (dx + dy * turn) / length, (dy - dx * turn) / length

    def reach(self, field: int, pieces: int) -> Box:
        """Return a box around a field with a tag and all pieces on it."""
        size = self.size(pieces, tagged=True) + 4 * RING
        boxes = [Box.at(at, size) for at in self.places(field, pieces, tagged=True)]
        lefts, tops, rights, bottoms = zip(self.cell_of(field).inset(-RING), *boxes, strict=True)
        return Box(min(lefts), min(tops), max(rights), max(bottoms))

    def tag_of(self, field: int, width: float) -> Box:
        """Return the place for the tag of a field: in the middle of its outer edge or, at the sides
        and in a corner, in an outer corner unless a piece on the corner above would be there.
        """
        (dx, dy), height = self.inwards(field), round(self.cell * TAG)
        cell = self.cell_of(field).inset(1, -3 if dy else 5)
        x, y = cell.centre
        x -= dx * ((cell.width - width) / 2 + BEYOND)
        if not self._is_below_corner(field):
            y -= (dy or 1) * (cell.height - height) / 2
        return Box.at((x, y), width, height)

    def _is_below_corner(self, field: int) -> bool:
        """Return whether a field of the left or right side has a corner above it."""
        side = (field - 1) // (SIDE - 1)
        return not is_corner(field) and side in (0, 2) and is_corner(field + 1 - side)

    def passing(self, field: int) -> Point:
        """Return the place for the dot of a piece that has passed a field; it avoids the field's
        number.
        """
        (x, y), (dx, dy) = self.cell_of(field).centre, self.inwards(field)
        off = self.cell * 0.36 if is_corner(field) else 0.0
        return x + dx * off, y + dy * off

    def waiting(
        self, pieces: int, taken: Sequence[Box] = (), first: int = 0
    ) -> tuple[int, list[Point]]:
        """Return the diameter and the places of pieces that have not moved: side by side in the
        strip below the painting.

        :param taken: boxes to avoid.
        :param first: how many slots to leave free; see ``first_slot``.
        """
        slots = self.start.inset(2, 0).columns(max(SIDE - 2, pieces + first))[first:]
        size = round(min(self.cell * STARTERS, slots[0].width - 2))
        if taken:
            free = [slot for slot in slots if not _meets_any(slot.inset(AIR), taken)]
            slots = free if len(free) >= pieces else slots
        return size, [slot.centre for slot in slots[:pieces]]


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
            kind = Type("strong", round(track.cell * 0.58))
            canvas.text(track.cell_of(field).centre, str(field), kind, INK, under=True)
    _draw_arrow(canvas, track, JOINTS[board])
    canvas.rect(square, None, DEEP[board], 2)


def _draw_scene(canvas: Canvas, track: BoardTrack, board: str) -> None:
    """Draw the painting, of which the window shows a part, and the strip below it."""
    window = track.window
    canvas.rect(track.square, JOINTS[board])
    left, top, scale = VIEWS[board]
    size = round(window.width * scale)
    painting = Canvas(size, size)
    painting.stamp(scenery(board, size, lit=False), painting.box.centre)
    seen = window.inset(-2)
    at = seen.left - round(size * left), seen.top - round(size * top)
    canvas.inlay(painting, Box(*at, 0, 0), seen)
    canvas.rect(track.start.inset(1), PATHS[board].light)


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


def _draw_arrow(canvas: Canvas, track: BoardTrack, colour: Colour) -> None:
    """Draw an arrow on the first field, to show the direction."""
    (x, y), size = track.cell_of(1).centre, track.cell * 0.24
    tip = x, y - size / 2
    wings = [(x + side * size, y + size / 2) for side in (-1, 1)]
    canvas.line([wings[0], tip, wings[1]], colour, track.cell * 0.1)


def _draw_banner(canvas: Canvas, box: Box, board: str) -> None:
    canvas.rect(box, BOARDS[board])
    canvas.rect(Box(box.left, box.bottom - 3, box.right, box.bottom), DEEP[board])
    canvas.rect(Box(box.left, box.top, box.right, box.top + 2), mix(BOARDS[board], LIGHT, 0.35))


# ---------------------------------------------------------------------- what changes
def draw_banner(canvas: Canvas, track: BoardTrack, scene: Scene, board: str) -> None:
    """Draw a board's device, its name, and the seal of its next scoring."""
    box = track.banner
    y, size = box.centre[1], round(box.height * 0.86)
    canvas.stamp(emblem(board, size), (box.left + 5 + size / 2, y))
    sign, right = _seal(scene, board, size), box.right - 5
    if sign is not None:
        right -= sign.size[0]
        canvas.stamp(sign, (right + sign.size[0] / 2, y))
    left = box.left + size + 9
    name = board_name(board, scene.say)
    kinds = Type("strong", round(track.cell * 0.53)), Type("strong", MIN_TEXT)
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
    """Draw the prizes: points for a field next to that field, all others in a list at the lower
    right of the painting, in the order of ``prizes``, each with the colours that would win it. They
    make room for rows of pieces. A board that will not be scored again has none.
    """
    if is_done(scene.view, board):
        return
    here, due = scene.view.public["boards"][board], prizes(scene.view, board)
    fields = {prize.field: prize for prize in due if prize.field is not None}
    if fields:
        _draw_worths(canvas, track, board, fields, here)
    rows = [box for box in _boxes_of(track, piece_rows(here)) if _meet(box, track.window)]
    listed = [prize for prize in due if prize.field is None]
    if not any(here["positions"]):  # nobody is last at the start
        listed = [replace(prize, colours=()) for prize in listed]
    for stamp, at in _list_of(track, board, listed, rows) if listed else ():
        canvas.stamp(stamp, at)


def _list_of(
    track: BoardTrack, board: str, due: Sequence[Prize], rows: Sequence[Box]
) -> list[tuple[Sprite, Point]]:
    """Return the parts of the list of prizes and their places: as far to the right of the window as
    they touch no piece, or in its corner if they always do.
    """
    window, down = track.window, -(-len(due) // _across(due))
    usual = list(_list_in(window, track.cell, board, due))
    if not rows:
        return usual
    lefts = [box.right for box in rows if window.left < box.right < window.centre[0]]
    tops = [box.bottom for box in rows if window.top < box.bottom < window.bottom]
    rights = [box.left for box in rows if window.left < box.left < window.right]
    for lowest, right, left, top in product(
        LOWEST,
        [window.right, *sorted(rights, reverse=True)],
        [window.left, *sorted(lefts)],
        [window.top, *sorted(tops)],
    ):
        if window.bottom - top < down * track.cell * lowest:
            continue
        placed = list(_list_in(Box(left, top, right, window.bottom), track.cell, board, due))
        boxes = [Box.at(at, *stamp.size) for stamp, at in placed]
        if min(boxes).left >= left and not any(_meets_any(box, rows) for box in boxes):
            return placed
    return usual


def _list_in(
    room: Box, cell: int, board: str, due: Sequence[Prize]
) -> Iterator[tuple[Sprite, Point]]:
    """Yield the parts of the list of prizes and their places at the lower right of a room."""
    across = _across(due)
    down = -(-len(due) // across)
    pitch = min(cell, (room.height - 8) / down)
    # few sizes, because each is kept
    height, held = (round(min(pitch - gap, cell * HELD)) // 2 * 2 for gap in (6, 4))
    for n, prize in enumerate(due):
        shown = sign(board, prize, height)
        right = room.right - 6 - (across - 1 - n % across) * (height + 8)
        x, y = right - shown.size[0] / 2, room.bottom - 4 - (down - n // across - 0.5) * pitch
        if prize.text == "?" and prize.colours:  # a shield of the codex that is taken
            yield bold_token(prize.colours[0], height), (x, y)
            continue
        yield shown, (x, y)
        x = right - shown.size[0] - held * 0.42
        space = x + held / 2 - room.left - 4
        if len(prize.colours) > CROWD:
            yield _crowd(held, len(prize.colours)), (x, y)
            continue
        size = min(held, round(space / max(1, len(prize.colours))))
        size = max(size, round(cell * SMALLEST))
        x += (held - size) / 2
        for colour in reversed(prize.colours):
            yield bold_token(colour, size), (x, y)
            x -= size


def _across(due: Sequence[Prize]) -> int:
    """Return the number of columns in a list of prizes."""
    return 1 if len(due) <= FEW else 2


def _meets_any(box: Box, others: Sequence[Box]) -> bool:
    """Return whether a box overlaps any other by more than a pixel."""
    return any(_meet(box, other) for other in others)


def _meet(box: Box, other: Box) -> bool:
    left, top, right, bottom = other
    return box[0] < right - 1 and left < box[2] - 1 and box[1] < bottom - 1 and top < box[3] - 1


def _boxes_of(track: BoardTrack, rows: Sequence[PieceRow]) -> list[Box]:
    """Return the boxes of all pieces in these rows."""
    return [box for row in rows for box in row.boxes(track)]


def _draw_worths(
    canvas: Canvas, track: BoardTrack, board: str, due: Mapping[int, Prize], here: BoardView
) -> None:
    """Draw the points for fields, on a scroll if one lies there. Each has a lead from its field,
    because in a corner they are next to two fields, or from the end of the row on its field.
    """
    scroll, scrolls = parchment(round(track.cell * SCROLL)), here.get("scrolls", ())
    rows = {row.field: row for row in piece_rows(here)}
    signs = {field: sign(board, due[field], round(track.cell * HELD)) for field in due}
    sizes = dict[int, tuple[float, float]]()
    for field, worth in signs.items():
        wide, high = scroll.size if field in scrolls else worth.size
        less = 0.2 * track.cell * SCROLL if field in scrolls else 0  # a scroll is not square
        sizes[field] = wide - 2 * SHADE, high - less - 2 * SHADE
    size, spots = _waiting(track, here)
    taken = [box.inset(-AIR) for box in _boxes_of(track, list(rows.values()))]
    taken = [box for box in taken if _meet(box, track.yard)]
    taken += [Box.at(at, size - AIR) for at in spots]
    below = bool(first_slot(here, len(spots)))
    for field, box in _settled(track, sizes, taken, below).items():
        lead = [track.edge(field), box.centre]
        if field not in rows or len(rows[field].colours) == 1:
            (x, y), (dx, dy) = lead[0], track.inwards(field)
            hold = 0 if field in rows else HOLD
            lead.insert(0, (x - dx * hold, y - dy * hold))
        else:
            (x, y), radius = rows[field].boxes(track)[0].centre, rows[field].size(track) / 2
            far = dist((x, y), box.centre)
            dx, dy = (box.centre[0] - x) / far, (box.centre[1] - y) / far
            lead[0] = x + dx * radius, y + dy * radius
        canvas.line(lead, INK, LEAD + 3)
        canvas.line(lead, FOIL, LEAD)
        if field in scrolls:
            canvas.stamp(scroll, box.centre)
        canvas.stamp(signs[field], box.centre)


def first_slot(here: BoardView, waiting: int) -> int:
    """Return how many slots pieces that have not moved leave free in the strip: one for the points
    for the first field, if there are any and there is room.
    """
    return int(any(field == 1 for field, _ in here.get("points", ())) and waiting <= SIDE - 2)


def _waiting(track: BoardTrack, here: BoardView) -> tuple[int, list[Point]]:
    """Return the diameter and the places of the pieces that have not moved."""
    pieces = len(unmoved(here))
    if not pieces:
        return 0, []
    taken = [box for box in _boxes_of(track, piece_rows(here)) if _meet(box, track.start)]
    return track.waiting(pieces, taken, first_slot(here, pieces))


def _settled(
    track: BoardTrack,
    sizes: Mapping[int, tuple[float, float]],
    obstacles: Sequence[Box],
    below: bool,
) -> dict[int, Box]:
    """Choose a place for the points of each field, clear of the pieces and of each other: those
    that cannot be next to their field choose first or last, whichever moves fewer.

    :param sizes: the width and height of the points for each field.
    :param obstacles: boxes to avoid.
    :param below: see ``_places``.
    """
    near = {field: Box.at(_places(track, field, below)[0], *size) for field, size in sizes.items()}
    found = []
    for late in (False, True):
        taken, cost, chosen = [*obstacles], 0, dict[int, Box]()
        for field in sorted(sizes, key=lambda field: _meets_any(near[field], taken) is late):
            boxes = (Box.at(at, *sizes[field]) for at in _places(track, field, below))
            free = ((n, box) for n, box in enumerate(boxes) if not _meets_any(box, taken))
            moved, chosen[field] = next(free, (0, near[field]))
            taken.append(chosen[field].inset(-2))
            cost += moved
        found.append((cost, chosen))
    return min(found, key=lambda each: each[0])[1]


@cache
def _places(track: BoardTrack, field: int, below: bool) -> tuple[Point, ...]:
    """Return places for the points for a field, the nearest first: inwards from the field, and up
    to a field to either side.

    :param below: whether those for the first field may be in the strip; if not, they are above it.
    """
    (x, y), (dx, dy) = track.cell_of(field).centre, track.inwards(field)
    lowest, room = track.start.top - track.cell * HELD / 2 - 2, track.window.inset(track.cell / 2)
    lowest = track.start.centre[1] if below and field == 1 else lowest
    places = []
    steps = product(range(4 * SIDE), range(-8, 9))
    for inward, aside in sorted(steps, key=lambda step: (step[0] + abs(step[1]), -step[0])):
        off, along = track.cell * (0.94 + inward / 8), track.cell * aside / 8
        at = x + dx * off + dy * along, min(y + dy * off + dx * along, lowest)
        if not aside or (room.left <= at[0] <= room.right and room.top <= at[1] <= room.bottom):
            places.append(at)
    return tuple(places)


@cached
def _crowd(size: int, number: int) -> Sprite:
    """Return a disc with the number of pieces that share a prize."""
    canvas = Canvas(size + 4, size + 4)
    canvas.circle(canvas.box.centre, size / 2, LIGHT, INK, 3)
    kind = Type("strong", max(MIN_TEXT, round(size * 0.66)))
    canvas.text(canvas.box.centre, str(number), kind, INK)
    return canvas.sprite()


def sign(board: str, prize: Prize, height: int) -> Sprite:
    """Return a prize: a shield, or a ribbon for any other prize."""
    return (shield if prize.worth else ribbon)(board, prize.text, height)


def clear_corners(canvas: Canvas, track: BoardTrack, board: str, here: BoardView) -> None:
    """Remove the numbers of the corners on which pieces stand, and the arrow under a piece: half of
    either is of no use.
    """
    taken = {on_lap(position)[1] for position in here["positions"] if position}
    for field in taken:
        if field == 1 or is_corner(field):
            slab = _slab(board, is_corner(field), track.cell)
            canvas.stamp(slab, track.cell_of(field).centre)


@dataclass(frozen=True)
class PieceRow:
    """The row of pieces on a field, from the bottom up.

    :param laps: for each piece, how many laps it is ahead.
    """

    field: int
    colours: tuple[int, ...]
    laps: tuple[int, ...]

    @cached_property
    def tagged(self) -> bool:
        """Whether the field has a tag: a piece on it is a lap ahead or covers a number."""
        return any(self.laps) or is_corner(self.field)

    def size(self, track: BoardTrack) -> int:
        """Return the diameter of the pieces."""
        return track.size(len(self.colours), tagged=self.tagged)

    def boxes(self, track: BoardTrack) -> tuple[Box, ...]:
        """Return the boxes of the pieces."""
        return _boxes(track, self.field, len(self.colours), self.tagged)


@cache
def _boxes(track: BoardTrack, field: int, pieces: int, tagged: bool) -> tuple[Box, ...]:
    size = track.size(pieces, tagged=tagged)
    return tuple(Box.at(at, size) for at in track.places(field, pieces, tagged=tagged))


def piece_rows(here: BoardView) -> list[PieceRow]:
    """Return the row of pieces on each field that has any."""
    rows: dict[int, list[tuple[int, int]]] = {}
    for colour in reversed(here["order"]):
        laps, field = on_lap(here["positions"][colour])
        rows.setdefault(field, []).append((colour, laps))
    return [PieceRow(field, *zip(*row, strict=True)) for field, row in rows.items()]


def draw_pieces(canvas: Canvas, track: BoardTrack, board: str, here: BoardView) -> None:
    """Draw pieces that have not moved side by side below the painting, and all others on their
    fields: in a row that begins with the leading piece and continues inwards on a plank. Rows from
    corners lie below those of the fields beside them, which have less room.

    A piece that is a lap ahead has a golden ring, and its field has a golden tag with the number of
    the field it has reached; a corner with pieces has a tag with its number.
    """
    rows, waiting = piece_rows(here), unmoved(here)
    size, spots = _waiting(track, here)
    for colour, at in zip(waiting, spots, strict=True):
        canvas.stamp(bold_token(colour, size), at)
    for row in rows:
        _draw_plank(canvas, track, board, row)
    for row in sorted(rows, key=lambda row: not is_corner(row.field)):
        size = row.size(track)
        for colour, laps, box in zip(row.colours, row.laps, row.boxes(track), strict=True):
            at = box.centre
            for ring in range(laps, 0, -1):
                canvas.circle(at, size / 2 + ring * RING, FOIL, INK, 1.5)
            canvas.stamp(bold_token(colour, size), at)
    for row in filter(attrgetter("tagged"), rows):
        _draw_tag(canvas, track, row.field, max(row.laps))


def _draw_plank(canvas: Canvas, track: BoardTrack, board: str, row: PieceRow) -> None:
    """Draw the plank on which several pieces stand."""
    if len(row.colours) == 1:
        return
    places = [box.centre for box in reversed(row.boxes(track))]
    ground = (TOWERS if is_corner(row.field) else PATHS)[board].light
    for colour, over in ((DEEP[board], PLANK), (ground, PLANK - 2)):
        wide = row.size(track) + 2 * over
        canvas.line(places, colour, wide)


def _draw_tag(canvas: Canvas, track: BoardTrack, field: int, laps: int) -> None:
    """Draw the number of the field that pieces have reached: on gold if they are a lap ahead."""
    text, kind = str(field + laps * NUMBERS.lap), Type("strong", round(track.cell * TAG))
    tag = track.tag_of(field, round(text_width(text, kind)) + 8)
    canvas.rect(tag, FOIL if laps else LIGHT, INK, 1.5, radius=8)
    canvas.text(tag.centre, text, kind)


def mark_last(canvas: Canvas, track: BoardTrack, scene: Scene, board: str) -> None:
    """Mark the moves on a board since the last picture, unless it has been reset after them."""
    positions = scene.view.public["boards"][board]["positions"]
    for step in moved(scene.facts):
        if step.board == board and positions[step.colour] == step.field:
            _mark(canvas, track, step.origin, step.field)


def _mark(canvas: Canvas, track: BoardTrack, origin: int, field: int) -> None:
    """Frame the field a piece has reached, and draw a dotted line to it."""
    for passed in range(origin + 1, field):
        at = track.passing(on_lap(passed)[1])
        canvas.circle(at, track.cell * 0.16, INK)
        canvas.circle(at, track.cell * 0.16 - 1.5, FOIL)
    cell = track.cell_of(on_lap(field)[1])
    canvas.frame(cell.inset(3), radius=4)
    side = track.cell + 4
    canvas.stamp(corner_ticks(side, side, CORNERS), cell.centre)
