"""The last use of the application's emojis."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from data.store.access import Database, Repository
from data.store.columns import to_seconds


class IconRepository(Repository):
    """Records when a process of the bot last used each emoji, so that no process deletes an emoji
    that another one still shows. For an icon that has changed, two versions of the bot have two
    different emojis.
    """

    async def note(
        self, used: Collection[str], there: Collection[str], now: datetime, since: datetime
    ) -> list[str]:
        """Record which emojis this process uses now, and forget those unused since ``since``.

        :param used: the names of the emojis this process uses.
        :param there: the names of all emojis on Discord; a name that is new to the store counts as
            used now.
        :returns: the names on Discord that no process has used since ``since``.
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
