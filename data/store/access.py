"""Access to the database: each change or query is a function that runs on a database thread.

Changes run one at a time. Queries run in parallel with changes and with each other, each on a
snapshot of the database. A slow query delays neither changes nor the next query.
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
    "How long changes and queries took, including the wait for their turn.",
    ["kind"],
    buckets=(0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10),
)
PROBLEMS = Counter(
    "tafelrunde_database_problems_total", "Changes and queries that failed.", ["kind", "problem"]
)


class ResultRow(Protocol):
    """A row of a result, indexed by column name or position. Iterating over it yields its
    values.
    """

    def keys(self) -> Iterable[str]:
        """Return the names of the row's columns."""

    def __getitem__(self, column: int | str, /) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...


class StatementResult(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int:
        """How many rows the statement changed."""

    def fetchone(self) -> Any:
        """Return the next row, or None."""

    def fetchall(self) -> list[Any]:
        """Return all remaining rows."""

    def __iter__(self) -> Iterator[Any]: ...


class Database(Protocol):
    """A connection inside a transaction. Each ``?`` in a statement stands for the next
    parameter.
    """

    def execute(self, sql: str, parameters: Sequence[Any] = ..., /) -> StatementResult:
        """Run a statement."""

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> object:
        """Run a statement once for each sequence of parameters."""


class Backend(Protocol):
    """A kind of database, with its own threads. Its methods may raise ``StoreProblem``.

    Work that has started is completed even if the caller is cancelled.
    """

    @property
    def place(self) -> Place:
        """The file or server that holds the database."""

    async def write(self, change: Callable[[Database], T], /) -> T:
        """Run a change in a transaction, perhaps with other changes. If the transaction is rolled
        back, the change may run again.
        """

    async def read(self, query: Callable[[Database], T], /) -> T:
        """Run a read-only query; all its statements see the same snapshot."""

    @property
    def shared(self) -> bool:
        """Whether other processes may use the database at the same time."""

    @property
    def served(self) -> Shards:
        """The shards that this process serves now."""

    async def renew(self) -> None:
        """Renew the lease on the shards that this process serves, and take over unserved shards."""

    async def give_back(self, shard: int, /) -> None:
        """Give a shard back to the process that owns it."""

    async def hear(self) -> list[str] | None:
        """Wait briefly for news from other processes.

        :returns: the news, perhaps an empty list; None if some news may have been missed.
        """

    def tell(self, db: Database, news: str, /) -> None:
        """Send news to other processes once the transaction commits."""

    async def clear_journal(self) -> None:
        """Remove outdated contents from the files that the database keeps beside it."""

    async def back_up(self, target: Path, /) -> None:
        """Write a copy to a new file while the database is in use."""

    async def close(self) -> None:
        """Finish all work and close all connections. The caller must make no further requests."""


class Access:
    """Runs changes and queries. Every method may raise ``StoreProblem``.

    A problem that prevents reading or writing is logged once when it starts. Another line is logged
    when writing works again.
    """

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._problems: dict[str, str] = {}
        """The text of the current problem with changes and with queries, by kind."""
        self._closed = False

    async def write(self, change: Callable[[Database], T]) -> T:
        """Run a change, all or nothing, in a transaction, perhaps with other changes. The change
        may run more than once, so it must affect nothing but the database.
        """
        return await self._reported("change", self.backend.write, change)

    async def read(self, query: Callable[[Database], T]) -> T:
        """Run a read-only query; all its statements see the same snapshot."""
        return await self._reported("query", self.backend.read, query)

    async def answers(self) -> bool:
        """Return True if the database answers a trivial query; otherwise raise the problem."""
        return bool(await self.fetch("SELECT 1"))

    async def fetch(self, sql: str, *values: Any) -> list[ResultRow]:
        """Return all rows of a read-only statement.

        :param values: the statement's parameters.
        """
        return await self.read(lambda db: db.execute(sql, values).fetchall())

    @property
    def served(self) -> Shards:
        """The shards that this process serves now."""
        return self.backend.served

    async def renew(self) -> None:
        """Renew the lease on the shards that this process serves, and take over unserved shards."""
        await self._measured("change", self.backend.renew)

    async def give_back(self, shard: int) -> None:
        """Give a shard back to the process that owns it."""
        await self._measured("change", self.backend.give_back, shard)

    async def hear(self) -> list[str] | None:
        """Wait briefly for news from other processes.

        :returns: the news, perhaps an empty list; None if some news may have been missed.
        """
        self._refuse_closed()
        return await self.backend.hear()

    async def tell(self, news: str) -> None:
        """Send news to other processes."""
        await self.write(lambda db: self.backend.tell(db, news))

    async def clear_journal(self) -> None:
        """Remove outdated contents from the journal next to a database file, unless a query is
        still reading it; the next change starts a new journal. On a server, do nothing.
        """
        await self._measured("change", self.backend.clear_journal)

    async def close(self) -> None:
        """Finish all requested work and close all connections. Calling this again does nothing.

        Any later request raises ``StoreClosed``.
        """
        if not self._closed:
            self._closed = True
            await self.backend.close()

    async def _reported(
        self,
        kind: str,
        work: Callable[[Callable[[Database], T]], Awaitable[T]],
        given: Callable[[Database], T],
    ) -> T:
        """Run a change or a query, and log when problems begin and when changes work again.

        :param kind: ``change`` or ``query``.
        """
        try:
            result = await self._measured(kind, work, given)
        except StoreProblem as problem:
            self._problems[kind] = _told(problem, self._problems.get(kind, ""))
            raise
        if self._problems.pop(kind, "") and kind == "change":
            log.warning("store_works_again", database=str(self.backend.place))
        return result

    async def _measured(
        self, kind: str, work: Callable[P, Awaitable[T]], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do some work, and record how long it took and why it failed, if it did.

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
    """Log a problem, unless the last one had the same text or the store has been closed; return its
    text.

    :param before: the text of the last problem; empty: there was none.
    """
    text = str(problem)
    if text != before and not isinstance(problem, StoreClosed):
        log.error("store_problem", code=problem.code, problem=text)
    return text


class Repository:
    """A part of the store. Every method may raise ``StoreProblem``."""

    def __init__(self, database: Access) -> None:
        self._database = database
