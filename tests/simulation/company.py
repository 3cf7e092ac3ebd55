"""Simulates occasions under the same faults as tables: random people act, tables are played, clocks
jump, calls fail, messages vanish, and the process dies between any two effects.

Each kind of occasion has a ``Guests`` that says what people may do.
"""

from __future__ import annotations

import asyncio
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Final

from bot import OCCASIONS
from cogs.delivery.budget import LookBudget
from cogs.delivery.message import mark_for
from cogs.features.hosting import Hosting
from cogs.gateway.cards import Card
from cogs.present.occasions import OccasionPresenter, Surfaces
from data.store.problems import Conflict
from data.store.rows import Status
from data.store.store import Store
from play.aggregate import Command
from play.daily import day_of
from play.ending import Resign
from play.ladder import STAND_IN
from play.occasions.occasion import Occasion, OccasionKind
from play.occasions.occasions import Occasions
from play.riddles.writer import Writer
from play.seasons import Seasons
from play.table import Refused, Table
from play.tables import Tables
from tests.cogs.test_occasions import surfaces
from tests.play.clock import NOON
from tests.play.relay import Relay
from tests.simulation.checks import PRESENTER
from tests.simulation.discord import DM, Died, FakeGateway, Message, World
from tests.simulation.house import FaultyMessages, Patient, at_once, passing
from tests.stores import opened

GUILD, CHANNEL = 7, 40_000

TROUBLE = 0.1

STEPS = 30

ROUNDS = 40
"""The number of restarts, or of waits for work, after which the bot counts as stuck."""

AWAKE = 0.5
"""How likely the bot is to run while time passes."""

PEOPLE = 100
"""The lowest id of a person."""


KINDS: Mapping[OccasionKind[Any], Surfaces] = {**OCCASIONS, Relay(): surfaces}
"""All kinds of occasions, each with the function that lists its messages."""


def occasion_presenter() -> OccasionPresenter:
    return OccasionPresenter({kind.NAME: KINDS[kind] for kind in KINDS})


class Guests(ABC):
    """The actions of people at a kind of occasion, and the checks.

    :cvar LEAPS: minutes that can pass at once.
    :cvar HASTE: the additional probability that time passes in a step.
    """

    LEAPS: ClassVar[Sequence[int]] = (1, 30, 600, 3000)
    HASTE: ClassVar[float] = 0.0

    def start(self, rng: random.Random) -> datetime:
        """The time at which the history begins."""
        return NOON

    @abstractmethod
    async def begin(self, occasions: Occasions, rng: random.Random) -> Occasion[Any]:
        """Have one of the people begin the occasion."""

    def act(self, occasion: Occasion[Any], rng: random.Random) -> Command[Occasion[Any]] | None:
        """The next act of a person, sensible or not; None if nobody acts."""
        return None

    async def live(  # noqa: B027 - most kinds need nothing more
        self, store: Store, now: datetime, rng: random.Random
    ) -> None:
        """Cause another event that concerns the occasion. The process may die during it; then it is
        repeated, as by a person who got no answer.
        """

    async def check(  # noqa: B027
        self, company: Company, occasion: Occasion[Any]
    ) -> None:
        """Check everything once the simulation is quiet.

        :raises AssertionError: something is not as it should be.
        """


class FaultyOccasions:
    """A store's occasions, whose commits may kill the process."""

    def __init__(self, real: Any, world: World) -> None:
        self._real = real
        self._world = world
        self.seen: dict[int, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    async def commit(self, before: Any, after: Any, *rest: Any) -> bool:
        """Commit; the process may die before or after that."""
        await self._world.dawdle()
        self._world.may_die(1 / 8)
        done = await self._real.commit(before, after, *rest)
        if done:
            journal = (await self._real.load(after.id)).journal
            known = self.seen.get(after.id, ())
            assert journal[: len(known)] == known, "journal was rewritten"
            self.seen[after.id] = journal
        self._world.may_die(1 / 8)
        return bool(done)


class Faulty:
    """A part of a store, some calls of which may kill the process."""

    def __init__(self, real: Any, world: World, *deadly: str) -> None:
        self._real = real
        self._world = world
        self._deadly = deadly

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._real, name)

        async def call(*given: Any, **named: Any) -> Any:
            await self._world.dawdle()
            self._world.may_die(1 / 4)
            result = await real(*given, **named)
            self._world.may_die(1 / 4)
            return result

        return call if name in self._deadly else real


DEADLY: Final[Mapping[str, Sequence[str]]] = {
    "tables": ("open",),
    "seasons": ("play_in", "stop", "close", "closed"),
    "riddles": ("of_day", "secret", "best_plays", "best_attempts", "change_attempt", "change_play"),
}
"""For each part of a store, the calls that may kill the process."""


