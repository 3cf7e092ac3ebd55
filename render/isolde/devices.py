"""The small things on a scroll: devices of the boards, shields, scroll seals, cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from render.canvas import Canvas, Sprite, text_width
from render.geometry import Box, Point, star, trace
from render.isolde.colours import (
    BACK,
    CARD_GROUNDS,
    RESTING,
    ROLLS,
    SCROLLS,
    SHIELDS,
)
from render.theme import FAINT, GOLD, INK, LIGHT, LINE, PANEL, Colour, Type

FIGURE = Type("strong", 24)
SEAL = Type("title", 24)

ROMAN = ("", "I", "II", "III", "IV", "V", "VI")

Drawing = Callable[[Canvas, Point, float, Colour], None]


# ----------------------------------------------------------------------------- devices
def draw_device(canvas: Canvas, kind: str, centre: Point, size: float, colour: Colour) -> None:
    """The device of a board or of a type of cards, ``size`` high."""
    _DEVICES[kind](canvas, centre, size / 100, colour)


def _path(path: str) -> Drawing:
    outlines = trace(path)

    def drawing(canvas: Canvas, centre: Point, scale: float, colour: Colour) -> None:
        canvas.path(outlines, colour, centre=centre, scale=scale)

    return drawing


def _bowl(canvas: Canvas, centre: Point, scale: float, colour: Colour) -> None:
    """A bowl for alms, and three coins."""
    x, y = centre
    canvas.path(
        trace("M -44 6 H 44 C 44 28 26 42 0 42 C -26 42 -44 28 -44 6 Z"),
        colour,
        centre=centre,
        scale=scale,
    )
    for dx, dy in ((-21, -12), (21, -12), (0, -32)):
        canvas.circle((x + dx * scale, y + dy * scale), 13 * scale, colour)


def _magic(canvas: Canvas, centre: Point, scale: float, colour: Colour) -> None:
    """A great star and two small ones."""
    x, y = centre
    canvas.path([star(5, 0.42)], colour, centre=(x - 6 * scale, y + 6 * scale), scale=40 * scale)
    for dx, dy in ((34, -34), (40, 12)):
        at = x + dx * scale, y + dy * scale
        canvas.path([star(4, 0.35)], colour, centre=at, scale=15 * scale)


def _blade(mirror: int) -> Drawing:
    """A sword upright to a side, its hilt below."""

    def drawing(canvas: Canvas, centre: Point, scale: float, colour: Colour) -> None:
        x, y = centre

        def at(dx: float, dy: float) -> Point:
            return x + mirror * dx * scale, y + dy * scale

        canvas.polygon([at(42, -44), at(38, -28), at(-18, 28), at(-27, 19), at(28, -38)], colour)
        canvas.line([at(-32, 8), at(-8, 32)], colour, 8 * scale)
        canvas.line([at(-22, 22), at(-36, 36)], colour, 9 * scale)
        canvas.circle(at(-38, 38), 7.5 * scale, colour)

    return drawing


def _lance(canvas: Canvas, centre: Point, scale: float, colour: Colour) -> None:
    """A lance with its guard and a pennant."""
    x, y = centre

    def at(dx: float, dy: float) -> Point:
        return x + dx * scale, y + dy * scale

    canvas.line([at(44, -44), at(-40, 40)], colour, 7 * scale)
    canvas.polygon([at(-34, 6), at(-6, 34), at(-26, 28)], colour)
    canvas.polygon([at(-34, 6), at(-6, 34), at(6, -6)], colour)
    canvas.polygon([at(36, -36), at(14, -14), at(-22, -34), at(2, -36), at(-6, -50)], colour)


def _swords(canvas: Canvas, centre: Point, scale: float, colour: Colour) -> None:
    for mirror in (1, -1):
        _blade(mirror)(canvas, centre, scale, colour)


def _lance_and_sword(canvas: Canvas, centre: Point, scale: float, colour: Colour) -> None:
    _blade(-1)(canvas, centre, scale, colour)
    _lance(canvas, centre, scale, colour)


_DEVICES: dict[str, Drawing] = {
    "ISOLDE": _path(
        "M 0 44 C -56 6 -50 -40 -22 -40 C -8 -40 0 -30 0 -20 C 0 -30 8 -40 22 -40"
        " C 50 -40 56 6 0 44 Z"
    ),
    "LANZE": _lance,
    "TURNIER": _swords,
    "KAMPF": _lance_and_sword,
    "STUDIEN": _path(
        "M -3 -20 C -14 -32 -32 -34 -46 -28 L -46 26 C -32 20 -14 22 -3 34 Z"
        " M 3 -20 C 14 -32 32 -34 46 -28 L 46 26 C 32 20 14 22 3 34 Z"
    ),
    "KOENIG": _path(
        "M -46 -26 L -22 2 L 0 -40 L 22 2 L 46 -26 L 36 20 L -36 20 Z M -36 26 H 36 V 38 H -36 Z"
    ),
    "GRAL": _path(
        "M -34 -42 H 34 C 34 -8 20 8 7 10 L 7 26 L 24 36 V 44 H -24 V 36 L -7 26 L -7 10"
        " C -20 8 -34 -8 -34 -42 Z"
    ),
    "BARM": _bowl,
    "MAGIE": _magic,
}


@lru_cache(maxsize=64)
def medallion(kind: str, size: int) -> Sprite:
    """The device of a board in a round field of its colour."""
    canvas = Canvas(size, size)
    centre = size / 2, size / 2
    canvas.circle(centre, size / 2, ROLLS[kind])
    canvas.circle(centre, size / 2 - max(2, size / 24), SCROLLS[kind])
    draw_device(canvas, kind, centre, size * 0.6, LIGHT)
    return canvas.sprite()


# ----------------------------------------------------------------------------- shields
SHIELD = trace("M -30 -34 H 30 V 4 C 30 20 16 30 0 36 C -16 30 -30 20 -30 4 Z")


@lru_cache(maxsize=128)
def shield(board: str, text: str, height: int = 38) -> Sprite:
    """A shield of a board with its value; wide enough for it.

    :param text: ``?`` for one that lies face down.
    """
    ground, ink = (BACK, LIGHT) if text == "?" else SHIELDS[board]
    kind = Type("strong", max(24, round(height * 0.6)))
    width = max(height, text_width(text, kind) + 14)
    canvas = Canvas(width, height)
    outline = [(x * (width - 4) / 60, y * (height - 4) / 70) for x, y in SHIELD[0]]
    centre = width / 2, height / 2
    canvas.path([outline], ground, INK, 2.5, centre=centre)
    canvas.text((centre[0], centre[1] - height * 0.04), text, kind, ink)
    return canvas.sprite()


@lru_cache(maxsize=64)
def ribbon(board: str, text: str, height: int = 36) -> Sprite:
    """A prize that is no shield, such as fields to move."""
    width = text_width(text, FIGURE) + 20
    canvas = Canvas(width, height)
    canvas.rect(canvas.box, SCROLLS[board], radius=height / 2)
    canvas.rect(canvas.box.inset(2.5), LIGHT, radius=height / 2 - 2.5)
    canvas.text(canvas.box.centre, text, FIGURE, INK)
    return canvas.sprite()


@lru_cache(maxsize=64)
def seal(text: str, now: bool, size: int = 44) -> Sprite:
    """When a board is scored: gold if it is in this round."""
    canvas = Canvas(size, size)
    centre = size / 2, size / 2
    canvas.circle(centre, size / 2, GOLD if now else LINE)
    canvas.circle(centre, size / 2 - 3, LIGHT if now else PANEL)
    canvas.text(centre, text, SEAL, INK if now else FAINT)
    return canvas.sprite()


@lru_cache(maxsize=8)
def parchment(size: int) -> Sprite:
    """A scroll of the King's variant."""
    canvas = Canvas(size, size)
    sheet = canvas.box.inset(size * 0.14, size * 0.2)
    canvas.rect(sheet, LIGHT, INK, 2)
    for share in (0.36, 0.64):
        y = sheet.top + sheet.height * share
        canvas.line([(size * 0.34, y), (size * 0.66, y)], FAINT, 2)
    for x in (sheet.left, sheet.right):
        roll = Box(x - size * 0.1, size * 0.1, x + size * 0.1, size * 0.9)
        canvas.rect(roll, GOLD, INK, 2, size * 0.08)
    return canvas.sprite()


