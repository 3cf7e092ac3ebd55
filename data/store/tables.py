"""Tables: loaded whole, committed whole."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import count
from typing import Any

from data.store.access import Database, Repository
from data.store.columns import Kind, json_text, moment, seconds
from data.store.packing import journal_of
from data.store.parts import JOURNAL, MEMBERS, PARTS
from data.store.problems import AlreadyCounted, NoSuchTable, Undecodable
from data.store.rows import Line, Loaded, MemberRow, Opening, Status, Stored, TableRow
from data.store.settings import PEOPLE, SERVERS
from data.store.shards import changed
from data.store.standings import count_match

TABLES = Kind("tables", TableRow)

CODE_LETTERS = "CDFGHJKMNPQRTVWXY234679"
"""No two that look alike (0 and O, 1 and I, 5 and S, 8 and B), and no vowels, so no words."""

CODE_LENGTH = 4

OPEN = "status IN ('lobby', 'running')"


class Tables(Repository):
    """All tables. Every method is one hop to the database."""

    # -- one table
    async def open(self, opening: Opening, rules: int, secret: str, at: datetime) -> Loaded:
        """Set up a table in its lobby, with the host as member 0 and the journal's first line."""
        names = ("game", "guild_id", "channel_id", "host_id", "language", "wanted_players")
        columns = {name: getattr(opening, name) for name in names}
        columns |= {"rules": rules, "seed": "", "secret": secret}
        columns |= {"options": json_text(dict(opening.options))}
        columns |= {"status": "lobby", "created_at": seconds(at), "moved_at": seconds(at)}

        def change(db: Database) -> Loaded:
            columns["code"] = _unused_code(db)
            sql = f"""INSERT INTO tables ({", ".join(columns)}, revision)
                VALUES ({"?, " * len(columns)} 1) RETURNING id"""  # noqa: S608
            (table_id,) = db.execute(sql, [*columns.values()]).fetchone()
            MEMBERS.add(db, table_id, [MemberRow(0, opening.host_id, opening.host_name)])
            JOURNAL.add(db, table_id, [Line(1, "open", None, opening.host_id, opening.chat, at)])
            self._tell(db, table_id, opening.guild_id)
            return _load(db, table_id)

        return await self._database.write(change)

    async def load(self, table_id: int) -> Loaded:
        """The table as it stands.

        :raises NoSuchTable: there is none.
        """
        return await self._database.read(lambda db: _load(db, table_id))

    async def commit(self, before: Stored, after: Stored) -> bool:
        """Store what has become of a table, unless it has changed since it was loaded.

        :param before: as it was loaded, or committed last.
        :param after: the same with more lines in its journal, and with their effects.
        :returns: false if another change was faster; nothing was changed then.
        :raises AlreadyCounted: an interaction has had its effect before, at whatever table.
        :raises ValueError: the journal of ``after`` does not continue that of ``before``.
        """
        lines = _new_lines(before, after)

        def change(db: Database) -> bool:
            _refuse_counted(db, lines)
            if not _update(db, before.row, after.row):
                return False
            JOURNAL.add(db, after.row.id, lines)
            for part in PARTS:
                part.rewrite(db, before, after)
            if after.row.status is Status.FINISHED is not before.row.status:
                count_match(db, after.row.id)
            self._tell(db, after.row.id, after.row.guild_id)
            return True

        return await self._database.write(change)

    def serves(self, guild_id: int | None) -> bool:
        """Whether this process does what is to be done unasked at the tables of a server."""
        return self._database.served.has(guild_id)

    async def tell(self, table_id: int) -> None:
        """Let the process that serves a table look at it."""
        await self._database.tell(changed(table_id))

    def _tell(self, db: Database, table_id: int, guild_id: int | None) -> None:
        if not self.serves(guild_id):
            self._database.backend.tell(db, changed(table_id))

    # -- found
    async def id_of(self, code: str) -> int:
        """The table with a short code.

        :raises NoSuchTable: there is none.
        """
        found = await self._ids("SELECT id FROM tables WHERE code = ?", code)
        if not found:
            raise NoSuchTable(code)
        return found[0]

    async def in_channel(self, channel_id: int) -> int | None:
        """The latest table of a channel that is open, else the last one that was finished there."""
        found = await self._ids(
            f"""SELECT id FROM tables WHERE channel_id = ? AND ({OPEN} OR status = 'finished')
            ORDER BY CASE WHEN {OPEN} THEN 0 ELSE 1 END, moved_at DESC, id DESC LIMIT 1""",  # noqa: S608
            channel_id,
        )
        return found[0] if found else None

    async def of_person(self, person_id: int) -> list[int]:
        """The tables that the person plays at and that are not over, latest change first.

        Parked ones are among them: a member may want to move one to another channel.
        """
        return await self._ids(
            """SELECT id FROM tables WHERE status IN ('lobby', 'running', 'parked')
                AND id IN (SELECT table_id FROM members WHERE person_id = ?)
            ORDER BY moved_at DESC, id DESC""",
            person_id,
        )

    async def count_of(self, person_id: int, guild_id: int) -> int:
        """How many tables of a server, in their lobby or running, a person plays at in person."""
        found = await self._ids(
            f"""SELECT tables.id FROM tables JOIN members ON members.table_id = tables.id
            WHERE members.person_id = ? AND members.level IS NULL
                AND tables.guild_id = ? AND {OPEN}""",  # noqa: S608
            person_id,
            guild_id,
        )
        return len(found)

    async def open_ids(self) -> list[int]:
        """All tables in their lobby or running that this process serves, oldest first."""
        return await self._ids(
            f"SELECT id FROM tables WHERE {OPEN} AND {self._served} ORDER BY id"  # noqa: S608
        )

    async def by_status(self) -> dict[str, int]:
        """How many tables there are in each status."""
        rows = await self._database.fetch("SELECT status, count(*) FROM tables GROUP BY status")
        found = {row["status"]: row[1] for row in rows}
        return {status.value: found.get(status.value, 0) for status in Status}

    async def places(self) -> list[tuple[int, int | None]]:
        """Channel and server of all tables in their lobby or running, the oldest table first; none
        of places where the bot can only answer.
        """
        sql = f"""SELECT channel_id, guild_id FROM tables WHERE {OPEN}
            AND NOT EXISTS (SELECT 1 FROM journal
                WHERE table_id = tables.id AND kind IN ('open', 'unpark') AND text <> '')
        ORDER BY id"""  # noqa: S608
        return [(channel, guild) for channel, guild in await self._database.fetch(sql)]

    async def open_in(self, channels: Collection[int]) -> list[int]:
        """The tables in their lobby or running in some channels, oldest first."""
        marks = ", ".join("?" * len(channels)) or "NULL"
        return await self._ids(
            f"SELECT id FROM tables WHERE channel_id IN ({marks}) AND {OPEN} ORDER BY id",  # noqa: S608
            *channels,
        )

    async def open_on(self, guild_id: int) -> list[int]:
        """The tables in their lobby or running on a server, oldest first."""
        return await self._ids(
            f"SELECT id FROM tables WHERE guild_id = ? AND {OPEN} ORDER BY id",  # noqa: S608
            guild_id,
        )

    async def followed_by(self, person_id: int) -> list[int]:
        """The tables in their lobby or running that the person follows, oldest first."""
        return await self._ids(
            f"""SELECT table_id FROM followers JOIN tables ON id = table_id
            WHERE person_id = ? AND {OPEN} ORDER BY id""",  # noqa: S608
            person_id,
        )

    # -- what is to be done by this process
    @property
    def _served(self) -> str:
        return self._database.served.condition()

    async def due(self, now: datetime) -> list[int]:
        """The tables at which something is to be done by now, the longest due first."""
        return await self._ids(
            f"SELECT id FROM tables WHERE due_at <= ? AND {self._served} ORDER BY due_at, id",  # noqa: S608
            seconds(now),
        )

    async def next_due(self) -> datetime | None:
        """When something is to be done next at any table; None: never."""
        sql = f"SELECT min(due_at) FROM tables WHERE due_at IS NOT NULL AND {self._served}"  # noqa: S608
        ((due_at,),) = await self._database.fetch(sql)
        return None if due_at is None else moment(due_at)

    async def behind(self, since: datetime) -> list[int]:
        """Tables whose messages do not show the latest change, oldest first.

        :param since: those that were over before then are left as they are.
        """
        return await self._ids(
            f"""SELECT id FROM tables WHERE told < revision AND {self._served}
                AND (status NOT IN ('finished', 'ended') OR moved_at >= ?)
            ORDER BY id""",  # noqa: S608
            seconds(since),
        )

    async def behind_in(self, channel_id: int) -> list[int]:
        """Tables of a channel whose messages do not show the latest change, oldest first."""
        return await self._ids(
            "SELECT id FROM tables WHERE channel_id = ? AND told < revision ORDER BY id",
            channel_id,
        )

    async def to_think(self) -> list[int]:
        """Running tables at which a computer player has a seat, or helps a person, oldest first."""
        return await self._ids(
            f"""SELECT id FROM tables WHERE status = 'running' AND {self._served}
                AND (EXISTS (SELECT 1 FROM members
                        WHERE table_id = tables.id AND level IS NOT NULL)
                    OR EXISTS (SELECT 1 FROM turns
                        WHERE table_id = tables.id AND helped = 1 AND time_left IS NULL))
            ORDER BY id"""  # noqa: S608
        )

    async def _ids(self, sql: str, *values: Any) -> list[int]:
        return [table_id for (table_id,) in await self._database.fetch(sql, *values)]


