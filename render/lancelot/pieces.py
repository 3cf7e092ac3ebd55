"""The pieces of Lancelot: stones, trophies, arms, pennants, Excalibur and the King's marker; and
the people of the tournament: charging knights, with their pavilions behind them.
"""

from __future__ import annotations

from math import floor

from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box, Point, arc, placed, regular, trace
from render.light import raised, relief
from render.plates import CROWN, device, laid_token
from render.theme import GOLD, INK, LIGHT, LINE, PANEL, SEAT_SHADES, SEATS, Colour, mix

_ROCK, _ROCK_SHADE, _ROCK_LIGHT = "#9A9286", "#6F675D", "#B9B2A5"
_BLADE, _BLADE_SHADE = "#EEF2F5", "#A9B4BD"
THREAD: Colour = "#E5BE62"
"""Gold thread, for the rims of cloth and for embroidery."""
WAX: Colour = "#742233"
_SHIELD = trace("M 10 8 H 90 V 48 C 90 72 72 86 50 95 C 28 86 10 72 10 48 Z")
_INNER = trace("M 17 15 H 83 V 48 C 83 67 68 79 50 87 C 32 79 17 67 17 48 Z")
_LIT_HALF = trace("M 17 15 H 50 V 87 C 32 79 17 67 17 48 Z")
_ROCK_OUTLINE = "M 7 97 C 5 84 17 75 32 74 C 40 67 62 67 70 74 C 84 76 95 84 93 97 Z"
_PENNANTS = {
    False: (trace("M 97 9 H 34 L 4 50 L 34 91 H 97 Z"), (61, 50)),
    True: (trace("M 9 3 V 66 L 50 96 L 91 66 V 3 Z"), (50, 39)),
}
_STUDS = 8
STUDDED = 100
"""Stones of at least this diameter have studs and relief."""


@cached
def excalibur(size: int) -> Sprite:
    """Return an upright sword in a rock."""
    canvas = Canvas(size, size)
    scale = size / 100

    def part(path: str, fill: Colour, edge: float = 0, depth: float = 0) -> None:
        piece = Canvas(size, size)
        piece.path(trace(path), fill, INK if edge else None, edge * scale, scale=scale)
        sprite = piece.sprite()
        canvas.stamp(relief(sprite, depth * scale) if depth else sprite, canvas.box.centre)

    part(_ROCK_OUTLINE, _ROCK, 4, 5)
    part("M 46 94 L 56 82 L 74 77 C 84 79 90 85 90 94 Z", _ROCK_SHADE)
    part("M 16 88 C 19 82 26 78 33 77 L 28 85 Z", _ROCK_LIGHT)
    part("M 41 30 H 59 V 78 L 50 82 L 41 78 Z", _BLADE, 4, 1.5)
    part("M 50 32 H 57 V 77 L 50 80 Z", _BLADE_SHADE)
    part("M 22 26 Q 50 20 78 26 V 35 Q 50 30 22 35 Z", GOLD, 4, 2)
    part("M 45 10 H 55 V 25 H 45 Z", INK, 3)
    knob = Canvas(size, size)
    knob.circle((50 * scale, 8.5 * scale), 8 * scale, GOLD, INK, 3 * scale)
    canvas.stamp(relief(knob.sprite(), 3 * scale), canvas.box.centre)
    return raised(canvas.sprite(), size * 0.05)


@cached
def trophy(seat: int | None, size: int) -> Sprite:
    """Return a seat's shield that stands for a captured stone, or an empty place for a shield."""
    canvas, scale = Canvas(size, size), size / 100
    if seat is None:
        canvas.path(_SHIELD, PANEL, LINE, 2, scale=scale)
        return canvas.sprite()
    canvas.path(_SHIELD, SEATS[seat].colour, INK, 2, scale=scale)
    lit = Canvas(size, size)
    lit.stamp(relief(canvas.sprite(), size * 0.06), lit.box.centre)
    device(lit, seat, (size / 2, size * 0.45), size * 0.42, SEATS[seat].device)
    return lit.sprite()


def arms(seat: int, size: int) -> Sprite:
    """Return the arms of a seat: a large shield with a golden rim and a ridge down the middle."""
    style, scale = SEATS[seat], size / 100
    rim, field, sign = (Canvas(size, size) for _ in range(3))
    rim.path(_SHIELD, THREAD, INK, 2.5, scale=scale)
    field.path(_INNER, style.colour, scale=scale)
    field.path(_LIT_HALF, mix(style.colour, LIGHT, 0.2), scale=scale)
    device(sign, seat, (size / 2, size * 0.47), size * 0.42, style.device)
    canvas = Canvas(size, size)
    for part, depth in ((rim, 0.04), (field, 0.02), (sign, 0.02)):
        canvas.stamp(relief(part.sprite(), size * depth), canvas.box.centre)
    return raised(canvas.sprite(), max(3.0, size * 0.05))


