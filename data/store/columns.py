"""How rows stand in the database: each field of a dataclass in a column of its name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Generic, TypeVar, get_type_hints

from data.store.access import Database, Record
from data.store.rows import Alarm, Status

R = TypeVar("R")


def seconds(at: datetime) -> int:
    """A time as whole seconds since 1970.

    :raises ValueError: the time has no time zone.
    """
    if at.tzinfo is None:
        raise ValueError(f"{at} has no time zone")
    return int(at.timestamp())


def moment(seconds: int) -> datetime:
    """Inverse of ``seconds``."""
    return datetime.fromtimestamp(seconds, UTC)


def json_text(value: Any) -> str:
    """Plain data as text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _alarms_text(alarms: Mapping[Alarm, datetime]) -> str:
    return json_text({alarm: seconds(alarms[alarm]) for alarm in Alarm if alarm in alarms})


def _alarms(text: str) -> dict[Alarm, datetime]:
    return {Alarm(alarm): moment(due_at) for alarm, due_at in json.loads(text).items()}


CODECS: Final[Mapping[Any, tuple[Callable[[Any], Any], Callable[[Any], Any]]]] = {
    bool: (int, bool),
    datetime: (seconds, moment),
    Status: (str, Status),
    Mapping[str, Any]: (json_text, json.loads),
    Mapping[Alarm, datetime]: (_alarms_text, _alarms),
    tuple[int, ...]: (json_text, lambda text: tuple(json.loads(text))),
    tuple[str, ...]: (json_text, lambda text: tuple(json.loads(text))),
    tuple[tuple[int, str | None], ...]: (
        json_text,
        lambda text: tuple((person, said) for person, said in json.loads(text)),
    ),
}
"""By the type of a field, the way into its column and back; all others stand there as they are."""


class Kind(Generic[R]):
    """A kind of row, and the table of the database in which such rows stand.

    :param name: of the database's table.
    :param row: the dataclass.
    :param keys: how many of its fields, from the first, tell one row from the others.
    :param owner: the column that says to what a row belongs, if it does: part of its key.
    """

    def __init__(self, name: str, row: Callable[..., R], keys: int = 1, *owner: str) -> None:
        self.name = name
        hints = get_type_hints(row)
        self.fields = tuple(hints)
        self.columns = (*owner, *hints)
        self.keys = self.columns[: len(owner) + keys]
        self._row = row
        self._codecs = {
            field: codec
            for field, hint in hints.items()
            for kind, codec in CODECS.items()
            if hint in (kind, kind | None)
        }

    def row(self, record: Record) -> R:
        """The row that stands in a record of its fields."""
        values = dict(record)
        for field, (_, read) in self._codecs.items():
            if values[field] is not None:
                values[field] = read(values[field])
        return self._row(**values)

    def record(self, row: R) -> list[Any]:
        """What stands in the columns of its fields for a row."""
        values = {field: getattr(row, field) for field in self.fields}
        for field, (write, _) in self._codecs.items():
            if values[field] is not None:
                values[field] = write(values[field])
        return list(values.values())

    def find(self, db: Database, condition: str, *values: Any) -> list[R]:
        """The rows that meet a condition, behind which an order may stand."""
        sql = f"SELECT {', '.join(self.fields)} FROM {self.name} WHERE {condition}"  # noqa: S608
        return [self.row(record) for record in db.execute(sql, values).fetchall()]

    def of(self, db: Database, key: int) -> R:
        """The row with a key; one of defaults if there is none."""
        found = self.find(db, f"{self.keys[0]} = ?", key)
        return found[0] if found else self._row(key)

    def delete(self, db: Database, keys: Iterable[Sequence[Any]]) -> None:
        """Delete the rows with some keys."""
        conditions = " AND ".join(f"{key} = ?" for key in self.keys)
        db.executemany(f"DELETE FROM {self.name} WHERE {conditions}", keys)  # noqa: S608

    def insert(self, db: Database, records: Iterable[Sequence[Any]]) -> None:
        """Write records of all columns."""
        columns, marks = ", ".join(self.columns), ", ".join("?" * len(self.columns))
        db.executemany(f"INSERT INTO {self.name} ({columns}) VALUES ({marks})", records)  # noqa: S608

    def put(self, db: Database, rows: Iterable[R], *owner: int) -> None:
        """Write rows in place of those with the same keys."""
        records = [(*owner, *self.record(row)) for row in rows]
        self.delete(db, [record[: len(self.keys)] for record in records])
        self.insert(db, records)
