"""A table in the bot's database, and the messages that Discord should have for it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from cogs.delivery.message import mark_for
from cogs.games import WORDS
from cogs.present.surfaces import Presenter, Retire
from data.store.place import Place
from data.store.rows import Line, Status
from data.store.store import Store
from games.engine import CHANCE, Event, Match
from play.fold import effective, table_of
from play.table import Table
from tests.stores import reading
from tests.wire.world import PATIENCE, Message, World

STEP = 0.02
"""Seconds between two reads of another process's database."""


@dataclass(frozen=True)
class Record:
    """A stored table.

    :param told: the revision up to which the bot has recorded that everything is delivered.
    """

    table: Table
    told: int

    @property
    def status(self) -> Status:
        return self.table.row.status

    @property
    def events(self) -> list[Line]:
        """The moves and lots that count."""
        return effective(self.table.journal)[1]

    @property
    def moves(self) -> list[Line]:
        """The moves that count."""
        return [line for line in self.events if line.kind == "move"]

    @property
    def match(self) -> Match[Any]:
        """The match, replayed from the journal with every event verified."""
        known = self.table.played
        seats = (CHANCE if line.seat is None else line.seat for line in self.events)
        log = [Event(seat, line.text) for seat, line in zip(seats, self.events, strict=True)]
        return Match.replay(known.game, known.setup, log, verify=True)

    @property
    def last_call(self) -> int:
        """The line of the last call at the table, or of the start if there is none; the board is
        named after it.
        """
        return next((call.line for call in self.table.calls() if call.table), self.table.begun)

    @property
    def boards(self) -> dict[int, int]:
        """The lines of the start and of all calls at the table, by the marks of their boards."""
        lines = [self.table.begun, *(call.line for call in self.table.calls() if call.table)]
        return {mark_for(self.table, f"board:{line}"): line for line in lines}

    def live(self) -> dict[int, str]:
        """The keys of all usable surfaces, by the marks of their messages."""
        surfaces = Presenter(WORDS).surfaces
        lasting = surfaces(self.table, self.table.revision, lambda key: 0)
        told = surfaces(self.table, 0, lambda key: 0)
        lasting += [each for each in told if each.final or each.retire is Retire.STAY]
        return {mark_for(self.table, each.key): each.key for each in lasting if each.card.live}

    def stale(self, world: World) -> list[Message]:
        """Messages with active controls that belong to no usable surface."""
        expected = self.live()
        return [m for m in live_messages(world, self.table.id) if m.mark not in expected]

    def check_live(self, world: World, note: str) -> None:
        """Check that each usable surface has exactly one usable message, and no other message is
        usable.

        :param note: goes into the message of a failure.
        """
        assert [message.text for message in self.stale(world)] == [], note
        expected, live = self.live(), live_messages(world, self.table.id)
        found = Counter(expected[message.mark or 0] for message in live)
        assert found == dict.fromkeys(expected.values(), 1), note


def live_messages(world: World, table_id: int) -> list[Message]:
    """All messages with active controls of a table."""
    return [
        message
        for message in world.messages.values()
        if message.is_public and any(f"t:{table_id}." in each for each in message.control_ids)
    ]


class Books:
    """The database of a running bot."""

    def __init__(self, database: Place) -> None:
        self._database = database

    async def read(self, code: str) -> Record:
        """The current stored state of a table."""
        async with self._store() as store:
            table_id = await store.tables.id_of(code)
            loaded = await store.tables.load(table_id)
            told, _ = await store.messages.all_of(table_id)
            return Record(table_of(loaded), told)

    async def open_in(self, channel_id: int) -> str:
        """The code of the unfinished table in a channel; an empty string if there is none."""
        async with self._store() as store:
            found = await store.tables.open_in([channel_id])
            return (await store.tables.load(found[0])).stored.row.code if found else ""

    async def told(self, code: str) -> Record:
        """The stored table, once everything has been delivered."""
        return await self.until(code, lambda record: record.told == record.table.revision)

    async def until_played(self, code: str, moves: int) -> None:
        """Wait until this many moves are stored."""
        await self.until(code, lambda record: len(record.moves) >= moves)

    async def until(self, code: str, holds: Callable[[Record], bool]) -> Record:
        """The stored table, once a condition holds."""
        async with asyncio.timeout(PATIENCE):
            while not holds(record := await self.read(code)):  # noqa: ASYNC110 - another process
                await asyncio.sleep(STEP)
        return record

    @asynccontextmanager
    async def _store(self) -> AsyncIterator[Store]:
        # Opened only for a moment: if it stayed open, a killed bot's file would need no recovery.
        async with reading(self._database) as store:
            yield store
