"""The data that the store keeps about one person, and its deletion.

Other people's matches stay readable: a stranger takes the person's place, with another name and
with a random negative number instead of the Discord ID. That number is the same everywhere, so
other people's ratings do not change.

Deletion works through one table at a time, with a transaction for each, so that no move has to wait
long. A row records that the deletion has begun. That row is deleted last, so an interrupted
deletion can be resumed with the same result.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from data.store.access import Database, Repository
from data.store.columns import json_text
from data.store.journaled import new_code
from data.store.marks import mark_of_blocked, person_mark
from data.store.packing import packed_lines, put_back
from data.store.problems import StillAtTable
from data.store.riddles import keep_begun
from data.store.rows import NOWHERE, Line
from data.store.settings import PEOPLE

T = TypeVar("T")

JOB = "SELECT stranger, pseudonym FROM forgetting WHERE person_id = ?"
"""Selects the number and name that replace those of a person whose data is being deleted."""

STEP = 500
"""How many tables one query searches; that takes a few milliseconds."""


@dataclass(frozen=True, slots=True)
class RememberedCounts:
    """How much data of each kind is stored about a person.

    :param tables: tables, open or not, where the person is a member.
    :param moves: moves made at any table, including those taken back.
    :param plans: moves planned.
    :param messages: messages to the person about tables.
    :param followed: tables that the person follows.
    :param records: match records that the person uploaded.
    :param steps: lesson steps solved.
    :param riddles: daily riddles tried.
    :param deals: daily deals played.
    :param occasions: tournaments, seeks and the like that name the person.
    """

    tables: int
    moves: int
    plans: int
    messages: int
    followed: int
    records: int
    steps: int
    riddles: int
    deals: int
    occasions: int
    trophies: int


class PrivacyRepository(Repository):
    """The data stored about people, and its deletion."""

    async def kept(self, person_id: int) -> RememberedCounts:
        """Count the data stored about a person."""

        def count(db: Database, tables: range) -> list[int]:
            counts = [
                db.execute(
                    f"""SELECT count(*) FROM {name}
                    WHERE table_id BETWEEN ? AND ? AND person_id = ? {condition}""",  # noqa: S608
                    [tables[0], tables[-1], person_id],
                ).fetchone()[0]
                for name, condition in COUNTED
            ]
            packs = packed_lines(db, tables, person_id)
            own = ("move", person_id)
            moves = sum((x.kind, x.person_id) == own for _, lines in packs for x in lines)
            return [*counts, moves]

        counts = [some async for some in self._through(count)]
        tables, moves, plans, messages, followed, packed = map(sum, zip(*counts, strict=True))
        sql = ", ".join(f"(SELECT count(*) FROM {name} WHERE person_id = ?)" for name in OWN)  # noqa: S608
        (own,) = await self._database.fetch(f"SELECT {sql}", *[person_id] * len(OWN))
        return RememberedCounts(tables, moves + packed, plans, messages, followed, *own)

    async def tables_of(self, person_id: int) -> AsyncIterator[int]:
        """Yield the tables that refer to a person or are in their direct messages, even if the
        person does not play there.
        """
        async for found in self._through(lambda db, tables: _tables_with(db, person_id, tables)):
            for table_id in sorted(found):
                yield table_id

    async def occasions_of(self, person_id: int) -> list[int]:
        """Return the occasions that have rows that belong to a person or name the person, oldest
        first.
        """
        records = await self._database.fetch(
            """SELECT occasion_id FROM occasion_people WHERE person_id = ?
            UNION SELECT occasion_id FROM occasion_journal WHERE person_id = ?
            UNION SELECT occasion_id FROM occasion_messages WHERE person_id = ?
            UNION SELECT id FROM occasions WHERE host_id = ?
            ORDER BY 1""",
            *[person_id] * 4,
        )
        return [number for (number,) in records]

    # -- forgetting
    async def begin(self, person_id: int, pseudonym: str) -> None:
        """Record that a person's data has to be deleted. If this is recorded already, nothing
        changes.

        :param pseudonym: the name that will replace the person's in past matches.
        """
        stranger = -1 - secrets.randbits(62)
        await self._database.write(
            lambda db: db.execute(
                """INSERT INTO forgetting (person_id, stranger, pseudonym) VALUES (?, ?, ?)
                ON CONFLICT (person_id) DO NOTHING""",
                [person_id, stranger, pseudonym],
            )
        )

    async def begun(self) -> list[int]:
        """Return the people whose deletion has begun."""
        records = await self._database.fetch("SELECT person_id FROM forgetting ORDER BY person_id")
        return [person_id for (person_id,) in records]

    async def forget_at(self, table_id: int, person_id: int, level: str) -> None:
        """Replace a person with a stranger at one table, and delete rows that concern the person
        alone. Do nothing unless the person is being forgotten.

        The table gets a journal line ``forget``, which raises its revision, so that processes with
        the table in memory notice the change.

        :param level: the level of the computer player that will take the person's seat if the table
            is parked.
        :raises StillAtTable: the person plays at the table, or sits in its lobby.
        """

        def change(db: Database) -> None:
            job = db.execute(JOB, [person_id]).fetchone()
            if job is None:
                return
            _refuse_while_playing(db, table_id, person_id)
            put_back(db, table_id)
            _leave_channels(db, table_id, person_id)
            _bar_from_match(db, table_id, person_id)
            db.execute(
                """UPDATE members SET level = ?, resigned = 1
                WHERE table_id = ? AND person_id = ? AND level IS NULL
                    AND table_id IN (SELECT id FROM tables WHERE status = 'parked')""",
                [level, table_id, person_id],
            )
            db.execute(
                "UPDATE members SET name = ? WHERE table_id = ? AND person_id = ?",
                [job["pseudonym"], table_id, person_id],
            )
            # The lucky word stays with the seat, because the other players need it to prove their
            # lots. The interaction ids are removed, because Discord could tell who sent them.
            db.execute(
                """UPDATE journal SET interaction_id = NULL,
                    text = CASE WHEN kind = 'word' THEN '' ELSE text END
                WHERE table_id = ? AND person_id = ?""",
                [table_id, person_id],
            )
            _renumber(db, table_id, person_id, job["stranger"])
            for table in OF_A_TABLE:
                db.execute(
                    f"DELETE FROM {table} WHERE table_id = ? AND person_id = ?",  # noqa: S608
                    [table_id, person_id],
                )
            _strip_texts(db, "messages", "table_id", table_id)
            _add_line(db, table_id)

        await self._database.write(change)

    async def forget_in(self, occasion_id: int, person_id: int) -> None:
        """Replace a person with a stranger in one occasion, wherever the person's id occurs, and
        delete the records of messages to the person. The id of the person's direct message channel
        becomes ``NOWHERE``. Do nothing unless the person is being forgotten. The occasion gets a
        journal line ``forget``, just as a table does.
        """

        def change(db: Database) -> None:
            job = db.execute(JOB, [person_id]).fetchone()
            if job is None:
                return
            stranger = str(job["stranger"])
            replaced = {str(person_id): stranger}
            replaced |= {str(each): str(NOWHERE) for each in _own_channels(db, person_id)}
            numbers = re.compile(rf"(?<!\d)(?:{'|'.join(replaced)})(?!\d)")

            def rewritten(text: str) -> str:
                return numbers.sub(lambda found: replaced[found[0]], text)

            known = "SELECT state FROM occasions WHERE id = ?"
            (text,) = db.execute(known, [occasion_id]).fetchone()
            state = json.loads(rewritten(text))
            if stranger in state["names"]:
                state["names"][stranger] = job["pseudonym"]
            db.execute(
                "UPDATE occasions SET state = ? WHERE id = ?", [json_text(state), occasion_id]
            )
            _rewrite_journal(db, occasion_id, rewritten)
            for sql in (
                """UPDATE occasion_journal SET person_id = ?, interaction_id = NULL
                WHERE occasion_id = ? AND person_id = ?""",
                "UPDATE occasions SET host_id = ? WHERE id = ? AND host_id = ?",
                "UPDATE occasion_people SET person_id = ? WHERE occasion_id = ? AND person_id = ?",
            ):
                db.execute(sql, [job["stranger"], occasion_id, person_id])
            db.execute(
                "DELETE FROM occasion_messages WHERE occasion_id = ? AND person_id = ?",
                [occasion_id, person_id],
            )
            _strip_texts(db, "occasion_messages", "occasion_id", occasion_id)
            # Use the time of the last change, so that nobody can tell when the person left.
            db.execute(
                """INSERT INTO occasion_journal (occasion_id, number, kind, text, at)
                SELECT id, revision + 1, 'forget', '', changed_at FROM occasions WHERE id = ?""",
                [occasion_id],
            )
            db.execute("UPDATE occasions SET revision = revision + 1 WHERE id = ?", [occasion_id])

        await self._database.write(change)

    async def finish(self, person_id: int) -> None:
        """Pass a person's ratings and trophies to the stranger, and delete the person's rows that
        belong to no table, and the record of the deletion itself.
        """

        def change(db: Database) -> None:
            # The stranger takes over the person's ratings, which replace any that the stranger
            # already has.
            db.execute(
                """DELETE FROM ratings
                WHERE person_id IN (SELECT stranger FROM forgetting WHERE person_id = ?)
                    AND EXISTS (SELECT 1 FROM ratings AS own WHERE own.person_id = ?
                        AND own.guild_id = ratings.guild_id AND own.game = ratings.game
                        AND own.season = ratings.season)""",
                [person_id, person_id],
            )
            for table, name in (("ratings", ", name = pseudonym"), ("trophies", "")):
                db.execute(
                    f"""UPDATE {table} SET person_id = stranger{name}
                    FROM forgetting WHERE forgetting.person_id = ? AND {table}.person_id = ?""",  # noqa: S608
                    [person_id, person_id],
                )
            _forget_blocked(db, person_id)
            keep_begun(db, person_id)
            for table in (*OF_NO_TABLE, "forgetting"):
                db.execute(f"DELETE FROM {table} WHERE person_id = ?", [person_id])  # noqa: S608

        await self._database.write(change)
        await self._database.clear_journal()

    # -- inside
    async def _through(self, look: Callable[[Database, range], T]) -> AsyncIterator[T]:
        """Run a query on ``STEP`` tables at a time until it has covered all, so that nobody has to
        wait long.
        """
        ((last,),) = await self._database.fetch("SELECT max(id) FROM tables")
        for first in range(1, (last or 1) + 1, STEP):
            yield await self._database.read(_looking(look, range(first, first + STEP)))


def _looking(look: Callable[[Database, range], T], tables: range) -> Callable[[Database], T]:
    return lambda db: look(db, tables)


COUNTED = (
    ("members", ""),
    ("journal", "AND kind = 'move'"),
    ("plans", ""),
    ("messages", ""),
    ("followers", ""),
)
"""Database tables that ``RememberedCounts`` counts and whose rows belong to a table, each with a
condition that its rows must meet.
"""

OWN = ("records", "lessons", "attempts", "plays", "occasion_people", "trophies")
"""Database tables that ``RememberedCounts`` counts and whose rows do not belong to a table, in the
order of its fields.
"""

RENUMBERED = (
    ("members", "person_id"),
    ("tables", "host_id"),
    ("journal", "person_id"),
    ("votes", "asked_by"),
    ("turns", "person_id"),
)
"""Database tables and columns in which a stranger's number replaces the person's, because other
people's matches refer to that person.
"""

WRITTEN = (
    ("journal", "text", "number"),
    ("votes", "subject", "asked"),
    ("votes", "answers", "asked"),
)
"""Database tables, the columns whose texts contain people's ids, and the column that identifies a
row within one game table.
"""

OF_A_TABLE = ("messages", "followers", "plans", "hurried", "offers", "muted")
"""Database tables whose rows belong to a table and concern only the person in ``person_id``."""

OF_NO_TABLE = ("people", "records", "unlisted", "lessons", "attempts", "plays")
"""Database tables whose rows belong to one person and not to a table."""

OF_THE_PAST = ("ratings", "trophies")
"""Database tables whose rows are kept under a stranger's number, because other people's ratings
build on them and the places in a hall of fame must not change.
"""


def pseudonym_code() -> str:
    """Return a random code that tells forgotten people apart."""
    return new_code()


def _key(table: str) -> str:
    """Return the column that contains the id of a row's table."""
    return "id" if table == "tables" else "table_id"


