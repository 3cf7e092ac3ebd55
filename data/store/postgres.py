"""A database on a PostgreSQL server, through psycopg 3.

Each change runs in a SERIALIZABLE transaction: the result is as if all processes had made their
changes one after another, just as with a file. A transaction that conflicts with another one is run
again, and so is one whose connection is lost. If the connection is lost during COMMIT, the client
does not know whether the change was made. So each transaction first inserts a mark of its own; if
it has to run again, the mark shows whether the first run was committed.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import lru_cache, partial
from itertools import count
from pathlib import Path
from typing import Any, NoReturn, TypeAlias, TypeVar

import psycopg
from psycopg import errors
from psycopg_pool import ConnectionPool, PoolTimeout

from data.store.access import Database
from data.store.database import PATIENCE, STEP, statements
from data.store.leases import CHANNEL, OLDER, LeaseClaim, Listener, query
from data.store.migrate import (
    APPLICATION_ID,
    TRANSFER,
    Migration,
    model_of,
    oldest_beside,
    read_migrations,
)
from data.store.place import Server
from data.store.problems import (
    BackedUpByServer,
    CommitUnknown,
    DamagedDatabase,
    DiskFailure,
    DiskFull,
    ForeignDatabase,
    NewerSchema,
    NoDatabase,
    OlderRunning,
    ServerFull,
    ServerUnreachable,
    ServerUnwritable,
    StoreBusy,
    StoreProblem,
    TransferUnfinished,
    Undecodable,
    UnreleasedSchema,
)
from data.store.shards import ALL, Shards
from data.store.together import Together

T = TypeVar("T")

READERS = 2
"""How many queries can run at the same time, in parallel with changes."""

CONNECTIONS = 1 + READERS
"""Connections in the pool. A bot that has claimed the database needs one fewer, because it makes
changes through the connection of its claim.
"""

TRY = 1.0
"""Seconds to wait for a connection from the pool before checking whether the server can be reached
at all. The pool also tries for this long to replace a lost connection; then it waits for the next
request.
"""

COLLISIONS = 3
"""How many times a change is tried if other processes write the same key at the same time."""

LONGEST_PAUSE = 0.2
"""The longest pause between two attempts, in seconds."""

KEPT = 1000
"""How many transactions are committed before old marks are deleted again."""

# The pool would log every attempt to connect; the store logs a problem once, in its own words.
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)

BASE = """
CREATE TABLE tafelrunde_schema (version INTEGER NOT NULL, oldest INTEGER NOT NULL);
INSERT INTO tafelrunde_schema VALUES (0, 0);
CREATE TABLE commits (mark BIGINT PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now());
"""
"""Tables that only a server needs. ``tafelrunde_schema`` marks the database as the bot's; it
contains the version of the schema and the oldest version of the program that can still use it.
``commits`` contains the marks of recent changes.
"""

UNRELEASED = "tafelrunde"
"""The table that contained the version in databases from before the first release."""

OPTIONS: dict[str, Any] = {
    "autocommit": True,
    "connect_timeout": 3,
    "application_name": "tafelrunde",
    "client_encoding": "utf8",
    # These settings reveal a dead connection within half a minute.
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}
"""Parameters of every connection; the code below begins and ends transactions itself."""

STRANDED = 10
"""Seconds of silence inside a transaction after which the server aborts it."""

PROBLEMS: tuple[tuple[type[psycopg.Error], type[StoreProblem]], ...] = (
    (errors.DiskFull, DiskFull),
    (errors.TooManyConnections, ServerFull),
    (errors.LockNotAvailable, StoreBusy),
    (errors.SerializationFailure, StoreBusy),
    (errors.DeadlockDetected, StoreBusy),
    (errors.ReadOnlySqlTransaction, ServerUnwritable),
    (errors.InsufficientPrivilege, ServerUnwritable),
    (errors.IoError, DiskFailure),
    (errors.DataCorrupted, DamagedDatabase),
    (errors.IndexCorrupted, DamagedDatabase),
    (errors.IdleInTransactionSessionTimeout, ServerUnreachable),
    (psycopg.OperationalError, ServerUnreachable),
)
"""The problem of the store for each error of psycopg that does not point to a bug in our
statements. The first match counts.
"""


# -------------------------------------------------------------------------- statements
class PostgresRecord(tuple[Any, ...]):  # noqa: SLOT001 - ``places`` is set on each instance
    """A row of a result, indexed by column name or position."""

    places: Mapping[str, int]

    def keys(self) -> list[str]:
        """Return the names of the row's columns."""
        return list(self.places)

    def __getitem__(self, column: Any) -> Any:
        return super().__getitem__(self.places[column] if isinstance(column, str) else column)


