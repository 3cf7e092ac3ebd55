"""Names of people, made safe.

In a picture a name holds only what the font can draw; in a description it may be of any script,
but nothing in it is invisible or formats.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from data.texts import Texts
from data.texts.visible import visible
from render.theme import Face, has_glyph

SHORT = 12
"""Characters of a short name."""

_SPEECH_LIMIT = 32
_MARKDOWN = re.compile(r"[*`~|<>\[\]\\]|__+|^_+|_+$|(?<=\s)_+|_+(?=\s)|^[#\-\s]+")


def printable(name: str, face: Face = "strong") -> str:
    """The name without all that the font cannot draw: emoji, controls, direction marks and
    unknown scripts. Fancy letters become plain ones. May be empty.
    """
    plain = unicodedata.normalize("NFKC", visible(name))
    return " ".join("".join(c for c in plain if has_glyph(face, c)).split())


def spoken(name: str) -> str:
    """The name for a description: any script, but nothing invisible and nothing that formats."""
    words = " ".join(visible(name).split())
    previous = None
    while words != previous:
        previous, words = words, _MARKDOWN.sub("", words).strip()
    return words if len(words) <= _SPEECH_LIMIT else words[: _SPEECH_LIMIT - 1].rstrip() + "…"


def printed_names(names: Sequence[str], say: Texts) -> list[str]:
    """The names as pictures show them, none of them empty."""
    return [printable(name) or _nameless(seat, say) for seat, name in enumerate(names)]


def spoken_names(names: Sequence[str], say: Texts) -> list[str]:
    """The names as descriptions say them, none of them empty."""
    return [spoken(name) or _nameless(seat, say) for seat, name in enumerate(names)]


def short_names(names: Sequence[str]) -> list[str]:
    """Names cut to ``SHORT`` characters, for descriptions in which room is scarce."""
    return [name if len(name) <= SHORT else name[: SHORT - 1] + "…" for name in names]


def _nameless(seat: int, say: Texts) -> str:
    return say("Player {number}", number=seat + 1)
