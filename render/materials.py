"""What things are made of: linen, twill, papyrus, wood, parchment, stone, grass, clay and sky;
and cloth with a pattern of stars, moons, sails or roses.

A material is a small seamless tile of grain, in tones from dark to light. With few tones and short
repeats, it looks printed and keeps the file small. The grain comes from a fixed seed, so that the
same picture always has the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import ceil
from random import Random
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFilter, ImageOps

from render.cache import cached
from render.geometry import Outline, arc, placed, regular, star
from render.masks import SMOOTH
from render.theme import Colour

TONES = 4
"""How many tones a material has, from its hollows to its ridges."""


class Material(NamedTuple):
    """A texture for covering surfaces.

    :param grain: its structure, one of ``GRAINS``.
    :param dark: the tone of its hollows.
    :param light: the tone of its ridges.
    """

    grain: str
    dark: Colour
    light: Colour

    def sheet(self, width: int, height: int) -> Image.Image:
        """Return a piece of the material."""
        return _repeated(_tile(self), width, height)


@cached
def _tile(material: Material) -> Image.Image:
    return ImageOps.colorize(_grain(material.grain), material.dark, material.light)


@cached
def _grain(name: str) -> Image.Image:
    """Return a grain, reduced to ``TONES`` levels."""
    last = TONES - 1
    grain = GRAINS[name]().point(lambda level: round(level * last / 255) * 255 // last)
    # Repeat every row: nobody notices, and the file is half as large.
    flat = grain.resize((grain.width, grain.height // 2), Image.Resampling.NEAREST)
    return flat.resize(grain.size, Image.Resampling.NEAREST)


def _repeated(tile: Image.Image, width: int, height: int) -> Image.Image:
    """Return a sheet filled with tiles, by repeating a band of them as wide as the sheet."""
    band = Image.new(tile.mode, (width, tile.height), None)
    for x in range(0, width, tile.width):
        band.paste(tile, (x, 0))
    sheet = Image.new(tile.mode, (width, height), None)
    for y in range(0, height, tile.height):
        sheet.paste(band, (0, y))
    return sheet


# -------------------------------------------------------------------------------- grain
FINE, BROAD = 128, 256
"""Sides of a tile in pixels; broad tiles are for soft grain, in which repeats would be noticed."""


_Smear = tuple[str, float, float]
"""The seed of the noise, and how far it is smeared across and down."""


def _noise(seed: str, across: float, down: float, side: int = FINE) -> Image.Image:
    """Return seamless noise, smeared by ``across`` and ``down`` pixels and spread over all
    levels.
    """
    raw = Image.frombytes("L", (side, side), Random(seed).randbytes(side * side))
    # To make the tile seamless, put repeats of it around it, as wide as the smear reaches, before
    # smearing.
    reach = min(side, ceil(1.5 * max(across, down)) + 2)
    start, end = side - reach, 2 * side + reach
    around = _repeated(raw, 3 * side, 3 * side).crop((start, start, end, end))
    soft = around.filter(ImageFilter.BoxBlur((across, down)))
    soft = soft.filter(ImageFilter.BoxBlur((across / 2, down / 2)))
    middle = soft.crop((reach, reach, reach + side, reach + side))
    return ImageOps.autocontrast(middle, cutoff=2)


def _blend(first: _Smear, second: _Smear, share: float = 0.5, side: int = FINE) -> Image.Image:
    """Return two kinds of noise, with a ``share`` of the second."""
    grain = Image.blend(_noise(*first, side), _noise(*second, side), share)
    return ImageOps.autocontrast(grain, cutoff=1)


def _linen() -> Image.Image:
    """Return threads that run over and under each other, each slightly uneven."""
    weft, warp = _noise("weft", 12, 0.6), _noise("warp", 0.6, 12)
    over = Image.new("L", (4, 4))
    over.putdata([255 if (x // 2 + y // 2) % 2 else 0 for y in range(4) for x in range(4)])
    woven = Image.composite(weft, warp, _repeated(over, FINE, FINE))
    return ImageOps.autocontrast(woven.filter(ImageFilter.GaussianBlur(0.5)), cutoff=1)


def _twill() -> Image.Image:
    """Return a firm weave with fine slanting ribs, so regular that it compresses to almost
    nothing.
    """
    ribs = (0, 90, 180, 255, 255, 180, 90, 0)
    cloth = Image.new("L", (FINE, FINE))
    cloth.putdata([ribs[(x + y // 2 * 2) % len(ribs)] for y in range(FINE) for x in range(FINE)])
    return cloth


def _strewn(motif: Sequence[Outline]) -> Image.Image:
    """Return plain cloth with a small motif in rows that are offset from each other."""
    cloth = Image.new("L", (FINE * SMOOTH, FINE * SMOOTH))
    pen = ImageDraw.Draw(cloth)
    for share in (0.25, 0.75):
        middle = FINE * SMOOTH * share
        for outline in motif:
            pen.polygon(placed(outline, (middle, middle), STREWN * SMOOTH), fill=255)
    return cloth.reduce(SMOOTH)


STREWN = 13
"""Half the size of a motif on patterned cloth, in pixels."""
_SAIL = ((0.1, -0.1), (0.2, -0.32), (1, -0.32), (1, 0.02), (0.24, 0.02))
_SAILS = [
    [(x * a - y * b, x * b + y * a) for x, y in _SAIL]
    for a, b in ((0.7, 0.7), (-0.7, 0.7), (-0.7, -0.7), (0.7, -0.7))
]
_MOON = [*arc((0, 0), 1, 0.05, 0.45), *reversed(arc((-0.42, 0), 1.02, 0.12, 0.38))]
_PETALS = [placed(regular(16), point, 0.42) for point in placed(regular(5), (0, 0), 0.58)]

GRAINS: dict[str, Callable[[], Image.Image]] = {
    "parchment": partial(_blend, ("clouds", 22, 22), ("pores", 1.6, 1.6), 0.45, BROAD),
    "linen": _linen,
    "twill": _twill,
    "papyrus": partial(_blend, ("across", 36, 1.0), ("upright", 1.2, 36), 0.38),  # strips of reed
    "wood": partial(_blend, ("rings", 48, 2.4), ("fibres", 28, 0.7)),
    "stone": partial(_blend, ("blocks", 9, 9), ("grit", 0.8, 0.8), side=BROAD),
    "grass": partial(_blend, ("tufts", 6, 6), ("blades", 0.6, 2.6)),
    "clay": partial(_noise, "kiln", 80, 12, BROAD),  # fired and smooth
    "sky": partial(_noise, "haze", 40, 12, BROAD),
    "stars": partial(_strewn, [star(5)]),
    "moons": partial(_strewn, [_MOON]),
    "sails": partial(_strewn, _SAILS),
    "roses": partial(_strewn, _PETALS),
}
