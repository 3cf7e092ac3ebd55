"""The seasons of servers: their tables, and the one who looks when one of them is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import structlog

from data.store.problems import StoreProblem
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
    Playing,
    Ranking,
    SeasonKind,
    scope_of,
)

log = structlog.get_logger()

PEOPLE_AT_MOST: Final = 1000
"""So many are counted in a game."""

ROWS: Final = 8
"""People in a table."""

POINTS_AT_MOST: Final = 60
"""So many ratings of a course are kept: a small curve shows no more."""


async def rankings(
    store: Store, season: SeasonRow, games: Iterable[str]
) -> tuple[tuple[Ranking, ...], Mapping[int, str]]:
    """The tables of a season, and the names of those who stand in them, by id; games that nobody
    has played are left out. Takes a while where many matches were played.
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
    """A course of so many ratings at most, the first and the last among them."""
    ratings = [*course]
    last = len(ratings) - 1
    if last < POINTS_AT_MOST:
        return tuple(ratings)
    return tuple(ratings[round(n * last / (POINTS_AT_MOST - 1))] for n in range(POINTS_AT_MOST))


class Seasons:
    """Looks at the seasons of servers when that is wanted, once at a time for each: after a crash
    or a fault it is done again, to the same end.

    :param fell_behind: is called when something has failed, so that it is tried again in the next
        round.
    """

    def __init__(self, occasions: Occasions, fell_behind: Callable[[], None]) -> None:
        self._occasions = occasions
        self._store = occasions.store
        self._fell_behind = fell_behind
        self._looking: dict[int, asyncio.Task[None]] = {}
        self._closed = False

    async def of_server(self, guild_id: int) -> Occasion[Playing] | None:
        """How a server plays in seasons; None: it never has."""
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
    ) -> Occasion[Playing]:
        """Let a server play in seasons, or no longer; how it does then.

        :param language: of what is told, as far as the server has not chosen one.
        :param host_id: as of ``Choose``.
        """
        occasion = await self._occasions.open(
            SeasonKind.NAME,
            Playing(),
            guild_id=guild_id,
            channel_id=channel_id,
            language=language,
            scope=scope_of(guild_id),
        )
        choice = Choose(length, zone, channel_id, host_id, interaction_id=interaction_id)
        await self._occasions.act(occasion.id, choice)
        return await self.look(occasion.id)

    # -- looking
    async def look(self, number: int) -> Occasion[Playing]:
        """Look, if that is wanted: the store begins and ends seasons as was chosen."""
        occasion: Occasion[Playing] = await self._occasions.get(number)
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
        """The occasion has changed: somebody may have to look."""
        if occasion.row.kind == SeasonKind.NAME and occasion.state.look:
            self._look_at(occasion.id)

    async def wake_all(self) -> None:
        """After a start or a failure: look where that is still wanted."""
        for occasion in await self._occasions.of_kind(SeasonKind.NAME):
            if self._occasions.serves(occasion):
                self.wake(occasion)

    async def close(self) -> None:
        """Look no more; what is under way is cut off, and made up for at the next start."""
        self._closed = True
        for task in [*self._looking.values()]:
            task.cancel()
        await asyncio.gather(*self._looking.values(), return_exceptions=True)

    def _look_at(self, number: int) -> None:
        if not self._closed and number not in self._looking:
            task = asyncio.create_task(self._work(number))
            self._looking[number] = task
            task.add_done_callback(lambda _: self._looking.pop(number, None))

    async def _work(self, number: int) -> None:
        try:
            while (await self.look(number)).state.look:
                pass  # something was chosen meanwhile
        except StoreProblem as problem:  # of which the store has told
            log.info("season_waits", occasion=number, code=problem.code)
            self._fell_behind()
        except Exception:
            log.exception("season_failed", occasion=number)
            self._fell_behind()
