"""Ratings and statistics of a server: computed from its finished matches, each time anew.

Ratings follow Weng and Lin's model for matches of any number of players (openskill's
Plackett-Luce). A match of two or more counts if each seat was played by one person from beginning
to end and it came to a result; resigning at a table of two is a result.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from openskill.models import PlackettLuce, PlackettLuceRating

from data.store.standings import FinishedRow
from data.store.store import Store

NEWCOMER = 1000
"""The rating of someone who has not played yet."""

POINTS = 40
"""Points of a rating for each of the model's units."""

_MODEL = PlackettLuce()


@dataclass(slots=True)
class Standing:
    """How someone stands in one game on one server.

    :param name: as at the person's latest table.
    :param matches: how many counted.
    :param won: how many of them brought the first place, alone or shared.
    :param uncounted: how many others were finished.
    :param rating: a careful estimate: it rises with victories and with certainty.
    :param place: on the server, from 1; those who are not listed have none.
    :param skill: in the terms of the model.
    """

    person_id: int
    name: str = ""
    matches: int = 0
    won: int = 0
    uncounted: int = 0
    rating: int = NEWCOMER
    place: int | None = None
    skill: PlackettLuceRating = field(default_factory=_MODEL.rating, repr=False, compare=False)


class Standings:
    """The use cases of ratings and statistics."""

    def __init__(self, store: Store) -> None:
        self._store = store.standings

    async def leaderboard(self, guild_id: int) -> dict[str, list[Standing]]:
        """By game, those who are listed and have a match that counts, best first."""
        everyone = await self._everyone(guild_id)
        placed = {
            game: [s for s in found if s.place is not None] for game, found in everyone.items()
        }
        return {game: found for game, found in placed.items() if found}

    async def of_person(self, guild_id: int, person_id: int) -> dict[str, Standing]:
        """By game, how a person stands."""
        everyone = await self._everyone(guild_id)
        return {
            game: standing
            for game, standings in everyone.items()
            for standing in standings
            if standing.person_id == person_id
        }

    async def _everyone(self, guild_id: int) -> dict[str, list[Standing]]:
        rows = await self._store.finished(guild_id)
        unlisted = await self._store.unlisted()
        games = sorted({row.game for row in rows})
        return {
            game: standings([row for row in rows if row.game == game], unlisted) for game in games
        }


def standings(matches: Iterable[FinishedRow], unlisted: Iterable[int] = ()) -> list[Standing]:
    """Everyone's standing in one game, the best rating first.

    :param matches: in the order in which they were finished.
    :param unlisted: people who do not want to be listed.
    """
    everyone: dict[int, Standing] = {}
    for match in matches:
        _count(match, everyone)
    hidden = set(unlisted)
    listed = [s for n, s in everyone.items() if s.matches and n > 0 and n not in hidden]
    ratings = sorted((standing.rating for standing in listed), reverse=True)
    for standing in listed:  # no one forgotten is; equal ratings share a place
        standing.place = 1 + ratings.index(standing.rating)
    return sorted(everyone.values(), key=lambda standing: (-standing.rating, standing.person_id))


def _count(match: FinishedRow, everyone: dict[int, Standing]) -> None:
    counts = match.by_people and len(match.people) > 1
    people = [(n, name) for n, name in zip(match.people, match.names, strict=True) if n is not None]
    for person, name in people:
        standing = everyone.setdefault(person, Standing(person))
        standing.name = name
        standing.uncounted += not counts
    if not counts:
        return
    players = [everyone[person] for person, _ in people]
    rated = _MODEL.rate([[player.skill] for player in players], ranks=list(match.ranks))
    for player, (skill,), rank in zip(players, rated, match.ranks, strict=True):
        player.skill = skill
        player.rating = NEWCOMER + round(POINTS * skill.ordinal())
        player.matches += 1
        player.won += rank == 1
