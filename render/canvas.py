"""The drawing surface of all pictures: shapes and letters with smooth edges, sprites, layers, PNG.

Everything is drawn straight onto the picture at its final size. Smooth edges come from the mask:
each shape is drawn into a mask four times as large as itself, which is then reduced. So a shape
costs what its own box costs, not what the whole picture costs, and edges are finer than those of
a picture drawn at double size.

A ``Canvas`` belongs to its maker; a ``Sprite`` never changes and may be shared by threads.
"""

from __future__ import annotations

import io
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from math import ceil, floor, hypot
from typing import Literal, ParamSpec

from PIL import Image, ImageChops, ImageColor, ImageDraw

from render.geometry import Box, Outline, Point, along, placed
from render.theme import GOLD, INK, Colour, Palette, Type, font

SMOOTH = 4
"""How much larger than the shape its mask is drawn."""

GHOST = 0.35
"""Opacity of what has just been taken away."""

COMPRESSION = 3
"""zlib's level: 4 takes a third longer for a twentieth less, 9 many times as long."""

_FIGURES = ["tnum"]
"""All digits are equally wide, so that counts do not jump."""

Anchor = Literal["ls", "ms", "rs", "lm", "mm", "rm"]
"""Where a text stands: left, middle or right of the point; on its baseline or centred on it."""


@dataclass(frozen=True, slots=True)
class Sprite:
    """A small picture with soft edges, ready to be stamped."""

    colours: Image.Image
    mask: Image.Image

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.mask.size

    def turned(self, degrees: float) -> Sprite:
        """The same sprite turned clockwise; it grows as far as its corners need it."""
        whole = self.colours.copy()
        whole.putalpha(self.mask)
        turned = whole.rotate(-degrees, Image.Resampling.BICUBIC, expand=True)
        return Sprite(turned.convert("RGB"), turned.getchannel("A"))

    def faded(self, opacity: float) -> Sprite:
        """The same sprite with another opacity (0..1)."""
        return Sprite(self.colours, self.mask.point(lambda level: round(level * opacity)))


