"""Packs the journals of tables that ended long ago: compresses them to a fraction of their size.

A pack holds the first lines of a table's journal. Later lines, such as an analysis, stay in the
table ``journal`` until they are packed as well. Code that loads a table need not know whether it is
packed.
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
"""The maximum number of tables that a query returns."""

DUE = "status IN ('finished', 'ended') AND packed_to < revision AND moved_at <= ?"
"""The condition for packing a table; the index ``tables_to_pack`` supports it."""

RISING = ("number", "at")
"""Columns that are packed as differences between consecutive lines."""


class PackingRepository(Repository):
    """Packs journals, one table per transaction."""

    async def due(self, before: datetime) -> AsyncIterator[int]:
        """Yield the tables that this process serves and that should be packed, least recently
        changed first.

        :param before: only tables that were over at this time.
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

        :param before: do nothing unless the table was over at this time.
        :returns: whether the journal was packed.
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
    """Return the whole journal of a table, including packed lines."""
    pack = db.execute("SELECT lines FROM packed WHERE table_id = ?", [table_id]).fetchone()
    later = JOURNAL.load(db, table_id)
    return (*(unpacked(pack["lines"]) if pack else ()), *later)


def put_back(db: Database, table_id: int) -> None:
    """Unpack a table's lines into ``journal``, where they can be changed."""
    pack = db.execute("DELETE FROM packed WHERE table_id = ? RETURNING lines", [table_id])
    for (content,) in pack.fetchall():
        JOURNAL.add(db, table_id, unpacked(content))
        db.execute("UPDATE tables SET packed_to = 0 WHERE id = ?", [table_id])


def packed_lines(
    db: Database, tables: range, number: int
) -> Iterator[tuple[int, tuple[Line, ...]]]:
    """For each pack whose text contains a number, yield the table's id and the unpacked lines.

    :param tables: the range of table ids to search.
    """
    packs = db.execute(
        "SELECT table_id, lines FROM packed WHERE table_id BETWEEN ? AND ?",
        [tables[0], tables[-1]],
    )
    for table_id, content in packs:
        if str(number) in _text(content):
            yield table_id, unpacked(content)


# ------------------------------------------------------------------------------- packs
def packed(lines: Sequence[Line]) -> bytes:
    """Compress lines of a journal, as JSON with a list of values per column, because similar values
    compress better when they are next to each other.
    """
    records = [JOURNAL.record(line) for line in lines]
    columns = dict(zip(JOURNAL.fields, map(list, zip(*records, strict=True)), strict=True))
    for name in RISING:
        columns[name] = [late - early for early, late in pairwise([0, *columns[name]])]
    return zlib.compress(json_text(columns).encode(), 9)


def unpacked(content: bytes) -> tuple[Line, ...]:
    """Decompress the lines that ``packed`` compressed.

    :raises Undecodable: the content is damaged.
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
