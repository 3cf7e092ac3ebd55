"""Decides which process serves which shards, using locks on a PostgreSQL server.

The locks belong to the connection that a process uses for writing. The server releases them when
that connection ends for any reason, and it ends a connection that has been idle for ``LEASE``. So a
process can write for a shard only as long as it holds the shard's lock, whatever its own clock
says.

Each process owns some shards. It also takes over shards whose process has died, until that process
is back and asks for them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from typing import Any, TypeAlias

import psycopg

from data.store.database import STEP
from data.store.migrate import APPLICATION_ID
from data.store.place import Server
from data.store.problems import OtherShards, StoreTaken
from data.store.shards import ALL, Shards

LEASE = 30
"""Seconds without a statement after which the server closes a process's connection."""

UNSERVED = 10.0
"""Seconds that a shard must be unserved before another process takes it over. A process that is
restarted comes back sooner than that.
"""

HEARING = 0.5
"""Seconds to wait for news in one call."""

CHANNEL = "'tafelrunde_' || current_schema()::regnamespace::oid"
"""The channel that processes sharing a database schema use to notify each other."""

WHOLE = f"{APPLICATION_ID}, current_schema()::regnamespace::oid::integer"
"""The lock on the whole database: a bot without shards holds it exclusively, and processes with
shards hold it jointly.
"""

OF_SHARDS = f"{APPLICATION_ID + 1} # current_schema()::regnamespace::oid::integer"
"""The first number of the locks on shards; the second number encodes the number of shards and the
shard.
"""

OF_VERSIONS = f"{APPLICATION_ID + 2} # current_schema()::regnamespace::oid::integer"
"""The first number of the locks that processes hold to announce which schema they know; the second
number is the schema's version.
"""

