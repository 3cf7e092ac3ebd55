"""Colours as pictures have them, and how well they stand out from each other."""

from __future__ import annotations

import io

from PIL import Image, ImageColor

from render.canvas import Canvas

Pixel = tuple[int, ...]


def opened(png: bytes) -> Image.Image:
    """A picture as it is seen."""
    return Image.open(io.BytesIO(png)).convert("RGB")


def pixels_of(canvas: Canvas) -> Image.Image:
    """What is drawn so far, in all its tones: a file has only those of a palette."""
    return canvas._image


def rgb(colour: str) -> Pixel:
    """Levels of red, green and blue."""
    return ImageColor.getrgb(colour)


def luminance(colour: str | Pixel) -> float:
    """Relative luminance as WCAG 2.2 defines it, 0..1."""
    levels = (level / 255 for level in (rgb(colour) if isinstance(colour, str) else colour))
    red, green, blue = (
        level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in levels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str | Pixel, other: str | Pixel) -> float:
    """Contrast ratio as WCAG 2.2 defines it, 1..21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)
