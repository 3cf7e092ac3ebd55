"""What the store remembers of clocks: decisions that people owe, and when to act on them.

A *turn* is one decision of a seat with the time that there is for it. It is open while the clock
runs and closed with the time that was left. An open turn has *deadlines*: what is still to be done
about it, and when. Whoever acts on a deadline claims it first, so that no two do the same; a claim
that is not followed by ``settle`` runs out, and the deadline is due again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from data.access import Access, Database, Record
from data.columns import moment, seconds


class Alarm(StrEnum):
    """What a deadline calls for, in the order of time."""

    HALF = "half"
    """Remind: half of the time is over."""
    SOON = "soon"
    """Remind: the time is up soon."""
    END = "end"
    """The time is up."""


CLAIM = timedelta(minutes=2)
"""How long whoever has claimed a deadline has to act on it."""


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One decision that a person owes at a table with a pace.

    :param ply: at which the decision opened.
    :param undos: how many undos the course of events had had.
    :param opened_at: when the clock was started; anew, when more time was granted.
    :param budget: seconds that the clock may run from then on.
    :param ends_at: when the time is up, the person's quiet hours considered.
    :param misses: how often in a row the person's time has been up at this table.
    :param missed_at: the end that was counted as a miss last; None: none was in this turn.
    :param time_left: seconds that were left when the turn was closed; None: it is open.
    """

    id: int
    table_id: int
    seat: int
    ply: int
    undos: int
    person_id: int
    opened_at: datetime
    budget: int
    ends_at: datetime
    misses: int
    missed_at: datetime | None
    time_left: int | None


@dataclass(frozen=True, slots=True)
class DueRow:
    """A deadline that has been claimed.

    :param claimed_until: tells this claim from any other on the same deadline.
    """

    turn: TurnRow
    alarm: Alarm
    claimed_until: datetime


