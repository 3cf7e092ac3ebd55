"""The signs of Twilight: cults, flames and owners; and the pictures on the cards, drawn in boxes of
100 by 140: flames, clerics, souls and sanctuaries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import atan2, ceil, cos, floor, pi, sin, sqrt

from games.twilight import CultCard
from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box, Outline, Point, arc, placed, regular, star, trace
from render.light import relief
from render.plates import token
from render.theme import INK, Colour
from render.twilight.colours import BRASS, CULT_COLOURS, FLAMES, MOON_COLOURS, PITS, Cult

# ----------------------------------------------------------------------------------------- the pen
_DISC = regular(40)


class Pen:
    """Draws on a canvas in the units of a card, or of some other box.

    :param scale: pixels per unit.
    :param origin: the upper left corner of the box, in pixels.
    """

    def __init__(self, canvas: Canvas, scale: float, origin: Point = (0, 0)) -> None:
        self.canvas = canvas
        self.scale = scale
        self.origin = origin

    def at(self, x: float, y: float) -> Point:
        """Convert a point in the box to canvas coordinates."""
        return self.origin[0] + x * self.scale, self.origin[1] + y * self.scale

    def path(self, path: str, fill: Colour, depth: float = 0) -> None:
        """Draw an SVG path. With a ``depth``, it is raised, and its edges are rounded off by that
        much.
        """
        self._fill(trace(path), fill, depth)

    def shape(self, points: Outline, fill: Colour, depth: float = 0) -> None:
        """Draw a polygon."""
        self._fill([points], fill, depth)

    def shapes(self, outlines: Sequence[Outline], fill: Colour, depth: float) -> None:
        """Draw several polygons at once; they must not touch."""
        self._fill(outlines, fill, depth)

    def disc(self, x: float, y: float, radius: float, fill: Colour, depth: float = 0) -> None:
        """Draw a disc."""
        if depth:
            self._fill([placed(_DISC, (x, y), radius)], fill, depth)
        else:
            self.canvas.circle(self.at(x, y), radius * self.scale, fill)

    def line(self, points: Outline, colour: Colour, width: float) -> None:
        """Draw a polyline."""
        self.canvas.line([self.at(x, y) for x, y in points], colour, width * self.scale)

    def _fill(self, outlines: Sequence[Outline], fill: Colour, depth: float) -> None:
        if not depth:
            self.canvas.path(outlines, fill, centre=self.origin, scale=self.scale)
            return
        points = [self.at(x, y) for outline in outlines for x, y in outline]
        left, top = floor(min(x for x, _ in points)) - 1, floor(min(y for _, y in points)) - 1
        right, bottom = ceil(max(x for x, _ in points)) + 1, ceil(max(y for _, y in points)) + 1
        piece = Canvas(right - left, bottom - top)
        corner = self.origin[0] - left, self.origin[1] - top
        piece.path(outlines, fill, centre=corner, scale=self.scale)
        lit = relief(piece.sprite(), max(0.8, depth * self.scale))
        self.canvas.stamp(lit, Box(left, top, right, bottom).centre)


# --------------------------------------------------------------------------------------- the signs
def draw_sign(
    canvas: Canvas, cult: int, centre: Point, size: float, colour: Colour, depth: float = 0
) -> None:
    """Draw the sign of a cult, ``size`` high; with a ``depth`` in pixels, in relief."""
    lift = 2 * depth / size
    if cult:
        Pen(canvas, size / 2, centre).shapes(SUN_SIGN, colour, lift)
    else:
        # The crescent leaves the right side empty.
        at = centre[0] + size * 0.1, centre[1]
        Pen(canvas, size / 2, at).shapes([CRESCENT], colour, lift)


def _ray(turn: float, inner: float, outer: float, half: float) -> list[Point]:
    angle = 2 * pi * turn
    x, y = sin(angle), -cos(angle)
    return [
        (x * outer, y * outer),
        (x * inner - y * half, y * inner + x * half),
        (x * inner + y * half, y * inner - x * half),
    ]


def _crescent() -> list[Point]:
    """Return a disc from whose right side a second disc has been removed; the outlines of the two
    meet at the horns.
    """
    disc, hidden, shift = 0.96, 0.78, 0.42
    x = (disc**2 - hidden**2 + shift**2) / (2 * shift)
    y = sqrt(disc**2 - x**2)
    horn, inner = atan2(x, y) / (2 * pi), atan2(x - shift, y) / (2 * pi)
    return [
        *arc((0, 0), disc, 0.5 - horn, 1 + horn),
        *arc((shift, 0), hidden, 1 + inner, 0.5 - inner),
    ]


CRESCENT = _crescent()
SUN_SIGN = [placed(regular(40), (0, 0), 0.52), *(_ray(n / 8, 0.62, 1.0, 0.17) for n in range(8))]


@cached
def medal(cult: int, size: int) -> Sprite:
    """Return a round medal with the sign of a cult, ``size`` across."""
    colours = CULT_COLOURS[cult]
    canvas = _blank_medal(size, colours.paper)
    draw_sign(canvas, cult, canvas.box.centre, size * 0.6, colours.figure, size * 0.02)
    return canvas.sprite()


@cached
def flame_medal(size: int) -> Sprite:
    """Return a medal with a flame, ``size`` across, for a trick that nobody won."""
    canvas = _blank_medal(size, PITS[1][0])
    draw_flame(canvas, 1, canvas.box.centre, size * 0.7, lit=True)
    return canvas.sprite()


def _blank_medal(size: int, field: Colour) -> Canvas:
    rim, canvas, middle = Canvas(size, size), Canvas(size, size), (size / 2, size / 2)
    rim.circle(middle, size / 2, BRASS)
    canvas.circle(middle, size / 2, INK)
    canvas.stamp(relief(rim.sprite(), max(1.0, size * 0.04)), middle)
    canvas.circle(middle, size * 0.42, field)
    return canvas


def draw_who(canvas: Canvas, at: Point, seat: int | None, size: int) -> None:
    """Draw the token of a seat, or the sign of New Moon."""
    canvas.stamp(_new_moon(size) if seat is None else token(seat, size), at)


@cached
def _new_moon(size: int) -> Sprite:
    canvas, middle = Canvas(size, size), (size / 2, size / 2)
    canvas.circle(middle, size / 2, INK)
    canvas.circle(middle, size / 2 - 2, MOON_COLOURS.paper)
    draw_sign(canvas, 0, middle, size * 0.6, MOON_COLOURS.figure)
    return canvas.sprite()


# ------------------------------------------------------------------------------- flames
def draw_flame(canvas: Canvas, cult: int, centre: Point, size: float, lit: bool = False) -> None:
    """Draw the flame of purgatory in a cult's colours, ``size`` high; in relief if ``lit``."""
    outer, middle, heart = FLAMES[cult]
    pen, depth = Pen(canvas, size / 100, centre), 4.0 * lit
    pen.path(
        "M 4 -50 C 10 -30 34 -16 34 14 C 34 36 19 48 0 48 C -19 48 -34 36 -34 14"
        " C -34 -4 -24 -12 -20 -28 C -12 -22 -8 -16 -7 -8 C 2 -18 6 -32 4 -50 Z",
        outer,
        depth,
    )
    pen.path(
        "M 6 -18 C 10 -4 22 2 22 20 C 22 36 12 46 0 46 C -12 46 -22 36 -22 22"
        " C -22 12 -16 6 -13 -4 C -8 0 -5 4 -4 9 C 3 2 7 -8 6 -18 Z",
        middle,
        depth / 2,
    )
    pen.path(
        "M 1 10 C 3 18 11 22 11 32 C 11 40 6 45 0 45 C -6 45 -11 40 -11 33 C -11 25 0 20 1 10 Z",
        heart,
    )


