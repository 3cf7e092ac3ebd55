"""Stores for tests, in a file or on a server, and access to their content."""

from __future__ import annotations

import atexit
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import (
    AsyncExitStack,
    asynccontextmanager,
    closing,
    contextmanager,
    nullcontext,
)
from dataclasses import astuple
from functools import cache, partial
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from data.store import migrate
from data.store.access import Access, Database
from data.store.migrate import open_database, open_reader, read_migrations
from data.store.packing import unpacked
from data.store.place import Place, Server
from data.store.postgres import Session, connected
from data.store.sqlite import Connection, SQLite
from data.store.store import Store


@cache
def blank_file() -> Path:
    """A file with empty tables to copy: copying is faster than creating them."""
    folder = TemporaryDirectory(prefix="tafelrunde-")
    atexit.register(folder.cleanup)
    file = Path(folder.name) / "blank.sqlite3"
    open_database(file, read_migrations()).close()
    return file


async def furnish(place: Place) -> bool:
    """Create a file with empty tables unless it exists, and return whether it did not; a database
    on a server already has its tables.
    """
    if not isinstance(place, Path) or place.exists():
        return False
    copyfile(blank_file(), place)
    place.chmod(0o600)
    return True


async def opened(place: Place) -> Store:
    """A store whose writes need not survive a power cut, so that no test waits for the disk.

    It does not claim the database: tests kill and restart a bot within one process.
    """
    # A new file needs no search for damage, which would take half of the time.
    checks: dict[str, Any] = dict.fromkeys(("examine", "_refuse_other_schema"), lambda *_: None)
    with patch.multiple(migrate, **checks) if await furnish(place) else nullcontext():
        store = await Store.open(place, alone=False)
    backend = store.database.backend
    if isinstance(backend, SQLite):
        await backend.writer.execute("PRAGMA synchronous = OFF")
    return store


@asynccontextmanager
async def reading(place: Place) -> AsyncIterator[Store]:
    """A store for looking into the database of another process.

    For a file, it leaves out the checks of ``Store.open``: these open the file and close it again,
    which drops the locks of all connections in this process, so that a connection being closed
    could delete the journal to which the other process writes.
    """
    if isinstance(place, Path):
        async with AsyncExitStack() as opened:
            reader = await opened.enter_async_context(Connection(partial(open_reader, place)))
            store = Store(Access(SQLite(place, reader, [reader], opened.pop_all())))
    else:
        store = await Store.open(place, alone=False)
    try:
        yield store
    finally:
        await store.close()


def address(place: Place) -> str:
    """The address of a place, as another process needs it."""
    return place.url if isinstance(place, Server) else str(place)


@contextmanager
def looking_into(place: Place) -> Iterator[Database]:
    """A database without a store; each statement is a transaction."""
    if isinstance(place, Path):
        with closing(sqlite3.connect(place, isolation_level=None)) as db:
            db.row_factory = sqlite3.Row
            yield db
    else:
        with closing(connected(place)) as connection:
            yield Session(connection)


def schema(db: Database) -> dict[str, list[str]]:
    """The columns of all tables with stored content."""
    if isinstance(db, sqlite3.Connection):
        sql = """SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c
            WHERE m.type = 'table' ORDER BY m.name, c.cid"""
    else:
        sql = """SELECT table_name, column_name FROM information_schema.columns
            WHERE table_schema = current_schema()
                AND table_name NOT IN ('tafelrunde_schema', 'commits')
            ORDER BY table_name, ordinal_position"""
    found: dict[str, list[str]] = {}
    for table, column in db.execute(sql):
        found.setdefault(table, []).append(column)
    return found


def cells(place: Place) -> Iterator[tuple[str, str, object]]:
    """Every stored value with its table and column; for a pack, its content."""
    with looking_into(place) as db:
        for table, columns in schema(db).items():
            for row in db.execute(f"SELECT {', '.join(columns)} FROM {table}"):  # noqa: S608
                yield from ((table, column, content(row[column])) for column in columns)


def content(value: object) -> object:
    """A stored value or, for a pack, its whole content."""
    if isinstance(value, bytes):
        return repr([astuple(line) for line in unpacked(value)])
    return value
