"""The one way to the database: whole functions, each in one hop to the database's own thread."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

from data.database import transaction
from data.problems import told_apart

T = TypeVar("T")
Database = sqlite3.Connection
Record = sqlite3.Row


class Access:
    """Runs changes and queries; shared by the store and its parts.

    Every method may raise ``StoreProblem``.
    """

    def __init__(self, connection: aiosqlite.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    async def write(self, change: Callable[[Database], T]) -> T:
        """Run a change as one transaction: wholly, or not at all."""

        def whole(db: Database) -> T:
            with transaction(db):
                return change(db)

        return await self.read(whole)

    async def read(self, query: Callable[[Database], T]) -> T:
        """Run a function on the database, as a whole, in one hop to the database's thread.

        aiosqlite has public methods for single statements only, each a hop of its own;
        ``_execute`` is what they are all made of. Its version is pinned, and this is its only use.
        """

        def told() -> T:
            with told_apart(self._path):
                return query(self._connection._conn)

        result: T = await self._connection._execute(told)  # type: ignore[no-untyped-call]
        return result

    async def fetch(self, sql: str, *values: Any) -> list[Record]:
        """All rows of one statement."""
        return await self.read(lambda db: db.execute(sql, values).fetchall())
