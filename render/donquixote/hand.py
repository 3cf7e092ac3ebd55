"""A person's own principality and hand, with each tile both ways up."""

from __future__ import annotations

from games.donquixote.position import HAND_SIZES
from games.donquixote.tiles import SANCHO, TURNED
from render.cache import cached
from render.canvas import Canvas, Sprite
from render.donquixote.board import LAND, draw_heading, draw_scoring, sheet_area
from render.donquixote.colours import CLAY, TRAY
from render.donquixote.country import FOOT, PLAY, backdrop
from render.donquixote.land import Marks, draw_bare, draw_land
from render.donquixote.sheet import CATEGORY_NAMES, FIGURE, category_icon
from render.donquixote.situation import Situation
from render.donquixote.tiles import dull_tile, loose_tile, tile_height
from render.donquixote.words import reckoned
from render.geometry import Box, arc, trace
from render.light import raised
from render.plates import cut_card
from render.theme import GOLD, INK, LIGHT, LINE, SOFT, Type

BELOW = round(LAND.walled.bottom) + 14
"""Top of the hand."""
FEW, ONE_ROW = 4, 6
"""Up to this many tiles, both ways up of each are side by side; and up to this many, all tiles are
in one row, otherwise in two.
"""
LARGEST, LARGEST_OF_MANY = 160, 132
"""Largest width of a tile in the hand: in one row, and in two."""
APART = 20
"""The minimum gap between two tiles."""
SIDE = sheet_area(LAND)
PAD, LABEL, ROWS_APART = 14, 46, 26
"""Padding above the tiles, height of the line below each row, and gap between two rows."""
SCORINGS = 276
"""Height of the table shown instead of an empty hand."""
HANDS = len(HAND_SIZES)
NUMBER = Type("strong", 38)
ROUND = Type("strong", 28)


# ------------------------------------------------------------------------- at a glance
def draw_single(game: Situation, seat: int, choice: str | None = None) -> Canvas:
    """Draw one large principality, with its sheet next to it and the hand below; if the hand is
    empty, draw the points of all rounds instead.

    :param choice: the piece that was chosen for the field, or is being tried out there.
    """
    hand = _hand_of(game, seat)
    room = Box(PLAY.left, BELOW, PLAY.right, BELOW + _height(hand))
    canvas = backdrop(cut_card(round(room.bottom) + FOOT + 6, CLAY))
    draw_heading(canvas, game)
    draw_bare(canvas, LAND)
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
    across = 2 * tiles if tiles <= FEW else _across(tiles)
    largest = LARGEST if tiles <= ONE_ROW else LARGEST_OF_MANY
    return min(largest, int((PLAY.width / across - APART) / 2) * 2)


def _across(tiles: int) -> int:
    """Return how many tiles of a hand are in each row."""
    return tiles if tiles <= ONE_ROW else -(-tiles // 2)


def _height(hand: list[str]) -> int:
    """Return the height of the tray: a small hand takes one row, a larger one two. If the hand is
    empty, return the height of the table shown instead.
    """
    if not hand:
        return SCORINGS
    rows = -(-len(hand) // _across(len(hand)))
    high = tile_height(tile_width(len(hand))) + LABEL
    return PAD + rows * (high + ROWS_APART) - ROWS_APART


def _draw_hand(
    canvas: Canvas, room: Box, game: Situation, seat: int, hand: list[str], choice: str | None
) -> None:
    """Draw the hand on a tray, with a number below each tile: few tiles both ways up, side by side,
    and more tiles one way up, in rows. Draw frames around the chosen tile or around all that may be
    chosen.
    """
    canvas.stamp(_tray(round(room.width), round(room.height)), room.centre)
    across, width, few = _across(len(hand)), tile_width(len(hand)), len(hand) <= FEW
    high = tile_height(width)
    pitch = min(room.width / across, (2 if few else 1) * width + 76)
    for n, name in enumerate(hand):
        row, column = divmod(n, across)
        left = room.centre[0] - pitch * (min(across, len(hand) - row * across) - 1) / 2
        ways = [name] if name == SANCHO.name else [name, name + TURNED]
        if not few:
            ways = [choice if choice in ways else name]
        x, top = left + pitch * column, room.top + PAD + row * (high + LABEL + ROWS_APART)
        for turn, way in enumerate(ways):
            at = x + (turn - (len(ways) - 1) / 2) * (width + 20), top + high / 2
            sealed = choice is not None and choice != way
            canvas.stamp(dull_tile(way, width) if sealed else loose_tile(way, width), at)
            may = {way} if few else {name, name + TURNED}
            if choice == way or (choice is None and may & set(game.scene.legal)):
                canvas.frame(Box.at(at, width, high), radius=4)
        y = top + high + LABEL / 2 + 1
        if name == SANCHO.name:
            canvas.text((x, y), "Sancho", NUMBER, CLAY.ink)
            continue
        canvas.text((x - 14, y), str(n + 1), NUMBER, CLAY.ink, "rm")
        locked = name == game.public["locked"][seat]
        canvas.stamp(_padlock() if locked else _half_turn(), (x + 16, y))


@cached
def _tray(width: int, height: int) -> Sprite:
    canvas = Canvas(width, height)
    canvas.cover(canvas.box, TRAY, radius=10)
    canvas.sink(canvas.box, 6, radius=10, opacity=0.5)
    return canvas.sprite()


@cached
def _half_turn() -> Sprite:
    """Return the arrow that says that a tile can be turned by half a turn."""
    canvas = Canvas(48, 36)
    way = arc((24, 27), 17, 0.75, 1.25)
    canvas.line(way, CLAY.soft, 5)
    x, y = way[-1]
    canvas.polygon([(x - 10, y - 8), (x + 10, y - 8), (x, y + 6)], CLAY.soft)
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
        canvas.text((room.left + 2, y), label, ROUND, SOFT, "lm")
        if number <= len(scored):
            points = list(scored[number - 1].values())
            for figure, column in zip([*points, sum(points)], columns[1:], strict=True):
                canvas.text((column.centre[0], y), str(figure), FIGURE, INK)
