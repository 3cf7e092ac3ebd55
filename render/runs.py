"""Splits texts in several scripts into runs that can be drawn in one font and one direction.

Lines always run from left to right; a right-to-left name is isolated from the text around it
(``isolated``) and keeps its own direction. This gives the same result as the Unicode bidirectional
algorithm (UAX 9) for a left-to-right paragraph without embeddings; ``visible`` has already removed
embeddings from names.
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
"""Characters that enclose text with a direction of its own; they are never drawn."""

_ISOLATES = re.compile(f"({ISOLATE}[^{CLOSE}]*)")
_FROM_RIGHT = {"R": True, "AL": True, "AN": True, "L": False}
_CARRIED = {"EN", "NSM", "BN"}
"""Bidirectional classes that take the direction of the letter before them: digits and marks."""


@dataclass(frozen=True, slots=True)
class Run:
    """A part of a line in one font and direction.

    :param file: the font's file.
    """

    text: str
    file: str
    from_right: bool = False


def runs_of(text: str, face: Face) -> list[Run]:
    """Split a line into runs, in order from left to right. Characters that no font can draw stay in
    the face's own font.
    """
    own = FONT_FILES[face]
    if text.isascii() or all(has_glyph(own, character) for character in text):
        return [Run(text, own)]
    line: list[Run] = []
    for part in _ISOLATES.split(text):
        plain = part.strip(ISOLATE + CLOSE)
        line += _ordered(plain, face, part.startswith(ISOLATE) and begins_right(plain))
    return line


def isolated(name: str) -> str:
    """Wrap a name so that it keeps its own direction in every text; a name without right-to-left
    text stays unchanged.
    """
    sides = map(unicodedata.bidirectional, name)
    return f"{ISOLATE}{name}{CLOSE}" if any(map(_FROM_RIGHT.get, sides)) else name


def begins_right(text: str) -> bool:
    """Return whether the first letter belongs to a right-to-left script."""
    sides = (_FROM_RIGHT.get(unicodedata.bidirectional(character)) for character in text)
    return next((side for side in sides if side is not None), False)


def _ordered(text: str, face: Face, base: bool) -> Iterator[Run]:
    """Yield the runs of a text in the order in which they are displayed, whichever direction the
    text as a whole has.
    """
    marked = zip(text, _fonts(text, face), _from_right(text, base), strict=True)
    sides = [(way, list(side)) for way, side in groupby(marked, key=lambda each: each[2])]
    for way, side in reversed(sides) if base else sides:
        runs = [
            Run("".join(each[0] for each in same), file, way)
            for file, same in groupby(side, key=lambda each: each[1])
        ]
        yield from reversed(runs) if way else runs


def is_mark(character: str) -> bool:
    """Return whether a character is a mark on the letter before it, such as an accent or a vowel
    sign.
    """
    return unicodedata.category(character).startswith("M")


@lru_cache(maxsize=4096)
def drawn_by(face: Face, character: str) -> str | None:
    """Return the file of the font that draws a character in texts of this face; None: no font can
    draw it.
    """
    files = dict.fromkeys((FONT_FILES[face], FONT_FILES["strong"], *FALLBACKS))
    return next((file for file in files if has_glyph(file, character)), None)


def _fonts(text: str, face: Face) -> Iterator[str]:
    """Yield the font of each character. Joiners take the font of the letter before them, and so do
    marks that this font has.
    """
    last = FONT_FILES[face]
    for character in text:
        if character not in JOINERS and not (is_mark(character) and has_glyph(last, character)):
            last = drawn_by(face, character) or FONT_FILES[face]
        yield last


def _from_right(text: str, base: bool) -> list[bool]:
    """Return, for each character, whether it belongs to right-to-left text.

    :param base: whether the text as a whole runs from right to left.
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
