"""The store: everything that lasts, and the only place where SQL is spoken.

Every change is one transaction. It is written as a plain function on the database and runs as a
whole in the database's own thread, so that the event loop never waits for a disk and no two
changes interleave. Once a method has returned, its change survives the loss of the process and
of the machine's power; if it raises, nothing has changed. A caller that is cancelled does not
stop its change: that still happens wholly or not at all.

The statements keep to what SQLite and PostgreSQL have in common.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import astuple
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any

import aiosqlite

from data.access import Access, Database, Record
from data.clocks import Clocks
from data.columns import json_text, moment, seconds
from data.database import PATIENCE, copy_database
from data.followers import Followers
from data.hints import Hints
from data.migrate import open_database, read_migrations
from data.plans import Plans
from data.privacy import Privacy
from data.problems import (
    AlreadyCounted,
    AlreadyMember,
    BackupExists,
    ChannelTaken,
    Conflict,
    DamagedFile,
    DiskFailure,
    DiskFull,
    ForeignFile,
    MembersChanged,
    NewerSchema,
    NoSuchMember,
    NoSuchTable,
    NotInLobby,
    PlyTaken,
    StoreBusy,
    StoreProblem,
    StoreUnwritable,
    TableFull,
    TableOver,
)
from data.records import Records
from data.rows import EventRow, MemberRow, MessageRow, PersonRow, ServerRow, Status, TableRow
from data.seats import Seats
from data.standings import Standings
from data.undos import Undos
from data.votes import Votes

__all__ = [
    "AlreadyCounted",
    "AlreadyMember",
    "BackupExists",
    "ChannelTaken",
    "Conflict",
    "DamagedFile",
    "DiskFailure",
    "DiskFull",
    "EventRow",
    "ForeignFile",
    "MemberRow",
    "MembersChanged",
    "MessageRow",
    "NewerSchema",
    "NoSuchMember",
    "NoSuchTable",
    "NotInLobby",
    "PersonRow",
    "PlyTaken",
    "ServerRow",
    "Status",
    "Store",
    "StoreBusy",
    "StoreProblem",
    "StoreUnwritable",
    "TableFull",
    "TableOver",
    "TableRow",
]


CODE_LETTERS = "CDFGHJKMNPQRTVWXY234679"
"""No two that look alike (0 and O, 1 and I, 5 and S, 8 and B), and no vowels, so no words."""

CODE_LENGTH = 4


class Store:
    """The database of one bot. Make one with ``await Store.open(path)``.

    Every method may raise ``StoreProblem``. The store stays usable: as soon as the disk has room
    again, or the lock of another program is gone, changes succeed again.
    """

    def __init__(self, connection: aiosqlite.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self.database = Access(connection, path)
        self.clocks = Clocks(self.database)
        self.votes = Votes(self.database)
        self.undos = Undos(self.database)
        self.seats = Seats(self.database)
        self.plans = Plans(self.database)
        self.followers = Followers(self.database)
        self.hints = Hints(self.database)
        self.records = Records(self.database)
        self.standings = Standings(self.database)
        self.privacy = Privacy(self.database)

    # -- the file
    @classmethod
    async def open(cls, path: Path | str, *, patience: float = PATIENCE) -> Store:
        """Open the database file, create it if there is none, bring it up to date if it is old.

        :param patience: seconds to wait for another process that holds the file.
        :raises StoreProblem: ``DamagedFile``, ``ForeignFile``, ``NewerSchema``, ``StoreBusy``,
            ``DiskFull``, ``StoreUnwritable`` or ``DiskFailure``; the file is as it was before.
        """
        path = Path(path)
        db = await asyncio.to_thread(open_database, path, read_migrations(), patience)
        connection = aiosqlite.Connection(lambda: db, iter_chunk_size=64)
        # A bot that dies of an error must not linger because nobody closed its store.
        connection._thread.daemon = True
        return cls(await connection, path)

    async def close(self) -> None:
        """Finish what is under way and close the file. A closed store may be closed again."""
        await self._connection.close()

    async def backup(self, target: Path) -> None:
        """Write a copy to a new file while play goes on.

        :raises BackupExists: there is such a file.
        """
        # Apart from the store's own thread, so that no move waits for the copy.
        await asyncio.to_thread(copy_database, self._path, target)

    # -- tables
    async def open_table(
        self,
        *,
        game: str,
        rules: int,
        guild_id: int | None,
        channel_id: int,
        host_id: int,
        host_name: str,
        language: str,
        options: Mapping[str, Any],
        wanted_players: int | None,
        seed: str,
        at: datetime,
    ) -> TableRow:
        """Set up a table in its lobby, with the host as member 0.

        :raises ChannelTaken: the channel has a table in its lobby or running.
        """

        def change(db: Database) -> TableRow:
            _refuse_taken_channel(db, channel_id)
            code, opened_at = _unused_code(db), seconds(at)
            table = db.execute(
                """INSERT INTO tables (code, game, rules, guild_id, channel_id, host_id, language,
                    status, options, seed, wanted_players, ply, announced_ply, created_at, moved_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, 'lobby', ?, ?, ?, 0, -1, ?, ?)
                RETURNING *""",
                [
                    *(code, game, rules, guild_id, channel_id, host_id, language),
                    *(json_text(options), seed, wanted_players, opened_at, opened_at),
                ],
            ).fetchone()
            _join(db, table["id"], 0, host_id, host_name, None)
            return _table_row(table)

        return await self.database.write(change)

    async def table(self, table_id: int) -> TableRow:
        """The table as it stands.

        :raises NoSuchTable: there is none.
        """
        return await self.database.read(lambda db: _table(db, table_id))

    async def table_by_code(self, code: str) -> TableRow:
        """The table with a short code.

        :raises NoSuchTable: there is none.
        """

        def query(db: Database) -> TableRow:
            record = db.execute("SELECT * FROM tables WHERE code = ?", [code]).fetchone()
            if record is None:
                raise NoSuchTable(code)
            return _table_row(record)

        return await self.database.read(query)

    async def table_in(self, channel_id: int) -> TableRow | None:
        """The channel's table in its lobby or running, else the one that finished there last."""

        def query(db: Database) -> TableRow | None:
            record = db.execute(
                """SELECT * FROM tables WHERE channel_id = ? AND status = 'finished'
                ORDER BY moved_at DESC, id DESC LIMIT 1""",
                [channel_id],
            ).fetchone()
            return _open_table_in(db, channel_id) or (record and _table_row(record))

        return await self.database.read(query)

    async def tables_of(self, person_id: int) -> list[TableRow]:
        """The tables that the person plays at and that are not over, latest change first.

        Parked ones are among them: a member may want to move one to another channel.
        """
        return await self._tables(
            """SELECT * FROM tables WHERE status IN ('lobby', 'running', 'parked')
                AND id IN (SELECT table_id FROM members WHERE person_id = ?)
            ORDER BY moved_at DESC, id DESC""",
            person_id,
        )

    async def count_tables(self, person_id: int, guild_id: int) -> int:
        """How many tables of a server, in their lobby or running, a person plays at in person."""
        records = await self.database.fetch(
            """SELECT count(*) FROM tables JOIN members ON members.table_id = tables.id
            WHERE members.person_id = ? AND members.level IS NULL
                AND tables.guild_id = ? AND tables.status IN ('lobby', 'running')""",
            person_id,
            guild_id,
        )
        count: int = records[0][0]
        return count

    async def open_tables(self) -> list[TableRow]:
        """All tables in their lobby or running, oldest first."""
        return await self._tables(
            "SELECT * FROM tables WHERE status IN ('lobby', 'running') ORDER BY id"
        )

    async def with_computers(self) -> list[TableRow]:
        """Running tables at which a computer player has a seat, oldest first."""
        return await self._tables(
            """SELECT * FROM tables WHERE status = 'running'
                AND id IN (SELECT table_id FROM members WHERE level IS NOT NULL)
            ORDER BY id"""
        )

    async def unannounced(self) -> list[TableRow]:
        """Started tables with events, undos, or a start, that their channel has not heard of."""
        return await self._tables(
            """SELECT * FROM tables
            WHERE status IN ('running', 'finished') AND (announced_ply < ply
                OR id IN (SELECT table_id FROM undos WHERE announced = 0))
            ORDER BY id"""
        )

    async def untold_results(self, since: datetime) -> list[TableRow]:
        """Tables that finished since then and whose result nobody has posted."""
        return await self._tables(
            """SELECT * FROM tables WHERE status = 'finished' AND moved_at >= ?
                AND id NOT IN (SELECT table_id FROM messages WHERE kind = 'result')
            ORDER BY id""",
            seconds(since),
        )

    async def events(self, table_id: int) -> list[EventRow]:
        """The log of the match, in order."""
        records = await self.database.fetch(
            """SELECT ply, seat, move, at, person_id, interaction_id
            FROM events WHERE table_id = ? ORDER BY ply""",
            table_id,
        )
        return [
            EventRow(ply, seat, move, moment(at), person_id, interaction_id)
            for ply, seat, move, at, person_id, interaction_id in records
        ]

    # -- the lobby
    async def members(self, table_id: int) -> list[MemberRow]:
        """Those who play at the table, in order of joining."""
        return await self.database.read(lambda db: _members(db, table_id))

    async def add_member(
        self, table_id: int, person_id: int | None, name: str, level: str | None, limit: int
    ) -> MemberRow:
        """Let a person, or a computer player of some level, join.

        :param limit: the number of members that the table may have.
        :raises Conflict: ``NoSuchTable``, ``NotInLobby``, ``AlreadyMember`` or ``TableFull``.
        """

        def change(db: Database) -> MemberRow:
            _require_lobby(db, table_id)
            present = _members(db, table_id)
            if person_id is not None and any(m.person_id == person_id for m in present):
                raise AlreadyMember(person_id)
            if len(present) >= limit:
                raise TableFull(limit)
            number = 1 + max((member.number for member in present), default=-1)
            return _join(db, table_id, number, person_id, name, level)

        return await self.database.write(change)

    async def remove_member(self, table_id: int, number: int) -> None:
        """Let a member leave the lobby.

        :raises Conflict: ``NoSuchTable``, ``NotInLobby`` or ``NoSuchMember``.
        """

        def change(db: Database) -> None:
            _require_lobby(db, table_id)
            removed = db.execute(
                "DELETE FROM members WHERE table_id = ? AND number = ?", [table_id, number]
            )
            if not removed.rowcount:
                raise NoSuchMember(number)

        await self.database.write(change)

    async def set_member(
        self,
        table_id: int,
        number: int,
        *,
        person_id: int | None,
        name: str,
        level: str | None,
        resigned: bool,
    ) -> None:
        """Change who plays for a member's seat, as when a computer player takes over.

        :raises Conflict: ``NoSuchMember``, or ``AlreadyMember`` if the person has another seat.
        """

        def change(db: Database) -> None:
            others = [m for m in _members(db, table_id) if m.number != number]
            if person_id is not None and any(m.person_id == person_id for m in others):
                raise AlreadyMember(person_id)
            changed = db.execute(
                """UPDATE members SET person_id = ?, name = ?, level = ?, resigned = ?
                WHERE table_id = ? AND number = ?""",
                [person_id, name, level, int(resigned), table_id, number],
            )
            if not changed.rowcount:
                raise NoSuchMember(number)

        await self.database.write(change)

    # -- the match
    async def start(
        self,
        table_id: int,
        *,
        rules: int,
        options: Mapping[str, Any],
        players: int,
        seating: Sequence[int],
        events: Sequence[tuple[int, str]],
        at: datetime,
        interaction_id: int | None = None,
    ) -> None:
        """Begin the match: seat the members and log what chance has decided first.

        :param rules: the version of the game's rules that the log is written under from now on.
        :param options: resolved.
        :param seating: the numbers of all members, in the order of their seats.
        :param events: (seat, move) of each.
        :raises Conflict: ``NoSuchTable``, ``NotInLobby``, ``AlreadyCounted``, or
            ``MembersChanged`` if ``seating`` does not name each member once.
        """
        if len(seating) != players:
            raise ValueError(f"{len(seating)} members for {players} seats")

        def change(db: Database) -> None:
            _refuse_counted(db, interaction_id)
            _require_lobby(db, table_id)
            if sorted(seating) != [member.number for member in _members(db, table_id)]:
                raise MembersChanged(table_id)
            db.executemany(
                "UPDATE members SET seat = ? WHERE table_id = ? AND number = ?",
                [(seat, table_id, number) for seat, number in enumerate(seating)],
            )
            db.execute(
                """UPDATE tables SET status = 'running', rules = ?, options = ?, players = ?,
                    ply = ?, moved_at = ?
                WHERE id = ?""",
                [rules, json_text(options), players, len(events), seconds(at), table_id],
            )
            _log(db, table_id, 0, events, seconds(at), None, interaction_id)

        await self.database.write(change)

    async def append(
        self,
        table_id: int,
        ply: int,
        events: Sequence[tuple[int, str]],
        *,
        person_id: int | None,
        interaction_id: int | None,
        at: datetime,
        finished: Mapping[str, Any] | None,
    ) -> None:
        """Log a move and what follows from it, at most once.

        :param ply: number of events that the match had when the move was judged.
        :param events: (seat, move) of each; at least one.
        :param person_id: who moved; None: a computer player.
        :param interaction_id: the press or command behind it, if any.
        :param finished: the result, if this ends the match.
        :raises Conflict: ``AlreadyCounted`` if the interaction has been logged before, wherever;
            ``PlyTaken`` if the match is not running at exactly ``ply``; ``NoSuchTable``.
        """
        if not events:
            raise ValueError("nothing to append")
        status = Status.RUNNING if finished is None else Status.FINISHED

        def change(db: Database) -> None:
            _refuse_counted(db, interaction_id)
            advanced = db.execute(
                """UPDATE tables SET ply = ?, moved_at = ?, status = ?, result = ?
                WHERE id = ? AND ply = ? AND status = 'running'""",
                [ply + len(events), seconds(at), status, json_text(finished), table_id, ply],
            )
            if not advanced.rowcount:
                raise PlyTaken(_table(db, table_id).code, ply)
            _log(db, table_id, ply, events, seconds(at), person_id, interaction_id)

        await self.database.write(change)

    async def end(
        self, table_id: int, status: Status, result: Mapping[str, Any] | None, at: datetime
    ) -> None:
        """Finish or end a table other than by a move.

        :raises Conflict: ``NoSuchTable``, or ``TableOver`` if it is finished or ended already.
        """

        def change(db: Database) -> None:
            _require_not_over(db, table_id)
            db.execute(
                "UPDATE tables SET status = ?, result = ?, moved_at = ? WHERE id = ?",
                [status, json_text(result), seconds(at), table_id],
            )

        await self.database.write(change)

    async def park(self, channels: Collection[int], at: datetime) -> list[TableRow]:
        """Park the tables in their lobby or running whose channels are lost; no others.

        :returns: those that are parked by this.
        """

        def change(db: Database) -> list[TableRow]:
            lost = [_open_table_in(db, channel_id) for channel_id in channels]
            open_tables = [table.id for table in lost if table is not None]
            db.executemany(
                "UPDATE tables SET status = 'parked', moved_at = ? WHERE id = ?",
                [(seconds(at), table_id) for table_id in open_tables],
            )
            return [_table(db, table_id) for table_id in open_tables]

        return await self.database.write(change)

    async def resign(
        self,
        table_id: int,
        number: int,
        level: str,
        over: tuple[Status, Mapping[str, Any]] | None,
        at: datetime,
    ) -> None:
        """Note that a member gave up and that a computer player moves for the seat from now on.

        :param over: status and result, if the table is over by this.
        :raises Conflict: ``NoSuchTable``, ``NoSuchMember``, or ``TableOver``.
        """

        def change(db: Database) -> None:
            _require_not_over(db, table_id)
            changed = db.execute(
                "UPDATE members SET level = ?, resigned = 1 WHERE table_id = ? AND number = ?",
                [level, table_id, number],
            )
            if not changed.rowcount:
                raise NoSuchMember(number)
            if over is not None:
                status, result = over
                db.execute(
                    "UPDATE tables SET status = ?, result = ?, moved_at = ? WHERE id = ?",
                    [status, json_text(result), seconds(at), table_id],
                )

        await self.database.write(change)

    async def move_table(self, table_id: int, channel_id: int, guild_id: int | None) -> None:
        """Take a table to another channel. A parked one goes on there.

        :raises Conflict: ``NoSuchTable``, ``TableOver``, or ``ChannelTaken`` if the channel has
            another table in its lobby or running.
        """

        def change(db: Database) -> None:
            table = _require_not_over(db, table_id)
            _refuse_taken_channel(db, channel_id, except_for=table_id)
            status = Status.LOBBY if table.players is None else Status.RUNNING
            db.execute(
                "UPDATE tables SET channel_id = ?, guild_id = ?, status = ? WHERE id = ?",
                [channel_id, guild_id, status, table_id],
            )

        await self.database.write(change)

    async def set_announced(self, table_id: int, ply: int, undos: int = 0) -> None:
        """Note that the channel has heard of the first ``ply`` events. It never forgets any.

        :param undos: number of undos that the told course of events had had; told of a course
            that has been undone since, the channel does not know the present one.
        :raises NoSuchTable: there is no such table.
        """

        def change(db: Database) -> None:
            _table(db, table_id)
            db.execute(
                """UPDATE tables SET announced_ply = ?
                WHERE id = ? AND announced_ply < ? AND undos = ?""",
                [ply, table_id, ply, undos],
            )

        await self.database.write(change)

    # -- messages with controls
    async def remember_message(self, message: MessageRow) -> None:
        """Note a posted message, or what it shows now.

        :raises NoSuchTable: there is no such table.
        """

        def change(db: Database) -> None:
            _table(db, message.table_id)
            db.execute(
                """INSERT INTO messages (table_id, kind, channel_id, message_id, person_id, ply)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (message_id) DO UPDATE SET table_id = excluded.table_id,
                    kind = excluded.kind, channel_id = excluded.channel_id,
                    person_id = excluded.person_id, ply = excluded.ply""",
                astuple(message),
            )

        await self.database.write(change)

    async def messages(self, table_id: int, kind: str | None = None) -> list[MessageRow]:
        """The noted messages of a table, of one kind or all, oldest first."""
        records = await self.database.fetch(
            """SELECT table_id, kind, channel_id, message_id, person_id, ply
            FROM messages WHERE table_id = ? ORDER BY message_id""",
            table_id,
        )
        return [MessageRow(**record) for record in records if kind in (None, record["kind"])]

    async def forget_message(self, message_id: int) -> None:
        """Forget a message, if it was noted: it is gone, or without controls."""

        def change(db: Database) -> None:
            db.execute("DELETE FROM messages WHERE message_id = ?", [message_id])

        await self.database.write(change)

    # -- settings
    async def server(self, guild_id: int) -> ServerRow:
        """The settings of a server; the defaults if it has none."""
        return await self.database.read(lambda db: _server(db, guild_id))

    async def change_server(
        self, guild_id: int, change: Callable[[ServerRow], ServerRow]
    ) -> ServerRow:
        """Change the settings of a server, so that nothing is lost of what others change meanwhile.

        :param change: from the settings as they are to those that shall be; quick, and without a
            look at anything else.
        :returns: the settings as they are now.
        """

        def rewrite(db: Database) -> ServerRow:
            server = change(_server(db, guild_id))
            db.execute(
                """INSERT INTO servers
                    (guild_id, language, channels, opener_role, quiet_limit, tables_limit)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (guild_id) DO UPDATE SET language = excluded.language,
                    channels = excluded.channels, opener_role = excluded.opener_role,
                    quiet_limit = excluded.quiet_limit, tables_limit = excluded.tables_limit""",
                [
                    *(server.guild_id, server.language, json_text(server.channels)),
                    *(server.opener_role, server.quiet_limit, server.tables_limit),
                ],
            )
            return server

        return await self.database.write(rewrite)

    async def person(self, person_id: int) -> PersonRow:
        """The settings of a person; the defaults if there are none."""
        return await self.database.read(lambda db: _person(db, person_id))

    async def change_person(
        self, person_id: int, change: Callable[[PersonRow], PersonRow]
    ) -> PersonRow:
        """Change the settings of a person; parameters and result as in ``change_server``."""

        def rewrite(db: Database) -> PersonRow:
            person = change(_person(db, person_id))
            db.execute(
                """INSERT INTO people
                    (person_id, language, dm_closed, zone, quiet_from, quiet_to, dm_too)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (person_id) DO UPDATE SET language = excluded.language,
                    dm_closed = excluded.dm_closed, zone = excluded.zone,
                    quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
                    dm_too = excluded.dm_too""",
                [
                    *(person.person_id, person.language, int(person.dm_closed), person.zone),
                    *(person.quiet_from, person.quiet_to, int(person.dm_too)),
                ],
            )
            return person

        return await self.database.write(rewrite)

    # -- inside
    async def _tables(self, sql: str, *values: Any) -> list[TableRow]:
        return [_table_row(record) for record in await self.database.fetch(sql, *values)]


