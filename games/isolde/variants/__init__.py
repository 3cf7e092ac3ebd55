"""The variants. To add one, write its boards in a module of this package and list it here.

Each is an option of the match. Its boards replace those with the same ids; a board with a new id is
added. Two variants that replace the same board exclude each other.
"""

from __future__ import annotations

from typing import NamedTuple

from games.isolde.state import Board
from games.isolde.variants.barmherzigkeit import Exchange
from games.isolde.variants.galanterie import Galanterie
from games.isolde.variants.gralssuche import Reckoning
from games.isolde.variants.herausforderung import Herausforderung
from games.isolde.variants.kodex import Kodex
from games.isolde.variants.koenig import Scrolls
from games.isolde.variants.magie import Magie
from games.isolde.variants.turnier import BlackKnight, WhiteKnight


class Variant(NamedTuple):
    """A variant, switched on by the option ``key``."""

    key: str
    boards: tuple[type[Board], ...]


VARIANTS = (
    Variant("galanterie", (Galanterie,)),
    Variant("magie", (Magie,)),
    Variant("turnier", (BlackKnight, WhiteKnight)),
    Variant("herausforderung", (Herausforderung,)),
    Variant("kodex", (Kodex,)),
    Variant("koenig", (Scrolls,)),
    Variant("gral", (Reckoning,)),
    Variant("barm", (Exchange,)),
)