def _refuse_while_playing(db: Database, table_id: int, person_id: int) -> None:
    playing = db.execute(
        """SELECT 1 FROM members JOIN tables ON tables.id = members.table_id
        WHERE members.table_id = ? AND members.person_id = ? AND members.level IS NULL
            AND tables.status IN ('lobby', 'running')""",
        [table_id, person_id],
    ).fetchone()
    if playing:
        raise StillAtTable(person_id)


def _own_channels(db: Database, person_id: int, table_id: int = 0) -> list[int]:
    """Return the known channels of a person's direct messages: from the person's settings, and from
    messages to them at a table.
    """
    records = db.execute(
        """SELECT dm_channel FROM people WHERE person_id = ? AND dm_channel IS NOT NULL
        UNION SELECT channel_id FROM messages
        WHERE table_id = ? AND person_id = ? AND channel_id IS NOT NULL""",
        [person_id, table_id, person_id],
    )
    return [channel for (channel,) in records.fetchall()]


def _rewrite_journal(db: Database, occasion_id: int, rewritten: Callable[[str], str]) -> None:
    for line, said in db.execute(
        "SELECT number, text FROM occasion_journal WHERE occasion_id = ?", [occasion_id]
    ).fetchall():
        text = rewritten(said)
        if text != said:
            db.execute(
                "UPDATE occasion_journal SET text = ? WHERE occasion_id = ? AND number = ?",
                [text, occasion_id, line],
            )


