"""The light in all pictures: it comes from the upper left, and everything raised casts a shadow.

Sprites are lit once, when they are made; stamping a lit sprite costs nothing extra.
"""

from __future__ import annotations

from math import ceil

from PIL import Image, ImageChops, ImageColor, ImageFilter, ImageOps

from render.canvas import Canvas, Sprite
from render.masks import levels
from render.theme import SHADOW

_RISING = ImageFilter.Kernel((3, 3), (0, 1, 2, -1, 0, 1, -2, -1, 0), scale=1, offset=128)
"""A kernel for how much a surface faces the upper left: above 128 towards the light, below 128 away
from it. Pillow applies the rows of a kernel from the bottom up.
"""


def relief(sprite: Sprite, depth: float, strength: float = 1.0) -> Sprite:
    """Return the sprite lit as if its edges were rounded off, ``depth`` pixels inwards.

    :param strength: the strength of light and shade, above 0 and at most 1.
    """
    mask, colours = sprite.mask, sprite.colours.copy()
    reach = ceil(depth) + 2
    room = ImageOps.expand(mask, reach, 0)
    # Round off only the inside of the shape, because the pixels outside have no height.
    height = ImageChops.multiply(room.filter(ImageFilter.GaussianBlur(depth)), room)
    turned = height.filter(_RISING)
    turned = turned.crop((reach, reach, reach + mask.width, reach + mask.height))
    level = Image.new("L", mask.size, 128)
    colours.paste((255, 252, 240), mask=ImageChops.subtract(turned, level, 1 / strength))
    shade = ImageChops.subtract(level, turned, 1 / strength)
    colours.paste(ImageColor.getrgb(SHADOW), mask=shade)
    return Sprite(colours, mask)


def raised(sprite: Sprite, height: float, opacity: float = 0.5) -> Sprite:
    """Return the sprite with the shadow that it casts from ``height`` pixels above the ground.

    The sprite grows by the same amount on all sides, so its centre stays where it is.
    """
    fall, blur = height * 0.7, height * 0.6
    reach = ceil(fall + 2 * blur)
    canvas = Canvas(sprite.mask.width + 2 * reach, sprite.mask.height + 2 * reach)
    shade = Image.new("L", (canvas.width, canvas.height))
    shade.paste(sprite.mask, (reach + round(fall / 2), reach + round(fall)))
    shade = shade.filter(ImageFilter.GaussianBlur(blur)).point(levels(opacity))
    canvas.stamp(Sprite(Image.new("RGB", shade.size, SHADOW), shade), canvas.box.centre)
    canvas.stamp(sprite, canvas.box.centre)
    return canvas.sprite()
