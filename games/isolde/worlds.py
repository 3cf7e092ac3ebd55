"""Samples the cards that a viewer has not seen, consistently with everything that the viewer has
seen.

In a draft, a viewer knows more than their own cards: they know the packs they passed on, the cards
that were missing when these came back, the cards that everyone has played since, and that the
neutral colour takes the highest card of each pack. ``remember`` collects this knowledge, and
``imagine_draft`` finds hands consistent with all of it. With a neutral colour, only a few takings
are unknown, so they can be drawn with their exact odds.
"""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain, permutations, product
from math import floor
from typing import NamedTuple

from games.engine import View, shuffled
from games.house import NOBODY
from games.isolde.cards import CARD, NAME, VALUE, Card, cards_named, less
from games.isolde.draft import direction
from games.isolde.state import IsoldeState

TRIES = 5
"""How many times to try drawing all cards in one go. If all attempts fail, a complete search
follows, which takes longer.
"""


def imagine_draft(state: IsoldeState, memory: CardKnowledge, rng: random.Random) -> None:
    """Fill ``packs``, ``kept`` and ``hands`` in a state whose other fields are known."""
    if memory.plans:
        packs, kept_by_all = _drawn(memory, rng)
    else:
        puzzle = Puzzle(memory, rng)
        puzzle.solve()
        packs, kept_by_all = puzzle.packs, puzzle.kept
    state.packs = list(map(sorted, packs))
    state.kept = [tuple(kept) for kept in kept_by_all]
    if not any(state.packs):
        for hand, kept, played in zip(state.hands, kept_by_all, state.played, strict=True):
            hand.extend(kept)
            for card, _ in played:
                hand.remove(card)
            hand.sort()


def cards_shown(state: IsoldeState) -> list[list[Card]]:
    """Return the cards of each colour that everyone has seen in this round."""
    shown = [[card for card, _ in played] for played in state.played]
    for due in state.agenda:
        if due.step == "route":  # this card has been turned up and is about to be played
            shown[due.colour].append(CARD[due.data[0]])
    return shown


@dataclass(frozen=True, slots=True)
class CardKnowledge:
    """A viewer's knowledge of the cards; it never changes.

    :param neutral: the neutral colour, or NOBODY. For a spectator, who never has to decide, it is
        treated like a player.
    :param kept: the cards taken, by colour and time; NOBODY where unknown.
    :param packs: the pack of each colour; empty if unknown.
    :param sizes: the sizes of the packs.
    :param seen: the packs that the viewer has looked at.
    :param shown: the cards that others have shown, by colour.
    :param needed: how many copies of each card others have shown.
    :param unseen: cards that the viewer has not seen in any pack.
    :param passed_on: the packs that the viewer has passed on, each with the cards that may have
        been taken from it, and those that were still there when it came back.
    :param came: the routes of all packs to the viewer.
    :param plans: with a neutral colour, all explanations of the cards shown.
    :param odds: the cumulative weights of the plans.
    """

    viewer: int
    neutral: int
    kept: list[list[Card]]
    packs: list[list[Card]]
    sizes: list[int]
    seen: list[list[Card]]
    shown: list[list[Card]]
    needed: list[int]
    unseen: list[Card]
    passed_on: list[tuple[PassedOn, list[Card], list[Card]]]
    came: tuple[Came, ...]
    plans: list[Explanation]
    odds: list[float]


def remember(state: IsoldeState, view: View) -> CardKnowledge:
    """Collect a viewer's knowledge of the cards.

    :param state: a state in which everything is set except the cards.
    """
    colours = len(state.played)
    viewer = NOBODY if view.viewer is None else view.viewer
    counts: list[int] = view.public["kept"]
    kept = [[NOBODY] * count for count in counts]
    packs: list[list[Card]] = [[] for _ in range(colours)]
    seen: list[list[Card]] = []
    shown = cards_shown(state)
    if viewer != NOBODY:
        seen = [cards_named(pack) for pack in view.private["seen"]]
        kept[viewer] = cards_named(view.private["kept"][viewer])
        packs[viewer] = cards_named(view.private["pack"])
        shown[viewer] = []
    needed = [0] * len(NAME)
    for card in chain(*shown):
        needed[card] += 1
    hand = state.rules.numbers.hand
    ways, came = _course(viewer, len(seen), tuple(counts), direction(state.round), hand)
    passed_on = [_taken_from(pack, seen, kept[viewer]) for pack in ways]
    neutral = NOBODY if viewer == NOBODY else state.rules.seating.neutral
    unseen = less(
        state.rules.deck, chain(*seen[:colours])
    )  # later packs hold only cards that were in earlier ones
    plans = [] if neutral == NOBODY else _plans(neutral, passed_on, came, shown, seen, unseen)
    return CardKnowledge(
        viewer=viewer,
        neutral=neutral,
        kept=kept,
        packs=packs,
        sizes=view.public["packs"],
        seen=seen,
        shown=shown,
        needed=needed,
        unseen=unseen,
        passed_on=passed_on,
        came=came,
        plans=plans,
        odds=list(accumulate(plan.weight for plan in plans)),
    )


