"""Who of those who seek a match are put at one table. Pure: nothing here asks what time it is.

First come, first served: whoever has sought longest gets a table as soon as there is one, beside
those who have sought longest after them. All at a table want the same game, pace and number of
people, and none of them has blocked another. Over servers only those meet who want that, and who
read the same language; on one server those who read the same language come first. Whoever seeks
people of their own strength meets those whose rating is near, and with every quarter of an hour
those who are less near; both have to be content.
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
"""Points of rating that are near at first."""

WIDER = 50
"""Points that are added with every ``STEP`` of waiting."""

STEP = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Seek:
    """What somebody seeks.

    :param number: from 1; who has come later has a higher one.
    :param tables: games by id, each with a number of people; any is fine, the dearest first.
    :param paces: as ``read_pace`` reads them; empty: no limit; any is fine.
    :param near: only people of about the own strength.
    :param guild_id: the server on which it is sought.
    :param abroad: people of other servers are welcome, too.
    :param ratings: by game; a newcomer has none.
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
        """The games, the dearest first."""
        return tuple(dict.fromkeys(game for game, _ in self.tables))

    def rating(self, game: str) -> int:
        """The rating in a game."""
        return self.ratings.get(game, NEWCOMER)

    def reach(self, now: datetime) -> int:
        """How far away in points somebody's rating may be by now."""
        return NEAR + WIDER * ((now - self.since) // STEP)

    def reaches_at(self, distance: int) -> datetime:
        """When a rating so many points away is near enough."""
        return self.since + STEP * max(0, -(-(distance - NEAR) // WIDER))


@dataclass(frozen=True, slots=True)
class MatchedGroup:
    """People for whom a table is to be opened.

    :param seeks: the one that has waited longest first.
    """

    game: str
    pace: str
    seeks: tuple[Seek, ...]

    @property
    def guild_id(self) -> int | None:
        """The server of all of them; None: they are on several."""
        servers = {seek.guild_id for seek in self.seeks}
        return servers.pop() if len(servers) == 1 else None


def matched(
    seeks: Iterable[Seek], people: Mapping[int, PersonRow], now: datetime
) -> Iterator[MatchedGroup]:
    """The groups that come about, one after the other; of those who are left none can be made.

    :param people: how those who seek want things.
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
    """The first group that somebody can be in with some of the others."""
    for (game, players), pace in product(first.tables, first.paces):
        alike = (game, players)
        fitting = [seek for seek in others if alike in seek.tables and pace in seek.paces]
        # A stable sort: those with the same language, and among them whoever came first.
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
    """The chosen with the first of the others who all go together."""
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
    """Whether two who seek the same may sit at one table by now."""
    return may_meet(one, other, people) and meet_at(one, other, game) <= now


def may_meet(one: Seek, other: Seek, people: Mapping[int, PersonRow]) -> bool:
    """Whether two may ever sit at one table, however strong they are."""
    if one.person_id == other.person_id:
        return False
    if one.guild_id != other.guild_id:
        abroad = one.abroad and other.abroad
        if not abroad or one.language != other.language:
            return False
    return may_sit_together([_row_of(one, people), _row_of(other, people)])


def meet_at(one: Seek, other: Seek, game: str) -> datetime:
    """From when on two are near enough to each other in a game."""
    distance = abs(one.rating(game) - other.rating(game))
    return max(seek.reaches_at(distance) if seek.near else seek.since for seek in (one, other))


def next_chance(
    seeks: Sequence[Seek], people: Mapping[int, PersonRow], now: datetime
) -> datetime | None:
    """When two who seek the same come to be near enough next; None: never by waiting."""
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


# ---------------------------------------------------------------------- what people are told
def similar(seek: Seek, others: Iterable[Seek]) -> list[Seek]:
    """Those who seek one of the same games, in order of coming."""
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
    """The median of how long people have waited for some games; None: nobody has.

    :param waits: game and seconds.
    """
    wanted = set(games)
    found = [seconds for game, seconds in waits if game in wanted]
    return round(median(found)) if found else None
