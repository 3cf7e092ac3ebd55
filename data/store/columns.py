"""How rows map to the database: each field of a dataclass has a column with the same name."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from types import NoneType
from typing import Any, Final, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

from data.store.access import Database, ResultRow
from data.store.problems import Undecodable
from data.store.rows import Alarm, Span, Status

R = TypeVar("R")


def to_seconds(at: datetime) -> int:
    """Return a time as whole seconds since 1970 (UTC).

    :raises ValueError: the time has no time zone.
    """
    if at.tzinfo is None:
        raise ValueError(f"{at} has no time zone")
    return int(at.timestamp())


def from_seconds(seconds: int) -> datetime:
    """Return the time that ``to_seconds`` turned into this number."""
    return datetime.fromtimestamp(seconds, UTC)


def json_text(value: Any) -> str:
    """Return plain data as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@contextmanager
def decoding(what: object) -> Iterator[None]:
    """Inside the block, turn decoding errors into ``Undecodable``, which means that the data are
    damaged.

    :param what: the thing being decoded, for the error text.
    :raises Undecodable: something in the block cannot be decoded.
    """
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, OSError) as error:
        raise Undecodable(f"{what}: {error}") from error


def _object(text: str) -> dict[str, Any]:
    found = json.loads(text)
    if not isinstance(found, dict):
        raise TypeError(f"{text} is not an object")
    return found


def _list_of(kind: type) -> Callable[[str], tuple[Any, ...]]:
    """Return a decoder of a JSON list whose items all have the same type."""

    def decode(text: str) -> tuple[Any, ...]:
        found = tuple(json.loads(text))
        if not all(type(each) is kind for each in found):
            raise TypeError(f"{text} contains something other than {kind.__name__}")
        return found

    return decode


def _answers(text: str) -> tuple[tuple[int, str | None], ...]:
    found = tuple((person, said) for person, said in json.loads(text))
    if not all(type(person) is int and isinstance(said, str | None) for person, said in found):
        raise TypeError(f"{text} is not a list of answers")
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
"""How to encode and decode the values of fields with these types. Values of all other types are
stored unchanged.
"""


def _types_of(hint: Any) -> tuple[type, ...]:
    """Return the types that a column may contain for a field with this type hint."""
    empty = (NoneType,) if hint == hint | None else ()
    if hint is float:
        return (float, int)  # the database may return whole numbers as int
    kind = int if hint in (int, int | None, bool, datetime, datetime | None) else str
    return (kind, *empty)


class Kind(Generic[R]):
    """A kind of row, and the database table that contains such rows.

    :param name: the name of the database table.
    :param keys: how many of the dataclass's first fields form the key.
    :param owner: the column that names the row's owner, if rows of this kind have owners; it is
        also part of the key.
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
        """Decode rows.

        :param records: rows of a result with a column for each field.
        :raises Undecodable: a row is damaged.
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

    def changes(self, before: R, after: R) -> dict[str, Any]:
        """Return, by field, the encoded values in which ``after`` differs from ``before``."""
        found = {}
        for field in self.fields:
            value = getattr(after, field)
            if value != getattr(before, field):
                codec = self._codecs.get(field)
                found[field] = value if codec is None or value is None else codec[0](value)
        return found

    def record(self, row: R) -> list[Any]:
        """Return a row as encoded values, in the order of ``fields``."""
        values = {field: getattr(row, field) for field in self.fields}
        for field, (write, _) in self._codecs.items():
            if values[field] is not None:
                values[field] = write(values[field])
        return list(values.values())

    def find(self, db: Database, condition: str, *values: Any) -> list[R]:
        """Return the rows that meet a condition.

        :param condition: SQL, which may end with ``ORDER BY`` and ``LIMIT``.
        :param values: the parameters of the condition.
        :raises Undecodable: a row is damaged.
        """
        sql = f"SELECT {', '.join(self.fields)} FROM {self.name} WHERE {condition}"  # noqa: S608
        return self.rows(db.execute(sql, values).fetchall())

    def of(self, db: Database, key: int) -> R:
        """Return the row with this key, or a row of defaults."""
        found = self.find(db, f"{self.keys[0]} = ?", key)
        return found[0] if found else self._row(key)

    def all_of(self, db: Database, keys: Collection[int]) -> dict[int, R]:
        """Return the rows with these keys, using one statement; each missing row is replaced with a
        row of defaults.
        """
        found = {key: self._row(key) for key in keys}
        if keys:
            condition = f"{self.keys[0]} IN ({', '.join('?' * len(keys))})"
            found |= {getattr(row, self.keys[0]): row for row in self.find(db, condition, *keys)}
        return found

    def delete(self, db: Database, keys: Iterable[Sequence[Any]]) -> None:
        """Delete the rows with these keys."""
        conditions = " AND ".join(f"{key} = ?" for key in self.keys)
        db.executemany(f"DELETE FROM {self.name} WHERE {conditions}", keys)  # noqa: S608

    def insert(self, db: Database, records: Iterable[Sequence[Any]]) -> None:
        """Insert records, each of which has a value for every column in ``columns``."""
        columns, marks = ", ".join(self.columns), ", ".join("?" * len(self.columns))
        db.executemany(f"INSERT INTO {self.name} ({columns}) VALUES ({marks})", records)  # noqa: S608

    def put(self, db: Database, rows: Iterable[R], *owner: int) -> None:
        """Insert rows, replacing those with the same keys.

        :param owner: the owner of the rows, if rows of this kind have owners.
        """
        records = [(*owner, *self.record(row)) for row in rows]
        self.delete(db, [record[: len(self.keys)] for record in records])
        self.insert(db, records)
