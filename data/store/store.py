"""The store of one bot.

Every change is one transaction. It is written as a plain function on the database and runs as a
whole in the database's own thread, so that the event loop never waits for a disk and no two
changes interleave. Once a method has returned, its change survives the loss of the process and
of the machine's power; if it raises, nothing has changed. A caller that is cancelled does not
stop its change: that still happens wholly or not at all.

The statements keep to what SQLite and PostgreSQL have in common.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from data.store.access import Access, Database
from data.store.database import PATIENCE, Claim, copy_database
from data.store.messages import Messages
from data.store.migrate import open_database, open_reader, read_migrations
from data.store.privacy import Privacy
from data.store.records import Records
from data.store.settings import Settings
from data.store.standings import Standings
from data.store.tables import Tables

READERS = 2
"""Connections for queries: while a slow one is at work, others go on."""


class Store:
    """The database of one bot. Make one with ``await Store.open(path)``.

    Every method of it and of its parts may raise ``StoreProblem``. The store stays usable: as soon
    as the disk has room again, or the lock of another program is gone, changes succeed again.
    """

    def __init__(self, path: Path, database: Access, claim: Claim | None = None) -> None:
        self._path = path
        self._claim = claim
        self.database = database
        self.tables = Tables(database)
        self.messages = Messages(database)
        self.settings = Settings(database)
        self.standings = Standings(database)
        self.records = Records(database)
        self.privacy = Privacy(database)

    @classmethod
    async def open(
        cls, path: Path | str, *, patience: float = PATIENCE, alone: bool = True
    ) -> Store:
        """Open the database file, create it if there is none, bring it up to date if it is old.

        :param patience: seconds to wait for another process that holds the file.
        :param alone: claim the file, so that no second bot uses it at the same time. Without the
            claim several stores on one file keep the rules together, but a press that is
            delivered to two bots may count twice: for tests, and for looking on.
        :raises StoreProblem: ``DamagedFile``, ``ForeignFile``, ``ForeignJournal``,
            ``NewerSchema``, ``StoreTaken``, ``StoreBusy``, ``DiskFull``, ``StoreUnwritable`` or
            ``DiskFailure``; the file is as it was before.
        """
        path = Path(path)

        def connect_all() -> tuple[Database, list[Database]]:
            writer = open_database(path, read_migrations(), patience)
            try:
                return writer, [open_reader(path, patience) for _ in range(READERS)]
            except BaseException:
                writer.close()
                raise

        def connect() -> Store:
            claim = Claim(path, patience) if alone else None
            try:
                writer, readers = connect_all()
            except BaseException:
                if claim:
                    claim.close()
                raise
            return cls(path, Access(path, writer, readers), claim)

        return await asyncio.to_thread(connect)

    async def close(self) -> None:
        """Finish what is under way and close the file. A closed store may be closed again."""
        await self.database.close()
        if self._claim:
            self._claim.close()

    async def backup(self, target: Path) -> None:
        """Write a copy to a new file while play goes on.

        :raises BackupExists: there is such a file.
        """
        # Apart from the store's own threads, so that no move waits for the copy.
        await asyncio.to_thread(copy_database, self._path, target)
