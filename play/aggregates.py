"""All tables, or all occasions: each is loaded whole, decided about, and committed whole.

A value stays in memory after a decision. A commit is guarded by the revision that was decided on,
so a stale copy costs a second try and nothing else. A refusal counts only if it rests on what is
stored: one that was decided on a copy in memory is decided again.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Generic, Protocol
from weakref import WeakValueDictionary

from data.store.messages import MessageRepository
from data.store.problems import CommitUnknown, Conflict
from data.store.store import Store
from play.aggregate import A, Command, Tick
from play.guard import guarded
from play.table import Refused

KEPT = 256
"""How many of each kind are kept in memory; any other one is loaded in a millisecond or two."""


@dataclass(frozen=True, slots=True)
class Change(Generic[A]):
    """The effect of a command: the value before and after it; the same one if it did nothing."""

    before: A
    after: A


class Found(Protocol):
    """The part of the store that finds them."""

    def serves(self, guild_id: int | None) -> bool:
        """Whether this process does what is to be done unasked on a server."""

    async def id_of(self, code: str) -> int:
        """The one with a short code.

        :raises Conflict: there is none.
        """

    async def tell(self, number: int) -> None:
        """Let the process that serves one of them look at it."""

    async def due(self, now: datetime) -> list[int]:
        """Those that are due, the longest due first."""

    async def next_due(self) -> datetime | None:
        """When something is to be done next at any of them; None: never."""

    async def open_ids(self) -> list[int]:
        """All that are not over and that this process serves, the most urgent to look at first."""

    async def behind(self, since: datetime) -> list[int]:
        """Those whose messages do not show the latest change, oldest first."""

    async def behind_in(self, channel_id: int) -> list[int]:
        """Those of a channel whose messages do not show the latest change, oldest first."""


class Aggregates(ABC, Generic[A]):
    """All tables, or all occasions, and the commands to them.

    :cvar MISSING: what is raised if there is none with a code.
    :ivar store: where they are kept.
    :ivar clock: returns the present time, with its time zone.
    :ivar found: the part of the store that finds them.
    :ivar messages: the part of the store that holds their messages.
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
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Callable[[A], None]] = []
        self._drivers: list[Callable[[A], None]] = []

    def listen(self, listener: Callable[[A], None]) -> None:
        """Tell someone of every change that is made here from now on; it must be quick."""
        self._listeners.append(listener)

    def drive(self, driver: Callable[[A], None]) -> None:
        """Tell someone, who does what follows, of every change of what this process serves,
        wherever it is made; it must be quick.
        """
        self._drivers.append(driver)

    def serves(self, value: A) -> bool:
        """Whether this process does what is to be done unasked."""
        return self.found.serves(value.guild_id)

    # -- looking
    async def get(self, number: int) -> A:
        """The value as this process knows it, or else ``fresh``."""
        return self._held.get(number) or await self.fresh(number)

    async def fresh(self, number: int) -> A:
        """The value as it is stored.

        :raises Conflict: there is none.
        """
        return self._keep(await self._load(number))

    async def by_code(self, code: str) -> A:
        """The one with a short code, as people type it.

        :raises Conflict: as ``MISSING``.
        """
        if not code.isascii():  # the database could not even look for a lone surrogate
            raise self.MISSING(code)
        return await self.get(await self.found.id_of(code.strip().upper()))

    async def each(self, numbers: Iterable[int]) -> AsyncIterator[A]:
        """Values as they are stored, but those that cannot be read: they concern no other."""
        for number in numbers:
            with guarded("left_out", kind=type(self).__name__, number=number) as reading:
                value = await self.fresh(number)
            if not reading.failed:
                yield value

    # -- doing
    async def tick(self, number: int) -> A:
        """Apply everything that time or a changed setting has made due; the value after it."""
        return (await self._look_again(number)).after

    async def act(self, number: int, command: Command[A], /) -> Change[A]:
        """Carry out a command with all its consequences: decide, commit, notify the listeners.

        :raises Refused: it is not possible; nothing was changed.
        :raises Conflict: there is none of this number; ``AlreadyCounted``.
        """
        async with self._lock(number):
            held = self._held.get(number)
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
            self._tell(after)
        return Change(before, after)

    async def heard(self, number: int) -> None:
        """Another process has changed something that this one serves, or something about it."""
        change = await self._look_again(number)
        if change.after is change.before:
            self._wake(change.after)

    def forget(self, number: int) -> None:
        """Drop one from memory: something else has changed what is stored of it."""
        self._held.pop(number, None)

    def forget_all(self) -> None:
        """Drop everything from memory: changes by others may have been missed."""
        self._held.clear()

    # -- for those who inherit
    @abstractmethod
    async def _load(self, number: int) -> A:
        """The value as it is stored.

        :raises Conflict: there is none.
        """

    @abstractmethod
    async def _commit(self, before: A, after: A) -> bool:
        """Store what has become of a value; false if another change was faster."""

    @abstractmethod
    def _decide(self, value: A, command: Command[A]) -> A:
        """The value after a command and all that follows; the same one if that is nothing.

        :raises Refused: the command is not possible.
        """

    async def _completed(self, value: A) -> A:
        """A value that was decided, with what has to be looked up for it."""
        return value

    # -- inside
    async def _look_again(self, number: int) -> Change[A]:
        self._held.pop(number, None)
        change = await self.act(number, Tick())
        if change.after is change.before and not self.serves(change.after):
            await self.found.tell(number)  # the copy held there has the old settings
        return change

    async def _stored(self, before: A, after: A) -> bool:
        """Whether a value could be stored; where nobody knows, it is held no more."""
        try:
            return await self._commit(before, after)
        except CommitUnknown:
            self._held.pop(after.id, None)
            raise

    def _keep(self, value: A) -> A:
        if not self.serves(value):  # this process is not notified of its changes
            self._held.pop(value.id, None)
            return value
        known = self._held.get(value.id)
        if known is not None and known.revision > value.revision:
            return known  # read before, and handed over after, a change
        self._held[value.id] = value
        self._held.move_to_end(value.id)
        while len(self._held) > KEPT:
            self._held.popitem(last=False)
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
        """Spares useless tries: what guards a value is its revision."""
        return self._locks.setdefault(number, asyncio.Lock())
