"""Die Holde Isolde in words: what boards, cards and colours are called."""

from __future__ import annotations

import re
from collections.abc import Sequence

from data.texts import N_, Texts
from games.engine import View

BOARDS = {
    "ISOLDE": N_("Fair Isolde"),
    "MAGIE": N_("Magic"),
    "LANZE": N_("Jousting"),
    "TURNIER": N_("Tournament"),
    "STUDIEN": N_("Studies"),
    "KOENIG": N_("The King"),
    "GRAL": N_("Quest for the Grail"),
    "BARM": N_("Charity"),
}
"""The boards, in the order in which they are scored."""

KNIGHTS = {"LANZE": N_("Black Knight"), "TURNIER": N_("White Knight")}
"""What the two boards of the tournaments are called in the variant The Great Tournament."""

CARDS = {
    "ISOLDE": N_("Isolde"),
    "KAMPF": N_("Combat"),
    "STUDIEN": N_("Studies"),
    "KOENIG": N_("King"),
    "GRAL": N_("Grail"),
    "BARM": N_("Charity"),
}
"""The types of cards, short enough for a button."""

BONUSES = {
    "START": N_("Start"),
    "SCHWERT": N_("Sword"),
    "FUENFTE": N_("Fifth card"),
    "KOENIG2": N_("King"),
    "EINS": N_("One field"),
}
"""The bonuses of Galanterie."""

CARD = re.compile(r"(?P<type>[A-Z]+)(?P<value>\d)")


def board_name(board: str, view: View | None, say: Texts) -> str:
    """A board as this match calls it.

    :param view: None: as most matches call it.
    """
    if view is not None and view.options.get("turnier") and board in KNIGHTS:
        return say(KNIGHTS[board])
    return say(BOARDS[board])


def card_name(card: str, say: Texts) -> str:
    """A card: ``Grail 4``."""
    match = CARD.fullmatch(card)
    if match is None:
        raise ValueError(f"{card!r} is no card")
    return f"{say(CARDS[match['type']])} {match['value']}"


def cards_in_words(cards: Sequence[str], say: Texts) -> str:
    """Several cards, as a list."""
    return say.list([card_name(card, say) for card in cards])


def colour_names(view: View, names: Sequence[str], say: Texts) -> list[str]:
    """Names by colour.

    :param names: by seat, as they may be put where the names go.
    """
    neutral = say("the neutral player")
    return [neutral if owner is None else names[owner] for owner in view.public["owners"]]
