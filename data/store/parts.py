"""The parts of a table: rows that are loaded and committed together with the table's own row."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import make_dataclass
from typing import Any, Generic, TypeVar

from data.store.access import Database, ResultRow
from data.store.columns import Kind
from data.store.rows import Line, MemberRow, OfferRow, PlanRow, Stored, TurnRow, VoteRow

R = TypeVar("R")


class Part(Kind[R], Generic[R]):
    """A kind of row that belongs to a table; a field of ``Stored`` has the same name.

    :param order: the column to sort by. ``place`` is an extra column for the row's index among the
        table's rows. By default, rows are sorted by their first field.
    """

    def __init__(self, name: str, row: type[R], keys: int = 1, order: str | None = None) -> None:
        super().__init__(name, row, keys, "table_id")
        self._order = order or self.fields[0]
        self._placed = order == "place"
        if self._placed:
            self.columns = (*self.columns, "place")

    def load(self, db: Database, table_id: int) -> Collection[Any]:
        """Return the rows of a table, in order."""
        return tuple(self.find(db, f"table_id = ? ORDER BY {self._order}", table_id))

    def add(self, db: Database, table_id: int, rows: Collection[R]) -> None:
        """Insert new rows."""
        self.insert(db, self._records(table_id, rows))

    def rewrite(self, db: Database, before: Stored, after: Stored) -> None:
        """Write only what has changed. Old rows are deleted first, because new rows may use their
        keys.
        """
        old, new = self._rows(before), self._rows(after)
        if old is new:
            return
        known, wanted = (self._records(before.row.id, rows) for rows in (old, new))
        gone = [record for record in known if record not in wanted]
        self.delete(db, [record[: len(self.keys)] for record in gone])
        self.insert(db, [record for record in wanted if record not in known])

    def _rows(self, table: Stored) -> Collection[R]:
        rows: Collection[R] = getattr(table, self.name)
        return rows

    def _records(self, table_id: int, rows: Collection[R]) -> dict[tuple[Any, ...], None]:
        """Return the records in order, as keys of a dict, so that they can be looked up quickly."""
        return {
            (table_id, *self.record(row), *([place] if self._placed else [])): None
            for place, row in enumerate(rows)
        }


class _Numbers(Part[Any]):
    """A part whose rows are single numbers: a ``person_id`` or a ``mark``."""

    def __init__(self, name: str, column: str) -> None:
        super().__init__(name, make_dataclass(column, [(column, int)]))

    def _row_of(self, record: ResultRow) -> int:
        (field,) = self.fields
        number = record[field]
        if type(number) is not int:
            raise TypeError(f"{number!r} is not an integer")
        return int(number)

    def record(self, row: int) -> list[Any]:
        return [row]

    def load(self, db: Database, table_id: int) -> Collection[int]:
        return frozenset(super().load(db, table_id))


JOURNAL = Part("journal", Line)
MEMBERS = Part("members", MemberRow)

PARTS: tuple[Part[Any], ...] = (
    MEMBERS,
    Part("votes", VoteRow),
    Part("turns", TurnRow, 2, "place"),
    Part("plans", PlanRow),
    Part("offers", OfferRow),
    *(_Numbers(name, "person_id") for name in ("hurried", "followers", "muted")),
    _Numbers("barred", "mark"),
)
"""All parts except the journal, which is handled separately because it only grows."""
