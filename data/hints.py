"""What the store remembers of hints: which seat was given one, and for which decision."""

from __future__ import annotations

from data.access import Access, Database


class Hints:
    """The hints at all tables. Every method may raise ``StoreProblem``."""

    def __init__(self, database: Access) -> None:
        self._database = database

    async def add(self, table_id: int, seat: int, ply: int, undos: int) -> int:
        """Note that a seat is given a hint; once for each decision, however often it asks.

        :param ply: at which the decision opened.
        :param undos: how many undos the course of events had had.
        :return: how many hints the seat has been given now.
        """

        def change(db: Database) -> int:
            db.execute(
                """INSERT INTO hints (table_id, seat, ply, undos) VALUES (?, ?, ?, ?)
                ON CONFLICT DO NOTHING""",
                [table_id, seat, ply, undos],
            )
            given = db.execute(
                "SELECT count(*) FROM hints WHERE table_id = ? AND seat = ?", [table_id, seat]
            )
            count: int = given.fetchone()[0]
            return count

        return await self._database.write(change)

    async def of_table(self, table_id: int) -> dict[int, int]:
        """How many hints were given, by seat; seats without any are missing."""
        records = await self._database.fetch(
            "SELECT seat, count(*) AS given FROM hints WHERE table_id = ? GROUP BY seat", table_id
        )
        return {record["seat"]: record["given"] for record in records}
