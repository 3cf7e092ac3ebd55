"""A database in a file, by SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

from data.store.access import Database
from data.store.database import (
    PATIENCE,
    Claim,
    copy_database,
    doubting,
    snapshot,
    transaction,
)
from data.store.migrate import open_database, open_reader, read_migrations
from data.store.problems import told_apart
from data.store.shards import ALL

T = TypeVar("T")

READERS = 2
"""Connections for queries: while a slow one is at work, others go on."""


class SQLite:
    """The database of a file: one connection for changes, and others for queries.

    :param patience: seconds to wait for another process that holds the file.
    :param alone: claim the file, so that no second bot uses it at the same time.
    :param filling: it is being filled by a transfer.
    :raises StoreProblem: the file cannot be used; it is as it was before.
    """

    readers = READERS
    shared = False
    served = ALL

    def __init__(
        self, path: Path, patience: float = PATIENCE, *, alone: bool = True, filling: bool = False
    ) -> None:
        self.place = path
        self._idle: SimpleQueue[sqlite3.Connection] = SimpleQueue()
        with ExitStack() as opened:
            if alone:
                opened.enter_context(closing(Claim(path, patience)))
            # The last connection to go tidies the journal away: that is the writer.
            self.writer = opened.enter_context(
                closing(open_database(path, read_migrations(), patience, filling=filling))
            )
            for _ in range(READERS):
                self._idle.put(opened.enter_context(closing(open_reader(path, patience))))
            self._opened = opened.pop_all()

    def write(self, change: Callable[[Database], T]) -> T:
        """Run a change as one transaction: wholly, or not at all."""
        with told_apart(self.place), doubting(self.writer, self.place), transaction(self.writer):
            return change(self.writer)

    def read(self, query: Callable[[Database], T]) -> T:
        """Run a query that changes nothing; all its statements see the same moment."""
        db = self._idle.get()
        try:
            with told_apart(self.place), snapshot(db):
                return query(db)
        finally:
            self._idle.put(db)

    def renew(self) -> None:
        """Do nothing: the system keeps the lock of the file."""

    def give_back(self, shard: int) -> None:
        """Do nothing: there are no other processes."""

    def hear(self) -> list[str]:
        """Nothing: there are no other processes."""
        return []

    def tell(self, db: Database, news: str) -> None:
        """Do nothing: there are no other processes."""

    def clear_journal(self) -> None:
        """Leave nothing of earlier contents in the file beside the database, unless it is being
        read; what is written next begins it anew.
        """
        with told_apart(self.place):
            self.writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def back_up(self, target: Path) -> None:
        """Write a copy to a new file while the database is in use.

        :raises BackupExists: there is such a file.
        """
        copy_database(self.place, target)

    def close(self) -> None:
        """Close all connections, and let others claim the file. Closing again does nothing."""
        self._opened.close()
