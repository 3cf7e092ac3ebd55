"""Messages that stand, or are about to stand, for the surfaces of tables and of occasions."""

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
    """What messages belong to.

    :param name: of the database's table of owners.
    :param messages: of the database's table of their messages.
    :param kind: of one owner, as news name it.
    :param missing: says that there is no such owner.
    """

    name: str
    messages: str
    kind: str
    missing: type[Conflict]


OF_TABLES = Owners("tables", "messages", "table", NoSuchTable)
OF_OCCASIONS = Owners("occasions", "occasion_messages", "occasion", NoSuchOccasion)


class MessageRepository(Repository):
    """The messages of all tables, or of all occasions: of their owners."""

    def __init__(self, database: Access, owners: Owners = OF_TABLES) -> None:
        super().__init__(database)
        self._owners = owners
        self._kind = Kind(owners.messages, MessageRow, 1, f"{owners.kind}_id")

    async def all_of(self, owner: int) -> tuple[int, dict[str, MessageRow]]:
        """How far an owner has been told, and its messages by key.

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
        """Note messages, in place of what is known of them; forget others.

        :param removed: keys of those to forget.
        :param told: the revision that all messages of the owner show now. It only ever rises.
        :param term: in which they were read, see ``Shards``.
        :raises Conflict: there is no such owner.
        :raises ServedElsewhere: another process serves it, or has meanwhile, and knows better what
            stands.
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
        """Note a message that no other one takes the place of; whoever serves its owner hears of
        it.

        :raises Conflict: there is no such owner.
        """

        def change(db: Database) -> None:
            self._told(db, owner)
            self._kind.put(db, [row], owner)
            self._database.backend.tell(db, changed(self._owners.kind, owner))

        await self._database.write(change)

    def _require_served(self, db: Database, owner: int, term: int) -> None:
        """Go on only if this process serves an owner. What it serves belongs to the connection that
        writes: if that is lost before the end of the transaction, nothing is written.
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
