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
STARTERS = 0.8
"""Maximum diameter of a piece that has not moved, in fields."""
PILES: tuple[tuple[float, tuple[Point, ...]], ...] = (
    (0.9, ((0, 0),)),
    (0.76, ((-0.22, 0.21), (0.22, -0.21))),
    (0.64, ((-0.25, 0.22), (0.25, 0.22), (0, -0.2))),
    (0.56, ((-0.26, 0.26), (0.26, 0.26), (-0.26, -0.26), (0.26, -0.26))),
    (0.52, ((-0.28, 0.28), (0.28, 0.28), (-0.28, -0.28), (0.28, -0.28), (0, 0))),
)
"""For each number of pieces on a field: their diameter, and their distances from the middle of the
field, the leading piece last. All are in fields.
"""
BESIDE_TAG = 0.78, (-0.11, -0.11)
"""Diameter of a single piece beside a tag, and its distance from the middle of the field, in
fields.
"""
ABOVE_TAG = 0.56, -0.25
"""Diameter of several pieces, side by side above a tag, and their distance from the middle of the
field, in fields.
"""
STEP, REACH = 0.56, 0.38
"""Maximum distance between these pieces, and maximum distance of the first and the last from the
middle of the field, in fields.
"""
SPILL = 0.2
"""How far pieces may reach beyond their field, in fields."""
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

    def size(self, pieces: int, *, tagged: bool = False) -> int:
        """Return the diameter of the pieces on a field, by their number.

        :param tagged: whether the field has a tag; see ``tag_of``.
        """
        beside = (BESIDE_TAG if pieces == 1 else ABOVE_TAG)[0]
        return round(self.cell * (beside if tagged else PILES[pieces - 1][0]))

    def places(self, field: int, pieces: int, *, tagged: bool = False) -> list[Point]:
        """Return the places of the pieces on a field, from the bottom up.

        :param tagged: whether the field has a tag; see ``tag_of``.
        """
        x, y = self.cell_of(field).centre
        offsets = PILES[pieces - 1][1]
        if tagged and pieces == 1:
            offsets = (BESIDE_TAG[1],)
        elif tagged:
            first = min(REACH, STEP * (pieces - 1) / 2)
            step = 2 * first / (pieces - 1)
            offsets = tuple((n * step - first, ABOVE_TAG[1]) for n in range(pieces))
        return [(x + dx * self.cell, y + dy * self.cell) for dx, dy in offsets]

    def tag_of(self, field: int, width: float) -> Box:
        """Return the place for the tag of pieces that are a lap ahead: the lower right corner of
        the field.
        """
        cell, height = self.cell_of(field), round(self.cell * TAG)
        right, bottom = cell.right + 3, cell.bottom + 3
        return Box(right - width, bottom - height, right, bottom)

    def passing(self, field: int) -> Point:
        """Return the place for the dot of a piece that has passed a field; it avoids the field's
        number.
        """
        (x, y), (dx, dy) = self.cell_of(field).centre, self.inwards(field)
        off = self.cell * 0.36 if is_corner(field) else 0.0
        return x + dx * off, y + dy * off

    def waiting(self, pieces: int) -> tuple[int, list[Point]]:
        """Return the diameter and the places of pieces that have not moved: side by side in the
        strip below the painting.
        """
        pitch = min(self.cell, (self.start.width - 4) / max(1, pieces))
        size = round(min(self.cell * STARTERS, pitch - 2))
        left, y = self.start.left + 2 + pitch / 2, self.start.centre[1]
        return size, [(left + n * pitch, y) for n in range(pieces)]


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
    """Draw the prizes at the lower right of the painting, in the order of ``prizes``, each with the
    colours that would win it; draw points for a field next to that field.
    """
    due, here = prizes(scene.view, board), scene.view.public["boards"][board]
    window, across = track.window, 1 if len(due) <= FEW else 2
    down = -(-len(due) // across)
    pitch = min(track.cell, (window.height - 8) / max(1, down))
    height, held = (
        round(min(pitch - 6, track.cell * HELD)),
        round(min(pitch - 4, track.cell * HELD)),
    )
    for n, prize in enumerate(due):
        shown = sign(board, prize, height)
        if prize.field is not None:
            _draw_worth(canvas, track, shown, prize.field, prize.field in here.get("scrolls", ()))
            continue
        right = window.right - 6 - (across - 1 - n % across) * (height + 8)
        x, y = right - shown.size[0] / 2, window.bottom - 4 - (down - n // across - 0.5) * pitch
        if prize.text == "?" and prize.colours:  # a shield of the codex that is taken
            canvas.stamp(bold_token(prize.colours[0], height), (x, y))
            continue
        canvas.stamp(shown, (x, y))
        x = right - shown.size[0] - held * 0.42
        room = x + held / 2 - window.left - 4
        colours = prize.colours if any(here["positions"]) else ()  # nobody is last at the start
        if len(colours) > CROWD:
            _draw_crowd(canvas, (x, y), held, len(colours))
            continue
        size = min(held, round(room / max(1, len(colours))))
        x += (held - size) / 2
        for colour in reversed(colours):
            canvas.stamp(bold_token(colour, size), (x, y))
            x -= size


def _draw_worth(canvas: Canvas, track: BoardTrack, worth: Sprite, field: int, scroll: bool) -> None:
    """Draw the points for a field next to it, on a scroll if one lies there; those for the first
    field are above the strip.
    """
    (x, y), (dx, dy) = track.cell_of(field).centre, track.inwards(field)
    off = track.cell * 0.94
    at = x + dx * off, min(y + dy * off, track.start.top - worth.size[1] / 2 - 2)
    if scroll:
        canvas.stamp(parchment(round(track.cell * 1.2)), at)
    canvas.stamp(worth, at)


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
    """Draw pieces that have not moved side by side below the painting, and all others on their
    fields, the leading piece on top.

    A piece that is a lap ahead has a golden ring, and its field has a golden tag with the number of
    the field it has reached; a corner with pieces has a tag with its number.
    """
    waiting = unmoved(here)
    size, spots = track.waiting(len(waiting))
    for colour, at in zip(waiting, spots, strict=True):
        canvas.stamp(bold_token(colour, size), at)
    placed = [(on_lap(here["positions"][colour]), colour) for colour in reversed(here["order"])]
    placed.sort(key=lambda piece: piece[0][1])
    ahead: dict[int, int] = {}
    for field, pieces in groupby(placed, key=lambda piece: piece[0][1]):
        pile = [(laps, colour) for (laps, _), colour in pieces]
        tagged = has_tag(here, field)
        if tagged:
            ahead[field] = max(laps for laps, _ in pile)
        size = track.size(len(pile), tagged=tagged)
        places = track.places(field, len(pile), tagged=tagged)
        for (laps, colour), at in zip(pile, places, strict=True):
            for ring in range(laps, 0, -1):
                canvas.circle(at, size / 2 + ring * RING, FOIL, INK, 1.5)
            canvas.stamp(bold_token(colour, size), at)
    for field, laps in ahead.items():  # on top of the pieces on neighbouring fields
        _draw_tag(canvas, track, field, laps)


def has_tag(here: BoardView, field: int) -> bool:
    """Return whether a field has a tag: a piece on it is a lap ahead or covers a number."""
    laps = [lap for lap, at in map(on_lap, filter(None, here["positions"])) if at == field]
    return any(laps) or (is_corner(field) and bool(laps))


def _draw_tag(canvas: Canvas, track: BoardTrack, field: int, laps: int) -> None:
    """Draw the number of the field that pieces have reached: on gold if they are a lap ahead."""
    text, kind = str(field + laps * NUMBERS.lap), Type("strong", round(track.cell * TAG))
    tag = track.tag_of(field, round(text_width(text, kind)) + 10)
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
