"""The surroundings of the principalities: a table of clay, and La Mancha under its sky."""

from __future__ import annotations

from games.donquixote.tiles import WINDMILL
from render.cache import cached
from render.canvas import Canvas, Sprite
from render.donquixote import colours
from render.donquixote.colours import (
    CLAY,
    CLOUD,
    FAR_HILLS,
    HAZE,
    HILLS,
    LIME,
    NEAR_HILLS,
    ROAD,
    SUN,
)
from render.donquixote.figures import symbol
from render.donquixote.riders import quixote, squire
from render.geometry import Box, Outline, Point, curve, trace
from render.light import raised
from render.plates import card
from render.theme import INK, MARGIN, WIDTH, Type

HEIGHT = 896
SKY = Box(8, 8, WIDTH - 8, 96)
"""The strip of sky at the upper edge, which bears the title."""
CAPTION = Box(MARGIN, HEIGHT - 42, WIDTH - MARGIN, HEIGHT - 14)
PLAY = Box(24, SKY.bottom + 8, WIDTH - 24, HEIGHT - 40)
"""All between the sky and the caption."""
TITLE = Type("title", 40)
ROUND = Type("strong", 28)
UPPER_LINE, LOWER_LINE = 32, 70
"""Middles of the two lines that are written on the sky."""
LEGEND_LEFT = 452

_RIDGES = (
    (FAR_HILLS, "M 0 62 C 9 46 15 58 24 48 C 33 38 40 60 52 52 C 62 44 70 58 100 46 V 100 H 0 Z"),
    (HILLS, "M 0 74 C 12 60 22 78 36 68 C 48 58 60 76 74 66 C 84 60 92 72 100 64 V 100 H 0 Z"),
    (NEAR_HILLS, "M 0 82 C 14 90 26 74 42 82 C 58 92 72 80 84 86 C 92 88 96 82 100 84 V 100 H 0 Z"),
)
"""Three ridges, one before the other, on 100 units each way."""

_HAZE = trace(
    "M 0 52 C 10 44 22 60 36 52 C 48 44 60 54 72 46 C 84 40 92 52 100 46 V 100 H 0 Z "
    "M 52 16 C 62 8 74 10 82 16 C 74 22 62 22 52 16 Z"
)
_CLOUDS = trace(
    "M 0 78 C 12 66 26 82 42 74 C 56 66 70 80 84 70 C 92 66 96 72 100 70 V 100 H 0 Z "
    "M 24 28 C 31 18 38 16 44 24 C 50 20 55 24 58 30 C 46 34 34 34 24 28 Z "
    "M 78 36 C 84 28 92 28 100 34 V 42 C 92 44 84 42 78 36 Z"
)


@cached
def backdrop() -> Canvas:
    """An empty picture: the sky above, the clay below."""
    canvas = card(HEIGHT, CLAY)
    canvas.shadow(SKY, 7, opacity=0.6)
    canvas.stamp(_panorama(round(SKY.width), round(SKY.height)), SKY.centre)
    return canvas


def draw_sky(canvas: Canvas, words: str) -> None:
    """Write the name of the game and the progress of the match on the sky."""
    canvas.stamp(symbol(WINDMILL, 0, 62), (LEGEND_LEFT - 58, SKY.bottom - 36))
    canvas.text((MARGIN, UPPER_LINE - 2), "DON QUIXOTE", TITLE, INK, "lm")
    canvas.text((MARGIN + 2, LOWER_LINE + 3), words, ROUND, INK, "lm")


def _panorama(width: int, height: int) -> Sprite:
    """Sky and low hills; its upper corners are round like those of the card."""
    sheet = Canvas(width, height, colours.SKY)
    _draw_clouds(sheet, sheet.box)
    _draw_hills(sheet, Box(0, height - 26, width, height))
    cut = Canvas(width, height)
    cut.rect(Box(0, 0, width, height + 40), INK, radius=16)
    return Sprite(sheet.sprite().colours, cut.sprite().mask)


def _draw_clouds(canvas: Canvas, room: Box) -> None:
    """Long streaks of cloud, and haze above the hills."""
    for colour, outlines in ((HAZE, _HAZE), (CLOUD, _CLOUDS)):
        for outline in outlines:
            canvas.polygon(_stretched(outline, room), colour)


def _stretched(outline: Outline, room: Box) -> list[Point]:
    """An outline on 100 units each way, as wide and high as ``room``."""
    return [
        (room.left + x * room.width / 100, room.top + y * room.height / 100) for x, y in outline
    ]


def _draw_hills(canvas: Canvas, room: Box) -> None:
    for colour, path in _RIDGES:
        for outline in trace(path):
            canvas.polygon(_stretched([(x, (y - 40) / 0.6) for x, y in outline], room), colour)


@cached
def vista(width: int, height: int) -> Sprite:
    """Don Quixote and Sancho Pansa before the windmills, framed like a printed plate."""
    canvas = Canvas(width, height, colours.SKY)
    _draw_clouds(canvas, Box(0, 0, width, height * 0.6))
    middle = width * 0.5, height * 0.4
    canvas.circle(middle, height * 0.17, SUN, opacity=0.5)
    canvas.circle(middle, height * 0.12, SUN)
    _draw_hills(canvas, Box(0, height * 0.42, width, height))
    least = min(width, height)
    for x, y, size in ((0.74, 0.5, 0.2), (0.95, 0.56, 0.2), (0.86, 0.44, 0.32)):
        canvas.stamp(symbol(WINDMILL, 0, round(least * size)), (width * x, height * y))
    way = curve([(0.05, 1.02), (0.45, 0.9), (0.6, 0.82), (0.84, 0.7)], 16)
    canvas.line([(x * width, y * height) for x, y in way], ROAD, height * 0.03)
    size = round(min(height * 0.86, width * 0.7))
    x, ground = width * 0.44, height * 0.98
    behind = max(size * 0.24, x - size * 0.66)
    canvas.stamp(squire(round(size * 0.66)), (behind, ground - size * 0.39))
    canvas.stamp(quixote(size), (x, ground - size * 0.5))
    framed = Canvas(width + 12, height + 12)
    framed.rect(framed.box, LIME, radius=6)
    framed.stamp(canvas.sprite(), framed.box.centre)
    return raised(framed.sprite(), 5)
