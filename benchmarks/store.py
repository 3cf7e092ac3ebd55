"""How fast the store commits moves, compared with a plain sqlite3 loop with the same statements on
the same disk; and what a hop to a connection's thread costs, compared with one to an executor's.

``python -m benchmarks.store [--moves N] [--directory DIR] [--server]``

With ``--server``, it measures a PostgreSQL server that does not wait for the disk, compared with a
plain psycopg loop with the same statements.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

import psycopg

from data.store.database import connect, transaction
from data.store.place import Place, Server
from data.store.rows import Line, Opening, Status, Stored
from data.store.sqlite import Connection
from data.store.store import Store
from tests.postgres import shared_server

NOW = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)
MOVE = "K4 X:G6"
HOST = 101

STATEMENTS = (
    "SELECT 1 FROM journal WHERE interaction_id = %s",
    "UPDATE tables SET revision = %s WHERE id = %s AND revision = %s",
    """INSERT INTO journal (table_id, number, kind, seat, person_id, text, at, interaction_id)
        VALUES (%s, %s, 'move', 0, %s, %s, %s, %s)""",
)
"""What the store runs in the transaction of a move; at a server, it first numbers the commit."""


class Lap:
    """Collects durations, and measures the time and the CPU time since its own start."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._durations: list[float] = []
        self._started = time.perf_counter()
        self._spent = time.process_time()

    async def measure(self, work: Awaitable[object]) -> None:
        """Await some work and note its duration."""
        before = time.perf_counter()
        await work
        self._durations.append(time.perf_counter() - before)

    def tell(self) -> None:
        """Print the rate since the lap began, the median and the 99th percentile of the durations,
        and the mean CPU time.
        """
        count = len(self._durations)
        rate = count / (time.perf_counter() - self._started)
        cpu = 1e6 * (time.process_time() - self._spent) / count
        cuts = [1000 * cut for cut in quantiles(self._durations, n=100)]
        print(
            f"{self.name:<44}{rate:>9.0f}/s   p50 {cuts[49]:7.3f} ms   p99 {cuts[98]:7.3f} ms"
            f"   {cpu:6.0f} us of CPU"
        )


async def plain_loop(file: Path, moves: int, synchronous: str) -> None:
    """Run the statements of a move on a file, one after the other, without any thread."""
    table = await one_table(file)
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute(f"PRAGMA synchronous = {synchronous}")

        def begin(_: int) -> None:
            db.execute("BEGIN IMMEDIATE")

        name = f"plain sqlite3 loop, synchronous={synchronous}"
        statements = [each.replace("%s", "?") for each in STATEMENTS]
        await plain(name, db, begin, statements, table, moves)


async def plain_server(place: Server, moves: int) -> None:
    """Run the statements of a move at a server, one after the other, without any thread."""
    table = await one_table(place)
    with closing(psycopg.connect(place.url, autocommit=True)) as db:

        def begin(number: int) -> None:
            db.execute("BEGIN ISOLATION LEVEL SERIALIZABLE")
            db.execute("INSERT INTO commits VALUES (%s)", [number])

        await plain("plain psycopg loop", db, begin, STATEMENTS, table, moves)


async def one_table(place: Place) -> Stored:
    store = await Store.open(place)
    (table,) = await running_tables(store, 1)
    await store.close()
    return table


async def plain(
    name: str,
    db: Any,
    begin: Callable[[int], None],
    statements: Sequence[str],
    table: Stored,
    moves: int,
) -> None:
    """Commit moves at a table with these statements.

    :param db: a connection that begins no transaction by itself.
    :param begin: begins a transaction, given a number that no other transaction gets.
    """
    asked, changed, added = statements
    at = int(NOW.timestamp())

    async def move(number: int) -> None:
        begin(number)
        db.execute(asked, (number,)).fetchone()
        found = db.execute(changed, (number + 1, table.row.id, number))
        db.execute(added, (table.row.id, number + 1, HOST, MOVE, at, number))
        db.execute("COMMIT")
        if found.rowcount != 1:
            raise AssertionError("the table has another revision")

    lap = Lap(name)
    for number in range(table.row.revision, table.row.revision + moves):
        await lap.measure(move(number))
    lap.tell()


async def store_alone(file: Place, moves: int) -> None:
    """Play one match, one move after the other; then load its table several times."""
    store = await Store.open(file)
    (table,) = await running_tables(store, 1)
    lap = Lap("store, one table")
    for number in range(moves):
        after = moved(table, interaction_id=number)
        await lap.measure(store.tables.commit(table, after))
        table = after
    lap.tell()
    lap = Lap(f"store, load a table of {moves} moves")
    for _ in range(20):
        await lap.measure(store.tables.load(table.row.id))
    lap.tell()
    await store.close()


