"""What is loaded whole, decided about, and committed whole: tables, and occasions.

What was decided about stays in memory. The guard of a commit is the revision that it was decided
on, so a memory that has become old costs a second try and nothing else. A refusal counts only if it
rests on what is stored: decided on a memory, it is decided again.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable
from datetime import datetime
from typing import Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

from data.store.messages import Messages
from data.store.problems import CommitUnknown
from data.store.rows import PersonRow, ServerRow
from data.store.store import Store
from play.contained import contained
from play.table import Refused

KEPT = 256
"""So many of a kind are held in memory; any other one is loaded in a millisecond or two."""


class Aggregate(Protocol):
    """A value with a revision, that is told by messages.

    :ivar server: how the server wants things that it belongs to.
    """

    @property
    def id(self) -> int:
        """The number under which the store knows it."""

    @property
    def revision(self) -> int:
        """The number of its journal's last line."""

    @property
    def name(self) -> str:
        """What tells it apart from all others of all kinds; messages are known again by it."""

    @property
    def guild_id(self) -> int | None:
        """The server that it belongs to, if any."""

    @property
    def channel_id(self) -> int:
        """Where its messages stand that are not for one person."""

    @property
    def chat(self) -> str:
        """As ``Table.chat``."""

    @property
    def over(self) -> bool:
        """Whether nothing will happen any more."""

    @property
    def unplaced(self) -> bool:
        """Whether its channel is lost, so that nothing can be told."""

    @property
    def gathering(self) -> bool:
        """Whether people are waited for who come by its message."""

    @property
    def waits_for_message(self) -> bool:
        """Whether it goes on by itself once a message of it stands."""

    @property
    def server(self) -> ServerRow:
        """How its server wants things."""

    def settings(self, person_id: int) -> PersonRow:
        """How a person wants things."""


A = TypeVar("A", bound=Aggregate)
C = TypeVar("C")


class Found(Protocol):
    """The part of the store that finds them."""

    def serves(self, guild_id: int | None) -> bool:
        """Whether this process does what is to be done unasked on a server."""

    async def tell(self, number: int) -> None:
        """Let the process that serves one of them look at it."""

    async def due(self, now: datetime) -> list[int]:
        """Those at which something is to be done by now, the longest due first."""

    async def next_due(self) -> datetime | None:
        """When something is to be done next at any of them; None: never."""

    async def open_ids(self) -> list[int]:
        """All that are not over and that this process serves, oldest first."""

    async def behind(self, since: datetime) -> list[int]:
        """Those whose messages do not show the latest change, oldest first."""

    async def behind_in(self, channel_id: int) -> list[int]:
        """Those of a channel whose messages do not show the latest change, oldest first."""


class Aggregates(ABC, Generic[A, C]):
    """All of one kind, and what becomes of them by commands.

    :ivar store: where they are kept.
    :ivar clock: tells the present time, with its time zone.
    :ivar found: the part of the store that finds them.
    :ivar messages: the part of the store that knows their messages.
    """

    def __init__(
        self, store: Store, clock: Callable[[], datetime], found: Found, messages: Messages
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

    async def each(self, numbers: Iterable[int]) -> AsyncIterator[A]:
        """Values as they are stored, but those that cannot be read: they concern no other."""
        for number in numbers:
            with contained("left_out", kind=type(self).__name__, number=number) as reading:
                value = await self.fresh(number)
            if not reading.failed:
                yield value

    # -- doing
    async def tick(self, number: int) -> A:
        """Let follow what the time, or a changed setting, has brought about; the value after it."""
        return (await self._look_again(number))[1]

    async def changed_by(self, number: int, command: C) -> A:
        """The value after a command, which is carried out with all that follows from it.

        :raises Refused: it is not possible; nothing was changed.
        :raises Conflict: there is none of this number; ``AlreadyCounted``.
        """
        return (await self._carry_out(number, command))[1]

    async def heard(self, number: int) -> None:
        """Another process has changed something that this one serves, or something about it."""
        before, after = await self._look_again(number)
        if after is before:
            self._wake(after)

    def forget(self, number: int) -> None:
        """Hold one in memory no more: something else has changed what is stored of it."""
        self._held.pop(number, None)

    def forget_all(self) -> None:
        """Hold nothing in memory any more: what others have changed may have been missed."""
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
    def _decide(self, value: A, command: C) -> A:
        """The value after a command and all that follows; the same one if that is nothing.

        :raises Refused: the command is not possible.
        """

    @abstractmethod
    def _tick(self) -> C:
        """The command that does nothing by itself."""

    async def _completed(self, value: A) -> A:
        """A value that was decided, with what has to be looked up for it."""
        return value

    # -- inside
    async def _carry_out(self, number: int, command: C) -> tuple[A, A]:
        """Decide, commit, tell the listeners.

        :returns: the value before and after it; the same one if the command did nothing.
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
        return before, after

    async def _look_again(self, number: int) -> tuple[A, A]:
        self._held.pop(number, None)
        before, after = await self._carry_out(number, self._tick())
        if after is before and not self.serves(after):
            await self.found.tell(number)  # what is held there has the old settings
        return before, after

    async def _stored(self, before: A, after: A) -> bool:
        """Whether a value could be stored; where nobody knows, it is held no more."""
        try:
            return await self._commit(before, after)
        except CommitUnknown:
            self._held.pop(after.id, None)
            raise

    def _keep(self, value: A) -> A:
        if not self.serves(value):  # of whose changes this process does not hear
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