def _renumber(db: Database, table_id: int, person_id: int, stranger: int) -> None:
    """Replace a person's number with a stranger's in the rows of a table and in their texts."""
    for table, column in RENUMBERED:
        db.execute(
            f"UPDATE {table} SET {column} = ? WHERE {_key(table)} = ? AND {column} = ?",  # noqa: S608
            [stranger, table_id, person_id],
        )
    for table, column, key in WRITTEN:
        here = range(table_id, table_id + 1)
        for _, row, text in _texts(db, table, column, key, person_id, here):
            db.execute(
                f"UPDATE {table} SET {column} = ? WHERE table_id = ? AND {key} = ?",  # noqa: S608
                [_number(person_id).sub(str(stranger), text), table_id, row],
            )


def _leave_channels(db: Database, table_id: int, person_id: int) -> None:
    """Remove a table from a person's direct messages. An open table stays where it is if that is a
    group chat or another player's direct messages; otherwise it moves to the direct messages of
    another player, or is parked if none are known. Any other table keeps no channel, not even a
    group chat. The id of the message that determined the lots stays for as long as another player
    could use it to prove the lots.
    """
    table = db.execute(
        """SELECT channel_id, status, (SELECT text FROM journal
            WHERE table_id = tables.id AND kind IN ('open', 'unpark')
            ORDER BY number DESC LIMIT 1) AS chat
        FROM tables WHERE id = ? AND guild_id IS NULL""",
        [table_id],
    ).fetchone()
    if table is None:
        return
    others = db.execute(
        """SELECT level, dm_channel FROM members LEFT JOIN people USING (person_id)
        WHERE table_id = ? AND members.person_id > 0 AND members.person_id <> ? ORDER BY number""",
        [table_id, person_id],
    ).fetchall()
    goes_on, place = table["status"] in ("lobby", "running"), table["channel_id"]
    left = _own_channels(db, person_id, table_id)
    if not (goes_on and (table["chat"] or place in {channel for _, channel in others})):
        left.append(place)
        heirs = [channel for level, channel in others if goes_on and not level and channel]
        db.execute(
            "UPDATE tables SET channel_id = ?, status = ? WHERE id = ?",
            [
                heirs[0] if heirs else NOWHERE,
                "parked" if goes_on and not heirs else table["status"],
                table_id,
            ],
        )
    for channel in left:
        db.execute(
            "DELETE FROM messages WHERE table_id = ? AND channel_id = ?", [table_id, channel]
        )
    if not others:
        _drop_lots_message(db, table_id)