class Canvas:
    """A picture being drawn.

    :param ground: the colour it starts with; None for a transparent one, to be cut as a sprite.
    """

    def __init__(self, width: int, height: int, ground: Colour | None = None) -> None:
        self.width = width
        self.height = height
        # A transparent canvas is black below: drawing through a mask onto black leaves colours
        # multiplied by their opacity, from which ``sprite`` recovers them without dark fringes.
        self._image = Image.new("RGB", (width, height), ground or 0)
        self._opacity = Image.new("L", (width, height)) if ground is None else None

    @property
    def box(self) -> Box:
        """The whole surface."""
        return Box(0, 0, self.width, self.height)

    def copy(self) -> Canvas:
        """A canvas that starts as this one is now."""
        twin = Canvas(0, 0)
        twin.width, twin.height = self.width, self.height
        twin._image = self._image.copy()
        twin._opacity = None if self._opacity is None else self._opacity.copy()
        return twin

    # -- shapes
    def rect(
        self,
        box: Box,
        fill: Colour | None = None,
        outline: Colour | None = None,
        width: float = 0,
        radius: float = 0,
        opacity: float = 1.0,
    ) -> None:
        """A rectangle, its corners rounded by ``radius``; the outline lies inside the box."""
        if not radius and not outline and fill and opacity == 1.0 and _is_whole(box):
            self._lay(ImageColor.getrgb(fill), _whole(box))
            return

        def shape(mask: _Mask, shrink: float) -> None:
            mask.rect(box.inset(shrink), max(0.0, radius - shrink))

        self._shape(box, shape, fill, outline, width, opacity)

    def circle(
        self,
        centre: Point,
        radius: float,
        fill: Colour | None = None,
        outline: Colour | None = None,
        width: float = 0,
        opacity: float = 1.0,
    ) -> None:
        """A disc, or a ring if only the outline is given; the outline lies inside the radius."""
        box = Box.at(centre, 2 * radius)

        def shape(mask: _Mask, shrink: float) -> None:
            mask.ellipse(box.inset(shrink))

        self._shape(box, shape, fill, outline, width, opacity)

    def polygon(
        self,
        points: Outline,
        fill: Colour | None = None,
        outline: Colour | None = None,
        width: float = 0,
        opacity: float = 1.0,
    ) -> None:
        """A closed shape; the outline runs along its edge, half inside and half outside."""
        self.path([points], fill, outline, width, opacity=opacity)

    def path(
        self,
        outlines: Sequence[Outline],
        fill: Colour | None = None,
        outline: Colour | None = None,
        width: float = 0,
        centre: Point = (0, 0),
        scale: float = 1.0,
        opacity: float = 1.0,
    ) -> None:
        """Several outlines as one shape, such as ``trace`` makes; where two overlap is a hole."""
        shapes = [placed(points, centre, scale) for points in outlines]
        box = _around([point for points in shapes for point in points], width)
        if fill is not None:
            mask = _Mask(box)
            for points in shapes:
                mask.cut(points)
            self._ink(mask, fill, opacity)
        if outline is not None:
            mask = _Mask(box)
            for points in shapes:
                mask.line([*points, points[0]], width)
            self._ink(mask, outline, opacity)

    def line(self, points: Outline, colour: Colour, width: float, opacity: float = 1.0) -> None:
        """A chain of straight pieces with round ends and joints."""
        mask = _Mask(_around(points, width))
        mask.line(points, width)
        self._ink(mask, colour, opacity)

    def dots(self, points: Outline, colour: Colour, radius: float = 3, spacing: float = 12) -> None:
        """A dotted way along ``points``."""
        mask = _Mask(_around(points, 2 * radius))
        for centre, _ in along(points, spacing):
            mask.ellipse(Box.at(centre, 2 * radius))
        self._ink(mask, colour)

    def dashes(self, points: Outline, colour: Colour, width: float, dash: float = 10) -> None:
        """A dashed line; the gaps are as long as the dashes look."""
        mask = _Mask(_around(points, width + dash))
        for (x, y), (dx, dy) in along(points, 2 * dash + width):
            mask.line([(x, y), (x + dx * dash, y + dy * dash)], width)
        self._ink(mask, colour)

    def arrow(self, start: Point, end: Point, colour: Colour, width: float = 6) -> None:
        """A straight arrow; its head is three times as wide as its shaft."""
        length = hypot(end[0] - start[0], end[1] - start[1])
        if not length:
            return
        x, y = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        neck = end[0] - x * 2.5 * width, end[1] - y * 2.5 * width
        wing = 1.5 * width
        mask = _Mask(_around([start, end], 4 * width))
        mask.line([start, neck], width)
        mask.cut(
            [
                end,
                (neck[0] - y * wing, neck[1] + x * wing),
                (neck[0] + y * wing, neck[1] - x * wing),
            ],
            join=True,
        )
        self._ink(mask, colour)

    # -- attention
    def ring(self, centre: Point, radius: float, weight: float = 4) -> None:
        """The mark of the last move: gold between two fine circles of ink."""
        self.circle(centre, radius + weight / 2 + 1.5, outline=INK, width=weight + 3)
        self.circle(centre, radius + weight / 2, outline=GOLD, width=weight)

    def frame(self, box: Box, radius: float = 8, weight: float = 4) -> None:
        """The mark of the last move around something that is not round."""
        self.rect(box.inset(-weight / 2 - 1.5), None, INK, weight + 3, radius + weight / 2 + 1.5)
        self.rect(box.inset(-weight / 2), None, GOLD, weight, radius + weight / 2)

    def halo(self, box: Box, colour: Colour, radius: float = 8, reach: float = 12) -> None:
        """A soft glow outside ``box``: here something is to be done."""
        # Laid on each other these come to a quarter, a half and three quarters of the colour:
        # a palette that has its soft edges has its glow as well.
        for step, opacity in ((3, 1 / 4), (2, 1 / 3), (1, 1 / 2)):
            grow = reach * step / 3
            self.rect(box.inset(-grow), colour, radius=radius + grow, opacity=opacity)

    def cross(self, centre: Point, size: float, colour: Colour = INK, width: float = 4) -> None:
        """A diagonal cross as wide and high as ``size``: this has been taken."""
        x, y = centre
        arm = (size - width) / 2
        mask = _Mask(_around([(x - arm, y - arm), (x + arm, y + arm)], width))
        mask.line([(x - arm, y - arm), (x + arm, y + arm)], width)
        mask.line([(x - arm, y + arm), (x + arm, y - arm)], width)
        self._ink(mask, colour)

    def ghost(self, sprite: Sprite, centre: Point) -> None:
        """What stood here until just now: faint, under a cross."""
        self.stamp(sprite, centre, GHOST)
        self.cross(centre, min(sprite.size) * 0.62)

    # -- sprites
    def sprite(self) -> Sprite:
        """What has been drawn, as a sprite."""
        if self._opacity is None:
            return Sprite(self._image.copy(), Image.new("L", self._image.size, 255))
        multiplied = Image.merge("RGBa", (*self._image.split(), self._opacity))
        return Sprite(multiplied.convert("RGBA").convert("RGB"), self._opacity.copy())

    def stamp(self, sprite: Sprite, centre: Point, opacity: float = 1.0) -> None:
        """Put a sprite with its middle on ``centre``, to the nearest whole pixel."""
        width, height = sprite.size
        corner = floor(centre[0] - width / 2 + 0.5), floor(centre[1] - height / 2 + 0.5)
        shown = sprite if opacity == 1.0 else sprite.faded(opacity)
        self._lay(shown.colours, (*corner, corner[0] + width, corner[1] + height), shown.mask)

    def inlay(self, other: Canvas, box: Box, window: Box) -> None:
        """Copy from ``other``, imagined to lie in ``box``, what is seen through ``window``."""
        left, top, right, bottom = _whole(window)
        x, y, _, _ = _whole(box)
        part = other._image.crop((left - x, top - y, right - x, bottom - y))
        self._lay(part, (left, top, right, bottom))

    # -- letters
    def text(
        self, at: Point, text: str, kind: Type, colour: Colour = INK, anchor: Anchor = "mm"
    ) -> Box:
        """Write one line. Centred text is centred on what one sees: the ink from side to side,
        the height of a capital from top to bottom.

        :return: the box of the ink; its top is that of a capital.
        """
        letters = _letters(text, kind)
        shift = {"l": 0.0, "m": letters.width / 2, "r": letters.width}[anchor[0]]
        rise = letters.capital / 2 if anchor[1] == "m" else 0.0
        left, base = floor(at[0] - shift + 0.5), floor(at[1] + rise + 0.5)
        if letters.mask is not None:
            self._lay_mask(letters.mask, (left, base + letters.top), colour)
        return Box(left, base - letters.capital, left + letters.width, base)

    # -- the result
    def png(self, palette: Palette) -> bytes:
        """Encode with a fixed palette; equal canvases give equal bytes."""
        buffer = io.BytesIO()
        palette.apply(self._image).save(buffer, "PNG", compress_level=COMPRESSION)
        return buffer.getvalue()

    # -- inside
    def _shape(
        self,
        box: Box,
        draw: Callable[[_Mask, float], None],
        fill: Colour | None,
        outline: Colour | None,
        width: float,
        opacity: float,
    ) -> None:
        if fill is not None:
            mask = _Mask(box)
            draw(mask, 0.0)
            self._ink(mask, fill, opacity)
        if outline is not None and width > 0:
            mask, hole = _Mask(box), _Mask(box)
            draw(mask, 0.0)
            draw(hole, width)
            mask.subtract(hole)
            self._ink(mask, outline, opacity)

    def _ink(self, mask: _Mask, colour: Colour, opacity: float = 1.0) -> None:
        self._lay_mask(mask.reduced(opacity), mask.corner, colour)

    def _lay_mask(self, mask: Image.Image, corner: tuple[int, int], colour: Colour) -> None:
        x, y = corner
        box = x, y, x + mask.width, y + mask.height
        self._lay(ImageColor.getrgb(colour), box, mask)

    def _lay(
        self,
        paint: Image.Image | tuple[int, ...],
        box: tuple[int, int, int, int],
        mask: Image.Image | None = None,
    ) -> None:
        self._image.paste(paint, box, mask)
        if self._opacity is not None:
            self._opacity.paste(255, box, mask)


