"""Groups people who seek a match. Pure: nothing here reads the current time.

First come, first served: the longest-waiting person gets the first table that can be formed,
together with those who have waited longest after them. Everyone at a table wants the same game,
pace and number of players, and nobody has blocked another. People from different servers meet only
if all of them want that and read the same language; within a server, readers of the same language
come first. Those who seek opponents of their own strength meet people with a similar rating; the
accepted difference grows every quarter of an hour, and both sides have to accept it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations, product
from statistics import median

from data.store.ratings import NEWCOMER
from data.store.rows import PersonRow
from play.together import may_sit_together

NEAR = 150
"""The rating difference, in points, that is accepted at first."""

WIDER = 50
"""Points added with every ``STEP`` of waiting."""

STEP = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Seek:
    """A person's request for a match.

    :param number: from 1, in order of arrival.
    :param tables: games by id, each with a number of players, the favourite first; any of them will
        do.
    :param paces: paces as ``read_pace`` reads them; an empty one means no limit. Any of them will
        do.
    :param near: whether to accept only people of similar strength.
    :param guild_id: the server where the person asked.
    :param abroad: whether people from other servers are welcome.
    :param ratings: ratings by game; a missing one counts as a newcomer's.
    """

    number: int
    person_id: int
    name: str
    tables: tuple[tuple[str, int], ...]
    paces: tuple[str, ...]
    near: bool
    language: str
    guild_id: int
    abroad: bool
    since: datetime
    until: datetime
    ratings: Mapping[str, int] = field(default_factory=dict)

    @property
    def games(self) -> tuple[str, ...]:
        """The games, the favourite first."""
        return tuple(dict.fromkeys(game for game, _ in self.tables))

    def rating(self, game: str) -> int:
        """Return the person's rating in a game."""
        return self.ratings.get(game, NEWCOMER)

    def reach(self, now: datetime) -> int:
        """Return the rating difference, in points, that is accepted after the wait so far."""
        return NEAR + WIDER * ((now - self.since) // STEP)

    def reaches_at(self, distance: int) -> datetime:
        """Return when a rating difference, in points, becomes acceptable."""
        return self.since + STEP * max(0, -(-(distance - NEAR) // WIDER))


@dataclass(frozen=True, slots=True)
class MatchedGroup:
    """People for whom to open a table.

    :param seeks: their requests, the longest-waiting first.
    """

    game: str
    pace: str
    seeks: tuple[Seek, ...]

    @property
    def guild_id(self) -> int | None:
        """Their common server; None if they are on several."""
        servers = {seek.guild_id for seek in self.seeks}
        return servers.pop() if len(servers) == 1 else None


def matched(
    seeks: Iterable[Seek], people: Mapping[int, PersonRow], now: datetime
) -> Iterator[MatchedGroup]:
    """Yield the groups that can be formed, in order. Those who remain cannot form another.

    :param people: the settings of the seekers, by id.
    """
    waiting = sorted(seeks, key=lambda seek: seek.number)
    while waiting:
        first = waiting.pop(0)
        group = _group_of(first, waiting, people, now)
        if group is not None:
            waiting = [seek for seek in waiting if seek not in group.seeks]
            yield group


def _group_of(
    first: Seek, others: Sequence[Seek], people: Mapping[int, PersonRow], now: datetime
) -> MatchedGroup | None:
    """Return the first group that a seeker can form with some of the others; None if there is
    none.
    """
    for (game, players), pace in product(first.tables, first.paces):
        alike = (game, players)
        fitting = [seek for seek in others if alike in seek.tables and pace in seek.paces]
        # The sort is stable: readers of the same language come first, each group in order of
        # arrival.
        fitting.sort(key=lambda seek: seek.language != first.language)
        found = _table_of((first,), fitting, players, game, people, now)
        if found is not None:
            return MatchedGroup(game, pace, tuple(sorted(found, key=lambda seek: seek.number)))
    return None


def _table_of(
    chosen: tuple[Seek, ...],
    others: Sequence[Seek],
    players: int,
    game: str,
    people: Mapping[int, PersonRow],
    now: datetime,
) -> tuple[Seek, ...] | None:
    """Return the chosen seekers, completed with the first others that all fit together; None if
    that is impossible.
    """
    if len(chosen) == players:
        return chosen
    last = chosen[-1]
    fitting = [seek for seek in others if fits(last, seek, game, people, now)]
    for place, seek in enumerate(fitting):
        if len(chosen) + len(fitting) - place < players:
            return None
        found = _table_of((*chosen, seek), fitting[place + 1 :], players, game, people, now)
        if found is not None:
            return found
    return None


def fits(one: Seek, other: Seek, game: str, people: Mapping[int, PersonRow], now: datetime) -> bool:
    """Return whether two people who seek the same match may play at one table now."""
    return may_meet(one, other, people) and meet_at(one, other, game) <= now


def may_meet(one: Seek, other: Seek, people: Mapping[int, PersonRow]) -> bool:
    """Return whether two people may ever play at one table, whatever their ratings."""
    if one.person_id == other.person_id:
        return False
    if one.guild_id != other.guild_id:
        abroad = one.abroad and other.abroad
        if not abroad or one.language != other.language:
            return False
    return may_sit_together([_row_of(one, people), _row_of(other, people)])


def meet_at(one: Seek, other: Seek, game: str) -> datetime:
    """Return when the ratings of two people in a game become acceptable to both."""
    distance = abs(one.rating(game) - other.rating(game))
    return max(seek.reaches_at(distance) if seek.near else seek.since for seek in (one, other))


def next_chance(
    seeks: Sequence[Seek], people: Mapping[int, PersonRow], now: datetime
) -> datetime | None:
    """Return when the next two people become acceptable to each other; None: waiting changes
    nothing.
    """
    moments = [
        at
        for one, other in combinations(seeks, 2)
        if one.near or other.near
        for game in one.games
        if game in other.games and (at := meet_at(one, other, game)) > now
        if may_meet(one, other, people)
    ]
    return min(moments, default=None)


def _row_of(seek: Seek, people: Mapping[int, PersonRow]) -> PersonRow:
    return people.get(seek.person_id) or PersonRow(seek.person_id)


# -------------------------------------------------------------------------- shown to people
def similar(seek: Seek, others: Iterable[Seek]) -> list[Seek]:
    """Return the other people who seek one of the same games, on the same server or, if both sides
    welcome that, on another one, in order of arrival.
    """
    games = set(seek.games)
    alike = [
        other
        for other in others
        if other.person_id != seek.person_id
        and games & set(other.games)
        and (other.guild_id == seek.guild_id or (other.abroad and seek.abroad))
    ]
    return sorted(alike, key=lambda other: other.number)


def usual_wait(waits: Iterable[tuple[str, int]], games: Iterable[str]) -> int | None:
    """Return the median wait for these games, in seconds; None if nobody has waited for them.

    :param waits: game and seconds of each past wait.
    """
    wanted = set(games)
    found = [seconds for game, seconds in waits if game in wanted]
    return round(median(found)) if found else None