# ------------------------------------------------------------- parts of the transactions
def _table(db: Database, table_id: int) -> TableRow:
    record = db.execute("SELECT * FROM tables WHERE id = ?", [table_id]).fetchone()
    if record is None:
        raise NoSuchTable(table_id)
    return _table_row(record)


def _open_table_in(db: Database, channel_id: int) -> TableRow | None:
    record = db.execute(
        "SELECT * FROM tables WHERE channel_id = ? AND status IN ('lobby', 'running')",
        [channel_id],
    ).fetchone()
    return None if record is None else _table_row(record)


def _members(db: Database, table_id: int) -> list[MemberRow]:
    records = db.execute("SELECT * FROM members WHERE table_id = ? ORDER BY number", [table_id])
    return [_member_row(record) for record in records.fetchall()]


def _server(db: Database, guild_id: int) -> ServerRow:
    record = db.execute("SELECT * FROM servers WHERE guild_id = ?", [guild_id]).fetchone()
    if record is None:
        return ServerRow(guild_id)
    return ServerRow(**{**record, "channels": tuple(json.loads(record["channels"]))})


def _person(db: Database, person_id: int) -> PersonRow:
    record = db.execute("SELECT * FROM people WHERE person_id = ?", [person_id]).fetchone()
    if record is None:
        return PersonRow(person_id)
    answers = {key: bool(record[key]) for key in ("dm_closed", "dm_too")}
    return PersonRow(**{**record, **answers})


