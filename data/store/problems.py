"""Exceptions of the store.

``StoreProblem``  a problem with the database or its disk, which the operator must look at
``Conflict``      a change that does not fit what is stored
"""

from __future__ import annotations

import re
from typing import ClassVar

from data.store.place import Place


class Coded(Exception):  # noqa: N818 - only a base class
    """An exception with a stable key for texts and logs, such as ``disk_full`` for ``DiskFull``."""

    code: ClassVar[str]

    def __init_subclass__(cls) -> None:
        cls.code = re.sub(r"(?<=.)(?=[A-Z])", "_", cls.__name__).lower()


# -------------------------------------------------------------- problems with the database
class StoreProblem(Coded):
    """The database cannot be used in its present state. A change is written completely or not at
    all.

    The text of the exception contains the docstring of its class, which tells the operator what to
    do.
    """

    def __init__(self, place: Place, cause: object = "") -> None:
        detail = f" ({cause})" if cause else ""
        advice = " ".join((self.__doc__ or "").split())
        super().__init__(f"Database {place}: {advice}{detail}")
        self.place = place


class DamagedFile(StoreProblem):
    """The file is damaged. Restore a backup: python -m data.restore COPY. The bot has not changed
    the file.
    """


class ForeignFile(StoreProblem):
    """The file does not belong to this bot. Name another file; the bot has not changed this one."""


class ForeignJournal(StoreProblem):
    """The journal (-wal) beside the file belongs to another database, as happens when a backup is
    copied over a database. Move the file elsewhere and restore it: python -m data.restore COPY. The
    bot has not changed anything.
    """


class NewerSchema(StoreProblem):
    """It was written by a newer version of this bot. Update the bot to use it."""


class UnreleasedSchema(StoreProblem):
    """It was written by a version from before the first release. Revision 8bf0339 of this bot is
    the last that can open it. The bot has not changed it.
    """


class OlderRunning(StoreProblem):
    """Processes of an older version are using it, and cannot work with the changes that this
    version needs. Stop them all, back up, and start this one. This process has not changed the
    database.
    """


class StoreTaken(StoreProblem):
    """A running bot uses it. Stop that bot first."""


class OtherShards(StoreProblem):
    """Other processes of this bot use a different number of shards. Give all the same number in
    TAFELRUNDE_SHARDS.
    """


class StoreBusy(StoreProblem):
    """Another program has locked it. Stop that program or try again."""


class DiskFull(StoreProblem):
    """No space is left on the disk. Free some space and try again."""


class StoreUnwritable(StoreProblem):
    """The file cannot be opened. It and its directory must exist and be writable."""


class DiskFailure(StoreProblem):
    """The disk reports an error while reading or writing the file."""


class StoreClosed(StoreProblem):
    """The bot is shutting down and has closed it."""


class NoDatabase(StoreProblem):
    """The bot has not created it yet."""


class TransferUnfinished(StoreProblem):
    """A transfer to it was interrupted. Run the same python -m data.transfer again to finish it."""


class RestoredFromItself(StoreProblem):
    """The copy is the database itself. Name another file."""


class BackupExists(StoreProblem):
    """A file with this name exists, and a backup never overwrites anything."""


class TargetInUse(StoreProblem):
    """It is not empty. Name a new one to fill."""


class TransferDiffers(StoreProblem):
    """It differs from the database that it was filled from: somebody has changed one of the two in
    the meantime. Start the transfer again with a new one.
    """


class DriverMissing(StoreProblem):
    """A package that PostgreSQL needs is missing. Install it:
    pip install -r requirements/postgres.txt.
    """


class ServerUnreachable(StoreProblem):
    """The server cannot be reached, or does not let the bot in. Start it, or correct
    TAFELRUNDE_DATABASE.
    """


class CommitUnknown(StoreProblem):
    """The connection was lost during a change, and the server did not come back in time to say
    whether the change was made. Start the server; no change was written in part.
    """


class ServerFull(StoreProblem):
    """No connection was free in time. If this keeps happening, let the server allow more, or stop
    other programs.
    """


class ServerUnwritable(StoreProblem):
    """The server does not let the bot write. Use a primary server, not a replica, and give the
    bot's user permission to write.
    """


class ForeignDatabase(StoreProblem):
    """It contains tables of other programs. Name another database; the bot has not changed this
    one.
    """


class DamagedDatabase(StoreProblem):
    """It is damaged. Restore a backup: pg_restore. The bot has not changed it."""


class BackedUpByServer(StoreProblem):
    """PostgreSQL has its own backups: pg_dump --format=custom makes one while the bot runs, and
    pg_restore --clean puts it back while no bot runs.
    """


class Undecodable(Exception):  # noqa: N818 - turned into DamagedFile or DamagedDatabase
    """The database contains data that this bot cannot have written."""


# --------------------------------------------------------- changes that do not fit
class Conflict(Coded):
    """A change that does not fit the stored data. Nothing was changed."""


class NoSuchTable(Conflict):
    """No table has this id or code."""


class NoSuchOccasion(Conflict):
    """No occasion has this id or code."""


class AlreadyCounted(Conflict):
    """The interaction has already had its effect."""


class NoSuchRecord(Conflict):
    """The person has not uploaded this record, or it has been deleted since."""


class BegunBefore(Conflict):
    """The person began this day's riddle or deal before having everything deleted."""


class StillAtTable(Conflict):
    """The person plays at an open table, and must leave it first."""


class ServedElsewhere(Exception):  # noqa: N818 - an expected outcome, not an error
    """Another process serves the table or occasion, or may have served it in the meantime."""