@cached
def pennant(seat: int, size: int, down: bool) -> Sprite:
    """Return a small banner that points left or ``down``, with the seat's device on it."""
    outline, (x, y) = _PENNANTS[down]
    scale = size / 100
    canvas = Canvas(size, size)
    canvas.path(outline, SEATS[seat].colour, THREAD, 2, scale=scale)
    lit = Canvas(size, size)
    lit.stamp(relief(canvas.sprite(), 1.2, 0.7), lit.box.centre)
    device(lit, seat, (x * scale, y * scale), size * 0.5, SEATS[seat].device)
    return raised(lit.sprite(), 2)


@cached
def barrier(seat: int, length: int, width: int, across: bool) -> Sprite:
    """Return a bar with a golden frame and the seat's device: the end of a line that is closed to
    this seat.

    :param across: whether the bar lies across a column; otherwise, across a row.
    """
    canvas = Canvas(length, width) if across else Canvas(width, length)
    canvas.rect(canvas.box, INK, radius=6)
    canvas.rect(canvas.box.inset(1.5), THREAD, radius=5)
    canvas.rect(canvas.box.inset(5), SEATS[seat].colour, radius=2)
    device(canvas, seat, canvas.box.centre, width * 0.52, SEATS[seat].device)
    return raised(canvas.sprite(), 2)


@cached
def power(size: int, used: bool = False) -> Sprite:
    """Return the white marker of the King's power, with a crown on it; if the power has been used,
    the crown is struck out.
    """
    canvas = Canvas(size, size)
    centre = size / 2, size / 2
    canvas.circle(centre, size / 2, LIGHT, INK, 2)
    lit = Canvas(size, size)
    lit.stamp(relief(canvas.sprite(), size * 0.06), centre)
    lit.path(CROWN, GOLD, INK, 1.5, centre, size * 0.27)
    if used:
        lit.line([(size * 0.16, size * 0.84), (size * 0.84, size * 0.16)], INK, size * 0.11)
    return raised(lit.sprite(), 2)


