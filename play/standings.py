"""Ratings and statistics of a server: computed from its finished matches, each time anew.

Ratings follow Weng and Lin's model for matches of any number of players (openskill's
Plackett-Luce). A match of two or more counts if each seat was played by one person from beginning
to end and it came to a result; resigning at a table of two is a result.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from openskill.models import PlackettLuce, PlackettLuceRating

from data.standings import FinishedRow
from data.store import Store

NEWCOMER = 1000
"""The rating of somebody who has not played yet."""

POINTS = 40
"""Points of a rating for each of the model's units."""

_MODEL = PlackettLuce()


@dataclass(frozen=True, slots=True)
class Standing:
    """How somebody stands in one game on one server.

    :param name: as at the person's latest table.
    :param matches: how many counted.
    :param won: how many of them brought the first place, alone or shared.
    :param uncounted: how many others were finished.
    :param rating: a careful estimate: it rises with victories and with certainty.
    :param place: on the server, from 1; those who are not listed have none.
    """

    person_id: int
    name: str
    matches: int
    won: int
    uncounted: int
    rating: int
    place: int | None


class Standings:
    """The use cases of ratings and statistics."""

    def __init__(self, store: Store) -> None:
        self._store = store.standings

    async def leaderboard(self, guild_id: int) -> dict[str, list[Standing]]:
        """By game, those who are listed and have a match that counts, best first."""
        everybody = await self._everybody(guild_id)
        listed = {
            game: [standing for standing in standings if standing.place is not None]
            for game, standings in everybody.items()
        }
        return {game: standings for game, standings in listed.items() if standings}

    async def of_person(self, guild_id: int, person_id: int) -> dict[str, Standing]:
        """By game, how a person stands."""
        everybody = await self._everybody(guild_id)
        return {
            game: standing
            for game, standings in everybody.items()
            for standing in standings
            if standing.person_id == person_id
        }

    async def _everybody(self, guild_id: int) -> dict[str, list[Standing]]:
        rows = await self._store.finished(guild_id)
        unlisted = await self._store.unlisted()
        games = sorted({row.game for row in rows})
        return {
            game: standings([row for row in rows if row.game == game], unlisted) for game in games
        }


@dataclass(slots=True)
class _Tally:
    name: str = ""
    matches: int = 0
    won: int = 0
    uncounted: int = 0
    skill: PlackettLuceRating = field(default_factory=_MODEL.rating)

    @property
    def rating(self) -> int:
        return NEWCOMER + round(POINTS * self.skill.ordinal())


def standings(matches: Iterable[FinishedRow], unlisted: Iterable[int] = ()) -> list[Standing]:
    """Everybody's standing in one game, the best rating first.

    :param matches: in the order in which they were finished.
    :param unlisted: people who do not want to be listed.
    """
    tallies: defaultdict[int, _Tally] = defaultdict(_Tally)
    for match in matches:
        _count(match, tallies)
    places = _places(tallies, set(unlisted))
    return [
        Standing(
            person_id=person,
            name=tally.name,
            matches=tally.matches,
            won=tally.won,
            uncounted=tally.uncounted,
            rating=tally.rating,
            place=places.get(person),
        )
        for person, tally in sorted(tallies.items(), key=lambda item: (-item[1].rating, item[0]))
    ]


def _count(match: FinishedRow, tallies: defaultdict[int, _Tally]) -> None:
    counts = match.by_people and len(match.people) > 1
    for person, name in zip(match.people, match.names, strict=True):
        if person is not None:
            tallies[person].name = name
            tallies[person].uncounted += not counts
    if not counts:
        return
    players = [tallies[person] for person in match.people if person is not None]
    rated = _MODEL.rate([[player.skill] for player in players], ranks=list(match.ranks))
    for player, (skill,), rank in zip(players, rated, match.ranks, strict=True):
        player.skill = skill
        player.matches += 1
        player.won += rank == 1


def _places(tallies: Mapping[int, _Tally], unlisted: Collection[int]) -> dict[int, int]:
    """Places of those who are listed; equal ratings share one. Nobody forgotten is listed."""
    listed = {
        person: tally.rating
        for person, tally in tallies.items()
        if tally.matches and person > 0 and person not in unlisted
    }
    ratings = sorted(listed.values(), reverse=True)
    return {person: 1 + ratings.index(rating) for person, rating in listed.items()}
