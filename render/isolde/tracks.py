"""One scroll: its heading, its fields and the pieces on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from games.isolde import NUMBERS
from render.canvas import Canvas, Sprite, fitted, text_width
from render.geometry import Box, Point
from render.isolde.colours import ROLLS, SCROLLS
from render.isolde.devices import ROMAN, medallion, parchment, ribbon, seal, shield
from render.isolde.standings import (
    BoardView,
    Prize,
    next_scoring,
    on_lap,
    prizes,
    unmoved,
    waits_for_scroll,
)
from render.isolde.words import board_name
from render.plates import token
from render.scene import Scene
from render.theme import FAINT, GOLD, INK, LIGHT, LINE, PANEL, Type

NAME = Type("strong", 26)
NUMBER = Type("text", 24)
LAPPED = Type("strong", 24)

ROLL = 14
"""Width of the rolled ends."""
HEADING = 48
NUMBER_ROOM = 20
"""Height of a number at the top of its field."""
SMALLEST = 24
"""Size of the smallest pieces: those of a stack below a number."""


@dataclass(frozen=True, slots=True)
class Track:
    """Where everything lies on a scroll.

    :param box: of the scroll.
    :param rows: rows of fields, one above the other.
    :param disc: size of the pieces.
    """

    box: Box
    rows: int
    disc: int

    @property
    def start(self) -> Box:
        """Where those lie who have not moved."""
        room = self._room
        return Box(room.left, room.top, room.left + self._start_width, room.bottom)

    @property
    def _start_width(self) -> float:
        return 2.3 * self.disc

    @property
    def _room(self) -> Box:
        inner = self.box.inset(ROLL, 0)
        return Box(inner.left, inner.top + HEADING, inner.right, inner.bottom - 6)

    def cell(self, field: int) -> Box:
        """A field of the track, counted from 1."""
        per_row = NUMBERS.lap // self.rows
        row, column = divmod(field - 1, per_row)
        room = self._room
        left = room.left + self._start_width
        width, height = (room.right - left) / per_row, room.height / self.rows
        x, y = left + column * width, room.top + row * height
        return Box(round(x), round(y), round(x + width), round(y + height))


# ------------------------------------------------------------------------ what stays
def draw_scroll(canvas: Canvas, track: Track, board: str) -> None:
    """The empty scroll with its fields."""
    box = track.box
    canvas.rect(box.inset(4, 2), LINE, radius=4)
    canvas.rect(box.inset(5, 3), LIGHT, radius=4)
    for left in (box.left, box.right - ROLL):
        roll = Box(left, box.top, left + ROLL, box.bottom)
        canvas.rect(roll, ROLLS[board], radius=ROLL / 2)
        canvas.rect(Box(left + 3, box.top + 3, left + 8, box.bottom - 3), SCROLLS[board], radius=3)
    canvas.rect(track.start, PANEL)
    for field in range(1, NUMBERS.lap + 1):
        _draw_field(canvas, track.cell(field), field)


def _draw_field(canvas: Canvas, cell: Box, field: int) -> None:
    """A field; every fifth one is shaded and numbered."""
    if _is_numbered(field):
        canvas.rect(cell, PANEL)
        at = cell.centre[0], cell.top + NUMBER_ROOM / 2 + 1
        canvas.text(at, str(field), NUMBER, FAINT)
    canvas.rect(Box(cell.left, cell.top, cell.left + 1, cell.bottom), LINE)
    canvas.rect(Box(cell.left, cell.top, cell.right, cell.top + 1), LINE)


def _is_numbered(field: int) -> bool:
    return field % 5 == 0


# ---------------------------------------------------------------------- what changes
def draw_heading(canvas: Canvas, track: Track, scene: Scene, board: str) -> None:
    """Device and name; prizes with those who would get them; when it is scored next."""
    y = track.box.top + 25
    left, right = track.box.left + ROLL + 6, track.box.right - ROLL - 4
    canvas.stamp(medallion(board, 40), (left + 20, y))
    name = board_name(board, scene.say)
    right = _draw_seal(canvas, (right, y), scene, board)
    due = prizes(scene.view, board)
    room = right - 10 - left - 60 - text_width(name, NAME)
    if _width(board, due) > room:
        due = [replace(prize, colours=()) for prize in due]
    right = _draw_prizes(canvas, (right - 10, y), board, due)
    canvas.text((left + 50, y), fitted(name, NAME, right - left - 60), NAME, INK, "lm")


def _draw_seal(canvas: Canvas, at: Point, scene: Scene, board: str) -> float:
    """The round of the next scoring, and where the seal begins."""
    view = scene.view
    x, y = at[0] - 20, at[1]
    coming = next_scoring(view, board)
    if coming is not None:
        canvas.stamp(seal(ROMAN[coming], coming == view.round, 40), (x, y))
    elif view.outcome is None and waits_for_scroll(view, board):
        canvas.stamp(seal("", now=False, size=40), (x, y))
        canvas.stamp(parchment(26), (x, y))
    else:
        canvas.stamp(seal("–", now=False, size=40), (x, y))
    return x - 20


def _width(board: str, due: Sequence[Prize]) -> float:
    """Of the prizes with their holders."""
    tokens = sum(14 * len(prize.colours) + 14 for prize in due if prize.colours)
    return tokens + sum(_sign(board, prize).size[0] + 8 for prize in due)


def _sign(board: str, prize: Prize) -> Sprite:
    return shield(board, prize.text, 34) if prize.worth else ribbon(board, prize.text, 34)


def _draw_prizes(canvas: Canvas, at: Point, board: str, due: Sequence[Prize]) -> float:
    """The prizes up to a point at the right, each with its holders; where they begin."""
    x, y = at
    for prize in reversed(due):
        for colour in reversed(prize.colours):
            x -= 24 if colour == prize.colours[-1] else 14
            canvas.stamp(token(colour, 24), (x + 12, y))
        x -= 4 if prize.colours else 0
        sprite = _sign(board, prize)
        x -= sprite.size[0]
        canvas.stamp(sprite, (x + sprite.size[0] / 2, y))
        x -= 8
    return x


def draw_pieces(canvas: Canvas, track: Track, here: BoardView) -> None:
    """Those that have not moved side by side; the others in stacks, the first on top.

    Who is a lap ahead stands higher than who is not, and on a second disc of his colour.
    """
    _draw_waiting(canvas, track, unmoved(here))
    for field in here.get("scrolls", ()):
        cell = track.cell(field)
        canvas.stamp(parchment(30), (cell.right - 18, cell.top + 18))
    placed = [(on_lap(here["positions"][colour]), colour) for colour in reversed(here["order"])]
    placed.sort(key=lambda piece: piece[0][1])
    for field, pieces in groupby(placed, key=lambda piece: piece[0][1]):
        tower = [(laps, colour) for (laps, _), colour in pieces]
        _draw_tower(canvas, track.cell(field), track.disc, field, tower)


def _draw_waiting(canvas: Canvas, track: Track, colours: Sequence[int]) -> None:
    """No one is ahead of another at the start."""
    disc, box = track.disc, track.start
    per_row = min(3 if track.rows == 1 else 2, max(1, len(colours)))
    columns = box.inset(2).columns(per_row)
    rows = -(-len(colours) // per_row)
    size = min(disc, *(int(extent) - 3 for extent in (columns[0].width, box.height / max(1, rows))))
    for n, colour in enumerate(colours):
        row, column = divmod(n, per_row)
        y = box.centre[1] + (row - (rows - 1) / 2) * (size + 2)
        canvas.stamp(token(colour, size), (columns[column].centre[0], y))


def _number_anew(canvas: Canvas, cell: Box, field: int) -> None:
    """Say how far the pieces on a field have come that are all on one later lap."""
    canvas.rect(Box(cell.left + 4, cell.top + 3, cell.right - 4, cell.top + NUMBER_ROOM), LIGHT)
    canvas.text((cell.centre[0], cell.top + NUMBER_ROOM / 2 + 1), str(field), LAPPED, GOLD)


def _draw_tower(
    canvas: Canvas, cell: Box, disc: int, field: int, tower: Sequence[tuple[int, int]]
) -> None:
    """A stack from the bottom to the top; under a number it leans to the right where it has no
    room to rise.
    """
    laps_done = {laps for laps, _ in tower}
    anew = 0 not in laps_done and len(laps_done) == 1
    if anew:
        _number_anew(canvas, cell, laps_done.pop() * NUMBERS.lap + field)
    size, lean = disc, 0.0
    if anew or _is_numbered(field):
        cell = Box(cell.left, cell.top + NUMBER_ROOM, cell.right, cell.bottom)
        size, lean = _below_a_number(cell, disc, len(tower))
    rise = min(size * 0.5, (cell.height - size - 2) / max(1, len(tower) - 1))
    x, y = cell.centre[0] - lean * (len(tower) - 1) / 2, cell.bottom - 1 - size / 2
    for laps, colour in tower:
        if laps:
            canvas.stamp(token(colour, size), (x - 5, y))
        canvas.stamp(token(colour, size), (x, y))
        x, y = x + lean, y - rise


def _below_a_number(cell: Box, disc: int, pieces: int) -> tuple[int, float]:
    """Size of the pieces of a stack, and how far each leans over the one below."""
    spare = cell.height - 2 - disc
    if pieces == 1:
        return disc + min(0, int(spare)), 0
    if spare >= disc / 2:
        return disc, 0
    return SMALLEST, (cell.width - SMALLEST - 4) / (pieces - 1)


def mark(canvas: Canvas, track: Track, field: int) -> None:
    """Frame the field that a piece has come to, without touching its number or the next one."""
    cell = track.cell(on_lap(field)[1])
    frame = Box(cell.left - 4, cell.top - 4, cell.right + 4, cell.bottom + 2)
    canvas.rect(frame, None, INK, 5, 6)
    canvas.rect(frame.inset(1), None, GOLD, 3, 5)
