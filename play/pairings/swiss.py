"""The Swiss system: places with as many points meet, and nobody twice while that can be avoided.

A round is a matching of the least cost. What weighs more comes first, as in the Dutch system of
the chess federation FIDE (Handbook, C.04.3): no meeting of those who must not meet; no second
meeting; a bye for whoever had none, with the fewest points; small differences of points; seats that
alternate; within those of as many points, the upper half against the lower one.

The Dutch system itself is left out, and with it the libraries that know it (caissify-pairings,
py4swiss, pairing-core): its rules on colours come before all else, so that in small fields people
are left without an opponent. With caissify-pairings 0.5 that happened to two of six people, by the
fourth round, in 20 of 60 random tournaments. A matching leaves out nobody.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from play.pairings.meetings import Round, bye, firsts, had_bye, met, scored, seated

Cost = tuple[int, ...]
"""What speaks against a pair, the heaviest first."""

FREE = -1
"""Stands for the missing opponent of whoever has a bye."""


def swiss_round(
    places: Sequence[int], past: Sequence[Round], apart: Collection[frozenset[int]] = ()
) -> Round:
    """The next round: those with most points first, a bye last.

    :param places: those who play on, at least one.
    :param apart: pairs that must not meet; they do only if there is no other way.
    """
    field = _Field(places, past, apart)
    pairs = matching({pair: field.cost(*pair) for pair in combinations(field.nodes, 2)})
    pairs.sort(key=lambda pair: (FREE in pair, field.rank(pair)))
    return tuple(
        bye(max(pair)) if FREE in pair else seated(pair, past, turn)
        for turn, pair in enumerate(pairs)
    )


def matching(costs: Mapping[tuple[int, int], Cost]) -> list[tuple[int, int]]:
    """The pairs that leave nobody alone at the least cost: what comes first in it is as small in
    all as can be, then what comes second, and so on.

    :param costs: of all pairs that are possible.
    """
    # Loaded when first needed, as it takes a while and most bots never need it.
    from networkx import Graph, max_weight_matching

    weights = dict.fromkeys(costs, 0)
    for part in zip(*costs.values(), strict=True):
        # More than all pairs together can cost by what comes after.
        beyond = 1 + max(part) * len(costs)
        for pair, cost in zip(costs, part, strict=True):
            weights[pair] = weights[pair] * beyond + cost
    most = max(weights.values(), default=0)
    graph = Graph()
    graph.add_weighted_edges_from((a, b, most - weight) for (a, b), weight in weights.items())
    return [(min(a, b), max(a, b)) for a, b in max_weight_matching(graph, maxcardinality=True)]


class _Field:
    """All who are to be paired, with what is known of them."""

    def __init__(
        self, places: Sequence[int], past: Sequence[Round], apart: Collection[frozenset[int]]
    ) -> None:
        self.apart = frozenset(apart)
        self.met = met(past)
        self.score = {place: scored(place, past, 2) for place in places}
        self.had_bye = {place: had_bye(place, past) for place in places}
        self.firsts = {place: firsts(place, past) for place in places}
        self.order = sorted(places, key=lambda place: (-self.score[place], place))
        self.at = {place: at for at, place in enumerate(self.order)}
        groups: dict[int, list[int]] = {}
        for place in self.order:
            groups.setdefault(self.score[place], []).append(place)
        self.groups = groups
        self.nodes = [*self.order, FREE] if len(places) % 2 else self.order

    def rank(self, pair: tuple[int, int]) -> tuple[int, ...]:
        """Where a pair stands among the tables of a round."""
        return tuple(sorted(self.at.get(place, len(self.at)) for place in pair))

    def cost(self, one: int, other: int) -> Cost:
        """What speaks against two who would meet; of a bye, ``FREE`` is among them."""
        if FREE in (one, other):
            place = max(one, other)
            # Among equals the last one has it.
            above = len(self.order) - 1 - self.at[place]
            return 0, 0, int(self.had_bye[place]), self.score[place], 0, 0, 0, above**2
        pair = frozenset((one, other))
        apart = abs(self.score[one] - self.score[other])
        strong, weak = self._seats(one, other)
        blocked, times = int(pair in self.apart), self.met.get(pair, 0)
        return blocked, times, 0, 0, apart**2, strong, weak, self._distance(one, other) ** 2

    def _seats(self, one: int, other: int) -> tuple[int, int]:
        """Whether both should sit first, or both last: by far, and at all."""
        (mine, last), (theirs, before) = self.firsts[one], self.firsts[other]
        strong = mine * theirs > 0 and min(abs(mine), abs(theirs)) > 1
        twice = mine == theirs == 0 and last * before > 0
        return int(strong), int(mine * theirs > 0 or twice)

    def _distance(self, one: int, other: int) -> int:
        """How far a pair is from upper half against lower half; of two with different points, how
        far they are from the border between those of their points.
        """
        high, low = sorted((one, other), key=lambda place: self.at[place])
        between = self.at[low] - self.at[high]
        group = self.groups[self.score[high]]
        if self.score[low] == self.score[high]:
            return between - len(group) // 2
        return between - 1