def records(cursor: psycopg.Cursor[Any]) -> Callable[[Sequence[Any]], PostgresRecord]:
    """Return a row factory for psycopg that makes ``PostgresRecord``s."""
    places = {column.name: place for place, column in enumerate(cursor.description or ())}

    def record(values: Sequence[Any]) -> PostgresRecord:
        made = PostgresRecord(values)
        made.places = places
        return made

    return record


Connection: TypeAlias = psycopg.Connection[PostgresRecord]


class Session:
    """A connection that accepts the store's statements, with ``?`` for parameters."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def execute(
        self, sql: str, parameters: Sequence[Any] = (), /
    ) -> psycopg.Cursor[PostgresRecord]:
        """Run a statement."""
        return self._connection.execute(translated(sql), sendable(parameters))

    def executemany(self, sql: str, parameters: Iterable[Sequence[Any]], /) -> None:
        """Run a statement once for each sequence of parameters."""
        # psycopg's ``executemany`` costs as much as several statements before it even sends the
        # first.
        for values in parameters:
            self.execute(sql, values)


@lru_cache(512)
def translated(sql: str) -> bytes:
    """Return a statement with psycopg's ``%s`` in place of ``?``."""
    doubled = sql.replace("%", "%%")
    return re.sub(
        r"'[^']*'|\?", lambda found: "%s" if found[0] == "?" else found[0], doubled
    ).encode()


def sendable(values: Sequence[Any]) -> list[Any]:
    """Return values that the server accepts: it cannot store NUL in texts, so NUL is replaced."""
    return [
        value.replace("\0", "\N{REPLACEMENT CHARACTER}") if isinstance(value, str) else value
        for value in values
    ]


# ---------------------------------------------------------------------------- problems
@contextmanager
def postgres_problems(server: Server) -> Iterator[None]:
    """Turn errors of the server inside the block into store problems.

    An error that is not in ``PROBLEMS`` (a violated constraint, bad SQL) is a bug in this program
    and passes through.
    """
    try:
        yield
    except Undecodable as error:
        raise DamagedDatabase(server, error) from error
    except psycopg.Error as error:
        for kind, problem in PROBLEMS:
            if isinstance(error, kind):
                raise problem(server, " ".join(str(error).split())) from error
        raise


def is_lost(error: psycopg.Error) -> bool:
    """Return whether the connection was lost, for whatever reason, or could not be made."""
    gone = isinstance(error, errors.IdleInTransactionSessionTimeout)
    if not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return gone
    return gone or error.sqlstate is None or error.sqlstate[:2] in {"08", "57"}


def connected(server: Server, patience: float = 0.0) -> Connection:
    """Connect to a server; the caller begins and ends transactions.

    :param patience: how many seconds to keep trying if the server does not answer or is still
        starting.
    :raises psycopg.OperationalError: no connection could be made in time.
    """
    end = time.monotonic() + patience
    while True:
        try:
            return psycopg.connect(server.url, row_factory=records, **OPTIONS)
        except psycopg.OperationalError:
            if time.monotonic() >= end:
                raise
        time.sleep(STEP)


def configure(connection: Connection, patience: float) -> None:
    """Limit how long statements wait for locks, and how long a process that is cut off from the
    server can hold locks.

    :param patience: seconds to wait for a lock.
    """
    connection.execute(
        f"""SET lock_timeout = '{max(1, round(1000 * patience))}ms';
        SET idle_in_transaction_session_timeout = '{STRANDED}s';
        SET tcp_keepalives_idle = 10;
        SET tcp_keepalives_interval = 5;
        SET tcp_keepalives_count = 3""".encode()
    )


