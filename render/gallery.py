"""A picture of all games, and the bot's own sign for its icon and banner.

Each game is painted with the pieces and figures of its own tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from data.texts import Texts
from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.donquixote.country import vista
from render.donquixote.tiles import loose_tile
from render.geometry import Box, arc, trace
from render.isis.look import LIMESTONE, STAR, WATERS
from render.isis.pieces import cobra, jar, lotus
from render.isolde.devices import shield
from render.isolde.scenery import scenery
from render.lancelot.pieces import draw_meadow, mounted_knight, pavilion, stone
from render.laurel import LEAF
from render.light import raised, relief
from render.plates import OAK, card, token
from render.scene import ALT_LIMIT, Picture
from render.theme import SEATS, SHADOW, Colour, Palette, Type
from render.twilight.cards import card_face
from render.victory import EMBLEMS, WORLDS

HEIGHT = 828
COLUMNS = 3
SHOWN = 2 * COLUMNS - 1
"""How many games have room next to the sign; the text names the others."""
SHAPE = 0.75
"""Height of a painting, in widths."""

HOUSE_NAME = "Tafelrunde"
TITLES = Type("title", 34), Type("title", 28)
LABEL = Type("text", 28)
SIGN = Type("title", 48)

TABLE_TOP: Colour = "#5C2230"
TABLE_EDGE: Colour = "#6E4829"
DUSK: Colour = "#2F2A55"
SUNLIGHT: Colour = "#E8B04A"

PALETTE = Palette.of("gallery")

BANNER = 680, 240
ICON = 1024
"""The sizes that Discord asks for, in pixels."""


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
        _draw_game(canvas, box, game, titles[game], labels[game])
    return Picture(f"gallery-{say.language}.png", canvas.png(PALETTE), alt[:ALT_LIMIT])


def _draw_sign(canvas: Canvas, box: Box) -> None:
    x, y = box.centre[0], box.top + 150
    canvas.stamp(_round_table(300), (x, y))
    canvas.text((x, box.bottom - 44), HOUSE_NAME.upper(), SIGN, LEAF)


def _draw_game(canvas: Canvas, box: Box, game: str, title: str, label: str) -> None:
    """Draw the game's painting like a sheet on the table, with its name and label below it."""
    board = painting(game, round(box.width), round(box.width * SHAPE)).sprite()
    width, height = board.size
    mount = Box.at((box.centre[0], box.top + 6 + height / 2), width, height).inset(-4)
    canvas.shadow(mount, 10, radius=8, opacity=0.6)
    canvas.rect(mount, LEAF, radius=8)
    canvas.rect(mount.inset(2), SHADOW, radius=6)
    canvas.stamp(board, mount.centre)
    write(canvas, (box.centre[0], box.bottom - 62), title.upper(), TITLES, box.width, OAK.ink)
    write(canvas, (box.centre[0], box.bottom - 20), label, LABEL, box.width, OAK.soft)


def _draw_lancelot(canvas: Canvas, unit: float) -> None:
    """Draw a knight on a meadow, and three stones."""
    x = canvas.box.centre[0]
    draw_meadow(canvas)
    if canvas.height > canvas.width:
        canvas.stamp(pavilion(2, round(unit * 1.1)), (x, canvas.height - unit * 1.3))
    canvas.stamp(
        mounted_knight(0, round(unit * 0.82)), (x + unit * 0.04, canvas.height - unit * 0.54)
    )
    for seat, at in ((1, -1.15), (2, 0), (3, 1.15)):
        place = x + at * unit * 0.3, canvas.height - unit * 0.16
        canvas.stamp(raised(stone(seat, round(unit * 0.27)), 4), place)


def _draw_isis(canvas: Canvas, unit: float) -> None:
    """Draw jars and a lotus on a barque, and a serpent that attacks one of them from below."""
    x, y = canvas.box.centre
    canvas.rect(canvas.box, DUSK)
    for n, tone in enumerate(WATERS):
        top = y + unit * (0.14 + 0.09 * n)
        canvas.rect(Box(0, top, canvas.width, canvas.height), tone)
    canvas.circle((x, y - unit * 0.02), unit * 0.4, STAR, opacity=0.8)
    hull = "M -100 -26 C -88 10 -60 26 0 26 C 60 26 88 10 100 -26 C 84 -6 60 2 0 2 C -60 2 -84 -6"
    canvas.path(trace(f"{hull} -100 -26 Z"), LIMESTONE, SHADOW, 3, (x, y + unit * 0.26), unit / 170)
    wide = round(unit * 0.3)
    for seat, amulet, step in ((0, "ankh", -1), (1, "scarab", 1)):
        canvas.stamp(jar(seat, amulet, wide), (x + step * unit * 0.31, y + unit * 0.05))
    canvas.stamp(lotus(wide), (x, y + unit * 0.05))
    canvas.stamp(cobra(wide, jar=True), (x + unit * 0.31, y + unit * 0.05))


