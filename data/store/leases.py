"""Which process serves which shards, by locks at a PostgreSQL server.

A lock belongs to the connection by which a process writes, and so does the right to serve: the
server takes both away when the connection ends, however it ends, and ends it itself when nothing
was heard on it for ``LEASE``. So what a process writes as the one that serves a shard is written
under the lock, or not at all, whatever its clock says.

Each process has shards of its own, and takes on those of a process that is gone, until their own
process asks for them.
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
"""Seconds after which the server ends the connection of a process that is silent."""

UNSERVED = 10.0
"""Seconds that a shard is seen without a process before another one takes it on: a process that is
started again is back by then.
"""

HEARING = 0.5
"""Seconds for which news are waited for at a time."""

CHANNEL = "'tafelrunde_' || current_schema()::regnamespace::oid"
"""Where the processes on one database, or one schema of it, tell each other news."""

WHOLE = f"{APPLICATION_ID}, current_schema()::regnamespace::oid::integer"
"""The lock of all who claim a database: a bot that counts no shards has it alone."""

OF_SHARDS = f"{APPLICATION_ID + 1} # current_schema()::regnamespace::oid::integer"
"""The first number of the locks of shards; the second holds the count and the shard."""

OF_VERSIONS = f"{APPLICATION_ID + 2} # current_schema()::regnamespace::oid::integer"
"""The first number of the locks by which processes say which schema they know; the second is its
version."""

HERE = """locktype = 'advisory' AND granted AND objsubid = 2
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
"""Locks of this database that have two numbers."""

HELD = f"""SELECT DISTINCT objid::bigint FROM pg_locks
    WHERE {HERE} AND classid::bigint = ({OF_SHARDS})"""  # noqa: S608
"""The second numbers of the locks of shards that anybody holds."""

OLDER = f"""SELECT pid FROM pg_locks WHERE {HERE}
    AND (classid::bigint, objid) = ({APPLICATION_ID}, current_schema()::regnamespace::oid)
    AND pid NOT IN (SELECT pid FROM pg_locks
        WHERE {HERE} AND classid::bigint = ({OF_VERSIONS}) AND objid::bigint >= %s)"""  # noqa: S608
"""The processes that use the database and know neither a version of the schema nor a later one."""

COUNT_AT = 1 << 16
"""What the count is multiplied by in the second number of a lock."""

Connection: TypeAlias = psycopg.Connection[Any]

Connect = Callable[[], Connection]


def query(connection: Connection, sql: str, *values: Any) -> list[Any]:
    """The first column of a result."""
    return [record[0] for record in connection.execute(sql.encode(), values).fetchall()]


class LeaseClaim:
    """The use of a database by one process, alone or as the one that has certain shards.

    :param connect: makes a connection that is ready for use.
    :param shards: the process's own.
    :param patience: seconds to wait for another process to let go.
    :param version: the newest of the schema that the process knows.
    :param check: raises what keeps the process from going on after its connection was lost: another
        one may have changed the schema meanwhile.
    :raises StoreTaken: another process has the database, or one of the shards.
    :raises OtherShards: others count the shards otherwise.
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
        """Since when shards were seen without a process."""
        self.served = Shards(frozenset(), shards.count)
        self._connection = self._claimed()
        if not self._own.numbers <= self.served.numbers:
            self._connection.close()
            raise StoreTaken(server)

    @contextmanager
    def connection(self, _: float = 0.0) -> Iterator[Connection]:
        """The connection, like that of a pool: another one, if it was lost.

        :raises StoreTaken: another process was faster.
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
                # It is lost, but may not seem so: cut within a pipeline, it stays busy for ever.
                self._connection.close()
            raise

    def renew(self) -> None:
        """Keep the lease, ask for what is our own, and take on what nobody serves."""
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
        """Serve a shard no more that another process has as its own."""
        if shard in self.served.numbers - self._own.numbers:
            with self.connection() as connection:
                self.served = self.served.less({shard})
                query(connection, f"SELECT pg_advisory_unlock({OF_SHARDS}, %s)", self._lock(shard))

    def close(self) -> None:
        """Let others claim what is claimed. Closing again does nothing."""
        self.served = self.served.less(self.served.numbers)
        self._connection.close()

    # -- inside
    def _claimed(self) -> Connection:
        """A connection with the locks of all own shards, or of those that others leave to us.

        :raises StoreTaken: there are none.
        """
        end = time.monotonic() + self._patience
        connection = self._connect()
        try:
            # Whoever is about to change the schema sees it before it sees the claim.
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
        """Lock those of some shards that nobody has."""
        taken = {
            shard
            for shard in sorted(shards)
            if query(connection, f"SELECT pg_try_advisory_lock({OF_SHARDS}, %s)", self._lock(shard))
            == [True]
        }
        self.served = self.served.more(taken)

    def _ask_for(self, connection: Connection, shards: Collection[int]) -> None:
        """Ask whoever stands in for us to let go."""
        for shard in shards:
            query(connection, f"SELECT pg_notify({CHANNEL}, %s)", f"shard {shard}")

    def _held(self, connection: Connection) -> set[int]:
        """The shards that anybody serves.

        :raises OtherShards: others count them otherwise.
        """
        numbers = [divmod(number, COUNT_AT) for number in query(connection, HELD)]
        if any(count != self._own.count for count, _ in numbers):
            raise OtherShards(self._server)
        return {shard for _, shard in numbers}

    def _lock(self, shard: int) -> int:
        return self._own.count * COUNT_AT + shard


class Listener:
    """Hears what processes on one database tell each other.

    :param connect: as in ``LeaseClaim``.
    """

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._connection: Connection | None = None

    def hear(self) -> list[str] | None:
        """News, waited for a moment; None: some may have been missed before now.

        :raises psycopg.OperationalError: the server cannot be reached.
        """
        if self._connection is None:
            connection = self._connect()
            (channel,) = query(connection, f"SELECT {CHANNEL}")
            connection.execute(f"LISTEN {channel}".encode())
            self._connection = connection
            return None
        try:
            news = self._connection.notifies(timeout=HEARING, stop_after=1)
            return [each.payload for each in news]
        except psycopg.OperationalError:
            self.close()
            raise

    def close(self) -> None:
        """Hear no more, until asked again."""
        if self._connection is not None:
            with closing(self._connection):
                self._connection = None
