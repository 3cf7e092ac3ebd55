"""The cards, drawn in boxes of 100 by 140, and the signs of the two cults."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import atan2, cos, pi, sin, sqrt

from games.twilight import CARDS, Card
from render.canvas import Canvas, Sprite
from render.geometry import Box, Outline, Point, arc, trace
from render.plates import token
from render.theme import INK, MIN_TEXT, Colour, Type
from render.twilight.colours import CULT_COLOURS, FLAMES, LIGHTS, RESTING, Cult

CARD_WIDTH, CARD_HEIGHT = 100, 140

ROMAN = ("", "I", "II", "III", "IV", "V")

SMALLEST_CODE = 120
"""Cards at least so wide bear their notation as well."""

FRAME = 8
"""Room for a frame around a card."""

Drawing = Callable[["Pen", Card, Cult], None]


def height_of(width: float) -> int:
    """Height of a card of this width."""
    return round(width * CARD_HEIGHT / CARD_WIDTH)


class Pen:
    """Draws in the units of a card, or of any other box, onto a canvas."""

    def __init__(self, canvas: Canvas, scale: float, origin: Point = (0, 0)) -> None:
        self.canvas = canvas
        self.scale = scale
        self.origin = origin

    def at(self, x: float, y: float) -> Point:
        """A point of the card on the canvas."""
        return self.origin[0] + x * self.scale, self.origin[1] + y * self.scale

    def path(self, path: str, fill: Colour) -> None:
        """An SVG path."""
        self.canvas.path(trace(path), fill, centre=self.origin, scale=self.scale)

    def shape(self, points: Outline, fill: Colour) -> None:
        """A polygon."""
        self.canvas.path([points], fill, centre=self.origin, scale=self.scale)

    def disc(self, x: float, y: float, radius: float, fill: Colour) -> None:
        """A disc."""
        self.canvas.circle(self.at(x, y), radius * self.scale, fill)

    def box(
        self, left: float, top: float, right: float, bottom: float, fill: Colour, radius: float = 0
    ) -> None:
        """A rectangle."""
        box = Box(*self.at(left, top), *self.at(right, bottom))
        self.canvas.rect(box, fill, radius=radius * self.scale)

    def line(self, points: Outline, colour: Colour, width: float) -> None:
        """A chain of lines."""
        self.canvas.line([self.at(x, y) for x, y in points], colour, width * self.scale)


# ------------------------------------------------------------------------------- signs
def draw_sign(canvas: Canvas, cult: int, centre: Point, size: float, colour: Colour) -> None:
    """The sign of a cult, ``size`` high."""
    if cult:
        pen = Pen(canvas, size / 2, centre)
        pen.disc(0, 0, 0.52, colour)
        for n in range(8):
            pen.shape(_ray(n / 8, 0.62, 1.0, 0.17), colour)
    else:
        middle = centre[0] + size * 0.1, centre[1]  # the crescent leaves its right side empty
        canvas.path([CRESCENT], colour, centre=middle, scale=size / 2)


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


def draw_who(canvas: Canvas, at: Point, seat: int | None, size: int) -> None:
    """The token of a seat, or the sign of Neumond."""
    if seat is None:
        canvas.circle(at, size / 2, INK)
        canvas.circle(at, size / 2 - 2, CULT_COLOURS[0].ground)
        draw_sign(canvas, 0, at, size * 0.6, CULT_COLOURS[0].figure)
    else:
        canvas.stamp(token(seat, size), at)


# ------------------------------------------------------------------------------- cards
@lru_cache(maxsize=128)
def card(name: str, width: int) -> Sprite:
    """A card, face up."""
    face, colours = CARDS[name], CULT_COLOURS[CARDS[name].cult]
    canvas = Canvas(width, height_of(width))
    _blank(canvas, colours)
    pen = Pen(canvas, width / CARD_WIDTH)
    _DRAWINGS[face.kind](Pen(canvas, 0.97 * pen.scale, pen.at(1.5, 0)), face, colours)
    _index(pen, face, colours)
    return canvas.sprite()


@lru_cache(maxsize=64)
def raised(name: str, width: int) -> Sprite:
    """A card that may be played, framed in gold."""
    canvas = Canvas(width + 2 * FRAME, height_of(width) + 2 * FRAME)
    box = canvas.box.inset(FRAME)
    canvas.frame(box, radius=width * 0.1)
    canvas.stamp(card(name, width), box.centre)
    return canvas.sprite()


@lru_cache(maxsize=64)
def resting(name: str, width: int) -> Sprite:
    """A card that may not be played now."""
    return card(name, width).faded(RESTING)


@lru_cache(maxsize=16)
def back(cult: int, width: int) -> Sprite:
    """A card, face down: its cult is to be seen, nothing else."""
    colours = CULT_COLOURS[cult]
    canvas = Canvas(width, height_of(width))
    radius = width * 0.1
    canvas.rect(canvas.box, INK, radius=radius)
    edge = max(1.5, width * 0.02)
    canvas.rect(canvas.box.inset(edge), colours.ground, radius=radius - edge)
    canvas.rect(
        canvas.box.inset(2.6 * edge), None, colours.frame, max(1.5, width * 0.03), radius * 0.7
    )
    draw_sign(canvas, cult, canvas.box.centre, width * 0.62, colours.figure)
    return canvas.sprite()


def _blank(canvas: Canvas, colours: Cult) -> None:
    width = canvas.width
    radius, edge = width * 0.1, max(1.5, width * 0.02)
    canvas.rect(canvas.box, INK, radius=radius)
    canvas.rect(canvas.box.inset(edge), colours.frame, radius=radius - edge)
    canvas.rect(canvas.box.inset(edge + width * 0.035), colours.ground, radius=radius * 0.7)


def _index(pen: Pen, face: Card, colours: Cult) -> None:
    """Number and cult in the upper corners; the notation below where there is room."""
    size = max(MIN_TEXT, round(28 * pen.scale))
    x, y = 10, 22
    right = pen.at(x + 18, y)[0]
    if face.kind == "purgatory":
        _flame(pen, x + 8, y, 13, face.cult)
    else:
        right = pen.canvas.text(pen.at(x, y), *_index_text(face, size), colours.ink, "lm").right
    if right < pen.at(66, y)[0]:  # a small card has no room for both
        draw_sign(pen.canvas, face.cult, pen.at(80, y), 22 * pen.scale, colours.figure)
    if pen.canvas.width >= SMALLEST_CODE:
        code = Type("strong", MIN_TEXT)
        pen.canvas.text(pen.at(50, 126.5), face.name, code, colours.code)


def _index_text(face: Card, size: int) -> tuple[str, Type]:
    """Rank, souls or factor in a large type."""
    match face.kind:
        case "cleric":
            return ROMAN[face.number], Type("title", size)
        case "souls":
            return str(face.number), Type("strong", size)
        case _:
            return f"×{face.number}", Type("strong", size)


# ------------------------------------------------------------------------------ drawings
def _purgatory(pen: Pen, face: Card, colours: Cult) -> None:
    """A great flame."""
    pen.disc(50, 84, 35, colours.glow)
    _flame(pen, 50, 77, 41, face.cult)


def _flame(pen: Pen, x: float, y: float, size: float, cult: int) -> None:
    """A flame ``2 * size`` high around a point."""
    draw_flame(pen.canvas, cult, pen.at(x, y), 2 * size * pen.scale)


def draw_flame(canvas: Canvas, cult: int, centre: Point, size: float) -> None:
    """The flame of purgatory in the colours of a cult, ``size`` high."""
    outer, middle, heart = FLAMES[cult]
    inner = Pen(canvas, size / 100, centre)
    inner.path(
        "M 4 -50 C 10 -30 34 -16 34 14 C 34 36 19 48 0 48 C -19 48 -34 36 -34 14"
        " C -34 -4 -24 -12 -20 -28 C -12 -22 -8 -16 -7 -8 C 2 -18 6 -32 4 -50 Z",
        outer,
    )
    inner.path(
        "M 6 -18 C 10 -4 22 2 22 20 C 22 36 12 46 0 46 C -12 46 -22 36 -22 22"
        " C -22 12 -16 6 -13 -4 C -8 0 -5 4 -4 9 C 3 2 7 -8 6 -18 Z",
        middle,
    )
    inner.path(
        "M 1 10 C 3 18 11 22 11 32 C 11 40 6 45 0 45 C -6 45 -11 40 -11 33 C -11 25 0 20 1 10 Z",
        heart,
    )


def _cleric(pen: Pen, face: Card, colours: Cult) -> None:
    """A robed figure: the higher its rank, the more it wears and the brighter it shines."""
    rank = 6 - face.number
    pen.disc(50, 68, 17 + 4 * rank, colours.glow)
    pen.path("M 19 119 C 21 98 30 86 42 82 L 58 82 C 70 86 79 98 81 119 Z", colours.figure)
    pen.disc(50, 70, 11.5, colours.face)
    _ATTIRES[face.number](pen, face, colours)


def _hierarch(pen: Pen, face: Card, colours: Cult) -> None:
    """A tall mitre, a stole and a crozier."""
    pen.path(
        "M 36 65 C 32 50 40 40 50 31 C 60 40 68 50 64 65 C 56 61 44 61 36 65 Z", colours.figure
    )
    draw_sign(pen.canvas, face.cult, pen.at(50, 51), 17 * pen.scale, colours.shade)
    _stole(pen, colours)
    pen.line([(84, 119), (84, 56)], colours.shade, 4)
    pen.line([(84, 56), (83, 48), (87, 42), (92, 45), (91, 51)], colours.shade, 4)


def _high_priest(pen: Pen, face: Card, colours: Cult) -> None:
    """A mitre and a stole."""
    pen.path(
        "M 37 65 C 35 54 41 46 50 39 C 59 46 65 54 63 65 C 56 61 44 61 37 65 Z", colours.figure
    )
    pen.path("M 39 57 C 46 54 54 54 61 57 L 62 62 C 54 59 46 59 38 62 Z", colours.shade)
    _stole(pen, colours)


def _priest(pen: Pen, face: Card, colours: Cult) -> None:
    """A round cap and a stole."""
    pen.path("M 37 67 C 37 48 63 48 63 67 C 56 62 44 62 37 67 Z", colours.figure)
    _stole(pen, colours)


def _adept(pen: Pen, face: Card, colours: Cult) -> None:
    """A hood that hides all but the face."""
    pen.path("M 50 48 C 66 50 70 68 66 88 L 34 88 C 30 68 34 50 50 48 Z", colours.figure)
    pen.disc(50, 71, 10, colours.face)
    pen.path("M 40 71 C 40 58 60 58 60 71 C 56 66 44 66 40 71 Z", colours.shade)
    pen.path("M 47 90 L 53 90 L 52 119 L 48 119 Z", colours.shade)


def _novice(pen: Pen, face: Card, colours: Cult) -> None:
    """Short hair, and a rope for a belt."""
    pen.path("M 38 72 C 36 54 64 54 62 72 C 60 63 40 63 38 72 Z", colours.shade)
    pen.line([(31, 104), (50, 108), (69, 104)], colours.shade, 3.5)
    pen.line([(55, 107), (57, 119)], colours.shade, 3.5)


def _stole(pen: Pen, colours: Cult) -> None:
    pen.path("M 41 83 L 46 82 L 48 119 L 41 119 Z", colours.shade)
    pen.path("M 59 83 L 54 82 L 52 119 L 59 119 Z", colours.shade)


_ATTIRES: dict[int, Drawing] = {
    1: _hierarch,
    2: _high_priest,
    3: _priest,
    4: _adept,
    5: _novice,
}


def _souls(pen: Pen, face: Card, colours: Cult) -> None:
    """As many small lights as souls."""
    size, places = _LIGHTS[face.number]
    for x, y in places:
        _light(pen, 50 + 24 * x, 78 + 24 * y, 11.5 * size, colours, face.cult)


_LIGHTS: dict[int, tuple[float, tuple[Point, ...]]] = {
    3: (1.3, ((0, -0.75), (-0.8, 0.65), (0.8, 0.65))),
    4: (1.2, ((-0.75, -0.75), (0.75, -0.75), (-0.75, 0.75), (0.75, 0.75))),
    5: (1.1, ((-0.85, -1.05), (0.85, -1.05), (0, 0), (-0.85, 1.05), (0.85, 1.05))),
    6: (1, ((-0.7, -1.15), (0.7, -1.15), (-0.7, 0), (0.7, 0), (-0.7, 1.15), (0.7, 1.15))),
    7: (1, ((-0.6, -1.15), (0.6, -1.15), (-1.2, 0), (0, 0), (1.2, 0), (-0.6, 1.15), (0.6, 1.15))),
}
"""Size and places of the lights."""


def _light(pen: Pen, x: float, y: float, radius: float, colours: Cult, cult: int) -> None:
    """A soul: a small flame in its glow."""
    pen.disc(x, y, radius, colours.glow)
    draw_light(pen.canvas, cult, pen.at(x, y), pen.scale * radius * 1.75)


def draw_light(canvas: Canvas, cult: int, centre: Point, size: float) -> None:
    """The small flame of a soul, ``size`` high."""
    outer, heart = LIGHTS[cult]
    flame = Pen(canvas, size / 100, centre)
    flame.path(
        "M 0 -52 C 8 -22 30 -8 30 18 C 30 38 17 50 0 50 C -17 50 -30 38 -30 18"
        " C -30 -8 -8 -22 0 -52 Z",
        outer,
    )
    flame.path(
        "M 0 -12 C 4 4 16 12 16 28 C 16 40 9 47 0 47 C -9 47 -16 40 -16 28 C -16 12 -4 4 0 -12 Z",
        heart,
    )


def _sanctuary(pen: Pen, face: Card, colours: Cult) -> None:
    """Altar, temple or obelisk."""
    pen.disc(50, 80, 34, colours.glow)
    _SANCTUARIES[face.number](pen, face, colours)


def _altar(pen: Pen, face: Card, colours: Cult) -> None:
    """A block of stone with an offering."""
    _flame(pen, 50, 64, 17, face.cult)
    pen.box(38, 78, 62, 83, colours.shade, 2)
    pen.box(22, 83, 78, 92, colours.figure, 2)
    pen.box(29, 92, 71, 112, colours.figure)
    pen.box(29, 92, 71, 95, colours.shade)
    pen.box(23, 111, 77, 119, colours.figure, 2)


def _temple(pen: Pen, face: Card, colours: Cult) -> None:
    """Four columns under a gable."""
    pen.path("M 50 47 L 86 68 L 14 68 Z", colours.figure)
    pen.disc(50, 60, 4, colours.shade)
    pen.box(19, 70, 81, 76, colours.figure)
    for x in (22, 38, 54, 70):
        pen.box(x, 76, x + 8, 106, colours.figure)
        pen.box(x + 5.5, 76, x + 8, 106, colours.shade)
    pen.box(18, 106, 82, 111, colours.figure)
    pen.box(13, 113, 87, 119, colours.figure)


def _obelisk(pen: Pen, face: Card, colours: Cult) -> None:
    """A needle of stone with a bright and a dark side."""
    pen.path("M 50 33 L 58 45 L 64 108 L 36 108 L 42 45 Z", colours.figure)
    pen.path("M 50 33 L 58 45 L 64 108 L 50 108 L 50 45 Z", colours.shade)
    pen.box(29, 108, 71, 119, colours.figure, 2)


_SANCTUARIES: dict[int, Drawing] = {1: _altar, 2: _temple, 3: _obelisk}

_DRAWINGS: dict[str, Drawing] = {
    "purgatory": _purgatory,
    "cleric": _cleric,
    "souls": _souls,
    "sanctuary": _sanctuary,
}
