"""All tables, or all occasions. Each is loaded, changed and committed as a whole.

Values stay in memory once they have been loaded or changed. A commit succeeds only if the stored
revision is the one that was decided on, so a stale copy merely costs a second attempt. If a command
is refused because of a copy in memory, it is decided again on the stored value. Other processes do
not announce changes to the values that they serve. So before this process shows a copy of such a
value, it compares the copy's revision with the stored one, once per press or command. After
``TRUSTED`` it loads the value again, because changes to people's settings do not change the
revision.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, Final, Generic, Protocol
from weakref import WeakValueDictionary

from data.store.messages import MessageRepository
from data.store.problems import CommitUnknown, Conflict
from data.store.store import Store
from play.aggregate import A, Aggregate, Command, Tick
from play.guard import guarded
from play.table import Refused

KEPT = 256
"""How many tables, and how many occasions, stay in memory. Loading another takes a millisecond or
two.
"""

TRUSTED: Final = timedelta(seconds=10)
"""How long a copy is used if another process serves the value. The settings in the copy may be this
old.
"""

compared: Final[ContextVar[set[str] | None]] = ContextVar("compared", default=None)
"""The names of the copies that this press or command has compared with the stored values. None:
each copy is compared whenever it is shown.
"""


@dataclass(frozen=True, slots=True)
class Change(Generic[A]):
    """The effect of a command: the value before and after it; the same object if nothing
    changed.
    """

    before: A
    after: A


class Found(Protocol):
    """The store's interface to all tables, or all occasions: lookups and notifications."""

    def serves(self, guild_id: int | None) -> bool:
        """Return whether this process serves a server: delivers its messages, applies deadlines,
        and plays for the computer players.
        """

    async def id_of(self, code: str) -> int:
        """Return the id that belongs to a short code.

        :raises Conflict: no such code.
        """

    async def revision_of(self, number: int) -> int | None:
        """Return the stored revision of a table or occasion; None if none has this number."""

    async def tell(self, number: int, guild_id: int | None) -> None:
        """Ask the process that serves ``guild_id`` to check this table or occasion."""

    async def tell_held(self, number: int, until: datetime) -> None:
        """Tell all processes that Discord's rate limit delays the messages of a table or occasion
        until ``until``.
        """

    async def due(self, now: datetime) -> list[int]:
        """Return the ids of the tables or occasions that are due and that this process serves, the
        longest due first.
        """

    async def next_due(self) -> datetime | None:
        """Return the earliest moment at which a table or occasion that this process serves is due;
        None: never.
        """

    async def open_ids(self) -> list[int]:
        """Return the ids of the open tables or occasions that this process serves."""

    async def behind(self, since: datetime) -> list[int]:
        """Return the ids of the tables or occasions that this process serves and whose messages do
        not show the latest change, oldest first.

        :param since: leave out what ended before this moment.
        """

    async def behind_in(self, channel_id: int) -> list[int]:
        """Return the ids of the tables or occasions of one channel whose messages do not show the
        latest change, whichever process serves them and however long ago they ended.
        """


