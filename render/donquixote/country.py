"""What surrounds the principalities: a table of clay, and La Mancha under its sky."""

from __future__ import annotations

from collections.abc import Sequence

from render.cache import cached
from render.canvas import Canvas, Sprite, write
from render.donquixote import colours
from render.donquixote.colours import (
    ARMOUR,
    CLAY,
    CLOUD,
    FAR_HILLS,
    HAZE,
    HILLS,
    LIME,
    NEAR_HILLS,
    ROAD,
    ROOF,
    ROOF_SHADE,
    SILHOUETTE,
    SLATE,
    STONE,
    STONE_SHADE,
    SUN,
    TIMBER,
)
from render.geometry import Box, Outline, Point, curve, placed, trace
from render.laurel import point_at
from render.light import raised, relief
from render.plates import Said, caption, card
from render.theme import GOLD, INK, MARGIN, WIDTH, Colour, Type

# -------------------------------------------------------------------------------------- the riders
FIELD = 150
SKIN: Colour = "#E3B48A"
HIDE, HIDE_SHADE = "#E6D9BC", "#B39C78"
"""The colours of Rocinante, and of his legs on the far side."""
COAT: Colour = "#C08A3A"

Part = tuple[str, Colour, float]
"""An outline, its colour, and how much its edges are rounded."""

_QUIXOTE: tuple[Part, ...] = (
    ("M 42 104 L 47 124 L 42 147 L 49 149 L 53 125 L 52 104 Z", HIDE_SHADE, 0),
    ("M 90 100 L 100 120 L 108 140 L 115 140 L 107 118 L 100 98 Z", HIDE_SHADE, 0),
    ("M 27 87 C 15 89 11 105 14 126 C 19 120 24 108 31 101 Z", SILHOUETTE, 1),
    ("M 31 94 L 35 122 L 28 147 L 36 150 L 43 123 L 46 98 Z", HIDE, 1.5),
    ("M 84 96 L 83 122 L 84 148 L 91 150 L 92 123 L 101 90 Z", HIDE, 1.5),
    (("M 26 88 C 28 79 44 79 58 81 C 70 83 80 80 86 72 C 91 63 95 56 99 48 C 101 43 104 40 108 40"
     " L 109 33 L 114 40 C 120 47 127 56 131 65 C 130 70 125 71 121 69 L 111 61 C 107 68 105 76 102"
     " 85 C 100 95 96 102 88 104 C 78 108 70 101 58 102 C 48 104 40 110 33 105 C 26 101 24 94 26 88"
     " Z"), HIDE, 2.5),
    ("M 100 46 C 93 55 88 64 83 74 L 90 75 C 95 68 100 60 105 52 Z", SILHOUETTE, 0),
    ("M 119 66 C 123 71 129 71 131 66 L 128 60 Z", HIDE_SHADE, 0),
    ("M 48 79 C 58 76 72 76 80 78 L 80 98 L 70 92 L 62 100 L 54 92 L 47 97 Z", ROOF, 2),
    ("M 58 78 H 74 L 79 104 L 84 120 L 93 122 L 93 127 L 78 127 L 67 106 Z", SLATE, 2),
    ("M 57 80 C 54 63 56 50 64 46 C 72 44 77 49 77 58 L 76 80 Z", ARMOUR, 2.5),
    ("M 57 72 H 77 V 77 H 57 Z", TIMBER, 0),
    ("M 58 49 C 62 44 74 44 78 49 C 74 54 62 54 58 49 Z", LIME, 1),
    ("M 62 44 C 59 34 62 27 69 27 C 75 27 78 31 78 36 L 82 39 L 78 41 C 78 46 72 48 68 48 Z",
     SKIN, 1),
    ("M 68 43 L 79 42 C 79 48 77 55 73 60 C 71 54 69 50 68 43 Z", STONE_SHADE, 0),
    ("M 54 31 C 60 27 80 27 88 31 C 84 34 60 34 54 31 Z M 61 29 C 61 17 79 17 79 29 Z", GOLD, 2),
)  # fmt: skip
_LANCE: tuple[Point, Point] = (52, 96), (136, 2)
_FIST: tuple[Part, ...] = (
    ("M 62 53 C 57 64 64 76 82 70 L 81 64 C 72 67 69 62 71 53 Z", ARMOUR, 2),
    ("M 79 62 C 86 60 89 66 85 71 C 80 73 77 68 79 62 Z", SKIN, 0),
)
_SQUIRE: tuple[Part, ...] = (
    ("M 36 118 L 38 149 H 44 L 46 118 Z", STONE_SHADE, 0),
    ("M 76 116 L 80 149 H 86 L 86 114 Z", STONE_SHADE, 0),
    ("M 22 106 C 16 110 14 122 17 132 C 20 126 22 120 28 116 Z", SILHOUETTE, 0),
    ("M 27 108 L 27 149 H 34 L 40 112 Z", STONE, 1.5),
    ("M 66 110 L 68 149 H 75 L 80 106 Z", STONE, 1.5),
    (("M 22 108 C 23 97 36 97 52 99 C 64 99 72 94 77 84 L 82 72 L 78 54 L 84 52 L 88 68 L 93 55"
     " L 98 57 L 95 73 C 102 80 106 88 108 96 C 106 101 100 101 96 98 L 88 93 C 86 104 82 114 74"
     " 119 C 62 124 38 124 27 119 C 22 117 21 112 22 108 Z"), STONE, 2.5),
    ("M 98 98 C 102 102 107 101 108 96 L 104 90 Z", LIME, 0),
    ("M 34 98 C 46 94 60 94 68 98 L 68 112 H 34 Z", ROOF_SHADE, 1.5),
    ("M 50 96 L 66 99 L 66 124 L 75 127 L 75 132 L 58 132 L 54 112 Z", TIMBER, 2),
    ("M 34 102 C 28 78 36 62 50 61 C 64 61 71 78 67 99 C 56 109 42 109 34 102 Z", COAT, 3),
    ("M 32 92 C 44 98 58 97 69 90 L 68.5 96 C 58 103 44 104 33 98 Z", TIMBER, 0),
    ("M 43 56 C 42 44 48 40 55 40 C 63 40 66 46 66 51 L 69 54 L 66 57 C 65 63 58 66 52 65 Z",
     SKIN, 1),
    ("M 50 55 L 67 56 C 66 66 58 70 52 67 C 49 64 49 60 50 55 Z", SILHOUETTE, 0),
    ("M 34 46 C 42 41 68 41 76 46 C 70 50 42 50 34 46 Z M 43 44 C 43 29 67 29 67 44 Z", TIMBER, 2),
    ("M 41 72 C 37 86 50 96 72 90 L 71 84 C 58 87 51 82 52 71 Z", COAT, 2),
    ("M 70 82 C 76 81 78 87 74 91 C 70 92 68 87 70 82 Z", SKIN, 0),
)  # fmt: skip


