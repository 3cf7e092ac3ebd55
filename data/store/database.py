"""The SQLite file underneath the store: connecting, transactions, copying."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from data.store.problems import BackupExists, told_apart

PATIENCE = 5.0
"""Seconds to wait for another process that holds the file."""


def connect(path: Path, query: str, patience: float = PATIENCE) -> sqlite3.Connection:
    """Open a database file, with transactions begun and ended by hand.

    The connection may be handed from one thread to another, but serves one at a time.

    :param query: how, in the words of SQLite's file names: ``mode=ro``, ``mode=rwc``...
    """
    uri = f"{path.absolute().as_uri()}?{query}"
    return sqlite3.connect(
        uri, uri=True, timeout=patience, isolation_level=None, check_same_thread=False
    )


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
def snapshot(db: sqlite3.Connection) -> Iterator[None]:
    """Let every statement in the block see the database as it is at one moment."""
    db.execute("BEGIN")
    try:
        yield
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def copy_database(source: Path, target: Path) -> None:
    """Copy a database as it stands at one moment; others may go on reading and writing it.

    :param target: a new file, complete and on the disk when this returns, absent when it fails.
    :raises StoreProblem: ``BackupExists`` if there is such a file, else what is wrong with either.
    """
    # Not read-only: the last to read a database that is not in use clears its journal away.
    with told_apart(source), closing(connect(source, "mode=rw")) as reader:
        reader.execute("SELECT 1 FROM sqlite_master").fetchone()  # is it a database at all?
        _reserve(target)
        try:
            with told_apart(target), closing(connect(target, "mode=rw")) as copy:
                reader.backup(copy)
                # In the source's mode the copy would need two more files beside it.
                copy.execute("PRAGMA journal_mode = DELETE")
        except BaseException:
            target.unlink()
            raise


def _reserve(target: Path) -> None:
    with told_apart(target):
        try:
            target.open("xb").close()
        except FileExistsError as error:
            raise BackupExists(target) from error
