"""Keeping one card of a pack and passing the rest on, until every colour has its hand.

A pack is identified by the colour that it was dealt to, its *origin*; at *time* 0 that colour
takes a card from it, at time 1 the next colour, and so on.
"""

from __future__ import annotations

import random
from typing import Final

from games.engine import IllegalMove, Move
from games.isolde.cards import CARD, NAME, VALUE, Card, Hand, names, without
from games.isolde.state import Due, Facts, IsoldeState, Step, tell
from games.isolde.steps import Draw, Sealed

LEFT: Final = 1
RIGHT: Final = -1

_KEEP = tuple(f"keep:{name}" for name in NAME)
_KEPT = {move: card for card, move in enumerate(_KEEP)}


def direction(round_: int) -> int:
    """Packs go to the left, to the next seat, in odd rounds and to the right in even ones."""
    return LEFT if round_ % 2 else RIGHT


def holder(origin: int, time: int, round_: int, colours: int) -> int:
    """The colour that takes from a pack at a time."""
    return (origin + direction(round_) * time) % colours


class Draft(Sealed):
    """All persons take a card from their packs: ``keep:GRAL4``. The last card takes itself."""

    name = "draft"
    verb = "keep"

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """The different cards of the pack."""
        return [_KEEP[card] for card in dict.fromkeys(state.packs[seat])]

    def unseal(self, state: IsoldeState, choices: list[Move], fx: Facts) -> None:
        """Take the cards and pass the packs on."""
        packs, kept = state.packs, state.kept
        for seat, move in enumerate(choices):
            card = _KEPT[move]
            kept[seat] += (card,)
            packs[seat] = without(packs[seat], card)
        if direction(state.round) == LEFT:
            packs.insert(0, packs.pop())
        else:
            packs.append(packs.pop(0))
        if fx is not None:
            _tell_passing(state, fx)
        if len(packs[0]) == 1:
            _take_last_cards(state)

    def refusal(self, state: IsoldeState, seat: int, argument: str) -> IllegalMove:
        """No card, or none of the pack."""
        if argument not in CARD:
            return IllegalMove("unknown_card", text=argument)
        return IllegalMove("not_in_pack", card=argument, pack=names(state.packs[seat]))


def _tell_passing(state: IsoldeState, fx: Facts) -> None:
    last = len(state.packs[0]) == 1
    way = state.rules.seating.direction(state.round)
    tell(fx, "passed_on", reveals=True, number=len(state.kept[0]), direction=way, last=last)
    for seat in range(state.rules.players):
        tell(fx, "received", to=seat, cards=names(state.packs[seat]), last=last)


def _take_last_cards(state: IsoldeState) -> None:
    for colour, pack in enumerate(state.packs):
        state.kept[colour] += pack
        state.hands[colour] = tuple(sorted(state.kept[colour]))
    state.packs = [()] * len(state.packs)


class NeutralPick(Draw):
    """The neutral colour takes the highest card of its pack, any of several: ``pick:GRAL5``.

    CHANCE draws even if there is only one: whether there were several stays secret.
    """

    name = "pick"
    verb = "pick"
    secret = True

    def chance(self, state: IsoldeState) -> list[tuple[Move, float]]:
        """The highest cards, each as often as it is there."""
        best = self._highest(state)
        return [(f"pick:{NAME[card]}", float(best.count(card))) for card in dict.fromkeys(best)]

    def sample(self, state: IsoldeState, rng: random.Random) -> Move:
        """One of the highest cards."""
        best = self._highest(state)
        return f"pick:{NAME[best[int(rng.random() * len(best))]]}"

    def _highest(self, state: IsoldeState) -> list[Card]:
        pack = state.packs[state.agenda[-1].colour]
        highest = max([VALUE[card] for card in pack])
        return [card for card in pack if VALUE[card] == highest]

    def drawn(self, state: IsoldeState, due: Due, draw: str, fx: Facts) -> None:
        """Put the card on the neutral pile."""
        card = CARD[draw]
        state.kept[due.colour] += (card,)
        state.packs[due.colour] = without(state.packs[due.colour], card)


STEPS: tuple[Step, ...] = (Draft(), NeutralPick())


# ------------------------------------------------------------------- what a person remembers
def packs_seen(state: IsoldeState, seat: int) -> list[Hand]:
    """The packs that a seat has looked at in this round, by time, before it took a card."""
    looked_at = len(state.kept[seat]) + (1 if state.packs[seat] else 0)
    return [_contents(state, seat, time) for time in range(looked_at)]


def _contents(state: IsoldeState, seat: int, time: int) -> Hand:
    """The pack that a seat held at a time: what is left of it, and what was taken since."""
    round_, colours = state.round, len(state.packs)
    origin = holder(seat, -time, round_, colours)
    left = state.packs[holder(origin, len(state.kept[seat]), round_, colours)]
    taken: list[Card] = []
    for later in range(time, state.rules.numbers.hand):
        taken += state.kept[holder(origin, later, round_, colours)][later : later + 1]
    return tuple(sorted((*left, *taken)))