def quixote(size: int) -> Sprite:
    """Return the Knight of the Sad Countenance: a lean horse, a lance, and a barber's basin as a
    helmet.
    """
    canvas, scale = Canvas(size, size), size / FIELD
    _draw(canvas, _QUIXOTE)
    canvas.circle((112 * scale, 50 * scale), 1.8 * scale, INK)
    for width, colour in ((5, INK), (3, TIMBER)):
        canvas.line(placed(_LANCE, (0, 0), scale), colour, width * scale)
    _draw(canvas, _FIST)
    return raised(canvas.sprite(), max(2.0, size * 0.015), 0.4)


def squire(size: int) -> Sprite:
    """Return Sancho Pansa on his donkey."""
    canvas, scale = Canvas(size, size), size / FIELD
    _draw(canvas, _SQUIRE)
    canvas.circle((95 * scale, 82 * scale), 1.8 * scale, INK)
    canvas.line(placed(((73, 88), (102, 94)), (0, 0), scale), INK, 1.4 * scale)
    return raised(canvas.sprite(), max(2.0, size * 0.015), 0.4)


def _draw(canvas: Canvas, parts: tuple[Part, ...]) -> None:
    scale = canvas.width / FIELD
    for path, colour, depth in parts:
        piece = Canvas(canvas.width, canvas.height)
        piece.path(trace(path), colour, INK, max(1.0, 0.9 * scale), scale=scale)
        sprite = piece.sprite()
        canvas.stamp(relief(sprite, depth * scale, 0.7) if depth else sprite, canvas.box.centre)


