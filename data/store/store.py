"""The store of one bot.

Every change is one transaction. It is written as a plain function on the database and runs as a
whole on the database's own thread, so that the event loop never waits for a disk and no two
changes interleave. Once a method has returned, its change survives the loss of the process and
of the machine's power; if it raises, nothing has changed, except that ``CommitUnknown`` leaves that
open. A caller that is cancelled does not stop its change: that still happens wholly or not at all.

The statements keep to what SQLite and PostgreSQL have in common; what they have not, such as how to
begin a transaction, is a backend's: ``sqlite.py`` and ``postgres.py``.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from data.store.access import Access, Backend
from data.store.database import PATIENCE
from data.store.hall_of_fame import SeasonRepository
from data.store.icons import IconRepository
from data.store.lessons import LessonRepository
from data.store.messages import OF_OCCASIONS, MessageRepository
from data.store.occasions import OccasionRepository
from data.store.packing import PackingRepository
from data.store.place import Place, place_of
from data.store.privacy import PrivacyRepository
from data.store.problems import DriverMissing, NoDatabase
from data.store.records import RecordRepository
from data.store.riddles import RiddleRepository
from data.store.settings import SettingsRepository
from data.store.shards import ALL, Shards
from data.store.sqlite import SQLite
from data.store.standings import StandingRepository
from data.store.tables import TableRepository
from data.store.trophies import TrophyRepository


async def open_backend(
    place: Place,
    patience: float = PATIENCE,
    *,
    alone: bool = True,
    shards: Shards = ALL,
    create: bool = True,
    filling: bool = False,
) -> Backend:
    """Open a database, create it if there is none, bring it up to date if it is old.

    :param place: a file, or a database of a PostgreSQL server that is there already.
    :param patience: seconds to wait for another process, or for a server that does not answer.
    :param alone: claim the database, so that no second bot uses it at the same time.
    :param shards: that are this process's own; others may use the database with other ones. Of a
        file all are.
    :param create: False: it has to be there.
    :param filling: it is being filled by a transfer, and may be half full.
    :raises StoreProblem: it cannot be used; it is as it was before.
    """
    if isinstance(place, Path):
        if not create and not place.exists():
            raise NoDatabase(place)
        return await SQLite.open(place, patience, alone=alone, filling=filling)
    try:
        # Only here: whoever keeps everything in a file needs no driver.
        from data.store.postgres import PostgreSQL
    except ImportError as error:
        raise DriverMissing(place, error) from error
    return await asyncio.to_thread(
        PostgreSQL, place, patience, alone=alone, shards=shards, create=create, filling=filling
    )


class Store:
    """The database of one bot. Make one with ``await Store.open(place)``.

    Every method of it and of its parts may raise ``StoreProblem``. The store stays usable: as soon
    as the disk has room again, the lock of another program is gone, or the server answers, changes
    succeed again.
    """

    def __init__(self, database: Access) -> None:
        self.database = database
        self.tables = TableRepository(database)
        self.messages = MessageRepository(database)
        self.occasions = OccasionRepository(database)
        self.occasion_messages = MessageRepository(database, OF_OCCASIONS)
        self.packing = PackingRepository(database)
        self.settings = SettingsRepository(database)
        self.standings = StandingRepository(database)
        self.seasons = SeasonRepository(database)
        self.trophies = TrophyRepository(database)
        self.records = RecordRepository(database)
        self.lessons = LessonRepository(database)
        self.riddles = RiddleRepository(database)
        self.privacy = PrivacyRepository(database)
        self.icons = IconRepository(database)

    @classmethod
    async def open(
        cls,
        place: Place | str,
        *,
        patience: float = PATIENCE,
        alone: bool = True,
        shards: Shards = ALL,
        create: bool = True,
    ) -> Store:
        """Open the database, create it if there is none, bring it up to date if it is old.

        :param place: a file, or a database of a PostgreSQL server.
        :param patience: seconds to wait for another process, or for a server that does not answer.
        :param alone: claim the database, so that no second bot uses it at the same time. Without
            the claim several stores on one database keep the rules together, but a press that is
            delivered to two bots may count twice: for tests, and for looking on.
        :param shards: as in ``open_backend``.
        :param create: False: it has to be there.
        :raises StoreProblem: ``DamagedFile``, ``ForeignFile``, ``ForeignJournal``,
            ``NewerSchema``, ``StoreTaken``, ``StoreBusy``, ``DiskFull``, ``StoreUnwritable``,
            ``DiskFailure``, ``ServerUnreachable`` ...; the database is as it was before.
        """
        backend = await open_backend(
            place_of(place), patience, alone=alone, shards=shards, create=create
        )
        return cls(Access(backend))

    @property
    def shared(self) -> bool:
        """Whether other processes may use it, too."""
        return self.database.backend.shared

    async def close(self) -> None:
        """Finish what is under way and close the database. A closed store may be closed again."""
        await self.database.close()

    async def backup(self, target: Path) -> None:
        """Write a copy to a new file while play goes on.

        :raises BackupExists: there is such a file.
        :raises BackedUpByServer: the database is not a file.
        """
        await self.database.backend.back_up(target)
