"""Hands in the Lancelot game: each player has two piles, one of which goes to the opponent.

Each player secretly splits six cards into two piles; the piles are revealed; each player takes one
of the opponent's piles and leaves the other; then both divide their six cards between their two
colours.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from itertools import chain, combinations

from games.engine import IllegalMove, Move, View, shuffled
from games.house import tell
from games.isolde.cards import CARD, NAME, Card, Cards, cards_named, less, names
from games.isolde.state import AgendaStep, Due, Facts, IsoldeState
from games.isolde.steps import ColourChoice, Sealed

PERSONS = 2


def colours_of(seat: int) -> tuple[int, int]:
    """Return the two colours of a player; they alternate with the opponent's."""
    return seat, seat + PERSONS


class Halving(Sealed):
    """Both players choose half of their cards; the move lists them."""

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """Return every distinct choice of half the cards."""
        pack = names(state.packs[seat])
        halves = dict.fromkeys(combinations(pack, len(pack) // 2))
        return [f"{self.verb}:" + ",".join(half) for half in halves]

    def chosen(self, move: Move) -> Cards:
        """Return the cards that a move lists."""
        return tuple(cards_named(move.partition(":")[2].split(",")))

    def spelled(self, argument: str) -> str:
        """Return the cards, sorted."""
        cards = argument.split(",")
        return ",".join(sorted(cards, key=lambda name: CARD.get(name, len(NAME))))

    def refusal(self, state: IsoldeState, seat: int, argument: str) -> IllegalMove:
        """Refuse cards that the player does not have, or any number except half of the player's
        cards.
        """
        pack = names(state.packs[seat])
        listed = Counter(argument.split(","))
        for name, times in listed.items():
            if name not in CARD:
                return IllegalMove("unknown_card", text=name)
            if times > pack.count(name):
                return IllegalMove("not_in_pack", card=name, pack=pack)
        return IllegalMove("half_needed", number=len(pack) // 2)


class Split(Halving):
    """The cards of the first pile, ``split:GRAL4,GRAL2,BARM3``; the others form the second pile."""

    name = "split"
    verb = "split"

    def unseal(self, state: IsoldeState, choices: Iterable[Move], fx: Facts) -> None:
        """Reveal the piles."""
        firsts = [self.chosen(move) for move in choices]
        state.piles = tuple(
            (first, tuple(less(pack, first)))
            for first, pack in zip(firsts, state.packs, strict=True)
        )
        state.packs = [[] for _ in range(PERSONS)]
        piles = [[names(pile) for pile in both] for both in state.piles]
        tell(fx, "piles", reveals=True, piles=piles)


class Pile(ColourChoice):
    """A player takes one of the opponent's piles, ``pile:1``; the opponent gets the other
    one back.
    """

    name = "pile"
    verb = "pile"
    refused = "no_such_pile"

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """Return both piles, or just one if they are equal."""
        first, second = state.piles[1 - seat]
        return ["pile:1"] if first == second else ["pile:1", "pile:2"]

    def choose(self, state: IsoldeState, due: Due, choice: str, fx: Facts) -> None:
        """Give each player a pile."""
        taker = state.decider(due.colour)
        giver = 1 - taker
        piles = state.piles[giver]
        taken = int(choice) - 1
        for seat, pile in ((taker, piles[taken]), (giver, piles[1 - taken])):
            state.packs[seat] = sorted([*state.packs[seat], *pile])
        cards = names(piles[taken])
        tell(fx, "pile_taken", seat=taker, owner=giver, pile=taken + 1, cards=cards)


class Assign(Halving):
    """The cards of the first colour, ``assign:GRAL4,GRAL2,BARM3``; the second colour gets the
    others.
    """

    name = "assign"
    verb = "assign"

    def unseal(self, state: IsoldeState, choices: Iterable[Move], fx: Facts) -> None:
        """Store the hands, hidden from the opponent."""
        for seat, move in enumerate(choices):
            first = self.chosen(move)
            second = tuple(less(state.packs[seat], first))
            for colour, hand in zip(colours_of(seat), (first, second), strict=True):
                state.kept[colour] = hand
                state.hands[colour] = list(hand)
        tell(fx, "assigned")


STEPS: tuple[AgendaStep, ...] = (Split(), Pile(), Assign())


# ----------------------------------------------------------------------- sampling hidden cards
def imagine_piles(state: IsoldeState, view: View, rng: random.Random) -> None:
    """Fill ``piles``, ``packs``, ``kept`` and ``hands`` in a state whose other fields are known."""
    public = view.public
    state.piles = tuple(
        (tuple(cards_named(first)), tuple(cards_named(second))) for first, second in public["piles"]
    )
    if state.piles:
        state.packs = [cards_named(pack) for pack in public["open"]]
    elif any(public["packs"]):
        _imagine_packs(state, view, rng)
    if any(public["kept"]):
        for seat in range(PERSONS):
            if seat == view.viewer:
                for colour in colours_of(seat):
                    state.kept[colour] = tuple(cards_named(view.private["kept"][colour]))
                    state.hands[colour] = cards_named(view.private["hands"][colour])
            else:
                _imagine_assignment(state, view, seat, rng)


def _imagine_packs(state: IsoldeState, view: View, rng: random.Random) -> None:
    mine = [] if view.viewer is None else cards_named(view.private["pack"])
    unseen = shuffled(rng, less(state.rules.deck, mine))
    for seat, size in enumerate(view.public["packs"]):
        if seat == view.viewer:
            state.packs[seat] = mine
        else:
            state.packs[seat], unseen = sorted(unseen[:size]), unseen[size:]


def _imagine_assignment(state: IsoldeState, view: View, seat: int, rng: random.Random) -> None:
    """Divide a player's cards, which everyone has seen, between the two colours at random,
    consistently with what both have played.
    """
    colours = colours_of(seat)
    played = {colour: [card for card, _ in state.played[colour]] for colour in colours}
    left = shuffled(rng, less(state.packs[seat], chain(*played.values())))
    size = view.public["hands"][seat]
    hands = dict(zip(colours, (left[:size], left[size:]), strict=True))

    due = state.agenda[-1] if state.agenda else Due("")
    if due.step == "play" and due.colour in hands and len(hands[due.colour]) == 1:
        other = next(colour for colour in colours if colour != due.colour)
        _let_it_have_a_choice(state, hands[due.colour], hands[other])
    for colour, hand in hands.items():
        state.hands[colour] = sorted(hand)
        state.kept[colour] = tuple(sorted(hand + played[colour]))


def _let_it_have_a_choice(state: IsoldeState, asked: list[Card], other: list[Card]) -> None:
    """A colour that is asked to play its last card must have a choice: if its card fits only one
    board, swap it for one that fits several.
    """
    routes = state.rules.routes
    if len(routes[asked[0]]) == 1:
        at = next(at for at, card in enumerate(other) if len(routes[card]) > 1)
        asked[0], other[at] = other[at], asked[0]