def _taken_from(
    pack: PassedOn, seen: list[list[Card]], kept: list[Card]
) -> tuple[PassedOn, list[Card], list[Card]]:
    """Return the pack, the cards that may have been taken from it, and those known to have stayed.

    :param kept: the cards that the viewer kept.
    """
    staying = [] if pack.back is None else seen[pack.back]
    return pack, less(seen[pack.time], [kept[pack.time], *staying]), staying


# ------------------------------------------------------------------- with a neutral colour
Place = tuple[int, int]
"""Identifies the taking of a card, by the colour and the time."""


class Explanation(NamedTuple):
    """A way to explain all cards that have been shown.

    :param known: for each taking from a pack that the viewer knew, the card.
    :param packs: what is left of these packs, by present holder.
    :param shown: for each taking of an unseen card that explains another shown card, the card.
    :param same: the ``shown`` of each earlier plan with the same ``known``.
    :param unseen: the unseen cards except those in ``shown``.
    :param bounds: for each taking of an unseen card by the neutral colour, an upper bound on its
        weight.
    :param weight: an upper bound on the number of worlds, each weighted by its probability.
    """

    known: dict[Place, Card]
    packs: dict[int, list[Card]]
    shown: dict[Place, Card]
    same: list[dict[Place, Card]]
    unseen: list[Card]
    bounds: dict[Place, float]
    weight: float


def pick_odds(card: Card, others: Iterable[Card]) -> float:
    """Return the probability that the neutral colour takes this card rather than one of the
    others.
    """
    value, highest = VALUE[card], 1
    for other in others:
        if VALUE[other] > value:
            return 0.0
        highest += VALUE[other] == value
    return 1 / highest


def _plans(
    neutral: int,
    passed_on: Iterable[tuple[PassedOn, list[Card], list[Card]]],
    came: tuple[Came, ...],
    shown: Sequence[list[Card]],
    seen: Sequence[list[Card]],
    unseen: list[Card],
) -> list[Explanation]:
    """Return all ways to explain the cards shown.

    :param seen: the packs that the viewer has looked at, by time.
    """
    plans = []
    rest = {place: seen[way.time] for way in came if way.time is not None for place in way.takers}
    for chosen in product(*[list(_known_takings(neutral, *pack)) for pack in passed_on]):
        weight, known, packs = 1.0, dict[Place, Card](), dict[int, list[Card]]()
        for share, takings, left in chosen:
            weight *= share
            known |= takings
            packs |= left
        same: list[dict[Place, Card]] = []
        for accounted in _accounts(shown, known, list(rest)):
            plan = _plan(
                neutral, Explanation(known, packs, accounted, same[:], unseen, {}, weight), rest
            )
            if plan.weight:
                plans.append(plan)
                same.append(accounted)
    return plans


def _plan(neutral: int, plan: Explanation, rest: dict[Place, list[Card]]) -> Explanation:
    """Complete a plan with its bounds and its weight.

    :param plan: the plan so far: no bounds, the weight of the known takings only, and all unseen
        cards in ``unseen``.
    :param rest: for each taking of an unseen card, the pack as the viewer saw it later.
    """
    weight, unseen, bounds = plan.weight, plan.unseen[:], dict[Place, float]()
    for card in plan.shown.values():
        weight *= unseen.count(card)
        if not weight:
            break
        unseen.remove(card)
    free = len(unseen)
    for place, pack in rest.items():
        given = plan.shown.get(place)
        if place[0] == neutral:
            candidates = unseen if given is None else [given]
            bounds[place] = sum(pick_odds(card, pack) for card in candidates)
            weight *= bounds[place]
        elif given is None:
            weight *= free
        free -= given is None
    return plan._replace(unseen=unseen, bounds=bounds, weight=weight)


