"""A picture of the games, and the bot's icon and banner.

The painting of a game uses pieces and figures from the game's own pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from data.texts import Texts
from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.donquixote.colours import TRAY
from render.donquixote.country import vista
from render.donquixote.tiles import loose_tile
from render.geometry import Box, arc, trace
from render.honours import cup
from render.isis.look import LIMESTONE, STAR, WATERS
from render.isis.pieces import cobra, jar, lotus
from render.isolde.devices import shield
from render.isolde.scenery import scenery
from render.lancelot.ground import LINEN, STRAW
from render.lancelot.pieces import draw_meadow, excalibur, mounted_knight, pavilion, stone
from render.laurel import LEAF
from render.letters import typeset
from render.light import raised, relief
from render.plates import OAK, card, token
from render.scene import ALT_LIMIT, Picture
from render.theme import LIGHT, PANEL, SEATS, SHADOW, Colour, Palette, Type, mix
from render.twilight.cards import card_face
from render.twilight.signs import draw_sign
from render.victory import WORLDS

HEIGHT = 872
COLUMNS = 3
SHOWN = 2 * COLUMNS - 1
"""How many games fit next to the bot's emblem; the text below the picture names every game."""
SHAPE = 0.75
"""Height of a painting, as a multiple of its width."""

HOUSE_NAME = "Tafelrunde"
TITLES = Type("title", 42), Type("title", 36), Type("title", 30)
LABEL = Type("text", 32)
SIGN = Type("title", 50)

TABLE_TOP: Colour = "#5C2230"
TABLE_EDGE: Colour = "#6E4829"
DUSK: Colour = "#2F2A55"
MOONLIGHT: Colour = "#C9CCEA"
STAR_LIGHT: Colour = mix(STAR, LIGHT, 0.3)
SUNLIGHT: Colour = "#E8B04A"

PALETTE = Palette.of("gallery")

BANNER_NAME = Type("title", 116)
HEADBAND = 136
"""Height of the band with the name on the banner; the banner is drawn at double size."""

BANNER = 680, 240
ICON = 1024
"""The sizes that Discord asks for, in pixels."""


def gallery(titles: Mapping[str, str], labels: Mapping[str, str], alt: str, say: Texts) -> Picture:
    """Draw the bot's emblem and the first games, in two rows.

    :param titles: the name of each game, by its id, in the order in which to show them.
    :param labels: the text below each game, such as the number of players.
    """
    canvas = card(HEIGHT, OAK)
    rows = canvas.box.inset(32, 30).rows(2, gap=18)
    boxes = [box for row in rows for box in row.columns(COLUMNS, gap=24)]
    _draw_sign(canvas, boxes[0])
    shown = list(zip(boxes[1:], titles, strict=False))
    wanted = [typeset(titles[game].upper(), TITLES, box.width)[1] for box, game in shown]
    kind = min(wanted, key=lambda each: each.size)  # all titles get the same size
    for box, game in shown:
        _draw_game(canvas, box, game, (titles[game], kind), labels[game])
    return Picture(f"gallery-{say.language}.png", canvas.png(PALETTE), alt[:ALT_LIMIT])


def _draw_sign(canvas: Canvas, box: Box) -> None:
    x, y = box.centre[0], box.top + 156
    canvas.stamp(_round_table(308), (x, y))
    canvas.text((x, box.bottom - 48), HOUSE_NAME.upper(), SIGN, LEAF)


def _draw_game(canvas: Canvas, box: Box, game: str, title: tuple[str, Type], label: str) -> None:
    """Draw a game's painting like a sheet of paper on the table, with its name and label below."""
    board = painting(game, round(box.width), round(box.width * SHAPE)).sprite()
    width, height = board.size
    mount = Box.at((box.centre[0], box.top + 6 + height / 2), width, height).inset(-4)
    canvas.shadow(mount, 10, radius=8, opacity=0.6)
    canvas.rect(mount, LEAF, radius=8)
    canvas.rect(mount.inset(2), SHADOW, radius=6)
    canvas.stamp(board, mount.centre)
    words, kind = title
    write(canvas, (box.centre[0], box.bottom - 70), words.upper(), kind, box.width, OAK.ink)
    write(canvas, (box.centre[0], box.bottom - 22), label, LABEL, box.width, OAK.soft)


