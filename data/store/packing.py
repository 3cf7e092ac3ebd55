"""The journals of tables that have been over for long, packed: they take a fraction of the room.

A pack holds the lines of a table from the first one on. What comes later, such as an analysis,
stands in the journal until it is packed, too. Whoever loads a table notices nothing of it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import datetime
from itertools import accumulate, pairwise

from data.store.access import Database, Repository
from data.store.columns import decoding, json_text, to_seconds
from data.store.parts import JOURNAL
from data.store.problems import Undecodable
from data.store.rows import Line

PAGE = 500
"""So many tables are looked for at a time."""

DUE = "status IN ('finished', 'ended') AND packed_to < revision AND moved_at <= ?"
"""What is to be packed; the index ``tables_to_pack`` holds it."""

RISING = ("number", "at")
"""Columns of which only the differences are kept."""


class PackingRepository(Repository):
    """Packs, one table in each transaction."""

    async def due(self, before: datetime) -> AsyncIterator[int]:
        """The tables of this process that are to be packed, longest over first.

        :param before: those that have not changed since.
        """
        sql = f"""SELECT moved_at, id FROM tables
            WHERE {DUE} AND (moved_at, id) > (?, ?) AND {self._database.served.condition()}
            ORDER BY moved_at, id LIMIT {PAGE}"""  # noqa: S608
        last: tuple[int, int] | None = (0, 0)
        while last is not None:
            found = await self._database.fetch(sql, to_seconds(before), *last)
            last = (found[-1]["moved_at"], found[-1]["id"]) if len(found) == PAGE else None
            for record in found:
                yield record["id"]

    async def pack(self, table_id: int, before: datetime) -> bool:
        """Pack the journal of a table.

        :param before: as in ``due``.
        :returns: false if there is nothing to pack, or somebody else was faster.
        """

        def change(db: Database) -> bool:
            due = f"SELECT revision FROM tables WHERE id = ? AND {DUE}"  # noqa: S608
            found = db.execute(due, [table_id, to_seconds(before)]).fetchone()
            if found is None:
                return False
            lines = journal_of(db, table_id)
            if [line.number for line in lines] != [*range(1, found["revision"] + 1)]:
                raise Undecodable(f"lines of table {table_id} are missing")
            content = packed(lines)
            if unpacked(content) != lines:
                raise ValueError(f"the journal of table {table_id} cannot be packed")
            db.execute("DELETE FROM packed WHERE table_id = ?", [table_id])
            db.execute("INSERT INTO packed (table_id, lines) VALUES (?, ?)", [table_id, content])
            db.execute("DELETE FROM journal WHERE table_id = ?", [table_id])
            db.execute("UPDATE tables SET packed_to = revision WHERE id = ?", [table_id])
            return True

        return await self._database.write(change)


# ------------------------------------------------------------- parts of the transactions
def journal_of(db: Database, table_id: int) -> tuple[Line, ...]:
    """The whole journal of a table, wherever its lines stand."""
    pack = db.execute("SELECT lines FROM packed WHERE table_id = ?", [table_id]).fetchone()
    later = JOURNAL.load(db, table_id)
    return (*(unpacked(pack["lines"]) if pack else ()), *later)


def put_back(db: Database, table_id: int) -> None:
    """Let all lines of a table stand in the journal, to be changed there."""
    pack = db.execute("DELETE FROM packed WHERE table_id = ? RETURNING lines", [table_id])
    for (content,) in pack.fetchall():
        JOURNAL.add(db, table_id, unpacked(content))
        db.execute("UPDATE tables SET packed_to = 0 WHERE id = ?", [table_id])


def packed_lines(
    db: Database, tables: range, number: int
) -> Iterator[tuple[int, tuple[Line, ...]]]:
    """The packed lines of those of some tables in whose packs a number stands somewhere."""
    packs = db.execute(
        "SELECT table_id, lines FROM packed WHERE table_id BETWEEN ? AND ?",
        [tables[0], tables[-1]],
    )
    for table_id, content in packs:
        if str(number) in _text(content):
            yield table_id, unpacked(content)


# ------------------------------------------------------------------------------- packs
def packed(lines: Sequence[Line]) -> bytes:
    """Lines of a journal as compressed JSON: a list of values for each column, because those of one
    column are alike.
    """
    records = [JOURNAL.record(line) for line in lines]
    columns = dict(zip(JOURNAL.fields, map(list, zip(*records, strict=True)), strict=True))
    for name in RISING:
        columns[name] = [late - early for early, late in pairwise([0, *columns[name]])]
    return zlib.compress(json_text(columns).encode(), 9)


def unpacked(content: bytes) -> tuple[Line, ...]:
    """Inverse of ``packed``.

    :raises Undecodable: it is damaged.
    """
    with decoding("packed"):
        columns = json.loads(_text(content))
        for name in RISING:
            columns[name] = accumulate(columns[name])
        records = zip(*columns.values(), strict=True)
        return tuple(JOURNAL.rows(dict(zip(columns, values, strict=True)) for values in records))


def _text(content: bytes) -> str:
    try:
        return zlib.decompress(content).decode()
    except (zlib.error, ValueError, TypeError) as error:
        raise Undecodable(f"packed: {error}") from error