def _drop_lots_message(db: Database, table_id: int) -> None:
    for number, text in db.execute(
        "SELECT number, text FROM journal WHERE table_id = ? AND kind = 'start'", [table_id]
    ).fetchall():
        kept = {k: v for k, v in json.loads(text).items() if k != "message"}
        db.execute(
            "UPDATE journal SET text = ? WHERE table_id = ? AND number = ?",
            [json.dumps(kept), table_id, number],
        )


def _bar_from_match(db: Database, table_id: int, person_id: int) -> None:
    """Bar a person from coming back to an unfinished match in another seat, because they may have
    seen a hand. People whom the host sent away are barred already.
    """
    played = db.execute(
        """SELECT code FROM tables WHERE id = ? AND status IN ('running', 'parked') AND (
            EXISTS (SELECT 1 FROM journal WHERE table_id = id AND person_id = ?
                AND seat IS NOT NULL AND kind <> 'offer')
            OR EXISTS (SELECT 1 FROM members WHERE table_id = id AND person_id = ?
                AND seat IS NOT NULL))""",
        [table_id, person_id, person_id],
    ).fetchone()
    if played:
        db.execute(
            "INSERT INTO barred (table_id, mark) VALUES (?, ?) ON CONFLICT DO NOTHING",
            [table_id, person_mark(played["code"], person_id)],
        )


