"""Lines of text as masks, and how wide they are."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil

from PIL import Image

from render.cache import cached, size_of
from render.theme import Type, font

_FIGURES = ["tnum"]
"""All digits are equally wide, so that counts do not jump."""


@dataclass(frozen=True, slots=True)
class Letters:
    """A line of text, drawn.

    :param width: of the ink.
    :param top: where the mask begins, from the baseline (negative: above it).
    :param capital: height of a capital.
    """

    mask: Image.Image | None
    width: int
    top: int
    capital: int

    @property
    def bytes_held(self) -> int:
        """Bytes of its pixels."""
        return 0 if self.mask is None else size_of(self.mask)


@cache
def _capital(kind: Type) -> int:
    """Height of a capital."""
    return round(-font(kind.face, kind.size * 2).getbbox("H", anchor="ls")[1] / 2)


@cached
def letters_of(text: str, kind: Type) -> Letters:
    """Return the mask of a text and where it lies, drawn at twice its size and halved."""
    double = font(kind.face, kind.size * 2)
    capital = _capital(kind)
    ink, (_, top) = double.getmask2(text, "L", features=_FIGURES, anchor="ls")
    width, height = ink.size
    if not width or not height:
        return Letters(None, 0, 0, capital)
    # The mask begins an even number above the baseline, which so survives the halving exactly.
    above = 2 * ceil(-top / 2)
    size = 2 * ceil(width / 2), 2 * ceil((height + top + above) / 2)
    sheet = Image.new("L", size)
    sheet.paste(Image.frombytes("L", ink.size, bytes(ink)), (0, above + top))
    mask = sheet.reduce(2)
    return Letters(mask, mask.width, -above // 2, capital)


def text_width(text: str, kind: Type) -> int:
    """Width of the ink of one line."""
    return letters_of(text, kind).width


def fitted(text: str, kind: Type, width: float) -> str:
    """The text, shortened with an ellipsis if it is wider than ``width``."""
    if text_width(text, kind) <= width:
        return text
    cuts = range(len(text))
    fits = bisect_left(cuts, x=True, key=lambda n: text_width(_cut(text, n), kind) > width)
    return _cut(text, max(0, fits - 1))


def typeset(text: str, kinds: Sequence[Type], width: float) -> tuple[str, Type]:
    """A text in the first of some types, from large to small, in which there is room; in the last
    one it is shortened if need be.
    """
    kind = next((each for each in kinds if text_width(text, each) <= width), kinds[-1])
    return fitted(text, kind, width), kind


def _cut(text: str, length: int) -> str:
    return text[:length].rstrip() + "…"