def _draw_twilight(canvas: Canvas, unit: float) -> None:
    """Draw a round table, half day and half night, with four cards."""
    x, y = canvas.box.centre
    canvas.cover(canvas.box, WORLDS["twilight"].material)
    canvas.circle((x, y), unit * 0.49, TABLE_EDGE, SHADOW, 2)
    for colour, start in ((DUSK, 0.5), (SUNLIGHT, 0)):
        canvas.polygon(arc((x, y), unit * 0.45, start, start + 0.5), colour)
    upright = canvas.height > canvas.width
    wide = round(unit * (0.42 if upright else 0.28))
    names = ("MC3", "SC4", "ML5", "SP") if upright else ("MC3", "ML5", "SC4", "SP")
    for n, name in enumerate(names):
        place = x + (n - 1.5) * unit * 0.31, y
        if upright:
            place = x + (n % 2 - 0.5) * unit * 0.5, y + (n // 2 - 0.5) * unit * 0.7
        canvas.stamp(raised(card_face(name, wide), 6), place)


def _draw_donquixote(canvas: Canvas, unit: float) -> None:
    """Draw the knight and his squire, and three tiles."""
    upright, strip = canvas.height > canvas.width, round(unit * 0.32)
    width = canvas.width - (0 if upright else strip)
    height = canvas.height - (strip * 3 // 2 if upright else 0)
    canvas.cover(canvas.box, WORLDS["donquixote"].material)
    canvas.stamp(vista(width, height), (width / 2, height / 2))
    for n, name in enumerate(("KN05", "WM2", "CH3")):
        step = (n + 0.5) / 3
        place = width + strip / 2, canvas.height * step
        if upright:
            place = canvas.width * step, (height + canvas.height) / 2
        canvas.stamp(loose_tile(name, round(unit * 0.2)), place)


def _draw_isolde(canvas: Canvas, unit: float) -> None:
    """Draw Isolde in her window, two stones, and a shield."""
    x = canvas.box.centre[0]
    size = max(canvas.width, canvas.height)
    canvas.stamp(scenery("ISOLDE", size), (x, size / 2))
    for seat, at in ((0, -1), (4, 1)):
        place = x + at * unit * 0.27, canvas.height - unit * 0.17
        canvas.stamp(raised(token(seat, round(unit * 0.25)), 6), place)
    canvas.stamp(shield("LANZE", "12", round(unit * 0.26)), (x, canvas.height - unit * 0.17))


PAINTINGS: dict[str, Callable[[Canvas, float], None]] = {
    "lancelot": _draw_lancelot,
    "isis": _draw_isis,
    "twilight": _draw_twilight,
    "donquixote": _draw_donquixote,
    "isolde": _draw_isolde,
}
"""The painting of each game, which fills a canvas around something of the given size."""


def painting(game: str, width: int, height: int) -> Canvas:
    """Return the painting of a game; a game without a painting of its own shows the sign of the
    house.
    """
    canvas = Canvas(width, height, OAK.rim)
    if game in PAINTINGS:
        PAINTINGS[game](canvas, min(SHAPE * width, height))
    else:
        canvas.stamp(_round_table(min(width, height)), canvas.box.centre)
    return canvas


# ------------------------------------------------------------------ the sign of the house
def app_icon() -> bytes:
    """Return the sign as a square PNG for the app's profile; Discord crops it to a circle."""
    canvas = Canvas(ICON, ICON, OAK.rim)
    canvas.cover(canvas.box, OAK.material)
    canvas.stamp(_round_table(920), canvas.box.centre)
    return canvas.png(PALETTE)


def banner() -> bytes:
    """Return the banner of the app's profile, as a PNG."""
    width, height = BANNER
    canvas = Canvas(width, height, OAK.rim)
    canvas.cover(canvas.box, OAK.material)
    bands = canvas.box.inset(12).columns(len(WORLDS), gap=12)
    for band, (game, ground) in zip(bands, WORLDS.items(), strict=True):
        frame = Box(*map(round, band))
        canvas.shadow(frame, 8, radius=6, opacity=0.6)
        width, height = round(frame.width), round(frame.height)
        double = painting(game, 2 * width, 2 * height)
        canvas.stamp(double.cut(double.box).reduced(width, height), frame.centre)
        canvas.rect(frame, None, ground.line, 3, radius=2)
    return canvas.png(PALETTE)


@cached
def _round_table(size: int) -> Sprite:
    """Return a round table with a cup on it and the seats' colours on its rim; ``size`` across."""
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
