"""The way to the database: whole functions, each in one hop to a thread of the database.

Changes run one after the other. Queries run beside them, each on one moment's state of the
database: a slow one holds up neither changes nor other queries.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol, TypeVar

import structlog
from prometheus_client import Counter, Histogram

from data.store.place import Place
from data.store.problems import StoreClosed, StoreProblem
from data.store.shards import Shards

log = structlog.get_logger()

T = TypeVar("T")

HOPS = Histogram(
    "tafelrunde_database_seconds",
    "How long changes and queries took, waiting for their turn included.",
    ["kind"],
    buckets=(0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10),
)
PROBLEMS = Counter(
    "tafelrunde_database_problems_total", "Changes and queries that failed.", ["kind", "problem"]
)


class Record(Protocol):
    """One row of a result, by names of columns or by their places; it iterates over its values."""

    def keys(self) -> Iterable[str]:
        """The names of its columns."""

    def __getitem__(self, column: int | str, /) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...


class Result(Protocol):
    """What a statement led to."""

    @property
    def rowcount(self) -> int:
        """How many rows it has changed."""

    def fetchone(self) -> Any:
        """The next record, or None."""

    def fetchall(self) -> list[Any]:
        """The records that are left."""

    def __iter__(self) -> Iterator[Any]: ...


class Database(Protocol):
    """A connection in the midst of a transaction. ``?`` stands for each parameter."""

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> Result:
        """Run a statement."""

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> object:
        """Run a statement once for each of many sequences of parameters."""


class Backend(Protocol):
    """One kind of database. Its methods wait for it, and may raise ``StoreProblem``."""

    @property
    def place(self) -> Place:
        """Where it is."""

    @property
    def readers(self) -> int:
        """How many queries may run at a time."""

    def write(self, change: Callable[[Database], T]) -> T:
        """Run a change as one transaction. It may be run again from its beginning, if what it has
        done so far was undone.
        """

    def read(self, query: Callable[[Database], T]) -> T:
        """Run a query that changes nothing; all its statements see the same moment."""

    @property
    def shared(self) -> bool:
        """Whether other processes may use it, too."""

    @property
    def served(self) -> Shards:
        """The shards that this process serves now."""

    def renew(self) -> None:
        """Keep what this process serves, and take on what nobody does."""

    def give_back(self, shard: int) -> None:
        """Leave a shard to the process whose own it is."""

    def hear(self) -> list[str] | None:
        """News from other processes, waited for a moment; None: some may have been missed."""

    def tell(self, db: Database, news: str) -> None:
        """Let other processes hear of something when the transaction is committed."""

    def clear_journal(self) -> None:
        """Leave nothing of earlier contents beside the database."""

    def back_up(self, target: Path) -> None:
        """Write a copy to a new file while the database is in use."""

    def close(self) -> None:
        """Close all connections. Nothing is under way."""


class Access:
    """Runs changes and queries. Every method may raise ``StoreProblem``.

    What keeps the database from being written, or read, is logged in one line when it begins, and
    in one when writing is possible again.
    """

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._changes: Executor = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._queries: Executor = ThreadPoolExecutor(backend.readers, thread_name_prefix="store")
        self._news: Executor = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._unwritable = self._unreadable = ""
        self._closed = False

    async def write(self, change: Callable[[Database], T]) -> T:
        """Run a change as one transaction: wholly, or not at all. It may be run more than once, so
        it has no effects but those on the database.
        """
        try:
            result = await self._measured(
                "change", self._changes, lambda: self.backend.write(change)
            )
        except StoreProblem as problem:
            self._unwritable = _told(problem, self._unwritable)
            raise
        if self._unwritable:
            self._unwritable = ""
            log.warning("store_works_again", database=str(self.backend.place))
        return result

    async def read(self, query: Callable[[Database], T]) -> T:
        """Run a query that changes nothing; all its statements see the same moment."""
        try:
            return await self._measured("query", self._queries, lambda: self.backend.read(query))
        except StoreProblem as problem:
            self._unreadable = _told(problem, self._unreadable)
            raise

    async def fetch(self, sql: str, *values: Any) -> list[Record]:
        """All rows of one statement that changes nothing."""
        return await self.read(lambda db: db.execute(sql, values).fetchall())

    @property
    def served(self) -> Shards:
        """The shards that this process serves now."""
        return self.backend.served

    async def renew(self) -> None:
        """Keep what this process serves, and take on what nobody does."""
        await self._measured("change", self._changes, self.backend.renew)

    async def give_back(self, shard: int) -> None:
        """Leave a shard to the process whose own it is."""
        await self._measured("change", self._changes, lambda: self.backend.give_back(shard))

    async def hear(self) -> list[str] | None:
        """News from other processes, waited for a moment; None: some may have been missed."""
        return await self._run(self._news, self.backend.hear)

    async def tell(self, news: str) -> None:
        """Let other processes hear of something."""
        await self.write(lambda db: self.backend.tell(db, news))

    async def clear_journal(self) -> None:
        """Leave nothing of earlier contents in the file beside the database, unless it is being
        read; what is written next begins it anew.
        """
        await self._measured("change", self._changes, self.backend.clear_journal)

    async def close(self) -> None:
        """Finish what is under way and close all connections. Closing again does nothing.

        Whatever is asked for from now on is refused as ``StoreClosed``.
        """
        self._closed = True
        for threads in (self._news, self._queries, self._changes):
            await asyncio.to_thread(threads.shutdown)
        await asyncio.to_thread(self.backend.close)

    async def _measured(self, kind: str, threads: Executor, work: Callable[[], T]) -> T:
        """Let a thread work; how long it took, and why it failed, is counted.

        :param kind: ``change`` or ``query``.
        """
        asked = time.monotonic()

        def measured() -> T:
            try:
                return work()
            except StoreProblem as problem:
                PROBLEMS.labels(kind, problem.code).inc()
                raise
            finally:
                HOPS.labels(kind).observe(time.monotonic() - asked)

        return await self._run(threads, measured)

    async def _run(self, threads: Executor, work: Callable[[], T]) -> T:
        """Let a thread work, to the end even if the caller is cancelled."""
        if self._closed:
            raise StoreClosed(self.backend.place)
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(threads, work))


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
