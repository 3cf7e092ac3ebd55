"""What lies on the table during the whole match: bright and dark wood, and the Twilight card."""

from __future__ import annotations

from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box, Point, arc, star
from render.light import raised, relief
from render.theme import INK
from render.twilight.colours import BRASS, BRIGHT_BRASS, CULT_COLOURS, DARK_BRASS, RIM
from render.twilight.signs import CRESCENT, draw_flame, draw_sign

RADIUS = 268
"""Of the table, without its rim."""
EDGE = 20
"""Width of the rim."""
MIDDLE = 116
"""Side of the Twilight card."""
_STARS = ((-0.06, 0.76, 8), (0.07, 0.72, 7), (0.045, 0.82, 6), (-0.08, 0.62, 6))
"""Let into each dark quarter: turns from its middle, shares of the radius, sizes."""
WAYS: tuple[Point, ...] = ((0, 1), (-1, 0), (0, -1), (1, 0))
"""Where each place lies, from the middle: south, west, north, east."""


def draw_furniture(canvas: Canvas, centre: Point) -> None:
    """The table around a point."""
    reach = RADIUS + EDGE
    canvas.shadow(Box.at(centre, 2 * reach), 16, radius=reach, opacity=0.55)
    _rim(canvas, centre)
    _quarters(canvas, centre)
    for place in range(4):
        (_phases, _sunburst)[place % 2](canvas, centre, place)
    _seams(canvas, centre)
    canvas.stamp(lit_twilight_card(MIDDLE), centre)


def _rim(canvas: Canvas, centre: Point) -> None:
    reach = RADIUS + EDGE
    ring = Canvas(2 * reach, 2 * reach)
    ring.cover(ring.box, RIM, radius=reach)
    canvas.stamp(relief(ring.sprite(), 5, 0.9), centre)
    canvas.circle(centre, RADIUS + 5, None, BRASS, 5)
    canvas.circle(centre, RADIUS + 1, None, INK, 2)


def _middle(place: int) -> float:
    """Of a quarter, in turns clockwise from the top."""
    return (0.5, 0.75, 0.0, 0.25)[place]


def _quarters(canvas: Canvas, centre: Point) -> None:
    """Dark wood before the places of the Moon, bright wood before those of the Sun."""
    for place in range(4):
        middle = _middle(place)
        edge = arc(centre, RADIUS, middle - 1 / 8, middle + 1 / 8)
        canvas.cover(canvas.box, CULT_COLOURS[place % 2].wood, outlines=[[centre, *edge]])


def _seams(canvas: Canvas, centre: Point) -> None:
    """Strips of brass between the quarters."""
    for corner in (1 / 8, 3 / 8, 5 / 8, 7 / 8):
        end, *_ = arc(centre, RADIUS, corner, corner + 0.01)
        canvas.line([(centre[0], centre[1] + 1.5), (end[0], end[1] + 1.5)], INK, 4, opacity=0.5)
        canvas.line([centre, end], BRASS, 3.5)


def _phases(canvas: Canvas, centre: Point, place: int) -> None:
    """Stars, and the phases of the Moon along the rim, let into the wood."""
    inlay, middle = CULT_COLOURS[0].inlay, _middle(place)
    for n in (-3, -2, -1, 1, 2, 3):
        at, *_ = arc(centre, RADIUS * 0.92, middle + n / 30, middle + n / 30 + 0.01)
        if abs(n) == 3:
            canvas.path([star(4, 0.28)], inlay, centre=at, scale=9)
        elif abs(n) == 2:
            way = 1 if (n > 0) == (place == 0) else -1
            phase = [(x * way, y) for x, y in CRESCENT]
            canvas.path([phase], inlay, centre=at, scale=11)
        else:
            canvas.circle(at, 10, None, inlay, 2.5)
    for turn, share, size in _STARS:
        at, *_ = arc(centre, RADIUS * share, middle + turn, middle + turn + 0.01)
        canvas.path([star(4, 0.3)], inlay, centre=at, scale=size * 1.4)


def _sunburst(canvas: Canvas, centre: Point, place: int) -> None:
    """Rays along the rim, let into the wood."""
    inlay, middle = CULT_COLOURS[1].inlay, _middle(place)
    for n in range(-7, 8):
        turn = middle + n / 66
        long = n % 2 == 0
        tip, *_ = arc(centre, RADIUS * (0.80 if long else 0.87), turn, turn + 0.01)
        foot = arc(centre, RADIUS * 0.96, turn - 0.005, turn + 0.005)
        canvas.polygon([tip, foot[0], foot[-1]], inlay)


@cached
def lit_twilight_card(side: int) -> Sprite:
    """Its sides show to everyone for which cult they play; a tea light stands on it."""
    board = Canvas(side, side)
    board.rect(board.box, BRASS, radius=side * 0.08)
    lit = relief(board.sprite(), side * 0.03)
    canvas = Canvas(side, side)
    canvas.stamp(lit, canvas.box.centre)
    inner, centre = canvas.box.inset(side * 0.045), canvas.box.centre
    corners = [
        (inner.left, inner.bottom),
        (inner.left, inner.top),
        (inner.right, inner.top),
        (inner.right, inner.bottom),
    ]
    for place, (first, second) in enumerate(((3, 0), (0, 1), (1, 2), (2, 3))):
        colours = CULT_COLOURS[place % 2]
        canvas.polygon([centre, corners[first], corners[second]], colours.paper)
        x, y = WAYS[place]
        at = centre[0] + x * side * 0.36, centre[1] + y * side * 0.36
        draw_sign(canvas, place % 2, at, side * 0.2, colours.figure, side * 0.012)
    canvas.stamp(_tea_light(round(side * 0.52)), centre)
    return raised(canvas.sprite(), side * 0.05)


def _tea_light(size: int) -> Sprite:
    """A small lamp of brass with a burning flame, from above."""
    canvas, middle, bowl = Canvas(size, size), (size / 2, size / 2), Canvas(size, size)
    bowl.circle(middle, size * 0.46, DARK_BRASS)
    bowl.circle(middle, size * 0.44, BRIGHT_BRASS)
    canvas.circle(middle, size / 2 - 1, INK)
    canvas.stamp(relief(bowl.sprite(), size * 0.04), middle)
    canvas.circle(middle, size * 0.36, "#6B2A08")
    canvas.circle(middle, size * 0.30, "#B2500F")
    draw_flame(canvas, 1, (middle[0], middle[1] - size * 0.03), size * 0.76, lit=True)
    return raised(canvas.sprite(), size * 0.06)
