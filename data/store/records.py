"""Match records that people have uploaded to replay."""

from __future__ import annotations

from datetime import datetime, timedelta

from data.store.access import Database, Repository
from data.store.columns import from_seconds, to_seconds
from data.store.problems import NoSuchRecord

KEPT_FOR = timedelta(days=30)
"""How long the store keeps a record after its owner last looked at it."""

KEPT_AT_MOST = 20
"""The maximum number of records that one person can have; beyond that, the store deletes the least
recently used one.
"""


class RecordRepository(Repository):
    """The records of all people."""

    async def let_go(self, at: datetime) -> None:
        """Delete the records that nobody has viewed for ``KEPT_FOR``."""
        await self._database.write(lambda db: _let_go(db, at))

    async def add(self, person_id: int, text: str, at: datetime) -> int:
        """Store a record for a person, and delete expired and surplus records.

        :returns: the id of the record.
        """

        def change(db: Database) -> int:
            record_id: int = db.execute(
                "INSERT INTO records (person_id, text, used_at) VALUES (?, ?, ?) RETURNING id",
                [person_id, text, to_seconds(at)],
            ).fetchone()[0]
            _let_go(db, at)
            db.execute(
                """DELETE FROM records WHERE person_id = ? AND id NOT IN (
                    SELECT id FROM records WHERE person_id = ?
                    ORDER BY used_at DESC, id DESC LIMIT ?)""",
                [person_id, person_id, KEPT_AT_MOST],
            )
            return record_id

        return await self._database.write(change)

    async def of_person(self, person_id: int) -> list[tuple[str, datetime]]:
        """Return the texts of a person's records and when each was last used, most recent first."""
        records = await self._database.fetch(
            "SELECT text, used_at FROM records WHERE person_id = ? ORDER BY used_at DESC, id DESC",
            person_id,
        )
        return [(record["text"], from_seconds(record["used_at"])) for record in records]

    async def text(self, record_id: int, person_id: int, at: datetime) -> str:
        """Return the text of a record, and note that the person looked at it now.

        :raises NoSuchRecord: it does not exist, or belongs to another person.
        """

        def change(db: Database) -> str:
            sql = "UPDATE records SET used_at = ? WHERE id = ? AND person_id = ? RETURNING text"
            found = db.execute(sql, [to_seconds(at), record_id, person_id]).fetchone()
            if found is None:
                raise NoSuchRecord(record_id)
            text: str = found["text"]
            return text

        return await self._database.write(change)


def _let_go(db: Database, at: datetime) -> None:
    db.execute("DELETE FROM records WHERE used_at < ?", [to_seconds(at - KEPT_FOR)])
