"""The picture for the whole table: all principalities with their points and the round's rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from games.donquixote.tiles import TURNED
from render.cache import cached
from render.canvas import Canvas, Sprite
from render.donquixote.colours import CLAY, LIVERY
from render.donquixote.country import (
    FOOT,
    HEIGHT,
    LEGEND_LEFT,
    LOWER_LINE,
    PLAY,
    UPPER_LINE,
    draw_sky,
    heavens,
    vista,
)
from render.donquixote.land import Land, draw_land
from render.donquixote.sheet import (
    NOTE,
    WORDY,
    Condition,
    conditions,
    draw_conditions,
    draw_entries,
    entries,
)
from render.donquixote.situation import Situation
from render.donquixote.tiles import loose_tile
from render.donquixote.words import points_now
from render.geometry import Box
from render.plates import HEADER, cut_card, draw_plate
from render.scene import Glide, Scene
from render.theme import INK, LIGHT, MARGIN, SOFT, Type


def draw_ending(canvas: Canvas, land: Land, game: Situation, seat: int) -> None:
    """Draw a frame around a winner's land after the end."""
    outcome = game.scene.view.outcome
    if outcome is not None and seat in outcome.winners():
        canvas.frame(land.walled, radius=8, weight=6)


_HALF = (LOWER_LINE - UPPER_LINE) / 2
LEGEND = Box(LEGEND_LEFT, UPPER_LINE - _HALF, PLAY.right, LOWER_LINE + _HALF)
"""The area on the sky for the conditions of the round."""
LAND = Land(MARGIN + 4, round(PLAY.top) + 12, 102)
"""The place of a single principality that has the picture to itself."""
COUNTER = Type("strong", 40)
COUNTER_WIDTH = 168
BETWEEN = 14
"""Gap between two principalities."""
BESIDE = 18
"""Gap between a principality and its sheet."""


def draw_heading(game: Situation, height: int = HEIGHT) -> Canvas:
    """An empty picture with the progress of the match and the round's conditions on its sky."""
    canvas = cut_card(height, CLAY)
    written = _written(in_round(game), *conditions(game.round, game.say))
    canvas.inlay(written, written.box, written.box)
    return canvas


@cached
def _written(words: str, *wanted: Condition) -> Canvas:
    """Everything above the principalities: the sky with its texts."""
    canvas = heavens().copy()
    draw_sky(canvas, words)
    draw_conditions(canvas, LEGEND, wanted)
    return canvas


# -------------------------------------------------------------------- three and four
def draw_grid(game: Situation) -> Canvas:
    """Draw three or four principalities in a grid; with three, a landscape fills the last place."""
    canvas = draw_heading(game)
    cells = _cells()
    for seat, (cell, land) in enumerate(zip(cells, lands(game.players), strict=False)):
        sign = Box(land.walled.left, cell.top, land.walled.right, cell.top + HEADER + 16)
        draw_plate(canvas, sign, game.plate(seat), COUNTER_WIDTH + 8, LIVERY)
        draw_land(canvas, land, game.board(seat), game.marks(seat), seat)
        draw_ending(canvas, land, game, seat)
        _draw_counter(canvas, sign, game, seat)
    for cell in cells[game.players :]:
        room = cell.inset(12)
        canvas.stamp(vista(round(room.width), round(room.height)), room.centre)
    return canvas


@cache
def lands(players: int) -> list[Land]:
    """The places of the principalities, by seat."""
    if players == 1:
        return [LAND]
    if players == 2:
        return pair()[0]
    rooms = (Box(left, top + HEADER - 2, right, end) for left, top, right, end in _cells())
    return [Land.fitting(room) for room in rooms][:players]


@cache
def _cells() -> list[Box]:
    return [cell for row in PLAY.rows(2, 6) for cell in row.columns(2, 16)]


def _draw_counter(canvas: Canvas, sign: Box, game: Situation, seat: int) -> None:
    """Draw the points so far and, in soft ink, what a scoring now would add."""
    box = Box(sign.right - COUNTER_WIDTH - 8, sign.top + 7, sign.right - 8, sign.top + 47)
    canvas.stamp(_counter(round(box.width), round(box.height)), box.centre)
    x, y = box.centre
    if game.over:
        canvas.text((x, y), game.say.number(game.total(seat)), COUNTER)
        return
    canvas.text((box.left + 14, y), game.say.number(game.total(seat)), COUNTER, anchor="lm")
    more = points_now(game.board(seat), game.round)
    canvas.text((box.right - 14, y), f"+ {more}", NOTE, SOFT, "rm")


@cached
def _counter(width: int, height: int) -> Sprite:
    canvas = Canvas(width, height)
    canvas.rect(canvas.box, LIGHT, INK, 2, radius=10)
    return canvas.sprite()


# ------------------------------------------------------------------------------- two
def draw_pair(game: Situation) -> Canvas:
    """Draw two principalities, one above the other, each with its sheet next to it."""
    lands, sides = pair()
    canvas = draw_heading(game, round(lands[-1].walled.bottom) + FOOT + 8)
    for seat, (land, side) in enumerate(zip(lands, sides, strict=True)):
        draw_land(canvas, land, game.board(seat), game.marks(seat), seat)
        draw_ending(canvas, land, game, seat)
        draw_scoring(canvas, side, game, seat, game.account(seat))
    return canvas


@cache
def pair() -> tuple[list[Land], list[Box]]:
    """The places of two principalities and of their sheets."""
    pitch = round(LAND.walled.height) + BETWEEN
    lands = [Land(LAND.left, LAND.top + n * pitch, LAND.tile) for n in range(2)]
    sides = [
        Box(land.walled.right + BESIDE, land.walled.top, PLAY.right, land.walled.bottom)
        for land in lands
    ]
    return lands, sides


# ------------------------------------------------------------------------------ parts
def draw_scoring(
    canvas: Canvas, box: Box, game: Situation, seat: int, reasons: Mapping[str, Any]
) -> None:
    """Draw the plate of a seat with the points a scoring now would bring, or the last one brought.

    :param reasons: the account of that scoring.
    """
    room = draw_plate(canvas, box, game.plate(seat), livery=LIVERY)
    earned = game.total(seat) - (reasons["points"] if game.over else 0)
    heading = scored_when(game) if room.width >= WORDY else ""
    draw_entries(canvas, room, game.say, heading, entries(reasons), sum_of(earned, reasons))


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
    """The progress of the match."""
    if game.over:
        return game.say("End of the game")
    if game.public["field"] is None:
        return game.say("Round {round}", round=game.round)
    number, size = game.public["placed"] + 1, game.public["hand_size"]
    return game.say(
        "Round {round} · {number} of {size}", round=game.round, number=number, size=size
    )


# --------------------------------------------------------------------------------------- animation
def glides(scene: Scene) -> Iterator[Glide]:
    """Tiles fall into their fields."""
    for fact in scene.facts:
        if fact.kind == "placed":
            data = fact.data
            land = lands(scene.view.players)[data["seat"]]
            piece = data["tile"] + (TURNED if data["turned"] else "")
            yield Glide(loose_tile(piece, land.tile), (land.field(data["field"]).centre,))
