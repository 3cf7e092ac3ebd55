"""Records of the messages that show the surfaces of tables and occasions, or will show them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from data.store.access import Access, Database, Repository
from data.store.columns import Kind
from data.store.problems import Conflict, NoSuchOccasion, NoSuchTable, ServedElsewhere
from data.store.rows import MessageRow
from data.store.shards import changed


@dataclass(frozen=True, slots=True)
class Owners:
    """The owners of messages: tables or occasions.

    :param name: the database table of owners.
    :param messages: the database table of their messages.
    :param kind: the word for an owner in news to other processes: ``table`` or ``occasion``.
    :param missing: the exception to raise when an owner does not exist.
    """

    name: str
    messages: str
    kind: str
    missing: type[Conflict]


OF_TABLES = Owners("tables", "messages", "table", NoSuchTable)
OF_OCCASIONS = Owners("occasions", "occasion_messages", "occasion", NoSuchOccasion)


class MessageRepository(Repository):
    """The messages of all tables, or of all occasions."""

    def __init__(self, database: Access, owners: Owners = OF_TABLES) -> None:
        super().__init__(database)
        self._owners = owners
        self._kind = Kind(owners.messages, MessageRow, 1, f"{owners.kind}_id")

    async def all_of(self, owner: int) -> tuple[int, dict[str, MessageRow]]:
        """Return the revision that all of an owner's messages have reached, and the messages by
        key.

        :raises Conflict: there is no such owner.
        """

        def query(db: Database) -> tuple[int, dict[str, MessageRow]]:
            told = self._told(db, owner)
            rows = self._kind.find(db, f"{self._kind.keys[0]} = ? ORDER BY key", owner)
            return told, {row.key: row for row in rows}

        return await self._database.read(query)

    async def write(
        self,
        owner: int,
        rows: Sequence[MessageRow],
        removed: Collection[str] = (),
        told: int | None = None,
        term: int = 0,
    ) -> None:
        """Store the state of some messages and remove others.

        :param rows: the rows to store; they replace those with the same keys.
        :param removed: keys of the rows to remove.
        :param told: the revision that all messages of the owner have reached; ignored if it is
            lower than the stored one.
        :param term: the term (see ``Shards``) in which the caller read the messages.
        :raises Conflict: there is no such owner.
        :raises ServedElsewhere: another process serves the owner, or may have done so since the
            caller read the messages, so that what it read may be stale.
        """

        def change(db: Database) -> None:
            self._require_served(db, owner, term)
            self._kind.delete(db, [(owner, key) for key in removed])
            self._kind.put(db, rows, owner)
            if told is not None:
                sql = f"UPDATE {self._owners.name} SET told = ? WHERE id = ? AND told < ?"  # noqa: S608
                db.execute(sql, [told, owner, told])

        await self._database.write(change)

    async def note(self, owner: int, row: MessageRow) -> None:
        """Store a message and notify the process that serves its owner.

        :raises Conflict: there is no such owner.
        """

        def change(db: Database) -> None:
            guild_id = self._of(db, owner, "guild_id")
            self._kind.put(db, [row], owner)
            news = changed(self._owners.kind, owner, guild_id, messages=True)
            self._database.backend.tell(db, news)

        await self._database.write(change)

    def _require_served(self, db: Database, owner: int, term: int) -> None:
        """Refuse unless this process serves the owner. The locks that show this belong to the
        connection that writes: if it is lost before the transaction ends, nothing is written.

        :raises ServedElsewhere: another process serves the owner, or may have served it since
            ``term``.
        """
        served = self._database.served
        guild_id = self._of(db, owner, "guild_id")
        if served.term != term or not served.has(guild_id):
            raise ServedElsewhere(owner)

    def _told(self, db: Database, owner: int) -> int:
        return self._of(db, owner, "told") or 0

    def _of(self, db: Database, owner: int, column: str) -> int | None:
        sql = f"SELECT {column} FROM {self._owners.name} WHERE id = ?"  # noqa: S608
        record = db.execute(sql, [owner]).fetchone()
        if record is None:
            raise self._owners.missing(owner)
        found: int | None = record[column]
        return found
