"""Makes text that other people have written fit for display."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_BREAKS: Final = frozenset({"Cc", "Zl", "Zp"})
_UNSEEN: Final = frozenset({"Cf", "Cs", "Co", "Cn"})
"""Unicode categories of control characters, line breaks, and characters that are not drawn, such as
direction marks.
"""

_BLANK: Final = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]")
"""Letters, marks and symbols that are drawn as blank space or not at all."""

_JOINERS: Final = "\u200c\u200d"
"""Joiners that some scripts and combined emojis need; they are harmless otherwise."""

_SEEN: Final = re.compile(rf"[^\s{_JOINERS}\ufe00-\ufe0f]")
"""A character that can be seen: neither a space nor one that only joins or varies others."""


@lru_cache(maxsize=4096)
def visible(text: str) -> str:
    """Return a text on one line, without characters that are invisible or change the direction of
    writing. Empty if nothing visible remains.
    """
    shown = _BLANK.sub("", "".join(map(_shown, text)))
    return shown if _SEEN.search(shown) else ""


def _shown(character: str) -> str:
    if character in _JOINERS:
        return character
    category = unicodedata.category(character)
    return " " if category in _BREAKS else "" if category in _UNSEEN else character
