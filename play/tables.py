"""The tables of the house: each is loaded whole, decided about, and committed whole.

A table that was decided about stays in memory. The guard of a commit is the revision it was
decided on, so a memory that has become old costs a second try and nothing else. A refusal counts
only if it rests on what is stored: decided on a memory, it is decided again.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from weakref import WeakValueDictionary

from data.store.problems import CommitUnknown, NoSuchTable
from data.store.rows import Opening
from data.store.store import Store
from games import GAMES
from games.fairness import new_secret
from play.contained import contained
from play.decide import Tick, decide
from play.fold import table_of
from play.lobby import Join, check_options
from play.seats import TakeSeat
from play.table import Arrival, Command, Refused, Table, Told

TABLES_KEPT = 256
"""Tables held in memory; any other is folded from its journal in a millisecond or two."""


Listener = Callable[[Table], None]
"""Hears of every table that has changed; must be quick."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a command did: the table before and after it; the same value if it did nothing."""

    before: Table
    table: Table

    @property
    def events(self) -> tuple[Told, ...]:
        """What happened in the match by it."""
        return self.table.told_since(self.before.revision)


class Tables:
    """Everything that can be done with tables."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], datetime],
        new_secret: Callable[[], str] = new_secret,
    ) -> None:
        """:param clock: tells the present time, with its time zone.
        :param new_secret: draws the secret of a table.
        """
        self.store = store
        self.clock = clock
        self._new_secret = new_secret
        self._held: OrderedDict[int, Table] = OrderedDict()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Listener] = []
        self._drivers: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        """Tell someone of every change that is made here from now on."""
        self._listeners.append(listener)

    def drive(self, driver: Listener) -> None:
        """Tell someone, who does what follows, of every change of a table that this process serves,
        wherever it is made.
        """
        self._drivers.append(driver)

    def serves(self, table: Table) -> bool:
        """Whether this process does what is to be done at a table unasked."""
        return self.store.tables.serves(table.row.guild_id)

    # -- looking
    async def get(self, table_id: int) -> Table:
        """The table as this process knows it, or else ``fresh``."""
        return self._held.get(table_id) or await self.fresh(table_id)

    async def fresh(self, table_id: int) -> Table:
        """The table as it is stored.

        :raises NoSuchTable: there is none.
        """
        return self._keep(table_of(await self.store.tables.load(table_id)))

    async def each(self, table_ids: Iterable[int]) -> AsyncIterator[Table]:
        """Tables as they are stored, but those that cannot be read: they concern no other."""
        for table_id in table_ids:
            with contained("table_left_out", table=table_id) as reading:
                table = await self.fresh(table_id)
            if not reading.failed:
                yield table

    async def in_channel(self, channel_id: int) -> Table:
        """The table of a channel or thread: the latest open one, else the last one played there.

        :raises Refused: ``no_table_here``.
        """
        table_id = await self.store.tables.in_channel(channel_id)
        if table_id is None:
            raise Refused("no_table_here")
        return await self.get(table_id)

    async def open_in(self, channel_id: int) -> list[Table]:
        """All tables of a channel or thread that are in their lobby or running, oldest first."""
        return [await self.get(n) for n in await self.store.tables.open_in([channel_id])]

    async def by_code(self, code: str) -> Table:
        """The table with a short code, as people type it; there may be none, as in ``fresh``."""
        if not code.isascii():  # lone surrogates, for one, could not even be looked for
            raise NoSuchTable(code)
        return await self.get(await self.store.tables.id_of(code.strip().upper()))

    async def of_person(self, person_id: int) -> list[Table]:
        """The person's open tables, those that wait for the person first, by their deadlines."""
        tables = [await self.get(n) for n in await self.store.tables.of_person(person_id)]
        return sorted(tables, key=lambda table: _urgency(table, person_id))

    # -- doing
    async def open(self, opening: Opening) -> Table:
        """Open a table in a channel; the host sits down first.

        :raises Refused: as ``check_opening``.
        """
        await self.check_opening(opening)
        rules, secret = GAMES[opening.game].info.rules, self._new_secret()
        loaded = await self.store.tables.open(opening, rules, secret, self.clock())
        return self._tell(self._keep(table_of(loaded)))

    async def check_opening(self, opening: Opening) -> None:
        """Go on only if the person could open such a table.

        :raises Refused: ``too_many_tables``, or as ``check_options``.
        """
        check_options(GAMES[opening.game], opening.options, opening.wanted_players)
        await self._require_room(opening.host_id, opening.guild_id)

    async def act(self, table_id: int, command: Command) -> Change:
        """Carry out a command with all that follows from it: decide, commit, tell the listeners.

        :raises Refused: it is not possible; nothing was changed.
        :raises Conflict: ``NoSuchTable``, ``AlreadyCounted``.
        """
        if isinstance(command, Arrival):
            settings = await self.store.settings.person(command.person_id)
            command = replace(command, settings=settings)
        async with self._lock(table_id):
            held = self._held.get(table_id)
            before = held or await self.fresh(table_id)
            while True:
                try:
                    after = decide(before, command, self.clock())
                except Refused:
                    if before is not held:
                        raise
                    held, before = None, await self.fresh(table_id)
                    continue
                if after is before or await self._commit(before, after):
                    break
                held, before = None, await self.fresh(table_id)
            self._keep(after)
        if after is not before:
            self._tell(after)
        return Change(before, after)

    async def join(self, table_id: int, command: Join | TakeSeat) -> Change:
        """Sit down at a table, if the server lets the person play at one more.

        :raises Refused: ``too_many_tables``, or as the command.
        """
        table = await self.get(table_id)
        if table.member_of(command.person_id) is None:
            await self._require_room(command.person_id, table.row.guild_id)
        return await self.act(table_id, command)

    async def tick(self, table_id: int) -> Change:
        """Let follow what the time, or a changed setting, has brought about."""
        self._held.pop(table_id, None)
        change = await self.act(table_id, Tick())
        if change.table is change.before and not self.serves(change.table):
            await self.store.tables.tell(table_id)  # what is held there has the old settings
        return change

    async def heard(self, table_id: int) -> None:
        """Another process has changed a table that this one serves, or something about it."""
        change = await self.tick(table_id)
        if change.table is change.before:
            self._wake(change.table)

    async def reckon(self, table_ids: list[int]) -> None:
        """Look at tables again, because settings have changed on which their clocks depend. What
        fails at one of them concerns no other.
        """
        for table_id in table_ids:
            with contained("clocks_not_followed", table=table_id):
                await self.tick(table_id)

    def forget(self, table_id: int) -> None:
        """Hold a table in memory no more: something else has changed what is stored of it."""
        self._held.pop(table_id, None)

    def forget_all(self) -> None:
        """Hold nothing in memory any more: what others have changed may have been missed."""
        self._held.clear()

    # -- inside
    async def _commit(self, before: Table, after: Table) -> bool:
        """Whether a table could be stored; where nobody knows, it is held no more."""
        try:
            return await self.store.tables.commit(before, after)
        except CommitUnknown:
            self._held.pop(after.id, None)
            raise

    async def _require_room(self, person_id: int, guild_id: int | None) -> None:
        if guild_id is None:
            return
        limit = (await self.store.settings.server(guild_id)).tables_limit
        if limit is not None and await self.store.tables.count_of(person_id, guild_id) >= limit:
            raise Refused("too_many_tables", limit=limit)

    def _keep(self, table: Table) -> Table:
        if not self.serves(table):  # of whose changes this process does not hear
            self._held.pop(table.id, None)
            return table
        known = self._held.get(table.id)
        if known is not None and known.revision > table.revision:
            return known  # read before, and handed over after, a change
        self._held[table.id] = table
        self._held.move_to_end(table.id)
        while len(self._held) > TABLES_KEPT:
            self._held.popitem(last=False)
        return table

    def _tell(self, table: Table) -> Table:
        for listener in self._listeners:
            listener(table)
        self._wake(table)
        return table

    def _wake(self, table: Table) -> None:
        if self.serves(table):
            for driver in self._drivers:
                driver(table)

    def _lock(self, table_id: int) -> asyncio.Lock:
        """Spares useless tries: what guards a table is its revision."""
        return self._locks.setdefault(table_id, asyncio.Lock())


def _urgency(table: Table, person_id: int) -> tuple[bool, float]:
    """What comes first among a person's tables: those that wait, by the end of their time."""
    seat = table.seat_of(person_id)
    if seat is None or seat not in table.awaited:
        return True, math.inf
    until = table.until(seat)
    return False, math.inf if until is None else until.timestamp()