def light(cult: int, size: int) -> Sprite:
    """Return a soul: a small flame, ``size`` high."""
    outer, heart = LIGHTS[cult]
    canvas = Canvas(round(size * 1.3), round(size * 1.3))
    flame = Pen(canvas, size / 100, canvas.box.centre)
    flame.path(
        "M 0 -52 C 8 -22 30 -8 30 18 C 30 38 17 50 0 50 C -17 50 -30 38 -30 18"
        " C -30 -8 -8 -22 0 -52 Z",
        outer,
        7,
    )
    flame.path(
        "M 0 -12 C 4 4 16 12 16 28 C 16 40 9 47 0 47 C -9 47 -16 40 -16 28 C -16 12 -4 4 0 -12 Z",
        heart,
    )
    return canvas.sprite()


LIGHTS: tuple[tuple[Colour, Colour], ...] = (("#A9A5D0", "#FBFAFF"), ("#D55E00", "#FFB000"))
"""The colours of each cult's souls: flame and heart."""


# ----------------------------------------------------------------------------- what the cards show
Drawing = Callable[[Pen, CultCard, Cult], None]

FLOOR = 133
"""Lower edge of the picture on a card."""
DEPTH = 2.2


def draw_figure(pen: Pen, face: CultCard, colours: Cult) -> None:
    """Draw the picture of a card, without its background."""
    _DRAWINGS[face.kind](pen, face, colours)


