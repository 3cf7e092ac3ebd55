"""The training cards. Each has a type, which says where it can be played, and a value.

A card is an index into the tuples in this module; cards that look alike have the same index.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

TYPES = ("ISOLDE", "KAMPF", "STUDIEN", "KOENIG", "GRAL", "BARM")
VALUES = (2, 3, 4, 5)

KAMPF = "KAMPF"
"""The type of card that is made for two boards, Lanzenstechen and Turnierkampf."""

Card = int
Cards = tuple[Card, ...]

TYPE = tuple(kind for kind in TYPES for _ in VALUES)
VALUE = tuple(value for _ in TYPES for value in VALUES)

NAME = tuple(f"{kind}{value}" for kind, value in zip(TYPE, VALUE, strict=True))
"""The names of cards in moves, views and facts: ``GRAL4``."""

CARD = {name: card for card, name in enumerate(NAME)}

_BRIEF = tuple(f"{kind[:2]}{value}" for kind, value in zip(TYPE, VALUE, strict=True))
_BRIEFLY = {brief: card for card, brief in enumerate(_BRIEF)}
_BRIEF_LENGTH = 3


def play_move(card: Card, board: str) -> str:
    """Return ``play:GRAL4`` for the board named like the card's type, ``play:GRAL4>MAGIE`` for
    another.
    """
    return f"play:{NAME[card]}" if TYPE[card] == board else f"play:{NAME[card]}>{board}"


def full_deck(copies: Iterable[tuple[str, tuple[int, int, int, int]]]) -> Cards:
    """Return all cards of the game, sorted.

    :param copies: pairs: a type, and how many cards it has of each value.
    """
    return tuple(
        sorted(
            CARD[f"{kind}{value}"]
            for kind, numbers in copies
            for value, number in zip(VALUES, numbers, strict=True)
            for _ in range(number)
        )
    )


def less(hand: Iterable[Card], cards: Iterable[Card]) -> list[Card]:
    """Return a hand without these cards, all of which it must contain."""
    rest = list(hand)
    for card in cards:
        rest.remove(card)
    return rest


def names(hand: Iterable[Card]) -> list[str]:
    """Return the names of cards."""
    return [NAME[card] for card in hand]


def cards_named(cards: Iterable[str]) -> list[Card]:
    """Return the cards with these names, in the same order."""
    return [CARD[name] for name in cards]


def in_brief(hand: Iterable[Card]) -> str:
    """Write cards in three characters each, so that a whole deal fits into one event."""
    return "".join([_BRIEF[card] for card in hand])


def from_brief(text: str) -> list[Card]:
    """Read the cards that ``in_brief`` wrote."""
    return [_BRIEFLY[text[part]] for part in _parts(len(text))]


@cache
def _parts(length: int) -> tuple[slice, ...]:
    """Return the slices in which a text of this length holds its cards."""
    return tuple(slice(at, at + _BRIEF_LENGTH) for at in range(0, length, _BRIEF_LENGTH))
