"""Masks of shapes with smooth edges: each is drawn ``SMOOTH`` times as large and then reduced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from render.cache import cached
from render.geometry import Box, Outline, Point

SMOOTH = 4
"""The factor by which a shape's mask is drawn larger than the shape."""

BAND = 64
"""Rows of a large slanted line that share a mask."""


@lru_cache(maxsize=256)
def levels(opacity: float) -> list[int]:
    """Return what each of the 256 levels of a mask becomes at an opacity (0..1)."""
    return [round(level * opacity) for level in range(256)]


def squeezed(box: Box, rim: float) -> tuple[Box, tuple[int, int]]:
    """Remove whole pixels from the uniform middle of a rectangle, so that its mask costs no more
    than its rim. ``stretched`` puts it back.

    :param rim: how many pixels from the edges the mask may vary.
    :returns: the smaller box, and by how much width and height were reduced.
    """
    across, down = (max(0, floor(side - 2 * rim - 8)) for side in (box.width, box.height))
    return Box(box.left, box.top, box.right - across, box.bottom - down), (across, down)


def stretched(mask: Image.Image, left_out: tuple[int, int]) -> Image.Image:
    """Return a mask that is larger by ``left_out``: its central column and row are repeated."""
    across, down = left_out
    (width, height), x, y = mask.size, mask.width // 2, mask.height // 2
    same = Image.Resampling.NEAREST
    if across:
        wide = Image.new("L", (width + across, height))
        wide.paste(mask.crop((0, 0, x, height)))
        wide.paste(mask.crop((x, 0, x + 1, height)).resize((across, height), same), (x, 0))
        wide.paste(mask.crop((x, 0, width, height)), (x + across, 0))
        mask, width = wide, width + across
    if down:
        high = Image.new("L", (width, height + down))
        high.paste(mask.crop((0, 0, width, y)))
        high.paste(mask.crop((0, y, width, y + 1)).resize((width, down), same), (0, y))
        high.paste(mask.crop((0, y, width, height)), (0, y + down))
        mask = high
    return mask


class Mask:
    """The area of a shape, drawn ``SMOOTH`` times as large."""

    def __init__(self, box: Box) -> None:
        self.corner = floor(box.left) - 1, floor(box.top) - 1
        width = ceil(box.right) + 1 - self.corner[0]
        height = ceil(box.bottom) + 1 - self.corner[1]
        self._image = Image.new("L", (max(1, width) * SMOOTH, max(1, height) * SMOOTH))
        self._draw = ImageDraw.Draw(self._image)
        self._blank = True

    def rect(self, box: Box, radius: float) -> None:
        """Add a rectangle with rounded corners."""
        large = self._large(box)
        if large is None:
            return
        if radius > 0:
            self._draw.rounded_rectangle(large, radius * SMOOTH, fill=255)
        else:
            self._draw.rectangle(large, fill=255)

    def ellipse(self, box: Box) -> None:
        """Add the ellipse that fills a box."""
        large = self._large(box)
        if large is not None:
            self._draw.ellipse(large, fill=255)

    def cut(self, points: Outline, join: bool = False) -> None:
        """Add a polygon; where it overlaps another one, there is a hole unless ``join`` is set."""
        large = [self._point(point) for point in points]
        if join or self._blank:
            self._draw.polygon(large, fill=255)
            self._blank = False
            return
        layer = Image.new("L", self._image.size)
        ImageDraw.Draw(layer).polygon(large, fill=255)
        self._image.paste(ImageChops.difference(self._image, layer))

    def line(self, points: Outline, width: float) -> None:
        """Add a polyline with rounded joints and ends."""
        large = [self._point(point) for point in points]
        self._draw.line(large, fill=255, width=max(1, round(width * SMOOTH)), joint="curve")
        reach = width * SMOOTH / 2
        for x, y in (large[0], large[-1]):
            self._draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=255)

    def subtract(self, other: Mask) -> None:
        """Cut another mask with the same box out of this one."""
        self._image.paste(0, mask=other._image)

    def reduced(self, opacity: float) -> Image.Image:
        """Return the mask at its final size, with smooth edges.

        :param opacity: how opaque covered pixels are, from 0 to 1.
        """
        soft = self._image.reduce(SMOOTH)
        return soft if opacity == 1.0 else soft.point(levels(opacity))

    def _point(self, point: Point) -> Point:
        return (point[0] - self.corner[0]) * SMOOTH, (point[1] - self.corner[1]) * SMOOTH

    def _large(self, box: Box) -> tuple[float, float, float, float] | None:
        left, top = self._point((box.left, box.top))
        right, bottom = self._point((box.right, box.bottom))
        # Pillow's rectangles include the last row and column of pixels.
        return None if right - left < 1 or bottom - top < 1 else (left, top, right - 1, bottom - 1)


