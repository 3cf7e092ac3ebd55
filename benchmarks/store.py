"""How fast the store commits moves, beside a plain loop of sqlite3 on the same disk.

``python -m benchmarks.store [--moves N] [--directory DIR]``
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from data.store import Store

NOW = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)
MOVE = "K4 X:G6"
HOST = 101

SCHEMA = """
    PRAGMA journal_mode = WAL;
    CREATE TABLE matches (id INTEGER PRIMARY KEY, ply INTEGER NOT NULL, moved_at INTEGER NOT NULL);
    CREATE TABLE events (
        match INTEGER, ply INTEGER, seat INTEGER, move TEXT, at INTEGER, person INTEGER,
        interaction INTEGER UNIQUE, PRIMARY KEY (match, ply)
    );
    INSERT INTO matches VALUES (1, 0, 0);
"""


class Lap:
    """Measures single durations and the time from first to last."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._durations: list[float] = []
        self._started = time.perf_counter()

    async def measure(self, work: Awaitable[object]) -> None:
        """Await some work and keep how long it took."""
        before = time.perf_counter()
        await work
        self._durations.append(time.perf_counter() - before)

    def tell(self) -> None:
        """Print the rate since the lap began, the median and the slowest hundredth."""
        rate = len(self._durations) / (time.perf_counter() - self._started)
        cuts = [1000 * cut for cut in quantiles(self._durations, n=100)]
        print(f"{self.name:<44}{rate:>9.0f}/s   p50 {cuts[49]:7.3f} ms   p99 {cuts[98]:7.3f} ms")


async def plain_loop(file: Path, moves: int, synchronous: str) -> None:
    """The least that a move can cost: two statements and a commit, without any thread."""
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.executescript(SCHEMA)
        db.execute(f"PRAGMA synchronous = {synchronous}")

        async def move(ply: int) -> None:
            db.execute("BEGIN IMMEDIATE")
            db.execute("UPDATE matches SET ply = ? WHERE id = 1 AND ply = ?", (ply + 1, ply))
            db.execute("INSERT INTO events VALUES (1, ?, 0, ?, 0, 1, ?)", (ply, MOVE, ply))
            db.execute("COMMIT")

        lap = Lap(f"plain sqlite3 loop, synchronous={synchronous}")
        for ply in range(moves):
            await lap.measure(move(ply))
        lap.tell()


async def store_alone(file: Path, moves: int) -> None:
    """One match, one move after the other."""
    store = await Store.open(file)
    (table_id,) = await running_tables(store, 1)
    lap = Lap("store, one table")
    for ply in range(moves):
        await lap.measure(append(store, table_id, ply, interaction_id=ply))
    lap.tell()
    await measure_reads(store, table_id, moves)
    await store.close()


async def store_together(file: Path, moves: int, tables: int) -> None:
    """Many matches at once, each waiting for its own moves only."""
    store = await Store.open(file)
    ids = await running_tables(store, tables)
    lap = Lap(f"store, {tables} tables at once")

    async def play(table_id: int, plies: Iterator[int]) -> None:
        for ply in plies:
            await lap.measure(append(store, table_id, ply, table_id * moves + ply))

    await asyncio.gather(*(play(table_id, iter(range(moves // tables))) for table_id in ids))
    lap.tell()
    await store.close()


async def measure_reads(store: Store, table_id: int, reads: int) -> None:
    """What looking at a table costs."""
    questions: dict[str, Callable[[], Awaitable[object]]] = {
        "store, read a table": lambda: store.table(table_id),
        "store, read its members": lambda: store.members(table_id),
    }
    for name, ask in questions.items():
        lap = Lap(name)
        for _ in range(reads):
            await lap.measure(ask())
        lap.tell()
    lap = Lap(f"store, read a log of {reads} events")
    for _ in range(20):
        await lap.measure(store.events(table_id))
    lap.tell()


async def running_tables(store: Store, count: int) -> list[int]:
    """So many running tables of one player each."""
    ids = []
    for channel in range(count):
        table = await store.open_table(
            game="lancelot",
            rules=1,
            guild_id=1,
            channel_id=channel,
            host_id=HOST,
            host_name="Ada",
            language="en",
            options={},
            wanted_players=None,
            seed="5eed",
            at=NOW,
        )
        await store.start(table.id, rules=1, options={}, players=1, seating=[0], events=[], at=NOW)
        ids.append(table.id)
    return ids


def append(store: Store, table_id: int, ply: int, interaction_id: int) -> Awaitable[None]:
    return store.append(
        table_id,
        ply,
        [(0, MOVE)],
        person_id=HOST,
        interaction_id=interaction_id,
        at=NOW,
        finished=None,
    )


async def run(directory: Path, moves: int) -> None:
    await plain_loop(directory / "plain_full.sqlite3", moves, "FULL")
    await store_alone(directory / "alone.sqlite3", moves)
    await store_together(directory / "together.sqlite3", moves, tables=20)
    await plain_loop(directory / "plain_off.sqlite3", moves, "OFF")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=2000)
    parser.add_argument("--directory", type=Path, help="on the disk to measure")
    chosen = parser.parse_args()
    with TemporaryDirectory(dir=chosen.directory) as name:
        asyncio.run(run(Path(name), chosen.moves))


if __name__ == "__main__":
    main()
