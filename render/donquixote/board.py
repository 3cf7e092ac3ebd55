"""The picture of the whole table: all principalities with their points, and the rules of
the round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from games.donquixote.tiles import TURNED
from render.cache import cached
from render.canvas import Canvas
from render.donquixote.colours import CLAY, LIVERY
from render.donquixote.country import (
    FOOT,
    LEGEND_LEFT,
    LOWER_LINE,
    PLAY,
    SKY,
    UPPER_LINE,
    backdrop,
    draw_sky,
    heavens,
)
from render.donquixote.land import Land, draw_bare, draw_land
from render.donquixote.sheet import (
    Condition,
    conditions,
    draw_conditions,
    draw_entries,
    entries,
)
from render.donquixote.situation import Situation
from render.donquixote.tiles import loose_tile
from render.geometry import Box
from render.plates import CROWN, card, draw_plate
from render.scene import Glide, Scene
from render.theme import BRIGHT_GOLD, INK, MARGIN


def draw_ending(canvas: Canvas, land: Land, game: Situation, seat: int) -> None:
    """Draw a frame around the land of a seat that has won."""
    outcome = game.scene.view.outcome
    if outcome is not None and seat in outcome.winners():
        canvas.frame(land.walled, radius=8, weight=6)


LEGEND = Box(LEGEND_LEFT, UPPER_LINE - 27, PLAY.right, LOWER_LINE + 27)
"""The area on the sky for the conditions of the round."""
LAND = Land(MARGIN + 4, round(PLAY.top) + 10, 102)
"""The area for a principality that has the picture to itself."""
TILES = {1: LAND.tile, 2: LAND.tile, 3: 98, 4: 84}
"""The width of a tile on the board, by number of players, so that the whole board fits on a phone
held upright.
"""
ONE_COLUMN = 3
"""With up to this many players, the sheets are high enough for all categories in one column."""
CROWN_SIZE = 24
"""Half the width of a winner's crown."""
BETWEEN = 6
"""Gap between two principalities."""
BESIDE = 18
"""Gap between a principality and its sheet."""


def draw_heading(canvas: Canvas, game: Situation) -> None:
    """Write the name of the game, the progress of the match and the conditions of the round on the
    sky.
    """
    wanted = map(tuple, conditions(game.round, game.say))
    written = _written(game.say("Don Quixote"), in_round(game), *wanted)
    canvas.inlay(written, written.box, written.box)


@cached
def _empty(players: int) -> Canvas:
    """Return the board with empty principalities."""
    places = lands(players)
    canvas = backdrop(card(round(places[-1].walled.bottom) + FOOT + 6, CLAY))
    for land in places:
        draw_bare(canvas, land)
    return canvas


@cached
def _written(name: str, words: str, *wanted: tuple[Condition, ...]) -> Canvas:
    """Return the sky with its texts."""
    canvas = heavens().copy()
    draw_sky(canvas, name, words)
    draw_conditions(canvas, LEGEND, wanted)
    return canvas.cut(Box(*canvas.box[:3], SKY.bottom))


# -------------------------------------------------------------------- the principalities
def draw_lands(game: Situation) -> Canvas:
    """Draw the principalities, one below the other, each with its sheet next to it."""
    canvas = _empty(game.players).copy()
    draw_heading(canvas, game)
    for seat, land in enumerate(lands(game.players)):
        draw_land(canvas, land, game.board(seat), game.marks(seat), seat)
        draw_ending(canvas, land, game, seat)
        area, account = sheet_area(land), game.account(seat)
        columns = 1 if game.players <= ONE_COLUMN else 2
        draw_scoring(canvas, area, game, seat, account, columns)
    return canvas


@cache
def lands(players: int) -> tuple[Land, ...]:
    """Return where the principalities are, by seat."""
    first = Land(LAND.left, LAND.top, TILES[players])
    pitch = round(first.walled.height) + BETWEEN
    return tuple(Land(first.left, first.top + n * pitch, first.tile) for n in range(players))


def sheet_area(land: Land) -> Box:
    """Return the box of a principality's sheet."""
    wall = land.walled
    return Box(wall.right + BESIDE, wall.top, PLAY.right, wall.bottom)


# ------------------------------------------------------------------------------ parts
def draw_scoring(
    canvas: Canvas,
    box: Box,
    game: Situation,
    seat: int,
    reasons: Mapping[str, Any],
    columns: int = 1,
) -> None:
    """Draw a seat's plate, with the points that a scoring now would give or, after the end, that
    the last one gave.

    :param reasons: the account of that scoring.
    :param columns: the number of columns for the categories.
    """
    plate = game.plate(seat)
    crown_below = plate.winner and columns > 1  # so that the name has the whole band to itself
    if crown_below:
        plate = replace(plate, to_move=True, winner=False)
    room = draw_plate(canvas, box, plate, livery=LIVERY)
    earned = game.total(seat) - (reasons["points"] if game.over else 0)
    draw_entries(canvas, room, entries(reasons), earned, columns=columns)
    if crown_below:
        at = room.left + CROWN_SIZE, room.bottom - CROWN_SIZE
        canvas.path(CROWN, BRIGHT_GOLD, INK, 2.5, centre=at, scale=CROWN_SIZE)


def in_round(game: Situation) -> str:
    """Say how far the match has got."""
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
    """Yield the tiles that drop into their fields."""
    for fact in scene.facts:
        if fact.kind == "placed":
            data = fact.data
            land = lands(scene.view.players)[data["seat"]]
            piece = data["tile"] + (TURNED if data["turned"] else "")
            yield Glide(loose_tile(piece, land.tile), (land.field(data["field"]).centre,))