# ------------------------------------------------------------------------------------- the country
HEIGHT = 928
SKY = Box(8, 8, WIDTH - 8, 128)
"""The strip of sky at the upper edge, with the title."""
FOOT = 40
"""Height of the caption at the lower edge."""
PLAY = Box(24, SKY.bottom + 8, WIDTH - 24, HEIGHT - FOOT)
"""Everything between the sky and the caption."""
TITLE = tuple(Type("title", size) for size in (44, 40, 36, 32))
ROUND = Type("strong", 36), Type("strong", 30)
UPPER_LINE, LOWER_LINE = 38, 92
"""Vertical positions of the centres of the two lines of text on the sky."""
LEGEND_LEFT = 392

_RIDGES = (
    (FAR_HILLS, "M 0 62 C 9 46 15 58 24 48 C 33 38 40 60 52 52 C 62 44 70 58 100 46 V 100 H 0 Z"),
    (HILLS, "M 0 74 C 12 60 22 78 36 68 C 48 58 60 76 74 66 C 84 60 92 72 100 64 V 100 H 0 Z"),
    (NEAR_HILLS, "M 0 82 C 14 90 26 74 42 82 C 58 92 72 80 84 86 C 92 88 96 82 100 84 V 100 H 0 Z"),
)
"""Three ridges, one in front of the other, in a square of 100 by 100 units."""

_HAZE = trace(
    "M 0 52 C 10 44 22 60 36 52 C 48 44 60 54 72 46 C 84 40 92 52 100 46 V 100 H 0 Z "
    "M 52 16 C 62 8 74 10 82 16 C 74 22 62 22 52 16 Z"
)
_CLOUDS = trace(
    "M 0 78 C 12 66 26 82 42 74 C 56 66 70 80 84 70 C 92 66 96 72 100 70 V 100 H 0 Z "
    "M 24 28 C 31 18 38 16 44 24 C 50 20 55 24 58 30 C 46 34 34 34 24 28 Z "
    "M 78 36 C 84 28 92 28 100 34 V 42 C 92 44 84 42 78 36 Z"
)


def backdrop(canvas: Canvas) -> Canvas:
    """Draw the sky at the top of a card of clay, and return it."""
    above = heavens()
    canvas.inlay(above, above.box, above.box)
    return canvas


@cached
def heavens() -> Canvas:
    """Return the sky and hills above the principalities."""
    canvas = card(HEIGHT, CLAY)
    canvas.shadow(SKY, 7, opacity=0.6)
    canvas.stamp(_panorama(round(SKY.width), round(SKY.height)), SKY.centre)
    return canvas.cut(Box(0, 0, WIDTH, round(PLAY.top)))


def draw_caption(canvas: Canvas, parts: Sequence[str | Said], status: Sequence[Said] = ()) -> None:
    """Draw the caption at the lower edge."""
    y = canvas.height - FOOT
    caption(canvas, Box(MARGIN, y - 2, WIDTH - MARGIN, y + 26), parts, status, CLAY)


def draw_sky(canvas: Canvas, name: str, words: str) -> None:
    """Write the name of the game and the progress of the match on the sky."""
    room = LEGEND_LEFT - MARGIN - 16
    write(canvas, (MARGIN, UPPER_LINE - 2), name.upper(), TITLE, room, INK, "lm")
    write(canvas, (MARGIN + 2, LOWER_LINE), words, ROUND, room, INK, "lm")


def _panorama(width: int, height: int) -> Sprite:
    """Return the sky and low hills; the upper corners are rounded like those of the card."""
    sheet = Canvas(width, height, colours.SKY)
    # There are only low hills, because anything higher would run through the texts.
    _draw_hills(sheet, Box(0, height - 15, width, height))
    cut = Canvas(width, height)
    cut.rect(Box(0, 0, width, height + 40), INK, radius=16)
    return Sprite(sheet.sprite().colours, cut.sprite().mask)


def _draw_clouds(canvas: Canvas, room: Box) -> None:
    """Draw long streaks of cloud, and haze above the hills."""
    for colour, outlines in ((HAZE, _HAZE), (CLOUD, _CLOUDS)):
        for outline in outlines:
            canvas.polygon(_stretched(outline, room), colour)


