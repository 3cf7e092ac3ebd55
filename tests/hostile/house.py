"""The real bot in this process, connected to the stand-in Discord, recording every commit."""

from __future__ import annotations

import asyncio
import logging
import random
import traceback
from collections.abc import AsyncIterator, Iterator, MutableMapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, cast

import discord
import pytest
import structlog
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot import Parts, build
from data.store.rows import Stored
from data.store.store import Store
from play.computers import Thinkers
from play.table import Table
from tests import limits
from tests.stores import opened
from tests.wire.launch import hurry_discord, point_discord_to
from tests.wire.standin import StandIn
from tests.wire.world import Interaction

Json = dict[str, Any]

STARTING = 60.0
"""Seconds that the bot may take to be ready."""

PATIENCE = 120.0
"""Seconds that handling an input may take, for example drawing an animation on a busy machine."""


UNKNOWN = 0.02
"""Seconds to wait for an answer to something unknown."""


class Noted:
    """Wraps a store's tables, and records commits."""

    def __init__(self, real: Any) -> None:
        self._real = real
        self.commits: list[tuple[Table, Table]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    async def commit(self, before: Stored, after: Stored) -> bool:
        """Commit, and record the change."""
        done = await self._real.commit(before, after)
        if done and isinstance(before, Table) and isinstance(after, Table):
            self.commits.append((before, after))
        return bool(done)


class Heard(logging.Handler):
    """Collects every logged error; ``hear`` takes all of structlog's events, so none is printed."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Record an error from the standard library's logging."""
        if record.name != "aiohttp.server":  # the stand-in's own
            self.errors.append(self.format(record))

    def hear(self, logger: Any, method: str, event: MutableMapping[str, Any]) -> Any:
        """Record an error from structlog and drop every event."""
        if method in ("error", "exception", "critical"):
            self.errors.append(f"{event}\n{traceback.format_exc()}")
        raise structlog.DropEvent


class House:
    """The bot and everything recorded about it.

    :ivar faults: the faults of messages written since the last check.
    :ivar heard: errors logged since then.
    :ivar held: all tables after their latest change, by number; the last to change comes last.
    """

    def __init__(self, discord: StandIn, bot: Parts, tables: Noted, heard: Heard) -> None:
        self.discord = discord
        self.bot = bot
        self.tables = tables
        self.heard = heard
        self.faults: list[str] = []
        self.held: dict[int, Table] = {}
        bot.tables.listen(self._keep)
        discord.world.reader = self._read

    def _keep(self, table: Table) -> None:
        self.held.pop(table.id, None)
        self.held[table.id] = table

    def _read(self, body: Json, changed: bool) -> None:
        self.faults += limits.check_message(body, edit=changed)

    async def quiet(self, act: Interaction, *, known: bool) -> None:
        """Wait until everything caused by an interaction has finished.

        :param known: whether the bot will answer it.
        :raises TimeoutError: if it takes too long.
        """
        acting, delivery = self.bot.acting, self.bot.table_delivery
        async with asyncio.timeout(PATIENCE):
            while not (act.acknowledged or act.failed or (not known and act.age > UNKNOWN)):  # noqa: ASYNC110
                await asyncio.sleep(0.001)
            while True:
                await asyncio.sleep(0)
                tasks = [
                    *acting.tasks,
                    *delivery.tasks,
                    *self.bot.opponents.tasks,
                ]
                if not any(not task.done() for task in tasks):
                    return
                await asyncio.wait(tasks, timeout=0.5)


@contextmanager
def connecting_to(url: str) -> Iterator[None]:
    """Connect discord.py to ``url``, and restore the old address afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        for owner, name in (
            (Route, "BASE"),
            (DiscordWebSocket, "DEFAULT_GATEWAY"),
            (discord.asset.Asset, "BASE"),
            (discord.Client, "__init__"),
        ):
            patch.setattr(owner, name, getattr(owner, name))
        point_discord_to(url)
        hurry_discord()
        yield


@asynccontextmanager
async def house(directory: Path, seed: str) -> AsyncIterator[House]:
    """A bot that is ready, with its own store."""
    heard = Heard()
    root = logging.getLogger()
    root.addHandler(heard)
    before = structlog.get_config()
    structlog.configure(processors=[heard.hear], cache_logger_on_first_use=False)
    rng = random.Random(seed)
    store: Store = await opened(directory / "house.sqlite3")
    tables = Noted(store.tables)
    store.tables = cast(Any, tables)
    async with StandIn() as standin:
        standin.world.answer_within = PATIENCE  # machine load does not matter here
        with connecting_to(standin.url):
            bot = build(
                store,
                Thinkers(workers=0, new_seed=lambda: f"{rng.getrandbits(64):016x}"),
                pause=0,
                new_secret=lambda: f"{rng.getrandbits(256):064x}",
            )
            running = asyncio.create_task(bot.client.start(standin.token))
            try:
                async with asyncio.timeout(STARTING):
                    while not bot.client.is_ready():  # noqa: ASYNC110 - a flag of discord.py's
                        await asyncio.sleep(0.01)
                yield House(standin, bot, tables, heard)
            finally:
                await bot.client.close()
                await running
                root.removeHandler(heard)
                structlog.configure(**before)
