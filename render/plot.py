"""The frame of all curves: a scale in a box, and labels that leave each other room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from render.canvas import Canvas
from render.geometry import Box, Point
from render.theme import Colour, Type


@dataclass(frozen=True, slots=True)
class Plot:
    """From steps and values to places in a box.

    :param low: the value at the lower edge; ``high``: at the upper one.
    :param last: the step at the right edge, from 0; 0: there is one alone.
    """

    box: Box
    low: float
    high: float
    last: int

    def at(self, step: int, value: float) -> Point:
        """Where a value lies at a step."""
        share = (value - self.low) / (self.high - self.low)
        x = self.box.left + self.box.width * step / max(1, self.last)
        return x, self.box.bottom - self.box.height * share

    def draw_level(
        self, canvas: Canvas, value: float, words: str, kind: Type, ink: Colour, line: Colour
    ) -> None:
        """A line across at a value, with words at its left."""
        _, y = self.at(0, value)
        canvas.line([(self.box.left, y), (self.box.right, y)], line, 2)
        canvas.text((self.box.left - 16, y), words, kind, ink, "rm")

    def way(self, values: Sequence[float]) -> list[Point]:
        """The curve of some values, one a step."""
        return [self.at(step, value) for step, value in enumerate(values)]


def apart(wanted: Sequence[float], gap: float, bottom: float = inf) -> list[float]:
    """Heights as near to the wanted ones as they may be, ``gap`` apart from each other, and none
    below ``bottom``, as far as there is room.
    """
    order = sorted(range(len(wanted)), key=lambda number: wanted[number])
    heights: dict[int, float] = {}
    above = -inf
    for number in order:
        heights[number] = above = max(wanted[number], above + gap)
    below = bottom
    for number in reversed(order):
        heights[number] = min(heights[number], below)
        below = heights[number] - gap
    return [heights[number] for number in range(len(wanted))]
