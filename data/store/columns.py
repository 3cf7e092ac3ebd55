"""How rows stand in the database: each field of a dataclass in a column of its name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from types import NoneType
from typing import Any, Final, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

from data.store.access import Database, ResultRow
from data.store.problems import Undecodable
from data.store.rows import Alarm, Span, Status

R = TypeVar("R")


def to_seconds(at: datetime) -> int:
    """A time as whole seconds since 1970.

    :raises ValueError: the time has no time zone.
    """
    if at.tzinfo is None:
        raise ValueError(f"{at} has no time zone")
    return int(at.timestamp())


def from_seconds(seconds: int) -> datetime:
    """Inverse of ``to_seconds``."""
    return datetime.fromtimestamp(seconds, UTC)


def json_text(value: Any) -> str:
    """Plain data as text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@contextmanager
def decoding(what: object) -> Iterator[None]:
    """Take what cannot be decoded inside the block for damage.

    :raises Undecodable: it cannot.
    """
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, OSError) as error:
        raise Undecodable(f"{what}: {error}") from error


def _object(text: str) -> dict[str, Any]:
    found = json.loads(text)
    if not isinstance(found, dict):
        raise TypeError(f"{text} is no object")
    return found


def _list_of(kind: type) -> Callable[[str], tuple[Any, ...]]:
    """Decodes a list of one kind of thing."""

    def decode(text: str) -> tuple[Any, ...]:
        found = tuple(json.loads(text))
        if not all(type(each) is kind for each in found):
            raise TypeError(f"{text} does not hold {kind.__name__} only")
        return found

    return decode


def _answers(text: str) -> tuple[tuple[int, str | None], ...]:
    found = tuple((person, said) for person, said in json.loads(text))
    if not all(type(person) is int and isinstance(said, str | None) for person, said in found):
        raise TypeError(f"{text} holds no answers")
    return found


CODECS: Final[Mapping[Any, tuple[Callable[[Any], Any], Callable[[Any], Any]]]] = {
    bool: (int, bool),
    datetime: (to_seconds, from_seconds),
    Status: (str, Status),
    Mapping[str, Any]: (json_text, _object),
    Mapping[Alarm, datetime]: (
        lambda alarms: json_text({a: to_seconds(alarms[a]) for a in Alarm if a in alarms}),
        lambda text: {Alarm(a): from_seconds(at) for a, at in json.loads(text).items()},
    ),
    tuple[int, ...]: (json_text, _list_of(int)),
    tuple[str, ...]: (json_text, _list_of(str)),
    tuple[Span, ...]: (
        lambda spans: json_text([list(map(to_seconds, span)) for span in spans]),
        lambda text: tuple((from_seconds(a), from_seconds(b)) for a, b in json.loads(text)),
    ),
    tuple[tuple[int, str | None], ...]: (json_text, _answers),
}
"""By the type of a field, the way into its column and back; all others stand there as they are."""


def _types_of(hint: Any) -> tuple[type, ...]:
    """The types that a column may hold for a field."""
    empty = (NoneType,) if hint == hint | None else ()
    if hint is float:
        return (float, int)  # whole numbers may come back as such
    kind = int if hint in (int, int | None, bool, datetime, datetime | None) else str
    return (kind, *empty)


class Kind(Generic[R]):
    """A kind of row, and the table of the database in which such rows stand.

    :param name: of the database's table.
    :param keys: how many fields of the dataclass ``row``, from the first, are its key.
    :param owner: a column of what the row belongs to, if anything: part of the key, too.
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
        self._types = {field: _types_of(hint) for field, hint in hints.items()}
        self._choices = {
            field: get_args(hint) for field, hint in hints.items() if get_origin(hint) is Literal
        }

    def rows(self, records: Iterable[ResultRow]) -> list[R]:
        """The rows that stand in records of their fields.

        :raises Undecodable: one of them is damaged.
        """
        with decoding(self.name):
            return [self._row_of(record) for record in records]

    def _row_of(self, record: ResultRow) -> R:
        values = dict(record)
        for field, types in self._types.items():
            if type(values[field]) not in types:
                raise TypeError(f"{field} cannot be {values[field]!r}")
        for field, choices in self._choices.items():
            if values[field] not in choices:
                raise ValueError(f"{field} cannot be {values[field]!r}")
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
        """The rows that meet a condition, behind which an order may stand.

        :raises Undecodable: one of them is damaged.
        """
        sql = f"SELECT {', '.join(self.fields)} FROM {self.name} WHERE {condition}"  # noqa: S608
        return self.rows(db.execute(sql, values).fetchall())

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