class _Mask:
    """Where a shape lies, drawn ``SMOOTH`` times as large."""

    def __init__(self, box: Box) -> None:
        self.corner = floor(box.left) - 1, floor(box.top) - 1
        width = ceil(box.right) + 1 - self.corner[0]
        height = ceil(box.bottom) + 1 - self.corner[1]
        self._image = Image.new("L", (max(1, width) * SMOOTH, max(1, height) * SMOOTH))
        self._draw = ImageDraw.Draw(self._image)

    def rect(self, box: Box, radius: float) -> None:
        large = self._large(box)
        if large is None:
            return
        if radius > 0:
            self._draw.rounded_rectangle(large, radius * SMOOTH, fill=255)
        else:
            self._draw.rectangle(large, fill=255)

    def ellipse(self, box: Box) -> None:
        large = self._large(box)
        if large is not None:
            self._draw.ellipse(large, fill=255)

    def cut(self, points: Outline, join: bool = False) -> None:
        """Add a polygon; where it lies over another one cut a hole, unless they are to ``join``."""
        large = [self._point(point) for point in points]
        if join:
            self._draw.polygon(large, fill=255)
            return
        layer = Image.new("L", self._image.size)
        ImageDraw.Draw(layer).polygon(large, fill=255)
        self._image.paste(ImageChops.difference(self._image, layer))

    def line(self, points: Outline, width: float) -> None:
        large = [self._point(point) for point in points]
        self._draw.line(large, fill=255, width=max(1, round(width * SMOOTH)), joint="curve")
        reach = width * SMOOTH / 2
        for x, y in (large[0], large[-1]):
            self._draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=255)

    def subtract(self, other: _Mask) -> None:
        self._image.paste(0, mask=other._image)

    def reduced(self, opacity: float) -> Image.Image:
        soft = self._image.reduce(SMOOTH)
        return soft if opacity == 1.0 else soft.point(lambda level: round(level * opacity))

    def _point(self, point: Point) -> Point:
        return (point[0] - self.corner[0]) * SMOOTH, (point[1] - self.corner[1]) * SMOOTH

    def _large(self, box: Box) -> tuple[float, float, float, float] | None:
        left, top = self._point((box.left, box.top))
        right, bottom = self._point((box.right, box.bottom))
        # Pillow's boxes include their last pixel.
        return None if right - left < 1 or bottom - top < 1 else (left, top, right - 1, bottom - 1)


