"""One board in detail: its rule, the rounds in which it is scored, and a line for each place."""

from __future__ import annotations

from collections.abc import Sequence

from render.canvas import Canvas, write
from render.geometry import Box
from render.isolde.devices import ROMAN, draw_device, score_seal, shield
from render.isolde.ground import lay_sheet, walls
from render.isolde.sheet import UNMOVED
from render.isolde.standings import Prize, prizes, ranking
from render.isolde.tracks import (
    BoardTrack,
    draw_banner,
    draw_board,
    draw_pieces,
    draw_prizes,
    sign,
)
from render.isolde.words import board_rule, colour_names, field_in_words
from render.letters import text_width
from render.names import printed_names
from render.plates import laid_token
from render.scene import Scene
from render.theme import INK, LINE, MARGIN, PANEL, SOFT, WIDTH, Type

RULE = Type("text", 28)
NAME = Type("strong", 28)
NAMES = Type("strong", 36), Type("strong", 32), NAME
PLACE = Type("title", 34)
FIELD = Type("text", 34)

TRACK = BoardTrack(MARGIN, MARGIN, 90)
SHEET = Box(TRACK.box.right + 28, MARGIN, WIDTH - MARGIN, TRACK.box.bottom)
"""The parchment next to the board."""
HEIGHT = TRACK.box.bottom + MARGIN
CODEX = 100
LINE_HEIGHT = 36
ROW, HIGHEST_ROW, LARGE_ROW = 58, 84, 68
"""Minimum and maximum height of a row, and the smallest height at which its signs are larger."""


def draw_detail(scene: Scene, board: str) -> Canvas:
    """Draw the board larger than in the public picture, with its rule and the places next to it."""
    view, say = scene.view, scene.say
    here = view.public["boards"][board]
    codex = here.get("places", ())
    canvas = _ground(board, round(HEIGHT + (CODEX if codex else 0)))
    draw_banner(canvas, TRACK, scene, board)
    draw_pieces(canvas, TRACK, here)
    draw_prizes(canvas, TRACK, scene, board)
    room = SHEET.inset(22, 18)
    y = room.top + LINE_HEIGHT / 2
    for line in wrapped(board_rule(board, view, say), RULE, room.width):
        canvas.text((room.left, y), line, RULE, INK, "lm")
        y += LINE_HEIGHT
    if here["rounds"]:
        y = _draw_rounds(canvas, Box(room.left, y, room.right, y + 44), scene, here["rounds"])
    names = colour_names(view, printed_names(scene.names, say), say)
    due = prizes(view, board)
    high = max(ROW, min(HIGHEST_ROW, (room.bottom - y) / len(names)))
    _draw_watermark(canvas, Box(room.left, y + len(names) * high, room.right, room.bottom), board)
    for n, (place, colour, field) in enumerate(ranking(here)):
        row = Box(room.left, y + n * high, room.right, y + (n + 1) * high)
        gets = [prize for prize in due if colour in prize.colours]
        _draw_place(canvas, row, scene, board, place, colour, field, names, gets)
    if codex:
        _draw_codex(canvas, Box(MARGIN, SHEET.bottom + 14, WIDTH - MARGIN, 0), scene)
    return canvas


def _ground(board: str, height: int) -> Canvas:
    """Return the wall with the empty board and the parchment."""
    canvas = walls(height).copy()
    draw_board(canvas, TRACK, board)
    lay_sheet(canvas, SHEET)
    if height > HEIGHT:
        lay_sheet(canvas, Box(MARGIN, SHEET.bottom + 14, WIDTH - MARGIN, height - MARGIN))
    return canvas


def _draw_watermark(canvas: Canvas, room: Box, board: str) -> None:
    """Draw the board's device on the empty part of the sheet, if that is large enough, in a
    slightly darker tone.
    """
    size = round(min(room.height - 12, 190))
    if size >= 80:
        draw_device(canvas, board, room.centre, size, PANEL)


def _draw_rounds(canvas: Canvas, box: Box, scene: Scene, rounds: Sequence[int]) -> float:
    """Draw a seal for each round in which the board is scored; return the y of the next line."""
    y, x = box.centre[1] + 6, box.left
    for round_ in rounds:
        mark = score_seal(ROMAN[round_], round_ == scene.view.round, 38)
        past = round_ < scene.view.round or scene.view.outcome is not None
        canvas.stamp(mark, (x + mark.size[0] / 2, y), 0.45 if past else 1.0)
        x += mark.size[0] + 8
    return box.bottom + 14


def _draw_codex(canvas: Canvas, area: Box, scene: Scene) -> None:
    """Draw the face-down shields, each with the players who have looked at it or taken it."""
    public = scene.view.public
    top = area.top
    canvas.text((area.left + 22, top + 44), scene.say("Codex"), RULE, SOFT, "lm")
    places = public["boards"]["STUDIEN"]["places"]
    columns = Box(area.left + 130, top, area.right, top + 88).columns(len(places))
    for n, (place, box) in enumerate(zip(places, columns, strict=True), 1):
        x, y = box.left + 56, top + 42
        canvas.text((x - 40, y), str(n), NAME, INK)
        back, taker = shield("STUDIEN", "?", 50), place["taker"]
        canvas.stamp(back, (x, y), 1.0 if taker is None else 0.4)
        if taker is not None:
            canvas.stamp(laid_token(taker, 36), (x, y))
        for k, seat in enumerate(place["known_by"]):
            at = x + 40 + k % 3 * 28, y - 14 + k // 3 * 28
            canvas.stamp(laid_token(public["owners"].index(seat), 26), at)


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
    """Draw a line for a place: its colour, its field, and the prizes it would bring."""
    y = row.centre[1]
    canvas.rect(Box(row.left, round(row.top), row.right, round(row.top) + 2), LINE)
    rank, ink = (f"{place}.", INK) if field else (UNMOVED, SOFT)
    canvas.text((row.left + 40, y), rank, PLACE, ink, "rm")
    large = row.height >= LARGE_ROW
    canvas.stamp(laid_token(colour, 50 if large else 40), (row.left + 74, y))
    x = row.right
    for prize in reversed(gets):
        shown = sign(board, prize, 48 if large else 40)
        canvas.stamp(shown, (x - shown.size[0] / 2, y))
        x -= shown.size[0] + 2
    x = min(x, row.right - 76) if gets else row.right
    words = field_in_words(field, scene.say) if field else "0"
    x = canvas.text((x - 6, y), words, FIELD, INK if field else SOFT, "rm").left
    left = row.left + (112 if large else 104)
    kinds = NAMES if large else NAME
    write(canvas, (left, y), names[colour], kinds, x - left - 14, INK, "lm")


def wrapped(text: str, kind: Type, width: float) -> list[str]:
    """Break the text into as few lines as possible."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, kind) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
