"""Messages that stand, or are about to stand, for the surfaces of tables."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from data.store.access import Database, Repository
from data.store.columns import Kind
from data.store.problems import NoSuchTable, ServedElsewhere
from data.store.rows import MessageRow
from data.store.shards import changed

MESSAGES = Kind("messages", MessageRow, 1, "table_id")


class Messages(Repository):
    """The messages of all tables."""

    async def of_table(self, table_id: int) -> tuple[int, dict[str, MessageRow]]:
        """How far a table has been told, and its messages by key.

        :raises NoSuchTable: there is no such table.
        """

        def query(db: Database) -> tuple[int, dict[str, MessageRow]]:
            told = _told(db, table_id)
            rows = MESSAGES.find(db, "table_id = ? ORDER BY key", table_id)
            return told, {row.key: row for row in rows}

        return await self._database.read(query)

    async def write(
        self,
        table_id: int,
        rows: Sequence[MessageRow],
        removed: Collection[str] = (),
        told: int | None = None,
        term: int = 0,
    ) -> None:
        """Note messages, in place of what is known of them; forget others.

        :param removed: keys of those to forget.
        :param told: the revision that all messages of the table show now. It only ever rises.
        :param term: in which they were read, see ``Shards``.
        :raises NoSuchTable: there is no such table.
        :raises ServedElsewhere: another process serves it, or has meanwhile, and knows better what
            stands.
        """

        def change(db: Database) -> None:
            self._require_served(db, table_id, term)
            MESSAGES.delete(db, [(table_id, key) for key in removed])
            MESSAGES.put(db, rows, table_id)
            if told is not None:
                db.execute(
                    "UPDATE tables SET told = ? WHERE id = ? AND told < ?", [told, table_id, told]
                )

        await self._database.write(change)

    async def note(self, table_id: int, row: MessageRow) -> None:
        """Note a message that no other one takes the place of; whoever serves the table hears of
        it.

        :raises NoSuchTable: there is no such table.
        """

        def change(db: Database) -> None:
            _told(db, table_id)
            MESSAGES.put(db, [row], table_id)
            self._database.backend.tell(db, changed(table_id))

        await self._database.write(change)

    def _require_served(self, db: Database, table_id: int, term: int) -> None:
        """Go on only if this process serves a table. What it serves belongs to the connection that
        writes: if that is lost before the end of the transaction, nothing is written.
        """
        record = db.execute("SELECT guild_id FROM tables WHERE id = ?", [table_id]).fetchone()
        if record is None:
            raise NoSuchTable(table_id)
        served = self._database.served
        if served.term != term or not served.has(record["guild_id"]):
            raise ServedElsewhere(table_id)


def _told(db: Database, table_id: int) -> int:
    record = db.execute("SELECT told FROM tables WHERE id = ?", [table_id]).fetchone()
    if record is None:
        raise NoSuchTable(table_id)
    told: int = record["told"]
    return told
