"""What the cards that a viewer has not seen may be, given all that the viewer has seen.

In a draft a viewer knows more than the own cards: what was in the packs passed on, what was
missing when they came back, what everyone has played since, and that the neutral colour takes the
highest card of each pack. ``imagine_draft`` finds hands that agree with all of it.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import chain
from typing import NamedTuple

from games.engine import View, shuffled
from games.isolde.cards import CARD, NAME, VALUE, Card, less, named
from games.isolde.draft import direction
from games.isolde.state import NOBODY, IsoldeState


def imagine_draft(state: IsoldeState, view: View, rng: random.Random) -> None:
    """Fill ``packs``, ``kept`` and ``hands`` of a state whose other fields are known."""
    puzzle = Puzzle(state, view, rng)
    while not puzzle.solve():  # the rest of an unseen pack may have left nothing for the neutral
        puzzle = Puzzle(state, view, rng)
    state.packs = list(map(sorted, puzzle.packs))
    state.kept = [tuple(kept) for kept in puzzle.kept]
    if not any(state.packs):
        state.hands = [
            sorted(less(kept, [card for card, _ in played]))
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
    :ivar needed: by card, how many of them there are.
    :ivar left: by card, how many can still be taken.
    :ivar spare: by colour, how many takings need not account for a card shown.
    :ivar takings: first those from packs that the viewer knew, then from ``unknown_from`` on those
        of cards that the viewer has not seen.
    """

    def __init__(self, state: IsoldeState, view: View, rng: random.Random) -> None:
        self.rng = rng
        colours = len(state.played)
        self.viewer = NOBODY if view.viewer is None else view.viewer
        # For a spectator, who has no decision to make, what the neutral took is not worked out.
        neutral = state.rules.seating.neutral
        self.neutral = NOBODY if self.viewer == NOBODY else neutral

        counts: list[int] = view.public["kept"]
        self.kept = [[NOBODY] * count for count in counts]
        self.packs: list[list[Card]] = [[] for _ in range(colours)]
        self.sizes: list[int] = view.public["packs"]
        self.seen: list[list[Card]] = []
        self.unexplained = cards_shown(state)
        if view.viewer is not None:
            self.seen = [named(pack) for pack in view.private["seen"]]
            self.kept[self.viewer] = named(view.private["kept"][self.viewer])
            self.packs[self.viewer] = named(view.private["pack"])
            self.unexplained[self.viewer] = []
        self.needed = [0] * len(NAME)
        for cards in self.unexplained:
            for card in cards:
                self.needed[card] += 1
        # After so many packs the first one comes again.
        self.unseen = less(state.rules.deck, chain(*self.seen[:colours]))
        known, unknown = _course(
            self.viewer,
            len(self.seen),
            tuple(counts),
            direction(state.round),
            state.rules.numbers.hand,
        )
        self.left = [0] * len(NAME)
        self.takings: list[Taking] = []
        for passed_on in known:
            self._add_known(passed_on)
        self.unknown_from = len(self.takings)
        for came in unknown:
            self._add_unknown(came)
        for card in self.unseen:
            self.left[card] += 1
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
        first = self._first_candidate(taking)  # mostly the only one needed
        if first is not None and self._solve_with(at, taking, first):
            return True
        return any(
            self._solve_with(at, taking, card) for card in self._candidates(taking) if card != first
        )

    def _solve_with(self, at: int, taking: Taking, card: Card) -> bool:
        """Fill in a card and then all that follows, or take it back if that cannot be done."""
        explains = self._place(taking, card)
        if self.solve(at + 1):
            return True
        self._take_back(taking, card, explains)
        return False

    # -- the takings
    def _add_known(self, passed_on: PassedOn) -> None:
        """The takings from a pack after the viewer has passed it on, in the order of time."""
        free = less(self.seen[passed_on.time], [self.kept[self.viewer][passed_on.time]])
        staying: list[Card] = []
        if passed_on.back is None:
            self.packs[passed_on.keeper] = free
        else:
            staying = list(self.seen[passed_on.back])
            for card in staying:
                free.remove(card)
        if passed_on.takers:
            for card in free:
                self.left[card] += 1
        beside = (free, staying)
        self.takings += [
            Taking(taker, time, free, beside, None) for taker, time in passed_on.takers
        ]

    def _add_unknown(self, came: Came) -> None:
        """The takings from a pack before the viewer saw it, the latest first."""
        if came.time is None:
            self.packs[came.keeper] = self._any_unseen(self.sizes[came.keeper])
            later = self.packs[came.keeper][:]
        else:
            later = self.seen[came.time][:]
        beside = (later,)
        self.takings += [
            Taking(taker, time, self.unseen, beside, later) for taker, time in came.takers
        ]

    def _any_unseen(self, number: int) -> list[Card]:
        return [self.unseen.pop(int(self.rng.random() * len(self.unseen))) for _ in range(number)]

    # -- trial and error
    def _first_candidate(self, taking: Taking) -> Card | None:
        """What may have been taken, drawn at random; None if nothing can."""
        possible = self._possible(taking)
        shown = self.unexplained[taking.taker]
        explaining = [card for card in shown if card in possible] if shown else shown
        if explaining and self._explained_first(taking, explaining):
            return explaining[int(self.rng.random() * len(explaining))]
        if not possible or not self.spare[taking.taker]:
            return None
        card = possible[int(self.rng.random() * len(possible))]
        if not self._claimed(card):
            return card
        others = [other for other in possible if not self._claimed(other)]
        return others[int(self.rng.random() * len(others))] if others else None

    def _candidates(self, taking: Taking) -> list[Card]:
        """All that may have been taken, in a random order."""
        possible = self._possible(taking)
        shown = shuffled(self.rng, self.unexplained[taking.taker])
        explaining = [card for card in shown if card in possible]
        others = shuffled(self.rng, possible) if self.spare[taking.taker] else []
        others = [card for card in others if not self._claimed(card)]
        first = self._explained_first(taking, explaining)
        return list(dict.fromkeys(explaining + others if first else others + explaining))

    def _possible(self, taking: Taking) -> list[Card]:
        """The cards it was taken from; for the neutral colour, the highest of them."""
        if taking.taker != self.neutral:
            return taking.source
        least = max([VALUE[card] for card in chain(*taking.beside)], default=0)
        return [card for card in taking.source if VALUE[card] >= least]

    def _explained_first(self, taking: Taking, explaining: list[Card]) -> bool:
        """Whether to try first the cards that have been shown: the fewer cards it can have been,
        the more likely it is one of them.
        """
        here = len(set(explaining)) * len(self.unseen)
        elsewhere = self.spare[taking.taker] * len(taking.source)
        return self.rng.random() * (here + elsewhere) < here

    def _claimed(self, card: Card) -> bool:
        """Whether all copies of a card that are left are needed for what has been shown."""
        needed = self.needed[card]
        return needed > 0 and self.left[card] <= needed

    def _explicable(self) -> bool:
        """Whether the unseen cards can account for all that the known groups have not, and the
        packs that the neutral colour took from for its own. Only to fail early.
        """
        if any(self.unseen.count(card) < self.needed[card] for card in chain(*self.unexplained)):
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
        self.left[card] -= 1
        self.kept[taking.taker][taking.time] = card
        if taking.joined is not None:
            taking.joined.append(card)
        explains = card in self.unexplained[taking.taker]
        if explains:
            self.unexplained[taking.taker].remove(card)
            self.needed[card] -= 1
        else:
            self.spare[taking.taker] -= 1
        return explains

    def _take_back(self, taking: Taking, card: Card, explains: bool) -> None:
        taking.source.append(card)
        self.left[card] += 1
        if taking.joined is not None:
            taking.joined.pop()
        if explains:
            self.unexplained[taking.taker].append(card)
            self.needed[card] += 1
        else:
            self.spare[taking.taker] += 1


