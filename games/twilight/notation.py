"""Reads typed moves, and says which rules forbid them.

Every refusal depends only on what the person may know: their own hand, the open cards and the backs
of the others.

===================  ===========================================================================
``unknown_card``     text: neither a card nor an order
``wrong_cult``       card, cult: a card of this cult is due
``not_in_hand``      card
``neumond_gives``    card: Neumond was ordered, so the card has to come from that hand
``lone_gives``       card: the lone player was ordered, so the card has to come from their hand
``already_ordered``  cult: a card has to be given; the order cannot be passed on
``no_such_place``    text: no such seat
``which_player``     text, names, numbers: it fits several players; their names and numbers
``own_order``        cult: players cannot order a card from their own hand: they play it
``neumond_plays``    cult: the lone player cannot order a Moon card from Neumond: they play it
``no_such_back``     target (a seat, None: Neumond), cult: that hand has no card of the cult
===================  ===========================================================================
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.engine import PLAYER_MOVE_MAX, IllegalMove, Move
from games.house import NOBODY
from games.spelling import meant, plain
from games.twilight.cards import CARDS, CULTS
from games.twilight.position import GIVE, LONE, NEUMOND, NEUMOND_SIGN, ORDER, TwilightState

ORDERING = re.compile(
    r"(?:order|anweisung|anweisen|ordre|ordonner|orden|ordenar)(?![a-z])[\s:]*"
    r"(?:(?:to|an|a|pour)\s+)?(?P<who>.*)"
)
NAMED_TWICE = re.compile(r"(?P<card>[^()]+?)(?: ?\((?P<again>[^()]+)\))?")
"""A card, possibly followed by the same card in brackets: ``SL5 (5 souls of the Sun)``."""

PEOPLE = {"1": "1", "2": "2", "3": "3", "4": "4"} | dict.fromkeys(
    (
        *("n", "neumond", "new moon", "newmoon"),
        *("nouvelle lune", "la nouvelle lune", "luna nueva", "la luna nueva"),
    ),
    NEUMOND_SIGN,
)

CULT_WORDS = {
    **dict.fromkeys(("moon", "mond", "mondes", "lune", "luna"), "M"),
    **dict.fromkeys(("sun", "sonne", "soleil", "sol"), "S"),
}
KIND_WORDS = {
    "purgatory": "P",
    "fegefeuer": "P",
    "purgatoire": "P",
    **dict.fromkeys(("hierarch", "hierarque"), "C1"),
    "hohepriester": "C2",
    "priest": "C3",
    "priester": "C3",
    "pretre": "C3",
    **dict.fromkeys(("adept", "adepte"), "C4"),
    "novice": "C5",
    "novize": "C5",
    **dict.fromkeys(("altar", "autel"), "H1"),
    "temple": "H2",
    "tempel": "H2",
    **dict.fromkeys(("obelisk", "obelisque", "obelisco"), "H3"),
    "purgatorio": "P",
    "jerarca": "C1",
    "sacerdote": "C3",
    "adepto": "C4",
    "novicio": "C5",
    "templo": "H2",
    **dict.fromkeys(("soul", "souls", "seele", "seelen", "ame", "ames", "alma", "almas"), "L"),
}
"""Names of cards in all languages, with their notation."""

HIGH_PRIEST = re.compile("high priest|grand pretre|sumo sacerdote")
"""The names of the high priest that have two words."""

LITTLE_WORDS = {"of", "the", "des", "der", "die", "dem", "de", "du", "la", "le", "del", "el"}


def of_players(text: str, names: Sequence[str]) -> str:
    """Return an order with the number of the player it names; return any other text unchanged.

    :param names: the names of the players, by seat.
    :raises IllegalMove: ``which_player``.
    """
    order = ORDERING.fullmatch(plain(text))
    if order is None or order["who"].isdecimal():
        return text
    numbers = [seat + 1 for seat in meant(names, order["who"])]
    if not numbers or (order["who"] in PEOPLE and order["who"] not in map(plain, names)):
        return text
    if len(numbers) > 1:
        fitting = [names[number - 1] for number in numbers]
        raise IllegalMove("which_player", text=order["who"], names=fitting, numbers=numbers)
    return f"{ORDER}{numbers[0]}"


def understood(state: TwilightState, seat: int, text: str) -> Move:
    """Return the move that a text means, legal or not: ``sl5``, ``SL 5``, ``5 souls of the Sun``,
    ``Obelisk`` (of the cult whose turn it is), ``order:2``, ``Order 2``, ``order neumond``.

    :raises IllegalMove: ``unknown_card`` or ``no_such_place``.
    """
    spelling = plain(text)
    order = ORDERING.fullmatch(spelling)
    if order and order["who"] not in PEOPLE:
        raise IllegalMove("no_such_place", text=text[:PLAYER_MOVE_MAX])
    if order:
        return ORDER + PEOPLE[order["who"]]
    said = NAMED_TWICE.fullmatch(spelling)
    card = _card(said["card"], CULTS[state.turn % 2][0].upper()) if said else ""
    if card not in CARDS or (said and said["again"] and _card(said["again"], card[0]) != card):
        raise IllegalMove("unknown_card", text=text[:PLAYER_MOVE_MAX])
    return card


named = understood


def _card(spelling: str, letter: str) -> str:
    """Return the notation of a card, given in notation or by name.

    :param letter: the letter of the cult to assume if none is named.
    """
    code = re.sub(r"[\s\-]", "", spelling).upper()
    return code if code in CARDS else _by_name(spelling, letter)


def _by_name(spelling: str, letter: str) -> str:
    """Return the notation of a card given by name, such as ``5 souls of the Sun``. If there is no
    such card, the result is empty, or is not a card's notation.

    :param letter: the letter of the cult, if the name has none.
    """
    kinds, numbers, cults = list[str](), list[str](), list[str]()
    words = HIGH_PRIEST.sub("hohepriester", spelling).replace("-", " ")
    for word in words.split():
        if word in CULT_WORDS:
            cults.append(CULT_WORDS[word])
        elif word in KIND_WORDS:
            kinds.append(KIND_WORDS[word])
        elif word.isdecimal():
            numbers.append(word)
        elif word not in LITTLE_WORDS:
            return ""
    return "".join([*(cults or [letter]), *kinds, *numbers])


def refusal(state: TwilightState, seat: int, move: Move) -> IllegalMove:
    """Return the rule that forbids a move, as a refusal."""
    if move.startswith(ORDER):
        return _refused_order(state, move)
    cult = state.turn % 2
    if CARDS[move].cult != cult:
        return IllegalMove("wrong_cult", card=move, cult=CULTS[cult])
    if state.ordered == NEUMOND and state.seating.seats[NEUMOND] == NOBODY:
        return IllegalMove("neumond_gives", card=move)
    lone_gives = state.ordered == LONE and state.seating.lone != NOBODY
    if lone_gives and move in state.hands[2 * NEUMOND + cult]:
        return IllegalMove("lone_gives", card=move)
    return IllegalMove("not_in_hand", card=move)


def _refused_order(state: TwilightState, move: Move) -> IllegalMove:
    turn, cult = state.turn, state.turn % 2
    target = state.seating.targets.get(move)
    if state.phase == GIVE:
        return IllegalMove("already_ordered", cult=CULTS[cult])
    if target is None:
        return IllegalMove("no_such_place", text=move)
    if all(order != move for _, order in state.seating.orders[turn]):
        code = "neumond_plays" if move == ORDER + NEUMOND_SIGN else "own_order"
        return IllegalMove(code, cult=CULTS[cult])
    seat = state.seating.seats[target]
    return IllegalMove("no_such_back", target=None if seat == NOBODY else seat, cult=CULTS[cult])
