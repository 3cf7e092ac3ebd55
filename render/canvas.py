"""The drawing surface of all pictures: anti-aliased shapes and text, sprites, PNG.

Everything is drawn straight onto the picture at its final size. Edges are smooth because each shape
is first drawn into a mask four times its size, which is then reduced. So the cost of a shape grows
only with the area of its box, and its edges are finer than in a picture drawn at double size.

A ``Canvas`` is not thread-safe; a ``Sprite`` is immutable, so threads may share it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, hypot
from typing import Literal

from PIL import Image, ImageColor, ImageOps
from zlib_ng import zlib_ng

from render.cache import compressible, size_of
from render.geometry import Box, Outline, Part, Point, Rect, along, common, placed
from render.legibility import Legibility, Read
from render.letters import LEADING, letters_of, set_in_box, typeset
from render.masks import (
    Form,
    Mask,
    around,
    drop_shadow,
    filled,
    levels,
    lined,
    outlined,
    squeezed,
    stretched,
    sunk,
    whole_form,
)
from render.materials import Material
from render.png import encoded
from render.theme import BRIGHT_GOLD, INK, SHADOW, Colour, Palette, Type, mix

GHOST = 0.35
"""Opacity of a piece that has just been captured."""

FAINT = 0.45
"""Lowest opacity at which the text on a sprite counts as readable."""

HEAVIEST = 150 * 1024
"""A PNG that is larger than this many bytes is compressed harder; see ``Canvas.png``."""

WORTHWHILE = 40_000
"""If the interior of a rectangle has at least this many pixels, it pays to fill it without a mask.
"""

SPREAD = 2_000
"""If a mask has at least this many pixels, Pillow pastes a picture through it in about half the
time that it takes to fill it with a colour.
"""

SOLID = 20_000
"""If a solid part of a sprite has more than this many pixels, it pays to draw it without a mask."""

CORNER = 6
"""Step in pixels when searching for the end of a shape's rounded or rotated corners."""

EXACT = 6
"""How many decimal places of a pixel count when the positions of two forms are compared."""

Anchor = Literal["ls", "ms", "rs", "lm", "mm", "rm"]
"""Which point of a text is placed: its left end, centre or right end; on its baseline or centred
vertically.
"""


@compressible("colours")
@dataclass(frozen=True, slots=True)
class Sprite:
    """A small picture with soft edges, ready for stamping.

    :ivar colours: an image in mode ``RGB``, or in mode ``P`` with a palette.
    :ivar solid: a part without transparent pixels, if one is large enough; it needs no mask.
    :ivar read: the texts on it, recorded only while ``Legibility`` is watching.
    """

    colours: Image.Image
    mask: Image.Image
    solid: Part | None = None
    read: tuple[Read, ...] = ()

    def __post_init__(self) -> None:
        if self.solid is None:
            object.__setattr__(self, "solid", _solid(self.mask))

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.mask.size

    @property
    def bytes_held(self) -> int:
        """The size of its pixels in bytes."""
        return size_of(self.colours) + size_of(self.mask)

    def turned(self, degrees: float) -> Sprite:
        """Return the same sprite rotated clockwise, and large enough to hold its corners."""
        turned = self.whole().rotate(-degrees, Image.Resampling.BILINEAR, expand=True)
        return Sprite(turned.convert("RGB"), turned.getchannel("A"))

    def whole(self) -> Image.Image:
        """Return the colours and the mask as one picture."""
        whole = self.colours.copy()
        whole.putalpha(self.mask)
        return whole

    def packed(self, palette: Palette) -> Packed:
        """Return the same sprite, compressed and in the colours of a palette, for pictures encoded
        with that palette.
        """
        # ISA-L is not used: it leaves wide registers in use, and until something clears them, all
        # blending takes three times as long.
        pixels = zlib_ng.compress(palette.apply(self.colours).tobytes(), 2)
        return Packed(pixels, palette, self.mask, self.solid, self.read)

    def mirrored(self) -> Sprite:
        """Return the same sprite mirrored left to right."""
        return Sprite(ImageOps.mirror(self.colours), ImageOps.mirror(self.mask))

    def faded(self, opacity: float) -> Sprite:
        """Return the same sprite at this opacity (0..1); if that is below ``FAINT``, its text need
        not be readable.
        """
        read = self.read if opacity >= FAINT else ()
        return Sprite(self.colours, self.mask.point(levels(opacity)), (), read)


