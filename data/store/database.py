"""The store's SQLite file: claiming, connecting, transactions, copying, errors.

No other module of the bot imports ``sqlite3``.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path

from data.private import create_private
from data.store.place import Place
from data.store.problems import (
    BackupExists,
    DamagedFile,
    DiskFailure,
    DiskFull,
    ForeignFile,
    ForeignJournal,
    StoreBusy,
    StoreProblem,
    StoreTaken,
    StoreUnwritable,
    Undecodable,
)

if sys.platform != "win32":
    import fcntl

PATIENCE = 5.0
"""Seconds to wait for another process that holds the database."""

STEP = 0.05
"""Seconds between two attempts to claim a database or to connect to it."""

JOURNALS = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps beside a database."""

Connection = sqlite3.Connection


PROBLEMS: dict[int, type[StoreProblem]] = {
    sqlite3.SQLITE_BUSY: StoreBusy,
    sqlite3.SQLITE_LOCKED: StoreBusy,
    sqlite3.SQLITE_FULL: DiskFull,
    sqlite3.SQLITE_READONLY: StoreUnwritable,
    sqlite3.SQLITE_CANTOPEN: StoreUnwritable,
    sqlite3.SQLITE_PERM: StoreUnwritable,
    sqlite3.SQLITE_AUTH: StoreUnwritable,
    sqlite3.SQLITE_IOERR: DiskFailure,
    sqlite3.SQLITE_CORRUPT: DamagedFile,
    sqlite3.SQLITE_NOTADB: ForeignFile,
}
"""The problem of the store for each primary result code of SQLite that does not point to a bug in
our statements.
"""


@contextmanager
def sqlite_problems(path: Place, *, opening: bool = False) -> Iterator[None]:
    """Turn errors of SQLite and of the file system inside the block into store problems.

    An SQLite error that is not in ``PROBLEMS`` (a violated constraint, bad SQL) is a bug in this
    program, not a fault of the file, and passes through.

    :param opening: whether the file is being opened. Our statements work on every undamaged file,
        so while it is being opened, any other SQLite error also means damage.
    """
    try:
        yield
    except OSError as error:
        raise StoreUnwritable(path, error.strerror) from error
    except UnicodeDecodeError as error:  # SQLite returned damaged bytes as text
        raise DamagedFile(path, error.reason) from error
    except Undecodable as error:
        raise DamagedFile(path, error) from error
    except sqlite3.Error as error:
        code: int | None = getattr(error, "sqlite_errorcode", None)
        # An operational error without a code comes from Python: SQLite's text was not UTF-8.
        undecoded = code is None and isinstance(error, sqlite3.OperationalError)
        problem = PROBLEMS.get((code or 0) & 0xFF, DamagedFile if opening or undecoded else None)
        if problem is None:
            raise
        raise problem(path, error) from error


class FileClaim:
    """The exclusive use of a database by one process: a lock on the file ``<name>-lock`` beside it.

    The system releases the lock when the process dies, however that happens; a leftover lock file
    has no effect. Windows has no such locks, so nothing is claimed there.

    :param patience: seconds to wait for another process to release its claim.
    :raises StoreTaken: another process has claimed the database.
    :raises StoreUnwritable: the lock file cannot be created.
    """

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        with sqlite_problems(path):
            # a process that opens the database through a symlink must find the same lock
            path = path.resolve()
            self._file = path.with_name(f"{path.name}-lock")
            self._descriptor: int | None = None
            if sys.platform != "win32":
                end = time.monotonic() + patience
                while (descriptor := _locked(self._file)) is None:
                    if time.monotonic() >= end:
                        raise StoreTaken(path)
                    time.sleep(STEP)
                self._descriptor = descriptor

    def close(self) -> None:
        """Release the claim. Closing again does nothing."""
        if self._descriptor is None:
            return
        # A lock file that cannot be deleted blocks nobody.
        with suppress(OSError):
            if _is(self._descriptor, self._file):
                self._file.unlink()
        os.close(self._descriptor)
        self._descriptor = None


if sys.platform != "win32":

    def _locked(file: Path) -> int | None:
        """Lock a file, creating it if needed.

        :returns: its descriptor; None if another process has locked it.
        """
        while True:
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # The previous holder may have deleted the file after we opened it.
                if _is(descriptor, file):
                    return descriptor
            except BlockingIOError:
                os.close(descriptor)
                return None
            except BaseException:
                os.close(descriptor)
                raise
            os.close(descriptor)


