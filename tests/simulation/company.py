"""Occasions in a world as bad as that of the tables: random people act, tables are played, clocks
jump, calls fail, messages vanish, and the process dies between any two effects.

A kind of occasion takes part by a ``Guests``, which says what people could do.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Protocol, cast

from cogs.delivery.delivery import Delivery, OccasionDelivery, TableDelivery
from cogs.delivery.message import mark_for
from cogs.features.hosting import Hosting
from cogs.gateway.cards import Card
from cogs.present.occasions import OccasionPresenter
from data.store.problems import Conflict
from data.store.rows import Status
from data.store.store import Store
from play.ending import Resign
from play.ladder import STAND_IN
from play.occasions.occasion import Act, Occasion
from play.occasions.occasions import Occasions
from play.table import Refused
from play.tables import Tables
from tests.play.clock import NOON
from tests.simulation.checks import PRESENTER
from tests.simulation.discord import DM, Died, FakeGateway, World
from tests.simulation.house import FaultyMessages, at_once

GUILD, CHANNEL = 7, 40_000

TROUBLE = 0.1

STEPS = 30

ROUNDS = 40
"""So often a process is started anew, or work waited for, before that counts as stuck."""

PEOPLE = 100
"""Where the numbers of people begin."""


class Guests(Protocol):
    """What people do about a kind of occasion."""

    async def begin(self, occasions: Occasions, rng: random.Random) -> Occasion[Any]:
        """One of them begins it."""

    def act(self, occasion: Occasion[Any], rng: random.Random) -> Act[Any] | None:
        """What somebody does next, sense or nonsense; None: nobody does anything."""


class FaultyOccasions:
    """A store's occasions, whose commits may be the last thing that a process does."""

    def __init__(self, real: Any, world: World) -> None:
        self._real = real
        self._world = world
        self.seen: dict[int, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    async def commit(self, before: Any, after: Any, lines: Any, people: Any) -> bool:
        """Commit, unless the process dies before or after it."""
        await self._world.dawdle()
        self._world.may_die(1 / 8)
        done = await self._real.commit(before, after, lines, people)
        if done:
            journal = (await self._real.load(after.id)).journal
            known = self.seen.get(after.id, ())
            assert journal[: len(known)] == known, "journal was rewritten"
            self.seen[after.id] = journal
        self._world.may_die(1 / 8)
        return bool(done)


class FaultyOpenings:
    """A store's tables, whose opening may be the last thing that a process does."""

    def __init__(self, real: Any, world: World) -> None:
        self._real = real
        self._world = world

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    async def open(self, *given: Any) -> Any:
        """Open, unless the process dies before or after it."""
        await self._world.dawdle()
        self._world.may_die(1 / 4)
        opened = await self._real.open(*given)
        self._world.may_die(1 / 4)
        return opened


class ThreadedGateway(FakeGateway):
    """Discord with threads, each of which is a channel of its own."""

    def _see(self, channel_id: int, card: Card) -> None:
        """Nothing is private here: what is drawn for occasions has no viewer."""

    async def open_thread(self, channel_id: int, name: str) -> Any:
        """A new thread."""
        assert len(name) <= 100
        failure = await self._before(channel_id)
        self._world.ids += 1
        return failure or self._after(CHANNEL + self._world.ids)


@dataclass(slots=True)
class Process:
    """One process of the bot."""

    tables: Tables
    occasions: Occasions
    delivery: TableDelivery
    heralds: OccasionDelivery
    hosting: Hosting

    @classmethod
    def started(cls, store: Store, world: World) -> Process:
        """A new process."""
        tables = Tables(store, world.clock, lambda: f"{world.rng.getrandbits(256):064x}")
        occasions = Occasions(store, world.clock)
        gateway: Any = ThreadedGateway(world)
        delivery = Delivery(tables, PRESENTER, gateway, lambda: None, retries=())
        heralds = Delivery(occasions, OccasionPresenter(), gateway, lambda: None, retries=())
        hosting = Hosting(tables, occasions, gateway, lambda: None)
        tables.drive(delivery.wake)
        tables.drive(hosting.hear)
        for driver in (heralds.wake, hosting.wake):
            occasions.drive(driver)
        return cls(tables, occasions, delivery, heralds, hosting)

    @property
    def tasks(self) -> list[asyncio.Task[Any]]:
        """What has been begun."""
        both = [*self.delivery._tasks, *self.heralds._tasks]
        return [*both, *self.hosting._working.values()]

    async def end(self) -> None:
        """Kill it: whatever is under way is cut off."""
        await self.hosting.close()
        await asyncio.gather(self.delivery.close(), self.heralds.close())


class Company:
    """The present process, the world around it, and one occasion."""

    def __init__(self, store: Store, seed: int, guests: Guests) -> None:
        at_once(store)
        self.world = World(NOON, random.Random(f"world {seed}"))
        self._rng = random.Random(f"steps {seed}")
        self._store, self._guests = store, guests
        self._real = store.tables, store.occasions, store.messages, store.occasion_messages
        self._faulty = FaultyOccasions(store.occasions, self.world)
        store.occasions = cast(Any, self._faulty)
        store.tables = cast(Any, FaultyOpenings(store.tables, self.world))
        store.messages = cast(Any, FaultyMessages(store.messages, self.world))
        store.occasion_messages = cast(Any, FaultyMessages(store.occasion_messages, self.world))
        self.process = Process.started(store, self.world)
        self.acknowledged: list[int] = []
        self.deaths = 0
        self._deleted = set[int]()
        self._presses = seed * 1000

    async def happen(self, steps: int = STEPS) -> Occasion[Any]:
        """Let random things happen, then look whether all is as it should be.

        :raises AssertionError: something is not.
        """
        try:
            occasion = await self._guests.begin(self.process.occasions, self._rng)
            await self.settle()
            self.world.trouble = TROUBLE
            for _ in range(steps):
                await self._step(occasion.id)
            return await self._check(occasion.id)
        finally:
            await self.process.end()
            (
                self._store.tables,
                self._store.occasions,
                self._store.messages,
                self._store.occasion_messages,
            ) = self._real

    # -- what happens
    async def _step(self, number: int) -> None:
        occasion = await self.process.occasions.fresh(number)
        what = self._rng.random()
        if what < 0.55:
            await self._act(occasion)
        elif what < 0.75:
            await self._play(occasion)
        elif what < 0.85:
            self.world.now += timedelta(minutes=self._rng.choice([1, 30, 600, 3000]))
            await self._attempted(self._ring)
        elif what < 0.9:
            await self.restart()
        elif what < 0.95 and self.world.messages:
            gone = self._rng.choice([*self.world.messages])
            self._deleted.add(gone)
            del self.world.messages[gone]
        else:
            self.world.outage = not self.world.outage
        await self.settle()

    async def _act(self, occasion: Occasion[Any]) -> None:
        command = self._guests.act(occasion, self._rng)
        if command is None:
            return
        self._presses += 1
        command = replace(command, interaction_id=self._presses)
        for _ in range(self._rng.choice([1, 1, 1, 2])):  # Discord delivers some twice

            async def act() -> None:
                before, after = await self.process.occasions.act(occasion.id, command)
                if after is not before:
                    self.acknowledged.append(command.interaction_id or 0)

            await self._attempted(act)

    async def _play(self, occasion: Occasion[Any]) -> None:
        """Somebody gives up at one of its tables."""
        found = await self._store.tables.of_occasion(occasion.id)
        running = []
        for table_id in found.values():
            table = await self.process.tables.fresh(table_id)
            if table.row.status is Status.RUNNING:
                running.append(table)
        if not running:
            return
        table = self._rng.choice(running)
        person = self._rng.choice(table.persons or (0,))

        async def resign() -> None:
            await self.process.tables.act(table.id, Resign(person, STAND_IN))

        await self._attempted(resign)

    async def _ring(self) -> None:
        for number in await self._store.occasions.due(self.world.now):
            await self.process.occasions.tick(number)
        for number in await self._store.tables.due(self.world.now):
            await self.process.tables.tick(number)

    async def _attempted(self, action: Callable[[], Any]) -> None:
        try:
            await action()
        except (Refused, Conflict):
            pass
        except Died:
            await self.restart()

    # -- life and death
    async def settle(self) -> None:
        """Wait until nothing is under way; start the process again if it dies of that."""
        for _ in range(ROUNDS):
            tasks = self.process.tasks
            done = await asyncio.gather(*tasks, return_exceptions=True)
            if self.world.dead or any(isinstance(each, Died) for each in done):
                await self.restart()
            elif not [task for task in self.process.tasks if not task.done()]:
                return
        raise AssertionError("it never comes to rest")

    async def restart(self) -> None:
        """Kill the process and start another one, which catches up."""
        self.deaths += 1
        await self.process.end()
        self.world.dead = False
        self.process = Process.started(self._store, self.world)

        async def catch_up() -> None:
            await self._ring()
            await self.process.delivery.behind()
            await self.process.heralds.behind()
            await self.process.hosting.wake_all()

        await self._attempted(catch_up)

    # -- what must be
    async def _check(self, number: int) -> Occasion[Any]:
        """After quiet all is as it should be."""
        world = self.world
        world.trouble, world.outage = 0.0, False
        for _ in range(3):
            world.now += timedelta(minutes=10)
            await self.restart()
            for each in await self._store.occasions.open_ids():
                await self.process.heralds.look(each)
            await self.settle()
        occasion = await self.process.occasions.fresh(number)
        assert not occasion.kind.seatings(occasion), "a table that is wanted was not opened"
        slots = [slot for slot, _ in (await self._store.tables.of_occasion(number)).items()]
        assert len(slots) == len({*slots})
        counted = [line.interaction_id for line in occasion.journal if line.interaction_id]
        assert len(counted) == len({*counted}), "counted twice"
        assert {*self.acknowledged} <= {*counted}, "acknowledged and lost"
        told, rows = await self._store.occasion_messages.all_of(number)
        assert told == occasion.revision, f"told {told} of {occasion.revision}"
        wanted = OccasionPresenter().surfaces(occasion, told, lambda _: told)
        for surface in wanted:
            if surface.final:
                continue  # it is told once, and known no more
            row = rows[surface.key]
            if occasion.over and row.message_id in self._deleted:
                continue  # of what is over nothing is looked for
            shown = world.messages[row.message_id or 0]
            assert shown.card == surface.card, f"{surface.key} shows something else"
            place = occasion.channel_id if surface.person is None else DM + surface.person
            assert shown.channel_id == place, f"{surface.key} stands elsewhere"
        for surface in wanted:
            mark = mark_for(occasion, surface.key)
            standing = [each for each in world.messages.values() if each.mark == mark]
            fewest = 0 if surface.final or occasion.over else 1
            assert fewest <= len(standing) <= 1, f"{surface.key} stands {len(standing)} times"
        return occasion


async def histories(store: Store, guests: Guests, seeds: Sequence[int]) -> list[Occasion[Any]]:
    """Many histories, one after the other, each with an occasion of its own.

    :raises AssertionError: one of them, which is named, has not ended as it should.
    """
    ended = []
    for seed in seeds:
        try:
            ended.append(await Company(store, seed, guests).happen())
        except AssertionError as error:
            raise AssertionError(f"history {seed}: {error}") from error
    return ended
