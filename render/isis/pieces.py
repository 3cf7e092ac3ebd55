"""The stones of Isis in relief: lotus columns and canopic jars; the throne; the serpent; the lock.

Each is a sprite that can be made at any size; it is lit once and cached. A stone is ``TALL`` times
as high as it is wide.
"""

from __future__ import annotations

from math import ceil, floor
from typing import Literal

from render.cache import cached
from render.canvas import Canvas, Sprite
from render.geometry import Box, placed, star, trace
from render.isis.glyphs import carved, draw_amulet
from render.isis.look import (
    FAIENCE,
    FAIENCE_SHADE,
    GILT_LIGHT,
    GILT_SHADE,
    LAPIS,
    LIMESTONE,
    LIMESTONE_SHADE,
    NIGHT,
    OCHRE,
    SERPENT,
    SERPENT_LIGHT,
    STAR,
    TALL,
)
from render.light import raised, relief
from render.plates import device
from render.theme import INK, LIGHT, SEAT_SHADES, SEATS, Colour, mix

Part = tuple[str, Colour, float, float]
"""An outline, its colour, the width of its edge, the depth of its relief; see ``_assembled``."""


def _assembled(parts: tuple[Part, ...], width: int, height: int, reach: float = 100) -> Canvas:
    """Return parts stacked on top of each other, each in relief; their coordinates refer to a box
    ``reach`` wide.
    """
    canvas, scale = Canvas(width, height), width / reach
    for path, colour, edge, depth in parts:
        shapes = [placed(points, (0, 0), scale) for points in trace(path)]
        xs, ys = zip(*(point for points in shapes for point in points), strict=True)
        # The canvas is only as large as the part itself, because lighting costs time per pixel.
        left, top = floor(min(xs) - edge) - 1, floor(min(ys) - edge) - 1
        piece = Canvas(ceil(max(xs) + edge) + 1 - left, ceil(max(ys) + edge) + 1 - top)
        piece.path(shapes, colour, INK if edge else None, edge * scale, (-left, -top))
        sprite = piece.sprite()
        x, y = piece.box.centre
        lit = relief(sprite, max(1.0, depth * scale)) if depth else sprite
        canvas.stamp(lit, (left + x, top + y))
    return canvas


# --------------------------------------------------------------------------------- stones
_LOTUS: tuple[Part, ...] = (
    ("M 30 70 C 28 96 27 108 26 124 H 74 C 73 108 72 96 70 70 Z", LIMESTONE, 4, 7),
    ("M 42 72 H 45 L 42.5 122 H 39.5 Z", LIMESTONE_SHADE, 0, 0),
    ("M 55 72 H 58 L 60.5 122 H 57.5 Z", LIMESTONE_SHADE, 0, 0),
    ("M 27.5 104 L 72.5 104 L 73.5 114 H 26.5 Z", OCHRE, 0, 2),
    ("M 14 122 H 86 C 90 128 90 132 88 137 H 12 C 10 132 10 128 14 122 Z", LIMESTONE, 4, 4),
    ("M 32 62 C 30 42 16 28 4 8 C 34 16 66 16 96 8 C 84 28 70 42 68 62 Z", LIMESTONE, 4, 6),
    ("M 37 61 C 24 46 15 32 4 8 C 28 20 40 36 45 61 Z", FAIENCE_SHADE, 2.5, 4),
    ("M 63 61 C 76 46 85 32 96 8 C 72 20 60 36 55 61 Z", FAIENCE_SHADE, 2.5, 4),
    ("M 50 62 C 36 46 35 24 50 3 C 65 24 64 46 50 62 Z", FAIENCE, 2.5, 5),
    ("M 29 58 H 71 V 66 H 29 Z", STAR, 3, 2),
    ("M 30 66 H 70 V 73 H 30 Z", LAPIS, 3, 2),
)
"""The column and its capital: a bundle of lotus flowers tied with gold and lapis."""

Paint = Literal["wig", "face", "gold"]
"""The paint of a part of a head: a shade of the seat's colour, limestone, or gold."""

