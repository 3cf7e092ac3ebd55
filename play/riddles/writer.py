"""Writes the daily posts of servers when they are due, from what the store knows of the day."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from typing import Any, Final

import structlog

from data.store.problems import StoreProblem
from data.store.riddles import Riddles
from games.fairness import new_secret
from play.occasions.daily import ONE_DAY, Best, Daily, DailyKind, Post, Write
from play.occasions.occasion import Occasion
from play.occasions.occasions import Occasions
from play.riddles.stock import Stock

log = structlog.get_logger()

NAMED: Final = 3
"""So many of the best are named."""


class Writer:
    """Driven by what is due: after a crash or a fault it is done again.

    :param fell_behind: is called when something has failed, so that it is tried again in the next
        round.
    """

    def __init__(self, occasions: Occasions, fell_behind: Callable[[], None]) -> None:
        self._occasions = occasions
        self._fell_behind = fell_behind
        self._riddles: Riddles = occasions.store.riddles
        self._stock = Stock(self._riddles)
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def wake(self, occasion: Occasion[Any]) -> None:
        """The occasion has changed: a post may be due."""
        if self._closed or occasion.row.kind != DailyKind.NAME:
            return
        if occasion.state.due and occasion.state.wanted:
            task = asyncio.create_task(self._write(occasion))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def wake_all(self) -> None:
        """After a start or a failure: look at all."""
        for occasion in await self._occasions.of_kind(DailyKind.NAME):
            if self._occasions.serves(occasion):
                self.wake(occasion)

    async def close(self) -> None:
        """Write no more; what is under way is cut off, and made up for at the next start."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _write(self, occasion: Occasion[Daily]) -> None:
        try:
            day = date.fromisoformat(occasion.state.due)
            await self._occasions.act(occasion.id, await self._post(day, occasion.guild_id or 0))
        except StoreProblem as problem:  # of which the store has told
            log.info("daily_post_waits", occasion=occasion.id, code=problem.code)
            self._fell_behind()
        except Exception:
            log.exception("daily_post_failed", occasion=occasion.id)
            self._fell_behind()

    async def _post(self, day: date, guild_id: int) -> Write:
        before = day - ONE_DAY
        deals = await self._riddles.best_plays(before, guild_id, NAMED)
        solvers = await self._riddles.best_attempts(before, guild_id, NAMED)
        post = Post(
            day.isoformat(),
            (await self._stock.of_day(day)).to_json(),
            (await self._stock.of_day(before)).to_json(),
            await self._riddles.secret(before, new_secret),
            tuple(Best(row.person_id, row.points or 0) for row in deals),
            tuple(Best(row.person_id, row.points or 0) for row in solvers),
        )
        names = {row.person_id: row.name for row in deals}
        return Write(post, names | {row.person_id: row.name for row in solvers})
