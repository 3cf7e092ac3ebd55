"""The light of all pictures: it falls from the upper left, and everything raised casts a shadow.

What is lit are sprites, once, when they are made; stamping a lit sprite costs what stamping costs.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil

from PIL import Image, ImageChops, ImageColor, ImageFilter, ImageOps

from render.canvas import Canvas, Sprite, levels
from render.theme import SHADOW

_RISING = ImageFilter.Kernel((3, 3), (2, 1, 0, 1, 0, -1, 0, -1, -2), scale=1, offset=128)
"""How much a surface turns to the upper left: above 128 towards the light, below away from it."""


def relief(sprite: Sprite, depth: float, strength: float = 1.0) -> Sprite:
    """The sprite as if its edges were rounded off ``depth`` pixels inwards, and lit.

    :param strength: of light and shade, above 0 and at most 1.
    """
    mask, colours = sprite.mask, sprite.colours.copy()
    bright, dark = _light_on(mask.tobytes(), mask.size, depth, strength)
    colours.paste((255, 252, 240), mask=bright)
    colours.paste(ImageColor.getrgb(SHADOW), mask=dark)
    return Sprite(colours, mask)


@lru_cache(maxsize=32)
def _light_on(
    shape: bytes, size: tuple[int, int], depth: float, strength: float
) -> tuple[Image.Image, Image.Image]:
    """Where a shape is bright and where dark: the same for all pieces of one shape.

    :param shape: its mask, ``size`` large.
    """
    reach = ceil(depth) + 2
    room = ImageOps.expand(Image.frombytes("L", size, shape), reach, 0)
    # Rounded within the shape only: what lies outside has no height to lend.
    height = ImageChops.multiply(room.filter(ImageFilter.GaussianBlur(depth)), room)
    turned = height.filter(_RISING)
    turned = turned.crop((reach, reach, reach + size[0], reach + size[1]))
    level = Image.new("L", size, 128)
    return (
        ImageChops.subtract(turned, level, 1 / strength),
        ImageChops.subtract(level, turned, 1 / strength),
    )


def raised(sprite: Sprite, height: float, opacity: float = 0.5) -> Sprite:
    """The sprite with the shadow that it casts from ``height`` pixels above the ground.

    The sprite grows on all sides alike, so that its middle stays where it was.
    """
    shade = _shade_of(sprite.mask.tobytes(), sprite.size, height, opacity)
    canvas = Canvas(*shade.size)
    canvas.stamp(Sprite(Image.new("RGB", shade.size, SHADOW), shade), canvas.box.centre)
    canvas.stamp(sprite, canvas.box.centre)
    return canvas.sprite()


@lru_cache(maxsize=32)
def _shade_of(shape: bytes, size: tuple[int, int], height: float, opacity: float) -> Image.Image:
    """The shadow of a shape: the same for all sprites of one shape.

    :param shape: its mask, ``size`` large.
    """
    fall, blur = height * 0.7, height * 0.6
    reach = ceil(fall + 2 * blur)
    shade = Image.new("L", (size[0] + 2 * reach, size[1] + 2 * reach))
    mask = Image.frombytes("L", size, shape)
    shade.paste(mask, (reach + round(fall / 2), reach + round(fall)))
    return shade.filter(ImageFilter.GaussianBlur(blur)).point(levels(opacity))
