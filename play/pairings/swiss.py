"""The Swiss system: places with equal scores meet, and no two places meet again if that can be
avoided.

The rules are those of the Dutch system of the chess federation FIDE (Handbook, C.04.3, as of 2026);
the first seat corresponds to the white pieces. Places with equal scores are paired from the top; a
place left over *floats* down to the next score. Pairings are compared rule by rule, and the best
one is a matching of least cost.

There are two differences. A pairing that FIDE forbids outright has only the heaviest cost here,
because in small fields the ban leaves people without an opponent. With caissify-pairings 0.5, which
enforces the ban, that happened to two of six people, by the fourth round, in 20 of 60 random
tournaments. And the last round makes no exception for those with more than half of the points.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations

from play.pairings.meetings import Meeting, Round, bye, had_bye, meetings_of, met, scored, seat_side

Cost = tuple[int, ...]
"""The cost of a pair by rule, the most important rule first."""

Pair = tuple[int, int]
"""Two places, the better one first."""


def swiss_round(
    places: Sequence[int], past: Sequence[Round], apart: Collection[frozenset[int]] = ()
) -> Round:
    """Return the next round: highest scores first, a bye last.

    :param places: the places of those who are still playing, at least one.
    :param apart: pairs to keep apart; they meet only if there is no other way.
    """
    field = _Field(places, past, apart)
    pairs = sorted(field.paired(), key=lambda pair: (field.free in pair, pair))
    return tuple(
        bye(field.players[one].place)
        if other == field.free
        else seated_pair(field.players[one], field.players[other])
        for one, other in pairs
    )


def matching(costs: Mapping[Pair, Cost]) -> list[Pair]:
    """Return the pairs that include everyone at the least cost: the sum of the costs' first parts
    is as small as possible, then the sum of their second parts, and so on.

    :param costs: the costs of all possible pairs.
    """
    # Imported when first needed: it takes a while, and most bots never need it.
    from networkx import Graph, max_weight_matching

    weights = dict.fromkeys(costs, 0)
    for part in zip(*costs.values(), strict=True):
        # more than the total cost that all pairs can have in this part
        beyond = 1 + max(part) * len(costs)
        for pair, cost in zip(costs, part, strict=True):
            weights[pair] = weights[pair] * beyond + cost
    most = max(weights.values(), default=0)
    graph = Graph()
    graph.add_weighted_edges_from((a, b, most - weight) for (a, b), weight in weights.items())
    return [(min(a, b), max(a, b)) for a, b in max_weight_matching(graph, maxcardinality=True)]


class _Player:
    """A place, with its past.

    :ivar sat: where it has sat so far; see ``seat_side``.
    :ivar downs: for the last round and the one before, whether the place floated down.
    :ivar ups: for the same rounds, whether the place floated up.
    """

    def __init__(self, place: int, past: Sequence[Round]) -> None:
        self.place = place
        self.score = scored(place, past, 2)
        self.had_bye = had_bye(place, past)
        self.sat = [seat_side(place, each) for each in meetings_of(place, past) if not each.bye]
        floats = [_floated(place, past[:-ago], past[-ago]) for ago in (1, 2) if ago <= len(past)]
        self.unplayed = len(past) - len(self.sat)
        self.downs = [int(each < 0) for each in floats]
        self.ups = [int(each > 0) for each in floats]

    @property
    def wish(self) -> int:
        """The seat that the place should get: 1 first, -1 last, 0 any."""
        balance = sum(self.sat) or (self.sat[-1] if self.sat else 0)
        return (balance < 0) - (balance > 0)

    @property
    def strength(self) -> tuple[int, int]:
        """The strength of the wish: 3 absolute, 2 strong, 1 mild, 0 none; then the imbalance of the
        seats so far.
        """
        off = abs(sum(self.sat))
        twice = len(self.sat) > 1 and self.sat[-1] == self.sat[-2]
        return (3 if off > 1 or twice else 2 if off else len(self.sat[:1])), off


def _floated(place: int, before: Sequence[Round], meetings: Round) -> int:
    """Return how a place floated in a round: -1 down, or a bye; 1 up; 0 not at all."""
    for meeting in meetings_of(place, [meetings]):
        scores = [scored(each, before, 2) for each in meeting.players if each != place]
        mine = scored(place, before, 2)
        return -1 if meeting.bye or mine > scores[0] else int(mine < scores[0])
    return 0


def seated_pair(one: _Player, other: _Player) -> Meeting:
    """Return the meeting of a pair; ``one`` is the better place. Wishes that do not conflict are
    granted. If both want the same seat, the stronger wish counts. If the wishes are equally strong,
    the two swap the seats of the last round in which they sat differently or, if there is none, the
    better place gets its wish. Without any wish, the better place sits first if its number is even.
    """
    first = one.wish or -other.wish or (1 if one.place % 2 == 0 else -1)
    if one.wish and one.wish == other.wish:
        before = zip(reversed(one.sat), reversed(other.sat), strict=False)
        swapped = next((-mine for mine, theirs in before if mine != theirs), one.wish)
        stronger = (one.strength > other.strength) - (one.strength < other.strength)
        first = stronger * one.wish or swapped
    pair = (one.place, other.place)
    return Meeting(pair if first > 0 else pair[::-1])


class _Field:
    """All places to be paired, numbered from the best; the last number represents the missing
    opponent of a bye.

    :ivar level: for each number, the index of that place's score among all scores; the best score
        has 0.
    :ivar left: the places that are not paired yet.
    """

    def __init__(
        self, places: Sequence[int], past: Sequence[Round], apart: Collection[frozenset[int]]
    ) -> None:
        self.apart, self.met = frozenset(apart), met(past)
        players = [_Player(place, past) for place in places]
        self.players = sorted(players, key=lambda player: (-player.score, player.place))
        scores = sorted({player.score for player in players}, reverse=True)
        self.free, self.levels = len(players), len(scores)
        self.level = [*(scores.index(player.score) for player in self.players), self.levels]
        self.left = [*range(len(players) + len(players) % 2)]

    def paired(self) -> list[Pair]:
        """Return all pairs."""
        pairs: list[Pair] = []
        for level in range(self.levels):
            floated = [each for each in self.left if self.level[each] < level]
            own = [each for each in self.left if self.level[each] == level]
            if floated:
                pairs += self._fixed(level, floated, _floating(floated, own))
            rest = [each for each in own if each in self.left]
            upper = _exchanged(rest, self._matched(level, _exchanging(rest)))
            pairs += self._fixed(level, rest, _transposing(upper, rest))
        return [*pairs, *combinations(self.left, 2)]

    def _fixed(
        self, level: int, places: Collection[int], order: Callable[[int, int], Cost]
    ) -> list[Pair]:
        """Return the best pairs within a level that include at least one of ``places``, and remove
        them from ``left``.

        :param order: see ``_matched``.
        """
        fixed = [
            (one, other)
            for one, other in self._matched(level, order)
            if one in places and self.level[other] == level
        ]
        paired = {each for pair in fixed for each in pair}
        self.left = [each for each in self.left if each not in paired]
        return fixed

    def _matched(self, level: int, order: Callable[[int, int], Cost]) -> list[Pair]:
        """Return the best pairing of everyone left, from the point of view of a level.

        :param order: the cost of a pair by all lower rules.
        """
        return matching(
            {
                (one, other): (
                    *self._always(one, other),
                    *self._seen(one, other, level),
                    *order(one, other),
                )
                for one, other in combinations(self.left, 2)
                if self.level[other] >= level
            }
        )

    def _always(self, one: int, other: int) -> Cost:
        """Return the cost of a pair at any level. Its parts are: they must be kept apart; they have
        met (C1); this is a second bye (C2); both must get the same seat (C3); the points of the
        place with a bye (C5).
        """
        better = self.players[one]
        if other == self.free:
            return 0, 0, int(better.had_bye), 0, better.score
        worse = self.players[other]
        pair = frozenset((better.place, worse.place))
        clash = better.wish == worse.wish and better.strength[0] == worse.strength[0] == 3
        return int(pair in self.apart), self.met.get(pair, 0), 0, int(clash), 0

    def _seen(self, one: int, other: int, level: int) -> Cost:
        """Return the cost of a pair at one level. Its parts are: one of them floats down from this
        level (C6), and from which score (C7); the same for the next level (C8); on the last level,
        the unplayed rounds of the place with a bye (C9); a wish for a seat is not granted (C12), or
        a strong one (C13); a place floats as it did in the last two rounds (C14 to C17), and how
        far (C18 to C21).
        """
        beyond = len(self.level)
        floats: list[int] = []
        for from_there in (level, level + 1):
            on = self.level[one] <= from_there < self.level[other]
            floats += [int(on), on * beyond ** (self.levels - self.level[one])]
        better = self.players[one]
        if self.level[other] != level:
            last = level == self.levels - 1
            unplayed = better.unplayed if last and other == self.free else 0
            downs = better.downs if self.level[one] == level else []
            return (*floats, unplayed, 0, 0, *_both(downs, []), 0, 0, 0, 0)
        worse = self.players[other]
        clash = better.wish != 0 and better.wish == worse.wish
        strong = clash and min(better.strength, worse.strength)[0] > 1
        wishes = 0, int(clash), int(strong)
        far = level - self.level[one]
        if not far:
            return (*floats, *wishes, *[0] * 8)
        again = _both(better.downs, worse.ups)
        return (*floats, *wishes, 0, again[1], 0, again[3], *(each * beyond**far for each in again))


def _both(downs: Sequence[int], ups: Sequence[int]) -> Cost:
    """Return floats down and up in the last round, then in the round before."""
    padded = [(*each, 0, 0) for each in (downs, ups)]
    return padded[0][0], padded[1][0], padded[0][1], padded[1][1]


# The functions below choose among equal pairings. Numbers count from the top.
def _floating(floated: Sequence[int], own: Sequence[int]) -> Callable[[int, int], Cost]:
    """Return a cost that gives the best opponents to those that floated down, the best of them
    first.
    """

    def order(one: int, other: int) -> Cost:
        if one not in floated:
            return 0, 0
        weight = (len(own) + 1) ** (len(floated) - floated.index(one))
        return (0, own.index(other) * weight) if other in own else (weight, 0)

    return order


def _exchanging(rest: Sequence[int]) -> Callable[[int, int], Cost]:
    """Return a cost that makes as few places as possible move to the other half, starting with
    those near the middle.
    """
    half = len(rest) // 2

    def order(one: int, other: int) -> Cost:
        if one not in rest:
            return 0, 0, 0
        at, by = rest.index(one), rest.index(other) if other in rest else None
        if at >= half:
            return (0, 0, 0) if by is None else (1, at, 0)
        if by is not None and by >= half:
            return 0, 0, 0
        sinks = half - (at if by is None else by)
        return 0, sinks, 2**sinks

    return order


def _exchanged(rest: Sequence[int], pairs: Sequence[Pair]) -> list[int]:
    """Return the upper half after the exchanges: of two paired places in the same half, one moves
    to the other half.
    """
    half = {*rest[: len(rest) // 2]}
    lower = {*rest} - half
    for one, other in pairs:
        if one in half and other not in lower:
            half.discard(other if other in half else one)
        elif one in lower and other in lower:
            half.add(one)
    return sorted(half)


def _transposing(upper: Sequence[int], rest: Sequence[int]) -> Callable[[int, int], Cost]:
    """Return a cost that pairs the best of the upper half with the best of the lower half, and so
    on.
    """
    lower = [each for each in rest if each not in upper]

    def order(one: int, other: int) -> Cost:
        if one not in rest:
            return 0, 0
        if one in upper and other in lower:
            return 0, lower.index(other) * (len(lower) + 1) ** (len(upper) - upper.index(one))
        return int(one in upper or other in lower), 0

    return order
