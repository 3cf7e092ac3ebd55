"""Tables. The store loads and commits each as a whole."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from data.store.access import Database
from data.store.columns import Kind, json_text, to_seconds
from data.store.journaled import (
    CODE_LENGTH,
    SECRET_LENGTH,
    JournaledRepository,
    refuse_counted,
    unused_code,
)
from data.store.packing import journal_of
from data.store.parts import JOURNAL, MEMBERS, PARTS
from data.store.problems import NoSuchTable, Undecodable
from data.store.rows import Line, Loaded, MemberRow, Opening, Status, Stored, TableRow
from data.store.settings import PEOPLE, SERVERS
from data.store.standings import count_match

TABLES = Kind("tables", TableRow)

OPEN = "status IN ('lobby', 'running')"

REWRITES = "forget"
"""The only kind of journal line whose change also rewrites earlier lines."""


class TableRepository(JournaledRepository):
    """All tables. Every method makes one trip to the database."""

    NAME, KIND = "tables", "table"

    # -- one table
    async def open(self, opening: Opening, rules: int, secret: str, at: datetime) -> Loaded:
        """Create a table in its lobby, with the host as member 0 and the first line of the journal,
        or the first two for a rematch. If an occasion's slot already has a table, return that one
        instead.

        :param rules: the version of the game's rules.
        :param secret: the table's secret, from which its seed is derived.
        """
        names = ["game", "guild_id", "channel_id", "host_id", "language", "wanted_players"]
        names += ["occasion_id", "slot", "home_id"]
        columns = {name: getattr(opening, name) for name in names}
        columns |= {"rules": rules, "seed": "", "secret": secret}
        columns |= {"options": json_text(dict(opening.options))}
        columns |= {"status": "lobby", "created_at": to_seconds(at), "moved_at": to_seconds(at)}
        lines = [Line(1, "open", None, opening.host_id, opening.chat, at)]
        if opening.rematch:
            lines.append(Line(2, "rematch", None, opening.host_id, opening.rematch, at))
        columns |= {"revision": len(lines)}
        if opening.due_at is not None:
            columns |= {"due_at": to_seconds(opening.due_at)}

        def change(db: Database) -> Loaded:
            there = _of_slot(db, opening.occasion_id, opening.slot)
            if there is not None:
                return _load(db, there)
            # For a table in direct messages, anybody with the code can join the lobby, so the code
            # must be hard to guess.
            length = CODE_LENGTH if opening.guild_id or opening.chat else SECRET_LENGTH
            columns["code"] = unused_code(db, self.NAME, length)
            sql = f"""INSERT INTO tables ({", ".join(columns)})
                VALUES ({", ".join("?" * len(columns))}) RETURNING id"""  # noqa: S608
            (table_id,) = db.execute(sql, [*columns.values()]).fetchone()
            host = MemberRow(0, opening.host_id, opening.host_name)
            MEMBERS.add(db, table_id, [host, *opening.guests])
            JOURNAL.add(db, table_id, lines)
            self._tell(db, table_id, opening.guild_id)
            return _load(db, table_id)

        return await self._database.write(change)

    async def load(self, table_id: int, known: Stored | None = None) -> Loaded:
        """Return the current state of a table.

        :param known: an earlier state; if possible, only the lines after it are read, because a
            journal only grows.
        :raises NoSuchTable: no table has this id.
        """
        return await self._database.read(lambda db: _load(db, table_id, known))

    async def commit(self, before: Stored, after: Stored) -> bool:
        """Store a new state of a table, unless somebody else has changed it first.

        :param before: the state that was loaded or last committed.
        :param after: the state after the change: its journal has more lines, and the rest shows
            their effects.
        :returns: False if the table has changed since ``before``; nothing is stored then.
        :raises AlreadyCounted: the interaction behind a new line has already had its effect, at
            this or another table.
        :raises ValueError: the journal of ``after`` does not continue that of ``before``.
        """
        lines = _new_lines(before, after)

        def change(db: Database) -> bool:
            refuse_counted(db, "journal", lines)
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

    # -- found
    async def id_of(self, code: str) -> int:
        """Return the id of the table with this code.

        :raises NoSuchTable: no table has this code.
        """
        found = await self._ids("SELECT id FROM tables WHERE code = ?", code)
        if not found:
            raise NoSuchTable(code)
        return found[0]

    async def in_channel(self, channel_id: int) -> int | None:
        """Return the open table that changed last in a channel, or else the last finished one; None
        if there is neither.
        """
        found = await self._ids(
            f"""SELECT id FROM tables WHERE channel_id = ? AND ({OPEN} OR status = 'finished')
            ORDER BY CASE WHEN {OPEN} THEN 0 ELSE 1 END, moved_at DESC, id DESC LIMIT 1""",  # noqa: S608
            channel_id,
        )
        return found[0] if found else None

    async def of_person(self, person_id: int) -> list[int]:
        """Return a person's tables that are not over, latest change first.

        Parked tables are included, because a member may want to move them to another channel.
        """
        return await self._ids(
            """SELECT id FROM tables WHERE status IN ('lobby', 'running', 'parked')
                AND id IN (SELECT table_id FROM members WHERE person_id = ?)
            ORDER BY moved_at DESC, id DESC""",
            person_id,
        )

    async def count_of(self, person_id: int, guild_id: int) -> int:
        """Return how many open tables on a server a person plays at, not counting tables where a
        computer player moves for them.
        """
        found = await self._ids(
            f"""SELECT tables.id FROM tables JOIN members ON members.table_id = tables.id
            WHERE members.person_id = ? AND members.level IS NULL
                AND tables.guild_id = ? AND {OPEN}""",  # noqa: S608
            person_id,
            guild_id,
        )
        return len(found)

    async def invitations_to(self, person_id: int, since: datetime) -> list[tuple[int, str]]:
        """Return the invitations that a person has not accepted, if they were made since a certain
        time or the table is still in its lobby.

        :returns: for each, the inviter's id (0: unknown) and the text of the journal line.
        """
        rows = await self._database.fetch(
            """SELECT members.person_id AS inviter, asked.text
            FROM journal AS asked JOIN tables ON tables.id = asked.table_id
            LEFT JOIN members ON members.table_id = asked.table_id
                AND members.number = CAST(replace(asked.text, ' unheard', '') AS INTEGER)
            WHERE asked.kind = 'invite' AND asked.person_id = ?
                AND (status = 'lobby' OR at >= ?)
                AND NOT EXISTS (SELECT 1 FROM journal AS came
                    WHERE came.table_id = asked.table_id AND came.number > asked.number
                        AND came.kind = 'join' AND came.person_id = asked.person_id)""",
            person_id,
            to_seconds(since),
        )
        return [(record["inviter"] or 0, record["text"]) for record in rows]

    async def open_ids(self) -> list[int]:
        """Return all open tables that this process serves: first those in their lobby, then the
        running ones, each oldest first.
        """
        return await self._ids(
            f"""SELECT id FROM tables WHERE {OPEN} AND {self._served}
            ORDER BY CASE status WHEN 'lobby' THEN 0 ELSE 1 END, id"""  # noqa: S608
        )

    async def by_status(self, statuses: Collection[Status]) -> dict[str, int]:
        """Return the number of tables with each of these statuses. This counts all tables, so it
        takes longer the more there are.
        """
        names = [status.value for status in statuses]
        rows = await self._database.fetch(
            f"""SELECT status, count(*) FROM tables
            WHERE status IN ({", ".join("?" * len(names))}) GROUP BY status""",  # noqa: S608
            *names,
        )
        found = {row["status"]: row[1] for row in rows}
        return {name: found.get(name, 0) for name in names}

    async def places(self) -> list[tuple[int, int | None]]:
        """Return the channel and server of all open tables, oldest table first. Tables that are, or
        have ever been, in a chat where the bot can only answer interactions are left out.
        """
        sql = f"""SELECT channel_id, guild_id FROM tables WHERE {OPEN}
            AND NOT EXISTS (SELECT 1 FROM journal
                WHERE table_id = tables.id AND kind IN ('open', 'unpark') AND text <> '')
        ORDER BY id"""  # noqa: S608
        return [(channel, guild) for channel, guild in await self._database.fetch(sql)]

    async def open_in(self, channels: Collection[int]) -> list[int]:
        """Return the open tables in some channels, oldest first."""
        marks = ", ".join("?" * len(channels)) or "NULL"
        return await self._ids(
            f"SELECT id FROM tables WHERE channel_id IN ({marks}) AND {OPEN} ORDER BY id",  # noqa: S608
            *channels,
        )

    async def open_on(self, guild_id: int) -> list[int]:
        """Return the open tables on a server, oldest first."""
        return await self._ids(
            f"SELECT id FROM tables WHERE guild_id = ? AND {OPEN} ORDER BY id",  # noqa: S608
            guild_id,
        )

    async def parked(self) -> set[int]:
        """Return the servers that have parked tables."""
        sql = """SELECT DISTINCT guild_id FROM tables
            WHERE status = 'parked' AND guild_id IS NOT NULL"""
        return set(await self._ids(sql))

    async def parked_on(self, guild_id: int) -> list[int]:
        """Return the parked tables on a server, oldest first."""
        sql = "SELECT id FROM tables WHERE guild_id = ? AND status = 'parked' ORDER BY id"
        return await self._ids(sql, guild_id)

    async def followed_by(self, person_id: int) -> list[int]:
        """Return the open tables that a person follows, oldest first."""
        return await self._ids(
            f"""SELECT table_id FROM followers JOIN tables ON id = table_id
            WHERE person_id = ? AND {OPEN} ORDER BY id""",  # noqa: S608
            person_id,
        )

    # -- work for this process
    async def behind(self, since: datetime) -> list[int]:
        """Return the tables served by this process whose messages are not up to date, oldest first.

        :param since: leave out tables that ended before this time.
        """
        return await self._ids(
            f"""SELECT id FROM tables WHERE told < revision AND {self._served}
                AND (status NOT IN ('finished', 'ended') OR moved_at >= ?)
            ORDER BY id""",  # noqa: S608
            to_seconds(since),
        )

    async def behind_in(self, channel_id: int) -> list[int]:
        """Return the tables in a channel whose messages are not up to date, oldest first."""
        return await self._ids(
            "SELECT id FROM tables WHERE channel_id = ? AND told < revision ORDER BY id",
            channel_id,
        )

    async def to_think(self) -> list[int]:
        """Return the running tables served by this process where a computer player has a seat or
        has to make a decision for a person, oldest first.
        """
        return await self._ids(
            f"""SELECT id FROM tables WHERE status = 'running' AND {self._served}
                AND (EXISTS (SELECT 1 FROM members
                        WHERE table_id = tables.id AND level IS NOT NULL)
                    OR EXISTS (SELECT 1 FROM turns
                        WHERE table_id = tables.id AND helped = 1 AND time_left IS NULL))
            ORDER BY id"""  # noqa: S608
        )

    async def of_occasion(self, occasion_id: int) -> dict[str, int]:
        """Return the ids of the tables that an occasion has opened, by slot, oldest first."""
        sql = "SELECT slot, id FROM tables WHERE occasion_id = ? ORDER BY id"
        found = await self._database.fetch(sql, occasion_id)
        return {record["slot"]: record["id"] for record in found}


# ------------------------------------------------------------- parts of the transactions
def _load(db: Database, table_id: int, known: Stored | None = None) -> Loaded:
    found = TABLES.find(db, "id = ?", table_id)
    if not found:
        raise NoSuchTable(table_id)
    parts: dict[str, Any] = {part.name: part.load(db, table_id) for part in PARTS}
    journal = () if known is None else _grown(db, known, found[0])
    stored = Stored(found[0], journal=journal or journal_of(db, table_id), **parts)
    _refuse_damaged(stored)
    people = {person for member in stored.members if (person := member.person_id) is not None}
    named = PEOPLE.all_of(db, people | stored.followers)
    return Loaded(stored, named, SERVERS.of(db, stored.row.guild_id or 0))


def _grown(db: Database, known: Stored, row: TableRow) -> tuple[Line, ...]:
    """Return a known journal with the lines added since; empty if the whole journal has to be read,
    because it was packed or rewritten in the meantime.

    :param known: an earlier state of the table.
    """
    since = known.row.revision
    if row.revision == since:
        return known.journal
    later = JOURNAL.find(db, "table_id = ? AND number > ? ORDER BY number", row.id, since)
    packed = len(later) != row.revision - since
    if packed or any(line.kind == REWRITES for line in later):
        return ()
    return (*known.journal, *later)


def _refuse_damaged(table: Stored) -> None:
    """Check that a table's journal is complete.

    :raises Undecodable: lines are missing.
    """
    numbers = [line.number for line in table.journal]
    if numbers != [*range(1, table.row.revision + 1)]:
        raise Undecodable(f"lines of table {table.row.id} are missing")


def _new_lines(before: Stored, after: Stored) -> tuple[Line, ...]:
    """Return the lines that a commit appends.

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


def _update(db: Database, before: TableRow, after: TableRow) -> bool:
    """Change the row of a table. Return False if the table has changed since ``before``."""
    changes = TABLES.changes(before, after)
    columns = ", ".join(f"{field} = ?" for field in changes)
    changed = db.execute(
        f"UPDATE tables SET {columns} WHERE id = ? AND revision = ?",  # noqa: S608
        [*changes.values(), before.id, before.revision],
    )
    return changed.rowcount > 0


def _of_slot(db: Database, occasion_id: int | None, slot: str | None) -> int | None:
    record = db.execute(
        "SELECT id FROM tables WHERE occasion_id = ? AND slot = ?", [occasion_id, slot]
    ).fetchone()
    return None if record is None else record["id"]
