"""Small parts of a board: its device, shields, seals, the King's scrolls."""

from __future__ import annotations

from collections.abc import Callable

from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box, Point, placed, star, trace
from render.isolde.colours import BACK, BOARDS, FOIL, INKS, LOSS, SHIELDS
from render.letters import text_width
from render.light import raised, relief
from render.plates import laid_token
from render.theme import INK, LIGHT, SOFT, Colour, Type

FIGURE = Type("strong", 28)

Drawing = Callable[[Canvas, Point, float, Colour], None]


# ----------------------------------------------------------------------------- devices
def bold_token(colour: int, size: int) -> Sprite:
    """Return a piece, ``size`` across, with a device that is seen on a phone."""
    return laid_token(colour, size, 0.6)


def draw_device(canvas: Canvas, kind: str, centre: Point, size: float, colour: Colour) -> None:
    """Draw the device of a board or of a type of card in a square with sides of ``size``."""
    _DEVICES[kind](canvas, centre, size / 100, colour)


def _path(path: str) -> Drawing:
    outlines = trace(path)

    def drawing(canvas: Canvas, centre: Point, scale: float, colour: Colour) -> None:
        canvas.path(outlines, colour, centre=centre, scale=scale)

    return drawing


def _bowl(canvas: Canvas, centre: Point, scale: float, colour: Colour) -> None:
    """Draw an alms bowl and three coins."""
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
    """Draw one large star and two small ones."""
    x, y = centre
    canvas.path([star(5, 0.42)], colour, centre=(x - 6 * scale, y + 6 * scale), scale=40 * scale)
    for dx, dy in ((34, -34), (40, 12)):
        at = x + dx * scale, y + dy * scale
        canvas.path([star(4, 0.35)], colour, centre=at, scale=15 * scale)


def _blade(mirror: int) -> Drawing:
    """Return a function that draws a sword with its hilt down, leaning to one side.

    :param mirror: 1: to the right; -1: to the left.
    """

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
    """Draw a lance with its guard and a pennant."""
    x, y = centre

    def at(dx: float, dy: float) -> Point:
        return x + dx * scale, y + dy * scale

    canvas.line([at(44, -44), at(-40, 40)], colour, 7 * scale)
    canvas.polygon([at(-34, 6), at(-6, 34), at(-26, 28)], colour)
    canvas.polygon([at(-34, 6), at(-6, 34), at(6, -6)], colour)
    canvas.polygon([at(36, -36), at(14, -14), at(-22, -34), at(2, -36), at(-6, -50)], colour)


def _both(first: Drawing, second: Drawing) -> Drawing:
    """Return a function that draws the second device on top of the first."""

    def drawing(canvas: Canvas, centre: Point, scale: float, colour: Colour) -> None:
        first(canvas, centre, scale, colour)
        second(canvas, centre, scale, colour)

    return drawing