HERE = """locktype = 'advisory' AND granted AND objsubid = 2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
"""An SQL condition: locks on this database that have two numbers."""

HELD = f"""SELECT DISTINCT objid::bigint FROM pg_locks
    WHERE {HERE} AND classid::bigint = ({OF_SHARDS})"""  # noqa: S608
"""A query for the second numbers of all shard locks held by any process."""

OLDER = f"""SELECT pid FROM pg_locks WHERE {HERE}
    AND (classid::bigint, objid) = ({APPLICATION_ID}, current_schema()::regnamespace::oid)
    AND pid NOT IN (SELECT pid FROM pg_locks
        WHERE {HERE} AND classid::bigint = ({OF_VERSIONS}) AND objid::bigint >= %s)"""  # noqa: S608
"""A query for the processes that use the database but know neither this version of the schema nor a
later one.
"""

COUNT_AT = 1 << 16
"""In the second number of a shard lock, the number of shards is multiplied by this."""

Connection: TypeAlias = psycopg.Connection[Any]

Connect = Callable[[], Connection]


def query(connection: Connection, sql: str, *values: Any) -> list[Any]:
    """Run a statement, and return the first column of its result."""
    return [record[0] for record in connection.execute(sql.encode(), values).fetchall()]


class LeaseClaim:
    """One process's claim to a database: to all of it, or only to certain shards.

    :param connect: makes a connection that is ready for use.
    :param shards: the shards that the process owns.
    :param patience: seconds to wait for another process to release its locks.
    :param version: the newest version of the schema that the process knows.
    :param check: called with the new connection after the old one was lost; raises an exception if
        this process can no longer use the schema.
    :raises StoreTaken: another process has the database, or one of the shards.
    :raises OtherShards: other processes use a different number of shards.
    """

    def __init__(
        self,
        server: Server,
        connect: Connect,
        shards: Shards,
        patience: float,
        version: int,
        check: Callable[[Connection], None],
    ) -> None:
        self._server = server
        self._connect = connect
        self._own = shards
        self._patience = patience
        self._version = version
        self._check = check
        self._unserved: dict[int, float] = {}
        """For each unserved shard, when this process first saw that nobody served it (monotonic
        seconds).
        """
        self.served = Shards(frozenset(), shards.count)
        self._connection = self._claimed()
        if not self._own.numbers <= self.served.numbers:
            self._connection.close()
            raise StoreTaken(server)

    @contextmanager
    def connection(self, _: float = 0.0) -> Iterator[Connection]:
        """Lend the connection, as a pool would; reconnect if it was lost.

        :raises StoreTaken: another process has claimed the database, or all of our shards, in the
            meantime.
        :raises psycopg.OperationalError: the server cannot be reached.
        """
        if self._connection.closed:
            self.served = self.served.less(self.served.numbers)
            self._connection = self._claimed()
            try:
                self._check(self._connection)
            except BaseException:
                self.close()
                raise
        try:
            yield self._connection
        except BaseException:
            try:
                self._connection.rollback()
            except psycopg.Error:
                # The connection is lost but may still look open: if it broke inside a pipeline, it
                # stays busy forever.
                self._connection.close()
            raise

    def renew(self) -> None:
        """Renew the lease, ask other processes for the shards that belong to this one, and take
        over unserved ones.
        """
        with self.connection() as connection:
            connection.execute(f"SET idle_session_timeout = '{LEASE}s'".encode())
            held, now = self._held(connection), time.monotonic()
            missing = self._own.numbers - self.served.numbers
            free = set(range(self._own.count)) - held - missing
            self._unserved = {shard: self._unserved.get(shard, now) for shard in free}
            waited = {s for s, since in self._unserved.items() if now - since >= UNSERVED}
            self._ask_for(connection, missing)
            self._take(connection, missing | waited)

    def give_back(self, shard: int) -> None:
        """Stop serving a shard that another process owns."""
        if shard in self.served.numbers - self._own.numbers:
            with self.connection() as connection:
                self.served = self.served.less({shard})
                query(connection, f"SELECT pg_advisory_unlock({OF_SHARDS}, %s)", self._lock(shard))

    def close(self) -> None:
        """Release all locks. Closing again does nothing."""
        self.served = self.served.less(self.served.numbers)
        self._connection.close()

    # -- inside
    def _claimed(self) -> Connection:
        """Return a connection that holds the locks on all our shards, or on those that become free
        in time.

        :raises StoreTaken: none of them becomes free in time.
        """
        end = time.monotonic() + self._patience
        connection = self._connect()
        try:
            # Take this lock first, so that no process changes the schema without seeing our
            # version.
            query(connection, f"SELECT pg_advisory_lock_shared({OF_VERSIONS}, %s)", self._version)
            if self._own == ALL:
                while query(connection, f"SELECT pg_try_advisory_lock({WHOLE})") != [True]:
                    self._wait(end)
                self.served = self.served.more(self._own.numbers)
            else:
                self._claim_shards(connection, end)
        except BaseException:
            connection.close()
            raise
        return connection

    def _claim_shards(self, connection: Connection, end: float) -> None:
        while query(connection, f"SELECT pg_try_advisory_lock_shared({WHOLE})") != [True]:
            self._wait(end)
        while missing := self._own.numbers - self.served.numbers:
            self._take(connection, missing)
            self._held(connection)
            missing -= self.served.numbers
            if missing and time.monotonic() >= end:
                break
            if missing:
                self._ask_for(connection, missing)
                time.sleep(STEP)
        if not self.served.numbers:
            raise StoreTaken(self._server)

    def _wait(self, end: float) -> None:
        if time.monotonic() >= end:
            raise StoreTaken(self._server)
        time.sleep(STEP)

    def _take(self, connection: Connection, shards: Collection[int]) -> None:
        taken = {
            shard
            for shard in sorted(shards)
            if query(connection, f"SELECT pg_try_advisory_lock({OF_SHARDS}, %s)", self._lock(shard))
            == [True]
        }
        self.served = self.served.more(taken)

    def _ask_for(self, connection: Connection, shards: Collection[int]) -> None:
        for shard in shards:
            query(connection, f"SELECT pg_notify({CHANNEL}, %s)", f"shard {shard}")

    def _held(self, connection: Connection) -> set[int]:
        """Return the shards that any process serves.

        :raises OtherShards: other processes use a different number of shards.
        """
        numbers = [divmod(number, COUNT_AT) for number in query(connection, HELD)]
        if any(count != self._own.count for count, _ in numbers):
            raise OtherShards(self._server)
        return {shard for _, shard in numbers}

    def _lock(self, shard: int) -> int:
        return self._own.count * COUNT_AT + shard


class Listener:
    """Receives the notifications that processes on one database send each other.

    :param connect: makes a connection that is ready for use.
    """

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._connection: Connection | None = None

    def hear(self) -> list[str] | None:
        """Wait up to ``HEARING`` for news.

        :returns: the news, perhaps an empty list; None after reconnecting, because some news may
            have been missed.
        :raises psycopg.OperationalError: the server cannot be reached.
        """
        try:
            if self._connection is None:
                self._connection = self._connect()
                (channel,) = query(self._connection, f"SELECT {CHANNEL}")
                self._connection.execute(f"LISTEN {channel}".encode())
                return None
            news = self._connection.notifies(timeout=HEARING, stop_after=1)
            return [each.payload for each in news]
        except psycopg.Error:
            self.close()
            raise

    def close(self) -> None:
        """Stop listening; ``hear`` connects again."""
        if self._connection is not None:
            with closing(self._connection):
                self._connection = None