# -------------------------------------------------------------------------------- opening
def bring_up_to_date(
    connection: Connection,
    server: Server,
    migrations: Sequence[Migration],
    *,
    create: bool = True,
    filling: bool = False,
    beside: bool = False,
) -> None:
    """Run the migrations that a database still lacks, all in one transaction.

    :param migrations: all migrations that this program knows.
    :param create: False: refuse an empty database.
    :param filling: whether to accept a database that a transfer is filling.
    :param beside: whether this is one of several processes, some of which may be newer: if so,
        accept a newer schema that declares that this version can use it.
    :raises StoreProblem: ``UnreleasedSchema``, ``ForeignDatabase``, ``NoDatabase``,
        ``NewerSchema``, ``OlderRunning``, ``TransferUnfinished`` or ``DamagedDatabase``; the
        database is unchanged.
    """
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [APPLICATION_ID])
        there = _columns(connection)
        version, oldest = _versions(connection, server, there, create)
        newer = version > len(migrations)
        if newer and not (beside and oldest <= len(migrations)):
            raise NewerSchema(server)
        if TRANSFER in there and not filling:
            raise TransferUnfinished(server)
        wanted = model_of(tuple(migrations[:version])).columns
        fits = wanted.items() <= there.items()
        if newer:  # its tables may have additional columns
            fits = all(names <= there.get(table, frozenset()) for table, names in wanted.items())
        if not fits:
            raise DamagedDatabase(server, "its tables are not those of this bot")
        due = migrations[version:]
        if due and query(connection, OLDER, oldest_beside(due)):
            raise OlderRunning(server)
        try:
            for migration in due:
                _run(connection, migration)
        except ValueError as error:  # a transform found invalid JSON
            raise DamagedDatabase(server, error) from error


def _versions(
    connection: Connection, server: Server, there: Mapping[str, frozenset[str]], create: bool
) -> tuple[int, int]:
    """Return the version of the schema, and the oldest version of the program that can still use
    it. In an empty database, create the table of versions first.

    :raises StoreProblem: ``UnreleasedSchema``, ``ForeignDatabase``, ``NoDatabase``.
    """
    if UNRELEASED in there:
        raise UnreleasedSchema(server)
    if "tafelrunde_schema" not in there:
        if there:
            raise ForeignDatabase(server)
        if not create:
            raise NoDatabase(server)
        connection.execute(BASE)
    sql = "SELECT version, oldest FROM tafelrunde_schema"
    ((version, oldest),) = connection.execute(sql).fetchall()
    return version, oldest


def refuse_newer(connection: Connection, server: Server, known: int) -> None:
    """Refuse a schema that this version of the program cannot use. If a migration is in progress,
    wait for it.

    :param known: the newest version of the schema that the program knows.
    :raises NewerSchema: programs of this version cannot use the schema.
    """
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", [APPLICATION_ID])
        if query(connection, "SELECT oldest FROM tafelrunde_schema") > [known]:
            raise NewerSchema(server)


def _columns(connection: Connection) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for table, column in connection.execute(
        """SELECT table_name, column_name FROM information_schema.columns
        WHERE table_schema = current_schema()"""
    ):
        found.setdefault(table, set()).add(column)
    return {table: frozenset(names) for table, names in found.items()}


def _run(connection: Connection, migration: Migration) -> None:
    identity = "INTEGER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"
    for statement in statements(migration.script):
        connection.execute(statement.replace("INTEGER PRIMARY KEY", identity).encode())
    if migration.transform is not None:
        migration.transform(Session(connection))
    connection.execute(
        "UPDATE tafelrunde_schema SET version = %s, oldest = greatest(oldest, %s)",
        [migration.version, migration.oldest],
    )


# ----------------------------------------------------------------------------- the backend
Lender: TypeAlias = "LeaseClaim | ConnectionPool[Connection]"
"""A source of connections."""


