"""The way to the database: whole functions, each in one hop to a thread of the database.

Changes run one after the other on one connection. Queries run on connections of their own, each
on one moment's state of the database: a slow one holds up neither changes nor other queries.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

import structlog

from data.store.database import doubting, snapshot, transaction
from data.store.problems import StoreClosed, StoreProblem, told_apart

log = structlog.get_logger()

T = TypeVar("T")
Database = sqlite3.Connection
Record = sqlite3.Row


class Access:
    """Runs changes and queries. Every method may raise ``StoreProblem``.

    What keeps the file from being written, or read, is logged in one line when it begins, and in
    one when writing is possible again.

    :param writer: the connection for changes.
    :param readers: the connections for queries.
    """

    def __init__(self, path: Path, writer: Database, readers: Sequence[Database]) -> None:
        self._path = path
        self._writer = _Connections([writer])
        self._readers = _Connections(readers)
        self._unwritable = self._unreadable = ""
        self._closed = False

    async def write(self, change: Callable[[Database], T]) -> T:
        """Run a change as one transaction: wholly, or not at all."""

        def whole(db: Database) -> T:
            with told_apart(self._path), doubting(db, self._path), transaction(db):
                return change(db)

        try:
            result = await self._open(self._writer).run(whole)
        except StoreProblem as problem:
            self._unwritable = _told(problem, self._unwritable)
            raise
        if self._unwritable:
            self._unwritable = ""
            log.warning("store_works_again", database=str(self._path))
        return result

    async def read(self, query: Callable[[Database], T]) -> T:
        """Run a query that changes nothing; all its statements see the same moment."""

        def whole(db: Database) -> T:
            with told_apart(self._path), snapshot(db):
                return query(db)

        try:
            return await self._open(self._readers).run(whole)
        except StoreProblem as problem:
            self._unreadable = _told(problem, self._unreadable)
            raise

    async def fetch(self, sql: str, *values: Any) -> list[Record]:
        """All rows of one statement that changes nothing."""
        return await self.read(lambda db: db.execute(sql, values).fetchall())

    async def clear_journal(self) -> None:
        """Leave nothing of earlier contents in the file beside the database, unless it is being
        read; what is written next begins it anew.
        """

        def clear(db: Database) -> None:
            with told_apart(self._path):
                db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

        await self._writer.run(clear)

    async def close(self) -> None:
        """Finish what is under way and close all connections. Closing again does nothing.

        Whatever is asked for from now on is refused as ``StoreClosed``.
        """
        self._closed = True
        await self._readers.close()
        await self._writer.close()  # the last connection to go tidies the journal away

    def _open(self, connections: _Connections) -> _Connections:
        if self._closed:
            raise StoreClosed(self._path)
        return connections


def _told(problem: StoreProblem, before: str) -> str:
    """Log a problem, unless it is the one that was told before; returns it as it is told."""
    text = str(problem)
    if text != before and not isinstance(problem, StoreClosed):
        log.error("store_problem", code=problem.code, problem=text)
    return text


class Repository:
    """A part of the store. Every method may raise ``StoreProblem``."""

    def __init__(self, database: Access) -> None:
        self._database = database


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