# ------------------------------------------------------------------- which way packs have gone
class PassedOn(NamedTuple):
    """A pack that the viewer has passed on.

    :param time: when the viewer had it.
    :param back: when it came to the viewer again, or None.
    :param keeper: who has it now.
    :param takers: (colour, time) of those who have taken from it in between.
    """

    time: int
    back: int | None
    keeper: int
    takers: tuple[tuple[int, int], ...]


class Came(NamedTuple):
    """A pack before it came to the viewer.

    :param time: when it came, or None if it has not yet.
    :param keeper: who has it now.
    :param takers: (colour, time) of those who took from it before, the last one first.
    """

    time: int | None
    keeper: int
    takers: tuple[tuple[int, int], ...]


@cache
def _course(
    viewer: int, seen: int, counts: tuple[int, ...], step: int, hand: int
) -> tuple[tuple[PassedOn, ...], tuple[Came, ...]]:
    """The way of all packs of a draft.

    :param viewer: the colour, or NOBODY.
    :param seen: how many packs the viewer has looked at.
    :param counts: by colour, how many cards it has taken.
    :param step: the direction of the packs.
    :param hand: cards in a pack when it is dealt.
    """
    colours = len(counts)
    passes = counts[max(viewer, 0)]

    def holder_at(origin: int, time: int) -> int:
        return (origin + step * time) % colours

    def takers(origin: int, begin: int, end: int) -> tuple[tuple[int, int], ...]:
        held = ((holder_at(origin, time), time) for time in range(begin, end))
        return tuple((taker, time) for taker, time in held if time < counts[taker])

    known, unknown = [], []
    for origin in range(colours):
        keeper = holder_at(origin, passes)
        sightings = [time for time in range(seen) if holder_at(origin, time) == viewer]
        for time in sightings:
            if time < passes:
                back = time + colours if time + colours in sightings else None
                after = takers(origin, time + 1, hand if back is None else back)
                known.append(PassedOn(time, back, keeper, after))
        came = sightings[0] if sightings else None
        before = takers(origin, 0, hand if came is None else came)
        unknown.append(Came(came, keeper, before[::-1]))
    return tuple(known), tuple(unknown)
