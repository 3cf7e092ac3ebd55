"""The picture for the whole table: all principalities with their points and the round's rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from render.canvas import Canvas, layer
from render.donquixote.land import Land, draw_ground, draw_land
from render.donquixote.sheet import (
    NOTE,
    conditions,
    draw_conditions,
    draw_entries,
    draw_thresholds,
    entries,
)
from render.donquixote.situation import Situation
from render.donquixote.words import points_now
from render.geometry import Box
from render.plates import HEADER, card, draw_plate, title
from render.theme import INK, LIGHT, MARGIN, SOFT, WIDTH, Type

HEIGHT = 896
CAPTION = Box(MARGIN, HEIGHT - 52, WIDTH - MARGIN, HEIGHT - 16)
TOP, BOTTOM = 24, HEIGHT - 56
PLAY = Box(MARGIN, TOP, WIDTH - MARGIN, BOTTOM)
"""All between the upper edge and the caption."""

TITLE_HEIGHT = 52
BELOW_TITLE = TOP + TITLE_HEIGHT
COUNTER = Type("strong", 30)
COUNTER_WIDTH = 140
ROUND = Type("strong", 28)


# -------------------------------------------------------------------- three and four
def draw_grid(game: Situation) -> Canvas:
    """Three or four principalities, two side by side; of three, the rules fill the fourth place."""
    canvas = _grid_ground(game.players)
    cells = _cells(game.players)
    for seat, cell in enumerate(cells[: game.players]):
        draw_plate(canvas, cell, game.plate(seat), reserve=COUNTER_WIDTH + 8)
        land = _land_in(cell)
        canvas.inlay(_bare_land(land), land.walled, land.walled)
        draw_land(canvas, land, game.board(seat), game.marks(seat), seat)
        _draw_counter(canvas, cell, game, seat)
    if game.players == len(cells):
        draw_round(canvas, game)
    else:
        _draw_rules(canvas, cells[-1], game)
    return canvas


@layer
def _grid_ground(players: int) -> Canvas:
    canvas = card(HEIGHT)
    cells = _cells(players)
    if players == len(cells):
        draw_title(canvas)
    else:
        head = cells[-1]
        title(canvas, Box(head.left, head.top, head.right, head.top + TITLE_HEIGHT), "Don Quixote")
    return canvas


@lru_cache(maxsize=8)
def _bare_land(land: Land) -> Canvas:
    canvas = Canvas(round(land.walled.width), round(land.walled.height), LIGHT)
    draw_ground(canvas, land.moved_to_origin())
    return canvas


def _cells(players: int) -> list[Box]:
    top = BELOW_TITLE if players == 4 else PLAY.top + 4
    area = Box(PLAY.left, top, PLAY.right, PLAY.bottom)
    return [cell for row in area.rows(2, 10) for cell in row.columns(2, 20)]


def _land_in(cell: Box) -> Land:
    return Land.fitting(Box(cell.left, cell.top + HEADER, cell.right, cell.bottom).inset(4))


def _draw_counter(canvas: Canvas, cell: Box, game: Situation, seat: int) -> None:
    """The points so far, and in faint ink what a scoring now would add."""
    box = Box(cell.right - COUNTER_WIDTH - 8, cell.top + 9, cell.right - 8, cell.top + 47)
    canvas.rect(box, LIGHT, INK, 2, radius=10)
    x, y = box.centre
    if game.over:
        canvas.text((x, y), str(game.total(seat)), COUNTER)
        return
    canvas.text((box.left + 14, y), str(game.total(seat)), COUNTER, anchor="lm")
    more = points_now(game.board(seat), game.round)
    canvas.text((box.right - 14, y), f"+ {more}", NOTE, SOFT, "rm")


def _draw_rules(canvas: Canvas, room: Box, game: Situation) -> None:
    top = room.top + TITLE_HEIGHT + 16
    canvas.text((room.centre[0], top + 20), in_round(game), ROUND, INK)
    wanted = conditions(game.round, game.say)
    lines = Box(room.left + 32, top + 60, room.right, top + 60 + 64 * len(wanted))
    draw_conditions(canvas, lines, wanted)


# ------------------------------------------------------------------------------- two
def draw_pair(game: Situation) -> Canvas:
    """Two principalities, one above the other, each with its sheet beside it."""
    canvas = pair_ground()
    draw_round(canvas, game)
    for seat, (land, side) in enumerate(zip(*pair(), strict=True)):
        draw_land(canvas, land, game.board(seat), game.marks(seat), seat)
        draw_sheet(canvas, side, game, seat, game.account(seat))
    return canvas


@cache
def pair() -> tuple[list[Land], list[Box]]:
    """Where two principalities lie, and the sheets beside them."""
    room = Box(PLAY.left, BELOW_TITLE, 704, PLAY.bottom)
    lands = [Land.fitting(half) for half in room.rows(2, 24)]
    sides = [Box(728, land.walled.top, PLAY.right, land.walled.bottom) for land in lands]
    return lands, sides


@layer
def pair_ground() -> Canvas:
    """The title and two empty principalities, one below the other."""
    canvas = card(HEIGHT)
    draw_title(canvas)
    for land in pair()[0]:
        draw_ground(canvas, land)
    return canvas


# ------------------------------------------------------------------------------ parts
def draw_title(canvas: Canvas) -> None:
    """The name of the game at the left of the upper edge."""
    title(canvas, Box(MARGIN, TOP, MARGIN + 360, TOP + TITLE_HEIGHT - 8), "Don Quixote")


def draw_round(canvas: Canvas, game: Situation) -> None:
    """Beside the title how far the match is, and what the round asks for."""
    y = TOP + TITLE_HEIGHT / 2 - 4
    canvas.text((MARGIN + 384, y), in_round(game), ROUND, INK, "lm")
    draw_thresholds(canvas, (PLAY.right, y), conditions(game.round, game.say))


def draw_sheet(
    canvas: Canvas, box: Box, game: Situation, seat: int, reasons: Mapping[str, Any]
) -> None:
    """The plate of a seat with what a scoring now would bring, or what the last one brought.

    :param reasons: the account of that scoring.
    """
    room = draw_plate(canvas, box, game.plate(seat))
    earned = game.total(seat) - (reasons["points"] if game.over else 0)
    draw_entries(canvas, room, scored_when(game), entries(reasons), sum_of(earned, reasons))


def sum_of(earned: int, reasons: Mapping[str, Any]) -> str:
    """Points of earlier rounds and of this one."""
    points = reasons["points"]
    return f"{earned} + {points} = {earned + points}"


def scored_when(game: Situation) -> str:
    """The heading of a sheet."""
    if game.over:
        return game.say("Round {round}", round=game.round)
    return game.say("Round {round}, now", round=game.round)


def in_round(game: Situation) -> str:
    """How far the match is."""
    if game.over:
        return game.say("End of the game")
    if game.public["field"] is None:
        return game.say("Round {round}", round=game.round)
    number, size = game.public["placed"] + 1, game.public["hand_size"]
    return game.say(
        "Round {round} · {number} of {size}", round=game.round, number=number, size=size
    )