def _refuse_taken_channel(db: Database, channel_id: int, except_for: int | None = None) -> None:
    table = _open_table_in(db, channel_id)
    if table is not None and table.id != except_for:
        raise ChannelTaken(table)


def _refuse_counted(db: Database, interaction_id: int | None) -> None:
    known = """SELECT 1 FROM events WHERE interaction_id = ?
        UNION ALL SELECT 1 FROM undone_events WHERE interaction_id = ?"""
    if interaction_id is not None and db.execute(known, [interaction_id] * 2).fetchone():
        raise AlreadyCounted(interaction_id)


def _require_lobby(db: Database, table_id: int) -> None:
    table = _table(db, table_id)
    if table.status is not Status.LOBBY:
        raise NotInLobby(table.code)


def _require_not_over(db: Database, table_id: int) -> TableRow:
    table = _table(db, table_id)
    if table.status in (Status.FINISHED, Status.ENDED):
        raise TableOver(table.code)
    return table


def _join(
    db: Database, table_id: int, number: int, person_id: int | None, name: str, level: str | None
) -> MemberRow:
    record = db.execute(
        """INSERT INTO members (table_id, number, person_id, name, level, resigned)
        VALUES (?, ?, ?, ?, ?, 0)
        RETURNING *""",
        [table_id, number, person_id, name, level],
    ).fetchone()
    return _member_row(record)