# The functions below draw forms near the origin, because many drawings use the same forms.
Drawn = tuple[Image.Image, tuple[int, int]]
"""The mask of a form, and its upper left corner."""
Form = Callable[..., Drawn]
"""Draws a form in a box."""


@cached
def whole_form(
    form: Form, near: Box, measures: tuple[float | None, ...], left_out: tuple[int, int]
) -> Drawn:
    """Return a form after putting back the ``left_out`` pixels."""
    mask, corner = form(near, *measures)
    return stretched(mask, left_out), corner


def filled(box: Box, radius: float | None, opacity: float) -> Drawn:
    """Return a rectangle with rounded corners; without a ``radius``, return an ellipse."""
    mask = Mask(box)
    _draw_in(mask, box, radius, 0.0)
    return mask.reduced(opacity), mask.corner


def outlined(box: Box, radius: float | None, width: float, opacity: float) -> Drawn:
    """Return only the rim of the form that ``filled`` returns."""
    mask, hole = Mask(box), Mask(box)
    _draw_in(mask, box, radius, 0.0)
    _draw_in(hole, box, radius, width)
    mask.subtract(hole)
    return mask.reduced(opacity), mask.corner


def _draw_in(mask: Mask, box: Box, radius: float | None, shrink: float) -> None:
    if radius is None:
        mask.ellipse(box.inset(shrink))
    else:
        mask.rect(box.inset(shrink), max(0.0, radius - shrink))


@cached
def lined(points: tuple[Point, ...], width: float, opacity: float) -> tuple[Drawn, ...]:
    """Return a polyline, in bands of rows, because most of the box of a slanted line is empty."""
    left, top, right, bottom = around(points, width)
    if min(right - left, bottom - top) <= 2 * BAND:
        mask = Mask(Box(left, top, right, bottom))
        mask.line(points, width)
        return ((mask.reduced(opacity), mask.corner),)
    # whole coordinates in the large mask, so that rounding does not move any band against another
    whole = [(floor(x * SMOOTH) / SMOOTH, floor(y * SMOOTH) / SMOOTH) for x, y in points]
    drawn = []
    for upper in range(floor(top), ceil(bottom), BAND):
        xs = list(_crossed(whole, upper - width - 1, upper + BAND + width + 1))
        mask = Mask(Box(min(xs) - width, upper, max(xs) + width, upper + BAND))
        mask.line(whole, width)
        x, y = mask.corner
        soft = mask.reduced(opacity)
        drawn.append((soft.crop((0, upper - y, soft.width, upper - y + BAND)), (x, upper)))
    return tuple(drawn)


def _crossed(points: Outline, top: float, bottom: float) -> Iterator[float]:
    """Yield where a polyline enters and leaves a band of rows, and its corners in the band."""
    for (x, y), (to_x, to_y) in pairwise(points):
        yield from (at for at, row in ((x, y), (to_x, to_y)) if top <= row <= bottom)
        for row in (top, bottom):
            if min(y, to_y) < row < max(y, to_y):
                yield x + (to_x - x) * (row - y) / (to_y - y)


def drop_shadow(box: Box, height: float, radius: float, opacity: float) -> Drawn:
    """Return the shadow of a rectangle."""
    mask = Mask(box.inset(-ceil(2 * height)))
    mask.rect(box.moved(height * 0.4, height * 0.7), radius)
    return mask.reduced(opacity).filter(ImageFilter.GaussianBlur(height * 0.6)), mask.corner


def sunk(box: Box, depth: float, radius: float, opacity: float) -> Drawn:
    """Return the shade inside a recessed rectangle."""
    reach = ceil(2 * depth)
    hole, inside = Mask(box.inset(-reach)), Mask(box.inset(-reach))
    hole.rect(box.moved(depth * 0.4, depth * 0.7).inset(depth * 0.3), radius)
    inside.rect(box, radius)
    soft = ImageChops.invert(hole.reduced(1.0)).filter(ImageFilter.GaussianBlur(depth * 0.6))
    return ImageChops.multiply(soft, inside.reduced(opacity)), inside.corner


def around(points: Outline, width: float) -> Box:
    """Return the box of a line through these points, plus one pixel on each side."""
    reach = width / 2 + 1
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Box(min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach)
