"""What the store remembers about one person, and how it forgets.

Other people's games stay readable: in them the person becomes somebody with another name and a
negative number in place of Discord's id, drawn by lot and the same everywhere, so that the
ratings of the others stay what they are.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from data.access import Access, Database
from data.columns import json_text
from data.problems import Conflict


class StillAtTable(Conflict):
    """The person still plays somewhere, and must stand up first."""

    code = "still_at_table"


@dataclass(frozen=True, slots=True)
class Kept:
    """How much is remembered about a person, by kind.

    :param tables: at which the person has played, or plays.
    :param moves: made there.
    :param plans: moves planned there.
    :param messages: to the person, whose place is remembered.
    :param followed: tables that the person looks on at.
    :param records: brought along to look at.
    """

    tables: int
    moves: int
    plans: int
    messages: int
    followed: int
    records: int


class Privacy:
    """What is known about people. Every method may raise ``StoreProblem``."""

    def __init__(self, database: Access) -> None:
        self._database = database

    async def kept(self, person_id: int) -> Kept:
        """How much is remembered about a person."""

        def query(db: Database) -> Kept:
            def count(table: str, condition: str = "") -> int:
                sql = f"SELECT count(*) FROM {table} WHERE person_id = ? {condition}"  # noqa: S608
                found: int = db.execute(sql, [person_id]).fetchone()[0]
                return found

            return Kept(
                tables=count("members"),
                moves=count("events", "AND seat >= 0"),  # without the draws that follow them
                plans=count("plans"),
                messages=count("messages"),
                followed=count("followers"),
                records=count("records"),
            )

        return await self._database.read(query)

    async def forget(self, person_id: int, pseudonym: str, level: str) -> None:
        """Delete what is the person's alone, and put somebody else in their place elsewhere.

        :param pseudonym: the name in games of the past.
        :param level: of the computer player that waits in the person's seat at parked tables.
        :raises StillAtTable: the person plays at a table, or sits in a lobby.
        """
        somebody = -1 - secrets.randbits(62)

        def change(db: Database) -> None:
            _refuse_while_playing(db, person_id)
            db.execute(
                """UPDATE members SET level = ?, resigned = 1
                WHERE person_id = ? AND level IS NULL
                    AND table_id IN (SELECT id FROM tables WHERE status = 'parked')""",
                [level, person_id],
            )
            db.execute(
                "UPDATE members SET name = ? WHERE person_id = ?",
                [pseudonym, person_id],
            )
            for table, column in RENUMBERED:
                db.execute(
                    f"UPDATE {table} SET {column} = ? WHERE {column} = ?",  # noqa: S608
                    [somebody, person_id],
                )
            for table, column, keys in LISTED:
                _replace_in_lists(db, table, column, keys, person_id, somebody)
            for table in DELETED:
                db.execute(f"DELETE FROM {table} WHERE person_id = ?", [person_id])  # noqa: S608

        await self._database.write(change)


RENUMBERED = (
    ("members", "person_id"),
    ("tables", "host_id"),
    ("events", "person_id"),
    ("undone_events", "person_id"),
    ("undos", "asked_by"),
    ("votes", "asked_by"),
    ("answers", "person_id"),
    ("turns", "person_id"),
)
"""Tables and columns where others' games would lose their sense without somebody."""

LISTED = (("undos", "agreed", ("table_id", "number")), ("votes", "subject", ("id",)))
"""Tables and columns where people stand in plain data, and what a row goes by."""

DELETED = (
    "people",
    "messages",
    "records",
    "unlisted",
    "followers",
    "plans",
    "hurried",
    "barred",
    "seat_offers",
)
"""Tables whose rows are the person's alone, by ``person_id``."""


def _refuse_while_playing(db: Database, person_id: int) -> None:
    playing = db.execute(
        """SELECT 1 FROM members JOIN tables ON tables.id = members.table_id
        WHERE members.person_id = ? AND members.level IS NULL
            AND tables.status IN ('lobby', 'running')""",
        [person_id],
    ).fetchone()
    if playing:
        raise StillAtTable(person_id)


def _replace_in_lists(
    db: Database, table: str, column: str, keys: Sequence[str], old: int, new: int
) -> None:
    records = db.execute(
        f"SELECT {', '.join(keys)}, {column} FROM {table} WHERE {column} LIKE ?",  # noqa: S608
        [f"%{old}%"],
    ).fetchall()
    where = " AND ".join(f"{key} = ?" for key in keys)
    for *row, text in records:
        changed = json_text(_replaced(json.loads(text), old, new))
        db.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", [changed, *row])  # noqa: S608


def _replaced(data: Any, old: int, new: int) -> Any:
    """Plain data with one number in place of another."""
    if isinstance(data, dict):
        return {key: _replaced(value, old, new) for key, value in data.items()}
    if isinstance(data, list):
        return [_replaced(value, old, new) for value in data]
    return new if data == old else data
