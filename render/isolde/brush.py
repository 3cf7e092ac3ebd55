"""Drawing in hundredths: what is drawn with a brush looks the same at every size."""

from __future__ import annotations

from render.canvas import Canvas, Sprite
from render.geometry import Box, Outline, placed, regular, star, trace
from render.light import relief
from render.materials import Material
from render.theme import Colour


class Brush:
    """Draws on a square whose sides are 100 units long.

    :param size: of the square in pixels.
    :param ground: the colour it starts with; None for a transparent one.
    """

    def __init__(self, size: int, ground: Colour | None = None) -> None:
        self._canvas = Canvas(size, size, ground)
        self._unit = size / 100

    def shape(self, path: str, colour: Colour, opacity: float = 1.0) -> None:
        """The outlines of an SVG path, as ``render.geometry.trace`` reads it."""
        self._canvas.path(trace(path), colour, scale=self._unit, opacity=opacity)

    def lit(self, path: str, colour: Colour, depth: float) -> None:
        """A shape whose edges are rounded off ``depth`` units inwards, and lit."""
        outlines = [placed(points, (0, 0), self._unit) for points in trace(path)]
        xs = [x for points in outlines for x, _ in points]
        ys = [y for points in outlines for _, y in points]
        left, top = int(min(xs)) - 1, int(min(ys)) - 1
        part = Canvas(int(max(xs)) + 3 - left, int(max(ys)) + 3 - top)
        part.path(outlines, colour, centre=(-left, -top))
        lit = relief(part.sprite(), depth * self._unit, 0.7)
        self._canvas.stamp(lit, (left + part.width / 2, top + part.height / 2))

    def box(self, left: float, top: float, right: float, bottom: float, colour: Colour) -> None:
        """A rectangle."""
        self._canvas.rect(self._box(left, top, right, bottom), colour)

    def cover(
        self, left: float, top: float, right: float, bottom: float, material: Material
    ) -> None:
        """A rectangle of a material."""
        self._canvas.cover(self._box(left, top, right, bottom), material)

    def fade(self, top: float, bottom: float, upper: Colour, lower: Colour, steps: int = 8) -> None:
        """A band over the whole width, from one colour above to another below."""
        self._canvas.fade(self._box(0, top, 100, bottom), upper, lower, steps)

    def ellipse(self, x: float, y: float, across: float, down: float, colour: Colour) -> None:
        """An upright ellipse with these radii."""
        ring = [(px * across, py * down) for px, py in _RING]
        self._canvas.polygon(placed(ring, (x * self._unit, y * self._unit), self._unit), colour)

    def disc(self, x: float, y: float, radius: float, colour: Colour, opacity: float = 1) -> None:
        """A filled circle."""
        at = x * self._unit, y * self._unit
        self._canvas.circle(at, radius * self._unit, colour, opacity=opacity)

    def star(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """A small star of four points."""
        at = x * self._unit, y * self._unit
        self._canvas.path([star(4, 0.35)], colour, centre=at, scale=radius * self._unit)

    def line(self, points: Outline, colour: Colour, width: float) -> None:
        """A chain of straight pieces."""
        self._canvas.line(placed(points, (0, 0), self._unit), colour, width * self._unit)

    def sprite(self) -> Sprite:
        """What has been drawn."""
        return self._canvas.sprite()

    def _box(self, left: float, top: float, right: float, bottom: float) -> Box:
        edges = (round(edge * self._unit) for edge in (left, top, right, bottom))
        return Box(*edges)


_RING = regular(32)