class Clocks:
    """The clocks of all tables. Every method may raise ``StoreProblem``."""

    def __init__(self, database: Access) -> None:
        self._database = database

    # -- turns
    async def open(
        self,
        *,
        table_id: int,
        seat: int,
        ply: int,
        undos: int,
        person_id: int,
        at: datetime,
        budget: int,
        misses: int,
        alarms: Mapping[Alarm, datetime],
    ) -> None:
        """Start the clock of a seat, unless it runs already.

        :param alarms: when to act on it; the end is among them.
        """

        def change(db: Database) -> None:
            opened = db.execute(
                """INSERT INTO turns
                    (table_id, seat, ply, undos, person_id, opened_at, budget, ends_at, misses)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                RETURNING id""",
                [
                    *(table_id, seat, ply, undos, person_id, seconds(at), budget),
                    *(seconds(alarms[Alarm.END]), misses),
                ],
            ).fetchone()
            if opened is not None:
                _set_alarms(db, opened["id"], alarms)

        await self._database.write(change)

    async def close(self, turn_id: int, time_left: int) -> None:
        """Stop a clock, if it runs. Misses in a row are forgotten if the person has moved."""

        def change(db: Database) -> None:
            _drop_alarms(db, turn_id)
            db.execute(
                """UPDATE turns SET time_left = ?, misses = CASE WHEN EXISTS (
                    SELECT 1 FROM events WHERE events.table_id = turns.table_id
                        AND events.seat = turns.seat AND events.ply >= turns.ply
                        AND events.person_id = turns.person_id
                ) THEN 0 ELSE misses END
                WHERE id = ? AND time_left IS NULL""",
                [time_left, turn_id],
            )

        await self._database.write(change)

    async def extend(
        self, turn_id: int, at: datetime, budget: int, alarms: Mapping[Alarm, datetime]
    ) -> None:
        """Start the clock of an open turn anew, with all that is to be done about it."""

        def change(db: Database) -> None:
            extended = db.execute(
                """UPDATE turns SET opened_at = ?, budget = ?, ends_at = ?
                WHERE id = ? AND time_left IS NULL""",
                [seconds(at), budget, seconds(alarms[Alarm.END]), turn_id],
            )
            if extended.rowcount:
                _drop_alarms(db, turn_id)
                _set_alarms(db, turn_id, alarms)

        await self._database.write(change)

    async def shift(self, turn_id: int, alarms: Mapping[Alarm, datetime]) -> None:
        """Move what is still to be done about an open turn; what has been done stays done.

        :param alarms: a reminder that is not among them is not due any more.
        """

        def change(db: Database) -> None:
            db.execute(
                "UPDATE turns SET ends_at = ? WHERE id = ? AND time_left IS NULL",
                [seconds(alarms[Alarm.END]), turn_id],
            )
            for alarm in Alarm:
                if alarm in alarms:
                    db.execute(
                        "UPDATE deadlines SET due_at = ? WHERE turn_id = ? AND alarm = ?",
                        [seconds(alarms[alarm]), turn_id, alarm],
                    )
                else:
                    db.execute(
                        "DELETE FROM deadlines WHERE turn_id = ? AND alarm = ?", [turn_id, alarm]
                    )

        await self._database.write(change)

    async def miss(self, turn_id: int) -> int:
        """Count that the time of an open turn is up, once for each end that it has had.

        :returns: how often in a row it has been up.
        """

        def change(db: Database) -> int:
            db.execute(
                """UPDATE turns SET misses = misses + 1, missed_at = ends_at
                WHERE id = ? AND time_left IS NULL
                    AND (missed_at IS NULL OR missed_at <> ends_at)""",
                [turn_id],
            )
            turn = db.execute("SELECT misses FROM turns WHERE id = ?", [turn_id]).fetchone()
            return 0 if turn is None else int(turn["misses"])

        return await self._database.write(change)

    async def open_turns(self, table_id: int) -> list[TurnRow]:
        """The clocks that run at a table, by seat."""
        return await self._turns(
            "table_id = ? AND time_left IS NULL ORDER BY seat",
            table_id,
        )

    async def turn(self, turn_id: int) -> TurnRow | None:
        """An open turn; None if it is closed."""
        found = await self._turns("id = ? AND time_left IS NULL", turn_id)
        return found[0] if found else None

    async def closed_turns(self, table_id: int, seat: int, person_id: int) -> list[TurnRow]:
        """The turns that a person has had in a seat, the last one first."""
        return await self._turns(
            """table_id = ? AND seat = ? AND person_id = ? AND time_left IS NOT NULL
            ORDER BY id DESC""",
            *(table_id, seat, person_id),
        )

    async def tables_with_clocks(self) -> list[int]:
        """The tables at which a clock runs."""
        records = await self._database.fetch(
            "SELECT DISTINCT table_id FROM turns WHERE time_left IS NULL ORDER BY table_id"
        )
        return [table_id for (table_id,) in records]

    async def forget_table(self, table_id: int) -> None:
        """Forget all clocks of a table that is over."""

        def change(db: Database) -> None:
            db.execute(
                """DELETE FROM deadlines
                WHERE turn_id IN (SELECT id FROM turns WHERE table_id = ?)""",
                [table_id],
            )
            db.execute("DELETE FROM turns WHERE table_id = ?", [table_id])

        await self._database.write(change)

    # -- deadlines
    async def claim(self, now: datetime) -> list[DueRow]:
        """Take over what is due, each by whoever claims it first, the longest due first."""
        until = moment(seconds(now + CLAIM))

        def change(db: Database) -> list[DueRow]:
            claimed = db.execute(
                """UPDATE deadlines SET claimed_until = ?
                WHERE due_at <= ? AND claimed_until <= ?
                RETURNING turn_id, alarm, due_at""",
                [seconds(until), seconds(now), seconds(now)],
            ).fetchall()
            return [
                DueRow(_turn(db, turn_id), Alarm(alarm), until)
                for turn_id, alarm, _ in sorted(claimed, key=lambda row: row["due_at"])
            ]

        return await self._database.write(change)

    async def next_due(self) -> datetime | None:
        """When the next deadline is due, or due again; None: there is none."""
        ((due_at,),) = await self._database.fetch(
            """SELECT min(CASE WHEN due_at > claimed_until THEN due_at ELSE claimed_until END)
            FROM deadlines"""
        )
        return None if due_at is None else moment(due_at)

    async def postpone(self, due: DueRow, due_at: datetime) -> None:
        """Give a claimed deadline back, for another time."""

        def change(db: Database) -> None:
            db.execute(
                f"UPDATE deadlines SET due_at = ?, claimed_until = 0 WHERE {CLAIMED}",  # noqa: S608
                [seconds(due_at), *_claim(due)],
            )

        await self._database.write(change)

    async def settle(self, due: DueRow) -> None:
        """Note that what a deadline called for has happened, or is not called for any more."""

        def change(db: Database) -> None:
            db.execute(f"DELETE FROM deadlines WHERE {CLAIMED}", _claim(due))  # noqa: S608

        await self._database.write(change)

    # -- inside
    async def _turns(self, condition: str, *values: int) -> list[TurnRow]:
        records = await self._database.fetch(
            f"SELECT * FROM turns WHERE {condition}",  # noqa: S608
            *values,
        )
        return [_turn_row(record) for record in records]


# ------------------------------------------------------------- parts of the transactions
CLAIMED = "turn_id = ? AND alarm = ? AND claimed_until = ?"
"""The deadline of one claim; not one that has been set, or claimed by others, since."""


def _claim(due: DueRow) -> tuple[int, str, int]:
    return due.turn.id, due.alarm, seconds(due.claimed_until)


def _set_alarms(db: Database, turn_id: int, alarms: Mapping[Alarm, datetime]) -> None:
    db.executemany(
        "INSERT INTO deadlines (turn_id, alarm, due_at) VALUES (?, ?, ?)",
        [(turn_id, alarm, seconds(due_at)) for alarm, due_at in alarms.items()],
    )


def _drop_alarms(db: Database, turn_id: int) -> None:
    db.execute("DELETE FROM deadlines WHERE turn_id = ?", [turn_id])


def _turn(db: Database, turn_id: int) -> TurnRow:
    return _turn_row(db.execute("SELECT * FROM turns WHERE id = ?", [turn_id]).fetchone())


def _turn_row(record: Record) -> TurnRow:
    columns = dict(record)
    columns["opened_at"] = moment(record["opened_at"])
    columns["ends_at"] = moment(record["ends_at"])
    columns["missed_at"] = None if record["missed_at"] is None else moment(record["missed_at"])
    return TurnRow(**columns)