class ThreadedGateway(FakeGateway):
    """Discord with threads, each a channel."""

    def _see(self, channel_id: int, card: Card) -> None:
        """Nothing is private here: drawings for occasions have no viewer."""

    async def open_thread(self, channel_id: int, name: str) -> Any:
        assert len(name) <= 100
        failure = await self._before(channel_id)
        self._world.ids += 1
        return failure or self._after(CHANNEL + self._world.ids)


@dataclass(slots=True)
class Process:
    tables: Tables
    occasions: Occasions
    table_delivery: Patient[Table]
    occasion_delivery: Patient[Occasion[Any]]
    hosting: Hosting
    seasons: Seasons
    writer: Writer

    @classmethod
    def started(cls, store: Store, world: World) -> Process:
        tables = Tables(store, world.clock, lambda: f"{world.rng.getrandbits(256):064x}")
        occasions = Occasions(store, world.clock, KINDS)
        gateway: Any = ThreadedGateway(world)
        budget = LookBudget(lambda: store.database.served)
        table_delivery = Patient(tables, PRESENTER, gateway, budget, lambda: None, retries=())
        occasion_delivery = Patient(
            occasions, occasion_presenter(), gateway, budget, lambda: None, retries=()
        )
        hosting = Hosting(tables, occasions, gateway, occasion_delivery.bring, lambda: None)
        seasons = Seasons(occasions, lambda: None)
        writer = Writer(occasions, lambda: None)
        tables.drive(table_delivery.wake)
        tables.drive(hosting.hear)
        for driver in (occasion_delivery.wake, hosting.wake, seasons.wake, writer.wake):
            occasions.drive(driver)
        return cls(tables, occasions, table_delivery, occasion_delivery, hosting, seasons, writer)

    @property
    def tasks(self) -> list[asyncio.Task[Any]]:
        """All background tasks of the process."""
        deliveries = [*self.table_delivery.tasks, *self.occasion_delivery.tasks]
        return [*deliveries, *self.hosting.tasks, *self.seasons.tasks, *self.writer.tasks]

    async def end(self) -> None:
        """Kill the process: everything under way is cut off."""
        workers = (
            self.hosting,
            self.seasons,
            self.writer,
            self.table_delivery,
            self.occasion_delivery,
        )
        await asyncio.gather(*(each.close() for each in workers))


