"""What the cards that a viewer has not seen may be, given all that the viewer has seen.

In a draft a viewer knows more than the own cards: what was in the packs passed on, what was
missing when they came back, what everyone has played since, and that the neutral colour takes the
highest card of each pack. ``imagine_draft`` finds hands that agree with all of it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from games.engine import View, shuffled
from games.isolde.cards import CARD, VALUE, Card, less, named
from games.isolde.draft import holder
from games.isolde.state import NOBODY, IsoldeState


def imagine_draft(state: IsoldeState, view: View, rng: random.Random) -> None:
    """Fill ``packs``, ``kept`` and ``hands`` of a state whose other fields are known."""
    puzzle = Puzzle(state, view, rng)
    while not puzzle.solve():  # the rest of an unseen pack may have left nothing for the neutral
        puzzle = Puzzle(state, view, rng)
    state.packs = [tuple(sorted(pack)) for pack in puzzle.packs]
    state.kept = [tuple(kept) for kept in puzzle.kept]
    if not any(state.packs):
        state.hands = [
            tuple(sorted(less(kept, (card for card, _ in played))))
            for kept, played in zip(state.kept, state.played, strict=True)
        ]


def cards_shown(state: IsoldeState) -> list[list[Card]]:
    """The cards of each colour that everyone has seen in this round."""
    shown = [[card for card, _ in played] for played in state.played]
    for due in state.agenda:
        if due.step == "route":  # turned up, and about to be played
            shown[due.colour].append(CARD[due.data[0]])
    return shown


class Taking(NamedTuple):
    """A card that a colour took without the viewer seeing which.

    :param source: what it can have been.
    :param beside: what else was in the pack then, ``source`` being in it or not.
    :param joined: the list in ``beside`` that the card joins, seen from the takings before it.
    """

    taker: int
    time: int
    source: list[Card]
    beside: tuple[list[Card], ...]
    joined: list[Card] | None


class Puzzle:
    """The unknown takings of a draft, to be filled in by trial and error.

    :ivar kept: cards by colour and time.
    :ivar packs: what each colour holds.
    :ivar unseen: cards that the viewer has not seen anywhere.
    :ivar unexplained: by colour, cards shown that no taking accounts for yet.
    :ivar spare: by colour, how many takings need not account for a card shown.
    :ivar takings: first those from packs that the viewer knew, then from ``unknown_from`` on those
        of cards that the viewer has not seen.
    """

    def __init__(self, state: IsoldeState, view: View, rng: random.Random) -> None:
        self.state, self.rng = state, rng
        self.colours = len(state.played)
        self.viewer = NOBODY if view.viewer is None else view.viewer
        # For a spectator, who has no decision to make, what the neutral took is not worked out.
        neutral = state.rules.seating.neutral
        self.neutral = NOBODY if self.viewer == NOBODY else neutral

        self.kept = [[NOBODY] * count for count in view.public["kept"]]
        self.packs: list[list[Card]] = [[] for _ in range(self.colours)]
        self.sizes: list[int] = view.public["packs"]
        self.seen: list[tuple[Card, ...]] = []
        self.unexplained = cards_shown(state)
        if view.viewer is not None:
            self.seen = [named(pack) for pack in view.private["seen"]]
            self.kept[self.viewer] = list(named(view.private["kept"][self.viewer]))
            self.packs[self.viewer] = list(named(view.private["pack"]))
            self.unexplained[self.viewer] = []
        self.passes = len(self.kept[max(self.viewer, 0)])
        self.unseen = less(state.rules.deck, self._all_seen())
        self.takings = self._known_groups()
        self.unknown_from = len(self.takings)
        self.takings += self._unknown()
        self.spare = [-len(cards) for cards in self.unexplained]
        for taking in self.takings:
            self.spare[taking.taker] += 1

    def solve(self, at: int = 0) -> bool:
        """Fill in all takings from the index ``at`` on, if it can be done."""
        if at == len(self.takings):
            return True
        if at == self.unknown_from and not self._explicable():
            return False
        taking = self.takings[at]
        for card in self._candidates(taking):
            explains = self._place(taking, card)
            if self._neutral_took_highest(taking, card) and self.solve(at + 1):
                return True
            self._take_back(taking, card, explains)
        return False

    # -- the takings
    def _all_seen(self) -> Iterator[Card]:
        """Every card that the viewer has seen, once each."""
        for time, pack in enumerate(self.seen):
            if time < self.colours:  # later the same packs come again
                yield from pack

    def _holder(self, origin: int, time: int) -> int:
        return holder(origin, time, self.state.round, self.colours)

    def _takers(self, origin: int, begin: int, end: int) -> Iterator[tuple[int, int]]:
        """(colour, time) of those who took from a pack, ``begin`` and ``end`` as in ``range``."""
        for time in range(begin, end):
            taker = self._holder(origin, time)
            if time < len(self.kept[taker]):
                yield taker, time

    def _sightings(self, origin: int) -> list[int]:
        """The times at which the viewer held a pack."""
        return [time for time in range(len(self.seen)) if self._holder(origin, time) == self.viewer]

    def _known_groups(self) -> list[Taking]:
        """The takings from packs after the viewer has passed them on, in the order of time."""
        takings = []
        for origin in range(self.colours):
            sightings = self._sightings(origin)
            for time in sightings:
                if time >= len(self.kept[self.viewer]):
                    continue  # not passed on yet
                free = less(self.seen[time], [self.kept[self.viewer][time]])
                back = time + self.colours
                staying: list[Card] = []
                if back in sightings:
                    staying = list(self.seen[back])
                    free = less(free, staying)
                else:
                    back = self.state.rules.numbers.hand
                    self.packs[self._holder(origin, self.passes)] = free
                takings += [
                    Taking(taker, moment, free, (free, staying), None)
                    for taker, moment in self._takers(origin, time + 1, back)
                ]
        return takings

    def _unknown(self) -> list[Taking]:
        """The takings from packs before the viewer saw them, the latest first."""
        takings = []
        for origin in range(self.colours):
            sightings = self._sightings(origin)
            if sightings:
                end = sightings[0]
                later = list(self.seen[end])
            else:
                end = self.state.rules.numbers.hand
                keeper = self._holder(origin, self.passes)
                self.packs[keeper] = self._any_unseen(self.sizes[keeper])
                later = self.packs[keeper][:]
            takings += [
                Taking(taker, time, self.unseen, (later,), later)
                for taker, time in reversed(list(self._takers(origin, 0, end)))
            ]
        return takings

    def _any_unseen(self, number: int) -> list[Card]:
        return [self.unseen.pop(int(self.rng.random() * len(self.unseen))) for _ in range(number)]

    # -- trial and error
    def _candidates(self, taking: Taking) -> Iterator[Card]:
        """What may have been taken, in a random order. The fewer cards it can have been, the more
        likely it is one of those shown.
        """
        needed = dict.fromkeys(shuffled(self.rng, self.unexplained[taking.taker]))
        explaining = [card for card in needed if card in taking.source]
        spare = self.spare[taking.taker]
        here, elsewhere = len(explaining) * len(self.unseen), spare * len(taking.source)
        if not spare:
            yield from explaining
        elif self.rng.random() * (here + elsewhere) < here:
            yield from chain(explaining, self._others(taking))
        else:
            yield from chain(self._others(taking), explaining)

    def _others(self, taking: Taking) -> Iterator[Card]:
        """Other cards than those shown that may have been taken."""
        source = taking.source
        if source is not self.unseen:
            yield from dict.fromkeys(shuffled(self.rng, source))
            return
        first = source[int(self.rng.random() * len(source))]  # mostly the only one needed
        if not self._claimed(first):
            yield first
        for card in dict.fromkeys(shuffled(self.rng, source)):
            if not self._claimed(card):
                yield card

    def _claimed(self, card: Card) -> bool:
        """Whether all copies of an unseen card are needed for what has been shown."""
        return self.unseen.count(card) <= self._needed(card)

    def _needed(self, card: Card) -> int:
        return sum([cards.count(card) for cards in self.unexplained])

    def _explicable(self) -> bool:
        """Whether the unseen cards can account for all that the known groups have not, and the
        packs that the neutral colour took from for its own. Only to fail early.
        """
        if any(self.unseen.count(card) < self._needed(card) for card in chain(*self.unexplained)):
            return False
        if self.neutral == NOBODY:
            return True
        highest = sorted(
            max([VALUE[card] for card in chain(*taking.beside)], default=0)
            for taking in self.takings[self.unknown_from :]
            if taking.taker == self.neutral
        )
        shown = sorted(VALUE[card] for card in self.unexplained[self.neutral])
        return all(value >= least for value, least in zip(shown, highest, strict=False))

    def _place(self, taking: Taking, card: Card) -> bool:
        """Fill in a card; returns whether it accounts for a card shown."""
        taking.source.remove(card)
        self.kept[taking.taker][taking.time] = card
        if taking.joined is not None:
            taking.joined.append(card)
        explains = card in self.unexplained[taking.taker]
        if explains:
            self.unexplained[taking.taker].remove(card)
        else:
            self.spare[taking.taker] -= 1
        return explains

    def _take_back(self, taking: Taking, card: Card, explains: bool) -> None:
        taking.source.append(card)
        if taking.joined is not None:
            taking.joined.pop()
        if explains:
            self.unexplained[taking.taker].append(card)
        else:
            self.spare[taking.taker] += 1

    def _neutral_took_highest(self, taking: Taking, card: Card) -> bool:
        if taking.taker != self.neutral:
            return True
        return all(VALUE[other] <= VALUE[card] for other in chain(*taking.beside))
