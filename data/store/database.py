"""The SQLite file underneath the store: claiming, connecting, transactions, copying, errors.

No other module imports ``sqlite3``.
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
"""Seconds to wait for another process that holds the file."""

STEP = 0.05
"""Seconds between two attempts to claim a file."""

JOURNALS = ("-wal", "-shm", "-journal")
"""What SQLite appends to the name of a database for the files it keeps beside it."""

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
"""SQLite's primary result codes that are no fault of our statements."""


@contextmanager
def sqlite_problems(path: Place, *, opening: bool = False) -> Iterator[None]:
    """Turn the errors of SQLite and of the file system inside the block into store problems.

    An error of SQLite that ``PROBLEMS`` does not know (a violated constraint, bad SQL) is a fault
    of this program, not of the file, and passes through.

    :param opening: the file is being opened: with statements that work on every sound file, so that
        such an error is damage, too.
    """
    try:
        yield
    except OSError as error:
        raise StoreUnwritable(path, error.strerror) from error
    except UnicodeDecodeError as error:  # damage that SQLite has taken for text
        raise DamagedFile(path, error.reason) from error
    except Undecodable as error:
        raise DamagedFile(path, error) from error
    except sqlite3.Error as error:
        primary_code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        problem = PROBLEMS.get(primary_code, DamagedFile if opening else None)
        if problem is None:
            raise
        raise problem(path, error) from error


class FileClaim:
    """The sole use of a database by one process: a lock on the file ``<name>-lock`` beside it.

    The system releases the lock when the process dies, however it dies; a lock file that is left
    behind means nothing. Windows has no such locks: there nothing is claimed.

    :param patience: seconds to wait for another process to let go.
    :raises StoreTaken: another process has claimed the database.
    :raises StoreUnwritable: the lock file cannot be made.
    """

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        with sqlite_problems(path):
            path = path.resolve()  # whoever comes by a link meets the same lock
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
        """Let others claim the database. Closing again does nothing."""
        if self._descriptor is None:
            return
        # A file that cannot be removed any more holds nobody up.
        with suppress(OSError):
            if _is(self._descriptor, self._file):
                self._file.unlink()
        os.close(self._descriptor)
        self._descriptor = None


if sys.platform != "win32":

    def _locked(file: Path) -> int | None:
        """The descriptor of a file that is locked from now on; None: another process has it."""
        while True:
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # Whoever had the lock may have removed the file after it was opened here.
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
    """Whether an open file still has this name."""
    try:
        return os.path.samestat(os.fstat(descriptor), file.stat())
    except FileNotFoundError:
        return False


def refuse_foreign_journal(path: Path) -> None:
    """Refuse a database beside which the journal of another one was left.

    A database is marked as one with a ``-wal`` journal before there is any, and stays so as long
    as there is one. A backup is not marked: beside it such a journal is always another's, and
    SQLite would write that one's pages into it. (Of a marked file this cannot be known.)

    Not for a process that has the database open: closing a file drops the locks of SQLite on it.

    :raises ForeignJournal: there is such a journal; nothing was changed.
    """
    file = path.resolve()
    journal = file.with_name(f"{file.name}-wal")
    # In this order: by the time there is a journal, the mark is there.
    if not (journal.exists() and journal.stat().st_size):
        return
    with path.open("rb") as content:
        if content.read(20)[18:] == b"\1\1":
            raise ForeignJournal(path)


def connect(path: Path, query: str, patience: float = PATIENCE) -> sqlite3.Connection:
    """Open a database file, with transactions begun and ended by hand.

    :param query: how, in the words of SQLite's file names: ``mode=ro``, ``mode=rwc``...
    """
    uri = f"{path.absolute().as_uri()}?{query}"
    db = sqlite3.connect(uri, uri=True, timeout=patience, isolation_level=None)
    db.row_factory = sqlite3.Row
    return db


def connect_in_memory() -> sqlite3.Connection:
    """An empty database that is gone when it is closed."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.row_factory = sqlite3.Row
    return db


def statements(script: str) -> Iterator[str]:
    """Cut a script into statements, each of which ends with its line.

    ``executescript`` would commit the transaction under way before it begins.
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
    """Make everything in the block happen, durably, or nothing of it."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        # A full disk may have ended the transaction already.
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextmanager
def doubting(db: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Where a change breaks a rule of the database, see first whether that is damaged: indexes are
    not compared with their tables at every start.

    :raises DamagedFile: it is.
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
    """Let every statement in the block see the database as it is at one moment."""
    db.execute("BEGIN")
    try:
        yield
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def untouching(path: Path, patience: float = PATIENCE) -> sqlite3.Connection:
    """Open a file that is not in use so that nothing is written, neither to it nor beside it.

    Where a writer has left a journal, the content is only complete together with it, and SQLite
    must do its recovery, as any other program that opens the file would.
    """
    journals = [path.with_name(path.name + ending) for ending in ("-wal", "-journal")]
    unfinished = any(journal.exists() for journal in journals)
    return connect(path, "mode=rw" if unfinished else "mode=ro&immutable=1", patience)


def copy_database(source: Path, target: Path, *, in_use: bool = True) -> None:
    """Copy a database as it stands at one moment; others may go on reading and writing it.

    :param in_use: False: no other process uses the source, which may lie where it cannot be
        written.
    :param target: a new file, complete and on the disk when this returns, absent when it fails.
    :raises StoreProblem: ``BackupExists`` if there is such a file, else what is wrong with either.
    """
    # Not read-only: the last to read a database that is not in use clears its journal away.
    way = partial(connect, query="mode=rw") if in_use else untouching
    with sqlite_problems(source), closing(way(source)) as reader:
        reader.execute("SELECT 1 FROM sqlite_master").fetchone()  # is it a database at all?
        with sqlite_problems(target):
            try:
                create_private(target)
            except FileExistsError as error:
                raise BackupExists(target) from error
        try:
            with sqlite_problems(target), closing(connect(target, "mode=rw")) as copy:
                reader.backup(copy)
                # In the source's mode the copy would need two more files beside it.
                copy.execute("PRAGMA journal_mode = DELETE")
        except BaseException:
            target.unlink()
            raise
