"""One board in detail: its rule, the rounds in which it is scored, and a line for each place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from data.texts import Texts
from render.canvas import Canvas, write, write_lines
from render.geometry import Box
from render.isolde.devices import bold_token, score_seal, shield
from render.isolde.ground import lay_sheet, walls
from render.isolde.sheet import UNMOVED
from render.isolde.standings import ROMAN, Prize, prizes, ranking
from render.isolde.tracks import (
    BoardTrack,
    clear_corners,
    draw_banner,
    draw_board,
    draw_pieces,
    draw_prizes,
    mark_last,
    sign,
)
from render.isolde.words import board_rule, colour_names
from render.letters import set_in_box, set_in_lines
from render.names import printed_names
from render.scene import Scene
from render.theme import INK, LINE, MARGIN, SOFT, WIDTH, Type

RULE = Type("text", 36), Type("text", 32), Type("text", 28)
NUMBER = Type("strong", 34)
NAMES = tuple(Type("strong", size) for size in (46, 40, 34, 28))
PLACE = Type("title", 44)
FIELD = Type("text", 44), Type("text", 36)
NOBODY = Type("text", 36), Type("text", 32), Type("text", 28)
_COUNTED = re.compile(r"(?<=\d) (?=\w)")
"""The space between a number and what it counts, where a line must not be broken."""

TRACK = BoardTrack(MARGIN, MARGIN, 90)
SHEET = Box(TRACK.box.right + 28, MARGIN, WIDTH - MARGIN, TRACK.box.bottom)
"""The parchment next to the board, for the places."""
BELOW = Box(MARGIN, SHEET.bottom + 18, WIDTH - MARGIN, SHEET.bottom + 18)
"""The parchment below, for the rule; its height varies."""
RULE_STEP, RULE_LINES = 46, 5
"""Distance between the lines of the rule, and their maximum number."""
CODEX = 104
LARGE_ROW = 88
"""The height of a row from which its signs are large."""


def draw_detail(scene: Scene, board: str) -> Canvas:
    """Draw the board enlarged, with the places next to it and the rule below; until a piece has
    moved there, show the rule instead of the places.
    """
    view, say = scene.view, scene.say
    here = view.public["boards"][board]
    rule = _COUNTED.sub("\u00a0", board_rule(board, view, say))
    moved = any(here["positions"])
    lines, kind = set_in_lines(rule, RULE, BELOW.width - 48, RULE_LINES)
    codex = CODEX if "places" in here else 0
    written = len(lines) * RULE_STEP + 32 if moved else 0
    below = BELOW._replace(bottom=round(BELOW.top + written + codex))
    canvas = _ground(board, below)
    draw_banner(canvas, TRACK, scene, board)
    clear_corners(canvas, TRACK, board, here)
    mark_last(canvas, TRACK, scene, board)
    draw_pieces(canvas, TRACK, board, here)
    draw_prizes(canvas, TRACK, scene, board)
    room = SHEET.inset(24, 18)
    top = _draw_rounds(canvas, room, scene, here["rounds"]) if here["rounds"] else room.top
    places = Box(room.left, top, room.right, room.bottom)
    if moved:
        for n, line in enumerate(lines):
            at = below.left + 24, below.top + 16 + (n + 0.5) * RULE_STEP
            canvas.text(at, line, kind, INK, "lm")
        _draw_places(canvas, places, scene, board)
    else:
        _draw_untouched(canvas, places, rule, say)
    if codex:
        _draw_codex(canvas, below._replace(top=below.bottom - CODEX), scene)
    return canvas


def _ground(board: str, below: Box) -> Canvas:
    """Return the wall with the empty board and both parchments."""
    canvas = walls(round(below.bottom + MARGIN))
    draw_board(canvas, TRACK, board)
    lay_sheet(canvas, SHEET)
    if below.height:
        lay_sheet(canvas, below)
    return canvas


def _draw_untouched(canvas: Canvas, room: Box, rule: str, say: Texts) -> None:
    """Draw the rule where the places would be, as long as nobody has moved."""
    words = Box(room.left, room.top, room.right, room.bottom - 76)
    lines, kind = set_in_box(rule, RULE, words.width, words.height)
    step = min(RULE_STEP, (words.height - 20) / len(lines))
    for n, line in enumerate(lines):
        canvas.text((words.left, words.top + 20 + n * step), line, kind, INK, "lm")
    canvas.rect(Box(room.left, words.bottom + 14, room.right, words.bottom + 16), LINE)
    at, note = (room.left, room.bottom - 26), say("Nobody has moved here yet.")
    write(canvas, at, note, NOBODY, room.width, SOFT, "lm")


def _draw_places(canvas: Canvas, room: Box, scene: Scene, board: str) -> None:
    view, say = scene.view, scene.say
    placed = ranking(view.public["boards"][board])
    names = colour_names(view, printed_names(scene.names, say), say)
    due = prizes(view, board)
    high = room.height / len(names)
    for n, (place, colour, field) in enumerate(placed):
        row = Box(room.left, room.top + n * high, room.right, room.top + (n + 1) * high)
        gets = [prize for prize in due if colour in prize.colours]
        _draw_place(canvas, row, scene, board, place, colour, field, names, gets)


def _draw_rounds(canvas: Canvas, room: Box, scene: Scene, rounds: Sequence[int]) -> float:
    """Draw a seal for each round in which the board is scored; return where the places begin."""
    y, x = room.top + 28, room.left
    for round_ in rounds:
        mark = score_seal(ROMAN[round_], round_ == scene.view.round, 52)
        past = round_ < scene.view.round or scene.view.outcome is not None
        canvas.stamp(mark, (x + mark.size[0] / 2, y), 0.45 if past else 1.0)
        x += mark.size[0] + 10
    return room.top + 68


def _draw_codex(canvas: Canvas, area: Box, scene: Scene) -> None:
    """Draw the face-down shields, each with the players who have looked at it or taken it."""
    public = scene.view.public
    top = area.top
    canvas.text((area.left + 24, top + 44), scene.say("Codex"), RULE[2], SOFT, "lm")
    places = public["boards"]["STUDIEN"]["places"]
    columns = Box(area.left + 130, top, area.right, top + 88).columns(len(places))
    for n, (place, box) in enumerate(zip(places, columns, strict=True), 1):
        x, y = box.left + 56, top + 42
        canvas.text((x - 40, y), str(n), NUMBER, INK)
        back, taker = shield("STUDIEN", "?", 54), place["taker"]
        canvas.stamp(back, (x, y), 1.0 if taker is None else 0.4)
        if taker is not None:
            canvas.stamp(bold_token(taker, 36), (x, y))
        for k, seat in enumerate(place["known_by"]):
            at = x + 42 + k % 3 * 36, y - 18 + k // 3 * 36
            canvas.stamp(bold_token(public["owners"].index(seat), 34), at)


def _draw_place(
    canvas: Canvas,
    row: Box,
    scene: Scene,
    board: str,
    place: int,
    colour: int,
    field: int,
    names: Sequence[str],
    gets: Sequence[Prize],
) -> None:
    """Draw a line for a place: its colour, its field, and the prizes it would win."""
    y = row.centre[1]
    canvas.rect(Box(row.left, round(row.top), row.right, round(row.top) + 2), LINE)
    rank, ink = (f"{place}.", INK) if field else (UNMOVED, SOFT)
    canvas.text((row.left + 46, y), rank, PLACE, ink, "rm")
    large = row.height >= LARGE_ROW
    canvas.stamp(bold_token(colour, 68 if large else 56), (row.left + 92, y))
    x = row.right
    for prize in reversed(gets):
        shown = sign(board, prize, 62 if large else 50)
        canvas.stamp(shown, (x - shown.size[0] / 2, y))
        x -= shown.size[0] + 2
    x = min(x, row.right - 76) if gets else row.right
    left = row.left + 138
    wide = (x - left) * 0.6
    x = write(canvas, (x - 8, y), str(field), FIELD, wide, INK if field else SOFT, "rm").left
    kinds = NAMES if large else NAMES[1:]
    room = x - left - 14, row.height - 6
    write_lines(canvas, (left, y), names[colour], kinds, room, INK, "lm")
