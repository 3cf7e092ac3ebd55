"""Rounds at tables of three or more: people with equal scores meet, but seldom meet twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations, product

from games.engine import rng_for, shuffled
from play.pairings.meetings import Meeting, Round, bye, had_bye, met, scored, seated

BEGINNINGS = 8
"""How many random orders are tried in addition to the order of the standings. The orders are the
same in every process.
"""

TRIES = 200
"""The maximum number of swaps of two people per order; 32 people need far fewer."""


def sizes_of(places: int, allowed: Collection[int]) -> tuple[int, ...]:
    """Return the sizes of the tables, the largest first: with as few byes as possible, then as few
    tables as possible, then sizes as equal as possible.

    :param allowed: the possible sizes, each at least 2.
    """
    counts: dict[int, tuple[int, ...]] = {0: ()}
    for left in range(1, places + 1):
        ways = [
            tuple(sorted((*counts[left - size], size), reverse=True))
            for size in allowed
            if left - size in counts
        ]
        if ways:
            counts[left] = min(ways, key=lambda way: (len(way), sum(size**2 for size in way)))
    return counts[max(counts)]


def grouped_round(
    places: Sequence[int],
    past: Sequence[Round],
    allowed: Collection[int],
    apart: Collection[frozenset[int]] = (),
) -> Round:
    """Return the next round at tables of three or more: those with the highest scores at the first
    table, byes last.

    :param places: the places of those who are still playing.
    :param allowed: the possible sizes of a table; the largest is that of a full table.
    :param apart: pairs to keep apart; they meet only if no other way is found.
    """
    score = {place: scored(place, past, max(allowed)) for place in places}
    order = sorted(places, key=lambda place: (-score[place], place))
    sizes, times = sizes_of(len(order), allowed), Counter(met(past))
    free = sorted(order, key=lambda place: (had_bye(place, past), score[place], -place))[
        : len(order) - sum(sizes)
    ]
    playing = [place for place in order if place not in free]
    weights = _weights(playing, score, past, frozenset(apart))
    tables = _parted(_dealt(playing, sizes, bool(past)), weights)
    if any(times[pair] for table in tables for pair in Meeting(tuple(table)).pairs):
        # Swaps from other starting orders may lead to fewer repeated meetings.
        shuffles = (rng_for(f"{len(past)}", number) for number in range(BEGINNINGS))
        deals = [_dealt(shuffled(rng, playing), sizes, by_standing=True) for rng in shuffles]
        others = (_parted(deal, weights) for deal in deals)
        tables = min([tables, *others], key=lambda deal: _cost(deal, weights))
    tables.sort(key=lambda table: [-score[place] for place in sorted(table, key=order.index)])
    meetings: list[Meeting] = [seated(table, past, turn) for turn, table in enumerate(tables)]
    return (*meetings, *(bye(place) for place in sorted(free)))


def _dealt(order: Sequence[int], sizes: Sequence[int], by_standing: bool) -> list[list[int]]:
    """Deal places to tables: in the first round, spread the best seeds over the tables; later, seat
    places with equal scores together.
    """
    tables: list[list[int]] = [[] for _ in sizes]
    if by_standing:
        left = list(order)
        for table, size in zip(tables, sizes, strict=True):
            table.extend(left[:size])
            del left[:size]
        return tables
    at = 0
    for place in order:
        while len(tables[at % len(tables)]) == sizes[at % len(tables)]:
            at += 1
        tables[at % len(tables)].append(place)
        at += 1
    return tables


Weights = dict[int, dict[int, int]]
"""The penalty for seating two places at one table, indexed by both places."""


def _weights(
    places: Sequence[int],
    score: dict[int, int],
    past: Sequence[Round],
    apart: frozenset[frozenset[int]],
) -> Weights:
    """Return the penalties. A forbidden pair weighs more than all repeated meetings together, and a
    repeated meeting more than all differences of points.
    """
    times = met(past)
    span = max(score.values()) - min(score.values())
    again = 1 + span**2 * len(places) ** 2
    never = again * (1 + len(past) ** 2 * len(places) ** 2)
    weights: Weights = {place: {} for place in places}
    for one, other in combinations(places, 2):
        pair = frozenset((one, other))
        # A third meeting of one pair is worse than the second meetings of two pairs.
        weight = (score[one] - score[other]) ** 2 + again * times.get(pair, 0) ** 2
        weight += never * (pair in apart)
        weights[one][other] = weights[other][one] = weight
    return weights


def _cost(tables: Sequence[Sequence[int]], weights: Weights) -> int:
    return sum(weights[a][b] for table in tables for a, b in combinations(table, 2))


def _parted(tables: list[list[int]], weights: Weights) -> list[list[int]]:
    """Swap two people at a time for as long as that improves the round, and return the tables. Each
    time the best swap is made; of equal swaps, the first.
    """
    for _ in range(TRIES):
        best, found = 0, None
        for a, b in combinations(range(len(tables)), 2):
            for x, y in product(tables[a], tables[b]):
                gain = _alone(x, y, tables[a], weights) + _alone(y, x, tables[b], weights)
                if gain > best:
                    best, found = gain, (a, b, x, y)
        if found is None:
            break
        a, b, x, y = found
        tables[a] = [y if place == x else place for place in tables[a]]
        tables[b] = [x if place == y else place for place in tables[b]]
    return tables


def _alone(goes: int, comes: int, table: Sequence[int], weights: Weights) -> int:
    """Return how much a table's penalty falls if one person leaves and another takes the seat."""
    left, new = weights[goes], weights[comes]
    return sum(left[place] - new[place] for place in table if place != goes)