@cached
def stone(seat: int, size: int) -> Sprite:
    """Return a stone on the field: a domed round shield with a studded rim and a shadow; if
    ``size`` is small, a plain token.
    """
    if size < STUDDED:
        return laid_token(seat, size)
    style, centre, radius = SEATS[seat], (size / 2, size / 2), size / 2
    canvas, rim, boss, sign = (Canvas(size, size) for _ in range(4))
    canvas.circle(centre, radius, INK)
    rim.circle(centre, radius - max(1.5, size / 36), SEAT_SHADES[seat])
    canvas.stamp(relief(rim.sprite(), size * 0.03, 0.6), centre)
    for x, y in arc(centre, radius * 0.9, 1 / 16, 1 + 1 / 16)[:: 96 // _STUDS][:_STUDS]:
        canvas.circle((x, y), max(1.5, size * 0.02), THREAD)
    boss.circle(centre, radius * 0.84, style.colour)
    canvas.stamp(relief(boss.sprite(), 1.0, 0.5), centre)
    device(sign, seat, centre, size * 0.48, style.device)
    canvas.stamp(raised(relief(sign.sprite(), size * 0.03, 0.6), size * 0.04), centre)
    return raised(canvas.sprite(), size * 0.09, 0.55)


@cached
def wax_seal(size: int) -> Sprite:
    """Return a disc of sealing wax with a golden rim, for a number."""
    canvas = Canvas(size, size)
    canvas.circle(canvas.box.centre, size / 2, WAX, INK, 1.5)
    canvas.circle(canvas.box.centre, size / 2 - 1.5, None, THREAD, 3)
    return raised(relief(canvas.sprite(), 2), 2)


def crown(canvas: Canvas, at: tuple[float, float], scale: float) -> None:
    """Draw the crown of a winner."""
    canvas.path(CROWN, THREAD, INK, 2.5, at, scale)


def rays(canvas: Canvas, middle: tuple[float, float], radius: float, colour: Colour) -> None:
    """Draw light all around a point, in broad wedges."""
    tips = regular(24)
    for n in range(0, 24, 2):
        ends = (tips[n], tips[n + 1])
        corners = [middle, *((middle[0] + x * radius, middle[1] + y * radius) for x, y in ends)]
        canvas.polygon(corners, colour)


# ------------------------------------------------------------------------------------------ people
STEEL, STEEL_SHADE = "#B9B2A5", "#6F675D"
COAT, SADDLE, SPEAR = "#3A2A1E", "#6B4526", "#8A5A30"
SKY, HILL, MEADOW, MEADOW_SHADE = "#E6D9BC", "#C3B27E", "#93A05E", "#7A8850"

_REACH, _RISE = 186, 118
"""Width and height of a knight in units; he rides to the left on the line y = 112."""
HELM = 0.1
"""How far a knight's helm is to the right of his centre, as a share of his width."""
_LEGS = (
    "M 114 78 L 128 90 L 140 104 L 148 107 L 142 111 L 133 107 L 120 96 L 106 86 Z",
    "M 104 80 L 112 94 L 120 108 L 127 111 L 116 112 L 111 108 L 99 92 Z",
    "M 58 80 L 44 90 L 31 91 L 26 99 L 21 97 L 26 87 L 42 81 L 54 72 Z",
    "M 66 84 L 56 98 L 45 102 L 42 111 L 36 110 L 39 98 L 49 92 L 57 80 Z",
)
_TAIL = "M 119 62 C 134 55 146 62 156 82 C 147 76 141 80 135 75 C 128 70 122 72 116 70 Z"
_CLOTH = (
    "M 121 62 C 113 54 97 56 85 58 C 75 60 67 56 61 48 L 51 34 C 47 29 42 28 38 30 L 40 37"
    " C 29 42 21 48 15 57 C 13 61 17 65 22 63 L 34 57 C 39 64 41 70 42 76 L 45 92 L 54 85"
    " L 61 94 L 69 87 L 77 96 L 85 89 L 93 98 L 101 90 L 109 98 L 116 89 L 125 92"
    " C 126 82 126 70 121 62 Z"
)
_CLOTH_SHADE = (
    "M 112 56 C 117 58 120 60 121 62 C 126 70 126 82 125 92 L 116 89 L 109 98 L 105 94"
    " C 113 84 116 70 112 56 Z"
)
_HEM = (
    "M 44 86 L 54 79 L 61 88 L 69 81 L 77 90 L 85 83 L 93 92 L 101 84 L 109 92 L 116 83 L 125.6 86"
    " L 125 92 L 116 89 L 109 98 L 101 90 L 93 98 L 85 89 L 77 96 L 69 87 L 61 94 L 54 85 L 45 92 Z"
)
_MUZZLE = "M 15 57 C 13 61 17 65 22 63 L 28 60 L 22 51 Z"
_EARS = "M 38 31 L 37 22 L 43 28 L 48 21 L 50 33 Z"
_REINS = ((24, 59), (46, 52), (66, 56))
_SADDLE = "M 68 58 C 70 46 75 47 77 56 L 95 55 C 97 45 102 46 103 58 C 93 63 77 63 68 58 Z"
_LANCE = ((114, 51), (-23, 36))
_LEG = "M 80 58 L 92 58 L 87 76 L 82 90 L 72 92 L 71 88 L 77 85 L 78 72 Z"
_BODY = "M 76 60 C 73 46 75 34 84 32 C 94 31 99 40 98 50 L 99 63 L 86 67 L 76 65 Z"
_ARM = "M 90 36 C 98 36 103 44 104 53 L 96 57 C 91 51 88 44 90 36 Z"
_HELM = "M 76 32 C 75 19 78 12 86 12 C 94 12 97 19 96 32 C 92 37 80 37 76 32 Z"
_SLIT = "M 75.6 20 H 88 V 23 H 75.6 Z"
_PLUME = "M 86 13 C 88 3 100 -1 112 5 C 107 7 107 11 112 15 C 103 19 93 18 86 13 Z"
_SHIELD_HELD = "M 57 36 H 83 V 54 C 83 64 76 70 70 73 C 64 70 57 64 57 54 Z"
_FACE = "M 59.4 38.4 H 80.6 V 54 C 80.6 62 75 67 70 69.8 C 65 67 59.4 62 59.4 54 Z"


@cached
def mounted_knight(seat: int, height: int) -> Sprite:
    """Return a mounted knight, ``height`` high, in the colours of a seat, with his lance
    couched.
    """
    style, scale = SEATS[seat], height / _RISE
    left = 26 * scale
    canvas = Canvas(floor(_REACH * scale), height)

    def part(path: str, colour: Colour, depth: float = 0) -> None:
        outlines = [placed(points, (left, 0), scale) for points in trace(path)]
        piece = Canvas(canvas.width, canvas.height)
        piece.path(outlines, colour, INK, max(1.0, scale))
        sprite = piece.sprite()
        canvas.stamp(relief(sprite, depth * scale, 0.8) if depth else sprite, canvas.box.centre)

    def line(points: tuple[Point, ...], colour: Colour, width: float) -> None:
        canvas.line(placed(points, (left, 0), scale), colour, width * scale)

    line(_LANCE, INK, 4.4)
    line(_LANCE, SPEAR, 2.8)
    part(_TAIL, COAT)
    for leg in _LEGS:
        part(leg, COAT, 1.5)
    part(_EARS, COAT)
    part(_CLOTH, style.colour, 3)
    part(_CLOTH_SHADE, SEAT_SHADES[seat])
    part(_MUZZLE, COAT)
    part(_HEM, THREAD)
    canvas.circle((left + 34 * scale, 46 * scale), 2 * scale, INK)
    line(_REINS, INK, 1.6)
    device(canvas, seat, (left + 103 * scale, 72 * scale), 17 * scale, style.device)
    part(_SADDLE, SADDLE, 1.5)
    part(_LEG, STEEL, 2)
    part(_BODY, mix(style.colour, LIGHT, 0.2), 2.5)
    part(_ARM, STEEL, 2)
    part(_PLUME, style.colour, 1.5)
    part(_HELM, STEEL, 2.5)
    part(_SLIT, INK)
    part(_SHIELD_HELD, THREAD, 2)
    canvas.path(trace(_FACE), style.colour, centre=(left, 0), scale=scale)
    device(canvas, seat, (left + 70 * scale, 52 * scale), 19 * scale, style.device)
    return raised(canvas.sprite(), max(2.0, 2 * scale), 0.4)


def pavilion(seat: int, height: int) -> Sprite:
    """Return a round tent in the colours of a seat, with a pennant."""
    scale = height / 100
    canvas = Canvas(floor(78 * scale), height)
    colour, stripe = SEATS[seat].colour, LIGHT

    def part(path: str, fill: Colour, depth: float = 0) -> None:
        piece = Canvas(canvas.width, canvas.height)
        piece.path(trace(path), fill, INK, max(1.0, 0.8 * scale), scale=scale)
        sprite = piece.sprite()
        canvas.stamp(relief(sprite, depth * scale, 0.8) if depth else sprite, canvas.box.centre)

    canvas.line([(39 * scale, 4 * scale), (39 * scale, 24 * scale)], INK, 1.6 * scale)
    part("M 39 4 L 62 8 L 55 12 L 62 17 L 39 18 Z", colour)
    part("M 9 52 L 6 99 H 72 L 69 52 Z", stripe, 2.5)
    for x in (14, 52):
        part(f"M {x} 52 L {x - 1} 99 H {x + 13} L {x + 12} 52 Z", colour)
    part("M 33 99 L 39 60 L 46 99 Z", COAT)
    part("M 39 20 C 45 36 58 46 76 52 L 70 60 L 60 53 L 50 60 L 39 53 L 28 60 L 18 53 L 8 60"
         " L 2 52 C 20 46 33 36 39 20 Z", colour, 3)  # fmt: skip
    part("M 39 20 C 42 34 48 46 50 60 L 39 53 L 28 60 C 30 46 36 34 39 20 Z", stripe)
    return canvas.sprite()


@cached
def lists(width: int, height: int, seat: int) -> Sprite:
    """Return the lists: a knight riding along the barrier and, in a wide picture, his pavilion."""
    canvas, view = Canvas(width, height), Canvas(width, height)
    draw_meadow(view)
    if width > 1.6 * height:
        view.stamp(pavilion(seat, round(height * 0.68)), (width - height * 0.3, height * 0.42))
    # In a narrow picture, the knight is in the middle, so that all of him shows.
    x = min(height * 0.92, width / 2)
    view.stamp(mounted_knight(seat, height), (x, height * 0.53))
    _barrier(view, round(height * 0.86))
    canvas.rect(canvas.box, SKY, radius=8)
    return Sprite(view.sprite().colours, canvas.sprite().mask)


def draw_meadow(canvas: Canvas) -> None:
    """Cover a canvas with sky, hills and grass."""
    canvas.rect(canvas.box, SKY)
    for outline, colour in ((_HILL, HILL), (_FIELD, MEADOW)):
        (shape,) = trace(outline)
        scale = canvas.width / 100, canvas.height / 100
        canvas.polygon([(x * scale[0], y * scale[1]) for x, y in shape], colour)


_HILL = "M 0 50 C 20 38 36 48 56 42 C 74 36 88 44 100 40 V 100 H 0 Z"
_FIELD = "M 0 68 C 30 62 64 66 100 62 V 100 H 0 Z"


def _barrier(canvas: Canvas, top: int) -> None:
    """Draw the painted barrier along which knights ride, from ``top`` down to the grass."""
    canvas.rect(Box(0, top, canvas.width, canvas.height), MEADOW_SHADE)
    board = Box(0, top + 2, canvas.width, canvas.height - 5)
    canvas.rect(board, LIGHT)
    step = board.height
    for x in range(-round(step), canvas.width, round(2 * step)):
        corners = [(x, board.top), (x + step, board.top)]
        corners += [(x + 2 * step, board.bottom), (x + step, board.bottom)]
        canvas.polygon(corners, WAX)
    canvas.rect(Box(0, board.top, canvas.width, board.top + 2), SADDLE)
