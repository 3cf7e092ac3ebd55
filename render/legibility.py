"""Tracks the texts on a picture and checks that nothing is drawn over them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from inspect import currentframe
from itertools import islice
from pathlib import Path
from traceback import walk_stack
from typing import ClassVar

from PIL import Image

from render.geometry import Rect, common

OPAQUE = 128
"""From this level of the mask on, a pixel hides what is below it."""

OVERLAP = 2
"""Two texts count as running together if their boxes overlap by more than this many pixels both
horizontally and vertically.
"""

WIRING = ("canvas.py", "legibility.py")
"""Files that error messages leave out, because they do not show which painter was drawing."""


@dataclass(frozen=True, slots=True)
class Read:
    """A text on a picture, and its box, which nothing may cover; see ``Canvas.text``."""

    text: str
    box: Rect

    def moved(self, x: int, y: int) -> Read:
        """Return the same text at another place."""
        left, top, right, bottom = self.box
        return Read(self.text, (left + x, top + y, right + x, bottom + y))


class CoveredError(Exception):
    """A painter drew over a text that people have to read."""


class Legibility:
    """The texts of a picture that is being drawn.

    :cvar watched: while this is set, every text that nothing may cover reserves its box, on sprites
        too, and ``check`` raises if a box is covered. Only tests set this.
    :ivar read: the texts that are still readable.
    """

    watched: ClassVar = False

    def __init__(self) -> None:
        self.read: list[Read] = []
        self._covered: dict[Read, str] = {}

    def moved(self, x: int, y: int) -> Legibility:
        """Return the same texts, on a picture with another origin."""
        moved = Legibility()
        moved.read = [each.moved(x, y) for each in self.read]
        moved._covered = {each.moved(x, y): by for each, by in self._covered.items()}
        return moved

    def add(self, texts: Iterable[Read]) -> None:
        """Reserve the boxes of texts. A text that overlaps another one's box counts as covering it;
        a covered text may be written again in the same place.
        """
        for read in texts:
            for other in [each for each in self.read if _run_together(each, read)]:
                self.read.remove(other)
                self._covered[other] = f"{read.text!r}, {_drawn_by()}"
            self.read.append(read)
            for covered in [each for each in self._covered if each.text == read.text]:
                if common(covered.box, read.box):
                    del self._covered[covered]

    def cover(self, box: Rect, mask: Image.Image | None) -> None:
        """Record which texts a drawing in ``box`` hides, through a mask if there is one."""
        _, above, _, below = box
        near = [each for each in self.read if each.box[1] < below and above < each.box[3]]
        for read in near:
            shared = common(box, read.box)
            if not shared:
                continue
            left, top, right, bottom = shared
            hidden = (right - left) * (bottom - top)
            if mask is not None:
                x, y = box[:2]
                part = mask.crop((left - x, top - y, right - x, bottom - y))
                hidden = sum(part.histogram()[OPAQUE:])
            if hidden:
                self.read.remove(read)
                self._covered[read] = _drawn_by()

    def check(self) -> None:
        """Check a finished picture.

        :raises CoveredError: something hides a text that people have to read.
        """
        for read, by in self._covered.items():
            raise CoveredError(f"{read.text!r} is covered by {by}")


def _run_together(one: Read, other: Read) -> bool:
    """Return whether two different texts overlap."""
    shared = common(one.box, other.box)
    if not shared or one.text == other.text:
        return False
    left, top, right, bottom = shared
    return min(right - left, bottom - top) > OVERLAP


def _drawn_by() -> str:
    """Return the lines of code that are drawing right now, for error messages."""
    stack = ((frame.f_code.co_filename, line) for frame, line in walk_stack(currentframe()))
    drawing = ((file, line) for file, line in stack if not file.endswith(WIRING))
    return " in ".join(f"{Path(file).name}:{line}" for file, line in islice(drawing, 3))
