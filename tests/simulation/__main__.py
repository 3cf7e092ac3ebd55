"""Play many histories: ``python -m tests.simulation [histories] [first seed]``; see ``--help``."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from itertools import repeat
from os import cpu_count
from pathlib import Path

import structlog

from cogs.delivery import message
from tests.postgres import shared_server
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
"""Histories between two reports of progress."""


async def play(first: int, count: int, server: bool) -> tuple[list[str], int, int, int]:
    """Play histories on one store; return failures, calls, journal lines, and deaths."""
    failures, calls, lines, deaths = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as folder, ExitStack() as places:
        file = Path(folder) / "house.sqlite3"
        store = await opened(places.enter_context(shared_server().house()) if server else file)
        for seed in range(first, first + count):
            steps = steps_of(seed)
            try:
                house = await happen(store, seed, steps)
            except Exception:  # noqa: BLE001 - played again, to be shortened
                fewer, why = await smallest(Path(folder) / "smaller.sqlite3", seed, steps)
                failures.append(told(seed, fewer, why))
                continue
            calls += house.world.calls
            deaths += house.deaths
            lines += sum(len(stored.journal) for stored in house.seen.values())
        await store.close()
    return failures, calls, lines, deaths


def chunk(first: int, count: int, server: bool) -> tuple[list[str], int, int, int]:
    """Play a chunk of the histories, in a process of the pool."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    setattr(message, "with_pictures", stub_drawn)  # noqa: B010 - it is imported there from elsewhere
    return asyncio.run(play(first, count, server))


def main() -> int:
    """Play the histories; return 0 if none fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("histories", type=int, nargs="?", default=1000)
    parser.add_argument("first", type=int, nargs="?", default=0, help="the first seed")
    parser.add_argument("--server", action="store_true", help="store on a PostgreSQL server")
    parser.add_argument("--processes", type=int, default=cpu_count(), help="default: one per core")
    options = parser.parse_args()
    count, first = options.histories, options.first
    began = time.monotonic()
    failures, calls, lines, deaths = [], 0, 0, 0
    with ProcessPoolExecutor(options.processes) as pool:
        starts = range(first, first + count, CHUNK)
        sizes = [min(CHUNK, first + count - start) for start in starts]
        done = pool.map(chunk, starts, sizes, repeat(options.server))
        for number, (failed, called, grown, died) in enumerate(done, 1):
            failures += failed
            calls, lines, deaths = calls + called, lines + grown, deaths + died
            for failure in failed:
                print(failure, flush=True)
            if number * CHUNK % PROGRESS == 0:
                seconds = time.monotonic() - began
                print(f"{number * CHUNK} histories, {seconds:.0f} s", file=sys.stderr, flush=True)
    print(
        f"{count} histories, {lines} journal lines, {calls} calls to Discord, {deaths} starts after"
        f" a kill, {len(failures)} failures, {time.monotonic() - began:.0f} s"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
