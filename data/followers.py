"""What the store remembers of spectators who want to hear how a match ends."""

from __future__ import annotations

from data.access import Access, Database


class Followers:
    """The followers of all tables. Every method may raise ``StoreProblem``."""

    def __init__(self, database: Access) -> None:
        self._database = database

    async def add(self, table_id: int, person_id: int) -> None:
        """Follow a table; once is enough."""

        def change(db: Database) -> None:
            db.execute(
                """INSERT INTO followers (table_id, person_id) VALUES (?, ?)
                ON CONFLICT (table_id, person_id) DO NOTHING""",
                [table_id, person_id],
            )

        await self._database.write(change)

    async def remove(self, table_id: int, person_id: int) -> bool:
        """Follow a table no longer; false if the person did not follow it."""

        def change(db: Database) -> bool:
            removed = db.execute(
                "DELETE FROM followers WHERE table_id = ? AND person_id = ?", [table_id, person_id]
            )
            return removed.rowcount > 0

        return await self._database.write(change)

    async def of_table(self, table_id: int) -> list[int]:
        """Who follows a table."""
        records = await self._database.fetch(
            "SELECT person_id FROM followers WHERE table_id = ? ORDER BY person_id", table_id
        )
        return [record["person_id"] for record in records]

    async def tables_of(self, person_id: int) -> list[int]:
        """The tables that a person follows, oldest first."""
        records = await self._database.fetch(
            "SELECT table_id FROM followers WHERE person_id = ? ORDER BY table_id", person_id
        )
        return [record["table_id"] for record in records]

    async def of_tables_over(self) -> list[int]:
        """Tables that are over and have followers who have not been told."""
        records = await self._database.fetch(
            """SELECT DISTINCT table_id FROM followers JOIN tables ON tables.id = table_id
            WHERE status IN ('finished', 'ended') ORDER BY table_id"""
        )
        return [record["table_id"] for record in records]