def _draw_lancelot(canvas: Canvas, unit: float) -> None:
    """Draw a knight on a meadow; in a wide picture, put a row of the board with stones below
    him.
    """
    draw_meadow(canvas)
    x = canvas.box.centre[0]
    if canvas.height > canvas.width:
        canvas.stamp(pavilion(2, round(unit * 0.9)), (x - unit * 0.26, canvas.height - unit * 1.22))
        canvas.stamp(mounted_knight(0, round(unit * 1.26)), (x, canvas.height - unit * 0.66))
        return
    side = canvas.width / FIELDS
    canvas.stamp(mounted_knight(0, round(unit * 0.72)), (x, canvas.height - side - unit * 0.35))
    for n, field in enumerate(_strip(canvas, side)):
        canvas.cover(field, STRAW if n % 2 else LINEN)
        if n != FIELDS // 2:
            canvas.stamp(raised(stone((1, 2, 2, 3, 4)[n], round(side * 0.86)), 4), field.centre)
        else:
            canvas.stamp(excalibur(round(side * 0.8)), field.centre)


def _strip(canvas: Canvas, height: float) -> list[Box]:
    """Draw a line near the lower edge, and return the boxes of the fields below it, in whole
    pixels.
    """
    top = round(canvas.height - height)
    whole = Box(0, top, canvas.width, canvas.height)
    fields = [
        Box(round(box.left), top, round(box.right), canvas.height) for box in whole.columns(FIELDS)
    ]
    canvas.rect(Box(0, top - 4, canvas.width, top), SHADOW)
    return fields


def _draw_isis(canvas: Canvas, unit: float) -> None:
    """Draw two jars on a barque in front of the sun, with a serpent around one of them; in a wide
    picture, put a lotus between the jars.
    """
    x, y = canvas.box.centre
    upright = canvas.height > canvas.width
    canvas.cover(canvas.box, WORLDS["isis"].material)
    size = unit * (1.5 if upright else 1.0)
    y += unit * (0.3 if upright else 0.06)
    for n, tone in enumerate(WATERS):
        top = y + size * (0.16 + 0.09 * n)
        canvas.rect(Box(0, top, canvas.width, canvas.height), tone)
    canvas.circle((x, y - size * 0.12), size * 0.4, STAR, SHADOW, 2)
    canvas.circle((x, y - size * 0.12), size * 0.35, STAR_LIGHT)
    hull = "M -100 -30 C -88 10 -60 26 0 26 C 60 26 88 10 100 -30 C 84 -6 60 2 0 2 C -60 2 -84 -6"
    canvas.path(trace(f"{hull} -100 -30 Z"), LIMESTONE, SHADOW, 3, (x, y + size * 0.29), size / 155)
    wide = round(size * 0.36)
    if upright:
        for shift, seat, amulet in ((-0.2, 0, "ankh"), (0.2, 1, "scarab")):
            canvas.stamp(jar(seat, amulet, wide), (x + size * shift, y + size * 0.03))
        canvas.stamp(cobra(wide, jar=True), (x + size * 0.24, y + size * 0.03))
        return
    for seat, amulet, step in ((0, "ankh", -1), (1, "scarab", 1)):
        canvas.stamp(jar(seat, amulet, wide), (x + step * size * 0.34, y + size * 0.03))
    canvas.stamp(lotus(wide), (x, y + size * 0.03))
    canvas.stamp(cobra(wide, jar=True), (x + size * 0.4, y + size * 0.03))


def _draw_twilight(canvas: Canvas, unit: float) -> None:
    """Draw a fan of cards over a round table, half night and half day."""
    x, y = canvas.box.centre
    upright = canvas.height > canvas.width
    canvas.cover(canvas.box, WORLDS["twilight"].material)
    size = unit * (1.4 if upright else 0.98)
    canvas.circle((x, y), size * 0.5, TABLE_EDGE, SHADOW, 2)
    for colour, start in ((DUSK, 0.5), (SUNLIGHT, 0)):
        canvas.polygon(arc((x, y), size * 0.46, start, start + 0.5), colour)
    for cult, colour in ((0, MOONLIGHT), (1, WORLDS["twilight"].ink)):
        at = x + (cult - 0.5) * size * 0.42, y - size * 0.28
        draw_sign(canvas, cult, at, size * 0.2, colour)
    names = ("MC3", "SP") if upright else ("MC3", "ML5", "SC4", "SP")
    wide = round(size * (0.46 if upright else 0.36))
    for n, name in enumerate(names):
        step = n - (len(names) - 1) / 2
        place = x + step * wide * (0.66 if upright else 0.72), y + size * (0.1 + 0.02 * step * step)
        canvas.stamp(raised(card_face(name, wide).turned(8 * step), 6), place)