def _stretched(outline: Outline, room: Box) -> list[Point]:
    """Stretch an outline in a square of 100 by 100 units to fill ``room``."""
    return [
        (room.left + x * room.width / 100, room.top + y * room.height / 100) for x, y in outline
    ]


def _draw_hills(canvas: Canvas, room: Box) -> None:
    for colour, path in _RIDGES:
        for outline in trace(path):
            canvas.polygon(_stretched([(x, (y - 40) / 0.6) for x, y in outline], room), colour)


def _draw_mill(canvas: Canvas, foot: Point, size: float) -> None:
    """Draw a white mill with a pointed roof and four sails of lattice, without an outline.

    :param foot: the middle of its foot.
    :param size: its height, without the sails that rise above the roof.
    """
    scale = size / 100

    def part(path: str, colour: Colour) -> None:
        canvas.path(trace(path), colour, centre=foot, scale=scale)

    part("M -32 8 C -20 -4 20 -4 32 8 Z", NEAR_HILLS)
    part("M -22 2 L -16 -70 H 16 L 22 2 Z", LIME)
    part("M 6 2 L 4 -70 H 16 L 22 2 Z", STONE)
    part("M -20 -70 L 0 -98 L 20 -70 Z", ROOF)
    part("M 4 -70 L 0 -98 L 20 -70 Z", ROOF_SHADE)
    part("M -7 2 V -16 C -7 -24 7 -24 7 -16 V 2 Z", SILHOUETTE)
    hub = foot[0], foot[1] - 66 * scale
    for turn in (0.09, 0.34, 0.59, 0.84):
        _draw_sail(canvas, hub, turn, scale)
    canvas.circle(hub, 5 * scale, TIMBER)


def _draw_sail(canvas: Canvas, hub: Point, turn: float, scale: float) -> None:
    (x, y), (across, down) = point_at((0, 0), scale, turn), point_at((0, 0), scale, turn + 0.25)

    def at(out: float, aside: float) -> Point:
        return hub[0] + x * out + across * aside, hub[1] + y * out + down * aside

    canvas.polygon([at(14, 1), at(62, 1), at(62, 16), at(14, 16)], LIME)
    for out in (14, 26, 38, 50, 62):
        canvas.line([at(out, 0), at(out, 16)], TIMBER, 2 * scale)
    canvas.line([at(14, 16), at(62, 16)], TIMBER, 2 * scale)
    canvas.line([hub, at(64, 0)], TIMBER, 4.5 * scale)


@cached
def vista(width: int, height: int) -> Sprite:
    """Return Don Quixote and Sancho Pansa in front of the windmills, with a frame like that of a
    printed plate.
    """
    canvas = Canvas(width, height, colours.SKY)
    _draw_clouds(canvas, Box(0, 0, width, height * 0.6))
    middle = width * 0.5, height * 0.4
    canvas.circle(middle, height * 0.17, SUN, opacity=0.5)
    canvas.circle(middle, height * 0.12, SUN)
    _draw_hills(canvas, Box(0, height * 0.42, width, height))
    least = min(width, height)
    left = curve([(0.02, 1.02), (0.5, 0.88), (0.7, 0.76), (0.835, 0.66)], 16)
    right = curve([(0.845, 0.66), (0.76, 0.76), (0.66, 0.88), (0.34, 1.02)], 16)
    canvas.polygon([(x * width, y * height) for x, y in (*left, *right)], ROAD)
    for x, foot, size in ((0.12, 0.60, 0.13), (0.84, 0.67, 0.34)):
        _draw_mill(canvas, (width * x, height * foot), least * size)
    upright = height > width
    size = round(min(height * 0.86, width * (0.84 if upright else 0.7)))
    x, ground = width * (0.5 if upright else 0.44), height * 0.98
    behind = max(size * 0.24, x - size * 0.66)
    canvas.stamp(squire(round(size * 0.66)), (behind, ground - size * 0.39))
    canvas.stamp(quixote(size), (x, ground - size * 0.5))
    framed = Canvas(width + 12, height + 12)
    framed.rect(framed.box, LIME, radius=6)
    framed.stamp(canvas.sprite(), framed.box.centre)
    return raised(framed.sprite(), 5)
