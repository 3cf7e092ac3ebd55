"""Packs matches that ended long ago, a few at a time, between other work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog

from data.store.problems import DamagedDatabase, DamagedFile, StoreProblem
from data.store.store import Store
from play.guard import guarded

log = structlog.get_logger()

EVERY = 3600.0
"""Seconds between two searches for matches to pack."""

PAUSE = 0.05
"""Seconds to wait between matches, because packing one blocks the database for a few
milliseconds.
"""


async def keep_packing(store: Store, clock: Callable[[], datetime], after: timedelta) -> None:
    """Pack old matches from time to time, until cancelled.

    :param after: how long a match must have been over.
    """
    while True:
        await asyncio.sleep(EVERY)
        with guarded("packing_failed"):
            await pack_old(store, clock() - after)


async def pack_old(store: Store, before: datetime) -> int:
    """Pack the tables that this process serves and that ended before a certain moment. Skip damaged
    tables; after any other problem, stop and leave the rest to the next run.

    :returns: how many were packed.
    """
    packed = 0
    try:
        async for table_id in store.packing.due(before):
            try:
                packed += await store.packing.pack(table_id, before)
            except (DamagedFile, DamagedDatabase):
                log.warning("not_packed", table=table_id)
            await asyncio.sleep(PAUSE)
    except StoreProblem as problem:  # the store has logged it
        log.info("packing_waits", code=problem.code)
    return packed