# ------------------------------------------------------------- parts of the transactions
def _load(db: Database, table_id: int) -> Loaded:
    found = TABLES.find(db, "id = ?", table_id)
    if not found:
        raise NoSuchTable(table_id)
    parts: dict[str, Any] = {part.name: part.load(db, table_id) for part in PARTS}
    stored = Stored(found[0], journal=journal_of(db, table_id), **parts)
    _refuse_damaged(stored)
    people = {person for member in stored.members if (person := member.person_id) is not None}
    return Loaded(
        stored,
        {person: PEOPLE.of(db, person) for person in people | stored.followers},
        SERVERS.of(db, stored.row.guild_id or 0),
    )


def _refuse_damaged(table: Stored) -> None:
    """Refuse a table whose journal has gaps.

    :raises Undecodable: it has.
    """
    numbers = [line.number for line in table.journal]
    if numbers != [*range(1, table.row.revision + 1)]:
        raise Undecodable(f"lines of table {table.row.id} are missing")


def _new_lines(before: Stored, after: Stored) -> tuple[Line, ...]:
    """The lines that a commit appends.

    :raises ValueError: they do not continue the journal.
    """
    known = len(before.journal)
    lines = after.journal[known:]
    numbers = [line.number for line in lines]
    if after.journal[:known] != before.journal or not lines:
        raise ValueError("a journal only grows")
    if numbers != list(range(before.row.revision + 1, after.row.revision + 1)):
        raise ValueError(f"lines {numbers} after revision {before.row.revision}")
    return lines


def _refuse_counted(db: Database, lines: Sequence[Line]) -> None:
    for line in lines:
        known = "SELECT 1 FROM journal WHERE interaction_id = ?"
        if line.interaction_id is not None and db.execute(known, [line.interaction_id]).fetchone():
            raise AlreadyCounted(line.interaction_id)


def _update(db: Database, before: TableRow, after: TableRow) -> bool:
    """Change the row of a table; false if it is not as it was before."""
    stands = db.execute("SELECT revision FROM tables WHERE id = ?", [before.id]).fetchone()
    if stands is None or stands["revision"] != before.revision:
        return False
    columns = ", ".join(f"{field} = ?" for field in TABLES.fields)
    changed = db.execute(
        f"UPDATE tables SET {columns} WHERE id = ? AND revision = ?",  # noqa: S608
        [*TABLES.record(after), before.id, before.revision],
    )
    return changed.rowcount > 0


def _unused_code(db: Database) -> str:
    """A code that no table has had: of four letters, or of more once those run short."""
    for attempt in count():
        length = CODE_LENGTH + attempt // 32
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(length))
        if not db.execute("SELECT 1 FROM tables WHERE code = ?", [code]).fetchone():
            return code
    raise AssertionError("count() has no end")