@compressible("core")
@dataclass(frozen=True, slots=True)
class Cut:
    """A large sprite, cut into its solid part and a rim. It takes half as long to draw, because a
    sprite is cut again each time.

    :ivar core: the colours of the solid part, which is at ``at``.
    :ivar rim: the parts around it: their colours, masks and places.
    """

    size: tuple[int, int]
    core: Image.Image
    at: Rect
    rim: tuple[tuple[Image.Image, Image.Image, Rect], ...]

    @classmethod
    def of(cls, sprite: Sprite) -> Cut:
        """Cut a sprite that has no texts."""
        at, colours, mask = sprite.solid or (0, 0, 0, 0), sprite.colours, sprite.mask
        parts = _without((0, 0, *sprite.size), at)
        rim = tuple((colours.crop(part), mask.crop(part), part) for part in parts)
        return cls(sprite.size, colours.crop(at), at, rim)

    @property
    def bytes_held(self) -> int:
        """The size of its pixels in bytes."""
        return size_of(self.core) + sum(size_of(part) for part in self.rim)


@dataclass(frozen=True, slots=True)
class Packed:
    """A sprite compressed to a twentieth of its size in memory, for kinds of sprite that are cached
    in large numbers.

    :ivar pixels: the compressed indices into the palette.
    :ivar mask: should be shared by all sprites of the same shape.
    """

    pixels: bytes
    palette: Palette
    mask: Image.Image
    solid: Part | None
    read: tuple[Read, ...] = ()

    @property
    def bytes_held(self) -> int:
        """The size of its pixels in bytes, without the mask, which is shared."""
        return len(self.pixels)

    def sprite(self) -> Sprite:
        """Return the sprite, unpacked."""
        pixels = zlib_ng.decompress(self.pixels)
        colours = self.palette.picture(pixels, self.mask.size)
        return Sprite(colours, self.mask, self.solid, self.read)