def _known_takings(
    neutral: int, pack: PassedOn, free: list[Card], staying: list[Card]
) -> Iterator[tuple[float, dict[Place, Card], dict[int, list[Card]]]]:
    """Yield the possible takings from a pack that the viewer has passed on: the probability of the
    neutral choices, the cards taken, and the rest for its holder if the pack did not come back.
    """
    for cards in permutations(free, len(pack.takers)):
        left, weight = free[:], 1.0
        for (taker, _), card in zip(pack.takers, cards, strict=True):
            left.remove(card)
            if taker == neutral:
                weight *= pick_odds(card, chain(left, staying))
        if weight:
            kept = {pack.keeper: left} if pack.back is None else {}
            yield weight, dict(zip(pack.takers, cards, strict=True)), kept


def _accounts(
    shown: Sequence[list[Card]], known: dict[Place, Card], places: list[Place]
) -> Iterator[dict[Place, Card]]:
    """Yield every way to assign takings to the shown cards that ``known`` does not explain."""
    ways: list[list[dict[Place, Card]]] = []
    for colour, cards in enumerate(shown):
        rest = cards[:]
        for (taker, _), card in known.items():
            if taker == colour and card in rest:
                rest.remove(card)
        own = [place for place in places if place[0] == colour]
        found = {frozenset(zip(way, rest, strict=True)) for way in permutations(own, len(rest))}
        ways.append([dict(sorted(way)) for way in sorted(found, key=sorted)])
    for parts in product(*ways):
        yield {place: card for part in parts for place, card in part.items()}


def _drawn(memory: CardKnowledge, rng: random.Random) -> tuple[list[list[Card]], list[list[Card]]]:
    """Return the packs and the cards kept in a random world, drawn with its exact odds."""
    while True:
        plan = memory.plans[bisect(memory.odds, rng.random() * memory.odds[-1])]
        filled = _filled(memory, plan, rng)
        if filled is not None:
            return filled


def _filled(
    memory: CardKnowledge, plan: Explanation, rng: random.Random
) -> tuple[list[list[Card]], list[list[Card]]] | None:
    """Fill in the takings of unseen cards, and the packs that the viewer has not seen.

    :returns: None if this plan is rejected, which corrects for a weight that was too high.
    """
    takings, unseen = {**plan.known, **plan.shown}, plan.unseen[:]
    for way in memory.came:
        pack = [] if way.time is None else memory.seen[way.time][:]
        for place in way.takers if pack else ():
            card = _taken_unseen(plan, place, pack, unseen, rng)
            if card is None:
                return None
            takings[place] = card
            pack.append(card)
    if any(earlier.items() <= takings.items() for earlier in plan.same):
        return None  # this world already belongs to an earlier plan
    packs = [plan.packs.get(keeper, known) for keeper, known in enumerate(memory.packs)]
    for way in memory.came:
        if way.time is None:
            size = memory.sizes[way.keeper] + len(way.takers)
            packs[way.keeper] = pack = [_popped(unseen, rng) for _ in range(size)]
            for place in reversed(way.takers):
                takings[place] = _picked(pack, place[0] == memory.neutral, rng)
    kept = [cards[:] for cards in memory.kept]
    for (colour, time), card in takings.items():
        kept[colour][time] = card
    return packs, kept


def _taken_unseen(
    plan: Explanation, place: Place, pack: list[Card], unseen: list[Card], rng: random.Random
) -> Card | None:
    """Return the card of a taking; remove it from ``unseen`` if the plan does not give it.

    :param pack: the rest of the pack after the taking.
    :returns: None if this plan is rejected, which corrects for a bound that was too high.
    """
    given, bound = plan.shown.get(place), plan.bounds.get(place)
    if bound is None:
        return _popped(unseen, rng) if given is None else given
    candidates = unseen if given is None else [given]
    sums = list(accumulate(pick_odds(card, pack) for card in candidates))
    point = rng.random() * bound
    if not sums or point >= sums[-1]:
        return None
    at = bisect(sums, point)
    return unseen.pop(at) if given is None else given