def _forget_blocked(db: Database, person_id: int) -> None:
    """In other people's lists of blocked people, replace the person with a mark, so that the block
    remains in force.
    """
    for row in PEOPLE.find(db, "blocked_ids LIKE ?", f"%{person_id}%"):
        mark = mark_of_blocked(row.person_id, person_id)
        kept = tuple(mark if each == person_id else each for each in row.blocked_ids)
        PEOPLE.put(db, [replace(row, blocked_ids=kept)])


def _tables_with(db: Database, person_id: int, tables: range) -> set[int]:
    """Return the tables in a range that refer to a person, in a column or inside a text, or are or
    were shown in the person's direct messages.
    """
    columns = [*RENUMBERED, *((table, "person_id") for table in OF_A_TABLE)]
    found: set[int] = set()
    for table, column in columns:
        key = _key(table)
        records = db.execute(
            f"SELECT DISTINCT {key} FROM {table} WHERE {key} BETWEEN ? AND ? AND {column} = ?",  # noqa: S608
            [tables[0], tables[-1], person_id],
        )
        found |= {table_id for (table_id,) in records}
    for table, column, key in WRITTEN:
        found |= {table_id for table_id, _, _ in _texts(db, table, column, key, person_id, tables)}
    for channel in _own_channels(db, person_id):
        records = db.execute(
            """SELECT id FROM tables WHERE channel_id = ?
            UNION SELECT table_id FROM messages WHERE channel_id = ?
                AND table_id BETWEEN ? AND ?""",
            [channel, channel, tables[0], tables[-1]],
        )
        found |= {table_id for (table_id,) in records if table_id in tables}
    packs = packed_lines(db, tables, person_id)
    return found | {table_id for table_id, lines in packs if _names(lines, person_id)}


OF_THE_MATCH = ("move", "draw")
"""Kinds of journal lines that never change, even if they happen to contain the digits of the
person's id.
"""

OWN_TEXTS = f"AND kind NOT IN {OF_THE_MATCH}"


def _names(lines: tuple[Line, ...], person_id: int) -> bool:
    """Return whether any of these journal lines refers to a person, as the actor or inside
    a text.
    """
    number = _number(person_id)
    return any(
        line.person_id == person_id
        or (line.kind not in OF_THE_MATCH and number.search(line.text) is not None)
        for line in lines
    )


def _texts(
    db: Database, table: str, column: str, key: str, person_id: int, tables: range
) -> Iterator[tuple[int, int, str]]:
    """Find texts that contain a person's number.

    :returns: for each text, the table's id, the row's key, and the text.
    """
    condition = OWN_TEXTS if table == "journal" else ""
    records = db.execute(
        f"""SELECT table_id, {key}, {column} FROM {table}
        WHERE table_id BETWEEN ? AND ? AND {column} LIKE ? {condition}""",  # noqa: S608
        [tables[0], tables[-1], f"%{person_id}%"],
    ).fetchall()
    number = _number(person_id)
    return ((table_id, row, text) for table_id, row, text in records if number.search(text))


def _number(number: int) -> re.Pattern[str]:
    """Return a pattern that matches a number but not the same digits inside a longer number."""
    return re.compile(rf"(?<!\d){number}(?!\d)")


def _strip_texts(db: Database, messages: str, key: str, owner: int) -> None:
    """Replace the stored last texts of a table's or an occasion's messages, because they may name
    the person. These messages will stay on Discord and only lose their buttons; messages that are
    due to be deleted will still be deleted.
    """
    db.execute(
        f"""UPDATE {messages} SET rest = '{{"strip": true}}'
        WHERE {key} = ? AND rest <> '{{"delete": true}}'""",  # noqa: S608
        [owner],
    )


def _add_line(db: Database, table_id: int) -> None:
    # Use the time of the last change, so that nobody can tell when the person left.
    db.execute(
        """INSERT INTO journal (table_id, number, kind, text, at)
        SELECT id, revision + 1, 'forget', '', moved_at FROM tables WHERE id = ?""",
        [table_id],
    )
    db.execute(
        """UPDATE tables SET revision = revision + 1,
            told = CASE WHEN told = revision THEN told + 1 ELSE told END
        WHERE id = ?""",
        [table_id],
    )
