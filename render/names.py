"""Names of people, made safe.

In a picture a name holds only what the fonts can draw; in a description it may be of any script,
but nothing in it is invisible or formats.
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
"""Characters of a short name."""

MARKS = 3
"""Accents and vowel signs on a letter that are drawn: more only soil what stands above it."""

_SPEECH_LIMIT = 32
_MARKDOWN = re.compile(r"[*`~|<>\[\]\\]|__+|^_+|_+$|(?<=\s)_+|_+(?=\s)|^[#\-\s]+")


_FLAGS = {0x1F1E6 + n: chr(ord("A") + n) for n in range(26)}
"""The letters of which flags are put together."""

_COLOURED = re.compile("[\ufe00-\ufe0f\u20e3\U0001f3fb-\U0001f3ff]")
"""What gives a character a colour, a skin or a key."""

_EMOJIS = re.compile("([\u2190-\u2bff\U0001f000-\U0001faff])(?:\u200d.)+")
"""Emojis that are put together: the first says most."""


def printable(name: str, face: Face = "strong") -> str:
    """The name as it is drawn: without controls, direction marks and what no font can draw. Fancy
    letters become plain ones, emojis plain emojis, flags letters. One from the right is isolated.
    May be empty.
    """
    plain = unicodedata.normalize("NFKC", visible(name)).translate(_FLAGS)
    plain = _EMOJIS.sub(r"\1", _COLOURED.sub("", plain))
    return isolated(" ".join("".join(_drawn(plain, face)).split()).strip(JOINERS))


def _drawn(name: str, face: Face) -> Iterator[str]:
    """The characters that can be drawn; of marks, those that fit the letter before."""
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
    """Whether the face itself draws all of a text."""
    return all(has_glyph(FONT_FILES[face], character) for character in text)


def spoken(name: str) -> str:
    """The name for a description: any script, but nothing invisible and nothing that formats."""
    words = " ".join(visible(name).split())
    previous = None
    while words != previous:
        previous, words = words, _MARKDOWN.sub("", words).strip()
    return words if len(words) <= _SPEECH_LIMIT else words[: _SPEECH_LIMIT - 1].rstrip() + "…"


def printed_names(names: Sequence[str], say: Texts, *, apart: bool = True) -> list[str]:
    """The names as pictures show them, none of them empty.

    :param apart: whether equal names get numbers.
    """
    shown = [printable(name) or _nameless(seat, say) for seat, name in enumerate(names)]
    return _told_apart(shown) if apart else shown


def spoken_names(names: Sequence[str], say: Texts, *, apart: bool = True) -> list[str]:
    """The names as descriptions say them, none of them empty.

    :param apart: whether equal names get numbers.
    """
    said = [spoken(name) or _nameless(seat, say) for seat, name in enumerate(names)]
    return _told_apart(said) if apart else said


def short_names(names: Sequence[str]) -> list[str]:
    """Names cut to ``SHORT`` characters, for descriptions in which room is scarce."""
    return _told_apart([name if len(name) <= SHORT else name[: SHORT - 1] + "…" for name in names])


def _told_apart(names: Sequence[str]) -> list[str]:
    """The names with numbers behind those that are equal: Anna 1, Anna 2."""
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
