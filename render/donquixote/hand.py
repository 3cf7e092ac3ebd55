"""A person's own principality with the hand, and what a tile would bring in either turning."""

from __future__ import annotations

from games.donquixote.position import HAND_SIZES
from games.donquixote.tiles import SANCHO, TURNED
from render.cache import cached
from render.canvas import GHOST, Canvas, Sprite, write
from render.donquixote.board import LAND, draw_heading, draw_scoring
from render.donquixote.colours import CLAY, TRAY
from render.donquixote.country import PLAY, vista
from render.donquixote.land import Land, Marks, draw_land
from render.donquixote.sheet import CATEGORY_NAMES, FIGURE, category_icon
from render.donquixote.situation import Situation
from render.donquixote.tiles import loose_tile, tile_height
from render.donquixote.words import reckoned
from render.geometry import Box, Point, trace
from render.light import raised
from render.plates import token
from render.theme import GOLD, INK, LIGHT, LINE, SOFT, Type

HAND = Box(PLAY.left, LAND.walled.bottom + 14, LAND.walled.right, PLAY.bottom)
LARGE_TILES = {1: 128, 2: 128, 3: 128, 4: 94}
"""Number of tiles in the hand -> their width, if there are few."""
HAND_TILE = 66
SIDE = Box(LAND.walled.right + 22, LAND.walled.top, PLAY.right, PLAY.bottom)
SHEET_HEIGHT = 276
PLACES = max(HAND_SIZES)
HANDS = len(HAND_SIZES)
NUMBER = Type("strong", 24)
NAME = Type("strong", 26)


# ------------------------------------------------------------------------- at a glance
def draw_single(game: Situation, seat: int, choice: str | None = None) -> Canvas:
    """One principality, large, with its sheet beside it, the hand below, and the others small.

    :param choice: the piece that was chosen for the field, or is about to be.
    """
    canvas = draw_heading(game)
    board, marks = dict(game.board(seat)), game.marks(seat)
    if choice is not None:
        field = game.public["field"]
        board[field] = choice
        marks = Marks(latest=[field], tried=field)
    draw_land(canvas, LAND, board, marks, seat)
    sheet = Box(SIDE.left, SIDE.top, SIDE.right, SIDE.top + SHEET_HEIGHT)
    draw_scoring(canvas, sheet, game, seat, reckoned(board, game.round))
    _draw_others(canvas, Box(SIDE.left, sheet.bottom + 12, SIDE.right, SIDE.bottom), game, seat)
    if game.public["hands"][seat]:
        _draw_hand(canvas, game, seat, choice)
    else:
        _draw_scorings(canvas, HAND.inset(0, 4), game, seat)
    return canvas


def _draw_others(canvas: Canvas, room: Box, game: Situation, seat: int) -> None:
    """The principalities of the others, each below its owner's name and points; a view of the
    country where there is room.
    """
    others = [other for other in range(game.players) if other != seat]
    places = room.rows(max(2, len(others)), 8) if others else [room]
    for place in places[len(others) :]:
        view = place.inset(10, 8)
        canvas.stamp(vista(round(view.width), round(view.height)), view.centre)
    for other, place in zip(others, places, strict=False):
        y = place.top + 15
        canvas.stamp(token(other, 30), (place.left + 15, y))
        total = canvas.text(
            (place.right, y), game.say.number(game.total(other)), FIGURE, CLAY.ink, "rm"
        )
        at, wide = (place.left + 42, y), total.left - place.left - 56
        write(canvas, at, game.names[other], NAME, wide, CLAY.ink, "lm")
        land = Land.fitting(Box(place.left, place.top + 33, place.right, place.bottom))
        draw_land(canvas, land, game.board(other), game.marks(other), other)