_DEVICES: dict[str, Drawing] = {
    "ISOLDE": _path(
        "M 0 44 C -56 6 -50 -40 -22 -40 C -8 -40 0 -30 0 -20 C 0 -30 8 -40 22 -40"
        " C 50 -40 56 6 0 44 Z"
    ),
    "LANZE": _lance,
    "TURNIER": _both(_blade(1), _blade(-1)),
    "KAMPF": _both(_blade(-1), _lance),
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


@cached
def emblem(kind: str, size: int) -> Sprite:
    """Return the device of a board or of a type of card, ``size`` wide and high, to be stamped on
    its colour.
    """
    canvas = Canvas(size, size)
    draw_device(canvas, kind, canvas.box.centre, size * 0.9, INKS[kind])
    return canvas.sprite()


@cached
def medallion(kind: str, size: int) -> Sprite:
    """Return the device of a board in a round field of its colour with a golden rim."""
    canvas, field = Canvas(size, size), Canvas(size, size)
    centre = size / 2, size / 2
    canvas.circle(centre, size / 2, INK)
    field.circle(centre, size / 2 - 1.5, FOIL)
    canvas.stamp(relief(field.sprite(), size * 0.05), centre)
    canvas.circle(centre, size * 0.43, BOARDS[kind])
    draw_device(canvas, kind, centre, size * 0.58, INKS[kind])
    return canvas.sprite()


@cached
def chalice(size: int) -> Sprite:
    """Return the cup of the great tournament on a disc."""
    canvas, cup = Canvas(size, size), Canvas(size, size)
    centre = size / 2, size / 2
    canvas.circle(centre, size / 2, INK)
    canvas.circle(centre, size / 2 - 2, BOARDS["GRAL"])
    draw_device(cup, "GRAL", centre, size * 0.62, FOIL)
    canvas.stamp(relief(cup.sprite(), size * 0.04), centre)
    return raised(canvas.sprite(), 2)


# ----------------------------------------------------------------------------- shields
SHIELD = trace("M -30 -34 H 30 V 4 C 30 20 16 30 0 36 C -16 30 -30 20 -30 4 Z")[0]


@cached
def shield(board: str, text: str, height: int = 38) -> Sprite:
    """Return a board's shield with its value and a golden rim, wide enough for the value.

    :param text: the value; ``?`` for a face-down shield.
    """
    ground, ink = (BACK, LIGHT) if text[-1] == "?" else SHIELDS[board]
    if text.startswith("−"):  # a loss has dark figures on a light ground
        ground, ink = LIGHT, LOSS
    kind = Type("strong", max(28, round(height * 0.6)))
    width = max(height, text_width(text, kind) + max(16, round(height * 0.42)))
    canvas = Canvas(width, height)
    centre = width / 2, height / 2
    edge = max(2.0, height * 0.07)

    def outline(shrink: float) -> list[Point]:
        wide, high = (width - 2 * shrink) / 60, (height - 2 * shrink) / 70
        return [(x * wide, y * high) for x, y in SHIELD]

    for shrink, colour in ((0.5, INK), (2.5, FOIL), (2.5 + edge, ground)):
        canvas.polygon(placed(outline(shrink), centre, 1), colour)
    canvas.text((centre[0], centre[1] - height * 0.05), text, kind, ink)
    return raised(canvas.sprite(), 2)


@cached
def face_down(number: int, height: int = 54) -> Sprite:
    """Return a shield that stands for all face-down ones, with their number if it is above 1."""
    back, text = shield("STUDIEN", "?", height), f"×{number}" if number > 1 else ""
    width, kind = back.size[0], Type(FIGURE.face, round(height * 0.62))
    canvas = Canvas(width + (round(text_width(text, kind)) + 3 if text else 0), back.size[1])
    canvas.stamp(back, (width / 2, back.size[1] / 2))
    canvas.text((width + 1, height / 2), text, kind, INK, "lm")
    return canvas.sprite()


@cached
def ribbon(board: str, text: str, height: int = 36) -> Sprite:
    """Return a prize other than a shield, such as fields to move."""
    kind = Type(FIGURE.face, max(FIGURE.size, round(height * 0.62)))
    width = text_width(text, kind) + round(height * 0.5)
    canvas = Canvas(width, height)
    box = canvas.box
    for shrink, colour in ((0, INK), (2, FOIL), (5, LIGHT)):
        canvas.rect(box.inset(shrink), colour, radius=height / 2)
    canvas.text(box.centre, text, kind, INK)
    return raised(canvas.sprite(), 2)


@cached
def score_seal(text: str, now: bool, size: int, ink: Colour = INK) -> Sprite:
    """Return the number of the round in which a board is scored, on gold if it is the current
    round.

    :param ink: the colour of the number in any other round.
    """
    kind = Type("title", round(size * 0.76))
    canvas = Canvas(max(round(size * 0.9), text_width(text, kind) + 14), size)
    if now:
        canvas.rect(canvas.box, FOIL, INK, 2, radius=8)
    canvas.text(canvas.box.centre, text, kind, INK if now else ink)
    return canvas.sprite()


@cached
def parchment(size: int) -> Sprite:
    """Return one of the scrolls that the King's variant uses."""
    canvas = Canvas(size, size)
    sheet = canvas.box.inset(size * 0.14, size * 0.2)
    canvas.rect(sheet, LIGHT, INK, 2)
    for share in (0.36, 0.64):
        y = sheet.top + sheet.height * share
        canvas.line([(size * 0.34, y), (size * 0.66, y)], SOFT, 2)
    for x in (sheet.left, sheet.right):
        roll = Box(x - size * 0.1, size * 0.1, x + size * 0.1, size * 0.9)
        canvas.rect(roll, FOIL, INK, 2, size * 0.08)
    return raised(canvas.sprite(), 2)