@compressible("_image")
class Canvas:
    """A picture being drawn.

    :param ground: the background colour; None: transparent, as for most sprites.
    :ivar texts: the texts on it, recorded only while ``Legibility`` is watching.
    """

    def __init__(self, width: int, height: int, ground: Colour | None = None) -> None:
        self.width = width
        self.height = height
        # Under its transparency, the canvas is black: drawing through a mask onto black gives
        # colours multiplied by their opacity, from which ``sprite`` recovers them without dark
        # fringes.
        self._image = Image.new("RGB", (width, height), ground or 0)
        self._opacity = Image.new("L", (width, height)) if ground is None else None
        # None stands for the many colours of a picture drawn on it
        self._paints: set[tuple[int, ...] | None] = set()
        self.texts = Legibility()

    @property
    def box(self) -> Box:
        """The whole surface."""
        return Box(0, 0, self.width, self.height)

    @property
    def bytes_held(self) -> int:
        """The size of its pixels in bytes."""
        return size_of(self._image) + (0 if self._opacity is None else size_of(self._opacity))

    def copy(self) -> Canvas:
        """Return a copy of this canvas."""
        return self.cut(self.box)

    def cut(self, window: Box) -> Canvas:
        """Return a copy of a part of this canvas."""
        part, box = Canvas(0, 0), _whole(window)
        part.width, part.height = box[2] - box[0], box[3] - box[1]
        part._image = self._image.crop(box)
        part._opacity = None if self._opacity is None else self._opacity.crop(box)
        part._paints = set(self._paints)
        part.texts = self.texts.moved(-box[0], -box[1])
        return part

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
        """Draw a rectangle, its corners rounded by ``radius``; the outline is inside the box."""
        if not radius and not outline and fill and opacity == 1.0 and _is_whole(box):
            self._lay(ImageColor.getrgb(fill), _whole(box))
            return

        small, left_out = squeezed(box, radius + width)
        self._shape(small, radius, fill, outline, width, opacity, left_out)

    def circle(
        self,
        centre: Point,
        radius: float,
        fill: Colour | None = None,
        outline: Colour | None = None,
        width: float = 0,
        opacity: float = 1.0,
    ) -> None:
        """Draw a disc, or a ring if only the outline is given; the outline is inside the radius."""
        self._shape(Box.at(centre, 2 * radius), None, fill, outline, width, opacity)

    def polygon(
        self,
        points: Outline,
        fill: Colour | None = None,
        outline: Colour | None = None,
        width: float = 0,
        opacity: float = 1.0,
    ) -> None:
        """Draw a closed shape; the outline runs along its edge, half inside and half outside."""
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
        """Draw several outlines, such as those from ``trace``, as one shape; where two overlap,
        there is a hole.
        """
        shapes = [placed(points, centre, scale) for points in outlines]
        box = around([point for points in shapes for point in points], width)
        if fill is not None:
            mask = Mask(box)
            for points in shapes:
                mask.cut(points)
            self._ink(mask, fill, opacity)
        if outline is not None:
            mask = Mask(box)
            for points in shapes:
                mask.line([*points, points[0]], width)
            self._ink(mask, outline, opacity)

    def line(self, points: Outline, colour: Colour, width: float, opacity: float = 1.0) -> None:
        """Draw a polyline with rounded ends and joints."""
        x, y = floor(points[0][0]), floor(points[0][1])
        near = tuple((round(px - x, EXACT), round(py - y, EXACT)) for px, py in points)
        for mask, (left, top) in lined(near, width, opacity):
            self._lay_through(colour, mask, (x + left, y + top))

    def dots(self, points: Outline, colour: Colour, radius: float = 3, spacing: float = 12) -> None:
        """Draw a dotted line along ``points``."""
        mask = Mask(around(points, 2 * radius))
        for centre, _ in along(points, spacing):
            mask.ellipse(Box.at(centre, 2 * radius))
        self._ink(mask, colour)

    def dashes(self, points: Outline, colour: Colour, width: float, dash: float = 10) -> None:
        """Draw a dashed line with round ends; its gaps are ``dash`` pixels long."""
        mask = Mask(around(points, width + dash))
        for (x, y), (dx, dy) in along(points, 2 * dash + width):
            mask.line([(x, y), (x + dx * dash, y + dy * dash)], width)
        self._ink(mask, colour)

    def arrow(self, start: Point, end: Point, colour: Colour, width: float = 6) -> None:
        """Draw a straight arrow; its head is three times as wide as its shaft."""
        length = hypot(end[0] - start[0], end[1] - start[1])
        if not length:
            return
        x, y = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        neck = end[0] - x * 2.5 * width, end[1] - y * 2.5 * width
        wing = 1.5 * width
        mask = Mask(around([start, end], 4 * width))
        mask.line([start, neck], width)
        wings = [(neck[0] + y * side, neck[1] - x * side) for side in (-wing, wing)]
        mask.cut([end, *wings], join=True)
        self._ink(mask, colour)

    # -- material and light
    def cover(
        self, box: Box, material: Material, radius: float = 0, outlines: Sequence[Outline] = ()
    ) -> None:
        """Cover a rectangle, its corners rounded by ``radius``, or the shape of ``outlines``, with
        a material.

        The grain starts at the upper left corner, so boxes of equal size look alike, which keeps
        the file small.
        """
        if not radius and not outlines and _is_whole(box):
            left, top, right, bottom = _whole(box)
            self._lay(material.sheet(right - left, bottom - top), (left, top, right, bottom))
            return
        if outlines:
            mask = Mask(around([p for points in outlines for p in points], 0))
            for points in outlines:
                mask.cut(points)
            self._lay_through(material, mask.reduced(1.0), mask.corner)
            return
        small, left_out = squeezed(box, radius)
        self._lay_held(material, small, filled, (radius, 1.0), left_out)

    def fade(self, box: Box, upper: Colour, lower: Colour, steps: int = 24) -> None:
        """Fill a rectangle with a gradient from top to bottom, in ``steps`` even bands."""
        for n, row in enumerate(box.rows(steps)):
            band = Box(box.left, round(row.top), box.right, round(row.bottom))
            self.rect(band, mix(upper, lower, n / (steps - 1)))

    def shadow(self, box: Box, height: float, radius: float = 0, opacity: float = 0.4) -> None:
        """Draw the shadow of a rectangle that is ``height`` pixels above the ground; call this
        before drawing the rectangle.

        The middle of a large shadow is left out, because the rectangle will cover it.
        """
        small, left_out = squeezed(box, radius + 2 * ceil(2 * height))
        self._lay_held(SHADOW, small, drop_shadow, (height, radius, opacity), left_out, hollow=True)

    def sink(self, box: Box, depth: float, radius: float = 0, opacity: float = 0.4) -> None:
        """Shade the inside of a rectangle as if it were ``depth`` pixels below its rim."""
        small, left_out = squeezed(box, radius + 2 * ceil(2 * depth))
        self._lay_held(SHADOW, small, sunk, (depth, radius, opacity), left_out)

    # -- attention
    def ring(self, centre: Point, radius: float, weight: float = 6) -> None:
        """Draw the mark of the last move: gold between two fine circles of ink."""
        self.circle(centre, radius + weight / 2 + 1.5, outline=INK, width=weight + 3)
        self.circle(centre, radius + weight / 2, outline=BRIGHT_GOLD, width=weight)

    def frame(self, box: Box, radius: float = 8, weight: float = 6) -> None:
        """Draw a golden frame around something that is not round, to mark it as ``ring`` does."""
        self.rect(box.inset(-weight / 2 - 1.5), None, INK, weight + 3, radius + weight / 2 + 1.5)
        self.rect(box.inset(-weight / 2), None, BRIGHT_GOLD, weight, radius + weight / 2)

    def halo(self, box: Box, colour: Colour, radius: float = 8, reach: float = 12) -> None:
        """Draw a soft glow that reaches beyond ``box``, to mark what needs attention; draw the
        content of the box afterwards, because the glow covers it.
        """
        # Together these layers give a quarter, a half and three quarters of the colour: mixtures
        # that the palette already has for soft edges.
        for step, opacity in ((3, 1 / 4), (2, 1 / 3), (1, 1 / 2)):
            grow = reach * step / 3
            self.rect(box.inset(-grow), colour, radius=radius + grow, opacity=opacity)

    def cross(self, centre: Point, size: float, colour: Colour = INK, width: float = 4) -> None:
        """Draw a diagonal cross, ``size`` wide and high, over a captured piece."""
        x, y = centre
        arm = (size - width) / 2
        mask = Mask(around([(x - arm, y - arm), (x + arm, y + arm)], width))
        mask.line([(x - arm, y - arm), (x + arm, y + arm)], width)
        mask.line([(x - arm, y + arm), (x + arm, y - arm)], width)
        self._ink(mask, colour)

    def ghost(self, sprite: Sprite, centre: Point) -> None:
        """Draw a piece that was here a moment ago: faint, under a cross."""
        self.stamp(sprite, centre, GHOST)
        self.cross(centre, min(sprite.size) * 0.62)

    # -- sprites
    def sprite(self) -> Sprite:
        """Return the canvas as a sprite."""
        self.texts.check()
        if self._opacity is None:
            colours, mask = self._image.copy(), Image.new("L", self._image.size, 255)
        elif len(self._paints) == 1 and (only := next(iter(self._paints))):
            colours, mask = Image.new("RGB", self._image.size, only), self._opacity.copy()
        else:
            multiplied = Image.merge("RGBa", (*self._image.split(), self._opacity))
            colours, mask = multiplied.convert("RGBA").convert("RGB"), self._opacity.copy()
        return Sprite(colours, mask, read=tuple(self.texts.read))

    def reduced(self, width: int, height: int) -> Sprite:
        """Return the canvas, which must have a background, as a smaller sprite."""
        small = self._image.resize((width, height), Image.Resampling.HAMMING, reducing_gap=1.0)
        return Sprite(small, Image.new("L", small.size, 255))

    def stamp(self, sprite: Sprite, centre: Point, opacity: float = 1.0) -> None:
        """Put the centre of a sprite on ``centre``, to the nearest whole pixel."""
        shown = sprite if opacity == 1.0 else sprite.faded(opacity)
        corner = _corner(shown, centre)
        self._lay_sprite(shown, corner, ())
        self.texts.add(read.moved(*corner) for read in shown.read)

    def place(self, cut: Cut, centre: Point) -> None:
        """Stamp a sprite that is cut already."""
        x, y = _corner(cut, centre)
        for colours, mask, (left, top, right, bottom) in ((cut.core, None, cut.at), *cut.rim):
            self._lay(colours, (x + left, y + top, x + right, y + bottom), mask)

    def stack(self, sprites: Sequence[tuple[Sprite, Point]]) -> None:
        """Stamp sprites on top of each other, each centred on its own point, leaving out what the
        next solid one hides.
        """
        hidden: Part = ()
        laid = []
        for sprite, centre in reversed(sprites):
            x, y = _corner(sprite, centre)
            part = hidden and (hidden[0] - x, hidden[1] - y, hidden[2] - x, hidden[3] - y)
            laid.append((sprite, (x, y), part))
            if solid := sprite.solid:
                hidden = (solid[0] + x, solid[1] + y, solid[2] + x, solid[3] + y)
        for each in reversed(laid):
            self._lay_sprite(*each)
            self.texts.add(read.moved(*each[1]) for read in each[0].read)

    def inlay(self, other: Canvas, box: Box, window: Box) -> None:
        """Place the upper left corner of ``other`` at that of ``box``, and copy the part that is
        inside ``window``.
        """
        (x, y, _, _), seen = _whole(box), _whole(window)
        self._lay_part(other._image, (x, y), _whole(window.moved(-x, -y)), None)
        texts = [read.moved(x, y) for read in other.texts.read]
        self.texts.add(read for read in texts if common(read.box, seen) == read.box)

    # -- letters
    def text(
        self,
        at: Point,
        text: str,
        kind: Type,
        colour: Colour = INK,
        anchor: Anchor = "mm",
        *,
        under: bool = False,
    ) -> Box:
        """Write a line of text. Centring is visual: horizontally on the ink, vertically on the
        height of a capital.

        :param under: whether pieces may cover the text, as they cover the number of a square.
        :returns: a box as wide as the ink, from the height of a capital down to the baseline.
        """
        letters = letters_of(text, kind)
        shift = {"l": 0.0, "m": letters.width / 2, "r": letters.width}[anchor[0]]
        rise = letters.capital / 2 if anchor[1] == "m" else 0.0
        left, base = floor(at[0] - shift + 0.5), floor(at[1] + rise + 0.5)
        if letters.mask is not None:
            self._lay_through(colour, letters.mask, (left, base + letters.top))
        box = (left, base - letters.capital, left + letters.width, base)
        if Legibility.watched and not under and letters.width:
            self.texts.add([Read(text, box)])
        return Box(*box)

    # -- the result
    def png(self, palette: Palette | None, heaviest: int = HEAVIEST) -> bytes:
        """Encode the picture with a palette; equal canvases and palettes give equal bytes.

        :param heaviest: size in bytes above which a file is compressed harder, which takes longer.
        :param palette: the fixed colours; None: choose the colours that suit this picture best,
            which takes longer.
        """
        self.texts.check()
        if palette is not None:
            return encoded(palette.apply(self._image), heaviest)
        own = self._image.quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        return encoded(own, heaviest)

    # -- inside
    def _shape(
        self,
        box: Box,
        radius: float | None,
        fill: Colour | None,
        outline: Colour | None,
        width: float,
        opacity: float,
        left_out: tuple[int, int] = (0, 0),
    ) -> None:
        if fill is not None:
            self._lay_held(fill, box, filled, (radius, opacity), left_out)
        if outline is not None and width > 0:
            self._lay_held(outline, box, outlined, (radius, width, opacity), left_out)

    def _lay_held(
        self,
        ground: Material | Colour,
        box: Box,
        form: Form,
        measures: tuple[float | None, ...],
        left_out: tuple[int, int],
        hollow: bool = False,
    ) -> None:
        """Fill a form with a colour or a material. The mask of the form is cached unless a large
        middle is left out of it.
        """
        x, y = floor(box.left), floor(box.top)
        edges = (box.left - x, box.top - y, box.right - x, box.bottom - y)
        near = Box(*(round(edge, EXACT) for edge in edges))
        if left_out[0] * left_out[1] < WORTHWHILE:
            mask, (left, top) = whole_form(form, near, measures, left_out)
            self._lay_through(ground, mask, (x + left, y + top))
        else:
            mask, (left, top) = form(near, *measures)
            self._lay_rim(ground, mask, left_out, (x + left, y + top), hollow)

    def _ink(self, mask: Mask, colour: Colour, opacity: float = 1.0) -> None:
        self._lay_through(colour, mask.reduced(opacity), mask.corner)

    def _lay_through(
        self, ground: Material | Colour, mask: Image.Image, corner: tuple[int, int]
    ) -> None:
        """Fill with a colour or a material through a mask."""
        sheet = _sheet(ground, mask.width, mask.height)
        x, y = corner
        self._lay(sheet, (x, y, x + mask.width, y + mask.height), mask)

    def _lay_rim(
        self,
        ground: Material | Colour,
        small: Image.Image,
        left_out: tuple[int, int],
        corner: tuple[int, int],
        hollow: bool = False,
    ) -> None:
        """Fill through a mask from whose middle the columns and rows ``left_out`` were removed:
        first the rim, then the interior.

        :param hollow: whether to leave the interior empty.
        """
        across, down = left_out
        width, height = small.size
        sheet = _sheet(ground, width + across, height + down)
        x, y = width // 2, height // 2
        upper, lower = small.crop((0, 0, width, y)), small.crop((0, y, width, height))
        sides = small.crop((0, y, width, y + 1)).resize((width, down), Image.Resampling.NEAREST)
        for at, mask in (
            ((0, 0), stretched(upper, (across, 0))),
            ((0, y + down), stretched(lower, (across, 0))),
            ((0, y), sides.crop((0, 0, x, down))),
            ((x + across, y), sides.crop((x, 0, width, down))),
        ):
            self._lay_part(sheet, corner, (*at, at[0] + mask.width, at[1] + mask.height), mask)
        level = 0 if hollow else small.getpixel((x, y))
        if level:
            middle = None if level == 255 else Image.new("L", left_out, level)
            self._lay_part(sheet, corner, (x, y, x + across, y + down), middle)

    def _lay_sprite(self, sprite: Sprite, corner: tuple[int, int], hidden: Part) -> None:
        """Draw a sprite without its hidden part, and without using the mask for its solid part."""
        solid = sprite.solid or ()
        if not solid and not hidden:  # the usual case
            (x, y), (width, height) = corner, sprite.size
            self._lay(sprite.colours, (x, y, x + width, y + height), sprite.mask)
            return
        for seen in _without((0, 0, *sprite.size), hidden):
            if inner := common(seen, solid):
                self._lay_part(sprite.colours, corner, inner, None)
            for part in _without(seen, solid):
                self._lay_part(sprite.colours, corner, part, sprite.mask.crop(part))

    def _lay_part(
        self,
        sheet: Image.Image | tuple[int, ...],
        corner: tuple[int, int],
        part: Rect,
        mask: Image.Image | None,
    ) -> None:
        """Draw a part of a sheet whose upper left corner is at ``corner``."""
        ink = sheet
        if not isinstance(sheet, tuple) and part != (0, 0, *sheet.size):
            ink = sheet.crop(part)
        (x, y), (left, top, right, bottom) = corner, part
        self._lay(ink, (x + left, y + top, x + right, y + bottom), mask)

    def _lay(
        self, paint: Image.Image | tuple[int, ...], box: Rect, mask: Image.Image | None = None
    ) -> None:
        if self.texts.read:
            self.texts.cover(box, mask)
        ink = paint
        if mask is not None and isinstance(paint, tuple) and mask.width * mask.height >= SPREAD:
            ink = Image.new("RGB", mask.size, paint)
        self._image.paste(ink, box, mask)
        if self._opacity is not None:
            self._opacity.paste(255, box, mask)
            self._paints.add(paint if isinstance(paint, tuple) else None)


