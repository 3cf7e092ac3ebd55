"""Tolerant reading of what people type: any dash or case, with or without accents, short names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_DASHES = re.compile(r"[‐‑‒–—―−﹘﹣－]+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def plain(text: str) -> str:
    """A text reduced to what matters: lower case, every dash a hyphen, umlauts spelled out, no
    accents, single spaces, no surrounding quotation marks and no full stop at the end.
    """
    text = unicodedata.normalize("NFKC", text).casefold().translate(_UMLAUTS)
    text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return " ".join(_DASHES.sub("-", text).split()).strip("„“”«»\"'`’ ").removesuffix(".")


def meant(names: Sequence[str], typed: str) -> list[int]:
    """The indices of the names that a text may mean: exact matches; if there are none, names that
    begin with the text; if there are none, names with a later word that does.
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
