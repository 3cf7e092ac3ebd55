"""Makes people's names safe to draw and to describe.

In a picture, a name contains only characters that the fonts can draw; in a description, it may be
in any script, but has no invisible or formatting characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from data.texts import Texts
from data.texts.visible import visible
from render.letters import APART
from render.runs import JOINERS, drawn_by, is_mark, isolated
from render.theme import FONT_FILES, JOINED, Face, has_glyph

SHORT = 12
"""Maximum number of characters of a short name."""

MARKS = 3
"""The maximum number of accents and vowel signs drawn on a letter; more would spill over the line
above.
"""

_SPEECH_LIMIT = 32
_MARKDOWN = re.compile(r"[*`~|<>\[\]\\]|__+|^_+|_+$|(?<=\s)_+|_+(?=\s)|^[#\-\s]+")


_FLAGS = {0x1F1E6 + n: chr(ord("A") + n) for n in range(26)}
"""Flags are pairs of these characters; each maps to its letter."""

_COLOURED = re.compile("[\ufe00-\ufe0f\u20e3\U0001f3fb-\U0001f3ff]")
"""Modifiers of emoji: variation selectors, keycaps and skin tones."""

_EMOJIS = re.compile("([\u2190-\u2bff\U0001f000-\U0001faff])(?:\u200d.)+")
"""Joined emoji. Only the first is kept, because it says the most."""


def printable(name: str, face: Face = "strong") -> str:
    """Return the name as it can be drawn: without control characters, direction marks, and
    characters that no font can draw. Fancy letters become plain ones, joined emoji single ones,
    and flags letters; right-to-left names are isolated. The result may be empty.
    """
    plain = unicodedata.normalize("NFKC", visible(name)).translate(_FLAGS)
    plain = _EMOJIS.sub(r"\1", _COLOURED.sub("", plain))
    return isolated(" ".join("".join(_drawn(plain, face)).split()).strip(JOINERS))


def _drawn(name: str, face: Face) -> Iterator[str]:
    """Yield the characters that can be drawn, and those marks that fit on the letter before
    them.
    """
    last, marks = None, 0
    for character in name:
        if character in JOINERS:
            if last in JOINED:
                yield character
        elif is_mark(character):
            marks += 1
            if last is not None and marks <= MARKS and has_glyph(last, character):
                yield character
        else:
            last, marks = drawn_by(face, character), 0
            if last is not None:
                yield character


def in_one_face(text: str, face: Face) -> bool:
    """Return whether the face can draw a whole text without fallback fonts."""
    return all(has_glyph(FONT_FILES[face], character) for character in text)


def spoken(name: str) -> str:
    """Return the name for a description: in any script, but without invisible or formatting
    characters.
    """
    words = " ".join(visible(name).split())
    previous = None
    while words != previous:
        previous, words = words, _MARKDOWN.sub("", words).strip()
    return words if len(words) <= _SPEECH_LIMIT else words[: _SPEECH_LIMIT - 1].rstrip() + "…"


def printed_names(names: Sequence[str], say: Texts, *, apart: bool = True) -> list[str]:
    """Return the names for pictures; none of them is empty.

    :param apart: whether equal names get numbers.
    """
    shown = [printable(name) or _nameless(seat, say) for seat, name in enumerate(names)]
    return _told_apart(shown) if apart else shown


def spoken_names(names: Sequence[str], say: Texts, *, apart: bool = True) -> list[str]:
    """Return the names for descriptions; none of them is empty.

    :param apart: whether equal names get numbers.
    """
    said = [spoken(name) or _nameless(seat, say) for seat, name in enumerate(names)]
    return _told_apart(said) if apart else said


def short_names(names: Sequence[str]) -> list[str]:
    """Return names cut to ``SHORT`` characters, for descriptions with little room; equal ones get
    numbers.
    """
    return _told_apart([name if len(name) <= SHORT else name[: SHORT - 1] + "…" for name in names])


def _told_apart(names: Sequence[str]) -> list[str]:
    """Number names that are equal: Anna 1, Anna 2."""
    counts, met, apart = Counter(names), Counter[str](), list[str]()
    taken = set(names)
    for name in names:
        shown = name
        while counts[name] > 1 and shown.replace(APART, " ") in taken:
            met[name] += 1
            shown = f"{name}{APART}{met[name]}"
        apart.append(shown)
    return apart


def _nameless(seat: int, say: Texts) -> str:
    return say("Player {number}", number=seat + 1)
