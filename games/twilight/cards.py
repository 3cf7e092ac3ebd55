"""The 28 cards, in two equal sets, one of the Moon and one of the Sun; and the value of a pile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Literal, NamedTuple

MOON, SUN = 0, 1
CULTS = ("moon", "sun")
"""The names of the cults, by number."""

Kind = Literal["purgatory", "cleric", "souls", "sanctuary"]


@dataclass(frozen=True, slots=True)
class CultCard:
    """A card.

    :param name: its notation: cult, kind and number, such as ``SL5`` or ``MP``.
    :param number: clerics 1 (Hierarch) to 5 (Novice); souls 3 to 7; sanctuaries 1 (Altar) to 3
        (Obelisk); 0 for purgatory.
    :param rank: the highest rank takes the trick, unless it is a purgatory's; among equals, the
        card played first.
    :param souls: the souls it adds to a pile.
    :param factor: the amount it adds to the multiplier of its own cult.
    """

    name: str
    cult: int
    kind: Kind
    number: int
    rank: int
    souls: int = 0
    factor: int = 0


def _set_of(cult: int) -> Iterator[CultCard]:
    """Yield the set of a cult, sorted by rank, then by worth."""
    letter = "MS"[cult]
    yield CultCard(f"{letter}P", cult, "purgatory", 0, rank=8)
    for number in (1, 2, 3, 4, 5):
        yield CultCard(f"{letter}C{number}", cult, "cleric", number, rank=8 - number, souls=1)
    for number in (7, 6, 5, 4, 3):
        yield CultCard(f"{letter}L{number}", cult, "souls", number, rank=2, souls=number)
    for number in (3, 2, 1):
        yield CultCard(f"{letter}H{number}", cult, "sanctuary", number, rank=1, factor=number)


DECK: tuple[CultCard, ...] = tuple(chain(_set_of(MOON), _set_of(SUN)))
"""All cards, in the order in which a hand lists them."""

CARDS: dict[str, CultCard] = {card.name: card for card in DECK}
SETS: tuple[tuple[str, ...], ...] = tuple(
    tuple(card.name for card in DECK if card.cult == cult) for cult in (MOON, SUN)
)
"""The names of the cards of each cult."""

RANK: dict[str, int] = {card.name: card.rank for card in DECK}
PURGATORY = max(RANK.values())
"""The rank of a purgatory: it stops a trick, and nobody takes it."""

_PLACE_IN_DECK = {name: n for n, name in enumerate(CARDS)}


def in_order(cards: Iterable[str]) -> list[str]:
    """Return the cards in the order in which hands and piles are listed."""
    return sorted(cards, key=_PLACE_IN_DECK.__getitem__)


class Account(NamedTuple):
    """The score of a side's pile.

    :param souls: the souls of all cards in it, of either cult.
    :param factor: the total factor of the sanctuaries of its own cult; those of the other cult add
        nothing, but the other side no longer gets them.
    """

    souls: int
    factor: int

    @property
    def points(self) -> int:
        """The points; without a sanctuary of its own cult, all souls are lost."""
        return self.souls * self.factor


def account(pile: Iterable[str], cult: int) -> Account:
    """Return the account of a cult's side for the cards that it has taken."""
    souls = factor = 0
    for name in pile:
        card = CARDS[name]
        souls += card.souls
        if card.cult == cult:
            factor += card.factor
    return Account(souls, factor)
