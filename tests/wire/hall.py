"""Seven tables of all games at once, and a final check of every message they have produced."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from cogs.delivery.message import mark_for
from cogs.delivery.reconcile import Memory
from cogs.games import WORDS
from cogs.gateway.cards import Gallery
from cogs.gateway.layouts import SEAT_ICONS, layout
from cogs.present.surfaces import Presenter, Surface
from data.store.place import Place
from data.store.rows import MessageRow
from play.fold import table_of
from play.table import Table
from tests.simulation.checks import staying
from tests.stores import looking_into, reading
from tests.wire import components
from tests.wire.rounds import Round
from tests.wire.standin import StandIn
from tests.wire.world import Message, UnansweredError

TABLES: tuple[tuple[str, int, tuple[str, ...]], ...] = (
    ("lancelot", 2, ()),
    ("isis", 2, ()),
    ("donquixote", 2, ()),
    ("twilight", 3, ()),
    ("isolde", 2, ()),
    ("isis", 1, ("novice",)),
    ("lancelot", 1, ("novice", "novice")),
)
"""For each table: the game, how many people, and the levels of computer players."""

MOVE_WITHIN = 5.0
"""Seconds after which an attempt to move is given up, and another one is made."""

STEP = 0.2
"""Seconds between two checks."""

SETTLED_WITHIN = 120.0
"""Seconds to wait for everything to be delivered, since the last change."""

CHANGES = 10
"""The longest wait while things keep changing, as a multiple of the wait without any change."""

ICON = re.compile(r"<:tr_(\w+)_\w+:\d+>")
SIGNS = {icon: sign for sign, icon in SEAT_ICONS.items()}


class Hall:
    """People who play at all tables until ``rest``.

    :param pause: seconds between two moves at a table.
    """

    def __init__(
        self, discord: StandIn, database: Place, chaos: random.Random, pause: float = 0.1
    ) -> None:
        self._discord = discord
        self._pause = pause
        self._database = database
        guild = discord.guild("Camelot")
        self._rounds = [
            Round(discord, database, people, random.Random(chaos.random()), guild)
            for _, people, _ in TABLES
        ]
        self._tasks: list[asyncio.Task[None]] = []

    def use(self, database: Place) -> None:
        """Continue with another database, to which everything has been moved."""
        self._database = database
        for round_ in self._rounds:
            round_.use(database)

    async def open(self) -> None:
        for round_, (game, _, levels) in zip(self._rounds, TABLES, strict=True):
            await round_.open(game, *levels)

    def play(self) -> None:
        """Have everyone play from now on."""
        rounds = zip(self._rounds, TABLES, strict=True)
        self._tasks = [
            asyncio.create_task(self._go_on(round_, game, *levels))
            for round_, (game, _, levels) in rounds
        ]

    async def rest(self) -> None:
        """Stop everyone's actions."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _go_on(self, round_: Round, game: str, *levels: str) -> None:
        while True:
            try:
                async with asyncio.timeout(MOVE_WITHIN):
                    before = round_.moves()
                    await round_.move()
                    if round_.moves() == before and await self._is_over(round_):
                        await round_.open(game, *levels)
            except (UnansweredError, TimeoutError, LookupError):
                pass  # the bot is down, or has changed the message meanwhile
            await asyncio.sleep(self._pause)

    async def _is_over(self, round_: Round) -> bool:
        return (await round_.books.read(round_.code)).table.over

    def moves(self) -> int:
        with looking_into(self._database) as db:
            sql = "SELECT COUNT(*) FROM journal WHERE kind = 'move'"
            return int(db.execute(sql, []).fetchone()[0])

    # -- the final check
    async def check(self, note: str, within: float = SETTLED_WITHIN) -> int:
        """Wait until everything is delivered, and every channel, direct messages included, has
        exactly the wanted messages.

        :param note: added to the message of a failure.
        :param within: seconds to wait without any change; the machine may be busy.
        :returns: how many messages there are.
        :raises AssertionError: something stays wrong.
        """
        last = time.monotonic() + CHANGES * within
        until, before = 0.0, list[str]()
        while wrong := self._waited_for() or await self._wrong():  # computer players may still move
            if wrong != before:
                until, before = min(last, time.monotonic() + within), wrong
            assert time.monotonic() < until, f"{note}: {wrong}"
            await asyncio.sleep(STEP)
        return len(self._there())

    def _there(self) -> list[Message]:
        """All messages of the bot that are not ephemeral."""
        world = self._discord.world
        return [m for m in world.messages.values() if m.author is world.bot and m.is_public]

    def _waited_for(self) -> list[str]:
        """Tables not fully delivered, and requests still under way."""
        with looking_into(self._database) as db:
            sql = "SELECT code, told, revision, status FROM tables WHERE told < revision"
            behind = [f"undelivered: {tuple(found)}" for found in db.execute(sql, []).fetchall()]
        return [*behind, *(["late requests"] if self._discord.faults.stray else [])]

    async def _wrong(self) -> list[str]:
        """What is wrong: messages unwanted, missing, doubled or different, and outdated records."""
        async with reading(self._database) as store:
            ids = [found[0] for found in await store.database.fetch("SELECT id FROM tables")]
            tables = [table_of(await store.tables.load(table_id)) for table_id in ids]
            noted = [await store.messages.all_of(table.id) for table in tables]
        there, wrong, known = self._there(), list[str](), dict[int | None, str]()
        for table, (told, rows) in zip(tables, noted, strict=True):
            wanted = Presenter(WORDS).surfaces(table, told, Memory(told, rows).told_from)
            keys = {surface.key for surface in wanted}
            wrong += [f"{key} is still recorded" for key in rows.keys() - keys]
            wrong += [f for surface in wanted if (f := fault(table, surface, rows, there))]
            stay = [*keys, *staying(table)]
            known |= {mark_for(table, key): f"{table.row.code} {key}" for key in stay}
        for mark, count in Counter(message.mark for message in there).items():
            if mark not in known:
                wrong += [f"left: {message.text}" for message in there if message.mark == mark]
            elif count > 1:
                wrong.append(f"{known[mark]} exists {count} times")
        return wrong


def fault(
    table: Table, surface: Surface, rows: Mapping[str, MessageRow], there: Sequence[Message]
) -> str:
    """How the message of a surface differs from the wanted one; an empty string if it does not."""
    row, name = rows.get(surface.key), f"{table.row.code} {surface.key}"
    if row is None and (surface.final or not surface.late):
        return ""  # it has been delivered
    marked = [message for message in there if message.mark == mark_for(table, surface.key)]
    if row is None or [message.id for message in marked] != [row.message_id]:
        return f"{name} is not the message {row}, but {marked}"
    wrong = "" if row.final else difference(surface, marked[0])
    return wrong and f"{name}: {wrong}"


def difference(surface: Surface, message: Message) -> str:
    """How the texts or controls of a message differ from its surface; pictures are not compared."""
    card = surface.card
    parts = tuple(part for part in card.parts if not isinstance(part, Gallery))
    wanted = layout(replace(card, parts=parts)).to_components()
    for what, read in (("text", _texts), ("controls", _controls)):
        should, does = read(wanted), read(message.components)
        if should != does:
            return f"{what} {does} instead of {should}"
    return ""


def _texts(tree: list[components.Json]) -> list[str]:
    texts = (one["content"] for one in components.walk(tree) if "content" in one)
    return [ICON.sub(lambda found: SIGNS.get(found[1], found[0]), text) for text in texts]


def _controls(tree: list[components.Json]) -> list[str]:
    return [one["custom_id"] for one in components.walk(tree) if "custom_id" in one]
