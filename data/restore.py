"""Replace the database with a backup, while no bot uses it.

``python -m data.restore COPY`` replaces the bot's database, which it finds through the bot's own
settings. The replaced file and its journals stay in the same directory, with the date in their
names.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path

from data.private import make_private
from data.settings import add_database_option
from data.store.database import JOURNALS, PATIENCE, FileClaim, copy_database, sqlite_problems
from data.store.migrate import examine, read_migrations
from data.store.place import Server
from data.store.problems import BackedUpByServer, RestoredFromItself, StoreBusy, StoreProblem

if sys.platform != "win32":
    import fcntl

PARTS = ("", *JOURNALS)
"""The suffixes of a database's files."""

SHARED_RANGE = (510, 0x40000002)
"""Length and start of the byte range that SQLite locks while it has a database open; see "File
Locking And Concurrency" in its documentation.
"""


def restore(copy: Path, database: Path, patience: float = PATIENCE) -> Path | None:
    """Replace a database with a copy of a backup.

    :param copy: the backup; it is left unchanged.
    :param patience: seconds to wait for another process that holds the database.
    :returns: the new path of the replaced database, which keeps its journals beside it; None if
        there was nothing to replace.
    :raises StoreProblem: the backup cannot be used, or the database is in use; nothing has changed.
    """
    with sqlite_problems(database):
        # SQLite keeps journals next to the file itself, not next to a link to it. A symlink to the
        # database keeps working.
        copy, database = copy.resolve(), database.resolve()
        if copy.exists() and database.exists() and copy.samefile(database):
            raise RestoredFromItself(copy)
    examine(copy, len(read_migrations()), thorough=True)
    with _unused(database, patience):
        # Copy into the same directory, so that a single rename puts the copy in place.
        fresh = _free(database, "restoring")
        copy_database(copy, fresh, in_use=False)
        with sqlite_problems(database):
            try:
                return _exchange(database, fresh)
            finally:
                fresh.unlink(missing_ok=True)


@contextmanager
def _unused(database: Path, patience: float) -> Iterator[None]:
    """Keep every other program from using a database while the block runs, except on Windows."""
    with closing(FileClaim(database, patience)), sqlite_problems(database):
        if sys.platform != "win32" and database.exists():
            with database.open("r+b") as content:
                try:
                    fcntl.lockf(content, fcntl.LOCK_EX | fcntl.LOCK_NB, *SHARED_RANGE)
                except BlockingIOError as error:
                    raise StoreBusy(database) from error
                yield
        else:
            yield  # Windows refuses to rename an open file


def _exchange(database: Path, fresh: Path) -> Path | None:
    """Rename the database's files, and move another file to the database's path; if that fails,
    undo the renames.

    :returns: the new path of the replaced database; None if none of its files existed.
    """
    present = [part for part in PARTS if _part(database, part).exists()]
    aside = _free(database, f"replaced-{datetime.now(UTC):%Y-%m-%d}")
    moved: list[str] = []
    try:
        # Rename journals first, because SQLite would delete a journal that has no database.
        for part in reversed(present):
            _part(database, part).rename(_part(aside, part))
            moved.append(part)
        if "" in present:
            _give(fresh, aside)
        fresh.rename(database)
    except BaseException:
        for part in reversed(moved):
            _part(aside, part).rename(_part(database, part))
        raise
    for part in moved:
        make_private(_part(aside, part))
    _settle(database.parent)
    return aside if present else None


def _part(database: Path, part: str) -> Path:
    return database.with_name(f"{database.name}{part}")


def _free(database: Path, purpose: str) -> Path:
    """Return an unused path next to the database; the paths for that file's journals are unused,
    too.
    """
    stem = f"{database.name}-{purpose}"
    names = chain([stem], (f"{stem}.{number}" for number in count(2)))
    paths = (database.with_name(name) for name in names)
    return next(path for path in paths if not any(_part(path, part).exists() for part in PARTS))


def _give(fresh: Path, present: Path) -> None:
    """Give a new file the owner of another one, because the bot and the operator may be different
    users.
    """
    if sys.platform != "win32":
        status = present.stat()
        with suppress(PermissionError):
            os.chown(fresh, status.st_uid, status.st_gid)


def _settle(folder: Path) -> None:
    """Flush a directory to disk, so that renames survive a power cut."""
    if sys.platform != "win32":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m data.restore", description=__doc__)
    parser.add_argument("copy", type=Path, help="the backup; it stays as it is")
    add_database_option(parser, "the file to replace")
    chosen = parser.parse_args(arguments)
    try:
        if isinstance(chosen.database, Server):
            raise BackedUpByServer(chosen.database)
        aside = restore(chosen.copy, chosen.database)
    except StoreProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    sys.stdout.write(f"{chosen.database}: restored from {chosen.copy}\n")
    if aside:
        sys.stdout.write(f"{aside}: what was there before\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
