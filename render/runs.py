"""Texts in several scripts, cut into runs that one font draws in one direction.

Lines run from the left, whatever stands in them; a name from the right is isolated from what stands
around it (``isolated``), and goes its own way inside. That is what the Unicode bidirectional
algorithm (UAX 9) gives for a paragraph from the left without embeddings, which ``visible`` has
taken out of names.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from render.theme import FALLBACKS, FONT_FILES, Face, has_glyph

JOINERS = "\u200c\u200d"

ISOLATE, CLOSE = "\u2068", "\u2069"
"""Stand around what goes its own way; nothing of them is drawn."""

_ISOLATES = re.compile(f"({ISOLATE}[^{CLOSE}]*)")
_FROM_RIGHT = {"R": True, "AL": True, "AN": True, "L": False}
_CARRIED = {"EN", "NSM", "BN"}
"""Classes of characters that go the way of the letter before: digits and marks."""


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a line.

    :param file: of the font.
    :param from_right: it is written from the right.
    """

    text: str
    file: str
    from_right: bool = False


def runs_of(text: str, face: Face) -> list[Run]:
    """A line as runs from the left to the right. What no font can draw stays with the face."""
    own = FONT_FILES[face]
    if text.isascii() or all(has_glyph(own, character) for character in text):
        return [Run(text, own)]
    line: list[Run] = []
    for part in _ISOLATES.split(text):
        plain = part.strip(ISOLATE + CLOSE)
        line += _ordered(plain, face, part.startswith(ISOLATE) and begins_right(plain))
    return line


def isolated(name: str) -> str:
    """A name that keeps its own direction and order in every text; as it is, if nothing in it comes
    from the right.
    """
    sides = map(unicodedata.bidirectional, name)
    return f"{ISOLATE}{name}{CLOSE}" if any(map(_FROM_RIGHT.get, sides)) else name


def begins_right(text: str) -> bool:
    """Whether its first letter is of a script from the right."""
    sides = (_FROM_RIGHT.get(unicodedata.bidirectional(character)) for character in text)
    return next((side for side in sides if side is not None), False)


def _ordered(text: str, face: Face, base: bool) -> Iterator[Run]:
    """The runs of a text that as a whole is written from the right, or from the left."""
    marked = zip(text, _fonts(text, face), _from_right(text, base), strict=True)
    sides = [(way, list(side)) for way, side in groupby(marked, key=lambda each: each[2])]
    for way, side in reversed(sides) if base else sides:
        runs = [
            Run("".join(each[0] for each in same), file, way)
            for file, same in groupby(side, key=lambda each: each[1])
        ]
        yield from reversed(runs) if way else runs


def is_mark(character: str) -> bool:
    """Whether it belongs to the letter before it: an accent, a vowel sign."""
    return unicodedata.category(character).startswith("M")


@lru_cache(maxsize=4096)
def drawn_by(face: Face, character: str) -> str | None:
    """The file of the font that draws a character in texts of a face; None: there is none."""
    files = dict.fromkeys((FONT_FILES[face], FONT_FILES["strong"], *FALLBACKS))
    return next((file for file in files if has_glyph(file, character)), None)


def _fonts(text: str, face: Face) -> Iterator[str]:
    """The font of each character. Marks and joiners have that of the letter before."""
    last = FONT_FILES[face]
    for character in text:
        if character not in JOINERS and not (is_mark(character) and has_glyph(last, character)):
            last = drawn_by(face, character) or FONT_FILES[face]
        yield last


def _from_right(text: str, base: bool) -> list[bool]:
    """Whether each character belongs to what is written from the right.

    :param base: whether the text as a whole does.
    """
    sides: list[bool | None] = []
    last = base
    for character in text:
        kind = unicodedata.bidirectional(character)
        sides.append(last if kind in _CARRIED else _FROM_RIGHT.get(kind))
        last = last if sides[-1] is None else sides[-1]
    settled: list[bool] = []
    for n, side in enumerate(sides):
        before = settled[-1] if settled else base
        after = next((each for each in sides[n:] if each is not None), base)
        settled.append(side if side is not None else before if before == after else base)
    return settled
