"""Day and night: the background of all pictures of Twilight."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box, Point, arc, star
from render.theme import WIDTH, Colour, mix
from render.twilight.colours import CULT_COLOURS, DARK, LEDGE, SKY

STRIPS = 36
"""Number of strips from day to night, each of one tone."""
RADIUS = 18
INSET = 8
RAYS = 28
RAY: Colour = "#FFF0C4"
VEIL = 0.32
"""Opacity of a ray."""
STARS = 90
BRINK = 16
"""How many pixels above a plank its shadow can reach."""


def sky(
    height: int, dusk: float = 0.5, sun: Point | None = None, quiet: tuple[Box, ...] = ()
) -> Canvas:
    """Return a rounded sheet of sky: day on the left, night on the right.

    :param dusk: where day and night meet, as a share of the width; may be outside the sheet.
    :param sun: where the rays of the day start; by default, where day and night meet.
    :param quiet: areas of the night without stars, for text.
    """
    canvas = Canvas(WIDTH, height, LEDGE.rim)
    sheet = canvas.box.inset(INSET)
    air = Canvas(round(sheet.width), round(sheet.height))
    _air(air, dusk)
    if dusk > 0:
        _rays(air, sun or (air.width * dusk, 404.0))
    if dusk < 1:
        _stars(air, dusk, quiet)
    left, top, right, bottom = sheet
    canvas.inlay(air, sheet, sheet)
    corners = (right, top), (right, bottom), (left, bottom), (left, top)
    for n, corner in enumerate(corners):
        _corner(canvas, corner, n / 4)
    for edge in (
        Box(left + RADIUS, top, right - RADIUS, top + 2),
        Box(left + RADIUS, bottom - 2, right - RADIUS, bottom),
        Box(left, top + RADIUS, left + 2, bottom - RADIUS),
        Box(right - 2, top + RADIUS, right, bottom - RADIUS),
    ):
        canvas.rect(edge, LEDGE.line)
    return canvas


def _corner(canvas: Canvas, corner: Point, turn: float) -> None:
    """Round off one corner of the sheet; to do all four at once, the mask would have to be as large
    as the sheet.
    """
    x, y = corner
    middle = (
        x + (RADIUS if x < WIDTH / 2 else -RADIUS),
        y + (RADIUS if turn in (0.75, 0.0) else -RADIUS),
    )
    canvas.polygon([corner, *arc(middle, RADIUS, turn, turn + 0.25)], LEDGE.rim)
    canvas.line(arc(middle, RADIUS - 1, turn, turn + 0.25), LEDGE.line, 2)


def plank(canvas: Canvas, top: float, bottom: float) -> None:
    """Draw wood from one side of a sheet to the other: the edge of a table."""
    box = Box(INSET + 2, top, canvas.width - INSET - 2, bottom)
    inside = canvas.box.inset(INSET + 2)
    rounded = RADIUS - 2 if bottom >= inside.bottom or top <= inside.top else 0
    cast(canvas, top, bottom)
    canvas.cover(box, LEDGE.material, radius=rounded)
    if top > inside.top:
        _board_edge(canvas, box, rounded)
    else:
        canvas.cover(Box(box.left, bottom - 2 * RADIUS, box.right, bottom), LEDGE.material)
        canvas.rect(Box(box.left, bottom - 6, box.right, bottom - 5), LEDGE.line)


def cast(canvas: Canvas, top: float, bottom: float) -> None:
    """Draw the shadow of a plank."""
    canvas.shadow(Box(INSET + 2, top, canvas.width - INSET - 2, bottom), 6, opacity=0.5)


@cached
def brink() -> Sprite:
    """Return the part of a plank's shadow that lies above the plank, to be drawn with its lower
    edge on the top of the plank.
    """
    canvas = Canvas(WIDTH, BRINK)
    cast(canvas, BRINK, 5 * BRINK)
    return canvas.sprite()


def _board_edge(canvas: Canvas, box: Box, rounded: float) -> None:
    if rounded:
        corner = Box(box.left, box.top, box.right, box.top + 2 * RADIUS)
        canvas.cover(corner, LEDGE.material)
    canvas.rect(Box(box.left, box.top, box.right, box.top + 2), LEDGE.raised)
    canvas.rect(Box(box.left, box.top + 5, box.right, box.top + 6), LEDGE.line)


def tone(share: float, dusk: float = 0.5) -> Colour:
    """Return the colour of the sky at a share of the width."""
    at = min(1.0, max(0.0, share + 0.5 - dusk))
    for (start, first), (end, second) in pairwise(SKY):
        if at <= end:
            return mix(first, second, (at - start) / (end - start))
    return SKY[-1][1]


def tones() -> tuple[Colour, ...]:
    """Return all tones of the sky, including those under rays."""
    plain = [tone((n + 0.5) / STRIPS) for n in range(STRIPS)]
    lit = [mix(colour, RAY, VEIL) for colour in plain[: STRIPS // 2 + 1]]
    return tuple(dict.fromkeys([*plain, *lit]))


def _air(air: Canvas, dusk: float) -> None:
    edges = [round(air.width * n / STRIPS) for n in range(STRIPS + 1)]
    for n, (left, right) in enumerate(pairwise(edges)):
        air.rect(Box(left, 0, right, air.height), tone((n + 0.5) / STRIPS, dusk))


def _rays(air: Canvas, centre: Point) -> None:
    reach = 1.3 * max(air.width, air.height)
    for n in range(1, RAYS, 2):
        if n > RAYS // 2 and centre[0] < air.width * 0.6:
            break  # the night begins here
        start = 0.5 + (n - 0.25) / RAYS
        edge = arc(centre, reach, start, start + 1 / RAYS)
        air.polygon(_within(air, centre, [edge[0], edge[-1]]), RAY, opacity=VEIL)


def _within(air: Canvas, centre: Point, ends: list[Point]) -> list[Point]:
    """Return a wedge clipped to the sheet, so that no mask needs to be larger than the sheet."""
    cut: list[Point] = [centre]
    for x, y in ends:
        dx, dy = x - centre[0], y - centre[1]
        reach = min(
            (air.width if dx > 0 else 0.0) / dx - centre[0] / dx if dx else 1.0,
            ((air.height if dy > 0 else 0.0) - centre[1]) / dy if dy else 1.0,
            1.0,
        )
        cut.append((centre[0] + dx * reach, centre[1] + dy * reach))
    return cut


def _stars(air: Canvas, dusk: float, quiet: tuple[Box, ...]) -> None:
    """Draw stars in the night, more of them towards the edge; they are always the same."""
    rng = Random("stars of the night")
    for _ in range(STARS):
        share, y = rng.random() ** 0.6, rng.random() * air.height
        x = air.width * (dusk + 0.1 + (0.9 - dusk) * share)
        size, colour = rng.choice(((1.6, 0), (2.2, 0), (1.6, 0), (6.0, 1), (8.0, 1)))
        if x > air.width - 6 or any(b.left < x < b.right and b.top < y < b.bottom for b in quiet):
            continue
        figure = CULT_COLOURS[0].face if colour else DARK.line
        if colour:
            air.path([star(4, 0.26)], figure, centre=(x, y), scale=size, opacity=0.55)
        else:
            air.circle((x, y), size, figure)