def _sheet(ground: Material | Colour, width: int, height: int) -> Image.Image | tuple[int, ...]:
    """Return what to fill with: the colour, or a sheet of the material."""
    if isinstance(ground, Material):
        return ground.sheet(width, height)
    return ImageColor.getrgb(ground)


def _corner(sprite: Sprite | Cut, centre: Point) -> tuple[int, int]:
    """Return the position of the upper left corner of a sprite."""
    width, height = sprite.size
    return floor(centre[0] - width / 2 + 0.5), floor(centre[1] - height / 2 + 0.5)


def _without(part: Rect, hole: Part) -> Iterator[Rect]:
    """Yield the parts around a hole: above it, below it, to its left and to its right."""
    overlap = common(part, hole)
    if not overlap:
        yield part
        return
    left, top, right, bottom = part
    x, y, end, low = overlap
    above, below = (left, top, right, y), (left, low, right, bottom)
    for rest in (above, below, (left, y, x, low), (end, y, right, low)):
        if rest[0] < rest[2] and rest[1] < rest[3]:
            yield rest


def _solid(mask: Image.Image) -> Part:
    """Return a part of a mask that is fully opaque: all of it or, if a large mask has rotated or
    rounded corners, a rectangle around its centre; empty if there is none.
    """
    width, height = mask.size
    if mask.getextrema() == (255, 255):
        return 0, 0, width, height
    top, bottom = _run(mask.crop((width // 2, 0, width // 2 + 1, height)).tobytes())
    found: list[tuple[int, Part]] = [(SOLID, ())]
    # a part with fewer rows may be wider than the one before, but no part is wider than the mask
    while width * (bottom - top) > found[-1][0]:
        rows = [_run(mask.crop((0, y, width, y + 1)).tobytes()) for y in (top, bottom - 1)]
        left, right = max(row[0] for row in rows), min(row[1] for row in rows)
        if (area := (right - left) * (bottom - top)) > found[-1][0]:
            found.append((area, (left, top, right, bottom)))
        top, bottom = top + CORNER, bottom - CORNER
    parts = (part for _, part in reversed(found))
    return next(part for part in parts if not part or mask.crop(part).getextrema() == (255, 255))


def _run(levels: bytes) -> tuple[int, int]:
    """Return the start and end of the fully covered stretch around the centre."""
    middle = len(levels) // 2
    before, after = levels[:middle], levels[middle:]
    return len(before.rstrip(b"\xff")), len(levels) - len(after.lstrip(b"\xff"))


def write(
    canvas: Canvas,
    at: Point,
    text: str,
    kinds: Type | Sequence[Type],
    width: float,
    colour: Colour = INK,
    anchor: Anchor = "mm",
) -> Box:
    """Write one line like ``Canvas.text``, but at most ``width`` wide.

    :param kinds: one type, or types to choose from as in ``typeset``.
    """
    choice = (kinds,) if isinstance(kinds, Type) else kinds
    return canvas.text(at, *typeset(text, choice, width), colour, anchor)


def write_lines(
    canvas: Canvas,
    at: Point,
    text: str,
    kinds: Type | Sequence[Type],
    room: tuple[float, float],
    colour: Colour = INK,
    anchor: Anchor = "mm",
) -> Box:
    """Write a text on as many lines as needed, in the first type in which they fit; the lines are
    vertically centred on ``at``.

    :param room: the maximum width and height.
    :returns: a box around the lines, as ``Canvas.text`` returns it for one line.
    """
    choice = (kinds,) if isinstance(kinds, Type) else kinds
    lines, kind = set_in_box(text, choice, *room)
    (x, y), leading = at, round(kind.size * LEADING)
    top = y - leading * (len(lines) - 1) / 2
    boxes = [
        canvas.text((x, top + n * leading), line, kind, colour, anchor)
        for n, line in enumerate(lines)
    ]
    left, right = min(box.left for box in boxes), max(box.right for box in boxes)
    return Box(left, boxes[0].top, right, boxes[-1].bottom)


def _is_whole(box: Box) -> bool:
    return all(edge == round(edge) for edge in box)


def _whole(box: Box) -> Rect:
    return round(box.left), round(box.top), round(box.right), round(box.bottom)
