"""A server's seasons in the store: length, end, trophies, and the hall of fame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

from data.store.access import Database, Repository
from data.store.ratings import RatingRow
from data.store.seasons import SEASONS, SeasonRow, following, keep_up, last_season, season_end
from data.store.standings import KEY, RATINGS, best_players
from data.store.trophies import SHOWN, TROPHIES, TrophyRow, award

KIND: Final = "season"
"""The kind of trophies won in seasons."""

PLACES: Final = 3
"""The lowest place that still earns people a trophy."""

SHARING: Final = 10
"""The maximum number of people who win a trophy in one game of a season, even if they share places.
"""

SECOND: Final = timedelta(seconds=1)
"""The precision of stored times. If a match is stored in the same second as a change to the
settings, it counts as stored before the change.
"""


@dataclass(frozen=True, slots=True)
class Honour:
    """A person in the hall of fame.

    :param row: the person's final rating in the season.
    :param place: the person's place, from 1.
    """

    row: RatingRow
    place: int


@dataclass(frozen=True, slots=True)
class HallOfFameSeason:
    """A season in the hall of fame.

    :param honours: the people it honours, by game, best place first.
    """

    season: SeasonRow
    honours: dict[str, tuple[Honour, ...]]


class SeasonRepository(Repository):
    """The seasons of all servers."""

    async def running(self, guild_id: int, now: datetime) -> SeasonRow | None:
        """Return a server's current season; None if it does not play in seasons."""

        def query(db: Database) -> SeasonRow | None:
            season = last_season(db, guild_id)
            while season is not None and season.ends_at <= now:
                season = None if season.final else following(season)
            return season

        return await self._database.read(query)

    async def play_in(self, guild_id: int, length: str, zone: str, now: datetime) -> SeasonRow:
        """Begin a season, or change the length or time zone of the current one.

        :param length: a key of ``MONTHS``.
        :param zone: the name of a time zone.
        :returns: the current season, or the one that will begin within a second.
        """

        def change(db: Database) -> SeasonRow:
            last, season = last_season(db, guild_id), keep_up(db, guild_id, now)
            if season is None:
                number, begins_at = (1, now) if last is None else (last.number + 1, last.ends_at)
                season = SeasonRow(guild_id, number, "", "", max(now + SECOND, begins_at), now)
            ends_at = season_end(season.begins_at, length, zone, now)
            season = replace(season, length=length, zone=zone, ends_at=ends_at, final=False)
            SEASONS.put(db, [season])
            return season

        return await self._database.write(change)

    async def stop(self, guild_id: int, now: datetime) -> None:
        """End the current season now, and begin no other."""

        def change(db: Database) -> None:
            season = keep_up(db, guild_id, now)
            if season is not None:
                SEASONS.put(db, [replace(season, ends_at=now + SECOND, final=True)])

        await self._database.write(change)

    async def close(self, guild_id: int, now: datetime) -> SeasonRow | None:
        """Award the trophies of seasons that are over, once each, and begin the next season.

        :returns: the current season; None if the server does not play in seasons.
        """

        def change(db: Database) -> SeasonRow | None:
            running = keep_up(db, guild_id, now)
            over = "guild_id = ? AND closed = 0 AND ends_at <= ? ORDER BY number"
            for season in SEASONS.find(db, over, guild_id, int(now.timestamp())):
                award(db, _trophies(db, season))
                SEASONS.put(db, [replace(season, closed=True)])
            return running

        return await self._database.write(change)

    async def closed(self, guild_id: int, after: int) -> list[SeasonRow]:
        """Return a server's seasons that are over and whose trophies have been awarded, oldest
        first.

        :param after: only seasons with a higher number.
        """
        condition = "guild_id = ? AND closed = 1 AND number > ? ORDER BY number"
        return await self._database.read(lambda db: SEASONS.find(db, condition, guild_id, after))

    async def hall_of_fame(
        self, guild_id: int, most: int, game: str | None = None, before: int | None = None
    ) -> list[HallOfFameSeason]:
        """Return a server's hall of fame, latest season first, leaving out seasons that honour
        nobody.

        :param game: None: all games.
        :param before: only seasons with a lower number; None: all seasons.
        """

        def query(db: Database) -> list[HallOfFameSeason]:
            closed = "guild_id = ? AND closed = 1 ORDER BY number DESC"
            found = (
                HallOfFameSeason(season, _honours(db, season, game))
                for season in SEASONS.find(db, closed, guild_id)
                if before is None or season.number < before
            )
            return [*islice((fame for fame in found if fame.honours), most)]

        return await self._database.read(query)


# ------------------------------------------------------------- parts of the transactions
def source_of(season: SeasonRow) -> str:
    """Return the ``source`` of a season's trophies."""
    return f"{season.guild_id}.{season.number}"


def _trophies(db: Database, season: SeasonRow) -> Iterator[TrophyRow]:
    played = "SELECT DISTINCT game FROM ratings WHERE guild_id = ? AND season = ? AND matches > 0"
    games = db.execute(f"{played} ORDER BY game", [season.guild_id, season.number]).fetchall()
    for (game,) in games:
        for standing in best_players(db, season.guild_id, game, season.number, SHARING):
            if standing.place is not None and standing.place <= PLACES:
                yield TrophyRow(
                    standing.row.person_id,
                    KIND,
                    source_of(season),
                    game,
                    season.guild_id,
                    standing.place,
                    season.title,
                    season.ends_at,
                )


def _honours(db: Database, season: SeasonRow, game: str | None) -> dict[str, tuple[Honour, ...]]:
    trophies = TROPHIES.find(
        db,
        f"kind = ? AND guild_id = ? AND source = ? AND {SHOWN} ORDER BY game, place, person_id",
        KIND,
        season.guild_id,
        source_of(season),
    )
    found: dict[str, tuple[Honour, ...]] = {}
    for trophy in trophies:
        if game is not None and trophy.game != game:
            continue
        key = trophy.person_id, season.guild_id, trophy.game, season.number
        for row in RATINGS.find(db, KEY, *key):
            found[trophy.game] = (*found.get(trophy.game, ()), Honour(row, trophy.place))
    return found
