"""A person's own principality with the hand, and what a tile would bring in either turning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from games.donquixote import account
from games.donquixote.position import HAND_SIZES
from games.donquixote.tiles import CHURCH, SANCHO, TURNED, WINDMILL
from render.canvas import GHOST, Canvas, Sprite, layer
from render.donquixote.board import (
    BOTTOM,
    HEIGHT,
    PLAY,
    TITLE_HEIGHT,
    draw_round,
    draw_sheet,
    in_round,
    pair,
    pair_ground,
    scored_when,
    sum_of,
)
from render.donquixote.colours import TINTS
from render.donquixote.land import Land, Marks, draw_ground, draw_land
from render.donquixote.sheet import DEFENCE, FIGURE, GROUP, draw_entries, entries, icon
from render.donquixote.situation import Situation
from render.donquixote.tiles import tile, tile_height
from render.geometry import Box, Point, trace
from render.plates import Plate, card, draw_plate, title
from render.theme import GOLD, INK, LIGHT, LINE, MARGIN, SOFT, Colour, Type

LAND = Land(MARGIN + 10, round(PLAY.top) + 14, 98)
SIDE = Box(LAND.walled.right + 20, LAND.walled.top, PLAY.right, LAND.walled.bottom)
HAND = Box(PLAY.left, LAND.walled.bottom + 20, PLAY.right, BOTTOM)
HAND_TILE = 88
PLACES = max(HAND_SIZES)
HANDS = len(HAND_SIZES)
NUMBER = Type("strong", 24)
CATEGORIES = ("CA6", "CA4", CHURCH, WINDMILL, DEFENCE, GROUP)
"""Signs of the categories in the order of ``scored``."""


# ------------------------------------------------------------------------- at a glance
def draw_single(game: Situation, seat: int, choice: str | None = None) -> Canvas:
    """One principality with its sheet beside it and the hand below.

    :param choice: the piece that was chosen for the field, or is about to be.
    """
    canvas = _single_ground()
    board, marks = dict(game.board(seat)), game.marks(seat)
    if choice is not None:
        board[game.public["field"]] = choice
        marks = Marks(latest=[game.public["field"]])
    draw_land(canvas, LAND, board, marks, seat)
    middle = (SIDE.left + SIDE.right) / 2
    canvas.text((middle, SIDE.top + TITLE_HEIGHT + 16), in_round(game), FIGURE, INK)
    side = Box(SIDE.left, SIDE.top + 92, SIDE.right, SIDE.bottom)
    draw_sheet(canvas, side, game, seat, account(board, game.round))
    if game.public["hands"][seat]:
        _draw_hand(canvas, game, seat, choice)
    else:
        _draw_scorings(canvas, HAND.inset(120, 20), game, seat)
    return canvas


@layer
def _single_ground() -> Canvas:
    canvas = card(HEIGHT)
    draw_ground(canvas, LAND)
    title(canvas, Box(SIDE.left, SIDE.top - 4, SIDE.right, SIDE.top + 44), "Don Quixote")
    return canvas


def _draw_hand(canvas: Canvas, game: Situation, seat: int, choice: str | None) -> None:
    """Every tile unturned above and turned below, with its number and name."""
    hand = list(game.public["hands"][seat])
    if game.public["sancho"][seat]:
        hand.append(SANCHO.name)
    columns = HAND.columns(max(PLACES, len(hand)))
    shift = (columns[0].width * (len(columns) - len(hand))) / 2
    for number, (name, column) in enumerate(zip(hand, columns, strict=False), 1):
        place = column.moved(shift, 0)
        ways = [name] if name == SANCHO.name else [name, name + TURNED]
        for row, way in enumerate(ways):
            at = place.centre[0], HAND.top + tile_height(HAND_TILE) * (row + 0.5) + 8 * row
            sealed = choice is not None and choice != way
            canvas.stamp(tile(way, HAND_TILE), at, GHOST if sealed else 1.0)
            if choice == way:
                canvas.frame(Box.at(at, HAND_TILE, tile_height(HAND_TILE)), radius=4)
        if name == game.public["locked"][seat]:
            canvas.stamp(_padlock(), (place.centre[0] - HAND_TILE / 2, HAND.top + 14))
        _draw_label(canvas, (place.centre[0], HAND.bottom - 18), number, name)


def _draw_label(canvas: Canvas, at: Point, number: int, name: str) -> None:
    if name == SANCHO.name:
        canvas.text(at, "Sancho", NUMBER, SOFT)
        return
    x, y = at
    canvas.circle((x - 38, y), 16, INK)
    canvas.text((x - 38, y), str(number), NUMBER, LIGHT)
    canvas.text((x - 14, y), name, NUMBER, INK, "lm")


@cache
def _padlock() -> Sprite:
    canvas = Canvas(48, 48)
    canvas.circle((24, 24), 23, LIGHT, INK, 2.5)
    canvas.path(trace("M 17 24 V 18 Q 17 10 24 10 Q 31 10 31 18 V 24"), None, INK, 4)
    canvas.rect(Box(13, 22, 35, 38), GOLD, INK, 2.5, radius=4)
    return canvas.sprite()


def _draw_scorings(canvas: Canvas, room: Box, game: Situation, seat: int) -> None:
    """Where the hand is empty: the points of all rounds so far, category by category."""
    scored = game.public["scored"][seat]
    head, *rows = room.rows(1 + HANDS)
    columns = room.columns(len(CATEGORIES) + 2)
    for sign, column in zip(CATEGORIES, columns[1:-1], strict=True):
        canvas.stamp(icon(sign), (column.centre[0], head.centre[1]))
    for number, row in enumerate(rows, 1):
        y = row.centre[1]
        canvas.rect(Box(room.left, round(row.top), room.right, round(row.top) + 2), LINE)
        label = game.say("Round {round}", round=number)
        canvas.text((room.left + 8, y), label, NUMBER, SOFT, "lm")
        if number <= len(scored):
            points = list(scored[number - 1].values())
            for figure, column in zip([*points, sum(points)], columns[1:], strict=True):
                canvas.text((column.centre[0], y), str(figure), FIGURE, INK)


# ----------------------------------------------------------------------------- preview
def draw_preview(game: Situation, seat: int, ways: Sequence[str]) -> Canvas:
    """A tile on the field in each turning, with what a scoring now would bring.

    :param ways: the piece unturned and turned.
    """
    canvas = pair_ground()
    draw_round(canvas, game)
    field, present = game.public["field"], entries(game.account(seat))
    for way, land, side in zip(ways, *pair(), strict=True):
        board = {**game.board(seat), field: way}
        reasons = account(board, game.round)
        marks = Marks(latest=[field], roads=_roads_of(field, reasons["networks"]))
        draw_land(canvas, land, board, marks, seat)
        turning = game.say("turned") if way.endswith(TURNED) else game.say("unturned")
        room = draw_plate(canvas, side, Plate(seat, f"{way.removesuffix(TURNED)}, {turning}"))
        total = sum_of(game.total(seat), reasons)
        draw_entries(canvas, room, scored_when(game), entries(reasons), total, present)
    return canvas


def _roads_of(field: str, networks: Sequence[Sequence[str]]) -> dict[str, Colour]:
    """The roads that a field belongs to, each network in a colour of its own."""
    touched = [network for network in networks if {field + "u", field + "l"} & set(network)]
    return {
        half: colour for network, colour in zip(touched, TINTS, strict=False) for half in network
    }
