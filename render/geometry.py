"""Boxes, points and outlines: the arithmetic behind all pictures. Lengths are in pixels of the
picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import NamedTuple, Self

Point = tuple[float, float]
"""x to the right and y downwards, mostly in pixels."""
Outline = Sequence[Point]

Rect = tuple[int, int, int, int]
"""Left, top, right and bottom in whole pixels."""

Part = Rect | tuple[()]
"""A part of a picture; an empty tuple if there is none."""


class Box(NamedTuple):
    """A rectangle; x grows to the right, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def at(cls, centre: Point, width: float, height: float | None = None) -> Self:
        """Return a box of this size around a centre; square unless ``height`` is given."""
        half, rise = width / 2, (width if height is None else height) / 2
        return cls(centre[0] - half, centre[1] - rise, centre[0] + half, centre[1] + rise)

    @property
    def width(self) -> float:
        """Width in pixels."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Height in pixels."""
        return self.bottom - self.top

    @property
    def centre(self) -> Point:
        """The centre."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def inset(self, x: float, y: float | None = None) -> Box:
        """Return a box that is smaller by ``x`` on the left and right and by ``y`` (default: ``x``)
        at the top and bottom.
        """
        y = x if y is None else y
        return Box(self.left + x, self.top + y, self.right - x, self.bottom - y)

    def moved(self, x: float, y: float) -> Box:
        """Return a box of the same size elsewhere."""
        return Box(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def columns(self, n: int, gap: float = 0) -> list[Box]:
        """Return ``n`` equal boxes side by side."""
        width = (self.width - gap * (n - 1)) / n
        lefts = (self.left + k * (width + gap) for k in range(n))
        return [Box(left, self.top, left + width, self.bottom) for left in lefts]

    def rows(self, n: int, gap: float = 0) -> list[Box]:
        """Return ``n`` equal boxes, one below the other."""
        height = (self.height - gap * (n - 1)) / n
        tops = (self.top + k * (height + gap) for k in range(n))
        return [Box(self.left, top, self.right, top + height) for top in tops]


def placed(outline: Outline, centre: Point, scale: float) -> list[Point]:
    """Return an outline around the origin, scaled and moved to ``centre``."""
    return [(centre[0] + x * scale, centre[1] + y * scale) for x, y in outline]


def regular(corners: int) -> list[Point]:
    """Return a regular polygon in the unit circle, with its first corner at the top."""
    angles = [2 * pi * (k / corners) for k in range(corners)]
    return [(sin(a), -cos(a)) for a in angles]


def arc(centre: Point, radius: float, start: float, end: float) -> list[Point]:
    """Return points on a circle from ``start`` to ``end``, in turns clockwise from the top."""
    steps = max(2, round(96 * abs(end - start)))
    angles = [2 * pi * (start + (end - start) * k / steps) for k in range(steps + 1)]
    return [(centre[0] + radius * sin(a), centre[1] - radius * cos(a)) for a in angles]


def star(points: int, waist: float = 0.45) -> list[Point]:
    """Return a star in the unit circle; ``waist`` is the radius of its inner corners."""
    ring = regular(2 * points)
    return [(x * waist, y * waist) if k % 2 else (x, y) for k, (x, y) in enumerate(ring)]


@cache
def trace(path: str) -> tuple[tuple[Point, ...], ...]:
    """Return the outlines of an SVG path that uses only the absolute commands ``M L H V C Q Z``.

    :param path: numbers and commands separated by blanks or commas (``"M 0 0 L 10 0 Q 5 5 0 0"``).
    :raises ValueError: the path contains an unknown command.
    """
    outlines: list[list[Point]] = []
    words = iter(path.replace(",", " ").split())
    for command in words:
        if command == "M":
            outlines.append([_pair(words)])
        elif command != "Z":
            outlines[-1].extend(_piece(command, outlines[-1][-1], words))
    return tuple(tuple(outline) for outline in outlines)


def _pair(words: Iterator[str]) -> Point:
    return float(next(words)), float(next(words))


def _piece(command: str, here: Point, words: Iterator[str]) -> list[Point]:
    match command:
        case "L":
            return [_pair(words)]
        case "H":
            return [(float(next(words)), here[1])]
        case "V":
            return [(here[0], float(next(words)))]
        case "Q":
            return curve([here, _pair(words), _pair(words)])[1:]
        case "C":
            return curve([here, _pair(words), _pair(words), _pair(words)])[1:]
        case _:
            raise ValueError(f"unknown path command {command!r}")


def curve(controls: Outline, steps: int = 12) -> list[Point]:
    """Return a Bézier curve of any degree as a polyline with ``steps`` segments."""
    return [_casteljau(controls, k / steps) for k in range(steps + 1)]


def _casteljau(points: Outline, t: float) -> Point:
    while len(points) > 1:
        points = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in pairwise(points)]
    return points[0]


def along(points: Outline, spacing: float) -> Iterator[tuple[Point, Point]]:
    """Yield points at intervals of ``spacing`` along a polyline, each with the line's direction
    there as a unit vector.
    """
    due = 0.0
    for (x, y), (to_x, to_y) in pairwise(points):
        length = hypot(to_x - x, to_y - y)
        if not length:
            continue
        way = (to_x - x) / length, (to_y - y) / length
        while due <= length:
            yield (x + way[0] * due, y + way[1] * due), way
            due += spacing
        due -= length


def rounded(points: Outline, radius: float) -> list[Point]:
    """Return a polyline with its corners rounded off, each from ``radius`` before it to ``radius``
    after it.
    """
    smooth = [points[0]]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        start, end = _towards(corner, before, radius), _towards(corner, after, radius)
        smooth += curve([start, corner, end], 6)
    return [*smooth, points[-1]]


def _towards(start: Point, end: Point, reach: float) -> Point:
    """Return the point ``reach`` pixels from ``start`` towards ``end``, but not beyond the
    middle.
    """
    length = hypot(end[0] - start[0], end[1] - start[1])
    share = min(0.5, reach / length) if length else 0.0
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def tapered(points: Outline, start: float, end: float) -> list[Point]:
    """Return the outline of a band along a polyline; its width changes evenly from ``start`` to
    ``end``.
    """
    left, right = [], []
    for n, (x, y) in enumerate(points):
        (x0, y0), (x1, y1) = points[max(0, n - 1)], points[min(len(points) - 1, n + 1)]
        length = hypot(x1 - x0, y1 - y0) or 1.0
        half = (start + (end - start) * n / (len(points) - 1)) / 2
        over, down = (y0 - y1) / length * half, (x1 - x0) / length * half
        left.append((x + over, y + down))
        right.append((x - over, y - down))
    return left + right[::-1]


def common(part: Rect, other: Part) -> Part:
    """Return the intersection of two parts."""
    if not other or part[0] >= other[2] or other[0] >= part[2]:  # most parts are far apart
        return ()
    left, top = max(part[0], other[0]), max(part[1], other[1])
    right, bottom = min(part[2], other[2]), min(part[3], other[3])
    return (left, top, right, bottom) if left < right and top < bottom else ()
