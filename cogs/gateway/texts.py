"""Texts of people, made harmless before Discord formats them."""

from __future__ import annotations

import re
from typing import Final

from data.texts.visible import visible

_FORMATTING: Final = re.compile(r"([\\*_~`|<>#\[\]()\-.:])")
_NO_FENCE: Final = "\N{MODIFIER LETTER GRAVE ACCENT}"
"""Looks like a backtick."""
_NOTHING: Final = "\N{EN DASH}"
"""Where somebody has written nothing that can be seen."""


def legible(text: str) -> str:
    """A text that Discord does not format, such as a label or the name of a thread, without what
    is invisible in names of people.
    """
    return visible(text) or (text and _NOTHING)


def escape(text: str) -> str:
    """A person's words for a text that Discord formats: they cannot format, link or ping."""
    return _FORMATTING.sub(r"\\\1", legible(text)).replace("@", "@\N{ZERO WIDTH SPACE}")


def fenced(text: str) -> str:
    """A text in letters of equal width, shown as it is, whatever people are called."""
    return f"```\n{text.replace('`', _NO_FENCE)}\n```"