def _draw_hand(canvas: Canvas, game: Situation, seat: int, choice: str | None) -> None:
    """Every tile of the hand on a tray, unturned and turned: one above the other, or, if few are
    left, large and side by side.
    """
    canvas.stamp(_tray(), HAND.centre)
    hand = list(game.public["hands"][seat])
    if game.public["sancho"][seat]:
        hand.append(SANCHO.name)
    few = len(hand) in LARGE_TILES
    width = LARGE_TILES.get(len(hand), HAND_TILE)
    high = tile_height(width)
    places = HAND.columns(max(3, len(hand)) if few else max(PLACES, len(hand)))
    shift = places[0].width * (len(places) - len(hand)) / 2
    step: Point = (width + 6, 0) if few else (0, high + 6)
    top = HAND.centre[1] - 14 - high / 2 if few else HAND.top + 12
    for number, (name, place) in enumerate(zip(hand, places, strict=False), 1):
        ways = [name] if name == SANCHO.name else [name, name + TURNED]
        spread = len(ways) - 1 if few else 0
        x = place.centre[0] + shift - spread * step[0] / 2
        for turn, way in enumerate(ways):
            at = x + turn * step[0], top + high / 2 + turn * step[1]
            sealed = choice is not None and choice != way
            canvas.stamp(loose_tile(way, width), at, GHOST if sealed else 1.0)
            if choice == way:
                canvas.frame(Box.at(at, width, high), radius=4)
        right = x + spread * step[0] + width / 2
        if name == game.public["locked"][seat]:
            canvas.stamp(_padlock(), (right - 4, top + 8))
        label = "Sancho" if name == SANCHO.name else name
        under = top + high + 20 if few or len(ways) == 1 else HAND.bottom - 18
        canvas.text((place.centre[0] + shift, under), label, NUMBER, CLAY.ink)
        if name != SANCHO.name:
            canvas.stamp(_number(number), (x - width / 2 + 1, top + 3))


@cached
def _tray() -> Sprite:
    canvas = Canvas(round(HAND.width), round(HAND.height))
    canvas.cover(canvas.box, TRAY, radius=10)
    canvas.sink(canvas.box, 6, radius=10, opacity=0.5)
    return canvas.sprite()


@cached
def _number(number: int) -> Sprite:
    canvas = Canvas(32, 32)
    canvas.circle((16, 16), 16, INK)
    canvas.circle((16, 16), 14, LIGHT)
    canvas.text((16, 16), str(number), NUMBER, INK)
    return raised(canvas.sprite(), 2)


@cached
def _padlock() -> Sprite:
    canvas = Canvas(44, 44)
    canvas.circle((22, 22), 21, LIGHT, INK, 2.5)
    canvas.path(trace("M 15 22 V 16 Q 15 8 22 8 Q 29 8 29 16 V 22"), None, INK, 4)
    canvas.rect(Box(11, 20, 33, 36), GOLD, INK, 2.5, radius=4)
    return raised(canvas.sprite(), 2)


def _draw_scorings(canvas: Canvas, room: Box, game: Situation, seat: int) -> None:
    """Where the hand is empty: the points of all rounds so far, category by category."""
    scored = game.public["scored"][seat]
    canvas.shadow(room, 4, radius=12)
    canvas.rect(room, LIGHT, LINE, 2, radius=12)
    room = room.inset(20, 10)
    head, *rows = room.rows(1 + HANDS)
    columns = room.columns(len(CATEGORY_NAMES) + 2)
    for sign, column in zip(CATEGORY_NAMES, columns[1:-1], strict=True):
        canvas.stamp(category_icon(sign), (column.centre[0], head.centre[1]))
    canvas.text((columns[-1].centre[0], head.centre[1]), "Σ", FIGURE, SOFT)
    for number, row in enumerate(rows, 1):
        y = row.centre[1]
        canvas.rect(Box(room.left, round(row.top), room.right, round(row.top) + 2), LINE)
        label = game.say("Round {round}", round=number)
        canvas.text((room.left + 2, y), label, NUMBER, SOFT, "lm")
        if number <= len(scored):
            points = list(scored[number - 1].values())
            for figure, column in zip([*points, sum(points)], columns[1:], strict=True):
                canvas.text((column.centre[0], y), str(figure), FIGURE, INK)
