"""The way to the database: whole functions, each in one hop to a thread of the database.

Changes run one after the other on one connection. Queries run on connections of their own, each
on one moment's state of the database, so that a slow one keeps neither a change nor the next query
waiting. The threads are Python's own executors around ``sqlite3``: nothing else is needed to run
a whole function on a connection, and single statements across threads are never wanted.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

from data.store.database import snapshot, transaction
from data.store.problems import told_apart

T = TypeVar("T")
Database = sqlite3.Connection
Record = sqlite3.Row


class Access:
    """Runs changes and queries; shared by the store and its parts.

    Every method may raise ``StoreProblem``.

    :param writer: the connection for changes.
    :param readers: the connections for queries.
    """

    def __init__(self, path: Path, writer: Database, readers: Sequence[Database]) -> None:
        self._path = path
        self._writer = _Connections([writer])
        self._readers = _Connections(readers)

    async def write(self, change: Callable[[Database], T]) -> T:
        """Run a change as one transaction: wholly, or not at all."""

        def whole(db: Database) -> T:
            with told_apart(self._path), transaction(db):
                return change(db)

        return await self._writer.run(whole)

    async def read(self, query: Callable[[Database], T]) -> T:
        """Run a query that changes nothing; all its statements see the same moment."""

        def whole(db: Database) -> T:
            with told_apart(self._path), snapshot(db):
                return query(db)

        return await self._readers.run(whole)

    async def fetch(self, sql: str, *values: Any) -> list[Record]:
        """All rows of one statement that changes nothing."""
        return await self.read(lambda db: db.execute(sql, values).fetchall())

    async def close(self) -> None:
        """Finish what is under way and close all connections. Closing again does nothing."""
        await self._readers.close()
        await self._writer.close()  # the last connection to go tidies the journal away


class _Connections:
    """Connections with as many threads, each of which works on one of them at a time."""

    def __init__(self, connections: Sequence[Database]) -> None:
        self._threads = ThreadPoolExecutor(len(connections), thread_name_prefix="store")
        self._idle: SimpleQueue[Database] = SimpleQueue()
        for connection in connections:
            self._idle.put(connection)

    async def run(self, work: Callable[[Database], T]) -> T:
        """Let a thread work on a connection, to the end even if the caller is cancelled."""
        future = asyncio.get_running_loop().run_in_executor(self._threads, self._work, work)
        return await asyncio.shield(future)

    def _work(self, work: Callable[[Database], T]) -> T:
        connection = self._idle.get()
        try:
            return work(connection)
        finally:
            self._idle.put(connection)

    async def close(self) -> None:
        await asyncio.to_thread(self._threads.shutdown)
        while not self._idle.empty():
            self._idle.get().close()
