"""The bot as its next version: with one more migration, compatible with the current version, and
with other icons.

Like ``tests.wire.hasty``, it takes over from a dead process at once.
"""

from __future__ import annotations

from typing import Any

import bot
from data.store import postgres, tables
from data.store.access import Database
from data.store.migrate import Migration, read_migrations
from data.store.rows import TableRow
from render.icons import icon
from tests.data.later import NEXT
from tests.wire import hasty


def migrations() -> list[Migration]:
    return [*read_migrations(), NEXT]


def main() -> int:
    """Run the bot; it writes into a column that only the next version knows."""
    update = tables._update

    def moody(db: Database, before: TableRow, after: TableRow) -> bool:
        db.execute("UPDATE tables SET mood = 'glad' WHERE id = ?", [before.id])
        return update(db, before, after)

    changed: list[tuple[Any, str, Any]] = [
        (postgres, "read_migrations", migrations),
        (bot, "icon", lambda key: icon(key) + b"ahead"),
    ]
    for place, name, work in changed:
        setattr(place, name, work)
    tables._update = moody
    return hasty.main()