def _popped(cards: list[Card], rng: random.Random) -> Card:
    return cards.pop(floor(rng.random() * len(cards)))


def _picked(pack: list[Card], highest: bool, rng: random.Random) -> Card:
    """Remove a random card from the pack and return it; if ``highest``, a random one of the highest
    cards.
    """
    least = max(VALUE[card] for card in pack) if highest else 0
    card = _popped([card for card in pack if VALUE[card] >= least], rng)
    pack.remove(card)
    return card


# ------------------------------------------------------------------ without a neutral colour
Taking = tuple[int, int, list[Card]]
"""A card that a colour took unseen by the viewer: the taker, the time, and the possible cards."""


class Puzzle:
    """The unknown takings of a draft, filled in by trial and error.

    :ivar kept: cards by colour and time.
    :ivar packs: the pack of each colour.
    :ivar unseen: cards that the viewer has not seen anywhere.
    :ivar unexplained: cards shown that no taking explains yet, by colour.
    :ivar needed: how many copies of each card are still unexplained.
    :ivar left: how many copies of each card can still be taken.
    :ivar spare: how many takings of each colour do not have to explain a shown card.
    :ivar bound: whether any shown card restricts the takings.
    :ivar takings: the takings: first those from packs that the viewer knew; from ``unknown_from``
        on, those of cards that the viewer has not seen.
    """

    def __init__(self, memory: CardKnowledge, rng: random.Random) -> None:
        self.rng = rng
        self.memory = memory
        self.kept = [cards[:] for cards in memory.kept]
        self.packs = memory.packs[:]
        self.unseen = memory.unseen[:]
        self.unexplained = [cards[:] for cards in memory.shown]
        self.needed = memory.needed[:]
        self.left = [0] * len(NAME)
        self.takings: list[Taking] = []
        for passed_on, free, _ in memory.passed_on:
            self._add_known(passed_on, free)
        self.unknown_from = len(self.takings)
        for came in memory.came:
            self._add_unknown(came)
        self.bound = any(self.unexplained)
        if not self.bound:
            return
        for card in self.unseen:
            self.left[card] += 1
        self.spare = [-len(cards) for cards in self.unexplained]
        for taker, _, _ in self.takings:
            self.spare[taker] += 1

    def solve(self) -> bool:
        """Fill in all takings.

        :returns: False if that is impossible.
        """
        if not self.bound:
            self._take_freely()
            return True
        return any(self._solve_at_once() for _ in range(TRIES)) or self._solve_from(0)

    def _take_freely(self) -> None:
        """Fill in all takings at random; used if no shown card restricts them."""
        random_, kept = self.rng.random, self.kept
        for taker, time, source in self.takings:
            kept[taker][time] = source.pop(floor(random_() * len(source)))

    def _solve_at_once(self) -> bool:
        """Fill in one taking after another; if that fails, undo all of them.

        :returns: whether it succeeded.
        """
        placed: list[tuple[Taking, Card, bool]] = []
        for at, taking in enumerate(self.takings):
            possible = at != self.unknown_from or self._explicable()
            card = self._first_candidate(taking) if possible else None
            if card is None:
                while placed:
                    self._take_back(*placed.pop())
                return False
            placed.append((taking, card, self._place(taking, card)))
        return True

    def _solve_from(self, at: int) -> bool:
        """Fill in all takings from an index on, by a complete search.

        :returns: whether it succeeded.
        """
        if at == len(self.takings):
            return True
        if at == self.unknown_from and not self._explicable():
            return False
        taking = self.takings[at]
        for card in self._candidates(taking):
            explains = self._place(taking, card)
            if self._solve_from(at + 1):
                return True
            self._take_back(taking, card, explains)
        return False

    # -- the takings
    def _add_known(self, passed_on: PassedOn, free: list[Card]) -> None:
        """Add the takings from a pack after the viewer passed it on, in order of time."""
        free = free[:]
        if passed_on.back is None:
            self.packs[passed_on.keeper] = free
        if passed_on.takers:
            for card in free:
                self.left[card] += 1
        self.takings += [(taker, time, free) for taker, time in passed_on.takers]

    def _add_unknown(self, came: Came) -> None:
        """Add the takings from a pack before the viewer saw it, the latest first."""
        if came.time is None:
            size = self.memory.sizes[came.keeper]
            self.packs[came.keeper] = [_popped(self.unseen, self.rng) for _ in range(size)]
        self.takings += [(taker, time, self.unseen) for taker, time in came.takers]

    # -- trial and error
    def _first_candidate(self, taking: Taking) -> Card | None:
        """Return a random card that may have been taken; None if there is none."""
        taker, _, possible = taking
        shown = self.unexplained[taker]
        if shown:
            explaining = [card for card in shown if card in possible]
            if explaining and self._explained_first(taking, explaining):
                return explaining[floor(self.rng.random() * len(explaining))]
        if not possible or not self.spare[taker]:
            return None
        card = possible[floor(self.rng.random() * len(possible))]
        if not self.needed[card] or not self._claimed(card):
            return card
        others = [other for other in possible if not self._claimed(other)]
        return others[floor(self.rng.random() * len(others))] if others else None

    def _candidates(self, taking: Taking) -> list[Card]:
        """Return all cards that may have been taken, in random order."""
        possible = taking[2]
        shown = shuffled(self.rng, self.unexplained[taking[0]])
        explaining = [card for card in shown if card in possible]
        others = shuffled(self.rng, possible) if self.spare[taking[0]] else []
        others = [card for card in others if not self._claimed(card)]
        first = self._explained_first(taking, explaining)
        return list(dict.fromkeys(explaining + others if first else others + explaining))

    def _explained_first(self, taking: Taking, explaining: list[Card]) -> bool:
        """Return whether to try shown cards first. This is random, and more likely the fewer cards
        are possible.
        """
        here = len(set(explaining)) * len(self.unseen)
        elsewhere = self.spare[taking[0]] * len(taking[2])
        return self.rng.random() * (here + elsewhere) < here

    def _claimed(self, card: Card) -> bool:
        """Return whether all remaining copies of a card are needed to explain cards already
        shown.
        """
        needed = self.needed[card]
        return needed > 0 and self.left[card] <= needed

    def _explicable(self) -> bool:
        """Return whether the unseen cards can explain all shown cards that the known packs have not
        explained. This is only used to fail early.
        """
        return all(
            self.unseen.count(card) >= self.needed[card]
            for shown in self.unexplained
            for card in shown
        )

    def _place(self, taking: Taking, card: Card) -> bool:
        """Fill in a card.

        :returns: whether it explains a card shown.
        """
        taker, time, source = taking
        source.remove(card)
        self.left[card] -= 1
        self.kept[taker][time] = card
        shown = self.unexplained[taker]
        explains = card in shown
        if explains:
            shown.remove(card)
            self.needed[card] -= 1
        else:
            self.spare[taker] -= 1
        return explains

    def _take_back(self, taking: Taking, card: Card, explains: bool) -> None:
        taker, _, source = taking
        source.append(card)
        self.left[card] += 1
        if explains:
            self.unexplained[taker].append(card)
            self.needed[card] += 1
        else:
            self.spare[taker] += 1


# ------------------------------------------------------------------------- routes of packs
class PassedOn(NamedTuple):
    """A pack that the viewer has passed on.

    :param time: when the viewer had it.
    :param back: when it came back to the viewer, or None.
    :param keeper: the colour that has it now.
    :param takers: (colour, time) of those who took from it in between.
    """

    time: int
    back: int | None
    keeper: int
    takers: tuple[tuple[int, int], ...]


class Came(NamedTuple):
    """A pack before it came to the viewer.

    :param time: when it came, or None if it has not come yet.
    :param keeper: the colour that has it now.
    :param takers: (colour, time) of those who took from it before, the last one first.
    """

    time: int | None
    keeper: int
    takers: tuple[tuple[int, int], ...]


@cache
def _course(
    viewer: int, seen: int, counts: tuple[int, ...], step: int, hand: int
) -> tuple[tuple[PassedOn, ...], tuple[Came, ...]]:
    """Return the routes of all packs of a draft.

    :param viewer: the colour, or NOBODY.
    :param seen: how many packs the viewer has looked at.
    :param counts: how many cards each colour has taken.
    :param step: which way the packs are passed, LEFT or RIGHT.
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