def air(face: CultCard, colours: Cult) -> tuple[Colour, Colour]:
    """Return the background of a card's picture: the colours at the top and at the bottom."""
    return PITS[face.cult] if face.kind == "purgatory" else (colours.high, colours.low)


# ---------------------------------------------------------------------------- purgatory
def _purgatory(pen: Pen, face: CultCard, colours: Cult) -> None:
    """Draw a great flame that fills the pit, and small ones next to it."""
    outer, middle, _ = FLAMES[face.cult]
    for x, size in ((20, 42), (81, 50)):
        draw_flame(pen.canvas, face.cult, pen.at(x, FLOOR - size * 0.44), size * pen.scale)
    draw_flame(pen.canvas, face.cult, pen.at(52, 83), 98 * pen.scale, lit=True)
    for x, y, radius in ((28, 62, 1.6), (74, 44, 2.0), (80, 68, 1.4), (62, 30, 1.3), (84, 26, 1.2)):
        pen.disc(x, y, radius, middle if radius > 1.5 else outer)


# ------------------------------------------------------------------------------ clerics
def _cleric(pen: Pen, face: CultCard, colours: Cult) -> None:
    """Draw a robed figure: the higher its rank, the more ornate its dress and the larger its
    glow.
    """
    rank = 6 - face.number
    pen.disc(53, 68, 21 + 4 * rank, colours.glow)
    if face.number == 1:
        pen.shape([(53 + 47 * x, 68 + 47 * y) for x, y in star(16, 0.86)], colours.glow)
    pen.path(_ROBE, colours.figure, DEPTH)
    pen.path("M 53 90 L 61 88 C 76 96 84 112 86 133 L 70 133 C 69 114 63 98 53 90 Z", colours.shade)
    pen.disc(53, 71, 13, colours.face, 1.2)
    _ATTIRES[face.number](pen, face, colours)


_ROBE = "M 17 133 C 19 108 30 93 44 87 L 62 87 C 76 93 87 108 89 133 Z"


def _hierarch(pen: Pen, face: CultCard, colours: Cult) -> None:
    """Draw a tall mitre, a stole and a crozier."""
    pen.path(
        "M 37 66 C 32 48 41 36 53 24 C 65 36 74 48 69 66 C 60 61 46 61 37 66 Z",
        colours.figure,
        DEPTH,
    )
    draw_sign(pen.canvas, face.cult, pen.at(53, 48), 21 * pen.scale, colours.shade)
    _stole(pen, colours)
    pen.line([(85, FLOOR), (85, 60)], colours.shade, 4.5)
    pen.line([(85, 60), (83, 50), (86, 44), (91, 46), (90, 53)], colours.shade, 4.5)


def _high_priest(pen: Pen, face: CultCard, colours: Cult) -> None:
    """Draw a mitre and a stole."""
    pen.path(
        "M 38 66 C 35 52 43 43 53 34 C 63 43 71 52 68 66 C 60 61 46 61 38 66 Z",
        colours.figure,
        DEPTH,
    )
    pen.path("M 40 57 C 48 53 58 53 66 57 L 67 63 C 58 59 48 59 39 63 Z", colours.shade)
    _stole(pen, colours)


def _priest(pen: Pen, face: CultCard, colours: Cult) -> None:
    """Draw a round cap and a stole."""
    pen.path("M 38 68 C 37 45 69 45 68 68 C 60 62 46 62 38 68 Z", colours.figure, DEPTH)
    pen.disc(53, 50, 2.6, colours.shade)
    _stole(pen, colours)


def _adept(pen: Pen, face: CultCard, colours: Cult) -> None:
    """Draw a hood that hides all but the face."""
    pen.path("M 53 44 C 73 47 77 72 71 96 L 35 96 C 29 72 33 47 53 44 Z", colours.figure, DEPTH)
    pen.path("M 53 55 C 67 57 67 83 53 90 C 39 83 39 57 53 55 Z", colours.shade)
    pen.disc(53, 75, 10, colours.face)
    pen.path("M 50 97 L 56 97 L 57 133 L 49 133 Z", colours.shade)


