"""Lets several processes share one database: each serves its own shards, and the others notify it
of changes.

Nothing depends on these notifications arriving, or on when they arrive: if a process may have
missed some, it checks everything it serves.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Sequence
from datetime import UTC, datetime
from typing import Any

import structlog
from discord.ext import commands

from cogs.delivery.delivery import Delivery, OccasionDelivery, TableDelivery
from cogs.features.deadlines import Deadlines
from data.store.problems import StoreClosed, StoreProblem
from data.store.shards import MESSAGES
from data.store.store import Store
from play.aggregate import A
from play.aggregates import Aggregates
from play.beside import Beside
from play.guard import guarded
from play.occasions.occasions import Occasions
from play.tables import Tables

log = structlog.get_logger()

BEAT = 5.0
"""The longest pause between two renewals of this process's lease on its shards, in seconds."""

PAUSE = 1.0
"""Seconds to wait before trying again after a failure."""


class Serving(commands.Cog):
    """Renews this process's lease on its shards, and acts on news about their tables and
    occasions.
    """

    def __init__(
        self,
        store: Store,
        tables: tuple[Tables, TableDelivery],
        occasions: tuple[Occasions, OccasionDelivery],
        deadlines: Deadlines,
    ) -> None:
        self._store = store
        self._tables = tables
        self._occasions = occasions
        self._deadlines = deadlines
        self._served = store.database.served
        self._beside = Beside()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Once per start, begin renewing the lease and listening for news."""
        if not self._beside.tasks:
            for work in (self._renew, self._hear):
                self._beside.start(self._again_and_again(work))

    async def cog_unload(self) -> None:
        """Stop renewing and listening."""
        await self._beside.close()

    async def _again_and_again(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        while True:
            with guarded("serving_failed"):
                try:
                    await work()
                    continue
                except StoreClosed:
                    return
                except StoreProblem as problem:  # the store has already logged it
                    log.info("serving_postponed", code=problem.code)
            await asyncio.sleep(PAUSE)

    # -- the lease
    async def _renew(self) -> None:
        """Renew the lease. If this process now serves different shards, check everything it
        serves.
        """
        await self._store.database.renew()
        await self._take_stock()
        await asyncio.sleep(BEAT * random.uniform(0.8, 1))

    async def _take_stock(self) -> None:
        before, self._served = self._served, self._store.database.served
        if self._served != before:
            numbers = sorted(self._served.numbers)
            log.info("serving_shards", shards=numbers, count=self._served.count)
            await self._look_at_all()

    async def _look_at_all(self) -> None:
        """Drop everything from memory, and check everything that may be due."""
        for values, delivery in (self._tables, self._occasions):
            values.forget_all()
            delivery.forget_all()
        await self._deadlines.look_at_all()

    # -- other processes
    async def _hear(self) -> None:
        """Wait for news from other processes, and act on it."""
        news = await self._store.database.hear()
        if news is None:
            await self._look_at_all()
            return
        for each in dict.fromkeys(news):
            match each.split():
                case ["table", *told]:
                    self._beside.start(self._look_at(*self._tables, told))
                case ["occasion", *told]:
                    self._beside.start(self._look_at(*self._occasions, told))
                case ["shard", number]:
                    await self._store.database.give_back(int(number))
                    await self._take_stock()
                case ["held", "table", number, until]:
                    _, delivery = self._tables
                    delivery.note_held(int(number), datetime.fromtimestamp(int(until), UTC))

    async def _look_at(
        self, values: Aggregates[A], delivery: Delivery[A], told: Sequence[str]
    ) -> None:
        """Act on the news that a table or an occasion has changed.

        :param told: the words after the kind; see ``shards.changed``.
        """
        number, guild_id = int(told[0]), int(told[1]) or None
        with guarded("news_not_followed", kind=type(values).__name__, number=number) as looking:
            if MESSAGES in told:
                delivery.forget(number)
            await values.heard(number, guild_id)
        if looking.failed:
            self._deadlines.fell_behind()
