"""Opens the database file: checks that it is the bot's and undamaged, and brings it up to date.

A refused file is left unchanged, apart from what ``untouching`` has to recover. A file of an older
version is first copied to a backup next to it, then migrated by the numbered scripts in
``migrations``, all in one transaction. If SQL alone cannot convert the content, a function runs
after the script. PostgreSQL runs the same scripts and functions (``postgres.py``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count
from pathlib import Path
from typing import Any

from data.private import create_private
from data.store.access import Database
from data.store.database import (
    PATIENCE,
    Connection,
    connect,
    connect_in_memory,
    copy_database,
    doubting,
    refuse_foreign_journal,
    sqlite_problems,
    statements,
    transaction,
    untouching,
)
from data.store.problems import (
    DamagedFile,
    ForeignFile,
    NewerSchema,
    TransferUnfinished,
    UnreleasedSchema,
)

APPLICATION_ID = 0x54616672
"""The application id that marks an SQLite file as the bot's: "Tafr" in ASCII."""

UNRELEASED = 0x5461666C
"""The application id of files from before the first release: "Tafl"."""

MAGIC = b"SQLite format 3\0"
"""The first bytes of every SQLite file."""

TRANSFER = "transfer"
"""A table that exists only while a transfer is filling the database; nobody else may use the
database then.
"""

