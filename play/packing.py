"""Packs what has been over for long, in small steps beside play."""

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
"""Seconds between two looks for what is to be packed."""

PAUSE = 0.05
"""Seconds between two tables: a pack takes the database some milliseconds."""


async def keep_packing(store: Store, clock: Callable[[], datetime], after: timedelta) -> None:
    """Pack without end.

    :param after: how long a match has been over that is packed.
    """
    while True:
        await asyncio.sleep(EVERY)
        with guarded("packing_failed"):
            await pack_old(store, clock() - after)


async def pack_old(store: Store, before: datetime) -> int:
    """Pack the tables that this process serves and that have been over, unchanged, since a moment.
    A damaged one concerns no other; any other trouble is left to the next time.

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
    except StoreProblem as problem:  # of which the store has told
        log.info("packing_waits", code=problem.code)
    return packed
