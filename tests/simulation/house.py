"""The bot without Discord: store, tables, computer players and delivery, to be killed at will."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from concurrent.futures import Executor, Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, TypeVar, cast

from cogs.delivery.budget import LookBudget
from cogs.delivery.delivery import Delivery
from cogs.delivery.reconcile import LANDED, Undone
from data.store.access import Database
from data.store.database import Connection, snapshot, sqlite_problems, transaction
from data.store.migrate import open_database, read_migrations
from data.store.postgres import PostgreSQL
from data.store.problems import Conflict, ServedElsewhere
from data.store.rows import Status, Stored
from data.store.shards import ALL, Shards
from data.store.sqlite import SQLite
from data.store.store import Store
from games import GAMES
from games.engine import View
from play.aggregate import A, Command
from play.aggregates import Change
from play.computers import ChosenMove
from play.fold import table_of
from play.lobby import Park
from play.opponents import Opponents
from play.table import Refused, Table, stored_of
from play.tables import Tables
from tests.simulation.checks import PRESENTER, check_call, check_step
from tests.simulation.discord import Died, FakeChats, FakeGateway, World

FROZEN = 40
"""The number of iterations of the event loop for which a process may be frozen while it writes and
another takes over.
"""

T = TypeVar("T")


class Guesser:
    """Thinks for computer players: any legal move will do."""

    def __init__(self, world: World) -> None:
        self._world = world

    async def choose(self, view: View, level: str, *, table_id: int, person_id: int) -> ChosenMove:
        """A random legal move, sometimes marked as chosen without time to think."""
        game, rng = GAMES[view.game], random.Random(self._world.rng.random())
        move = game.random_move(game.determinize(view, rng), view.viewer or 0, rng)
        return ChosenMove(move, quick=rng.random() < 0.2)


class FaultyTables:
    """A store's tables, whose commits may kill the process."""

    def __init__(self, real: Any, world: World) -> None:
        self._real = real
        self._world = world
        self.seen: dict[int, Stored] = {}
        self.first = 0
        """Tables before this one belong to other histories on the same store."""

    async def due(self, now: datetime) -> list[int]:
        """The due tables of this history."""
        return self._own(await self._real.due(now))

    async def behind(self, since: datetime) -> list[int]:
        """The tables of this history with undelivered changes."""
        return self._own(await self._real.behind(since))

    async def to_think(self) -> list[int]:
        """The tables of this history where a computer player may have to decide something."""
        return self._own(await self._real.to_think())

    def _own(self, table_ids: list[int]) -> list[int]:
        return [table_id for table_id in table_ids if table_id >= self.first]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    async def commit(self, before: Stored, after: Stored) -> bool:
        """Commit; the process may die before or after that."""
        await self._world.dawdle()
        self._world.may_die(1 / 8)
        if isinstance(before, Table) and isinstance(after, Table):
            check_step(before, after)
        done = await self._real.commit(before, after)
        if done:
            self._world.owners = {m.seat: m.person_id for m in after.members if m.seat is not None}
            known = self.seen.get(after.row.id)
            if known is not None:
                assert after.journal[: len(known.journal)] == known.journal, "journal was rewritten"
            self.seen[after.row.id] = after
        self._world.may_die(1 / 8)
        return bool(done)


class FaultyMessages:
    """A store's messages; recording them may kill the process, and a dead one records nothing."""

    def __init__(self, real: Any, world: World) -> None:
        self._real = real
        self._world = world

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    async def write(self, *given: Any, refuse: Callable[[], None] = lambda: None) -> None:
        """Record messages; the process may die before or after that.

        :param refuse: may raise an error, so that nothing is written.
        """
        await self._world.dawdle(FROZEN)
        self._world.may_die(1 / 8)
        refuse()
        await self._real.write(*given)
        self._world.may_die(1 / 8)


class Patient(Delivery[A]):
    """Delivers, but checks what late calls may have changed only on request: see ``look_again``."""

    def _settle_later(self, number: int, settles: datetime) -> None:
        self._unsettled.add(number)

    @property
    def unsettled(self) -> set[int]:
        """The tables or occasions whose messages are to be checked again."""
        return self._unsettled

    async def look_again(self) -> None:
        """Check everything unsettled; some of it may stay unsettled."""
        numbers = sorted(self._unsettled)
        self._unsettled.clear()
        for number in numbers:
            await self.look(number)


