"""Reads typed text tolerantly: any dash, any case, accents or not, shortened names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_DASHES = re.compile(r"[‐‑‒–—―−﹘﹣－]+")
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "œ": "oe", "’": "'"})
_ACCENTS = re.compile(r"[\u0300-\u036f]")


def plain(text: str) -> str:
    """Reduce a text to its essentials: lower case, every dash a hyphen, umlauts spelled out, other
    accents dropped, single spaces, no surrounding quotation marks and no full stop at the end.
    """
    text = unicodedata.normalize("NFKC", text).casefold().translate(_SPELLED_OUT)
    text = _ACCENTS.sub("", unicodedata.normalize("NFD", text))
    return " ".join(_DASHES.sub("-", text).split()).strip("„“”«»\"'` ").removesuffix(".")


def meant(names: Sequence[str], typed: str) -> list[int]:
    """Return the indices of the names that a text may mean: exact matches; if there are none, names
    that begin with the text; if there are none, names with a later word that begins with it.
    """
    wanted, known = plain(typed), [plain(name) for name in names]
    if not wanted:
        return []
    ways = (
        lambda name: name == wanted,
        lambda name: name.startswith(wanted),
        lambda name: any(word.startswith(wanted) for word in name.split()),
    )
    for fits in ways:
        if found := [number for number, name in enumerate(known) if fits(name)]:
            return found
    return []
