"""A person's own principality and hand, with each tile both ways up."""

from __future__ import annotations

from games.donquixote.position import HAND_SIZES
from games.donquixote.tiles import SANCHO, TURNED
from render.cache import cached
from render.canvas import Canvas, Sprite
from render.donquixote.board import LAND, draw_heading, draw_scoring, sheet_area
from render.donquixote.colours import CLAY, TRAY
from render.donquixote.country import FOOT, PLAY
from render.donquixote.land import Marks, draw_land
from render.donquixote.sheet import CATEGORY_NAMES, FIGURE, category_icon
from render.donquixote.situation import Situation
from render.donquixote.tiles import dull_tile, loose_tile, tile_height
from render.donquixote.words import reckoned
from render.geometry import Box, Point, arc, trace
from render.light import raised
from render.theme import GOLD, INK, LIGHT, LINE, SOFT, Type

BELOW = round(LAND.walled.bottom) + 14
"""Top of the hand."""
FEW = 4
"""Up to this many tiles, the two ways up of each are side by side; with more, one above the other.
"""
LARGEST = 160
"""Largest width of a tile in the hand."""
APART = 12
"""The minimum gap between two tiles."""
SIDE = sheet_area(LAND)
PAD, BELOW_UPPER, LABEL = 16, 30, 40
"""Padding above and below the tiles, gap between two rows, and height of the line below few
tiles.
"""
SCORINGS = 276
"""Height of the table shown instead of an empty hand."""
HANDS = len(HAND_SIZES)
NUMBER = Type("strong", 28)


# ------------------------------------------------------------------------- at a glance
def draw_single(game: Situation, seat: int, choice: str | None = None) -> Canvas:
    """Draw one large principality, with its sheet next to it and the hand below; if the hand is
    empty, draw the points of all rounds instead.

    :param choice: the piece that was chosen for the field, or is being tried out there.
    """
    hand = _hand_of(game, seat)
    room = Box(PLAY.left, BELOW, PLAY.right, BELOW + _height(hand))
    canvas = draw_heading(game, round(room.bottom) + FOOT + 6)
    board, marks = dict(game.board(seat)), game.marks(seat)
    if choice is not None:
        field = game.public["field"]
        board[field] = choice
        marks = Marks(latest=[field], tried=field)
    draw_land(canvas, LAND, board, marks, seat)
    draw_scoring(canvas, SIDE, game, seat, reckoned(board, game.round))
    if hand:
        _draw_hand(canvas, room, game, seat, hand, choice)
    else:
        _draw_scorings(canvas, room.inset(0, 4), game, seat)
    return canvas


def _hand_of(game: Situation, seat: int) -> list[str]:
    """Return the tiles of a seat, Sancho last."""
    hand = list(game.public["hands"][seat])
    return [*hand, SANCHO.name] if hand and game.public["sancho"][seat] else hand


def tile_width(tiles: int) -> int:
    """Return the width of a tile in a hand of this many tiles; it is even, so that roads are
    centred.
    """
    across = tiles * (2 if tiles <= FEW else 1)
    apart = APART + (8 if tiles <= FEW else 0)
    return min(LARGEST, int((PLAY.width / across - apart) / 2) * 2)


def _height(hand: list[str]) -> int:
    """Return the height of the tray: a small hand takes one row, a larger one two. If the hand is
    empty, return the height of the table shown instead.
    """
    if not hand:
        return SCORINGS
    high = tile_height(tile_width(len(hand)))
    if len(hand) > FEW:
        return PAD + 2 * high + BELOW_UPPER + PAD
    return PAD + high + LABEL


def _draw_hand(
    canvas: Canvas, room: Box, game: Situation, seat: int, hand: list[str], choice: str | None
) -> None:
    """Draw every tile of the hand on a tray, both ways up: one above the other, or side by side if
    few tiles are left.
    """
    canvas.stamp(_tray(round(room.width), round(room.height)), room.centre)
    few, width = len(hand) <= FEW, tile_width(len(hand))
    high = tile_height(width)
    step: Point = (width + 20, 0) if few else (0, high + BELOW_UPPER)
    pitch = min(room.width / len(hand), (2 if few else 1) * width + (76 if few else 32))
    left = room.centre[0] - pitch * (len(hand) - 1) / 2
    top = room.top + PAD
    for number, name in enumerate(hand, 1):
        ways = [name] if name == SANCHO.name else [name, name + TURNED]
        spread = len(ways) - 1 if few else 0
        middle = left + pitch * (number - 1)
        x = middle - spread * step[0] / 2
        for turn, way in enumerate(ways):
            at = x + turn * step[0], top + high / 2 + turn * step[1]
            sealed = choice is not None and choice != way
            canvas.stamp(dull_tile(way, width) if sealed else loose_tile(way, width), at)
            if turn:
                canvas.stamp(
                    _half_turn(), (middle, top + high + (LABEL - 10 if few else BELOW_UPPER) / 2)
                )
            if choice == way:
                canvas.frame(Box.at(at, width, high), radius=4)
        right = x + spread * step[0] + width / 2
        if name == game.public["locked"][seat]:
            canvas.stamp(_padlock(), (right - 18, top + 18))
        if name == SANCHO.name:
            canvas.text((middle, top + high + LABEL / 2), "Sancho", NUMBER, CLAY.ink)
        else:
            canvas.stamp(_number(number), (x - width / 2 + 15, top + 15))


@cached
def _tray(width: int, height: int) -> Sprite:
    canvas = Canvas(width, height)
    canvas.cover(canvas.box, TRAY, radius=10)
    canvas.sink(canvas.box, 6, radius=10, opacity=0.5)
    return canvas.sprite()


@cached
def _number(number: int) -> Sprite:
    canvas = Canvas(38, 38)
    canvas.circle((19, 19), 19, INK)
    canvas.circle((19, 19), 17, LIGHT)
    canvas.text((19, 19), str(number), NUMBER, INK)
    return raised(canvas.sprite(), 2)


@cached
def _half_turn() -> Sprite:
    """Return the arrow that shows half a turn, between the two ways up of a tile."""
    canvas = Canvas(44, 24)
    way = arc((22, 21), 15, 0.75, 1.25)
    canvas.line(way, CLAY.soft, 4)
    x, y = way[-1]
    canvas.polygon([(x - 8, y - 7), (x + 8, y - 7), (x, y + 3)], CLAY.soft)
    return canvas.sprite()


@cached
def _padlock() -> Sprite:
    canvas = Canvas(44, 44)
    canvas.circle((22, 22), 21, LIGHT, INK, 2.5)
    canvas.path(trace("M 15 22 V 16 Q 15 8 22 8 Q 29 8 29 16 V 22"), None, INK, 4)
    canvas.rect(Box(11, 20, 33, 36), GOLD, INK, 2.5, radius=4)
    return raised(canvas.sprite(), 2)


def _draw_scorings(canvas: Canvas, room: Box, game: Situation, seat: int) -> None:
    """Draw the points of all rounds so far, by category, in place of an empty hand."""
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
