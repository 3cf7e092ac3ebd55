"""Delivery: compares the messages that should exist in Discord with those that do, and makes the
changes.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any, Generic, Protocol, TypeAlias
from weakref import WeakValueDictionary

import structlog
from prometheus_client import Counter, Histogram

from cogs.delivery.budget import LookBudget
from cogs.delivery.message import Messenger
from cogs.delivery.reconcile import Memory, Reconciliation, Undone, all_landed, next_look
from cogs.gateway.drawing import drawn_for
from cogs.gateway.failures import Failure, Trouble
from cogs.gateway.gateway import Gateway
from cogs.present.surfaces import Surface
from data.store.problems import ServedElsewhere, StoreProblem
from play.aggregate import A, Command
from play.aggregates import Aggregates
from play.beside import Beside
from play.guard import guarded
from play.occasions.occasion import Occasion
from play.table import Refused, Table

log = structlog.get_logger()

RETRIES = (5.0, 30.0, 120.0, 600.0)
"""Seconds between attempts after failures that may pass by themselves."""

OWED = timedelta(days=7)
"""How long after a table ends the bot keeps trying to deliver its last messages."""

MEMORIES_KEPT = 512
"""The maximum number of tables or occasions whose messages are kept in memory."""

HELD_ALIKE = timedelta(seconds=5)
"""A rate limit that ends at most this much later than the known one counts as the same."""

DELIVERED = Histogram(
    "tafelrunde_delivery_seconds",
    "Seconds from the first request to deliver a table or occasion until all is delivered.",
    buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 600),
)
FAILED = Counter("tafelrunde_delivery_failures_total", "Deliveries that failed.", ["trouble"])


class Showing(Protocol[A]):
    """Lists the surfaces of tables or occasions, and the commands that follow from deliveries."""

    def surfaces(self, value: A, told: int, told_from: Callable[[str], int]) -> list[Surface]:
        """Return all messages that should exist, in posting order. Pure.

        :param told: every message shows the table or occasion up to this line of its journal.
        :param told_from: given a key, returns the line that messages had reached when the message
            with this key was created or, if it does not exist, the line that messages have reached
            now, which is never before ``told``.
        """

    def next_command(self, value: A, message_of: Callable[[str], int | None]) -> Command[A] | None:
        """Return the command that an awaited message triggers; None if that message does not exist
        yet, or none is awaited.

        :param message_of: returns the id of an existing message, by key.
        """

    def when_unreached(self, value: A, person_id: int) -> Command[A] | None:
        """Return the command, if any, to carry out when a direct message does not reach a
        person.
        """

    def when_hindered(self, value: A) -> Command[A] | None:
        """Return the command, if any, to carry out when the bot cannot post in the channel."""


class Delivery(Generic[A]):
    """Delivers all tables, or all occasions; the methods say "table" for both. Different tables are
    delivered concurrently, each by one worker at a time.

    :param fell_behind: called when a delivery fails, so that the next round retries it.
    :param retries: see ``RETRIES``.
    :ivar retries: may be changed at any time.
    """

    def __init__(
        self,
        aggregates: Aggregates[A],
        showing: Showing[A],
        gateway: Gateway,
        budget: LookBudget,
        fell_behind: Callable[[], None],
        retries: Sequence[float] = RETRIES,
    ) -> None:
        self._all = aggregates
        self._showing = showing
        self._messenger = Messenger(aggregates.store, gateway, aggregates.clock)
        self._budget = budget
        self._fell_behind = fell_behind
        self.retries = retries
        self._memories: OrderedDict[int, Memory] = OrderedDict()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._next: dict[tuple[int, bool], asyncio.Task[Undone]] = {}
        self._beside = Beside()
        self._attempts: dict[int, int] = {}
        self._owed_since: dict[int, float] = {}
        self._hindered: dict[int, tuple[int | None, int]] = {}
        """The server and channel of each owner that is waiting for a permission or something
        similar.
        """
        self._unseen: dict[int, None] = {}
        """Owners whose messages have not been checked since the start, the next to be checked
        first.
        """
        self._held: dict[int, tuple[datetime, bool]] = {}
        """The end of Discord's rate limit for each owner, and whether it blocks the channel."""
        self._held_elsewhere: dict[int, datetime] = {}
        """For each owner that another process serves, the end of the rate limit on its channel."""
        self._began = aggregates.clock()
        self._unsettled: set[int] = set()
        self._looking_again = asyncio.Lock()
        self._closed = False

    # -- requests
    def wake(self, owner: A) -> None:
        """Deliver a changed table or occasion soon."""
        if not self._closed:
            self._ask(owner.id, look=False)

    async def bring(self, number: int) -> Failure | None:
        """Deliver a table as it is now.

        :returns: why the table's channel is not up to date; None if it is. A failed delivery is
            retried if that may help. Failed direct messages are also retried, but never reported
            here; nor is anything about tables that another process delivers.
        """
        return (await asyncio.shield(self._ask(number, look=False))).channel

    async def look(self, number: int) -> None:
        """Deliver a table, checking first whether its messages still exist."""
        await asyncio.shield(self._ask(number, look=True))

    def visit(self, number: int) -> None:
        """Check the messages of a table where somebody has pressed a button, unless they have been
        checked since this process started.
        """
        if number in self._unseen and not self._closed:
            del self._unseen[number]
            self._ask(number, look=True)

    async def behind(self) -> None:
        """Deliver all tables whose messages are not up to date, unless they ended long ago."""
        behind = await self._all.found.behind(self._all.clock() - OWED)
        async for owner in self._all.each(behind):
            await self.bring(owner.id)

    async def answered(self, channel_id: int) -> None:
        """Deliver what could not be posted in a chat until somebody pressed a button or used a
        command there.
        """
        for number in await self._all.found.behind_in(channel_id):
            await self.bring(number)

    async def catch_up(self) -> None:
        """After a start, deliver everything the last process could not, including its work in
        progress when it died. All other messages are assumed to be as recorded; if people have
        deleted one, a slow background check or the next event at the table finds out.
        """
        await self.behind()
        self._unseen = dict.fromkeys(await self._all.found.open_ids())
        self._beside.start(self._look_slowly())

    def note_reach(self, person_id: int, *, reached: bool) -> None:
        """Record whether this person can be reached by DM; if not, do not try again for a while."""
        self._messenger.note_reach(person_id, reached=reached)

    @asynccontextmanager
    async def paused(self, number: int) -> AsyncIterator[None]:
        """Deliver nothing for a table while the block changes the records of its messages. Wait for
        a delivery in progress first.
        """
        async with self._lock(number):
            try:
                yield
            finally:
                self._memories.pop(number, None)
                owner = await self._all.get(number)
                if not self._all.serves(owner):
                    await self._all.found.tell(number, owner.guild_id)

    def forget(self, number: int) -> None:
        """Forget what this process knows about a table's messages, because another process has
        changed them.
        """
        self._memories.pop(number, None)

    def forget_all(self) -> None:
        """Forget what this process knows about all messages, because other processes have changed
        them and may still have calls in progress.
        """
        self._began = self._all.clock()
        self._memories.clear()

    def hindered(self, guild_id: int) -> dict[int, int]:
        """Return the tables on a server that wait for a permission or something similar, each with
        its channel.
        """
        found = self._hindered.items()
        return {number: channel for number, (guild, channel) in found if guild == guild_id}

    def held_back(self, number: int) -> datetime | None:
        """Return when Discord's rate limit on a table's channel ends; None if no limit applies
        now.
        """
        until, in_channel = self._held.get(number, (None, False))
        until = until if in_channel else self._held_elsewhere.get(number)
        return until if until is not None and until > self._all.clock() else None

    def note_held(self, number: int, until: datetime) -> None:
        """Record when Discord's rate limit ends for the channel of a table that another process
        serves.
        """
        now = self._all.clock()
        self._held_elsewhere = {n: end for n, end in self._held_elsewhere.items() if end > now}
        self._held_elsewhere[number] = until

    def waiting(self) -> list[float]:
        """Return how many seconds each table that is being delivered or retried has waited."""
        now = asyncio.get_running_loop().time()
        return [now - since for since in self._owed_since.values()]

    @property
    def tasks(self) -> list[asyncio.Task[Any]]:
        """The running tasks."""
        return [*self._beside.tasks]

    async def close(self) -> None:
        """Stop delivering. Deliveries in progress are cancelled and completed after the next
        start.
        """
        self._closed = True
        await self._beside.close()

    # -- one worker per table
    def _ask(self, number: int, *, look: bool) -> asyncio.Task[Undone]:
        """Return a delivery of this table that has not begun yet, so it will include everything
        that has happened. Request one if none is waiting.
        """
        waiting = self._next.get((number, look))
        if waiting is None:
            waiting = self._beside.start(self._run(number, look))
            self._next[number, look] = waiting
            self._owed_since.setdefault(number, asyncio.get_running_loop().time())
        return waiting

    async def _run(self, number: int, look: bool) -> Undone:
        async with self._lock(number):
            self._next.pop((number, look), None)
            undone = await self._safely(number, look)
        failure = undone.tried_again
        if failure is not None and failure.wait:
            await self._hold(number, failure.wait, in_channel=undone.channel is not None)
        else:
            self._held.pop(number, None)
        if failure is None or failure.trouble is Trouble.WAITS:
            self._attempts.pop(number, None)
        else:
            FAILED.labels(failure.trouble.value).inc()
            self._retry(number, failure)
        self._note_end(number, failure)
        memory = self._memories.get(number)
        if memory is not None and memory.settles is not None:
            self._settle_later(number, memory.settles)
        return undone

    def _note_end(self, number: int, failure: Failure | None) -> None:
        """Record the end of a delivery. If it failed for a passing reason, the table is still
        waiting; otherwise, if another delivery has been requested in the meantime, a new wait
        starts now.
        """
        if failure is not None and failure.trouble.passing:
            return
        now = asyncio.get_running_loop().time()
        since = self._owed_since.pop(number, now)
        if failure is None:
            DELIVERED.observe(now - since)
        if {(number, False), (number, True)} & self._next.keys():
            self._owed_since[number] = now

    def _lock(self, number: int) -> asyncio.Lock:
        return self._locks.setdefault(number, asyncio.Lock())

    async def _safely(self, number: int, look: bool) -> Undone:
        """Deliver without ever raising: the change is stored, even if it cannot be delivered."""
        try:
            return await self._deliver_served(number, look)
        except StoreProblem as problem:  # the store has already logged it
            log.info("delivery_postponed", number=number, code=problem.code)
            trouble = Trouble.STORE
        except Exception:
            log.exception("delivery_failed", number=number)
            trouble = Trouble.FAULT
        self._memories.pop(number, None)  # this memory may differ from the store
        return Undone.all_of_it(Failure(trouble))

    def _retry(self, number: int, failure: Failure) -> None:
        self._fell_behind()
        if failure.wait:
            return  # retried after the wait
        attempt = self._attempts.get(number, 0)
        if failure.trouble.passing and attempt < len(self.retries) and not self._closed:
            self._attempts[number] = attempt + 1
            self._beside.start(self._later(number, self.retries[attempt]))

    async def _hold(self, number: int, seconds: float, *, in_channel: bool) -> None:
        """Deliver a table once Discord's rate limit has passed, together with everything that
        happens until then. No other table waits for this. If the limit blocks the channel, tell the
        other processes when it ends, so that they can tell people.
        """
        known, told = self._held.get(number, (None, False))
        until = self._all.clock() + timedelta(seconds=seconds)
        if known is None or until - known > HELD_ALIKE:
            if not self._closed:
                self._beside.start(self._after_hold(number, seconds))
            known, told = until, False
        self._held[number] = known, in_channel
        if in_channel and not told:
            with guarded("hold_not_told", number=number):
                await self._all.found.tell_held(number, known)

    async def _after_hold(self, number: int, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self._held.pop(number, None)
        await self.bring(number)

    async def _later(self, number: int, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self.bring(number)

    def _settle_later(self, number: int, settles: datetime) -> None:
        """Keep checking for effects of earlier calls until none of them can take effect any
        more.
        """
        if number not in self._unsettled and not self._closed:
            self._unsettled.add(number)
            self._beside.start(self._look_again(number, next_look(settles, self._all.clock())))

    async def _look_again(self, number: int, seconds: float) -> None:
        await asyncio.sleep(seconds)
        async with self._looking_again:  # one table after another
            self._unsettled.discard(number)
            await self.look(number)

    async def _look_slowly(self) -> None:
        """Check every table that has not been checked since this process started. A failure at one
        of them does not affect the others.
        """
        while self._unseen:
            number = next(iter(self._unseen))
            with guarded("look_failed", number=number):
                _, rows = await self._all.messages.all_of(number)
                standing = [row for row in rows.values() if row.message_id and not row.final]
                await self._budget.wait(len(standing))
                if number in self._unseen and self._all.serves(await self._all.get(number)):
                    await self.look(number)
            self._unseen.pop(number, None)

    # -- one delivery
    async def _deliver_served(self, number: int, look: bool) -> Undone:
        """Deliver a table if this process serves it; otherwise notify the process that does. If the
        table moves to another process and back in the meantime, start again.
        """
        while self._all.serves(owner := await self._all.get(number)):
            try:
                return await self._deliver(number, look)
            except ServedElsewhere:
                self._memories.pop(number, None)
        await self._all.nudge(owner)
        return Undone()

    async def _deliver(self, number: int, look: bool) -> Undone:
        drawn_for.set(number)
        owner = await self._all.get(number)
        memory = await self._memory(owner)
        if owner.unplaced or (memory.told >= owner.revision and not look):
            return Undone()
        self._unseen.pop(number, None)  # the messages of this table are checked now, or edited
        self._settle(memory, look)
        for looking in (look, False):
            undone = await self._reconcile(owner, memory, looking)
            for person in undone.unreached:
                await self._do(self._showing.when_unreached(owner, person), owner)
            if all(owner.settings(person).dm_closed for person in undone.unreached):
                break
            self._all.forget(owner.id)  # reload whether DMs reach them
            owner = await self._all.get(number)
        self._note_hindrance(owner, undone.tried_again)
        if undone.channel is not None and undone.channel.hinders:
            await self._do(self._showing.when_hindered(owner), owner)
        return undone

    def _note_hindrance(self, owner: A, failure: Failure | None) -> None:
        # An outage counts too, because Discord sends an event when a server's outage ends.
        if failure is not None and (failure.hinders or failure.trouble is Trouble.UNREACHABLE):
            self._hindered[owner.id] = owner.guild_id, owner.channel_id
        else:
            self._hindered.pop(owner.id, None)

    def _settle(self, memory: Memory, look: bool) -> None:
        """If late calls may have changed messages, plan to edit all of them: before each check, and
        once no call can take effect any more.
        """
        if memory.settles is None:
            return
        landed = memory.settles <= self._all.clock()
        if look or landed:
            memory.doubt()
        if landed:
            memory.settles = None

    async def _reconcile(self, owner: A, memory: Memory, look: bool) -> Undone:
        """Bring all messages in line with the owner as it is now."""
        owner = await self._go_on(owner, memory)
        wanted = await self._wanted(owner, memory)
        if isinstance(wanted, Failure):
            return Undone.all_of_it(wanted)
        database, noted = self._all.store.database, self._all.messages

        def called_elsewhere(person: int) -> bool:
            return self._showing.when_unreached(owner, person) is not None

        undone = await Reconciliation(
            lambda: database.served,
            noted,
            self._messenger,
            owner,
            memory,
            wanted,
            look,
            called_elsewhere,
        ).make()
        await self._go_on(owner, memory)
        return undone

    async def _go_on(self, owner: A, memory: Memory) -> A:
        """Run the command that waits for a message, if that message exists. Only the first such
        message counts, whatever happens to it later.
        """
        return await self._do(self._showing.next_command(owner, memory.message_of), owner)

    async def _do(self, command: Command[A] | None, owner: A) -> A:
        if command is None:
            return owner
        try:
            return (await self._all.act(owner.id, command)).after
        except Refused as refusal:
            log.info("command_superseded", owner=owner.name, code=refusal.code)
            return await self._all.fresh(owner.id)

    async def _wanted(self, owner: A, memory: Memory) -> list[Surface] | Failure:
        """Return the surfaces that should exist. First look up unconfirmed posts that are no longer
        wanted: if they were posted after all, their content counts as delivered.
        """
        wanted = self._showing.surfaces(owner, memory.told, memory.told_from)
        uncertain = memory.uncertain(wanted)
        if not uncertain:
            return wanted
        for row in uncertain:
            found = await self._messenger.traced(owner, row)
            if isinstance(found, Failure):
                return found
            if found.rest is None and memory.may_come_back(row, self._all.clock()):
                memory.look_again(row.key)
            else:
                memory.rows[row.key] = found
        return self._showing.surfaces(owner, memory.told, memory.told_from)

    async def _memory(self, owner: A) -> Memory:
        memory = self._memories.get(owner.id)
        if memory is None:
            term = self._all.store.database.served.term
            told, rows = await self._all.messages.all_of(owner.id)
            memory = self._memories[owner.id] = Memory(told, rows, term)
            if told < owner.revision:  # a process may have died before recording an edit
                memory.doubt()
                self._began = min(self._began, self._all.clock())  # in case the clock was set back
                landed = all_landed(self._began)
                # Journal lines are timed in whole seconds. A line from the second in which this
                # process started counts as written by it.
                earlier = owner.journal[told].at < self._began.replace(microsecond=0)
                if earlier and self._all.clock() < landed:
                    memory.inherit(landed)
        self._memories.move_to_end(owner.id)
        while len(self._memories) > MEMORIES_KEPT:
            self._memories.popitem(last=False)
        return memory


TableDelivery: TypeAlias = Delivery[Table]
OccasionDelivery: TypeAlias = Delivery[Occasion[Any]]
