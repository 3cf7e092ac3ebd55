"""Access to the database: whole functions, each in one hop to a thread of the database.

Changes run one after the other. Queries run beside them, and each sees the database as it was at
one moment. A slow query delays neither changes nor other queries.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeVar

import structlog
from prometheus_client import Counter, Histogram

from data.store.place import Place
from data.store.problems import StoreClosed, StoreProblem
from data.store.shards import Shards

log = structlog.get_logger()

T = TypeVar("T")
P = ParamSpec("P")

HOPS = Histogram(
    "tafelrunde_database_seconds",
    "How long changes and queries took, waiting for their turn included.",
    ["kind"],
    buckets=(0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10),
)
PROBLEMS = Counter(
    "tafelrunde_database_problems_total", "Changes and queries that failed.", ["kind", "problem"]
)


class ResultRow(Protocol):
    """One row of a result, by names of columns or by their places; it iterates over its values."""

    def keys(self) -> Iterable[str]:
        """The names of its columns."""

    def __getitem__(self, column: int | str, /) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...


class StatementResult(Protocol):
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
    """A connection inside a transaction. ``?`` marks the place of each parameter."""

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> StatementResult:
        """Run a statement."""

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> object:
        """Run a statement once for each of many sequences of parameters."""


class Backend(Protocol):
    """One kind of database, with threads of its own. Its methods may raise ``StoreProblem``.

    Work that has begun is finished even if the caller is cancelled.
    """

    @property
    def place(self) -> Place:
        """Where it is."""

    async def write(self, change: Callable[[Database], T], /) -> T:
        """Run a change as one transaction. If a run was undone, the change may be run again from
        its beginning.
        """

    async def read(self, query: Callable[[Database], T], /) -> T:
        """Run a query that changes nothing; all its statements see the same moment."""

    @property
    def shared(self) -> bool:
        """Whether other processes may use it, too."""

    @property
    def served(self) -> Shards:
        """The shards that this process serves now."""

    async def renew(self) -> None:
        """Keep the shards that this process serves, and take on those that nobody serves."""

    async def give_back(self, shard: int, /) -> None:
        """Leave a shard to the process that owns it."""

    async def hear(self) -> list[str] | None:
        """Wait a moment for news from other processes; None: some may have been missed."""

    def tell(self, db: Database, news: str, /) -> None:
        """Send news to other processes when the transaction is committed."""

    async def clear_journal(self) -> None:
        """Leave no earlier contents beside the database."""

    async def back_up(self, target: Path, /) -> None:
        """Write a copy to a new file while the database is in use."""

    async def close(self) -> None:
        """Finish all work and close all connections. Nobody asks for more."""


class Access:
    """Runs changes and queries. Every method may raise ``StoreProblem``.

    Whatever keeps the database from being written, or read, is logged in one line when it begins,
    and in another when writing is possible again.
    """

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._unwritable = self._unreadable = ""
        self._closed = False

    async def write(self, change: Callable[[Database], T]) -> T:
        """Run a change as one transaction: wholly, or not at all. It may be run more than once, so
        it has no effects but those on the database.
        """
        try:
            result = await self._measured("change", self.backend.write, change)
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
            return await self._measured("query", self.backend.read, query)
        except StoreProblem as problem:
            self._unreadable = _told(problem, self._unreadable)
            raise

    async def fetch(self, sql: str, *values: Any) -> list[ResultRow]:
        """All rows of one statement that changes nothing."""
        return await self.read(lambda db: db.execute(sql, values).fetchall())

    @property
    def served(self) -> Shards:
        """The shards that this process serves now."""
        return self.backend.served

    async def renew(self) -> None:
        """Keep the shards that this process serves, and take on those that nobody serves."""
        await self._measured("change", self.backend.renew)

    async def give_back(self, shard: int) -> None:
        """Leave a shard to the process that owns it."""
        await self._measured("change", self.backend.give_back, shard)

    async def hear(self) -> list[str] | None:
        """Wait a moment for news from other processes; None: some may have been missed."""
        self._refuse_closed()
        return await self.backend.hear()

    async def tell(self, news: str) -> None:
        """Send news to other processes."""
        await self.write(lambda db: self.backend.tell(db, news))

    async def clear_journal(self) -> None:
        """Leave no earlier contents in the file beside the database, unless it is being read. The
        next change starts that file afresh.
        """
        await self._measured("change", self.backend.clear_journal)

    async def close(self) -> None:
        """Finish all work that was asked for and close all connections. Closing again does nothing.

        All later work is refused as ``StoreClosed``.
        """
        if not self._closed:
            self._closed = True
            await self.backend.close()

    async def _measured(
        self, kind: str, work: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do some work; count how long it took, and why it failed.

        :param kind: ``change`` or ``query``.
        """
        self._refuse_closed()
        asked = time.monotonic()
        try:
            return await work(*args, **kwargs)
        except StoreProblem as problem:
            PROBLEMS.labels(kind, problem.code).inc()
            raise
        finally:
            HOPS.labels(kind).observe(time.monotonic() - asked)

    def _refuse_closed(self) -> None:
        if self._closed:
            raise StoreClosed(self.backend.place)


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
