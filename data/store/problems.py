"""What can go wrong with the store.

``StoreProblem``  trouble with the file or the disk: whoever runs the bot must look at it
``Conflict``      the change does not fit what is stored
"""

from __future__ import annotations

import re
from typing import ClassVar

from data.store.place import Place


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

    def __init__(self, place: Place, cause: object = "") -> None:
        detail = f" ({cause})" if cause else ""
        advice = " ".join((self.__doc__ or "").split())
        super().__init__(f"Database {place}: {advice}{detail}")
        self.place = place


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
    """It was written by a newer version of this bot. Update the bot to use it."""


class UnreleasedSchema(StoreProblem):
    """It is of a version from before the first release, and revision 8bf0339 of this bot is the
    last that opens it; it was left as it is.
    """


class OlderRunning(StoreProblem):
    """Processes of an older version use it, which cannot go on with what this version needs. Stop
    them all, back up, and start this one. It was left as it is.
    """


class StoreTaken(StoreProblem):
    """A running bot uses it. Stop that bot first."""


class OtherShards(StoreProblem):
    """Other processes of this bot count its shards otherwise. Give the same count to all in
    TAFELRUNDE_SHARDS.
    """


class StoreBusy(StoreProblem):
    """Another program has locked it. Stop that program or try again."""


class DiskFull(StoreProblem):
    """No space is left on the disk. Make room and try again."""


class StoreUnwritable(StoreProblem):
    """The file cannot be opened. It and its directory must be there and writable."""


class DiskFailure(StoreProblem):
    """The disk reports an error while reading or writing the file."""


class StoreClosed(StoreProblem):
    """The bot is leaving and has closed it."""


class NoDatabase(StoreProblem):
    """There is none."""


class TransferUnfinished(StoreProblem):
    """A transfer to it was cut short. Run the same python -m data.transfer again to finish it."""


class RestoredFromItself(StoreProblem):
    """The copy is the database itself. Name another file."""


class BackupExists(StoreProblem):
    """A file of this name exists, and a backup never overwrites anything."""


class TargetInUse(StoreProblem):
    """It holds something already. Name a new one to fill."""


class TransferDiffers(StoreProblem):
    """It is not what it was filled from: somebody has changed one of the two meanwhile. Begin
    again, with a new one.
    """


class DriverMissing(StoreProblem):
    """A package is missing that is needed for PostgreSQL. Install it:
    pip install -r requirements/postgres.txt.
    """


class ServerUnreachable(StoreProblem):
    """The server cannot be reached, or does not let the bot in. Start it, or correct
    TAFELRUNDE_DATABASE.
    """


class CommitUnknown(StoreProblem):
    """The server was lost in the midst of a change, and did not come back in time to say whether
    it was made. Start it; nothing was half-written.
    """


class ServerFull(StoreProblem):
    """No connection was free in time. If that goes on, let the server allow more, or stop other
    programs.
    """


class ServerUnwritable(StoreProblem):
    """The server does not let the bot write. Give its user the right to, on a server that is no
    copy of another.
    """


class ForeignDatabase(StoreProblem):
    """It holds tables that are not this bot's. Name another database; it was left as it is."""


class DamagedDatabase(StoreProblem):
    """It is damaged. Restore a backup: pg_restore. It was left as it is."""


class BackedUpByServer(StoreProblem):
    """PostgreSQL has its own backups: pg_dump --format=custom makes one while the bot runs, and
    pg_restore --clean puts it back while no bot runs.
    """


class Undecodable(Exception):  # noqa: N818 - becomes damage
    """What stands in the database is nothing that this bot would have written."""


# --------------------------------------------------------- changes that do not fit
class Conflict(Coded):
    """A change that does not fit what is stored. Nothing was changed."""


class NoSuchTable(Conflict):
    """No table has this id or code."""


class NoSuchOccasion(Conflict):
    """No occasion has this id or code."""


class AlreadyCounted(Conflict):
    """The interaction has had its effect before."""


class NoSuchRecord(Conflict):
    """The person has brought no such record, or too long ago."""


class BegunBefore(Conflict):
    """The person has begun this riddle or deal of a day before having everything deleted."""


class StillAtTable(Conflict):
    """The person plays at a table that is not over, and has to leave it first."""


class ServedElsewhere(Exception):  # noqa: N818 - no error: what another process does
    """The table is served by another process."""
