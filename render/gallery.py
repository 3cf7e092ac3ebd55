"""What stands at the house's door: a picture of all games, and the house's own sign.

The boards are drawn by what draws them at the tables, in the middle of a match of random moves.
"""

from __future__ import annotations

import io
import random
from collections.abc import Mapping
from functools import lru_cache
from math import cos, pi, sin
from typing import Any

from PIL import Image

from data.texts import Texts
from games import GAMES
from games.engine import Match
from render import PAINTERS
from render.canvas import Canvas, Sprite, write
from render.geometry import Box, trace
from render.light import raised, relief
from render.plates import OAK, card, token
from render.scene import ALT_LIMIT, Picture, Scene
from render.theme import SEATS, SHADOW, Colour, Type
from render.victory import EMBLEMS, LEAF, WORLDS, laurel

HEIGHT = 828
COLUMNS = 3
SHOWN = 2 * COLUMNS - 1
"""So many games have room beside the sign; further ones are named in the text."""
NAMES = ("Anna", "Ben", "Clara", "David", "Emil")
SEED = "round table"
SHARE = 0.6
"""How far into a match a board is shown."""
PLAYERS = 3
"""So many play where a game allows it."""

HOUSE_NAME = "Tafelrunde"
TITLES = Type("title", 34), Type("title", 28)
LABEL = Type("text", 26)
SIGN = Type("title", 48)

TABLE_TOP: Colour = "#8F6238"
TABLE_EDGE: Colour = "#6E4829"

BANNER = 680, 240
ICON = 1024
"""The sizes that Discord wants."""


def gallery(titles: Mapping[str, str], labels: Mapping[str, str], alt: str, say: Texts) -> Picture:
    """The first games side by side, after the sign of the house.

    :param titles: the name of each game, by its id, in the order in which they are shown.
    :param labels: what is said below each, such as how many play.
    :param alt: what the picture shows, in words.
    """
    canvas = card(HEIGHT, OAK)
    rows = canvas.box.inset(32, 30).rows(2, gap=18)
    boxes = [box for row in rows for box in row.columns(COLUMNS, gap=24)]
    _draw_sign(canvas, boxes[0])
    for box, game in zip(boxes[1:], titles, strict=False):
        _draw_game(canvas, box, game, titles[game], labels[game], say)
    return Picture(f"gallery-{say.language}.png", canvas.png(None), alt[:ALT_LIMIT])


def _draw_sign(canvas: Canvas, box: Box) -> None:
    x, y = box.centre[0], box.top + 150
    canvas.stamp(_round_table(300), (x, y))
    canvas.text((x, box.bottom - 44), HOUSE_NAME.upper(), SIGN, LEAF)


def _draw_game(canvas: Canvas, box: Box, game: str, title: str, label: str, say: Texts) -> None:
    """The board like a sheet on the table, its name and who plays below it."""
    board = _small_board(game, say, round(box.width))
    width, height = board.size
    mount = Box.at((box.centre[0], box.top + 6 + height / 2), width, height).inset(-4)
    canvas.shadow(mount, 10, radius=8, opacity=0.6)
    canvas.rect(mount, LEAF, radius=8)
    canvas.rect(mount.inset(2), SHADOW, radius=6)
    canvas.stamp(board, mount.centre)
    write(canvas, (box.centre[0], box.bottom - 62), title.upper(), TITLES, box.width, OAK.ink)
    write(canvas, (box.centre[0], box.bottom - 20), label, LABEL, box.width, OAK.soft)


def _small_board(game: str, say: Texts, width: int) -> Sprite:
    with Image.open(io.BytesIO(PAINTERS[game].board(_scene(game, say)).png)) as opened:
        height = round(width * 0.75)
        fitting = min(width / opened.width, height / opened.height)
        size = round(opened.width * fitting), round(opened.height * fitting)
        small = opened.convert("RGB").resize(size, Image.Resampling.LANCZOS, reducing_gap=2)
    return Sprite(small, Image.new("L", small.size, 255))


@lru_cache(maxsize=len(GAMES))
def _sample(game_id: str) -> Match[Any]:
    """A match of random moves as it stood in its later middle; to be read only."""
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
    """The sign as a square PNG, for the profile of the app; Discord cuts it round."""
    canvas = Canvas(ICON, ICON, OAK.rim)
    canvas.cover(canvas.box, OAK.material)
    canvas.stamp(_round_table(920), canvas.box.centre)
    return canvas.png(None)


def banner() -> bytes:
    """What stands behind the sign in the profile of the app, as a PNG."""
    width, height = BANNER
    canvas = Canvas(width, height, OAK.rim)
    canvas.cover(canvas.box, OAK.material)
    bands = canvas.box.inset(12).columns(len(WORLDS), gap=12)
    for band, (game, ground) in zip(bands, WORLDS.items(), strict=True):
        canvas.shadow(band, 8, radius=10, opacity=0.6)
        canvas.cover(band, ground.material, radius=10)
        canvas.rect(band, None, ground.line, 2, radius=10)
        sign = Canvas(round(band.width), round(band.height))
        sign.path(trace(EMBLEMS[game]), LEAF, centre=sign.box.centre, scale=0.5)
        canvas.stamp(raised(relief(sign.sprite(), 3, 0.8), 4), band.centre)
    return canvas.png(None)


def _round_table(size: int) -> Sprite:
    """A round table with the shields of all seats around a cup in laurel; ``size`` across."""
    canvas, top, inlay, cup = (Canvas(size, size) for _ in range(4))
    centre, radius = canvas.box.centre, size * 0.47
    top.circle(centre, radius, TABLE_EDGE)
    inlay.circle(centre, radius * 0.93, TABLE_TOP)
    canvas.stamp(raised(relief(top.sprite(), size * 0.02, 0.9), size * 0.02), centre)
    canvas.stamp(relief(inlay.sprite(), size * 0.01, 0.6), centre)
    canvas.ring(centre, radius * 0.93, max(2.0, size / 120))
    for n in range(len(SEATS)):
        turn = 2 * pi * n / len(SEATS)
        x = centre[0] + radius * 0.7 * sin(turn)
        y = centre[1] - radius * 0.7 * cos(turn)
        canvas.stamp(raised(token(n, round(size * 0.2)), size / 60), (x, y))
    canvas.stamp(laurel(round(size * 0.42)), centre)
    cup.path(trace(EMBLEMS["isolde"]), LEAF, centre=centre, scale=size / 1250)
    canvas.stamp(raised(relief(cup.sprite(), size / 120, 0.8), size / 100), centre)
    return canvas.sprite()
