"""Standings and their tie-breaks.

In this order: points; *Buchholz*, the points of all opponents; *Sonneborn-Berger*, the points of
beaten opponents and half of those of opponents with an equal rank; *direct encounter*, the points
gained from those who are still level, if all of them have met; *wins*, matches that were played and
won alone; finally the lot. For the first two tie-breaks, a bye counts as an opponent with the same
points as the player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby

from games.engine import rng_for, shuffled
from play.pairings.meetings import WIN, Round, meetings_of


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the standings.

    :param rank: from 1, never shared.
    :param points: the points, in half points.
    :param buchholz: in half points.
    :param sonneborn: in quarters of a point.
    :param direct: in half points.
    :param lot: the place's number among all lots, from 0.
    """

    place: int
    rank: int
    points: int
    buchholz: int
    sonneborn: int
    direct: int
    wins: int
    lot: int

    @property
    def key(self) -> tuple[int, ...]:
        """The sort key; larger ones come first."""
        return self.points, self.buchholz, self.sonneborn, self.direct, self.wins, -self.lot


def lots(seed: str, places: int) -> list[int]:
    """Return the number of each place among the lots that break the last ties, drawn from the
    seed.
    """
    drawn = shuffled(rng_for(seed, "ties"), range(places))
    return [drawn.index(place) for place in range(places)]


def standings(
    places: Iterable[int], past: Sequence[Round], seats: int, lot: Callable[[int], int]
) -> list[Standing]:
    """Return the standings, the best first.

    :param places: everyone who has ever played.
    :param seats: the seats at a full table.
    :param lot: returns a place's number among the lots.
    """
    places = list(places)
    points = {p: sum(m.points(p, seats) for m in meetings_of(p, past)) for p in places}
    rows = []
    for place in places:
        buchholz = sonneborn = wins = 0
        for meeting in meetings_of(place, past):
            if not meeting.over:
                continue
            if meeting.bye:
                buchholz += points[place]
                sonneborn += WIN * points[place]
                continue
            wins += meeting.played and meeting.points(place, seats) == WIN * (seats - 1)
            for other, gain in meeting.against(place):
                buchholz += points[other]
                sonneborn += gain * points[other]
        rows.append(Standing(place, 0, points[place], buchholz, sonneborn, 0, wins, lot(place)))
    rows.sort(key=_before_direct, reverse=True)
    placed: list[Standing] = []
    for _, level in groupby(rows, key=_before_direct):
        placed += _parted(list(level), past)
    return [replace(row, rank=number) for number, row in enumerate(placed, 1)]


def _before_direct(row: Standing) -> tuple[int, ...]:
    return row.points, row.buchholz, row.sonneborn


def _parted(level: list[Standing], past: Sequence[Round]) -> list[Standing]:
    """Sort rows that are still level: by the points they took from each other, if all have met;
    then by wins, then by lot.
    """
    among = {row.place: 0 for row in level}
    pairs = set()
    for row in level:
        for meeting in meetings_of(row.place, past):
            for other, gain in meeting.against(row.place):
                if other in among:
                    among[row.place] += gain
                    pairs.add(frozenset((row.place, other)))
    if len(pairs) < len(list(combinations(among, 2))):
        among = dict.fromkeys(among, 0)
    level = [replace(row, direct=among[row.place]) for row in level]
    return sorted(level, key=lambda row: row.key, reverse=True)
