"""Rounds at tables of three and more: those who stand alike sit together, and meet seldom."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations, product

from play.pairings.meetings import Meeting, Round, bye, had_bye, met, scored, seated

TRIES = 200
"""So many exchanges of two people are made at most; far fewer are needed for 32."""


def sizes_of(places: int, allowed: Collection[int]) -> tuple[int, ...]:
    """How many sit at each table, the largest first: so that as few as can be have a bye, at as few
    tables as can be, as even as can be.

    :param allowed: the numbers of people that may play together, 2 or more.
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
    """The next round at tables of several: those with most points at the first one, byes last.

    :param places: those who play on.
    :param allowed: the numbers of people that may sit at a table; the largest makes a full one.
    :param apart: pairs that must not meet; they do only if there is no other way.
    """
    score = {place: scored(place, past, max(allowed)) for place in places}
    order = sorted(places, key=lambda place: (-score[place], place))
    sizes = sizes_of(len(order), allowed)
    free = sorted(order, key=lambda place: (had_bye(place, past), score[place], -place))[
        : len(order) - sum(sizes)
    ]
    playing = [place for place in order if place not in free]
    tables = _dealt(playing, sizes, bool(past))
    _part(tables, _Company(score, met(past), frozenset(apart)))
    meetings: list[Meeting] = [seated(table, past, turn) for turn, table in enumerate(tables)]
    return (*meetings, *(bye(place) for place in sorted(free)))


def _dealt(order: Sequence[int], sizes: Sequence[int], by_standing: bool) -> list[list[int]]:
    """In the first round the best seeds sit at different tables, later those who stand alike sit
    together.
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


class _Company:
    """What speaks against tables."""

    def __init__(
        self,
        score: dict[int, int],
        times: dict[frozenset[int], int],
        apart: frozenset[frozenset[int]],
    ) -> None:
        self.score, self.times, self.apart = score, times, apart

    def cost(self, tables: Sequence[Sequence[int]]) -> tuple[int, int, int]:
        """Of some tables: pairs that must not meet, meetings again, differences of points."""
        blocked = again = apart = 0
        for table in tables:
            for pair in Meeting(tuple(table)).pairs:
                one, other = pair
                blocked += pair in self.apart
                # A third time is worse than two second times.
                again += self.times.get(pair, 0) ** 2
                apart += (self.score[one] - self.score[other]) ** 2
        return blocked, again, apart


def _part(tables: list[list[int]], company: _Company) -> None:
    """Exchange two people of different tables as long as that makes a round better: each time the
    two by whom it gains most, and of equal ones the first.
    """
    for _ in range(TRIES):
        best = None
        for a, b in combinations(range(len(tables)), 2):
            before = company.cost([tables[a], tables[b]])
            for x, y in product(range(len(tables[a])), range(len(tables[b]))):
                one, other = list(tables[a]), list(tables[b])
                one[x], other[y] = other[y], one[x]
                after = company.cost([one, other])
                gain = tuple(was - now for was, now in zip(before, after, strict=True))
                if gain > (best[0] if best else (0, 0, 0)):
                    best = gain, a, b, one, other
        if best is None:
            return
        _, a, b, tables[a], tables[b] = best
