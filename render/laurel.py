"""Gilded laurel: branches for winners, and medals for places."""

from __future__ import annotations

from math import cos, pi, sin

from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Outline, Point, arc
from render.light import raised, relief
from render.theme import INK, LIGHT, Colour, Type, mix

LEAF: Colour = "#E0B64C"
LEAF_SHADE: Colour = "#A9781A"
STEM: Colour = "#7D5510"
LEAF_IN_SHADE: Colour = mix(LEAF, LEAF_SHADE, 0.55)
LAUREL = (LEAF, LEAF_IN_SHADE, LEAF_SHADE, STEM)

SILVER: Colour = "#C4CAD2"
BRONZE: Colour = "#C88A55"
METALS: tuple[Colour, ...] = (LEAF, SILVER, BRONZE)
"""The metals for the first places, in order."""
PLAIN: Colour = "#E6D9BC"
"""The colour of medals for all later places."""


@cached
def rank_medal(rank: int, size: int, on_metal: bool = False) -> Sprite:
    """Return a medal for a place, from 1, between two branches of laurel: gold, silver or bronze,
    and parchment from fourth place on.

    :param size: height and width, at least 56.
    :param on_metal: whether the medal is on its own metal, so that its leaves have to be darker.
    """
    metal = METALS[rank - 1] if rank <= len(METALS) else PLAIN
    canvas, disc = Canvas(size, size), Canvas(size, size)
    middle, radius = size / 2, size * 0.33
    shade, bright = mix(metal, INK, 0.45), mix(metal, LIGHT, 0.35)
    dark = mix(metal, INK, 0.75)
    for side in (-1, 1):
        stem = arc((middle, middle), size * 0.385, 0.5, 0.5 - side * 0.36)
        canvas.line(stem, dark if on_metal else shade, max(2.0, size / 45))
        for n in range(12):
            turn = 0.5 - side * (0.045 + 0.028 * n)
            leaf = _leaf((middle, middle), size * 0.385, turn, side, n % 2 == 0, size * 0.16)
            canvas.polygon(leaf, dark if on_metal else metal, dark if on_metal else shade, 1)
    disc.circle((middle, middle), radius, metal, shade, max(2.0, size / 40))
    canvas.stamp(relief(disc.sprite(), size / 36, 0.7), (middle, middle))
    canvas.circle((middle, middle), radius * 0.8, bright)
    number = str(rank)
    kind = Type("strong", max(28, round(size * (0.42 if len(number) == 1 else 0.34))))
    canvas.text((middle, middle), number, kind, INK)
    return canvas.sprite()


def point_at(centre: Point, radius: float, turn: float) -> Point:
    """Return a point on a circle, ``turn`` turns clockwise from its top."""
    return centre[0] + radius * sin(2 * pi * turn), centre[1] - radius * cos(2 * pi * turn)


@cached
def laurel(size: int) -> Sprite:
    """Return two branches of gilded laurel, ``size`` high and wide without their shadow, tied at
    the bottom and open at the top.
    """
    stems, leaves = Canvas(size, size), Canvas(size, size)
    centre, radius = (size / 2, size / 2), size * 0.4
    for side in (-1, 1):
        stems.line(arc(centre, radius, 0.5, 0.5 - side * 0.42), STEM, size / 90)
        for n in range(11):
            turn = 0.5 - side * (0.035 + 0.036 * n)
            for outwards in (True, False):
                leaves.polygon(
                    _leaf(centre, radius, turn, side, outwards, size * (0.115 - 0.003 * n)),
                    LEAF if outwards else LEAF_IN_SHADE,
                    LEAF_SHADE,
                    size / 300,
                )
        tip = 0.5 - side * 0.43
        leaves.polygon(_leaf(centre, radius, tip, side, None, size * 0.09), LEAF, LEAF_SHADE, 1.5)
    bow = [[(0, 0), (k * 0.9, -0.34), (k * 0.72, 0), (k * 0.9, 0.34)] for k in (-1, 1)]
    leaves.path(bow, LEAF_SHADE, centre=(size / 2, size * 0.9), scale=size / 10)
    leaves.circle((size / 2, size * 0.9), size / 40, LEAF, LEAF_SHADE, 1.5)
    canvas = Canvas(size, size)
    canvas.stamp(stems.sprite(), canvas.box.centre)
    canvas.stamp(relief(leaves.sprite(), size / 130, 0.8), canvas.box.centre)
    return raised(canvas.sprite(), size / 70)


def _leaf(
    centre: Point, radius: float, turn: float, side: int, outwards: bool | None, length: float
) -> Outline:
    """Return a leaf on a circular stem; if ``outwards`` is None, the leaf continues the stem."""
    lean = {True: 0.1, False: -0.1, None: 0.0}[outwards]
    heading = turn - side * (0.25 - lean)
    foot = point_at(centre, radius, turn)
    outline = []
    for along, across in ((0, 0), (0.3, 0.17), (0.6, 0.15), (1, 0), (0.6, -0.15), (0.3, -0.17)):
        x, y = point_at(foot, along * length, heading)
        outline.append(point_at((x, y), across * length, heading + 0.25))
    return outline
