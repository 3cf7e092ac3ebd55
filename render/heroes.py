"""The winner of a match as a figure of the game, on a disc for the middle of the laurel."""

from __future__ import annotations

from collections.abc import Callable

from render.cache import cached
from render.canvas import Canvas, Sprite
from render.donquixote.country import quixote
from render.geometry import Point, arc
from render.isis.pieces import jar, throne
from render.isolde.figures import Brush, princess
from render.lancelot.pieces import mounted_knight
from render.laurel import LEAF, LEAF_SHADE, point_at
from render.light import raised, relief
from render.plates import token
from render.theme import PARCHMENT
from render.twilight.colours import CULT_COLOURS, SUN_COLOURS
from render.twilight.signs import draw_sign

SIZE = 320
"""The size of a figure; it may reach over the laurel."""
DISC = 264
"""Diameter of the disc below a figure; the laurel surrounds this disc."""
TOKEN = 92
"""The size of the winner's token below a figure that is not in their colour."""


def _rim(canvas: Canvas) -> None:
    """Draw a golden medal, of which only the rim will stay visible."""
    disc = Canvas(SIZE, SIZE)
    disc.circle(disc.box.centre, DISC / 2, LEAF, LEAF_SHADE, 2)
    canvas.stamp(raised(relief(disc.sprite(), 4, 0.7), 6), canvas.box.centre)


def _disc(canvas: Canvas) -> None:
    """Draw a medal of parchment with a golden rim, on which any figure stands out."""
    _rim(canvas)
    canvas.circle(canvas.box.centre, DISC / 2 - 8, PARCHMENT, LEAF_SHADE, 2)


def _lancelot(canvas: Canvas, seat: int) -> None:
    """Draw the winner's knight, charging."""
    _disc(canvas)
    x, y = canvas.box.centre
    canvas.stamp(mounted_knight(seat, 236), (x, y + 4))


def _isis(canvas: Canvas, seat: int) -> None:
    """Draw the winner's jar on the seat of the throne."""
    _disc(canvas)
    x, y = canvas.box.centre
    canvas.stamp(throne(148), (x - 4, y + 18))
    canvas.stamp(jar(seat, "", 98), (x + 16, y - 50))


def _twilight(canvas: Canvas, seat: int) -> None:
    """Draw the winner's token between night and day."""
    _sky(canvas, (DISC * 0.38, 0))
    canvas.stamp(raised(token(seat, 148), 8), canvas.box.centre)


def _sky(canvas: Canvas, sun: Point) -> None:
    """Draw a medal with night and day; the sun is at a distance from the middle, and the moon is
    opposite it at the same height.
    """
    (x, y), radius = canvas.box.centre, DISC / 2
    _rim(canvas)
    canvas.circle((x, y), radius - 8, SUN_COLOURS.high)
    canvas.polygon(arc((x, y), radius - 8, 0.5, 1), CULT_COLOURS[0].paper)
    for cult, side in ((0, -1), (1, 1)):
        at = x + side * sun[0], y + sun[1]
        colours = CULT_COLOURS[cult]
        ink = colours.shade if cult else colours.figure
        draw_sign(canvas, cult, at, 40, ink, 2)


def _donquixote(canvas: Canvas, seat: int) -> None:
    """Draw the Knight of the Sad Countenance, with the winner's token below him."""
    _disc(canvas)
    x, y = canvas.box.centre
    canvas.stamp(quixote(262), (x + 6, y - 28))
    canvas.stamp(raised(token(seat, TOKEN), 6), (x, y + 110))


def _isolde(canvas: Canvas, seat: int) -> None:
    """Draw Princess Isolde, with the winner's token below her."""
    _disc(canvas)
    (x, y), brush = canvas.box.centre, Brush(252)
    princess(brush)
    canvas.stamp(raised(brush.sprite(), 4, 0.4), (x + 34, y - 10))
    canvas.stamp(raised(token(seat, TOKEN), 6), (x, y + 110))


_FIGURES: dict[str, Callable[[Canvas, int], None]] = {
    "lancelot": _lancelot,
    "isis": _isis,
    "twilight": _twilight,
    "donquixote": _donquixote,
    "isolde": _isolde,
}


@cached
def hero(game: str, seat: int) -> Sprite:
    """Return the winner of a match as a figure of the game, ``SIZE`` across; a large token for a
    game without a figure.
    """
    canvas = Canvas(SIZE, SIZE)
    if game in _FIGURES:
        _FIGURES[game](canvas, seat)
    else:
        canvas.stamp(raised(token(seat, 204), 204 / 16), canvas.box.centre)
    return canvas.sprite()


SHIELDS: dict[int, tuple[int, float]] = {2: (104, 58), 3: (92, 60), 4: (80, 64), 5: (72, 70)}
"""Size of the shields of several winners, and their distance from the centre, by the number of
winners.
"""


@cached
def partners(game: str, seats: tuple[int, ...]) -> Sprite:
    """Return the shields of several winners on a medal; those of two winners of Twilight are
    between night and day.
    """
    canvas = Canvas(SIZE, SIZE)
    (x, y), (size, reach) = canvas.box.centre, SHIELDS[len(seats)]
    if game == "twilight" and len(seats) == 2:
        _sky(canvas, (46, -76))
        y += 18
    else:
        _disc(canvas)
    first = {2: 0.75, 4: 0.125}.get(len(seats), 0)
    for n, seat in enumerate(seats):
        at = point_at((x, y), reach, first + n / len(seats))
        canvas.stamp(raised(token(seat, size), 6), at)
    return canvas.sprite()
