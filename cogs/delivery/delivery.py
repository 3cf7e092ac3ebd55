"""Delivery: what should stand in Discord is compared with what stands, and what differs is made."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import structlog
from prometheus_client import Counter, Histogram

from cogs.delivery.message import Messages
from cogs.delivery.passing import ADVICE, Memory, Pass, Undone
from cogs.gateway.failures import Failure, Trouble
from cogs.gateway.gateway import Gateway
from cogs.present.surfaces import Presenter, Surface
from data.store.problems import ServedElsewhere, StoreProblem
from data.store.rows import MessageRow, Status
from data.store.store import Store
from play.lobby import DrawLots
from play.table import Refused, Table
from play.tables import Tables

log = structlog.get_logger()

T = TypeVar("T")

RETRIES = (5.0, 30.0, 120.0, 600.0)
"""Seconds between attempts to tell something while Discord is out of reach."""

OWED = timedelta(days=7)
"""How long after its end a table may still be told what happened."""

MEMORIES_KEPT = 512
"""Tables whose messages are held in memory."""

LOOKS_APART = 1.0
"""Seconds between two tables that are looked at after an absence."""

DELIVERED = Histogram(
    "tafelrunde_delivery_seconds",
    "From the first change of a table that was not told to all of it being told.",
    buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 600),
)
FAILED = Counter("tafelrunde_delivery_failures_total", "Deliveries that failed.", ["trouble"])


class Delivery:
    """Makes surfaces stand, the tables beside each other and each by one worker at a time.

    :param fell_behind: is called when something could not be told, so that it is tried again in
        the next round.
    :param retries: seconds between attempts while Discord is out of reach.
    """

    def __init__(
        self,
        store: Store,
        tables: Tables,
        presenter: Presenter,
        gateway: Gateway,
        fell_behind: Callable[[], None],
        retries: Sequence[float] = RETRIES,
    ) -> None:
        self._store = store
        self._tables = tables
        self._presenter = presenter
        self._messages = Messages(store, gateway, tables.clock)
        self._fell_behind = fell_behind
        self._retries = retries
        self._memories: OrderedDict[int, Memory] = OrderedDict()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._next: dict[tuple[int, bool], asyncio.Task[Undone]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._attempts: dict[int, int] = {}
        self._owed_since: dict[int, float] = {}
        self._closed = False

    # -- asking for it
    def wake(self, table: Table) -> None:
        """The table has changed: deliver it soon."""
        if not self._closed:
            self._ask(table.id, look=False)

    async def bring(self, table_id: int) -> Failure | None:
        """Deliver a table as it stands now.

        :returns: why its channel could not be told; it is tried again if that may help. Of direct
            messages that fail the caller hears nothing: they are made up for likewise; nor of a
            table that another process delivers.
        """
        return (await asyncio.shield(self._ask(table_id, look=False))).channel

    async def look(self, table_id: int) -> None:
        """Deliver a table, and see first whether what is believed to stand is still there."""
        await asyncio.shield(self._ask(table_id, look=True))

    async def behind(self) -> None:
        """Deliver all tables whose channels have not heard everything, unless it is long over."""
        behind = await self._store.tables.behind(self._tables.clock() - OWED)
        async for table in self._tables.each(behind):
            await self.bring(table.id)

    async def answered(self, channel_id: int) -> None:
        """Someone has acted where the bot can only answer: now what waited for that can be told."""
        for table_id in await self._store.tables.behind_in(channel_id):
            await self.bring(table_id)

    async def catch_up(self) -> None:
        """After a start: tell what the last process could not, then look at what stands: at lobbies
        at once, because no one could join without; at running tables slowly, beside all else.
        """
        await self.behind()
        running = []
        async for table in self._tables.each(await self._store.tables.open_ids()):
            if table.row.status is Status.LOBBY:
                await self.look(table.id)
            else:
                running.append(table.id)
        self._beside(self._look_slowly(running))

    async def advised(self, table_id: int, person_id: int) -> None:
        """Note that a person has been told what to do without direct messages."""
        memory = await self._memory(table_id)
        key, since = f"{ADVICE}{person_id}", self._messages.now()
        row = MessageRow(key, since, person_id=person_id, pinged=True, final=True)
        memory.rows[row.key] = row
        await self._store.messages.note(table_id, row)

    def note_reach(self, person_id: int, *, reached: bool) -> None:
        """It has been found out whether direct messages reach a person: none is tried in vain for
        a while, or they are tried again.
        """
        self._messages.note_reach(person_id, reached=reached)

    @asynccontextmanager
    async def paused(self, table_id: int) -> AsyncIterator[None]:
        """Deliver nothing of a table while the block changes what is stored of its messages; what
        is under way comes to its end first.
        """
        async with self._lock(table_id):
            try:
                yield
            finally:
                self._memories.pop(table_id, None)
                if not self._tables.serves(await self._tables.get(table_id)):
                    await self._store.tables.tell(table_id)

    def forget(self, table_id: int) -> None:
        """Believe nothing any more of what stands for a table: another process has changed what is
        noted.
        """
        self._memories.pop(table_id, None)

    def forget_all(self) -> None:
        """Believe nothing any more of what stands: others have made it stand."""
        self._memories.clear()

    def waiting(self) -> list[float]:
        """For how many seconds each table waits that is being told, or will be tried again."""
        now = asyncio.get_running_loop().time()
        return [now - since for since in self._owed_since.values()]

    async def close(self) -> None:
        """Deliver no more; what is under way is cut off, and made up for at the next start."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # -- one worker a table
    def _ask(self, table_id: int, *, look: bool) -> asyncio.Task[Undone]:
        """The delivery that has not begun yet: it will see everything that has happened so far."""
        waiting = self._next.get((table_id, look))
        if waiting is None:
            waiting = self._beside(self._run(table_id, look))
            self._next[table_id, look] = waiting
            self._owed_since.setdefault(table_id, asyncio.get_running_loop().time())
        return waiting

    async def _run(self, table_id: int, look: bool) -> Undone:
        async with self._lock(table_id):
            self._next.pop((table_id, look), None)
            undone = await self._safely(table_id, look)
        failure = undone.tried_again
        if failure is None or failure.trouble is Trouble.WAITS:
            self._attempts.pop(table_id, None)
        else:
            FAILED.labels(failure.trouble.value).inc()
            self._retry(table_id, failure)
        self._note_end(table_id, failure)
        return undone

    def _note_end(self, table_id: int, failure: Failure | None) -> None:
        """A delivery has ended. A table whose failure will pass goes on waiting; so does one that
        has changed meanwhile, but only from now on.
        """
        if failure is not None and failure.trouble.passing:
            return
        now = asyncio.get_running_loop().time()
        since = self._owed_since.pop(table_id, now)
        if failure is None:
            DELIVERED.observe(now - since)
        if {(table_id, False), (table_id, True)} & self._next.keys():
            self._owed_since[table_id] = now

    def _lock(self, table_id: int) -> asyncio.Lock:
        return self._locks.setdefault(table_id, asyncio.Lock())

    async def _safely(self, table_id: int, look: bool) -> Undone:
        """It never raises: what is to be told has happened, whether it can be told or not."""
        try:
            return await self._deliver_served(table_id, look)
        except StoreProblem as problem:  # of which the store has told
            log.info("delivery_waits", table=table_id, code=problem.code)
            trouble = Trouble.STORE
        except Exception:
            log.exception("delivery_failed", table=table_id)
            trouble = Trouble.FAULT
        self._memories.pop(table_id, None)  # it may not be what is stored
        return Undone.all_of_it(Failure(trouble))

    def _retry(self, table_id: int, failure: Failure) -> None:
        self._fell_behind()
        attempt = self._attempts.get(table_id, 0)
        if failure.trouble.passing and attempt < len(self._retries) and not self._closed:
            self._attempts[table_id] = attempt + 1
            self._beside(self._later(table_id, self._retries[attempt]))

    async def _later(self, table_id: int, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self.bring(table_id)

    async def _look_slowly(self, table_ids: list[int]) -> None:
        for table_id in table_ids:
            await asyncio.sleep(LOOKS_APART)
            await self.look(table_id)

    def _beside(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # -- one delivery
    async def _deliver_served(self, table_id: int, look: bool) -> Undone:
        """Deliver a table if this process serves it; else let the one that does hear of it. Whoever
        loses it meanwhile begins anew when it is back.
        """
        while self._tables.serves(await self._tables.get(table_id)):
            try:
                return await self._deliver(table_id, look)
            except ServedElsewhere:
                self._memories.pop(table_id, None)
        await self._store.tables.tell(table_id)
        return Undone()

    async def _deliver(self, table_id: int, look: bool) -> Undone:
        table = await self._tables.get(table_id)
        memory = await self._memory(table_id)
        if table.row.status is Status.PARKED or (memory.told >= table.revision and not look):
            return Undone()
        table = await self._draw_lots(table, memory)
        wanted = await self._wanted(table, memory)
        if isinstance(wanted, Failure):
            return Undone.all_of_it(wanted)
        undone = await Pass(self._store, self._messages, table, memory, wanted, look).make()
        await self._draw_lots(table, memory)
        return undone

    async def _draw_lots(self, table: Table, memory: Memory) -> Table:
        """Begin the match if the message stands by which the lots are drawn. The first one that is
        known counts, whatever becomes of it.
        """
        row = memory.rows.get(f"lots:{table.drawing}")
        if row is None or row.message_id is None:
            return table
        try:
            change = await self._tables.act(table.id, DrawLots(table.drawing, row.message_id))
        except Refused as refusal:
            log.info("lots_not_drawn", table=table.id, code=refusal.code)
            return await self._tables.fresh(table.id)
        return change.table

    async def _wanted(self, table: Table, memory: Memory) -> list[Surface] | Failure:
        """What should stand. Of posts that are wanted no longer it is found out first whether they
        succeeded: what they have told is told.
        """
        wanted = self._presenter.surfaces(table, memory.told, memory.told_from)
        uncertain = memory.uncertain(wanted)
        if not uncertain:
            return wanted
        for row in uncertain:
            found = await self._messages.traced(table, row)
            if isinstance(found, Failure):
                return found
            memory.rows[row.key] = found
        return self._presenter.surfaces(table, memory.told, memory.told_from)

    async def _memory(self, table_id: int) -> Memory:
        memory = self._memories.get(table_id)
        if memory is None:
            term = self._store.database.served.term
            memory = Memory(*await self._store.messages.of_table(table_id), term)
            self._memories[table_id] = memory
        self._memories.move_to_end(table_id)
        while len(self._memories) > MEMORIES_KEPT:
            self._memories.popitem(last=False)
        return memory
