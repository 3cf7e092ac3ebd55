"""What the store remembers about one person, and how it forgets.

Other people's games stay readable: in them the person becomes one with another name and a negative
number in place of Discord's id, drawn by lot and the same everywhere, so that the ratings of the
others stay what they are.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

from data.store.access import Access, Database
from data.store.problems import StillAtTable


@dataclass(frozen=True, slots=True)
class Kept:
    """How much is remembered about a person, by kind.

    :param tables: at which the person has played, or plays.
    :param moves: made there, those taken back included.
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
                moves=count("journal", "AND kind = 'move'"),
                plans=count("plans"),
                messages=count("messages"),
                followed=count("followers"),
                records=count("records"),
            )

        return await self._database.read(query)

    async def forget(self, person_id: int, pseudonym: str, level: str) -> None:
        """Delete what is the person's alone, and put a stranger in their place elsewhere.

        Every table that this changes gets a line ``forget``: by its revision, whoever holds the
        table in memory notices that it has changed.

        :param pseudonym: the name in games of the past.
        :param level: of the computer player that waits in the person's seat at parked tables.
        :raises StillAtTable: the person plays at a table, or sits in a lobby.
        """
        stranger = -1 - secrets.randbits(62)

        def change(db: Database) -> None:
            _refuse_while_playing(db, person_id)
            changed = _tables_with(db, person_id)
            db.execute(
                """UPDATE members SET level = ?, resigned = 1
                WHERE person_id = ? AND level IS NULL
                    AND table_id IN (SELECT id FROM tables WHERE status = 'parked')""",
                [level, person_id],
            )
            db.execute("UPDATE members SET name = ? WHERE person_id = ?", [pseudonym, person_id])
            for table, column in RENUMBERED:
                db.execute(
                    f"UPDATE {table} SET {column} = ? WHERE {column} = ?",  # noqa: S608
                    [stranger, person_id],
                )
            for table, column, key in WRITTEN:
                changed |= _replace_in_texts(db, table, column, key, person_id, stranger)
            for table in DELETED:
                db.execute(f"DELETE FROM {table} WHERE person_id = ?", [person_id])  # noqa: S608
            for table_id in sorted(changed):
                _add_line(db, table_id)

        await self._database.write(change)


RENUMBERED = (
    ("members", "person_id"),
    ("tables", "host_id"),
    ("journal", "person_id"),
    ("votes", "asked_by"),
    ("turns", "person_id"),
)
"""Tables and columns where others' games would lose their sense without a number."""

WRITTEN = (
    ("journal", "text", "number"),
    ("votes", "subject", "asked"),
    ("votes", "answers", "asked"),
)
"""Tables and columns where people stand in plain data, and what a table's row goes by."""

DELETED = (
    *("people", "messages", "records", "unlisted", "followers", "plans", "hurried", "barred"),
    "offers",
)
"""Tables whose rows are the person's alone, by ``person_id``."""

OF_A_TABLE = ("followers", "plans", "hurried", "barred", "offers")
"""Those of ``DELETED`` that belong to what is loaded of a table."""


def _refuse_while_playing(db: Database, person_id: int) -> None:
    playing = db.execute(
        """SELECT 1 FROM members JOIN tables ON tables.id = members.table_id
        WHERE members.person_id = ? AND members.level IS NULL
            AND tables.status IN ('lobby', 'running')""",
        [person_id],
    ).fetchone()
    if playing:
        raise StillAtTable(person_id)


def _tables_with(db: Database, person_id: int) -> set[int]:
    """The tables of which rows go by the person's number."""
    columns = [*RENUMBERED, *((table, "person_id") for table in OF_A_TABLE)]
    found: set[int] = set()
    for table, column in columns:
        key = "id" if table == "tables" else "table_id"
        records = db.execute(
            f"SELECT DISTINCT {key} FROM {table} WHERE {column} = ?",  # noqa: S608
            [person_id],
        )
        found |= {table_id for (table_id,) in records.fetchall()}
    return found


def _replace_in_texts(
    db: Database, table: str, column: str, key: str, old: int, new: int
) -> set[int]:
    """Put one number in place of another where it stands in plain data.

    :returns: the tables that this has changed.
    """
    moves = "AND kind NOT IN ('move', 'draw')" if table == "journal" else ""
    records = db.execute(
        f"""SELECT table_id, {key}, {column} FROM {table}
        WHERE {column} LIKE ? {moves}""",  # noqa: S608
        [f"%{old}%"],
    ).fetchall()
    changed: set[int] = set()
    for table_id, row, text in records:
        replaced = re.sub(rf"(?<!\d){old}(?!\d)", str(new), text)
        if replaced != text:
            changed.add(table_id)
            db.execute(
                f"UPDATE {table} SET {column} = ? WHERE table_id = ? AND {key} = ?",  # noqa: S608
                [replaced, table_id, row],
            )
    return changed


def _add_line(db: Database, table_id: int) -> None:
    # At the time of the last change, so that no trace is left of when the person went.
    db.execute(
        """INSERT INTO journal (table_id, number, kind, text, at)
        SELECT id, revision + 1, 'forget', '', moved_at FROM tables WHERE id = ?""",
        [table_id],
    )
    db.execute(
        """UPDATE tables SET revision = revision + 1,
            told = CASE WHEN told = revision THEN told + 1 ELSE told END
        WHERE id = ?""",
        [table_id],
    )
