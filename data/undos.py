"""What the store remembers of undos: a log is cut, and what was cut is kept apart."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from data.access import Access, Database, Record
from data.columns import json_text, moment, seconds
from data.plans import drop_plans
from data.problems import PlyTaken


@dataclass(frozen=True, slots=True)
class UndoRow:
    """Somebody took a move back.

    :param number: the how manieth undo of the table, from 1.
    :param ply: number of events that were left standing.
    :param seat: whose move was taken back.
    :param asked_by: who asked for it.
    :param agreed: who consented, if that was needed.
    :param moves: (seat, move) of what was undone, as everybody may know it; None: not at all.
    """

    table_id: int
    number: int
    ply: int
    seat: int
    asked_by: int
    agreed: tuple[int, ...]
    moves: tuple[tuple[int, str | None], ...]
    at: datetime
    announced: bool


class Undos:
    """The undos of all tables. Every method may raise ``StoreProblem``."""

    def __init__(self, database: Access) -> None:
        self._database = database

    async def take_back(
        self,
        *,
        table_id: int,
        ply: int,
        undos: int,
        first: int,
        last: int,
        seat: int,
        asked_by: int,
        agreed: Sequence[int],
        moves: Sequence[tuple[int, str | None]],
        at: datetime,
    ) -> tuple[int, ...]:
        """Take the events ``first`` to ``last`` out of the log; later ones move up.

        What was planned for the table was planned for another course of events and is dropped.

        :param ply: number of events that the match had when the undo was judged.
        :param undos: number of undos that it had had.
        :returns: the persons whose plans were dropped.
        :raises PlyTaken: the match is not running at exactly that position.
        """
        removed = last - first + 1
        left = ply - removed

        def change(db: Database) -> tuple[int, ...]:
            went_back = db.execute(
                """UPDATE tables SET ply = ply - ?, undos = undos + 1, moved_at = ?,
                    announced_ply = CASE WHEN announced_ply < ? THEN announced_ply ELSE ? END
                WHERE id = ? AND ply = ? AND undos = ? AND status = 'running'""",
                [removed, seconds(at), left, left, table_id, ply, undos],
            )
            if not went_back.rowcount:
                raise PlyTaken(table_id, ply)
            number = undos + 1
            db.execute(
                """INSERT INTO undos
                    (table_id, number, ply, seat, asked_by, agreed, moves, at, announced)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)""",
                [
                    *(table_id, number, left, seat, asked_by),
                    *(json_text(list(agreed)), json_text(list(moves)), seconds(at)),
                ],
            )
            _set_apart(db, table_id, number, first, last)
            for late in range(last + 1, ply):
                db.execute(
                    "UPDATE events SET ply = ? WHERE table_id = ? AND ply = ?",
                    [late - removed, table_id, late],
                )
            return drop_plans(db, table_id)

        return await self._database.write(change)

    async def of_table(self, table_id: int) -> list[UndoRow]:
        """All undos of a table, in order."""
        records = await self._database.fetch(
            "SELECT * FROM undos WHERE table_id = ? ORDER BY number", table_id
        )
        return [_undo_row(record) for record in records]

    async def unannounced(self, table_id: int) -> list[UndoRow]:
        """The undos that the channel has not heard of, in order."""
        return [undo for undo in await self.of_table(table_id) if not undo.announced]

    async def set_announced(self, table_id: int, number: int) -> None:
        """Note that the channel has heard of the undos up to ``number``."""

        def change(db: Database) -> None:
            db.execute(
                "UPDATE undos SET announced = 1 WHERE table_id = ? AND number <= ?",
                [table_id, number],
            )

        await self._database.write(change)


def _set_apart(db: Database, table_id: int, number: int, first: int, last: int) -> None:
    """Keep the events of an undo, and with them the interactions that have been counted."""
    which = [table_id, first, last]
    db.execute(
        """INSERT INTO undone_events
            (table_id, undo, ply, seat, move, at, person_id, interaction_id)
        SELECT table_id, ?, ply, seat, move, at, person_id, interaction_id
        FROM events WHERE table_id = ? AND ply BETWEEN ? AND ?""",
        [number, *which],
    )
    db.execute("DELETE FROM events WHERE table_id = ? AND ply BETWEEN ? AND ?", which)


def _undo_row(record: Record) -> UndoRow:
    columns = dict(record)
    columns["agreed"] = tuple(json.loads(record["agreed"]))
    columns["moves"] = tuple((seat, move) for seat, move in json.loads(record["moves"]))
    columns["at"] = moment(record["at"])
    columns["announced"] = bool(record["announced"])
    return UndoRow(**columns)
