"""One board in detail: a large track, and a line for each place."""

from __future__ import annotations

from collections.abc import Sequence

from render.canvas import Canvas, fitted, text_width
from render.geometry import Box
from render.isolde.descriptions import field_in_words
from render.isolde.devices import ribbon, shield
from render.isolde.hand import paper
from render.isolde.standings import prizes, ranking
from render.isolde.tracks import Track, draw_heading, draw_pieces, draw_scroll
from render.isolde.words import board_rule, colour_names
from render.names import printed_names
from render.plates import token
from render.scene import Scene
from render.theme import FAINT, INK, LINE, MARGIN, SOFT, WIDTH, Type

RULE = Type("text", 26)
NAME = Type("strong", 28)
PLACE = Type("title", 30)
FIELD = Type("text", 28)

TRACK = Track(Box(MARGIN, 32, WIDTH - MARGIN, 332), 2, 64)
LINE_HEIGHT = 36
ROW = 54
CODEX = 116


def draw_detail(scene: Scene, board: str) -> Canvas:
    """The scroll over the whole width, its rule, and who is where."""
    view, say = scene.view, scene.say
    words = wrapped(board_rule(board, view, say), RULE, WIDTH - 2 * MARGIN)
    here = view.public["boards"][board]
    ranks, codex = ranking(here), here.get("places", ())
    top = TRACK.box.bottom + 20 + LINE_HEIGHT * len(words) + 16
    canvas = paper(max(round(top + ROW * len(ranks) + (CODEX if codex else 0) + 28), 675))
    draw_scroll(canvas, TRACK, board)
    draw_heading(canvas, TRACK, scene, board)
    draw_pieces(canvas, TRACK, here)
    y = TRACK.box.bottom + 36
    for line in words:
        canvas.text((MARGIN, y), line, RULE, SOFT, "lm")
        y += LINE_HEIGHT
    names = colour_names(view, printed_names(scene.names, say), say)
    for n, (place, colour, field) in enumerate(ranks):
        row = Box(MARGIN, top + n * ROW, WIDTH - MARGIN, top + (n + 1) * ROW)
        _draw_place(canvas, row, scene, board, place, colour, field, names)
    if codex:
        _draw_codex(canvas, top + ROW * len(ranks), scene)
    return canvas


def _draw_codex(canvas: Canvas, top: float, scene: Scene) -> None:
    """The shields that lie face down; below each, who has looked at it, and who has taken it."""
    public = scene.view.public
    canvas.rect(Box(MARGIN, round(top), WIDTH - MARGIN, round(top) + 2), LINE)
    canvas.text((MARGIN, top + 46), scene.say("Codex"), RULE, SOFT, "lm")
    area = Box(MARGIN + 140, top, WIDTH - MARGIN, top + CODEX)
    places = public["boards"]["STUDIEN"]["places"]
    for n, (place, box) in enumerate(zip(places, area.columns(len(places)), strict=True), 1):
        x, y = box.left + 60, top + 46
        canvas.text((x - 44, y), str(n), NAME, INK)
        sprite = shield("STUDIEN", "?", 52)
        taker = place["taker"]
        canvas.stamp(sprite if taker is None else sprite.faded(0.4), (x, y))
        if taker is not None:
            canvas.stamp(token(taker, 36), (x, y))
        for k, seat in enumerate(place["known_by"]):
            canvas.stamp(token(public["owners"].index(seat), 28), (x - 14 + k * 30, y + 48))


def _draw_place(
    canvas: Canvas,
    row: Box,
    scene: Scene,
    board: str,
    place: int,
    colour: int,
    field: int,
    names: Sequence[str],
) -> None:
    y = row.centre[1]
    canvas.rect(Box(row.left, round(row.top), row.right, round(row.top) + 2), LINE)
    canvas.text((row.left + 44, y), f"{place}.", PLACE, INK if field else FAINT, "rm")
    canvas.stamp(token(colour, 40), (row.left + 84, y))
    canvas.text((row.left + 120, y), fitted(names[colour], NAME, 400), NAME, INK, "lm")
    words = field_in_words(field, scene.say)
    canvas.text((row.left + 560, y), words, FIELD, INK if field else FAINT, "lm")
    x = row.right - 12
    for prize in reversed(prizes(scene.view, board)):
        if colour in prize.colours:
            sprite = shield(board, prize.text, 42) if prize.worth else ribbon(board, prize.text)
            canvas.stamp(sprite, (x - sprite.size[0] / 2, y))
            x -= sprite.size[0] + 8


def wrapped(text: str, kind: Type, width: float) -> list[str]:
    """The text in as few lines as it needs."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, kind) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