async def passing(world: World) -> AsyncIterator[None]:
    """Let time pass in parts until everything under way has taken effect; after each, the caller
    checks what may have changed.
    """
    for before, seconds in pairwise((0.0, *LANDED)):
        world.now += timedelta(seconds=seconds - before)
        world.land()
        yield


class Deliverer(Patient[Table]):
    """Delivers, and records its own errors as faults of the world."""

    def __init__(self, world: World, tables: Tables, gateway: Any) -> None:
        budget = LookBudget(lambda: tables.store.database.served)
        super().__init__(tables, PRESENTER, gateway, budget, lambda: None, retries=())
        self._world = world

    async def _deliver(self, number: int, look: bool) -> Undone:
        try:
            return await super()._deliver(number, look)
        except ServedElsewhere:
            raise
        except Exception as error:
            self._world.faults.append(f"{type(error).__name__}: {error}")
            raise


class Side:
    """The store as seen by one of two processes, which serves everything or nothing.

    :ivar other: notifies the other process of a change to a table that it serves.
    """

    def __init__(self, store: Store, *, serves: bool) -> None:
        self._store = store
        self.served = ALL if serves else Shards(frozenset())
        self.other: Callable[[int], None] = lambda _: None
        self.tables = SideTables(store, self)
        self.messages = SideMessages(store, self)
        self.database = self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class SideTables:
    def __init__(self, store: Store, side: Side) -> None:
        self._store = store
        self._side = side

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store.tables, name)

    def serves(self, guild_id: int | None) -> bool:
        """Return whether this process serves a server."""
        return self._side.served.has(guild_id)

    async def tell(self, table_id: int, _: int | None) -> None:
        """Notify the other process of a table."""
        self._side.other(table_id)

    async def commit(self, before: Stored, after: Stored) -> bool:
        """Commit, and notify the other process if it serves the table."""
        done = await self._store.tables.commit(before, after)
        if done and not self.serves(after.row.guild_id):
            self._side.other(after.row.id)
        return done


class SideMessages:
    def __init__(self, store: Store, side: Side) -> None:
        self._store = store
        self._side = side

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store.messages, name)

    async def write(
        self, table_id: int, rows: Any, removed: Any = (), told: Any = None, term: int = 0
    ) -> None:
        """Record messages, if this process has served the table since they were read."""

        def refuse() -> None:
            served = self._side.served
            if served.term != term or not served.numbers:
                raise ServedElsewhere(table_id)

        messages: Any = self._store.messages
        if isinstance(messages, FaultyMessages):
            await messages.write(table_id, rows, removed, told, refuse=refuse)
        else:
            refuse()
            await messages.write(table_id, rows, removed, told)


