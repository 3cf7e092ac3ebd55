"""How people type: with any dash, in any case, with umlauts or without, and names cut short."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_DASHES = re.compile(r"[‐‑‒–—―−﹘﹣－]+")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def plain(text: str) -> str:
    """A text with nothing in it that does not matter: in lower case, every dash a hyphen, umlauts
    spelled out, single blanks, no quotation marks around it and no full stop behind it.
    """
    text = unicodedata.normalize("NFKC", text).casefold().translate(_UMLAUTS)
    return " ".join(_DASHES.sub("-", text).split()).strip("„“”\"'`’ ").removesuffix(".")


def meant(names: Sequence[str], typed: str) -> list[int]:
    """The numbers of the names that somebody may mean: those that are typed in full, else those
    that begin with what was typed, else those of which a later word does.
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
