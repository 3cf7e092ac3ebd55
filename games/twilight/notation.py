"""What a typed text means, and which rule forbids what it asks for.

Every refusal rests on what the person who is refused may know: the own hand, the open cards and
the backs of the others.

===================  ===========================================================================
``unknown_card``     text: neither a card nor an order
``wrong_cult``       card, cult: a card of this cult is due
``not_in_hand``      card
``neumond_gives``    card: Neumond was ordered, so the card has to come from his hand
``lone_gives``       card: the lone player was ordered, so the card has to come from the own hand
``already_ordered``  cult: a card has to be given, no order passed on
``no_such_place``    text: no such seat
``own_order``        the player on turn plays, and does not order the own hands
``no_such_back``     target (a seat, None: Neumond), cult: not a card of the cult is in that hand
===================  ===========================================================================
"""

from __future__ import annotations

import re

from games.engine import PLAYER_MOVE_MAX, IllegalMove, Move
from games.twilight.cards import CARDS, CULTS
from games.twilight.position import (
    GIVE,
    LONE,
    NEUMOND,
    NEUMOND_SIGN,
    NOBODY,
    ORDER,
    TwilightState,
)

ORDERING = re.compile(r"order[\s:]*(?P<who>.*)")
PEOPLE = {"1": "1", "2": "2", "3": "3", "4": "4", "n": NEUMOND_SIGN, "neumond": NEUMOND_SIGN}


def understood(text: str) -> Move:
    """The move that a text means, legal or not.

    :raises IllegalMove: ``unknown_card`` or ``no_such_place``.
    """
    spelling = text.strip().casefold()
    order = ORDERING.fullmatch(spelling)
    if order and order["who"] not in PEOPLE:
        raise IllegalMove("no_such_place", text=text[:PLAYER_MOVE_MAX])
    if order:
        return ORDER + PEOPLE[order["who"]]
    card = re.sub(r"[\s\-]", "", spelling).upper()
    if card not in CARDS:
        raise IllegalMove("unknown_card", text=text[:PLAYER_MOVE_MAX])
    return card


def refusal(state: TwilightState, move: Move) -> IllegalMove:
    """Which rule forbids a move that is not legal."""
    if move.startswith(ORDER):
        return _refused_order(state, move)
    cult = state.turn % 2
    if CARDS[move].cult != cult:
        return IllegalMove("wrong_cult", card=move, cult=CULTS[cult])
    if state.ordered == NEUMOND and state.seating.seats[NEUMOND] == NOBODY:
        return IllegalMove("neumond_gives", card=move)
    if move in state.hands[2 * NEUMOND + cult] and _is_lone_giving(state):
        return IllegalMove("lone_gives", card=move)
    return IllegalMove("not_in_hand", card=move)


def _is_lone_giving(state: TwilightState) -> bool:
    return state.ordered == LONE and state.seating.lone != NOBODY


def _refused_order(state: TwilightState, move: Move) -> IllegalMove:
    turn, cult = state.turn, state.turn % 2
    target = state.seating.targets.get(move)
    if state.phase == GIVE:
        return IllegalMove("already_ordered", cult=CULTS[cult])
    if target is None:
        return IllegalMove("no_such_place", text=move)
    if all(order != move for _, order in state.seating.orders[turn]):
        return IllegalMove("own_order", cult=CULTS[cult])
    seat = state.seating.seats[target]
    return IllegalMove("no_such_back", target=None if seat == NOBODY else seat, cult=CULTS[cult])
