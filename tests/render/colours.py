"""Colours of pictures, and how well they can be told apart."""

from __future__ import annotations

import io
from collections.abc import Iterable
from math import dist

from PIL import Image, ImageColor

from render.canvas import Canvas

Pixel = tuple[int, ...]


def opened(png: bytes) -> Image.Image:
    """A picture as people see it."""
    return Image.open(io.BytesIO(png)).convert("RGB")


def pixels_of(canvas: Canvas) -> Image.Image:
    """The pixels drawn so far, in all their tones, before saving reduces them to a palette."""
    return canvas.sprite().colours


def rgb(colour: str) -> Pixel:
    return ImageColor.getrgb(colour)


def luminance(colour: str | Pixel) -> float:
    """Relative luminance as WCAG 2.2 defines it, 0..1."""
    red, green, blue = _light(rgb(colour) if isinstance(colour, str) else colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _light(levels: Iterable[float]) -> list[float]:
    """Linear light, 0..1, for levels of sRGB."""
    shares = [level / 255 for level in levels]
    return [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]


def contrast(one: str | Pixel, other: str | Pixel) -> float:
    """Contrast ratio as WCAG 2.2 defines it, 1..21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def distance(one: Iterable[float], other: Iterable[float]) -> float:
    """Distance between two sRGB colours as CIE 1976 defines it; 2.3 is barely visible."""
    return dist(_lab(one), _lab(other))


def _lab(levels: Iterable[float]) -> tuple[float, float, float]:
    """A colour in CIELAB, in daylight (D65)."""
    red, green, blue = _light(levels)
    x = _root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
    y = _root(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    z = _root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.0890)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _root(share: float) -> float:
    return share ** (1 / 3) if share > 216 / 24389 else (24389 / 27 * share + 16) / 116