class PostgreSQL:
    """A database on a PostgreSQL server, through a pool of connections. The constructor blocks, so
    call it on a thread.

    Changes run on one thread and queries on two; another thread waits for news.

    :param patience: seconds to wait for temporary problems to pass, such as a lock held by another
        process or a restarting server.
    :param alone: whether to claim the database (if it is shared, only ``shards``), so that no other
        process can use what is claimed.
    :param shards: the shards that the process owns.
    :param create: False: the tables must exist already.
    :param filling: whether to accept a database that a transfer is filling.
    :param connections: the size of the pool.
    :raises StoreProblem: the database cannot be used; it is unchanged.
    """

    def __init__(
        self,
        server: Server,
        patience: float = PATIENCE,
        *,
        alone: bool = True,
        shards: Shards = ALL,
        create: bool = True,
        filling: bool = False,
        connections: int = CONNECTIONS,
    ) -> None:
        self.place = server
        self._patience = patience
        self._try = min(TRY, max(STEP, patience))
        self._claim: LeaseClaim | None = None
        self._listener = Listener(self._connected)
        self._shards = shards
        self._unreachable_since: float | None = None
        self._changes = count(1)
        self._together = Together(self._commit)
        migrations = read_migrations()
        with postgres_problems(server), ExitStack() as opened:
            self._claim = self._prepare_in_time(migrations, alone, create, filling)
            if self._claim is not None:
                opened.callback(self._claim.close)
            self._pool = ConnectionPool(
                server.url,
                connection_class=psycopg.Connection[PostgresRecord],
                kwargs={**OPTIONS, "row_factory": records},
                configure=partial(configure, patience=patience),
                min_size=1,
                max_size=connections,
                reconnect_timeout=TRY,
                num_workers=1,
                open=True,
            )
            opened.callback(self._pool.close)
            opened.callback(self._listener.close)
            self._opened = opened.pop_all()
        self._writing = ThreadPoolExecutor(1, thread_name_prefix="changes")
        self._reading = ThreadPoolExecutor(READERS, thread_name_prefix="queries")
        self._hearing = ThreadPoolExecutor(1, thread_name_prefix="news")

    def _prepare_in_time(
        self, migrations: Sequence[Migration], alone: bool, create: bool, filling: bool
    ) -> LeaseClaim | None:
        """Call ``_prepare``; as long as patience lasts, retry if the server is out of reach."""
        end = time.monotonic() + self._patience
        while True:
            try:
                return self._prepare(migrations, alone, create, filling)
            except psycopg.Error as error:
                if not is_lost(error) or time.monotonic() >= end:
                    raise
            time.sleep(STEP)

    def _prepare(
        self, migrations: Sequence[Migration], alone: bool, create: bool, filling: bool
    ) -> LeaseClaim | None:
        """Claim the database if ``alone``, and migrate it to the newest version.

        :raises psycopg.Error: the server refused, or the connection was lost; the database is
            neither claimed nor changed.
        """
        server, known = self.place, len(migrations)
        claim = None
        with connected(server, self._patience) as connection, ExitStack() as held:
            if alone:
                check = partial(refuse_newer, server=server, known=known)
                claim = LeaseClaim(
                    server, self._connected, self._shards, self._patience, known, check
                )
                held.callback(claim.close)
            bring_up_to_date(
                connection,
                server,
                migrations,
                create=create,
                filling=filling,
                beside=alone and not self._shards.all_of_them,
            )
            _forget_marks(connection)
            held.pop_all()
        return claim

    # -- other processes
    @property
    def shared(self) -> bool:
        """Whether other processes may use the database at the same time."""
        return self._claim is not None and not self._shards.all_of_them

    @property
    def served(self) -> Shards:
        """The shards that this process serves now."""
        return self._shards if self._claim is None else self._claim.served

    async def renew(self) -> None:
        """Renew the lease on the shards that this process serves, and take over unserved shards."""
        if self._claim is not None:
            await self._on(self._writing, self._claim.renew)

    async def give_back(self, shard: int) -> None:
        """Give a shard back to the process that owns it."""
        if self._claim is not None:
            await self._on(self._writing, partial(self._claim.give_back, shard))

    async def hear(self) -> list[str] | None:
        """Wait briefly for news from other processes.

        :returns: the news, perhaps an empty list; None if some news may have been missed.
        """
        return await self._on(self._hearing, self._listener.hear)

    def tell(self, db: Database, news: str) -> None:
        """Send news to other processes once the transaction commits."""
        db.execute(f"SELECT pg_notify({CHANNEL}, ?)", [news])

    def _connected(self) -> Connection:
        connection = connected(self.place)
        try:
            configure(connection, self._patience)
        except BaseException:
            connection.close()
            raise
        return connection

    # -- changes and queries
    async def write(self, change: Callable[[Database], T]) -> T:
        """Run a change, all or nothing, in one transaction together with other changes that are
        waiting. The change may run more than once.
        """
        return await self._together.write(change)

    async def _commit(self, change: Callable[[Database], T]) -> T:
        return await self._on(self._writing, partial(self._write, change))

    async def read(self, query: Callable[[Database], T]) -> T:
        """Run a read-only query; all its statements see the same snapshot."""
        return await self._on(self._reading, partial(self._read, query))

    async def _on(self, threads: Executor, work: Callable[[], T]) -> T:
        """Do some work on a thread; complete it even if the caller is cancelled."""

        def done() -> T:
            with postgres_problems(self.place):
                return work()

        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(threads, done))

    def _write(self, change: Callable[[Database], T]) -> T:
        mark = secrets.randbits(63)
        results: list[T] = []  # the results of runs that may have been committed

        def once(connection: Connection) -> T:
            begin = f"BEGIN ISOLATION LEVEL SERIALIZABLE; INSERT INTO commits VALUES ({mark})"  # noqa: S608
            try:
                connection.execute(begin.encode())
            except errors.UniqueViolation:
                if not results:
                    raise
                connection.rollback()
                return results[-1]  # an earlier run was committed before the connection was lost
            result = change(Session(connection))
            results.append(result)
            try:
                connection.execute("COMMIT")
            except psycopg.Error as error:
                if not is_lost(error):
                    results.clear()
                raise
            if next(self._changes) % KEPT == 0:
                _forget_marks(connection)
            return result

        try:
            return self._patiently(once, self._claim or self._pool)
        except StoreProblem as problem:
            if results:
                raise CommitUnknown(self.place, problem.__cause__ or "") from problem
            raise

    def _read(self, query: Callable[[Database], T]) -> T:
        def once(connection: Connection) -> T:
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            result = query(Session(connection))
            connection.execute("ROLLBACK")
            return result

        return self._patiently(once, self._pool)

    async def clear_journal(self) -> None:
        """Do nothing: autovacuum reclaims the space."""

    async def back_up(self, target: Path) -> NoReturn:
        """Refuse: PostgreSQL has its own backup tools.

        :raises BackedUpByServer: always.
        """
        raise BackedUpByServer(self.place)

    async def close(self) -> None:
        """Finish all work, close all connections, and release the claim."""
        await self._together.finish()
        for threads in (self._hearing, self._reading, self._writing):
            await asyncio.to_thread(threads.shutdown)
        await asyncio.to_thread(self._opened.close)

    def _patiently(self, work: Callable[[Connection], T], source: Lender) -> T:
        """Do some work on a connection; retry as long as the problem may be temporary."""
        began = time.monotonic()
        with postgres_problems(self.place):
            if self._unreachable_since is not None:
                self._reach()
            for attempt in count(1):
                try:
                    with source.connection(self._try) as connection:
                        result = work(connection)
                except psycopg.Error as error:
                    self._wait_out(error, attempt, began)
                else:
                    self._unreachable_since = None
                    return result
        raise AssertionError("count() has no end")

    def _wait_out(self, error: psycopg.Error, attempt: int, began: float) -> None:
        """Wait before the next attempt.

        :param attempt: the number of the attempt that failed, from 1.
        :param began: when the first attempt was made (monotonic seconds).
        :raises psycopg.Error: another attempt would not help, or patience has run out.
        :raises ServerFull: the pool had no free connection in time.
        """
        waited = time.monotonic() - began
        if is_lost(error):
            self._reach(error)
            if isinstance(error, PoolTimeout) and waited >= self._patience:
                raise ServerFull(self.place) from error
        elif isinstance(error, errors.UniqueViolation):
            if attempt >= COLLISIONS:
                raise error
        elif not isinstance(error, errors.SerializationFailure | errors.DeadlockDetected):
            raise error
        if waited >= self._patience:
            raise error
        time.sleep(random.uniform(0, min(LONGEST_PAUSE, 0.005 * 2**attempt)))

    def _reach(self, error: psycopg.Error | None = None) -> None:
        """Check whether the server can be reached, and make the pool discard broken connections.

        Once the server has been unreachable for ``patience``, requests fail at once instead of
        queueing, until it can be reached again.

        :param error: the error that led to this check, if any.
        :raises psycopg.OperationalError: the server has been unreachable for too long.
        """
        try:
            connected(self.place).close()
        except psycopg.OperationalError as refusal:
            now = time.monotonic()
            if self._unreachable_since is None:
                self._unreachable_since = now
            if now - self._unreachable_since >= self._patience:
                raise refusal from error
        else:
            self._unreachable_since = None
            self._pool.check()


def _forget_marks(connection: Connection) -> None:
    connection.execute("DELETE FROM commits WHERE at < now() - interval '1 hour'")
