"""Lines of text as masks, and their widths."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil

from PIL import Image

from render.cache import cached, size_of
from render.runs import CLOSE, ISOLATE, is_mark, runs_of
from render.theme import FONT_FILES, SHAPES, Type, font

_FIGURES = ["tnum"] if SHAPES else None
"""The font feature that gives all digits the same width, so that counts do not move when they
change.
"""

APART = "\u00a0"
"""Separates a name from the number that tells it apart from an equal name; both parts survive
cutting.
"""

_NUMBERED = re.compile(rf"{APART}\d+$")
_WORD = re.compile(r"[^\s\-]+")
_PIECE = re.compile(
    r"[^ ]+?(?:(?<=[^\W\d_]{2})-(?=[^\W\d_]{2})|(?<=[\u3041-\u309f])(?=[\u4e00-\u9fff]))|[^ ]+"
)
"""A word or a part of one: up to a hyphen between parts of two or more letters each, or up to a
kanji after hiragana.
"""
_SECOND = re.compile(r"(?<=[^\W\d_]{2}-[^\W\d_])[^\W\d_]{2,}(?= )")
"""The second part of a hyphenated word that others follow, except for its first letter."""
_PARTICLE = re.compile(r"[a-zß-ÿ]{1,4}\.?")
"""A particle such as ``von`` or ``de``; a shortened name must not end with one."""
SHORT = 8
"""Texts of at most this many characters are drawn to measure them, which takes hardly longer than
arranging their letters.
"""
PARAGRAPH = 5
"""Texts with at least this many lines are not balanced."""
LEADING = 1.18
"""Line spacing, as a multiple of the type size."""
LEAST_WORD, WORTH_KEEPING = 3, 0.55
"""A text is cut after a whole word if at least this many letters remain, and at least this share of
the letters that fit.
"""


@dataclass(frozen=True, slots=True)
class Letters:
    """A drawn line of text.

    :param width: the width of the ink.
    :param top: where the mask begins, relative to the baseline; negative: above it.
    :param capital: the height of a capital.
    """

    mask: Image.Image | None
    width: int
    top: int
    capital: int

    @property
    def bottom(self) -> int:
        """Where the mask ends, relative to the baseline."""
        return self.top + (0 if self.mask is None else self.mask.height)

    @property
    def bytes_held(self) -> int:
        """The size of its pixels in bytes."""
        return 0 if self.mask is None else size_of(self.mask)


@cache
def _capital(kind: Type) -> int:
    double = font(FONT_FILES[kind.face], kind.size * 2)
    return round(-double.getbbox("H", anchor="ls")[1] / 2)


@cached
def letters_of(text: str, kind: Type) -> Letters:
    """Draw a text at twice its size and reduce it by half; return its mask and position."""
    capital = _capital(kind)
    inks, pen = [], 0.0
    runs = runs_of(text, kind.face)
    for run in runs:
        double = font(run.file, kind.size * 2)
        way = ("rtl" if run.from_right else "ltr") if SHAPES else None
        ink, (x, y) = double.getmask2(run.text, "L", way, _FIGURES, anchor="ls")
        if all(ink.size):
            # Reading the mask as bytes, pixel by pixel, takes longer than drawing it.
            inks.append((round(pen + x), y, Image.Image()._new(ink)))
        if run is not runs[-1]:
            pen += double.getlength(run.text, "L", way, _FIGURES)
    if not inks:
        return Letters(None, 0, 0, capital)
    left = min(x for x, _, _ in inks)
    width = max(x + ink.width for x, _, ink in inks) - left
    top = min(y for _, y, _ in inks)
    bottom = max(y + ink.height for _, y, ink in inks)
    # The mask starts an even number of pixels above the baseline, so that it is halved exactly.
    above = 2 * ceil(-top / 2)
    sheet = Image.new("L", (2 * ceil(width / 2), 2 * ceil((bottom + above) / 2)))
    for x, y, ink in inks:
        sheet.paste(255, (x - left, above + y), ink)
    mask = sheet.reduce(2)
    return Letters(mask, mask.width, -above // 2, capital)


@cached
def text_width(text: str, kind: Type) -> int:
    """Return the width of the ink of one line. To measure a long one is quicker than to draw it."""
    if len(text) <= SHORT:
        return letters_of(text, kind).width
    ends, pen = list[int](), 0.0
    runs = runs_of(text, kind.face)
    for run in runs:
        double = font(run.file, kind.size * 2)
        way = ("rtl" if run.from_right else "ltr") if SHAPES else None
        left, top, right, bottom = double.getbbox(run.text, "L", way, _FIGURES, anchor="ls")
        if left < right and top < bottom:
            ends += [round(pen + left), round(pen + left) + round(right - left)]
        if run is not runs[-1]:
            pen += double.getlength(run.text, "L", way, _FIGURES)
    return ceil((max(ends) - min(ends)) / 2) if ends else 0


def fitted(text: str, kind: Type, width: float) -> str:
    """Return the text, shortened with an ellipsis if it is wider than ``width``. Cut it after a
    whole word if that keeps most of the text that fits, but not after ``von`` or ``de``; leave out
    the ellipsis if only the first word is left and fits only without it.
    """
    if text_width(text, kind) <= width:
        return text
    number = _NUMBERED.search(text)
    name, end = (text[: number.start()], number[0]) if number else (text, "")
    # Do not cut between a letter and its marks.
    cuts = [n for n, character in enumerate(name) if not is_mark(character)]
    shown = [_cut(name, n) + end for n in cuts]
    fits = bisect_left(shown, x=True, key=lambda each: text_width(each, kind) > width)
    longest = cuts[max(0, fits - 1)] if cuts else 0
    for match in reversed([*_WORD.finditer(name, 0, longest + 2)]):
        whole = match.end()
        if _PARTICLE.fullmatch(match[0]):
            continue
        if whole < max(LEAST_WORD, WORTH_KEEPING * longest):
            break
        if whole < len(name) and name[whole] in " -":
            given = [_closed(name[:whole]) + end] if not match.start() else []
            for words in (_cut(name, whole) + end, *given):
                if text_width(words, kind) <= width:
                    return words
    return shown[max(0, fits - 1)]


def typeset(text: str, kinds: Sequence[Type], width: float) -> tuple[str, Type]:
    """Return a text and the type in which to write it: the first of ``kinds``, from large to small,
    in which it fits. If it fits in none of them, shorten it to fit in the last.
    """
    kind = next((each for each in kinds if text_width(text, each) <= width), kinds[-1])
    return fitted(text, kind, width), kind


def lines_of(sentence: str, width: float, most: int, kind: Type) -> list[str]:
    """Break a sentence into as few lines as possible: at spaces, after hyphens, and within a word
    wider than a line. Cut off whatever does not fit. Make the lines about equally long, except in a
    ``PARAGRAPH``.
    """
    lines, narrow = _filled(sentence, width, most, kind), width
    while 1 < len(lines) < PARAGRAPH and _is_whole(sentence, lines, narrow, kind):
        best, narrow = lines, max(text_width(line, kind) for line in lines) - 1
        lines = _filled(sentence, narrow, len(lines), kind)
        if not _is_whole(sentence, lines, narrow, kind):
            return best
    return [*lines[:-1], *(fitted(line, kind, width) for line in lines[-1:])]


def _filled(sentence: str, width: float, most: int, kind: Type) -> list[str]:
    """Break a sentence with as much as possible on every line; the last one may be too wide."""
    pieces = [
        (sentence[: found.start()][-1:] == " ", found[0]) for found in _PIECE.finditer(sentence)
    ]
    lines = list[str]()
    while pieces and len(lines) < most - 1:
        line = ""
        while pieces and text_width(_joined(line, *pieces[0]), kind) <= width:
            line = _joined(line, *pieces.pop(0))
        if not line:
            line = _head(pieces[0][1], kind, width)
            pieces[0] = False, pieces[0][1][len(line) :]
        # the line ends in the middle of a name
        if pieces and line.rfind(ISOLATE) > line.rfind(CLOSE):
            line, pieces[0] = line + CLOSE, (pieces[0][0], ISOLATE + pieces[0][1])
        lines.append(line)
    rest = ""
    for piece in pieces:
        rest = _joined(rest, *piece)
    return [line for line in (*lines, rest) if line]


def lines_of_name(name: str, width: float, most: int, kind: Type) -> list[str]:
    """Break a name with ``lines_of``; the number that tells it from an equal name is alone on a
    line only if the name would otherwise be cut. Shorten the second part of a hyphenated name if
    that leaves room for the rest.
    """
    for each in (name, _SECOND.sub(".", name, count=1), name.replace(APART, " ")):
        if fits_whole(each, kind, width, most):
            return lines_of(each, width, most, kind)
    return lines_of(name, width, most, kind)


def _joined(line: str, apart: bool, piece: str) -> str:
    """Return a line with one more piece, after a space if it is ``apart``."""
    return f"{line} {piece}" if line and apart else line + piece


def _head(word: str, kind: Type, width: float) -> str:
    """Return the longest beginning of a word that fits."""
    ends = [n for n in range(1, len(word)) if not is_mark(word[n])]
    fits = bisect_left(ends, x=True, key=lambda end: text_width(word[:end], kind) > width)
    return word[: ends[max(0, fits - 1)]] if ends else word


def set_in_lines(
    sentence: str, kinds: Sequence[Type], width: float, most: int
) -> tuple[list[str], Type]:
    """Break a sentence with ``lines_of``, in the first of ``kinds`` in which it fits. If it fits in
    none of them, cut it to fit in the last.
    """
    return _set_in(sentence, kinds, width, lambda kind: most)


def set_in_box(
    sentence: str, kinds: Sequence[Type], width: float, height: float
) -> tuple[list[str], Type]:
    """Do the same as ``set_in_lines``, but with as many lines as the height allows, ``LEADING``
    apart.
    """
    return _set_in(sentence, kinds, width, lambda kind: max(1, int(height / kind.size / LEADING)))


def _set_in(
    sentence: str, kinds: Sequence[Type], width: float, most: Callable[[Type], int]
) -> tuple[list[str], Type]:
    """Return the lines in the first type in which no word is broken; failing that, in the first in
    which nothing is cut, or else in the last.
    """
    fitting = []
    for kind in kinds:
        lines = lines_of(sentence, width, most(kind), kind)
        if _is_whole(sentence, lines, width, kind):
            return lines, kind
        if _bare("".join(lines)) == _bare(sentence):
            fitting.append((lines, kind))
    return fitting[0] if fitting else (lines, kind)


def fits_whole(sentence: str, kind: Type, width: float, most: int) -> bool:
    """Return whether ``lines_of`` can set a sentence without cutting it or breaking a word."""
    return _is_whole(sentence, _filled(sentence, width, most, kind), width, kind)


def _is_whole(sentence: str, lines: Sequence[str], width: float, kind: Type) -> bool:
    """Return whether lines of a sentence fit, and neither cut it nor break a word."""
    pieces = (found[0] for found in _PIECE.finditer(sentence))
    if any(text_width(each, kind) > width for each in (*pieces, *lines)):
        return False
    return _bare("".join(lines)) == _bare(sentence)


def _cut(text: str, length: int) -> str:
    return _closed(text[:length].rstrip() + "…")


def _closed(shown: str) -> str:
    """Close the isolation of a name that has been cut, so that whatever follows comes after it in
    either direction of writing.
    """
    return shown + CLOSE if shown.count(ISOLATE) > shown.count(CLOSE) else shown


def _bare(text: str) -> str:
    """Return a text without spaces and without the characters that isolate names."""
    return text.replace(ISOLATE, "").replace(CLOSE, "").replace(" ", "")
