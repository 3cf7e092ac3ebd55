"""The bot with planted faults; their error messages quote the data at hand.

From the first move on, some calls of every part fail: the store, drawing, sending, the rules,
computer players in their processes, and background work that nobody awaits. If the environment
variable ``CARELESS`` is ``blabbing``, the bot also logs all its secrets.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import structlog

import bot
from cogs.gateway import cards, replies
from cogs.gateway.layouts import layout
from data.store import sqlite
from data.store.database import transaction
from data.store.rows import Stored
from data.store.tables import TableRepository as StoredTables
from play import computers
from play.moves import PlayMoves
from play.table import Table
from render import PAINTERS
from tests.wire.clumsy import Careless, think

log = structlog.get_logger()

UNLUCKY = {2, 5, 11, 17}
"""The calls of each part that fail, counted from 1."""

begun = threading.Event()
"""Set once someone has moved."""


def unlucky(work: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a function so that some calls fail."""
    calls = itertools.count(1)

    @functools.wraps(work)
    def attempt(*given: Any, **named: Any) -> Any:
        if begun.is_set() and next(calls) in UNLUCKY:
            raise Careless(*given, *named.values())
        return work(*given, **named)

    return attempt


def quote(*quoted: object) -> None:
    """Fail in a callback of the event loop."""
    raise Careless(*quoted)


async def lose(*quoted: object) -> None:
    """Fail in a task that nobody awaits."""
    raise Careless(*quoted)


def blab(table: Table) -> None:
    """Log every secret."""
    log.debug("the token", settings=os.environ["DISCORD_TOKEN"])
    log.debug("the seed", seeds=[{"of": table.row.seed}])
    for seat in range(table.row.players or 0):
        log.debug("a hand", private=table.played.view(seat).private)
    try:
        raise LookupError([line.text for line in table.journal if line.kind == "draw"])
    except LookupError:
        log.exception("the deal")


def main() -> int:
    commit = StoredTables.commit
    transactions = itertools.count(1)

    async def committed(self: StoredTables, before: Stored, after: Stored) -> bool:
        asyncio.get_running_loop().call_soon(quote, before, after)
        asyncio.create_task(lose(before, after))  # noqa: RUF006
        if isinstance(after, Table) and after.match is not None:
            if any(line.kind == "move" for line in after.journal):
                begun.set()
            log.debug("committed", table=after, setup=after.match.setup, last=after.tail)
            if os.environ.get("CARELESS") == "blabbing":
                blab(after)
        return await commit(self, before, after)

    @contextmanager
    def locked(db: sqlite3.Connection) -> Iterator[None]:
        if begun.is_set() and next(transactions) in UNLUCKY:
            raise sqlite3.OperationalError("database is locked")
        with transaction(db):
            yield

    painters = {type(painter) for painter in PAINTERS.values()}
    changed: list[tuple[Any, str, Any]] = [
        (StoredTables, "commit", committed),
        (sqlite, "transaction", locked),
        (computers, "think", think),
        (replies, "layout", unlucky(layout)),
        (cards, "_drawn_part", unlucky(cards._drawn_part)),  # where all cards are drawn
        (PlayMoves, "effect", unlucky(PlayMoves.effect)),
        *((painter, "board", unlucky(painter.board)) for painter in painters),
        *((painter, "hand", unlucky(painter.hand)) for painter in painters),
    ]
    for place, name, work in changed:
        setattr(place, name, work)
    return bot.main()
