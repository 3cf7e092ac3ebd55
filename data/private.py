"""Files that hold secrets, such as the seeds of running matches: only their owner may read them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

OWNER_ONLY = 0o600


def create_private(path: Path) -> None:
    """Make an empty file that only its owner can read and write.

    SQLite gives the files beside a database (``-wal``, ``-shm``, ``-journal``) the mode of the
    database.

    :raises FileExistsError: the file exists; it is left unchanged.
    :raises OSError: the file cannot be created.
    """
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))


def make_private(path: Path) -> None:
    """Let only the owner of a file read and write it, if this process may change the file's
    mode.
    """
    with suppress(PermissionError):
        path.chmod(OWNER_ONLY)


def with_companions(database: Path) -> list[Path]:
    """Return a database file and the files next to it whose names begin with its name: journals and
    backups.
    """
    file = database.resolve()
    names = (f"{file.name}-", f"{file.name}.")
    try:
        beside = [path for path in file.parent.iterdir() if path.name.startswith(names)]
    except OSError:  # there is no such directory, as the store itself will report
        beside = []
    return [file, *sorted(beside)]


def open_to_others(files: Iterable[Path]) -> list[Path]:
    """Return the files that other users of this machine can read or write; skip missing files."""
    if os.name != "posix":  # on other systems, the mode does not say who may read the file
        return []
    return [file for file in files if _mode(file) & ~stat.S_IRWXU]


def _mode(file: Path) -> int:
    try:
        status = file.stat()
    except OSError:
        return 0
    return stat.S_IMODE(status.st_mode) if stat.S_ISREG(status.st_mode) else 0