def _is(descriptor: int, file: Path) -> bool:
    """Return whether this path still leads to the open file."""
    try:
        return os.path.samestat(os.fstat(descriptor), file.stat())
    except FileNotFoundError:
        return False


def refuse_foreign_journal(path: Path) -> None:
    """Refuse a database if another database's journal is beside it.

    SQLite marks a database as using a ``-wal`` journal before it creates the journal, and leaves
    the mark for as long as the journal exists. A backup has no such mark, so a journal next to it
    belongs to another database, and SQLite would write that database's pages into the backup. (If
    the file does have the mark, there is no way to tell.)

    Do not call this in a process that has the database open, because closing the file would release
    SQLite's locks on it.

    :raises ForeignJournal: there is such a journal; nothing was changed.
    """
    file = path.resolve()
    journal = file.with_name(f"{file.name}-wal")
    # Look for the journal first: a journal that already exists was created after its database was
    # marked.
    if not (journal.exists() and journal.stat().st_size):
        return
    with path.open("rb") as content:
        if content.read(20)[18:] == b"\1\1":
            raise ForeignJournal(path)


def connect(path: Path, query: str, patience: float = PATIENCE) -> sqlite3.Connection:
    """Open a database file; the caller begins and ends transactions.

    :param query: parameters of SQLite's URI filenames, such as ``mode=ro`` or ``mode=rwc``.
    :param patience: seconds to wait for a lock that another process holds.
    """
    uri = f"{path.absolute().as_uri()}?{query}"
    db = sqlite3.connect(uri, uri=True, timeout=patience, isolation_level=None)
    db.row_factory = sqlite3.Row
    return db


def connect_in_memory() -> sqlite3.Connection:
    """Return an empty database in memory, which is lost when it is closed."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.row_factory = sqlite3.Row
    return db


def statements(script: str) -> Iterator[str]:
    """Split a script into statements, each of which must end at the end of a line.

    ``executescript`` cannot be used, because it commits the current transaction first.
    """
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Run the block as one transaction: commit at its end, or roll back if it raises."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        # SQLite rolls back by itself after some errors, such as a full disk.
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextmanager
def doubting(db: sqlite3.Connection, path: Path) -> Iterator[None]:
    """If a change inside the block violates a constraint, check whether the database is damaged,
    because the check at every start does not compare indexes with their tables.

    :raises DamagedFile: the database is damaged.
    """
    try:
        yield
    except sqlite3.IntegrityError as error:
        verdict = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if verdict != "ok":
            raise DamagedFile(path, verdict) from error
        raise


@contextmanager
def snapshot(db: sqlite3.Connection) -> Iterator[None]:
    """Let every statement in the block see the same snapshot of the database."""
    db.execute("BEGIN")
    try:
        yield
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def untouching(path: Path, patience: float = PATIENCE) -> sqlite3.Connection:
    """Open a file that nobody is using, without writing to it or creating files next to it.

    There is one exception: if a writer left a journal behind, the content is complete only together
    with that journal, so SQLite has to recover it, as it would for any other program.
    """
    journals = [path.with_name(path.name + ending) for ending in ("-wal", "-journal")]
    unfinished = any(journal.exists() for journal in journals)
    return connect(path, "mode=rw" if unfinished else "mode=ro&immutable=1", patience)


def copy_database(source: Path, target: Path, *, in_use: bool = True) -> None:
    """Copy a snapshot of a database; other processes may keep reading and writing it.

    :param target: a new file. When this returns, the copy is complete and on disk; if it fails,
        there is no copy.
    :param in_use: whether other processes may be using the source; if not, it may be on a read-only
        disk.
    :raises StoreProblem: ``BackupExists`` if the target exists, otherwise the problem with one of
        the files.
    """
    # not opened read-only, because the last process to close a database must be able to delete its
    # journal
    way = partial(connect, query="mode=rw") if in_use else untouching
    with sqlite_problems(source), closing(way(source)) as reader:
        reader.execute("SELECT 1 FROM sqlite_master").fetchone()  # fails if it is not a database
        with sqlite_problems(target):
            try:
                create_private(target)
            except FileExistsError as error:
                raise BackupExists(target) from error
        try:
            with sqlite_problems(target), closing(connect(target, "mode=rw")) as copy:
                reader.backup(copy)
                # If the copy were in WAL mode like its source, it would need two more files beside
                # it.
                copy.execute("PRAGMA journal_mode = DELETE")
        except BaseException:
            target.unlink()
            raise