def _draw_donquixote(canvas: Canvas, unit: float) -> None:
    """Draw the knight and his squire, with two tiles next to them if there is room."""
    upright, strip = canvas.height > canvas.width, round(unit * 0.4)
    width = canvas.width - (0 if upright else strip)
    canvas.cover(canvas.box, TRAY)
    canvas.stamp(vista(width, canvas.height), (width / 2, canvas.height / 2))
    if not upright:
        wide = round(unit * 0.3)
        for n, name in enumerate(("KN05", "CH3")):
            place = width + 3 + strip / 2, canvas.height * (n + 0.5) / 2
            canvas.stamp(loose_tile(name, wide), place)


def _draw_isolde(canvas: Canvas, unit: float) -> None:
    """Draw Isolde in her window; in a wide picture, put a track with stones and a prize below
    her.
    """
    x = canvas.box.centre[0]
    size = max(canvas.width, canvas.height)
    if canvas.height > canvas.width:
        canvas.stamp(scenery("ISOLDE", size), (x + size * 0.09, size / 2))
        return
    canvas.stamp(scenery("ISOLDE", size), (x, size / 2 - unit * 0.06))
    side = canvas.width / FIELDS
    for n, field in enumerate(_strip(canvas, side * 0.86)):
        canvas.rect(field, LIGHT if n % 2 else PANEL)
        if n < FIELDS - 1:
            canvas.stamp(raised(token((0, 3, 1, 4)[n], round(side * 0.66)), 4), field.centre)
        else:
            canvas.stamp(shield("LANZE", "12", round(side * 0.7)), field.centre)


FIELDS = 5
"""How many fields of a board a painting shows."""

PAINTINGS: dict[str, Callable[[Canvas, float], None]] = {
    "lancelot": _draw_lancelot,
    "isis": _draw_isis,
    "twilight": _draw_twilight,
    "donquixote": _draw_donquixote,
    "isolde": _draw_isolde,
}
"""The function that paints each game: it fills a canvas, and scales figures to the given size."""


def painting(game: str, width: int, height: int) -> Canvas:
    """Return the painting of a game; for a game that has none, the bot's emblem."""
    canvas = Canvas(width, height, OAK.rim)
    if game in PAINTINGS:
        PAINTINGS[game](canvas, min(SHAPE * width, height))
    else:
        canvas.stamp(_round_table(min(width, height)), canvas.box.centre)
    return canvas


# ------------------------------------------------------------------ the sign of the house
def app_icon() -> bytes:
    """Return the bot's emblem as a square PNG for its profile; Discord crops it to a circle."""
    canvas = Canvas(ICON, ICON, OAK.rim)
    canvas.cover(canvas.box, OAK.material)
    canvas.stamp(_round_table(920), canvas.box.centre)
    return canvas.png(None)


def banner() -> bytes:
    """Return the banner for the bot's profile, as a PNG: its name above a scene of each game."""
    width, height = (2 * side for side in BANNER)
    canvas = Canvas(width, height, OAK.rim)
    canvas.cover(canvas.box, OAK.material)
    canvas.text((width / 2, HEADBAND / 2 + 2), HOUSE_NAME.upper(), BANNER_NAME, LEAF)
    for box, game in zip(Box(0, HEADBAND, width, height).columns(SHOWN, 6), PAINTINGS, strict=True):
        scene = painting(game, round(box.width), round(box.height))
        canvas.stamp(scene.sprite(), box.centre)
        if box.left:
            canvas.rect(Box(box.left - 6, HEADBAND, box.left, height), LEAF)
    canvas.rect(Box(0, HEADBAND - 6, width, HEADBAND), LEAF)
    whole = Canvas(*BANNER, OAK.rim)
    whole.stamp(canvas.reduced(*BANNER), whole.box.centre)
    return whole.png(PALETTE)


@cached
def _round_table(size: int) -> Sprite:
    """Return a round table, ``size`` across, with a cup on it and the seats' colours on its rim."""
    canvas, rim, top = (Canvas(size, size) for _ in range(3))
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
    canvas.stamp(cup(1, round(size * 0.64)), centre)
    return canvas.sprite()
