"""The clock of the house: whatever falls due is done, and what has failed is tried again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from discord.ext import commands

from cogs.delivery.delivery import OccasionDelivery, TableDelivery
from play.guard import guarded
from play.occasions.occasion import Occasion
from play.occasions.occasions import Occasions
from play.table import Table
from play.tables import Tables

Work = Callable[[], Awaitable[object]]

SOONEST, LATEST = 10.0, 60.0
"""Least and most seconds between two looks at what is due. The event loop counts by a monotonic
clock, which stops while the machine is suspended. So whatever is due by the wall clock is found
within a minute, even if that clock was changed or the machine slept.
"""

ROUND = timedelta(minutes=10)
"""Least time between two rounds over what has failed."""


class Deadlines(commands.Cog):
    """Looks at tables and occasions that are due, and makes rounds over what could not be done.

    :ivar latest: seconds, as ``LATEST``.
    """

    latest = LATEST

    def __init__(self, tables: Tables, occasions: Occasions) -> None:
        self._all: tuple[Tables | Occasions, ...] = tables, occasions
        self._clock = tables.clock
        self._at_start: tuple[Work, ...] = ()
        self._at_rounds: tuple[Work, ...] = ()
        self._next_round = self._clock() + ROUND
        self._behind = False
        self._alarm_set_for: datetime | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._looking: asyncio.Task[None] | None = None
        self._started = False

    def drive(self, deliveries: Sequence[TableDelivery | OccasionDelivery], *others: Work) -> None:
        """Name those who go on where something has failed."""
        self._at_start = *(delivery.catch_up for delivery in deliveries), *others
        self._at_rounds = *(delivery.behind for delivery in deliveries), *others

    # -- waking
    def wake(self, changed: Table | Occasion[Any]) -> None:
        """Something has changed: there may be something new to wait for."""
        due = changed.row.due_at
        if due is not None and (self._alarm_set_for is None or due < self._alarm_set_for):
            self._set_alarm(due)

    def fell_behind(self) -> None:
        """Something could not be done, or told: let the next round go over it."""
        self._behind = True
        self._set_alarm(self._next_round)

    async def look_at_all(self) -> None:
        """Go over everything that this process serves: what is due, and what was left undone."""
        for work in (self.ring, *self._at_rounds, self._look_ahead):
            await self._guarded(work)

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Once for each start: go on where the last process stopped, then look from now on."""
        if self._started:
            return
        self._started = True
        self._next_round = self._clock() + ROUND
        await self._look()  # from now on alarms ring, however long the rest takes
        for work in self._at_start:
            await self._guarded(work)

    async def cog_unload(self) -> None:
        """Look no longer."""
        self._started = False
        self._stop_timer()
        if self._looking is not None:
            self._looking.cancel()

    def _begin_look(self) -> None:
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())

    async def _look(self) -> None:
        await self._guarded(self.ring)
        await self._guarded(self._make_round)
        if not await self._guarded(self._look_ahead):
            self._set_alarm(self._clock())  # as soon as possible

    # -- what is due
    async def ring(self) -> None:
        """Let follow what the time has brought about where something is due; what fails at one
        table or occasion concerns no other.
        """
        for each in self._all:
            for number in await each.found.due(self._clock()):
                await self._guarded(partial(each.tick, number))

    async def _make_round(self) -> None:
        """Go on where something has failed, unless that was tried a moment ago."""
        now = self._clock()
        waits = now < self._next_round <= now + ROUND  # else the clock was set back
        if self._behind and not waits:
            self._behind = False
            self._next_round = now + ROUND
            for work in self._at_rounds:
                await self._guarded(work)

    # -- when to look next
    async def _look_ahead(self) -> None:
        dues = [await each.found.next_due() for each in self._all]
        dues.append(self._next_round if self._behind else None)
        self._set_alarm(min((due for due in dues if due is not None), default=None))

    def _set_alarm(self, due: datetime | None) -> None:
        """Look again when the next thing is due."""
        self._alarm_set_for = due
        if not self._started:
            return
        self._stop_timer()
        wait = self.latest if due is None else (due - self._clock()).total_seconds()
        seconds = min(max(wait, SOONEST), self.latest)
        self._timer = asyncio.get_running_loop().call_later(seconds, self._begin_look)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    async def _guarded(self, work: Work) -> bool:
        """Do something whose failure must not hinder what comes after it; it is logged.

        :returns: whether it succeeded.
        """
        with guarded("background_work_failed") as doing:
            await work()
        self._behind = self._behind or doing.failed
        return not doing.failed
