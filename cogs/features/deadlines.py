"""Background work: applies deadlines, and retries everything that has failed."""

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
"""Minimum and maximum seconds between two checks. The event loop uses a monotonic clock, which
stops while the machine is suspended. With this maximum, the bot notices within a minute that the
wall clock has passed a deadline, even if that clock was changed or the machine slept.
"""

ROUND = timedelta(minutes=10)
"""Minimum time between two retry rounds."""


class Deadlines(commands.Cog):
    """Checks for tables and occasions that are due, and retries what failed.

    :ivar latest: in seconds, see ``LATEST``.
    """

    latest = LATEST

    def __init__(self, tables: Tables, occasions: Occasions) -> None:
        self._all: tuple[Tables | Occasions, ...] = tables, occasions
        self._tables = tables
        self._at_start: tuple[Work, ...] = ()
        self._at_rounds: tuple[Work, ...] = ()
        self._next_round = self._tables.clock() + ROUND
        self._behind = False
        self._alarm_set_for: datetime | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._looking: asyncio.Task[None] | None = None
        self._started = False

    def drive(self, deliveries: Sequence[TableDelivery | OccasionDelivery], *others: Work) -> None:
        """Set the work to retry.

        :param deliveries: retried at the start and in each round.
        :param others: more work to retry at the same times.
        """
        self._at_start = *(delivery.catch_up for delivery in deliveries), *others
        self._at_rounds = *(delivery.behind for delivery in deliveries), *others

    # -- waking
    def wake(self, changed: Table | Occasion[Any]) -> None:
        """Bring the alarm forward if a changed table or occasion is now due earlier."""
        due = changed.row.due_at
        if due is not None and (self._alarm_set_for is None or due < self._alarm_set_for):
            self._set_alarm(due)

    def fell_behind(self) -> None:
        """Let the next round retry whatever failed."""
        self._behind = True
        self._set_alarm(self._next_round)

    async def look_at_all(self) -> None:
        """For all tables and occasions that this process serves, apply everything that is due and
        retry everything that failed.
        """
        for work in (self.ring, *self._at_rounds, self._look_ahead):
            await self._guarded(work)

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Once per start, begin checking, and continue where the last process stopped."""
        if self._started:
            return
        self._started = True
        self._next_round = self._tables.clock() + ROUND
        await self._look()  # alarms can ring from here on, however long the rest takes
        for work in self._at_start:
            await self._guarded(work)

    async def cog_unload(self) -> None:
        """Stop checking."""
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
            self._set_alarm(self._tables.clock())  # as soon as possible

    # -- what is due
    async def ring(self) -> None:
        """Apply everything that is due; a failure in one place does not affect the others."""
        for each in self._all:
            for number in await each.found.due(self._tables.clock()):
                await self._guarded(partial(each.tick, number))

    async def _make_round(self) -> None:
        """Retry what failed, unless the last round was less than ``ROUND`` ago."""
        now = self._tables.clock()
        waits = now < self._next_round <= now + ROUND  # any later: the clock was set back
        if self._behind and not waits:
            self._behind = False
            self._next_round = now + ROUND
            for work in self._at_rounds:
                await self._guarded(work)

    # -- the next check
    async def _look_ahead(self) -> None:
        dues = [await each.found.next_due() for each in self._all]
        dues.append(self._next_round if self._behind else None)
        self._set_alarm(min((due for due in dues if due is not None), default=None))

    def _set_alarm(self, due: datetime | None) -> None:
        """Set the next check for the moment when something is due, but no sooner than ``SOONEST``
        and no later than ``latest`` from now.
        """
        self._alarm_set_for = due
        if not self._started:
            return
        self._stop_timer()
        wait = self.latest if due is None else (due - self._tables.clock()).total_seconds()
        seconds = min(max(wait, SOONEST), self.latest)
        self._timer = asyncio.get_running_loop().call_later(seconds, self._begin_look)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    async def _guarded(self, work: Work) -> bool:
        """Do some work. A failure is logged, and does not keep later work from running.

        :returns: whether it succeeded.
        """
        with guarded("background_work_failed") as doing:
            await work()
        self._behind = self._behind or doing.failed
        return not doing.failed
