"""A database in a file, through SQLite and aiosqlite.

Each connection has its own thread; a change or query runs there as one function, from beginning to
end.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

import aiosqlite

from data.store import database
from data.store.access import Database
from data.store.database import (
    PATIENCE,
    FileClaim,
    copy_database,
    doubting,
    snapshot,
    sqlite_problems,
    transaction,
)
from data.store.migrate import open_database, open_reader, read_migrations
from data.store.shards import ALL
from data.store.together import Together

T = TypeVar("T")

READERS = 2
"""Number of connections for queries: while one is busy with a slow query, another can answer."""

# At level DEBUG, aiosqlite logs every call with its arguments.
logging.getLogger("aiosqlite").setLevel(logging.WARNING)


class Connection(aiosqlite.Connection):
    """A connection that can run whole functions on its thread.

    :param connect: opens the connection; called on that thread.
    """

    def __init__(self, connect: Callable[[], database.Connection]) -> None:
        super().__init__(connect, iter_chunk_size=64)
        # Otherwise a process that exits because of an error would wait for this thread forever.
        self._thread.daemon = True

    async def __aenter__(self) -> Self:
        try:
            await self
        except BaseException:
            # Its thread still has to report to the event loop, which may be closed soon.
            await asyncio.to_thread(self._thread.join)
            raise
        return self

    async def run(self, work: Callable[[database.Connection], T]) -> T:
        """Run a function on the connection's thread, and complete it even if the caller is
        cancelled. Functions run in the order of the calls.
        """
        result: T = await self._execute(work, self._conn)  # type: ignore[no-untyped-call]
        return result


class SQLite:
    """A database in a file: one connection for changes, and others for queries.

    Make one with ``await SQLite.open(path)``.
    """

    shared = False
    served = ALL

    def __init__(
        self, place: Path, writer: Connection, readers: list[Connection], opened: AsyncExitStack
    ) -> None:
        self.place = place
        self.writer = writer
        self.readers = readers
        self._changes = Together(self._commit)
        self._idle: asyncio.Queue[Connection] = asyncio.Queue()
        for reader in readers:
            self._idle.put_nowait(reader)
        self._queries: set[asyncio.Future[None]] = set()
        """A future for each query that has not finished."""
        self._opened = opened

    @classmethod
    async def open(
        cls, path: Path, patience: float = PATIENCE, *, alone: bool = True, filling: bool = False
    ) -> SQLite:
        """Open or create the file and migrate it to the newest version.

        :param patience: seconds to wait for another process that holds the file.
        :param alone: whether to claim the file, so that no other bot can use it at the same time.
        :param filling: whether to accept a file that a transfer is filling.
        :raises StoreProblem: the file cannot be used; it is unchanged.
        """
        migrations = read_migrations()
        writer = Connection(partial(open_database, path, migrations, patience, filling=filling))
        readers = [Connection(partial(open_reader, path, patience)) for _ in range(READERS)]
        async with AsyncExitStack() as opened:
            if alone:
                claim = await asyncio.to_thread(FileClaim, path, patience)
                opened.callback(claim.close)
            # The last connection to be closed deletes the journal. The writer was opened first, so
            # it is closed last.
            for connection in (writer, *readers):
                await opened.enter_async_context(connection)
            return cls(path, writer, readers, opened.pop_all())

    async def write(self, change: Callable[[Database], T]) -> T:
        """Run a change, all or nothing, in one transaction together with other changes that are
        waiting.
        """
        return await self._changes.write(change)

    async def _commit(self, change: Callable[[Database], T]) -> T:
        def work(db: database.Connection) -> T:
            with sqlite_problems(self.place), doubting(db, self.place), transaction(db):
                return change(db)

        return await self.writer.run(work)

    async def read(self, query: Callable[[Database], T]) -> T:
        """Run a read-only query; all its statements see the same snapshot."""

        def work(db: database.Connection) -> T:
            with sqlite_problems(self.place), snapshot(db):
                return query(db)

        finished = asyncio.get_running_loop().create_future()
        self._queries.add(finished)
        try:
            return await self._read(work)
        finally:
            self._queries.discard(finished)
            finished.set_result(None)

    async def _read(self, work: Callable[[database.Connection], T]) -> T:
        reader = await self._idle.get()
        try:
            result = await reader.run(work)
        except asyncio.CancelledError:
            # The reader is still busy: mark it as idle only once the abandoned query has finished.
            done = asyncio.ensure_future(reader.run(lambda _: None))
            done.add_done_callback(lambda _: self._idle.put_nowait(reader))
            raise
        except BaseException:
            self._idle.put_nowait(reader)
            raise
        self._idle.put_nowait(reader)
        return result

    async def renew(self) -> None:
        """Do nothing: the operating system keeps the lock on the file."""

    async def give_back(self, shard: int) -> None:
        """Do nothing: there are no other processes."""

    async def hear(self) -> list[str]:
        """Return no news: there are no other processes."""
        return []

    def tell(self, db: Database, news: str) -> None:
        """Do nothing: there are no other processes."""

    async def clear_journal(self) -> None:
        """Remove outdated contents from the journal next to the database, unless a query is still
        reading it. The next change starts a new journal.
        """

        def work(db: database.Connection) -> None:
            with sqlite_problems(self.place):
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

        await self.writer.run(work)

    async def back_up(self, target: Path) -> None:
        """Write a copy to a new file while the database is in use.

        :raises BackupExists: the target exists.
        """
        # in a thread of its own, so that no move has to wait for the copy
        await asyncio.to_thread(copy_database, self.place, target)

    async def close(self) -> None:
        """Finish all work, close all connections, and release the claim."""
        await self._changes.finish()
        while self._queries:
            await asyncio.wait(self._queries)
        for _ in self.readers:
            await self._idle.get()  # an abandoned query may still run
        await self._opened.aclose()
