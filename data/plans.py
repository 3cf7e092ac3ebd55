"""What the store remembers of moves that people have planned ahead."""

from __future__ import annotations

from dataclasses import dataclass

from data.access import Access, Database
from data.problems import Conflict


class PlansFull(Conflict):
    """The person has planned as many moves as may be planned."""

    code = "plans_full"


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A move that a person wants to be played at the next turn, or at a later one.

    :param move: as the person wrote it; judged when its turn has come.
    :param answer_to: only if this is what the others played last; None: whatever they play.
    """

    id: int
    table_id: int
    person_id: int
    move: str
    answer_to: str | None


class Plans:
    """The plans at all tables. Every method may raise ``StoreProblem``."""

    def __init__(self, database: Access) -> None:
        self._database = database

    async def add(
        self, table_id: int, person_id: int, move: str, answer_to: str | None, limit: int
    ) -> None:
        """Plan one more move.

        :param limit: the number of moves that a person may have planned at a table.
        :raises PlansFull: so many are planned.
        """

        def change(db: Database) -> None:
            if len(_plans(db, table_id, person_id)) >= limit:
                raise PlansFull(limit)
            db.execute(
                "INSERT INTO plans (table_id, person_id, move, answer_to) VALUES (?, ?, ?, ?)",
                [table_id, person_id, move, answer_to],
            )

        await self._database.write(change)

    async def of_person(self, table_id: int, person_id: int) -> list[PlanRow]:
        """What the person has planned at a table, the next move first."""
        return await self._database.read(lambda db: _plans(db, table_id, person_id))

    async def take(self, plan_id: int) -> bool:
        """Strike a plan off, to play it; false if somebody else has done so."""

        def change(db: Database) -> bool:
            return db.execute("DELETE FROM plans WHERE id = ?", [plan_id]).rowcount > 0

        return await self._database.write(change)

    async def drop(self, table_id: int, person_id: int) -> None:
        """Forget all that a person has planned at a table."""

        def change(db: Database) -> None:
            db.execute(
                "DELETE FROM plans WHERE table_id = ? AND person_id = ?", [table_id, person_id]
            )

        await self._database.write(change)

    async def set_hurried(self, table_id: int, person_id: int, hurried: bool) -> None:
        """Note whether the person's only legal move is to be played without asking."""

        def change(db: Database) -> None:
            which = [table_id, person_id]
            db.execute("DELETE FROM hurried WHERE table_id = ? AND person_id = ?", which)
            if hurried:
                db.execute("INSERT INTO hurried (table_id, person_id) VALUES (?, ?)", which)

        await self._database.write(change)

    async def hurried(self, table_id: int) -> frozenset[int]:
        """The persons whose only legal move is to be played without asking."""
        records = await self._database.fetch(
            "SELECT person_id FROM hurried WHERE table_id = ?", table_id
        )
        return frozenset(record["person_id"] for record in records)


# ------------------------------------------------------------- parts of the transactions
def drop_plans(db: Database, table_id: int) -> tuple[int, ...]:
    """Forget all that is planned at a table; returns whose plans those were."""
    records = db.execute("SELECT DISTINCT person_id FROM plans WHERE table_id = ?", [table_id])
    planners = tuple(record["person_id"] for record in records.fetchall())
    db.execute("DELETE FROM plans WHERE table_id = ?", [table_id])
    return planners


def forget_planner(db: Database, table_id: int, person_id: int) -> None:
    """Forget all wishes of a person who plays no more at a table."""
    which = [table_id, person_id]
    db.execute("DELETE FROM plans WHERE table_id = ? AND person_id = ?", which)
    db.execute("DELETE FROM hurried WHERE table_id = ? AND person_id = ?", which)


def _plans(db: Database, table_id: int, person_id: int) -> list[PlanRow]:
    records = db.execute(
        "SELECT * FROM plans WHERE table_id = ? AND person_id = ? ORDER BY id",
        [table_id, person_id],
    )
    return [PlanRow(**record) for record in records.fetchall()]
