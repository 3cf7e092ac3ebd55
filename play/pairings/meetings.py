"""Meetings: the places at a table, and the order in which they finish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

WIN: Final = 2
"""The value of each beaten opponent, in half points."""

DRAW: Final = 1
"""The value of each opponent with an equal rank, in half points."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Places that meet at one table, or a single place that has a bye.

    :param players: places in order of seats.
    :param ranks: the ranks by player; 1 is best, and several players may share a rank; empty: not
        over.
    :param played: whether the result comes from a completed match.
    """

    players: tuple[int, ...]
    ranks: tuple[int, ...] = ()
    played: bool = True

    @property
    def bye(self) -> bool:
        """Whether a place has no opponent."""
        return len(self.players) == 1

    @property
    def over(self) -> bool:
        """Whether there is a result."""
        return bool(self.ranks)

    @property
    def pairs(self) -> Iterator[frozenset[int]]:
        """All pairs of places that meet here."""
        return (frozenset(pair) for pair in combinations(self.players, 2))

    def against(self, place: int) -> Iterator[tuple[int, int]]:
        """Yield each opponent of a place, with the half points gained from it; nothing until there
        is a result.
        """
        if not self.over:
            return
        mine = self.ranks[self.players.index(place)]
        for other, theirs in zip(self.players, self.ranks, strict=True):
            if other != place:
                yield other, WIN if mine < theirs else DRAW if mine == theirs else 0

    def points(self, place: int, seats: int) -> int:
        """Return how many half points a place has gained. Each empty seat counts as a beaten
        opponent, in a bye as well.

        :param seats: the seats at a full table.
        """
        if not self.over:
            return 0
        return WIN * (seats - len(self.players)) + sum(gain for _, gain in self.against(place))

    def winner(self) -> int:
        """Return the place that advances: among those that share the first rank, the best seed.

        :raises ValueError: there is no result yet.
        """
        if not self.over:
            raise ValueError("no result yet")
        best = min(self.ranks)
        return min(p for p, rank in zip(self.players, self.ranks, strict=True) if rank == best)


Round = tuple[Meeting, ...]


def bye(place: int) -> Meeting:
    """Return the meeting of a place without an opponent, which counts as a win."""
    return Meeting((place,), (1,), played=False)


def meetings_of(place: int, past: Iterable[Round]) -> Iterator[Meeting]:
    """Return all meetings of a place, in order."""
    return (each for meetings in past for each in meetings if place in each.players)


def scored(place: int, past: Iterable[Round], seats: int) -> int:
    """Return the half points of a place so far."""
    return sum(each.points(place, seats) for each in meetings_of(place, past))


def met(past: Iterable[Round]) -> dict[frozenset[int], int]:
    """Return how often each pair of places has met."""
    times: dict[frozenset[int], int] = {}
    for meetings in past:
        for each in meetings:
            for pair in each.pairs:
                times[pair] = times.get(pair, 0) + 1
    return times


def had_bye(place: int, past: Iterable[Round]) -> bool:
    """Return whether a place has had a bye, which counts as a win."""
    return any(each.bye and each.points(place, 2) == WIN for each in meetings_of(place, past))


def firsts(place: int, past: Sequence[Round]) -> tuple[int, int]:
    """Return two figures for a place: how often it sat first minus how often it sat last, and where
    it sat in its last meeting (see ``seat_side``).
    """
    seats = [seat_side(place, each) for each in meetings_of(place, past) if not each.bye]
    return sum(seats), seats[-1] if seats else 0


def seat_side(place: int, meeting: Meeting) -> int:
    """Return where a place sits at a table: 1 first, -1 last, 0 between."""
    if meeting.players[0] == place:
        return 1
    return -1 if meeting.players[-1] == place else 0


def seated(places: Iterable[int], past: Sequence[Round], turn: int = 0) -> Meeting:
    """Return a meeting of places, seated in ascending order of ``firsts``.

    :param turn: among equals, the best seed sits first if this is even, otherwise last.
    """
    ordered = sorted(places, reverse=bool(turn % 2))
    return Meeting(tuple(sorted(ordered, key=lambda place: firsts(place, past))))