@dataclass(frozen=True, slots=True)
class _Letters:
    """A line of text, drawn.

    :param width: of the ink.
    :param top: where the mask begins, from the baseline (negative: above it).
    :param capital: height of a capital.
    """

    mask: Image.Image | None
    width: int
    top: int
    capital: int


@lru_cache(maxsize=2048)
def _letters(text: str, kind: Type) -> _Letters:
    double = font(kind.face, kind.size * 2)
    capital = round(-double.getbbox("H", anchor="ls")[1] / 2)
    left, top, right, bottom = double.getbbox(text, anchor="ls", features=_FIGURES)
    if right <= left or bottom <= top:
        return _Letters(None, 0, 0, capital)
    # The mask begins an even number above the baseline, which so survives the halving exactly.
    above = 2 * ceil(-top / 2)
    size = 2 * ceil((right - left) / 2), 2 * ceil((bottom + above) / 2)
    sheet = Image.new("L", size)
    ImageDraw.Draw(sheet).text(
        (-left, above), text, fill=255, font=double, anchor="ls", features=_FIGURES
    )
    mask = sheet.reduce(2)
    return _Letters(mask, mask.width, -above // 2, capital)


def text_width(text: str, kind: Type) -> int:
    """Width of the ink of one line."""
    return _letters(text, kind).width


def fitted(text: str, kind: Type, width: float) -> str:
    """The text, shortened with an ellipsis if it is wider than ``width``."""
    if text_width(text, kind) <= width:
        return text
    cuts = range(len(text))
    fits = bisect_left(cuts, x=True, key=lambda n: text_width(_cut(text, n), kind) > width)
    return _cut(text, max(0, fits - 1))


def _cut(text: str, length: int) -> str:
    return text[:length].rstrip() + "…"


P = ParamSpec("P")


def layer(draw: Callable[P, Canvas]) -> Callable[P, Canvas]:
    """Draw what stays the same once for each set of (hashable) arguments; hand out copies."""
    drawn = lru_cache(maxsize=8)(draw)

    @wraps(draw)
    def fresh(*args: P.args, **kwargs: P.kwargs) -> Canvas:
        canvas: Canvas = drawn(*args, **kwargs)  # type: ignore[arg-type]  # hashable by contract
        return canvas.copy()

    return fresh


def _around(points: Outline, width: float) -> Box:
    reach = width / 2 + 1
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Box(min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach)


def _is_whole(box: Box) -> bool:
    return all(edge == round(edge) for edge in box)


def _whole(box: Box) -> tuple[int, int, int, int]:
    return round(box.left), round(box.top), round(box.right), round(box.bottom)