class Aggregates(ABC, Generic[A]):
    """All tables, or all occasions, and the commands to them.

    :cvar MISSING: raised for an unknown code.
    :ivar store: stores them.
    :ivar clock: returns the current time, with its time zone.
    :ivar found: the store's interface to them.
    :ivar messages: the store's records of their messages.
    """

    MISSING: ClassVar[type[Conflict]]

    def __init__(
        self, store: Store, clock: Callable[[], datetime], found: Found, messages: MessageRepository
    ) -> None:
        self.store = store
        self.clock = clock
        self.found = found
        self.messages = messages
        self._held: OrderedDict[int, A] = OrderedDict()
        self._loaded: dict[int, datetime] = {}
        """When each value in memory was loaded."""
        self._announced: dict[int, int] = {}
        """By id, the revision of the last commit made here that also notified the serving process.
        """
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Callable[[A], None]] = []
        self._drivers: list[Callable[[A], None]] = []

    def listen(self, listener: Callable[[A], None]) -> None:
        """Call ``listener`` after every change made in this process; it must return quickly."""
        self._listeners.append(listener)

    def drive(self, driver: Callable[[A], None]) -> None:
        """Call ``driver``, which starts follow-up work, after every change to a value that this
        process serves, whichever process made it; it must return quickly.
        """
        self._drivers.append(driver)

    def serves(self, value: A) -> bool:
        """Return whether this process serves the value: delivers it, applies its deadlines, and so
        on.
        """
        return self.found.serves(value.guild_id)

    # -- looking
    async def get(self, number: int) -> A:
        """Return the value from memory. Load it if it is not there, or if another process serves it
        and the copy is older than ``TRUSTED`` or no longer the latest.

        :raises Conflict: no such number.
        """
        value = self._known(number)
        if value is None:
            return await self.fresh(number)
        if self.serves(value) or value.name in (compared.get() or ()):
            return value
        if await self.found.revision_of(number) != value.revision:
            return await self.fresh(number)
        _note_compared(value)
        return value

    async def fresh(self, number: int) -> A:
        """Return the stored value.

        :raises Conflict: no such number.
        """
        loaded = self.clock()
        value = await self._load(number)
        _note_compared(value)
        return self._keep(value, loaded)

    async def by_code(self, code: str) -> A:
        """Return the value with a short code, given as people type it.

        :raises Conflict: no such code; an instance of ``MISSING``.
        """
        if not code.isascii():  # a query with a lone surrogate would fail
            raise self.MISSING(code)
        return await self.get(await self.found.id_of(code.strip().upper()))

    async def each(self, numbers: Iterable[int]) -> AsyncIterator[A]:
        """Yield the stored values; one that cannot be read is logged and left out."""
        for number in numbers:
            with guarded("left_out", kind=type(self).__name__, number=number) as reading:
                value = await self.fresh(number)
            if not reading.failed:
                yield value

    # -- doing
    async def tick(self, number: int) -> A:
        """Apply everything that time or a changed setting has made due.

        :returns: the value afterwards.
        """
        return (await self._look_again(number)).after

    async def act(self, number: int, command: Command[A], /) -> Change[A]:
        """Carry out a command with all its consequences: decide, commit, notify the listeners.

        :raises Refused: the command is not possible; nothing was changed.
        :raises Conflict: no such number; ``AlreadyCounted``: the interaction has been counted
            before.
        """
        async with self._lock(number):
            held = self._known(number)
            before = held or await self.fresh(number)
            while True:
                try:
                    after = await self._completed(self._decide(before, command))
                except Refused:
                    if before is not held:
                        raise
                    held, before = None, await self.fresh(number)
                    continue
                if after is before or await self._stored(before, after):
                    break
                held, before = None, await self.fresh(number)
            self._keep(after)
        if after is not before:
            if not self.serves(after):
                self._announced[number] = after.revision
            self._tell(after)
        return Change(before, after)

    async def heard(self, number: int, guild_id: int | None) -> None:
        """Handle a report that a value, or a setting it uses, has changed. If this process serves
        the value, load it and apply the consequences; otherwise do nothing, because the copy in
        memory is compared with the stored value when somebody uses it.
        """
        if not self.found.serves(guild_id):
            return
        await self.fresh(number)
        change = await self.act(number, Tick())
        if change.after is change.before:
            self._wake(change.after)

    async def nudge(self, value: A) -> None:
        """Notify the process that serves a value, unless the commit made here has just done so."""
        if self._announced.pop(value.id, None) != value.revision:
            await self.found.tell(value.id, value.guild_id)

    def forget(self, number: int) -> None:
        """Drop a value from memory; it is loaded again when it is needed."""
        for known in (self._held, self._loaded, self._announced):
            known.pop(number, None)

    def forget_all(self) -> None:
        """Drop everything from memory, because reports of changes may have been missed."""
        for known in (self._held, self._loaded, self._announced):
            known.clear()

    # -- for subclasses
    @abstractmethod
    async def _load(self, number: int) -> A:
        """Return the stored value.

        :raises Conflict: no such number.
        """

    @abstractmethod
    async def _commit(self, before: A, after: A) -> bool:
        """Store a changed value; return False if another change was committed first."""

    @abstractmethod
    def _decide(self, value: A, command: Command[A]) -> A:
        """Return the value after a command and all its consequences; the same object if nothing
        changes.

        :raises Refused: the command is not possible.
        """

    async def _completed(self, value: A) -> A:
        """Complete a decided value with data that has to be looked up. A hook for subclasses."""
        return value

    # -- inside
    async def _look_again(self, number: int) -> Change[A]:
        self.forget(number)
        change = await self.act(number, Tick())
        if change.after is change.before and not self.serves(change.after):
            # the process that serves it has a copy with the old settings
            await self.found.tell(number, change.after.guild_id)
        return change

    async def _stored(self, before: A, after: A) -> bool:
        """Store a changed value; return False if another change was committed first. If the outcome
        is unknown, drop the copy in memory and raise.
        """
        try:
            return await self._commit(before, after)
        except CommitUnknown:
            self.forget(after.id)
            raise

    def _known(self, number: int) -> A | None:
        """Return the value in memory; None if there is none, or if another process serves it and
        the copy is too old.
        """
        held = self._held.get(number)
        if held is None or self.serves(held) or self.clock() - self._loaded[number] < TRUSTED:
            return held
        return None

    def _keep(self, value: A, loaded: datetime | None = None) -> A:
        """Keep a value in memory.

        :param loaded: when it was loaded; None: it has just been decided or created here.
        """
        known = self._held.get(value.id)
        if known is not None and known.revision > value.revision:
            return known  # this value was read before a change but arrived after it
        self._loaded[value.id] = loaded or self._loaded.get(value.id) or self.clock()
        self._held[value.id] = value
        self._held.move_to_end(value.id)
        while len(self._held) > KEPT:
            self.forget(next(iter(self._held)))
        return value

    def _tell(self, value: A) -> A:
        for listener in self._listeners:
            listener(value)
        self._wake(value)
        return value

    def _wake(self, value: A) -> None:
        if self.serves(value):
            for driver in self._drivers:
                driver(value)

    def _lock(self, number: int) -> asyncio.Lock:
        """Return the lock for a value. It only avoids commits that are bound to fail; correctness
        rests on the revision.
        """
        return self._locks.setdefault(number, asyncio.Lock())


def _note_compared(value: Aggregate) -> None:
    """Record that this press or command need not compare its copy of this value again."""
    names = compared.get()
    if names is not None:
        names.add(value.name)
