"""Texts of people, made harmless before Discord formats them."""

from __future__ import annotations

import re
from typing import Final

_FORMATTING: Final = re.compile(r"([\\*_~`|<>#\[\]()\-.:])")
_NO_FENCE: Final = "\N{MODIFIER LETTER GRAVE ACCENT}"
"""Looks like a backtick."""
_INVISIBLE: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+"
)


def escape(text: str) -> str:
    """A person's words for a text that Discord formats: they cannot format, link or ping."""
    plain = _INVISIBLE.sub(" ", text)
    return _FORMATTING.sub(r"\\\1", plain).replace("@", "@\N{ZERO WIDTH SPACE}")


def fenced(text: str) -> str:
    """A text in letters of equal width, shown as it is, whatever people are called."""
    return f"```\n{text.replace('`', _NO_FENCE)}\n```"
