"""The bot as its next version: with one more migration, compatible with the current version, and
with other icons.

Like ``tests.wire.hasty``, it takes over from a dead process at once.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import bot
from data.store import postgres, tables
from data.store.access import Database
from data.store.migrate import Migration, read_migrations
from data.store.parts import Part
from data.store.rows import Line
from render.icons import icon
from tests.data.later import NEXT
from tests.wire import hasty


def migrations() -> list[Migration]:
    return [*read_migrations(), NEXT]


class Moody(Part[Line]):
    """The journals of tables; a new line changes the table's mood."""

    def add(self, db: Database, table_id: int, rows: Collection[Line]) -> None:
        db.execute("UPDATE tables SET mood = 'glad' WHERE id = ?", [table_id])
        super().add(db, table_id, rows)


def main() -> int:
    """Run the bot; it writes into a column that only the next version knows."""
    changed: list[tuple[Any, str, Any]] = [
        (postgres, "read_migrations", migrations),
        (tables, "JOURNAL", Moody("journal", Line)),
        (bot, "icon", lambda key: icon(key) + b"ahead"),
    ]
    for place, name, work in changed:
        setattr(place, name, work)
    return hasty.main()