def _novice(pen: Pen, face: CultCard, colours: Cult) -> None:
    """Draw short hair, and a rope for a belt."""
    pen.path("M 39 73 C 37 52 69 52 67 73 C 64 63 42 63 39 73 Z", colours.shade)
    pen.line([(25, 116), (53, 121), (82, 116)], colours.face, 4)
    pen.line([(60, 120), (62, 132)], colours.face, 4)


def _stole(pen: Pen, colours: Cult) -> None:
    pen.path(
        "M 42 88 L 49 87 L 51 133 L 42 133 Z M 64 88 L 57 87 L 55 133 L 64 133 Z", colours.face
    )


_ATTIRES: dict[int, Drawing] = {1: _hierarch, 2: _high_priest, 3: _priest, 4: _adept, 5: _novice}


# -------------------------------------------------------------------------------- souls
def _souls(pen: Pen, face: CultCard, colours: Cult) -> None:
    """Draw a small light for each soul."""
    size = (32 - face.number) * pen.scale
    places = [pen.at(x, y) for x, y in _LIGHTS[face.number]]
    for place in places:  # all halos below all flames
        pen.canvas.circle(place, size * 0.52, colours.glow)
    lamp = light(face.cult, round(size))
    for place in places:
        pen.canvas.stamp(lamp, place)


_LIGHTS: dict[int, tuple[Point, ...]] = {
    3: ((65, 46), (32, 104), (68, 104)),
    4: ((54, 46), (76, 70), (30, 104), (62, 110)),
    5: ((63, 34), (48, 71), (77, 71), (32, 108), (66, 108)),
    6: ((49, 35), (77, 35), (49, 72), (77, 72), (30, 109), (63, 109)),
    7: ((49, 34), (77, 34), (49, 71), (77, 71), (21, 108), (49, 108), (77, 108)),
}
"""The places of the lights on a card of souls: next to the ribbon and below it."""


# -------------------------------------------------------------------------- sanctuaries
def _sanctuary(pen: Pen, face: CultCard, colours: Cult) -> None:
    """Draw an altar, a temple or an obelisk."""
    pen.disc(53, 80, 38, colours.glow)
    _SANCTUARIES[face.number](pen, face, colours)


def _altar(pen: Pen, face: CultCard, colours: Cult) -> None:
    """Draw a block of stone with an offering."""
    draw_flame(pen.canvas, face.cult, pen.at(53, 66), 44 * pen.scale)
    pen.path("M 26 88 H 80 V 98 H 26 Z M 32 98 H 74 V 122 H 32 Z", colours.figure, DEPTH)
    pen.path("M 38 83 H 68 L 66 88 H 40 Z M 32 98 H 74 V 102 H 32 Z", colours.shade)
    pen.path("M 18 122 H 88 V 133 H 18 Z", colours.shade, DEPTH)


def _temple(pen: Pen, face: CultCard, colours: Cult) -> None:
    """Draw four columns under a gable."""
    pen.path("M 24 79 H 84 V 120 H 24 Z", colours.shade)
    pen.path(
        "M 53 42 L 93 68 L 13 68 Z M 18 69 H 88 V 78 H 18 Z "
        "M 21 79 H 32 V 119 H 21 Z M 39 79 H 49 V 119 H 39 Z "
        "M 57 79 H 67 V 119 H 57 Z M 74 79 H 85 V 119 H 74 Z "
        "M 16 120 H 90 V 126 H 16 Z M 10 127 H 93 V 133 H 10 Z",
        colours.figure,
        1.6,
    )
    pen.disc(53, 58, 5, colours.shade)


def _obelisk(pen: Pen, face: CultCard, colours: Cult) -> None:
    """Draw a stone needle with a bright and a dark side."""
    pen.path("M 54 20 L 63 34 L 70 119 L 38 119 L 45 34 Z", colours.figure, DEPTH)
    pen.path("M 54 20 L 63 34 L 70 119 L 54 119 V 34 Z", colours.shade)
    pen.path("M 28 119 H 80 V 126 H 28 Z M 20 126 H 88 V 133 H 20 Z", colours.figure, DEPTH)


_SANCTUARIES: dict[int, Drawing] = {1: _altar, 2: _temple, 3: _obelisk}

_DRAWINGS: dict[str, Drawing] = {
    "purgatory": _purgatory,
    "cleric": _cleric,
    "souls": _souls,
    "sanctuary": _sanctuary,
}