_MUZZLE = (
    "M 50 19 C 58 12 70 13 75 22 C 82 25 94 28 97 33 V 44 C 95 49 86 50 76 49 C 62 49 46 40 50 19 Z"
)
_JACKAL = (
    "M 30 54 C 26 42 28 32 30 24 L 33 1 C 40 5 43 10 44 15 L 53 2 C 57 8 57 14 57 18"
    " C 68 24 82 28 94 33 C 95 38 91 41 84 41 C 74 41 68 43 64 54 Z"
)
_FALCON = (
    "M 26 54 C 20 28 30 4 54 4 C 70 4 80 14 82 24 C 90 27 90 36 84 42 C 82 36 77 34 73 36"
    " C 70 42 70 48 72 54 Z"
)
_HEADS: tuple[tuple[tuple[str, Paint], ...], ...] = (
    (  # a man with a royal headcloth
        ("M 18 56 C 20 36 18 4 50 4 C 82 4 80 36 82 56 Z", "wig"),
        ("M 31 20 C 40 13 60 13 69 20 C 72 34 64 50 50 50 C 36 50 28 34 31 20 Z", "face"),
        ("M 19 34 L 29 30 V 36 L 18.5 40 Z M 18 45 L 31 40 L 34 45 L 17.5 51 Z", "gold"),
        ("M 81 34 L 71 30 V 36 L 81.5 40 Z M 82 45 L 69 40 L 66 45 L 82.5 51 Z", "gold"),
        ("M 27 16 C 40 7 60 7 73 16 L 72 23 C 60 15 40 15 28 23 Z", "gold"),
    ),
    (  # a baboon
        ("M 14 56 C 4 32 14 3 46 3 C 64 3 72 12 76 22 L 78 56 Z", "wig"),
        (_MUZZLE, "face"),
    ),
    (  # a jackal
        (_JACKAL, "face"),
        ("M 30 54 C 26 42 28 32 30 26 C 40 30 44 40 46 54 Z", "wig"),
    ),
    (  # a falcon
        (_FALCON, "face"),
        ("M 26 54 C 20 28 30 4 50 4 C 40 18 40 38 50 54 Z", "wig"),
    ),
)  # fmt: skip
"""The lids, one for each seat: heads of the four sons of Horus."""

_EYES = ((), ((67, 25), (92, 35)), ((60, 26),), ((64, 20),))
_COLLAR = "M 22 50 H 78 C 82 54 82 58 78 62 H 22 C 18 58 18 54 22 50 Z"
_BELLY = "M 20 60 H 80 C 98 70 98 92 78 136 C 76 138 24 138 22 136 C 2 92 2 70 20 60 Z"


@cached
def lotus(width: int) -> Sprite:
    """Return a neutral stone: a lotus column with its shadow."""
    canvas = _assembled(_LOTUS, width, round(width * TALL))
    return raised(canvas.sprite(), width * 0.08, 0.6)


@cached
def jar(seat: int, amulet: str, width: int, bare: bool = False) -> Sprite:
    """Return a player's own stone: a canopic jar in the seat's colour, with its shadow.

    :param amulet: the amulet painted on it; empty: the seat's device.
    :param bare: whether it is plain limestone without a device, as before the player has won it.
    """
    style = SEATS[seat]
    clay = LIMESTONE_SHADE
    body, gold = (clay, clay) if bare else (style.colour, STAR)
    paints: dict[Paint, Colour] = {
        "wig": clay if bare else SEAT_SHADES[seat],
        "face": mix(clay, LIMESTONE, 0.5) if bare else LIMESTONE,
        "gold": gold,
    }
    head: tuple[Part, ...] = tuple(
        (path, paints[paint], 2 if paint == "gold" else 4, 2 if paint == "gold" else 5)
        for path, paint in _HEADS[seat]
    )
    parts: tuple[Part, ...] = ((_BELLY, body, 4, 9), *head, (_COLLAR, gold, 3.5, 3))
    canvas = _assembled(parts, width, round(width * TALL))
    scale = width / 100
    for x, y in _EYES[seat]:
        canvas.circle((x * scale, y * scale), 3.2 * scale, INK)
    belly = 50 * scale, 98 * scale
    if amulet:
        draw_amulet(canvas, amulet, belly, 62 * scale, style.device, style.colour)
    elif not bare:
        device(canvas, seat, belly, 52 * scale, style.device)
    return raised(canvas.sprite(), width * 0.08, 0.6)


# --------------------------------------------------------------------------- gold and below
_THRONE: tuple[Part, ...] = (
    ("M 2 124 H 98 V 138 H 2 Z", STAR, 3, 4),
    ("M 8 8 C 14 0 27 0 32 8 L 36 64 H 88 V 124 H 10 Z", STAR, 3, 8),
    ("M 19 83 H 79 V 119 H 19 Z", LAPIS, 2, 0),
    ("M 23 87 H 75 V 95 H 23 Z", STAR, 0, 2),
    ("M 23 98 H 75 V 105 H 23 Z", FAIENCE, 0, 2),
    ("M 23 108 H 75 V 116 H 23 Z", STAR, 0, 2),
    ("M 15 22 C 18 16 23 16 26 22 L 29 58 H 17 Z", FAIENCE, 2, 2),
    ("M 31 60 H 92 C 97 64 97 71 92 75 H 31 Z", GILT_LIGHT, 3, 4),
    ("M 4 11 C 8 -3 32 -3 36 11 C 30 17 10 17 4 11 Z", GILT_LIGHT, 3, 3),
)


@cached
def throne(width: int) -> Sprite:
    """Return the sign of Isis: a golden seat with a high back, seen from the side."""
    canvas = _assembled(_THRONE, width, round(width * TALL))
    return raised(canvas.sprite(), width * 0.07, 0.6)


@cached
def gold_star(size: int) -> Sprite:
    """Return a five-pointed star of gold leaf, like those on temple ceilings, with its shadow."""
    canvas = Canvas(size, size)
    canvas.path([star(5, 0.27)], STAR, GILT_SHADE, 1.2, (size / 2, size / 2), size / 2 - 1)
    return raised(relief(canvas.sprite(), size * 0.06, 0.9), size * 0.07, 0.6)