MIGRATIONS = Path(__file__).parent / "migrations"


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema, from ``version - 1`` to ``version``.

    :param script: SQL; each statement begins on a new line.
    :param transform: converts content after the script has run, in the same transaction.
    """

    version: int
    script: str
    transform: Callable[[Database], None] | None = None

    @property
    def oldest(self) -> int:
        """The oldest version of the program that can still use this schema. A script declares it
        with a line such as ``-- oldest: 1``; without that line, it is the migration's own version.
        """
        declared = re.search(r"^-- oldest: (\d+)$", self.script, re.MULTILINE)
        return self.version if declared is None else int(declared[1])


TRANSFORMS: Mapping[int, Callable[[Database], None]] = {}
"""The function that runs after a script, by version."""


def read_migrations(folder: Path = MIGRATIONS) -> list[Migration]:
    """Read all migrations in order; ``0001_first.sql`` leads to version 1.

    :raises ValueError: the numbers of the files are not 1, 2, 3...
    """
    files = sorted(folder.glob("*.sql"))
    numbers = [int(file.name.split("_")[0]) for file in files]
    if numbers != list(range(1, len(files) + 1)):
        raise ValueError(f"migrations must be numbered without gaps: {numbers}")
    return [
        Migration(number, file.read_text("utf-8"), TRANSFORMS.get(number))
        for number, file in zip(numbers, files, strict=True)
    ]


def oldest_beside(migrations: Sequence[Migration]) -> int:
    """Return the oldest version of the program that can still use the schema that these migrations
    build.
    """
    return max((migration.oldest for migration in migrations), default=0)


@contextmanager
def built(migrations: Sequence[Migration]) -> Iterator[Connection]:
    """Run these migrations on an empty database in memory, and lend that database to the block."""
    with closing(connect_in_memory()) as model:
        for migration in migrations:
            _run(model, migration)
        yield model


@dataclass(frozen=True, slots=True)
class Model:
    """The tables that a database should contain.

    :param schema: the rows of ``sqlite_master``.
    """

    schema: frozenset[tuple[object, ...]]
    columns: Mapping[str, frozenset[str]]


@lru_cache(maxsize=32)
def model_of(migrations: tuple[Migration, ...]) -> Model:
    """Return the tables that these migrations build; cached, because building them is slow."""
    with built(migrations) as db:
        return Model(_schema(db), columns(db))


def open_database(
    path: Path,
    migrations: Sequence[Migration],
    patience: float = PATIENCE,
    *,
    filling: bool = False,
) -> Connection:
    """Open or create the database file and migrate it to the newest version.

    :param patience: seconds to wait for another process that holds the file.
    :param filling: whether to accept a file that a transfer is filling.
    :raises StoreProblem: the file cannot be used; it is unchanged.
    """
    with sqlite_problems(path):
        path = path.resolve()  # SQLite keeps journals beside the file itself, not beside a symlink
        if path.exists() and path.stat().st_size:
            path.open("r+b").close()  # fail now rather than when somebody moves
            examine(path, len(migrations), patience)
            _refuse_other_schema(path, migrations, patience, filling)
        with suppress(FileExistsError):
            create_private(path)
        db = connect(path, "mode=rw", patience)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA secure_delete = ON")  # deleted content leaves no trace in the file
            _upgrade(db, path, migrations)
            db.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            db.close()
            raise
        return db


def open_reader(path: Path, patience: float = PATIENCE) -> Connection:
    """Return a read-only connection to a database that another connection has opened.

    :raises StoreProblem: the file cannot be used.
    """
    with sqlite_problems(path, opening=True):
        db = connect(path.resolve(), "mode=rw", patience)
        db.execute("PRAGMA query_only = ON")
        return db


def examine(path: Path, newest: int, patience: float = PATIENCE, *, thorough: bool = False) -> None:
    """Refuse a file that is not the bot's, is damaged, is newer than this program, or is from
    before the first release. The file is not changed, except as ``untouching`` says.

    :param newest: the newest version of the schema that this program knows.
    :param patience: seconds to wait for another process that holds the file.
    :param thorough: whether to also compare indexes with their tables, and refuse a blank database.
    :raises StoreProblem: ``ForeignFile``, ``ForeignJournal``, ``NewerSchema``,
        ``UnreleasedSchema``, ``DamagedFile``, or the reason why the file cannot be read.
    """
    with sqlite_problems(path, opening=True):
        with path.open("rb") as content:
            if content.read(len(MAGIC)) != MAGIC:
                raise ForeignFile(path)
        refuse_foreign_journal(path)
        _examine_content(path, newest, patience, thorough)


def _examine_content(path: Path, newest: int, patience: float, thorough: bool) -> None:
    with closing(untouching(path, patience)) as db:
        mark, version = _pragma(db, "application_id"), _pragma(db, "user_version")
        # If the process died while creating a database, the database is blank.
        blank = mark == version == 0 and not db.execute("SELECT 1 FROM sqlite_master").fetchone()
        if mark == UNRELEASED:
            raise UnreleasedSchema(path)
        if mark != APPLICATION_ID and (thorough or not blank):
            raise ForeignFile(path)
        if version > newest:
            raise NewerSchema(path)
        verdict = _pragma(db, "integrity_check(1)" if thorough else "quick_check(1)")
        if verdict != "ok":
            raise DamagedFile(path, verdict)


def _refuse_other_schema(
    path: Path, migrations: Sequence[Migration], patience: float, filling: bool
) -> None:
    """Refuse a file that a transfer has not finished filling, or whose tables are not those of its
    version. Extra objects such as an index are accepted, but not tables that only a later version
    has.
    """
    newest = model_of(tuple(migrations))
    with closing(untouching(path, patience)) as db:
        version, there = _pragma(db, "user_version"), columns(db)
        if TRANSFER in there and not filling:
            raise TransferUnfinished(path)
        if version == len(migrations):
            sound = newest.schema <= _schema(db)
        else:
            due = model_of(tuple(migrations[:version])).columns
            later = newest.columns.keys() - due.keys()
            sound = not version or (not later & there.keys() and due.items() <= there.items())
        if not sound:
            raise DamagedFile(path, "its tables are not those of this bot")


def columns(db: Connection) -> dict[str, frozenset[str]]:
    """Return the columns of each table."""
    tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {
        name: frozenset(column[1] for column in db.execute(f'PRAGMA table_info("{name}")'))
        for (name,) in tables
    }


def _schema(db: Connection) -> frozenset[tuple[object, ...]]:
    found = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
    return frozenset(tuple(record) for record in found)


def _upgrade(db: Connection, path: Path, migrations: Sequence[Migration]) -> None:
    """Run the missing migrations, after backing up a file of an older version. Foreign keys are not
    enforced while the migrations run, so that scripts can rebuild tables.
    """
    old = _pragma(db, "user_version")
    backup = _back_up(path, old) if 0 < old < len(migrations) else None
    try:
        # Even if there is nothing to run, the transaction proves that no other process has locked
        # the file.
        with doubting(db, path), transaction(db):
            for migration in migrations[_pragma(db, "user_version") :]:
                _run(db, migration)
            if backup and db.execute("PRAGMA foreign_key_check").fetchone():
                raise DamagedFile(path, "a row refers to one that is missing")
    except BaseException as error:
        if backup:
            backup.unlink()  # nothing has changed, so nobody needs the backup
        if isinstance(error, ValueError):  # a transform found invalid JSON
            raise DamagedFile(path, error) from error
        raise


def _run(db: Connection, migration: Migration) -> None:
    for statement in statements(migration.script):
        db.execute(statement)
    if migration.transform is not None:
        migration.transform(db)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {migration.version}")


def _back_up(path: Path, version: int) -> Path:
    """Copy the file to ``<name>.v<version>.backup``, adding a number if that name is in use."""
    stem = f"{path.name}.v{version}"
    names = chain([f"{stem}.backup"], (f"{stem}.{number}.backup" for number in count(2)))
    target = next(target for name in names if not (target := path.with_name(name)).exists())
    copy_database(path, target)
    return target


def _pragma(db: Connection, name: str) -> Any:
    return db.execute(f"PRAGMA {name}").fetchone()[0]
