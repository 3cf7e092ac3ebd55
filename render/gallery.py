"""A picture of all games, and the bot's own sign for its icon and banner.

The games' own painters draw the boards, from the middle of a match of random moves.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from data.texts import Texts, texts
from games import GAMES
from games.engine import Match
from render import PAINTERS
from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.donquixote.country import vista
from render.geometry import Box, Point, arc, trace
from render.isolde.scenery import scenery
from render.lancelot.pieces import lists
from render.laurel import LEAF
from render.light import raised, relief
from render.plates import OAK, card
from render.scene import ALT_LIMIT, Picture, Scene
from render.theme import SEATS, SHADOW, Colour, Palette, Type
from render.victory import EMBLEMS, WORLDS

HEIGHT = 828
COLUMNS = 3
SHOWN = 2 * COLUMNS - 1
"""How many games have room next to the sign; the text names the others."""
NAMES = ("Anna", "Ben", "Clara", "David", "Emil")
SEED = "round table"
SHARE = 0.6
"""Which share of a match has been played on the boards shown."""
PLAYERS = 3
"""Players of the sample match, if the game allows this many."""
DETAIL = 640, 480
"""Width and height of the part of a board that is shown: half of a broad board, so that its pieces
are recognisable.
"""
DETAILS: dict[str, Point] = {
    "lancelot": (550, 660),
    "donquixote": (336, 300),
    "isis": (370, 380),
    "twilight": (600, 430),
    "isolde": (600, 400),
}
"""The middle of that part; of other games, the middle of the board."""
SCENES: dict[str, tuple[Point, float]] = {
    "twilight": ((600, 460), 1.5),
    "isis": ((395, 335), 1.3),
}
"""The middle of the part of a board that the banner shows, upright, and how much smaller."""
TEXTS = texts("en")

HOUSE_NAME = "Tafelrunde"
TITLES = Type("title", 34), Type("title", 28)
LABEL = Type("text", 28)
SIGN = Type("title", 48)

TABLE_TOP: Colour = "#5C2230"
TABLE_EDGE: Colour = "#6E4829"

PALETTE = Palette.of("gallery")

BANNER = 680, 240
ICON = 1024
"""The sizes Discord asks for, in pixels."""


def gallery(titles: Mapping[str, str], labels: Mapping[str, str], alt: str, say: Texts) -> Picture:
    """Draw the sign of the house, then the first games side by side.

    :param titles: the name of each game by its id, in display order.
    :param labels: the text below each game, such as the number of players.
    :param alt: the description of the picture.
    """
    canvas = card(HEIGHT, OAK)
    rows = canvas.box.inset(32, 30).rows(2, gap=18)
    boxes = [box for row in rows for box in row.columns(COLUMNS, gap=24)]
    _draw_sign(canvas, boxes[0])
    for box, game in zip(boxes[1:], titles, strict=False):
        _draw_game(canvas, box, game, titles[game], labels[game], say)
    return Picture(f"gallery-{say.language}.png", canvas.png(PALETTE), alt[:ALT_LIMIT])


def _draw_sign(canvas: Canvas, box: Box) -> None:
    x, y = box.centre[0], box.top + 150
    canvas.stamp(_round_table(300), (x, y))
    canvas.text((x, box.bottom - 44), HOUSE_NAME.upper(), SIGN, LEAF)


def _draw_game(canvas: Canvas, box: Box, game: str, title: str, label: str, say: Texts) -> None:
    """Draw the board like a sheet on the table, with its name and label below it."""
    board = _detail(game, say, round(box.width))
    width, height = board.size
    mount = Box.at((box.centre[0], box.top + 6 + height / 2), width, height).inset(-4)
    canvas.shadow(mount, 10, radius=8, opacity=0.6)
    canvas.rect(mount, LEAF, radius=8)
    canvas.rect(mount.inset(2), SHADOW, radius=6)
    canvas.stamp(board, mount.centre)
    write(canvas, (box.centre[0], box.bottom - 62), title.upper(), TITLES, box.width, OAK.ink)
    write(canvas, (box.centre[0], box.bottom - 20), label, LABEL, box.width, OAK.soft)


def _detail(game: str, say: Texts, width: int) -> Sprite:
    """The most characteristic part of a board."""
    board = PAINTERS[game].draw(_scene(game, say))
    window = Box.at(DETAILS.get(game, board.box.centre), *DETAIL)
    return board.cut(window).reduced(width, round(width * DETAIL[1] / DETAIL[0]))


@lru_cache(maxsize=len(GAMES))
def _sample(game_id: str) -> Match[Any]:
    """A position from a match of random moves, ``SHARE`` of the way through; do not modify it."""
    game = GAMES[game_id]
    players = min(game.info.players, key=lambda count: abs(count - PLAYERS))
    whole = Match(game, game.setup(players, {}, SEED))
    whole.advance()
    rng = random.Random(SEED)
    while whole.actors:
        seat = whole.actors[0]
        whole.play(seat, [game.random_move(whole.state, seat, rng)])
    return Match.replay(game, whole.setup, whole.log[: round(SHARE * whole.ply)])


def _scene(game_id: str, say: Texts) -> Scene:
    match = _sample(game_id)
    return Scene(match.view(None), NAMES[: match.setup.players], say)


# ------------------------------------------------------------------ the sign of the house
def app_icon() -> bytes:
    """The sign as a square PNG for the app's profile; Discord crops it to a circle."""
    canvas = Canvas(ICON, ICON, OAK.rim)
    canvas.cover(canvas.box, OAK.material)
    canvas.stamp(_round_table(920), canvas.box.centre)
    return canvas.png(PALETTE)