@cached
def speck() -> Sprite:
    """Return a distant star."""
    canvas = Canvas(9, 9)
    canvas.path([star(4, 0.3)], STAR, centre=(4.5, 4.5), scale=4.5)
    return canvas.sprite()


_COIL = (
    "M 2 104 C 6 124 34 126 60 122 C 84 118 92 100 84 84 C 76 70 66 60 66 40 C 66 20 76 8 90 8"
    " C 100 8 106 16 108 26 C 100 30 94 30 92 36 C 96 52 110 66 110 92 C 110 122 86 138 52 139"
    " C 20 140 -4 128 2 104 Z"
)
_HOOD = "M 76 40 C 80 34 88 36 90 42 C 94 56 100 70 98 84 C 92 70 76 60 76 40 Z"
_COBRA: tuple[Part, ...] = ((_COIL, SERPENT, 4, 6), (_HOOD, SERPENT_LIGHT, 0, 2))

_LOW_COIL = (
    "M 2 126 C 8 133 34 133 60 131 C 84 129 98 116 96 96 C 94 76 78 60 78 36 C 78 18 86 8 97 8"
    " C 105 8 110 16 112 26 C 105 30 99 30 97 36 C 99 54 112 72 112 96 C 112 124 90 140 54 140"
    " C 24 141 -4 138 2 126 Z"
)
_LOW_HOOD = "M 84 40 C 87 34 94 36 96 42 C 99 56 107 72 106 88 C 100 74 84 58 84 40 Z"
_LOW_COBRA: tuple[Part, ...] = ((_LOW_COIL, SERPENT, 4, 6), (_LOW_HOOD, SERPENT_LIGHT, 0, 2))


@cached
def cobra(width: int, jar: bool = False) -> Sprite:
    """Return a serpent around the foot of a stone that could be locked in.

    It fits a stone as wide as ``width``; its head rises on the right.

    :param jar: whether the stone is a jar; its amulet and colour then stay visible.
    """
    parts, eye = (_LOW_COBRA, 98) if jar else (_COBRA, 91)
    canvas = _assembled(parts, width, round(width * TALL), reach=112)
    scale = width / 112
    canvas.circle((eye * scale, 19 * scale), 4 * scale, LIGHT)
    canvas.circle(((eye + 1) * scale, 19 * scale), 2.4 * scale, INK)
    return raised(canvas.sprite(), width * 0.05, 0.6)


@cached
def lock(width: int) -> Sprite:
    """Return a padlock, to be drawn on a stone that may not be moved now."""
    scale = width / 32
    canvas = Canvas(width, round(width * 1.25))
    shackle = [(x * scale, y * scale) for x, y in trace("M 8 20 C 6 -1 26 -1 24 20")[0]]
    canvas.line(shackle, INK, 8 * scale)
    canvas.line(shackle, LIGHT, 4 * scale)
    body = Canvas(canvas.width, canvas.height)
    body.rect(Box(1 * scale, 16 * scale, 31 * scale, 39 * scale), STAR, INK, 2.5 * scale, 5 * scale)
    canvas.stamp(relief(body.sprite(), 3 * scale), canvas.box.centre)
    canvas.circle((16 * scale, 25 * scale), 4 * scale, INK)
    canvas.rect(Box(14.4 * scale, 25 * scale, 17.6 * scale, 33 * scale), INK)
    return raised(canvas.sprite(), 2.5)


@cached
def turning() -> Sprite:
    """Return an amulet on a golden disc, to be drawn on a stone that may be turned over."""
    canvas = Canvas(34, 34)
    canvas.circle((17, 17), 17, INK)
    canvas.circle((17, 17), 14.5, STAR)
    draw_amulet(canvas, "ankh", (17, 17), 21, INK, STAR)
    return canvas.sprite()


_SEAT = trace("M -1 -1 H -0.45 V 0 H 0.4 V 0.4 H 1 V 1 H -1 Z")
STAGES = ("water", "reed", "star", "throne")
"""The stages of a stone's journey: underworld, earth, heaven, a throne."""
_STAGE_GROUNDS = {"water": NIGHT, "reed": "#E6D2A0", "star": "#3B3369", "throne": LAPIS}


@cached
def stage_sign(stage: str) -> Sprite:
    """Return a disc with the sign of a stage."""
    size = 48
    canvas = Canvas(size, size)
    middle = size / 2, size / 2
    ground, ink = _STAGE_GROUNDS[stage], INK if stage == "reed" else STAR
    canvas.circle(middle, size / 2, INK)
    canvas.circle(middle, size / 2 - 2, ground)
    if stage == "star":
        canvas.path([star(5, 0.32)], ink, centre=(middle[0], middle[1] + 1), scale=18)
    elif stage == "throne":
        canvas.path(_SEAT, ink, centre=middle, scale=13)
    else:
        canvas.stamp(carved(stage, 32, ink, ground), middle)
    return canvas.sprite()
