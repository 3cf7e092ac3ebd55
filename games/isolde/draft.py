"""The draft: keep one card from a pack and pass on the others, until every colour has its hand.

At *time* 0 every colour takes a card from the pack that it was dealt, at time 1 from the pack that
was passed to it, and so on.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache
from math import floor
from typing import Final

from games.engine import IllegalMove, Move
from games.house import tell
from games.isolde.cards import CARD, NAME, VALUE, Card, names
from games.isolde.state import AgendaStep, Facts, IsoldeState
from games.isolde.steps import Draw, Sealed

LEFT: Final = 1
RIGHT: Final = -1

_KEEP = tuple(f"keep:{name}" for name in NAME)
_KEPT = {move: card for card, move in enumerate(_KEEP)}
_PICK = tuple(f"pick:{name}" for name in NAME)
_PICKED = {move: card for card, move in enumerate(_PICK)}


def direction(round_: int) -> int:
    """Return which way packs are passed: left (to the next seat) in odd rounds, right in even
    rounds.
    """
    return LEFT if round_ % 2 else RIGHT


class DraftCard(Sealed):
    """Every player takes a card from their pack: ``keep:GRAL4``. The engine takes the last card for
    them.
    """

    name = "draft"
    verb = "keep"

    def legal(self, state: IsoldeState, seat: int) -> list[Move]:
        """Return the different cards of the pack."""
        return [_KEEP[card] for card in dict.fromkeys(state.packs[seat])]

    def random_move(self, state: IsoldeState, seat: int, rng: random.Random) -> Move:
        """Return any card of the pack; a card with two copies is twice as likely."""
        pack = state.packs[seat]
        return _KEEP[pack[floor(rng.random() * len(pack))]]

    def unseal(self, state: IsoldeState, choices: Iterable[Move], fx: Facts) -> None:
        """Take the cards and pass the packs on."""
        packs, kept = state.packs, state.kept
        for seat, move in enumerate(choices):
            card = _KEPT[move]
            kept[seat] += (card,)
            packs[seat].remove(card)
        if direction(state.round) == LEFT:
            packs.insert(0, packs.pop())
        else:
            packs.append(packs.pop(0))
        last = len(packs[0]) == 1
        if fx is not None:
            way = state.rules.seating.direction(state.round)
            tell(fx, "passed_on", reveals=True, number=len(kept[0]), direction=way, last=last)
        if last:
            for colour, pack in enumerate(packs):
                kept[colour] += tuple(pack)
                state.hands[colour] = sorted(kept[colour])
                pack.clear()

    def refusal(self, state: IsoldeState, seat: int, argument: str) -> IllegalMove:
        """Refuse a text that is not a card, or a card that is not in the pack."""
        if argument not in CARD:
            return IllegalMove("unknown_card", text=argument)
        return IllegalMove("not_in_pack", card=argument, pack=names(state.packs[seat]))


class NeutralPick(Draw):
    """The neutral colour takes the highest card of its pack, or a random one of the highest:
    ``pick:GRAL5``.

    CHANCE draws even if there is only one, so nobody learns whether there was more than one.
    """

    name = "pick"
    verb = "pick"
    secret = True

    def chance(self, state: IsoldeState) -> list[tuple[Move, float]]:
        """Return the highest cards, weighted by their copies."""
        best = self._highest(state)
        return [(_PICK[card], float(best.count(card))) for card in dict.fromkeys(best)]

    def sample(self, state: IsoldeState, rng: random.Random) -> Move:
        """Return one of the highest cards at random, weighted by copies."""
        best = self._highest(state)
        return _PICK[best[floor(rng.random() * len(best))]]

    def _highest(self, state: IsoldeState) -> list[Card]:
        best: list[Card] = []
        highest = 0
        for card in state.packs[state.agenda[-1].colour]:
            value = VALUE[card]
            if value > highest:
                best, highest = [card], value
            elif value == highest:
                best.append(card)
        return best

    def do(self, state: IsoldeState, seat: int, move: Move, fx: Facts) -> None:
        """Add the card to those that the neutral colour has kept."""
        state.actors = ()
        card, colour = _PICKED[move], state.agenda.pop().colour
        state.kept[colour] += (card,)
        state.packs[colour].remove(card)


STEPS: tuple[AgendaStep, ...] = (DraftCard(), NeutralPick())


# ------------------------------------------------------------------- what a player remembers
def packs_seen(state: IsoldeState, seat: int) -> list[list[Card]]:
    """Return the packs that a seat has seen in this round, by time, as they were before it took a
    card.
    """
    packs, kept = state.packs, state.kept
    passes = len(kept[seat])
    trails = _trails(seat, passes, direction(state.round), len(packs))
    seen = []
    for holder, takings in trails if packs[seat] else trails[:passes]:
        cards = [
            *packs[holder],
            *kept[holder][passes:],
        ]  # the neutral colour takes its card before the others do
        for taker, time in takings:
            cards += kept[taker][time : time + 1]
        cards.sort()
        seen.append(cards)
    return seen


@cache
def _trails(
    seat: int, passes: int, step: int, colours: int
) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
    """For each time, follow the pack that the seat held then: return its present holder, and the
    (colour, time) of everyone who has taken from it since, starting with the seat.
    """

    def holder(time: int, later: int) -> int:
        return (seat + step * (later - time)) % colours

    return tuple(
        (
            holder(time, passes),
            tuple((holder(time, later), later) for later in range(time, passes)),
        )
        for time in range(passes + 1)
    )
