"""Copy everything from one database to another, while no bot uses either.

``python -m data.transfer FROM TO`` copies everything in FROM to the database TO, which must be new,
compares the two, and leaves FROM as it is. Each is a file, or ``postgresql://...``. If the transfer
is interrupted, run it again: it resumes where it stopped. Until it has finished, no bot starts on
TO.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from data.store.access import Backend, Database
from data.store.migrate import TRANSFER, Migration, built, read_migrations
from data.store.place import Place, Server, place_of
from data.store.problems import StoreProblem, TargetInUse, TransferDiffers
from data.store.store import open_backend

BATCH = 500
"""Rows per transaction."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A table of the database.

    :param keys: the columns of its primary key; rows are copied in the order of their keys.
    """

    name: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]

    def after(self, db: Database, last: Sequence[Any] | None) -> list[tuple[Any, ...]]:
        """Return the next rows in the order of their keys, at most ``BATCH``.

        :param last: the key of the last row read; None to start from the first row.
        """
        keys = ", ".join(self.keys)
        since = f"WHERE ({keys}) > ({_marks(self.keys)})" if last else ""
        sql = f"SELECT {', '.join(self.columns)} FROM {self.name} {since} ORDER BY {keys} LIMIT ?"  # noqa: S608
        return [tuple(row) for row in db.execute(sql, [*(last or ()), BATCH])]

    def key(self, row: Sequence[Any]) -> list[Any]:
        """Return the values of a row's primary key, in the order of ``keys``."""
        values = dict(zip(self.columns, row, strict=True))
        return [values[key] for key in self.keys]

    def add(self, db: Database, rows: Sequence[Sequence[Any]]) -> None:
        """Insert rows."""
        names = ", ".join(self.columns)
        sql = f"INSERT INTO {self.name} ({names}) VALUES ({_marks(self.columns)})"  # noqa: S608
        db.executemany(sql, rows)


def relations(migrations: Sequence[Migration]) -> list[Relation]:
    """Return all tables that these migrations build, starting with those that others refer to."""
    with built(migrations) as model:
        sql = """SELECT m.name, c.name, c.pk FROM sqlite_master AS m, pragma_table_info(m.name) AS c
            WHERE m.type = 'table' ORDER BY m.name NOT IN ('occasions', 'tables'), m.name, c.cid"""
        found: dict[str, dict[str, int]] = {}
        for table, column, place in model.execute(sql):
            found.setdefault(table, {})[column] = place
    return [
        Relation(name, tuple(columns), tuple(sorted(filter(columns.get, columns), key=columns.get)))  # type: ignore[arg-type]
        for name, columns in found.items()
    ]


async def transfer(source: Backend, target: Backend, tell: Callable[[str], None]) -> None:
    """Copy everything that the target does not have yet, then compare the two databases.

    :param tell: called with a line of progress for each table.
    :raises TargetInUse: the target already contains something else.
    :raises TransferDiffers: the target differs from the source; no bot starts on it.
    """
    tables = relations(read_migrations())
    await target.write(lambda db: _begin(db, tables, target.place, str(source.place)))
    for table in tables:
        while await _move(source, target, table):
            pass
    if isinstance(target.place, Server):
        await target.write(_raise_counters)
    for table in tables:
        (count, total), there = await _sum(source, table), await _sum(target, table)
        if (count, total) != there:
            raise TransferDiffers(
                target.place,
                f"{table.name} differs: {count} rows in the source, {there[0]} in the target",
            )
        tell(f"{table.name}: {count} rows, the same in both")
    await target.write(lambda db: db.execute(f"DROP TABLE {TRANSFER}"))


def _begin(db: Database, tables: Sequence[Relation], place: Place, source: str) -> None:
    """Mark a database as being filled; if it is already marked, make sure it is being filled from
    the same source.

    :raises TargetInUse: the database has rows, or is being filled from another source.
    """
    db.execute(
        f"CREATE TABLE IF NOT EXISTS {TRANSFER} (name TEXT PRIMARY KEY, source TEXT, last TEXT)"
    )
    begun = db.execute(f"SELECT source FROM {TRANSFER}").fetchone()  # noqa: S608
    if begun is None:
        for table in tables:
            if db.execute(f"SELECT 1 FROM {table.name} LIMIT 1").fetchone():  # noqa: S608
                raise TargetInUse(place)
            sql = f"INSERT INTO {TRANSFER} (name, source) VALUES (?, ?)"  # noqa: S608
            db.execute(sql, [table.name, source])
    elif begun["source"] != source:
        raise TargetInUse(place, f"it is being filled from {begun['source']}")


async def _move(source: Backend, target: Backend, table: Relation) -> bool:
    """Copy the next rows of a table.

    :returns: False if there are no more rows.
    """
    sql = f"SELECT last FROM {TRANSFER} WHERE name = ?"  # noqa: S608
    (last,) = await target.read(lambda db: db.execute(sql, [table.name]).fetchone())
    rows = await source.read(lambda db: table.after(db, json.loads(last) if last else None))

    def add(db: Database) -> None:
        table.add(db, rows)
        noted = f"UPDATE {TRANSFER} SET last = ? WHERE name = ?"  # noqa: S608
        db.execute(noted, [json.dumps(table.key(rows[-1])), table.name])

    if rows:
        await target.write(add)
    return bool(rows)


def _raise_counters(db: Database) -> None:
    """On a server, make identity columns continue after the numbers already in use."""
    found = db.execute(
        """SELECT table_name, column_name FROM information_schema.columns
        WHERE table_schema = current_schema() AND is_identity = 'YES'"""
    )
    for table, column in found.fetchall():
        sequence = f"pg_get_serial_sequence('{table}', '{column}')"
        db.execute(f"SELECT setval({sequence}, max({column})) FROM {table}")  # noqa: S608


async def _sum(backend: Backend, table: Relation) -> tuple[int, int]:
    """Return how many rows a table has, and the sum of their hashes, which is the same whatever
    their order.
    """
    count = total = 0
    async for row in _rows(backend, table):
        text = json.dumps(row, default=bytes.hex)
        text = text.replace("\\u0000", "\\ufffd")  # PostgreSQL cannot store NUL in texts
        count += 1
        total += int.from_bytes(blake2b(text.encode(), digest_size=16).digest())
    return count, total


async def _rows(backend: Backend, table: Relation) -> AsyncIterator[tuple[Any, ...]]:
    last: list[Any] | None = None
    while rows := await backend.read(lambda db, last=last: table.after(db, last)):  # type: ignore[misc]
        for row in rows:
            yield row
        last = table.key(rows[-1])


def _marks(columns: Sequence[str]) -> str:
    return ", ".join("?" * len(columns))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m data.transfer", description=__doc__)
    parser.add_argument("source", type=place_of, metavar="FROM", help="a file or postgresql://...")
    parser.add_argument("target", type=place_of, metavar="TO", help="likewise; new and empty")
    chosen = parser.parse_args(arguments)
    try:
        asyncio.run(_transfer(chosen.source, chosen.target))
    except StoreProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    _say(f"{chosen.target} holds all of {chosen.source}. Name it as TAFELRUNDE_DATABASE to use it.")
    return 0


async def _transfer(source: Place, target: Place) -> None:
    async with AsyncExitStack() as opened:
        old = await open_backend(source, create=False)
        opened.push_async_callback(old.close)
        new = await open_backend(target, filling=True)
        opened.push_async_callback(new.close)
        await transfer(old, new, _say)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