async def store_together(file: Place, moves: int, tables: int) -> None:
    """Play many matches at once, each waiting only for its own moves."""
    store = await Store.open(file)
    started = await running_tables(store, tables)
    lap = Lap(f"store, {tables} tables at once")

    async def play(table: Stored) -> None:
        for number in range(moves // tables):
            after = moved(table, interaction_id=table.row.id * moves + number)
            await lap.measure(store.tables.commit(table, after))
            table = after

    await asyncio.gather(*(play(table) for table in started))
    lap.tell()
    await store.close()


async def running_tables(store: Store, count: int) -> list[Stored]:
    """Open and start tables with a single player, and return them."""
    tables = []
    for channel in range(count):
        opening = Opening("lancelot", 1, channel, HOST, "Ada", "en", {})
        lobby = await store.tables.open(opening, rules=1, secret=f"{0:064x}", at=NOW)
        table = longer(lobby.stored, Line(2, "start", None, HOST, "", NOW))
        table = replace(table, row=replace(table.row, status=Status.RUNNING, players=1))
        await store.tables.commit(lobby.stored, table)
        tables.append(table)
    return tables


def moved(table: Stored, interaction_id: int) -> Stored:
    number = table.row.revision + 1
    return longer(table, Line(number, "move", 0, HOST, MOVE, NOW, interaction_id))


def longer(table: Stored, line: Line) -> Stored:
    row = replace(table.row, revision=line.number)
    return replace(table, row=row, journal=(*table.journal, line))


def query(db: sqlite3.Connection) -> None:
    db.execute("SELECT moves FROM matches").fetchone()


def change(db: sqlite3.Connection) -> None:
    with transaction(db):
        for _ in range(8):
            db.execute("UPDATE matches SET moves = moves + 1")


async def hops(file: Path, count: int) -> None:
    """Measure in turn the CPU time of a hop to aiosqlite's thread and to an executor's, for a query
    and for a change.
    """
    with closing(sqlite3.connect(file)) as db:
        db.executescript("""
            PRAGMA journal_mode = WAL;
            CREATE TABLE matches (moves INTEGER NOT NULL);
            INSERT INTO matches VALUES (0);
        """)

    def opened() -> sqlite3.Connection:
        db = connect(file, "mode=rw")
        db.execute("PRAGMA synchronous = OFF")
        return db

    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(1) as threads:
        kept = await loop.run_in_executor(threads, opened)
        async with Connection(opened) as connection:
            ways: dict[str, Callable[[Callable[[sqlite3.Connection], None]], Awaitable[None]]] = {
                "aiosqlite": connection.run,
                "executor": lambda work: asyncio.shield(loop.run_in_executor(threads, work, kept)),
            }
            for work in (query, change):
                spent: dict[str, list[float]] = {way: [] for way in ways}
                for _ in range(7):
                    for way, hop in ways.items():
                        before = time.process_time()
                        for _ in range(count):
                            await hop(work)
                        spent[way].append((time.process_time() - before) / count)
                costs = {way: 1e6 * median(each) for way, each in spent.items()}
                told = ", ".join(f"{way} {cost:.0f} us of CPU" for way, cost in costs.items())
                ratio = costs["aiosqlite"] / costs["executor"]
                print(f"a hop, {work.__name__}: {told}; ratio {ratio:.2f}")
        await loop.run_in_executor(threads, kept.close)


async def run(directory: Path, moves: int) -> None:
    await hops(directory / "hops.sqlite3", moves)
    await plain_loop(directory / "plain_full.sqlite3", moves, "FULL")
    await store_alone(directory / "alone.sqlite3", moves)
    await store_together(directory / "together.sqlite3", moves, tables=20)
    await plain_loop(directory / "plain_off.sqlite3", moves, "OFF")


async def run_at_server(moves: int) -> None:
    with shared_server().house() as place:
        await plain_server(place, moves)
    with shared_server().house() as place:
        await store_alone(place, moves)
    with shared_server().house() as place:
        await store_together(place, moves, tables=20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=2000)
    parser.add_argument("--directory", type=Path, help="on the disk to measure")
    parser.add_argument("--server", action="store_true", help="at a PostgreSQL server")
    chosen = parser.parse_args()
    if chosen.server:
        asyncio.run(run_at_server(chosen.moves))
        return
    with TemporaryDirectory(dir=chosen.directory) as name:
        asyncio.run(run(Path(name), chosen.moves))


if __name__ == "__main__":
    main()
