"""A pen that draws in units of its own, flat or in relief."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from render.canvas import Canvas
from render.geometry import Box, Outline, Point, placed, regular, trace
from render.light import relief
from render.theme import Colour

_DISC = regular(40)


class Pen:
    """Draws onto a canvas in the units of a card, or of any other box.

    :param scale: pixels a unit.
    :param origin: where the unit box begins.
    """

    def __init__(self, canvas: Canvas, scale: float, origin: Point = (0, 0)) -> None:
        self.canvas = canvas
        self.scale = scale
        self.origin = origin

    def at(self, x: float, y: float) -> Point:
        """A point of the box on the canvas."""
        return self.origin[0] + x * self.scale, self.origin[1] + y * self.scale

    def path(self, path: str, fill: Colour, depth: float = 0) -> None:
        """An SVG path; with a ``depth`` it is raised and its edges are rounded off so far."""
        self._fill(trace(path), fill, depth)

    def shape(self, points: Outline, fill: Colour, depth: float = 0) -> None:
        """A polygon."""
        self._fill([points], fill, depth)

    def shapes(self, outlines: Sequence[Outline], fill: Colour, depth: float = 0) -> None:
        """Several polygons that do not touch, at once."""
        self._fill(outlines, fill, depth)

    def disc(self, x: float, y: float, radius: float, fill: Colour, depth: float = 0) -> None:
        """A disc."""
        if depth:
            self._fill([placed(_DISC, (x, y), radius)], fill, depth)
        else:
            self.canvas.circle(self.at(x, y), radius * self.scale, fill)

    def line(self, points: Outline, colour: Colour, width: float) -> None:
        """A chain of lines."""
        self.canvas.line([self.at(x, y) for x, y in points], colour, width * self.scale)

    def _fill(self, outlines: Sequence[Outline], fill: Colour, depth: float) -> None:
        if not depth:
            self.canvas.path(outlines, fill, centre=self.origin, scale=self.scale)
            return
        points = [self.at(x, y) for outline in outlines for x, y in outline]
        left, top = floor(min(x for x, _ in points)) - 1, floor(min(y for _, y in points)) - 1
        right, bottom = ceil(max(x for x, _ in points)) + 1, ceil(max(y for _, y in points)) + 1
        piece = Canvas(right - left, bottom - top)
        corner = self.origin[0] - left, self.origin[1] - top
        piece.path(outlines, fill, centre=corner, scale=self.scale)
        lit = relief(piece.sprite(), max(0.8, depth * self.scale))
        self.canvas.stamp(lit, Box(left, top, right, bottom).centre)