def banner() -> bytes:
    """The banner of the app's profile, as a PNG."""
    width, height = BANNER
    canvas = Canvas(width, height, OAK.rim)
    canvas.cover(canvas.box, OAK.material)
    bands = canvas.box.inset(12).columns(len(WORLDS), gap=12)
    for band, (game, ground) in zip(bands, WORLDS.items(), strict=True):
        frame = Box(*map(round, band))
        canvas.shadow(frame, 8, radius=6, opacity=0.6)
        canvas.stamp(_figure(game, round(frame.width), round(frame.height)), frame.centre)
        canvas.rect(frame, None, ground.line, 3, radius=2)
    return canvas.png(PALETTE)


def _figure(game: str, width: int, height: int) -> Sprite:
    """An upright image for a game: its painting, or otherwise a part of a board."""
    canvas = Canvas(width, height, OAK.rim)
    middle = canvas.box.centre
    if game == "lancelot":
        canvas.stamp(lists(2 * height, height, 0), (width / 2 + 0.08 * height, height / 2))
    elif game == "donquixote":
        canvas.stamp(vista(round(height * 0.9), height), (width / 2 + 0.01 * height, height / 2))
    elif game == "isolde":
        canvas.stamp(scenery("ISOLDE", height), middle)
    else:
        board = PAINTERS[game].draw(_scene(game, TEXTS))
        at, scale = SCENES[game]
        window = Box.at(at, scale * width, scale * height)
        canvas.stamp(board.cut(window).reduced(width, height), middle)
    return canvas.sprite()


@cached
def _round_table(size: int) -> Sprite:
    """A round table with a cup on it and the seats' colours on its rim; ``size`` across."""
    canvas, rim, top, cup = (Canvas(size, size) for _ in range(4))
    centre, radius = canvas.box.centre, size * 0.48
    rim.circle(centre, radius, TABLE_EDGE)
    for n, seat in enumerate(SEATS):
        start = n / len(SEATS) + 0.006
        edge = arc(centre, radius * 0.96, start, start + 1 / len(SEATS) - 0.012)
        rim.polygon([centre, *edge], seat.colour)
    top.circle(centre, radius * 0.76, TABLE_TOP)
    canvas.stamp(raised(relief(rim.sprite(), size * 0.012, 0.5), size * 0.02), centre)
    canvas.circle(centre, radius * 0.79, LEAF)
    canvas.stamp(relief(top.sprite(), size * 0.01, 0.6), centre)
    cup.path(trace(EMBLEMS["isolde"]), LEAF, SHADOW, 3, centre, size / 340)
    canvas.stamp(raised(relief(cup.sprite(), size / 90, 0.8), size / 60), centre)
    return canvas.sprite()
