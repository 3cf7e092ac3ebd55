"""Twin matches of Twilight: equal in everything that one viewer knows, otherwise different.

The twin swaps two cards of the deal that others still hold unseen. All moves made since stay legal
and look the same, so everything that the bot shows, says or refuses to that viewer must be
identical, too.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, cast

from games.engine import CHANCE, Event, Fact, Match, Move
from games.house import NOBODY
from games.twilight import Twilight
from games.twilight.cards import DECK
from games.twilight.position import TwilightState

GAME = Twilight()
ORDER_IN_DECK = {card.name: n for n, card in enumerate(DECK)}


def random_match(players: int, seed: int, **options: Any) -> Match[TwilightState]:
    """A whole match of random moves."""
    match = Match(GAME, GAME.setup(players, options, str(seed)))
    match.advance()
    rng = random.Random(seed)
    while match.actors:
        (seat,) = match.actors
        match.play(seat, [GAME.random_move(match.state, seat, rng)])
    return match


class Dealt(Match[TwilightState]):
    """A match that, for a history that starts in the last deal, replays only that deal, which is
    faster.

    :ivar before: the match just before that deal.
    """

    before: Dealt | None = None

    def copy(self) -> Dealt:
        return cast(Dealt, super().copy())

    def followed_by(self, *log: Event) -> Dealt:
        """The match after further events."""
        return cast(Dealt, self.extended(log)[0])

    def history(
        self, viewer: int | None, since: int = 0
    ) -> list[tuple[int, Move | None, list[Fact]]]:
        if self.before is None or since < self.before.ply:
            return super().history(viewer, since)
        return self._told(viewer, self.before.state.clone(), self.before.ply, since)


def after_each_event(match: Match[TwilightState]) -> Iterator[Match[TwilightState]]:
    at = Dealt(GAME, match.setup)
    for event in match.log:
        if event.move.startswith("deal:"):
            before = at.copy()
            before.before = None
            at.before = before
        at = at.followed_by(event)
        yield at


def positions(match: Match[TwilightState]) -> Iterator[Match[TwilightState]]:
    """The match after each event that leaves a card to be played."""
    for at in after_each_event(match):
        if at.state.turn != NOBODY:
            yield at


def twin(
    match: Match[TwilightState], viewer: int | None, rng: random.Random
) -> Match[TwilightState] | None:
    """Another match that the viewer cannot tell from this one; None if there is none."""
    swaps = list(_swaps(match.state, viewer))
    if not swaps:
        return None
    one, other = rng.choice(swaps)
    dealt = max(n for n, event in enumerate(match.log) if event.move.startswith("deal:"))
    what, places = match.log[dealt].move.split(":")
    swapped = list(places)
    first, second = ORDER_IN_DECK[one], ORDER_IN_DECK[other]
    swapped[first], swapped[second] = swapped[second], swapped[first]
    deal = Event(CHANCE, f"{what}:{''.join(swapped)}")
    before = match.before if isinstance(match, Dealt) else None
    if before is None:
        return Match.replay(GAME, match.setup, [*match.log[:dealt], deal, *match.log[dealt + 1 :]])
    varied = before.followed_by(deal, *match.log[dealt + 1 :])
    varied.before = before
    return varied


def _swaps(state: TwilightState, viewer: int | None) -> Iterator[tuple[str, str]]:
    """Pairs of cards of the same cult in two hands hidden from the viewer."""
    seats = state.seating.seats
    hidden = [place for place in range(4) if seats[place] not in (viewer, NOBODY)]
    for cult in (0, 1):
        for place in hidden:
            for other in hidden:
                if place < other:
                    for one in state.hands[2 * place + cult]:
                        for card in state.hands[2 * other + cult]:
                            yield one, card
