"""The store of one bot.

Every change is all or nothing. It is a plain function that runs from beginning to end on the
database's own thread, so the event loop never waits for the disk, and no two changes interleave.
Once a method has returned, its change survives a crash of the process and a power cut. If a method
raises, nothing has changed, except that after ``CommitUnknown`` the change may have been made. If a
caller is cancelled, its change still happens, completely or not at all.

Statements use only SQL that both SQLite and PostgreSQL understand. The backends ``sqlite.py`` and
``postgres.py`` handle the differences, such as how to begin a transaction.
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
    """Open or create a database and migrate it to the newest version.

    :param place: a file, or an existing database on a PostgreSQL server.
    :param patience: seconds to wait for another process, or for a server that does not answer.
    :param alone: whether to claim the database, so that no other bot can use it at the same time.
    :param shards: the shards that this process owns; other processes may use the database with
        other shards. Ignored for a file.
    :param create: whether the bot may create the database; False: it must exist already.
    :param filling: whether to accept a database that a transfer has begun to fill.
    :raises StoreProblem: the database cannot be used; it is unchanged.
    """
    if isinstance(place, Path):
        if not create and not place.exists():
            raise NoDatabase(place)
        return await SQLite.open(place, patience, alone=alone, filling=filling)
    try:
        # imported here because a bot with a file does not need the driver
        from data.store.postgres import PostgreSQL
    except ImportError as error:
        raise DriverMissing(place, error) from error
    return await asyncio.to_thread(
        PostgreSQL, place, patience, alone=alone, shards=shards, create=create, filling=filling
    )


class Store:
    """The database of one bot. Make one with ``await Store.open(place)``.

    All of its methods and those of its parts may raise ``StoreProblem``. The store stays usable
    after a problem: changes succeed again as soon as there is space on the disk, another program
    has released its lock, or the server answers.
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
        """Open or create the database and migrate it to the newest version.

        :param place: a file, or an existing database on a PostgreSQL server.
        :param patience: seconds to wait for another process, or for a server that does not answer.
        :param alone: whether to claim the database, so that no other bot can use it at the same
            time. Without claims, several stores can share a database and keep it consistent, but a
            press that Discord delivers to two bots may count twice. So False is for tests and for
            tools.
        :param shards: the shards that this process owns; see ``open_backend``.
        :param create: whether the bot may create the database; False: it must exist already.
        :raises StoreProblem: ``DamagedFile``, ``ForeignFile``, ``ForeignJournal``, ``NewerSchema``,
            ``StoreTaken``, ``StoreBusy``, ``DiskFull``, ``StoreUnwritable``, ``DiskFailure``,
            ``ServerUnreachable`` ...; the database is unchanged.
        """
        backend = await open_backend(
            place_of(place), patience, alone=alone, shards=shards, create=create
        )
        return cls(Access(backend))

    @property
    def shared(self) -> bool:
        """Whether other processes may use the database at the same time."""
        return self.database.backend.shared

    async def close(self) -> None:
        """Finish all requested work and close the database. Calling this again does nothing."""
        await self.database.close()

    async def backup(self, target: Path) -> None:
        """Write a copy to a new file while the bot keeps running.

        :raises BackupExists: the target exists.
        :raises BackedUpByServer: the database is not a file.
        """
        await self.database.backend.back_up(target)
