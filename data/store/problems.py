"""What can go wrong with the store.

``StoreProblem``  trouble with the file or the disk: whoever runs the bot must look at it
``Conflict``      the change does not fit what is stored
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar


class Coded(Exception):  # noqa: N818 - the base of what goes wrong
    """An exception with a stable key for texts and logs: ``disk_full`` of ``DiskFull``."""

    code: ClassVar[str]

    def __init_subclass__(cls) -> None:
        cls.code = re.sub(r"(?<=.)(?=[A-Z])", "_", cls.__name__).lower()


# ---------------------------------------------------------------- trouble with the file
class StoreProblem(Coded):
    """The database cannot be used as it is. Nothing was half-written.

    The text of the exception tells a person what to do: it is the docstring of its kind.
    """

    def __init__(self, path: Path, cause: object = "") -> None:
        detail = f" ({cause})" if cause else ""
        advice = " ".join((self.__doc__ or "").split())
        super().__init__(f"Database {path}: {advice}{detail}")
        self.path = path


class DamagedFile(StoreProblem):
    """The file is damaged. Restore a backup: python -m data.restore COPY. It was left as it is."""


class ForeignFile(StoreProblem):
    """The file does not belong to this bot. Name another file; it was left as it is."""


class ForeignJournal(StoreProblem):
    """The journal (-wal) beside the file belongs to another database, as after copying a backup
    over one. Move the file elsewhere and restore it: python -m data.restore COPY. Nothing was
    changed.
    """


class NewerSchema(StoreProblem):
    """The file was written by a newer version of this bot. Update the bot to use it."""


class StoreTaken(StoreProblem):
    """A running bot uses the file. Stop that bot first."""


class StoreBusy(StoreProblem):
    """Another program has locked the file. Stop that program or try again."""


class DiskFull(StoreProblem):
    """No space is left on the disk. Make room and try again."""


class StoreUnwritable(StoreProblem):
    """The file cannot be opened. It and its directory must be there and writable."""


class DiskFailure(StoreProblem):
    """The disk reports an error while reading or writing the file."""


class StoreClosed(StoreProblem):
    """The bot is leaving and has closed the file."""


class RestoredFromItself(StoreProblem):
    """The copy is the database itself. Name another file."""


class BackupExists(StoreProblem):
    """A file of this name exists, and a backup never overwrites anything."""


class Undecodable(Exception):  # noqa: N818 - becomes a DamagedFile
    """What stands in the file is nothing that this bot would have written."""


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
def told_apart(path: Path, *, opening: bool = False) -> Iterator[None]:
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


# --------------------------------------------------------- changes that do not fit
class Conflict(Coded):
    """A change that does not fit what is stored. Nothing was changed."""


class NoSuchTable(Conflict):
    """No table has this id or code."""


class AlreadyCounted(Conflict):
    """The interaction has had its effect before."""


class NoSuchRecord(Conflict):
    """The person has brought no such record, or too long ago."""


class StillAtTable(Conflict):
    """The person plays at a table that is not over, and has to leave it first."""