class Inline(Executor):
    """An executor that does all work before it returns."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        """Run the work at once."""
        done: Future[Any] = Future()
        try:
            done.set_result(work(*args, **named))
        except BaseException as error:  # noqa: BLE001 - it is for the caller who waits
            done.set_exception(error)
        return done


class InlineFile(SQLite):
    """A database file read and written in the caller's thread, on its own connection.

    :param behind: the file's usual backend, closed together with this one.
    """

    def __init__(self, behind: SQLite) -> None:
        self.place = behind.place
        self._behind = behind
        self._db = open_database(self.place, read_migrations())
        self._db.execute("PRAGMA synchronous = OFF")

    async def write(self, change: Callable[[Database], T]) -> T:
        """Run a change before anything else can happen."""
        return await self._done(change, transaction)

    async def read(self, query: Callable[[Database], T]) -> T:
        """Run a query before anything else can happen."""
        return await self._done(query, snapshot)

    async def _done(
        self,
        work: Callable[[Database], T],
        moment: Callable[[Connection], AbstractContextManager[None]],
    ) -> T:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        # Let others act before the caller continues, as if there were threads.
        try:
            with sqlite_problems(self.place), moment(self._db):
                loop.call_soon(done.set_result, work(self._db))
        except BaseException as error:  # noqa: BLE001 - it is for the caller who waits
            loop.call_soon(done.set_exception, error)
        return await asyncio.shield(done)

    async def close(self) -> None:
        self._db.close()
        await self._behind.close()


def at_once(store: Store) -> None:
    """Make a store work in the thread of its caller, so that the seed decides what happens, not the
    scheduling of threads.
    """
    match store.database.backend:
        case PostgreSQL() as server:
            for name in ("_writing", "_reading"):
                getattr(server, name).shutdown()
                setattr(server, name, Inline())
        case SQLite() as file if not isinstance(file, InlineFile):
            store.database.backend = InlineFile(file)


@dataclass(slots=True)
class Process:
    """One process of the bot. A second one on the same store decides, but does not deliver.

    :param news: tasks handling notifications from the other process.
    """

    side: Side
    tables: Tables
    delivery: Deliverer
    opponents: Opponents
    world: World
    news: set[asyncio.Task[None]] = field(default_factory=set)

    @classmethod
    def started(cls, store: Store, world: World, *, delivers: bool = True) -> Process:
        side: Any = Side(store, serves=delivers)
        tables = Tables(side, world.clock, lambda: f"{world.rng.getrandbits(256):064x}")
        gateway: Any = FakeGateway(world)
        gateway.chats = FakeChats(world)
        delivery = Deliverer(world, tables, gateway)
        thinkers: Any = Guesser(world)
        opponents = Opponents(tables, thinkers, 0)
        tables.drive(delivery.wake)
        tables.drive(opponents.wake)
        return cls(side, tables, delivery, opponents, world)

    def hear(self, table_id: int) -> None:
        """Handle a table changed by the other process."""

        async def look() -> None:
            await self.world.dawdle()
            if self.side.served.numbers:
                self.delivery.forget(table_id)
                await self.tables.heard(table_id, None)

        self._beside(look())

    def begin(self) -> None:
        """Serve everything from now on, and do what is due."""
        self.side.served = self.side.served.more({0})
        self.tables.forget_all()
        self.delivery.forget_all()

        async def look() -> None:
            await self.delivery.behind()
            await self.opponents.wake_all()

        self._beside(look())

    def stop(self) -> None:
        """Serve nothing from now on."""
        self.side.served = self.side.served.less({0})
        self.tables.forget_all()
        self.delivery.forget_all()

    def _beside(self, work: Coroutine[Any, Any, None]) -> None:
        self.news.add(asyncio.get_running_loop().create_task(work))

    async def end(self) -> None:
        """Kill the process: whatever is under way is cut off."""
        for task in self.news:
            task.cancel()
        await asyncio.gather(*self.news, return_exceptions=True)
        await self.opponents.close()
        await self.delivery.close()

    @property
    def busy(self) -> list[asyncio.Task[Any]]:
        """Everything under way."""
        return [task for task in self._tasks if not task.done()]

    @property
    def _tasks(self) -> list[asyncio.Task[Any]]:
        return [*self.delivery.tasks, *self.opponents.tasks, *self.news]

    async def quiet(self) -> bool:
        """Wait until nothing is under way; return False if the process died meanwhile."""
        died = False
        while True:
            tasks = self._tasks
            if self.world.dead:
                return False
            busy = [task for task in tasks if not task.done()]
            if not busy:
                return not died
            _, _ = await asyncio.wait(busy, timeout=5, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done() and not task.cancelled() and isinstance(task.exception(), Died):
                    died = True
            if died:
                return False


class House:
    """The current process, a second one, and the world around them."""

    def __init__(self, store: Store, world: World) -> None:
        at_once(store)
        self.world = world
        self.store = store
        self._real = store.tables
        self._faulty = FaultyTables(store.tables, world)
        store.tables = cast(Any, self._faulty)
        self._real_messages = store.messages
        faulty: Any = FaultyMessages(store.messages, world)
        store.messages = faulty
        self._start()
        self.acknowledged: dict[int, list[int]] = {}
        self.deaths = 0

    def _start(self) -> None:
        self.process = Process.started(self.store, self.world)
        self.other = Process.started(self.store, self.world, delivers=False)
        self.process.side.other, self.other.side.other = self.other.hear, self.process.hear
        self.world.hand_over = self.hand_over

    def hand_over(self) -> None:
        """Let the other process take over, whatever this one is doing."""
        self.world.now += timedelta(seconds=2)  # so that the two processes' posts differ
        self.process.stop()
        self.process, self.other = self.other, self.process
        self.process.begin()

    @property
    def seen(self) -> Mapping[int, Stored]:
        """The tables as last committed."""
        return self._faulty.seen

    def leave(self) -> None:
        """Restore the store."""
        self.store.tables = self._real
        self.store.messages = self._real_messages

    def begin_with(self, table: Table) -> None:
        self._faulty.first = table.id
        self.world.hidden = table.game.info.hidden

    async def act(
        self, table_id: int, command: Command[Table], *, other: bool = False
    ) -> Change[Table] | None:
        """Carry out a command; return None if it was refused, or the process died meanwhile."""
        process = self.other if other else self.process
        troubles = self._troubles
        try:
            change = await process.tables.act(table_id, command)
        except (Refused, Conflict):
            change = None
        except Died:
            await self.restart()
            return None
        if change is not None and command.interaction_id is not None:
            if command.effect(change.before, self.world.now).revision > change.before.revision:
                self.acknowledged.setdefault(table_id, []).append(command.interaction_id)
            await self._check_stored(process, change.after)
        await self.settle()
        if change is not None and change.after is not change.before:
            await self._check_called(change, calm=troubles == self._troubles)
        return change

    @property
    def _troubles(self) -> int:
        """How many failures there have been so far."""
        return self.deaths + self.world.failures

    async def _check_called(self, change: Change[Table], *, calm: bool) -> None:
        """Check that a change without failures is delivered at once and calls its people."""
        table = await self.process.tables.fresh(change.after.id)
        settled = table.id not in self.process.delivery.unsettled
        if calm and settled and table.row.status is not Status.PARKED:
            told, _ = await self._real_messages.all_of(table.id)
            assert told == table.revision, (
                f"delivered {told} of {table.revision} without any failure"
            )
        if calm and table.row.status is not Status.PARKED:
            check_call(self.world, table, change.before.revision)

    async def _check_stored(self, process: Process, decided: Table) -> None:
        """Check that the stored table equals the decided one, unless it has changed since."""
        loaded = table_of(await self._real.load(decided.id))
        if loaded.revision != decided.revision:
            return
        assert_same(decided, loaded)

    async def settle(self) -> None:
        """Wait until nothing is under way; restart the process if it dies meanwhile."""
        assert not self.world.faults, self.world.faults[0]
        for _ in range(20):
            if not await self._quiet():
                await self.restart()
                continue
            if not self.world.lost_channels:
                return
            lost, self.world.lost_channels = set(self.world.lost_channels), []
            for table_id in await self._real.open_in(lost):
                await self._park(table_id)

    async def _quiet(self) -> bool:
        """Wait until nothing is under way in either process; return False if one died meanwhile."""
        both = [self.process, self.other]
        while any(process.busy for process in both):
            if not all([await process.quiet() for process in both]):
                return False
        return not self.world.dead

    async def _park(self, table_id: int) -> None:
        channel = (await self.process.tables.get(table_id)).row.channel_id
        try:
            await self.process.tables.act(table_id, Park(channel))
        except Died:
            await self.restart()

    async def restart(self) -> None:
        """Kill both processes and start two others, of which the serving one catches up."""
        self.deaths += 1
        self.world.now += timedelta(seconds=1)
        for process in (self.process, self.other):
            await process.end()
        self.world.dead = False
        self.world.tokens.clear()
        self.world.held.clear()
        self._start()
        if self.deaths > 200:
            raise AssertionError("the process dies again and again")
        await self.catch_up()

    async def catch_up(self) -> None:
        """Do what a process does after its start."""
        try:
            for table_id in await self._faulty.due(self.world.now):
                await self.process.tables.tick(table_id)
            await self.process.delivery.behind()
            await self.process.opponents.wake_all()
        except Died:
            await self.restart()

    async def land(self) -> None:
        """Let time pass until everything under way has taken effect; meanwhile the process checks
        what may have changed.
        """
        async for _ in passing(self.world):
            try:
                await self.process.delivery.look_again()
            except BaseException:  # noqa: BLE001 - the process may be killed in it
                await self.restart()
            await self.settle()

    async def ring(self) -> None:
        """Do what is due."""
        for table_id in await self._faulty.due(self.world.now):
            try:
                await self.process.tables.tick(table_id)
            except Died:
                await self.restart()
        await self.settle()


def assert_same(decided: Table, loaded: Table) -> None:
    """Check that a decided table equals the one folded from the store."""
    first, second = stored_of(decided), stored_of(loaded)
    for name, value in first.items():
        assert value == second[name], f"{name}: {value} != {second[name]}"
    for name in ("lines", "begun", "reopened", "unreadable"):
        assert getattr(decided, name) == getattr(loaded, name), name
    assert [told.line for told in decided.tail] == [told.line for told in loaded.tail]
    assert decided.tail == loaded.tail
    if decided.match is not None and loaded.match is not None:
        assert decided.match.log == loaded.match.log
        assert decided.match.state == loaded.match.state
        opened = [(seat, decided.opened(seat)) for seat in decided.match.actors if seat >= 0]
        assert opened == [(s, loaded.opened(s)) for s in loaded.match.actors if s >= 0]
