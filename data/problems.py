"""What can go wrong with the store.

``StoreProblem``  trouble with the file or the disk: somebody who runs the bot must look at it
``Conflict``      the change does not fit what is stored: somebody else was faster, or asked twice
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from data.rows import TableRow


# ---------------------------------------------------------------- trouble with the file
class StoreProblem(Exception):  # noqa: N818 - it reads as what it is
    """The database cannot be used as it is. Nothing was half-written.

    ``code`` is a stable key; the text of the exception tells a person what to do.
    """

    code: ClassVar[str] = "store"
    advice: ClassVar[str] = "Its file cannot be used."

    def __init__(self, path: Path, cause: object = "") -> None:
        detail = f" ({cause})" if cause else ""
        super().__init__(f"Database {path}: {self.advice}{detail}")
        self.path = path


class DamagedFile(StoreProblem):
    """The content contradicts itself."""

    code = "damaged_file"
    advice = "The file is damaged. Put a backup in its place; it was left as it is."


class ForeignFile(StoreProblem):
    """Something else than a database of this bot."""

    code = "foreign_file"
    advice = "The file does not belong to this bot. Name another file; it was left as it is."


class NewerSchema(StoreProblem):
    """Written by a later version of the bot."""

    code = "newer_schema"
    advice = "The file was written by a newer version of this bot. Update the bot to use it."


class StoreBusy(StoreProblem):
    """Another process holds the file for longer than we are willing to wait."""

    code = "store_busy"
    advice = "Another program has locked the file. Stop that program or try again."


class DiskFull(StoreProblem):
    """No room is left for the change."""

    code = "disk_full"
    advice = "No space is left on the disk. Make room and try again."


class StoreUnwritable(StoreProblem):
    """The file or its directory is missing, or may not be written."""

    code = "store_unwritable"
    advice = "The file cannot be opened. It and its directory must be there and writable."


class DiskFailure(StoreProblem):
    """The disk, or the network behind it, does not do what it should."""

    code = "disk_failure"
    advice = "The disk reports an error while reading or writing the file."


class BackupExists(StoreProblem):
    """The file that a backup was to be written to is already there."""

    code = "backup_exists"
    advice = "A file of this name exists, and a backup never overwrites anything."


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
def told_apart(path: Path) -> Iterator[None]:
    """Turn the errors of SQLite and of the file system inside the block into store problems.

    An error of SQLite that ``PROBLEMS`` does not know (a violated constraint, bad SQL) is a fault
    of this program, not of the file, and passes through.
    """
    try:
        yield
    except OSError as error:
        raise StoreUnwritable(path, error.strerror) from error
    except sqlite3.Error as error:
        primary_code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        problem = PROBLEMS.get(primary_code)
        if problem is None:
            raise
        raise problem(path, error) from error


# --------------------------------------------------------- changes that come too late
class Conflict(Exception):  # noqa: N818 - it reads as what it is
    """A change that does not fit what is stored. Nothing was changed.

    ``code`` is a stable key for the texts.
    """

    code: ClassVar[str] = "conflict"


class NoSuchTable(Conflict):
    """No table has this id or code."""

    code = "no_such_table"


class NoSuchMember(Conflict):
    """The table has no member of this number."""

    code = "no_such_member"


class ChannelTaken(Conflict):
    """The channel already has a table in its lobby or running: ``table``."""

    code = "channel_taken"

    def __init__(self, table: TableRow) -> None:
        super().__init__(f"channel {table.channel_id} has table {table.code}")
        self.table = table


class NotInLobby(Conflict):
    """The table has started or is over."""

    code = "not_in_lobby"


class AlreadyMember(Conflict):
    """The person already plays at the table."""

    code = "already_member"


class TableFull(Conflict):
    """The table has as many members as it may have."""

    code = "table_full"


class MembersChanged(Conflict):
    """Somebody joined or left after the seats were drawn."""

    code = "members_changed"


class PlyTaken(Conflict):
    """The match has moved on, or is not running: the events were made for another position."""

    code = "ply_taken"


class AlreadyCounted(Conflict):
    """The interaction has had its effect before."""

    code = "already_counted"


class TableOver(Conflict):
    """The table is finished or ended, and stays so."""

    code = "table_over"