# ------------------------------------------------------------------------------- cards
CARD_WIDTH, CARD_HEIGHT = 100, 140


def height_of(width: float) -> int:
    """Height of a card of this width."""
    return round(width * CARD_HEIGHT / CARD_WIDTH)


@lru_cache(maxsize=128)
def card(name: str, width: int) -> Sprite:
    """A card, face up: its value large, its device below."""
    kind, value = name[:-1], name[-1]
    canvas = Canvas(width, height_of(width))
    scale = width / CARD_WIDTH
    _blank(canvas, SCROLLS[kind], CARD_GROUNDS[kind])
    figure = Type("title", max(24, round(40 * scale)))
    canvas.text((20 * scale, 26 * scale), value, figure, SCROLLS[kind])
    canvas.text((80 * scale, 114 * scale), value, figure, SCROLLS[kind])
    canvas.circle((50 * scale, 70 * scale), 34 * scale, SCROLLS[kind])
    draw_device(canvas, kind, (50 * scale, 70 * scale), 44 * scale, LIGHT)
    return canvas.sprite()


@lru_cache(maxsize=64)
def resting(name: str, width: int) -> Sprite:
    """A card that has been played."""
    return card(name, width).faded(RESTING)


@lru_cache(maxsize=8)
def back(width: int) -> Sprite:
    """A card, face down."""
    canvas = Canvas(width, height_of(width))
    _blank(canvas, GOLD, BACK)
    draw_device(canvas, "ISOLDE", canvas.box.centre, width * 0.5, GOLD)
    return canvas.sprite()


def _blank(canvas: Canvas, frame: Colour, ground: Colour) -> None:
    radius, edge = canvas.width * 0.1, max(1.5, canvas.width * 0.02)
    canvas.rect(canvas.box, INK, radius=radius)
    canvas.rect(canvas.box.inset(edge), frame, radius=radius - edge)
    canvas.rect(canvas.box.inset(edge + canvas.width * 0.04), ground, radius=radius * 0.6)


@lru_cache(maxsize=64)
def chip(kind: str, value: str, size: int = 30) -> Sprite:
    """A card played, as small as a thumbnail: the colour of its board and its value."""
    canvas = Canvas(size, size + 6)
    canvas.rect(canvas.box, INK, radius=5)
    canvas.rect(canvas.box.inset(1.5), SCROLLS[kind], radius=4)
    canvas.text(canvas.box.centre, value, FIGURE, LIGHT)
    return canvas.sprite()
