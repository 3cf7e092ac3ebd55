"""Play many histories: ``python -m tests.simulation [histories] [first seed]``."""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count
from pathlib import Path

import structlog

from cogs.delivery import message
from tests.simulation.history import (
    happen,
    smallest,
    steps_of,
    stub_drawn,
    told,
)
from tests.stores import opened

CHUNK = 50

PROGRESS = 1000
"""So many histories apart it is told how far it is."""


async def play(first: int, count: int) -> tuple[list[str], int, int, int]:
    """Play histories on one store; what failed, calls, lines of journals, and deaths."""
    failures, calls, lines, deaths = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        store = await opened(Path(folder) / "house.sqlite3")
        for seed in range(first, first + count):
            steps = steps_of(seed)
            try:
                house = await happen(store, seed, steps)
            except Exception:  # noqa: BLE001 - played again, to be told
                fewer, why = await smallest(Path(folder) / "smaller.sqlite3", seed, steps)
                failures.append(told(seed, fewer, why))
                continue
            calls += house.world.calls
            deaths += house.deaths
            lines += sum(len(stored.journal) for stored in house.seen.values())
        await store.close()
    return failures, calls, lines, deaths


def chunk(first: int, count: int) -> tuple[list[str], int, int, int]:
    """One process's part."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    setattr(message, "drawn", stub_drawn)  # noqa: B010 - it is imported there from elsewhere
    return asyncio.run(play(first, count))


def main() -> int:
    """0 if all histories end as they should."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    began = time.monotonic()
    failures, calls, lines, deaths = [], 0, 0, 0
    with ProcessPoolExecutor(cpu_count()) as pool:
        starts = range(first, first + count, CHUNK)
        sizes = [min(CHUNK, first + count - start) for start in starts]
        done = pool.map(chunk, starts, sizes)
        for number, (failed, called, grown, died) in enumerate(done, 1):
            failures += failed
            calls, lines, deaths = calls + called, lines + grown, deaths + died
            for failure in failed:
                print(failure, flush=True)
            if number * CHUNK % PROGRESS == 0:
                seconds = time.monotonic() - began
                print(f"{number * CHUNK} histories, {seconds:.0f} s", file=sys.stderr, flush=True)
    print(
        f"{count} histories, {lines} journal lines, {calls} calls of Discord, {deaths} starts after"
        f" a kill, {len(failures)} failures, {time.monotonic() - began:.0f} s"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
