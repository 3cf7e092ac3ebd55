"""Makes people's text safe for messages that Discord formats."""

from __future__ import annotations

import re
from typing import Final

from data.texts.visible import visible

_FORMATTING: Final = re.compile(r"([\\*_~`|<>#\[\]()\-.:])")
_NO_FENCE: Final = "\N{MODIFIER LETTER GRAVE ACCENT}"
"""Looks like a backtick but does not end a code block."""
_NOTHING: Final = "\N{EN DASH}"
"""Shown for text that consists of invisible characters only."""


def legible(text: str) -> str:
    """Return a text without invisible characters (a dash if it has no others), for places where
    Discord does not apply formatting, such as a label or a thread's name.
    """
    return visible(text) or (text and _NOTHING)


def escape(text: str) -> str:
    """Return a person's text, escaped so that it cannot format, link or ping."""
    return _FORMATTING.sub(r"\\\1", legible(text)).replace("@", "@\N{ZERO WIDTH SPACE}")


def fenced(text: str) -> str:
    """Return a text as a code block; backticks in it are replaced so that they cannot end the
    block.
    """
    return f"```\n{text.replace('`', _NO_FENCE)}\n```"