def _log(
    db: Database,
    table_id: int,
    ply: int,
    events: Sequence[tuple[int, str]],
    at: int,
    person_id: int | None,
    interaction_id: int | None,
) -> None:
    """Append events from ``ply`` on. The interaction stands at the first: it is unique."""
    db.executemany(
        """INSERT INTO events (table_id, ply, seat, move, at, person_id, interaction_id)
        VALUES (?, ?, ?, ?, ?, ?, ?)""",
        [
            (table_id, number, seat, move, at, person_id, interaction_id if number == ply else None)
            for number, (seat, move) in enumerate(events, start=ply)
        ],
    )


def _unused_code(db: Database) -> str:
    """A code that no table has had: of four letters, or of more once those run short."""
    for attempt in count():
        length = CODE_LENGTH + attempt // 32
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(length))
        if not db.execute("SELECT 1 FROM tables WHERE code = ?", [code]).fetchone():
            return code
    raise AssertionError("count() has no end")


# ------------------------------------------------------------------ rows and their records
def _table_row(record: Record) -> TableRow:
    columns = dict(record)
    columns["status"] = Status(record["status"])
    columns["options"] = json.loads(record["options"])
    columns["result"] = record["result"] and json.loads(record["result"])
    columns["created_at"] = moment(record["created_at"])
    columns["moved_at"] = moment(record["moved_at"])
    return TableRow(**columns)


def _member_row(record: Record) -> MemberRow:
    return MemberRow(**{**record, "resigned": bool(record["resigned"])})
