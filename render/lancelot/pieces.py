"""The pieces of Lancelot: stones, trophies, arms, pennants, Excalibur, the King's marker."""

from __future__ import annotations

from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import arc, regular, trace
from render.light import raised, relief
from render.plates import CROWN, device
from render.theme import GOLD, INK, LIGHT, LINE, PANEL, SEAT_SHADES, SEATS, Colour, mix

_ROCK, _ROCK_SHADE, _ROCK_LIGHT = "#9A9286", "#6F675D", "#B9B2A5"
_BLADE, _BLADE_SHADE = "#EEF2F5", "#A9B4BD"
THREAD: Colour = "#E5BE62"
"""Gold thread: rims of cloth, and what is embroidered on it."""
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


@cached
def excalibur(size: int) -> Sprite:
    """An upright sword in a rock."""
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
    """A shield that was taken, with its device; or an empty place for one."""
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
    """The arms of a seat: a large shield, its rim of gold, its halves turned from each other."""
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
def pennant(seat: int, size: int, down: bool, plain: bool = False) -> Sprite:
    """A small banner with the seat's device, or ``plain``; it points to the left, or ``down``."""
    outline, (x, y) = _PENNANTS[down]
    scale = size / 100
    canvas = Canvas(size, size)
    canvas.path(outline, SEATS[seat].colour, THREAD, 2, scale=scale)
    lit = Canvas(size, size)
    lit.stamp(relief(canvas.sprite(), 1.2, 0.7), lit.box.centre)
    if not plain:
        device(lit, seat, (x * scale, y * scale), size * 0.5, SEATS[seat].device)
    return raised(lit.sprite(), 2)


@cached
def power(size: int, unused: bool) -> Sprite:
    """The white marker of the King's power, with a crown; or the hollow it lay in."""
    canvas = Canvas(size, size)
    centre = size / 2, size / 2
    if not unused:
        canvas.circle(centre, size / 2 - 1, PANEL, LINE, 2)
        canvas.path(CROWN, LINE, centre=centre, scale=size * 0.27)
        return canvas.sprite()
    canvas.circle(centre, size / 2, LIGHT, INK, 2)
    lit = Canvas(size, size)
    lit.stamp(relief(canvas.sprite(), size * 0.06), centre)
    lit.path(CROWN, GOLD, INK, 1.5, centre, size * 0.27)
    return raised(lit.sprite(), 2)


@cached
def stone(seat: int, size: int) -> Sprite:
    """A stone on the field: a domed round shield with a studded rim, and its shadow."""
    style, centre, radius = SEATS[seat], (size / 2, size / 2), size / 2
    canvas, rim, boss, sign = (Canvas(size, size) for _ in range(4))
    canvas.circle(centre, radius, INK)
    rim.circle(centre, radius - max(1.5, size / 36), SEAT_SHADES[seat])
    canvas.stamp(relief(rim.sprite(), size * 0.05), centre)
    for x, y in arc(centre, radius * 0.87, 1 / 16, 1 + 1 / 16)[:: 96 // _STUDS][:_STUDS]:
        canvas.circle((x, y), max(1.5, size * 0.032), THREAD)
    boss.circle(centre, radius * 0.76, style.colour)
    boss.circle(
        (centre[0] - size * 0.03, centre[1] - size * 0.045),
        radius * 0.62,
        mix(style.colour, LIGHT, 0.16),
    )
    canvas.stamp(relief(boss.sprite(), size * 0.04), centre)
    device(sign, seat, centre, size * 0.48, style.device)
    canvas.stamp(raised(relief(sign.sprite(), size * 0.03, 0.6), size * 0.04), centre)
    return raised(canvas.sprite(), size * 0.09, 0.55)


@cached
def wax_seal(size: int) -> Sprite:
    """A disc of sealing wax with a rim of gold, for a number."""
    canvas = Canvas(size, size)
    canvas.circle(canvas.box.centre, size / 2, WAX, INK, 1.5)
    canvas.circle(canvas.box.centre, size / 2 - 1.5, None, THREAD, 3)
    return raised(relief(canvas.sprite(), 2), 2)


def crown(canvas: Canvas, at: tuple[float, float], scale: float) -> None:
    """The crown of a winner."""
    canvas.path(CROWN, THREAD, INK, 2.5, at, scale)


def rays(canvas: Canvas, middle: tuple[float, float], radius: float, colour: Colour) -> None:
    """Light all around a point, in broad wedges."""
    tips = regular(24)
    for n in range(0, 24, 2):
        ends = (tips[n], tips[n + 1])
        corners = [middle, *((middle[0] + x * radius, middle[1] + y * radius) for x, y in ends)]
        canvas.polygon(corners, colour)
