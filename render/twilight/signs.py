"""The signs of Twilight: those of the two cults, flames, and who someone is."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, ceil, cos, floor, pi, sin, sqrt

from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box, Outline, Point, arc, placed, regular, trace
from render.light import relief
from render.plates import token
from render.theme import INK, Colour
from render.twilight.colours import BRASS, CULT_COLOURS, FLAMES, MOON_COLOURS, PITS

# ----------------------------------------------------------------------------------------- the pen
_DISC = regular(40)


class Pen:
    """Draws onto a canvas in the units of a card, or of any other box.

    :param scale: pixels a unit.
    :param origin: where the unit box begins.
    """

    def __init__(self, canvas: Canvas, scale: float, origin: Point = (0, 0)) -> None:
        self.canvas = canvas
        self.scale = scale
        self.origin = origin

    def at(self, x: float, y: float) -> Point:
        """A point of the box on the canvas."""
        return self.origin[0] + x * self.scale, self.origin[1] + y * self.scale

    def path(self, path: str, fill: Colour, depth: float = 0) -> None:
        """An SVG path; with a ``depth`` it is raised and its edges are rounded off so far."""
        self._fill(trace(path), fill, depth)

    def shape(self, points: Outline, fill: Colour, depth: float = 0) -> None:
        """A polygon."""
        self._fill([points], fill, depth)

    def shapes(self, outlines: Sequence[Outline], fill: Colour, depth: float = 0) -> None:
        """Several polygons that do not touch, at once."""
        self._fill(outlines, fill, depth)

    def disc(self, x: float, y: float, radius: float, fill: Colour, depth: float = 0) -> None:
        """A disc."""
        if depth:
            self._fill([placed(_DISC, (x, y), radius)], fill, depth)
        else:
            self.canvas.circle(self.at(x, y), radius * self.scale, fill)

    def line(self, points: Outline, colour: Colour, width: float) -> None:
        """A chain of lines."""
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
    """The sign of a cult, ``size`` high; in relief with a ``depth`` in pixels."""
    lift = 2 * depth / size
    if cult:
        Pen(canvas, size / 2, centre).shapes(SUN_SIGN, colour, lift)
    else:
        # The crescent leaves its right side empty.
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
    """A disc without another one that hides its right side; they meet at the horns."""
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
    """A round medal that bears the sign of a cult, ``size`` across."""
    colours = CULT_COLOURS[cult]
    canvas = _blank_medal(size, colours.paper)
    draw_sign(canvas, cult, canvas.box.centre, size * 0.6, colours.figure, size * 0.02)
    return canvas.sprite()


@cached
def flame_medal(size: int) -> Sprite:
    """A medal that bears a flame, ``size`` across: a trick that no one won."""
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
    """The token of a seat, or the sign of New Moon."""
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
    """The flame of purgatory in the colours of a cult, ``size`` high, in relief if ``lit``."""
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
    """A soul: a small flame, ``size`` high, in its glow."""
    colours, (outer, heart) = CULT_COLOURS[cult], LIGHTS[cult]
    canvas = Canvas(round(size * 1.3), round(size * 1.3))
    canvas.circle(canvas.box.centre, size * 0.62, colours.glow)
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
"""Of the souls of either cult: flame and heart."""
