"""What people see of a text that somebody else has written."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_BREAKS: Final = frozenset({"Cc", "Zl", "Zp"})
_UNSEEN: Final = frozenset({"Cf", "Cs", "Co", "Cn"})
"""Categories of Unicode: what breaks a line or controls; what is not drawn, direction marks among
it.
"""

_BLANK: Final = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]")
"""Letters and signs that are drawn as nothing."""

_JOINERS: Final = "\u200c\u200d"
"""Scripts are written with them, and emojis are put together; they change nothing else."""


@lru_cache(maxsize=4096)
def visible(text: str) -> str:
    """A text on one line, without what is invisible or turns the direction of what follows. Empty
    if nothing is left to be seen.
    """
    shown = _BLANK.sub("", "".join(map(_shown, text)))
    return shown if shown.strip(f"{_JOINERS} ") else ""


def _shown(character: str) -> str:
    if character in _JOINERS:
        return character
    category = unicodedata.category(character)
    return " " if category in _BREAKS else "" if category in _UNSEEN else character
