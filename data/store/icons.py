"""What the store remembers of the application's emojis: when they were last used."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from data.store.access import Database, Repository
from data.store.columns import to_seconds


class IconRepository(Repository):
    """When a process of the bot last used each emoji, so that none deletes what another one shows.

    Processes of two versions have different emojis for an icon that has changed.
    """

    async def note(
        self, used: Collection[str], there: Collection[str], now: datetime, since: datetime
    ) -> list[str]:
        """Note which emojis this process uses now.

        :param used: their names.
        :param there: the names of all that Discord has; one that is new here counts as used now.
        :returns: the names of those there that no process has used since a time.
        """
        at, before = to_seconds(now), to_seconds(since)

        def change(db: Database) -> list[str]:
            db.executemany(
                """INSERT INTO icons (name, used_at) VALUES (?, ?)
                ON CONFLICT (name) DO UPDATE SET used_at = excluded.used_at""",
                [(name, at) for name in sorted(used)],
            )
            db.executemany(
                """INSERT INTO icons (name, used_at) VALUES (?, ?)
                ON CONFLICT (name) DO NOTHING""",
                [(name, at) for name in sorted(there)],
            )
            unused = db.execute("SELECT name FROM icons WHERE used_at < ?", [before]).fetchall()
            db.execute("DELETE FROM icons WHERE used_at < ?", [before])
            return sorted(record["name"] for record in unused if record["name"] in there)

        return await self._database.write(change)
