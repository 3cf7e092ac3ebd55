"""How the lots of a match are drawn; ``docs/fairness.md`` specifies every byte.

When a table opens, a *secret* is drawn, and its *seal* is shown. Players may add *lucky words*.
When the match starts, a message is posted. The secret, the words and the message's id, which
Discord assigns, together give the *seed*, which determines all lots. The secret is published with
the result.
"""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from collections.abc import Sequence
from typing import Final

WORD_LIMIT: Final = 40
"""The maximum number of characters in a lucky word."""

_DOMAIN: Final = "Tafelrunde seed 1"


def new_secret() -> str:
    """Return a secret: 256 random bits from the operating system, in hexadecimal."""
    return secrets.token_hex(32)


def sealed(secret: str) -> str:
    """Return the seal of a secret: its SHA-256 in hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()


def seed_of(secret: str, message_id: int, words: Sequence[str]) -> str:
    """Return the seed of a match.

    :param message_id: the id of the message from which the lots are drawn.
    :param words: the lucky words of all players in order of joining; empty for players without one.
    """
    lines = [_DOMAIN, secret, str(message_id), str(len(words))]
    lines += [f"{len(word.encode())}:{word}" for word in words]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def lucky_word(text: str) -> str:
    """Return a typed lucky word in the form that counts: at most ``WORD_LIMIT`` visible characters
    and single spaces, in Unicode normal form NFC.
    """
    composed = unicodedata.normalize("NFC", text)
    visible = "".join(c if c.isprintable() else " " for c in composed)
    return " ".join(visible.split())[:WORD_LIMIT].rstrip()
