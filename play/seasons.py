"""The seasons of servers: their rankings, and the worker that ends them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from data.store.seasons import SeasonRow
from data.store.store import Store
from games import GAMES
from play.occasions.occasion import Occasion
from play.occasions.occasions import Occasions
from play.occasions.season import (
    Choose,
    Ended,
    Looked,
    Placed,
    Ranking,
    SeasonKind,
    ServerSeasons,
    scope_of,
)
from play.worker import Worker

PEOPLE_AT_MOST: Final = 1000
"""The maximum number of people ranked in a game."""

ROWS: Final = 8
"""The maximum number of people shown in a ranking."""

POINTS_AT_MOST: Final = 60
"""The maximum number of ratings kept for a person's curve, because a small curve cannot
show more.
"""


async def rankings(
    store: Store, season: SeasonRow, games: Iterable[str]
) -> tuple[tuple[Ranking, ...], Mapping[int, str]]:
    """Return the rankings of a season, and the names of the people in them, by id. Games that
    nobody played are left out. This is slow if many matches were played.
    """
    server, number = season.guild_id, season.number
    boards = await store.standings.leaderboard(server, games, PEOPLE_AT_MOST, 0, number)
    if not boards:
        return (), {}
    courses = await store.standings.season_courses(server, number)
    names: dict[int, str] = {}
    found = []
    for game, listed in boards.items():
        placed = []
        for row, place in ((each.row, each.place or 0) for each in listed[:ROWS]):
            names[row.person_id] = row.name
            course = _thinned(courses.get(game, {}).get(row.person_id, ()))
            counts = row.rating, row.matches, row.won, row.longest
            placed.append(Placed(row.person_id, place, *counts, course))
        found.append(Ranking(game, tuple(placed), len(listed)))
    return tuple(found), names


def _thinned(course: Iterable[int]) -> tuple[int, ...]:
    """Return a course of at most ``POINTS_AT_MOST`` ratings, including the first and the last."""
    ratings = [*course]
    last = len(ratings) - 1
    if last < POINTS_AT_MOST:
        return tuple(ratings)
    return tuple(ratings[round(n * last / (POINTS_AT_MOST - 1))] for n in range(POINTS_AT_MOST))


class Seasons(Worker[int]):
    """Checks the seasons of servers when their occasions ask for it. Checking twice is harmless.

    :param fell_behind: see ``Worker``.
    """

    NAME = "season"

    def __init__(self, occasions: Occasions, fell_behind: Callable[[], None]) -> None:
        super().__init__(fell_behind)
        self._occasions = occasions
        self._store = occasions.store

    async def of_server(self, guild_id: int) -> Occasion[ServerSeasons] | None:
        """Return the seasons of a server; None if it has never had any."""
        return await self._occasions.of_scope(scope_of(guild_id))

    async def choose(
        self,
        guild_id: int,
        length: str | None,
        zone: str,
        channel_id: int,
        language: str,
        host_id: int | None = None,
        interaction_id: int | None = None,
    ) -> Occasion[ServerSeasons]:
        """Turn a server's seasons on, change their length, or turn them off.

        :param language: the language of the posts, unless the server has set one; used only the
            first time.
        :param host_id: see ``Choose``.
        """
        occasion = await self._occasions.open(
            SeasonKind.NAME,
            ServerSeasons(),
            guild_id=guild_id,
            channel_id=channel_id,
            language=language,
            scope=scope_of(guild_id),
        )
        choice = Choose(length, zone, channel_id, host_id, interaction_id=interaction_id)
        await self._occasions.act(occasion.id, choice)
        return await self.look(occasion.id)

    # -- looking
    async def look(self, number: int) -> Occasion[ServerSeasons]:
        """If a server's occasion asks for it, check the seasons: the store begins and ends them as
        the server has chosen.
        """
        occasion: Occasion[ServerSeasons] = await self._occasions.get(number)
        if not occasion.state.look:
            return occasion
        guild, seasons, now = occasion.guild_id or 0, self._store.seasons, self._occasions.clock()
        state = occasion.state
        if state.length is None:
            await seasons.stop(guild, now)
        else:
            await seasons.play_in(guild, state.length, state.zone, now)
        running = await seasons.close(guild, now)
        ended: list[Ended] = []
        names: dict[int, str] = {}
        seen = state.seen
        for season in await seasons.closed(guild, state.seen):
            tables, known = await rankings(self._store, season, sorted(GAMES))
            names |= known
            seen = season.number
            if tables:
                ended.append(Ended(season.number, season.title, tables))
        found = Looked(
            at=occasion.revision,
            seen=seen,
            ends_at=running.ends_at if running is not None else None,
            ended=tuple(ended),
            names=names,
        )
        return (await self._occasions.act(number, found)).after

    def wake(self, occasion: Occasion[Any]) -> None:
        """Check the occasion soon if it asks for that."""
        if occasion.row.kind == SeasonKind.NAME and occasion.state.look:
            self._ask(occasion.id)

    async def wake_all(self) -> None:
        """Check all occasions that ask for it, after a start or a failure."""
        for occasion in await self._occasions.of_kind(SeasonKind.NAME):
            if self._occasions.serves(occasion):
                self.wake(occasion)

    async def _work(self, number: int) -> None:
        while (await self.look(number)).state.look:
            pass  # another choice was made in the meantime