class Company:
    """The current process, the world around it, and one occasion."""

    def __init__(self, store: Store, seed: int, guests: Guests) -> None:
        at_once(store)
        self._rng = random.Random(f"steps {seed}")
        late = random.Random(f"late {seed}")
        self.world = World(guests.start(self._rng), random.Random(f"world {seed}"), late_rng=late)
        self.store, self._guests = store, guests
        self._real: dict[str, Any] = {}
        self._replace("occasions", FaultyOccasions(store.occasions, self.world))
        for name in ("messages", "occasion_messages"):
            self._replace(name, FaultyMessages(getattr(store, name), self.world))
        for name, calls in DEADLY.items():
            self._replace(name, Faulty(getattr(store, name), self.world, *calls))
        self.process = Process.started(store, self.world)
        self.acknowledged: list[int] = []
        self.deaths = 0
        self.deleted = set[int]()
        self.nights = list[datetime]()
        """When the bot came back after being down at the end of a day."""
        self._presses = seed * 1000

    def _replace(self, name: str, part: Any) -> None:
        """Replace a part of the store until the history is over."""
        self._real[name] = getattr(self.store, name)
        setattr(self.store, name, part)

    async def happen(self, steps: int = STEPS) -> Occasion[Any]:
        """Let random things happen, then check the result.

        :raises AssertionError: something is not as it should be.
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
            for name, part in self._real.items():
                setattr(self.store, name, part)

    # -- what happens
    async def _step(self, number: int) -> None:
        occasion = await self.process.occasions.fresh(number)
        what = self._rng.random()
        if self._rng.random() < self._guests.HASTE:
            await self._pass_time()
        elif what < 0.55:
            await self._act(occasion)
        elif what < 0.75:
            await self._play(occasion)
            await self._live()
        elif what < 0.85:
            await self._pass_time()
        elif what < 0.9:
            await self.restart()
        elif what < 0.95 and self.world.messages:
            self.world.land(all_=True)  # so that no late copy of the deleted message appears
            gone = self._rng.choice([*self.world.messages])
            self.deleted.add(gone)
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
        for _ in range(self._rng.choice([1, 1, 1, 2])):  # Discord delivers some interactions twice

            async def act() -> None:
                change = await self.process.occasions.act(occasion.id, command)
                if command.effect(change.before, self.world.now).revision > change.before.revision:
                    self.acknowledged.append(command.interaction_id or 0)

            await self._attempted(act)

    async def _play(self, occasion: Occasion[Any]) -> None:
        """Have somebody resign at one of the occasion's tables."""
        found = await self.store.tables.of_occasion(occasion.id)
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

    async def _live(self) -> None:
        """Cause another event; if the process dies during it, repeat it."""
        deaths, lots = self.deaths, self._rng.getrandbits(32)
        for _ in range(ROUNDS):
            chance = random.Random(lots)
            await self._attempted(partial(self._guests.live, self.store, self.world.now, chance))
            if self.deaths == deaths:
                return
            deaths = self.deaths

    async def _pass_time(self) -> None:
        """Let time pass: the bot acts when something is due, or is down and catches up later."""
        until = self.world.now + timedelta(minutes=self._rng.choice(self._guests.LEAPS))
        if self._rng.random() < AWAKE:
            while (due := await self.store.occasions.next_due()) and self.world.now < due <= until:
                self.world.now = due
                await self._attempted(self._ring)
                await self.settle()
        elif day_of(until) > day_of(self.world.now):
            self.nights.append(until)
        self.world.now = until
        await self._attempted(self._ring)

    async def _ring(self) -> None:
        for number in await self.store.occasions.due(self.world.now):
            await self.process.occasions.tick(number)
        for number in await self.store.tables.due(self.world.now):
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
        """Wait until nothing is under way; restart the process if it dies meanwhile."""
        for _ in range(ROUNDS):
            tasks = self.process.tasks
            done = await asyncio.gather(*tasks, return_exceptions=True)
            if self.world.dead or any(isinstance(each, Died) for each in done):
                await self.restart()
            elif not [task for task in self.process.tasks if not task.done()]:
                return
        raise AssertionError("the process never comes to rest")

    async def restart(self) -> None:
        """Kill the process and start another one, which catches up."""
        self.deaths += 1
        await self.process.end()
        self.world.dead = False
        self.world.now += timedelta(seconds=1)
        self.process = Process.started(self.store, self.world)

        async def catch_up() -> None:
            await self._ring()
            await self.process.table_delivery.behind()
            await self.process.occasion_delivery.behind()
            for worker in (self.process.hosting, self.process.seasons, self.process.writer):
                await worker.wake_all()

        await self._attempted(catch_up)

    # -- what must be
    async def _check(self, number: int) -> Occasion[Any]:
        """Check everything once nothing is under way."""
        world = self.world
        world.trouble, world.outage = 0.0, False
        for _ in range(3):
            world.now += timedelta(minutes=10)
            await self.restart()
            for each in await self.store.occasions.open_ids():
                await self.process.occasion_delivery.look(each)
            await self.settle()
            async for _ in passing(world):
                for delivery in (self.process.table_delivery, self.process.occasion_delivery):
                    await delivery.look_again()
                await self.settle()
        occasion = await self.process.occasions.fresh(number)
        assert not occasion.kind.seatings(occasion), "a requested table was not opened"
        slots = [slot for slot, _ in (await self.store.tables.of_occasion(number)).items()]
        assert len(slots) == len({*slots})
        counted = [line.interaction_id for line in occasion.journal if line.interaction_id]
        assert len(counted) == len({*counted}), "counted twice"
        assert {*self.acknowledged} <= {*counted}, "acknowledged and lost"
        told, rows = await self.store.occasion_messages.all_of(number)
        assert told == occasion.revision, f"delivered {told} of {occasion.revision}"
        wanted = occasion_presenter().surfaces(occasion, told, lambda _: told)
        for surface in wanted:
            if surface.final:
                continue  # it is posted once, then forgotten
            row = rows[surface.key]
            if occasion.over and row.message_id in self.deleted:
                continue  # nobody looks for the messages of finished occasions
            shown = world.messages[row.message_id or 0]
            assert shown.card == surface.card, f"{surface.key} shows something else"
            place = occasion.channel_id if surface.person is None else DM + surface.person
            assert shown.channel_id == place, f"{surface.key} is elsewhere"
        for surface in wanted:
            standing = self.standing(occasion, surface.key)
            fewest = 0 if surface.final or occasion.over else 1
            assert fewest <= len(standing) <= 1, f"{surface.key} exists {len(standing)} times"
        await self._guests.check(self, occasion)
        return occasion

    def standing(self, occasion: Occasion[Any], key: str) -> list[Message]:
        """The existing messages with this key."""
        mark = mark_for(occasion, key)
        return [each for each in self.world.messages.values() if each.mark == mark]


async def histories(folder: Path, guests: Guests, seeds: Sequence[int]) -> list[Occasion[Any]]:
    """Run many histories, one after another, each with its own occasion and store.

    :raises AssertionError: a history failed; the message names it.
    """
    ended = []
    for seed in seeds:
        store = await opened(folder / f"{seed}.sqlite3")
        try:
            ended.append(await Company(store, seed, guests).happen())
        except AssertionError as error:
            raise AssertionError(f"history {seed}: {error}") from error
        finally:
            await store.close()
    return ended
