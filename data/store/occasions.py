"""Occasions. The store loads and commits each as a whole."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from data.store.access import Database
from data.store.columns import Kind, to_seconds
from data.store.journaled import JournaledRepository, refuse_counted, unused_code
from data.store.problems import NoSuchOccasion, Undecodable
from data.store.rows import OccasionLine, OccasionRow, PersonRow, ServerRow
from data.store.settings import PEOPLE, SERVERS
from data.store.trophies import TrophyRow, award

OCCASIONS = Kind("occasions", OccasionRow)
LINES = Kind("occasion_journal", OccasionLine, 1, "occasion_id")

SAME = ("kind", "scope", "guild_id", "channel_id", "host_id", "language", "state")
"""Columns that an occasion's row copies from its ``Convening``."""


@dataclass(frozen=True, slots=True)
class Convening:
    """The initial values of an occasion; fields not listed here are those of ``OccasionRow``.

    :param people: the people named in its state.
    :param interaction_id: the press or command that opens it, if any.
    """

    kind: str
    guild_id: int | None
    channel_id: int
    host_id: int | None
    language: str
    state: str
    people: Collection[int] = ()
    scope: str | None = None
    due_at: datetime | None = None
    interaction_id: int | None = None


@dataclass(frozen=True, slots=True)
class Convened:
    """A stored occasion, with the settings of its server and of its people (by id)."""

    row: OccasionRow
    journal: tuple[OccasionLine, ...]
    people: Mapping[int, PersonRow]
    server: ServerRow


class OccasionRepository(JournaledRepository):
    """All occasions. Every method makes one trip to the database."""

    NAME, KIND = "occasions", "occasion"

    async def open(self, convening: Convening, at: datetime) -> Convened:
        """Create an occasion and the first line of its journal. If the scope already has an
        occasion, return that one instead.

        :raises AlreadyCounted: the interaction has already had its effect.
        """
        first = OccasionLine(1, "open", convening.host_id, "", at, convening.interaction_id)

        def change(db: Database) -> Convened:
            known = "SELECT id FROM occasions WHERE scope = ?"
            there = db.execute(known, [convening.scope]).fetchone()
            if there is not None:
                return _load(db, there["id"])
            refuse_counted(db, "occasion_journal", [first])
            now, due_at = to_seconds(at), convening.due_at
            columns = {"code": unused_code(db, self.NAME), "created_at": now, "changed_at": now}
            columns |= {name: getattr(convening, name) for name in SAME}
            columns |= {"due_at": None if due_at is None else to_seconds(due_at)}
            sql = f"""INSERT INTO occasions ({", ".join(columns)}, over, revision)
                VALUES ({"?, " * len(columns)} 0, 1) RETURNING id"""  # noqa: S608
            (number,) = db.execute(sql, [*columns.values()]).fetchone()
            LINES.insert(db, [(number, *LINES.record(first))])
            _name(db, number, convening.people)
            self._tell(db, number, convening.guild_id)
            return _load(db, number)

        return await self._database.write(change)

    async def load(self, number: int) -> Convened:
        """Return the current state of an occasion.

        :raises NoSuchOccasion: no occasion has this id.
        """
        return await self._database.read(lambda db: _load(db, number))

    async def commit(
        self,
        before: OccasionRow,
        after: OccasionRow,
        lines: Collection[OccasionLine],
        people: Collection[int],
        trophies: Iterable[TrophyRow] = (),
    ) -> bool:
        """Store a new state of an occasion, unless somebody else has changed it first.

        :param lines: the new lines of its journal.
        :param people: the people named in its new state.
        :param trophies: the trophies to award in the same transaction.
        :returns: False if the occasion has changed since ``before``; nothing is stored then.
        :raises AlreadyCounted: the interaction behind a new line has already had its effect.
        :raises ValueError: the lines do not continue the journal.
        """
        if [line.number for line in lines] != [*range(before.revision + 1, after.revision + 1)]:
            raise ValueError(f"lines after revision {before.revision} are not the next ones")

        def change(db: Database) -> bool:
            refuse_counted(db, "occasion_journal", lines)
            columns = ", ".join(f"{field} = ?" for field in OCCASIONS.fields)
            done = db.execute(
                f"UPDATE occasions SET {columns} WHERE id = ? AND revision = ?",  # noqa: S608
                [*OCCASIONS.record(after), before.id, before.revision],
            )
            if not done.rowcount:
                return False
            LINES.insert(db, [(after.id, *LINES.record(line)) for line in lines])
            _name(db, after.id, people)
            award(db, trophies)
            self._tell(db, after.id, after.guild_id)
            return True

        return await self._database.write(change)

    # -- found
    async def id_of(self, code: str) -> int:
        """Return the id of the occasion with this code.

        :raises NoSuchOccasion: no occasion has this code.
        """
        found = await self._ids("SELECT id FROM occasions WHERE code = ?", code)
        if not found:
            raise NoSuchOccasion(code)
        return found[0]

    async def of_scope(self, scope: str) -> int | None:
        """Return the id of the occasion with this scope; None if there is none."""
        found = await self._ids("SELECT id FROM occasions WHERE scope = ?", scope)
        return found[0] if found else None

    async def of_kind(self, kind: str, guild_id: int | None = None) -> list[int]:
        """Return the occasions of a kind that are not over, oldest first.

        :param guild_id: only occasions of this server; None: all.
        """
        return await self._ids(
            """SELECT id FROM occasions WHERE kind = ? AND over = 0
                AND (guild_id = ? OR ? = 0)
            ORDER BY id""",
            kind,
            guild_id or 0,
            guild_id or 0,
        )

    async def count_by(self, person_id: int, kind: str) -> int:
        """Return how many occasions of a kind have this person as their host and are not over."""
        sql = "SELECT count(*) FROM occasions WHERE host_id = ? AND kind = ? AND over = 0"
        ((found,),) = await self._database.fetch(sql, person_id, kind)
        return int(found)

    async def of_person(self, person_id: int) -> list[int]:
        """Return the occasions that name a person and are not over, latest change first."""
        return await self._ids(
            """SELECT id FROM occasions JOIN occasion_people ON occasion_id = id
            WHERE person_id = ? AND over = 0 ORDER BY changed_at DESC, id DESC""",
            person_id,
        )

    # -- work for this process
    async def open_ids(self) -> list[int]:
        """Return all occasions served by this process that are not over, oldest first."""
        return await self._ids(
            f"SELECT id FROM occasions WHERE over = 0 AND {self._served} ORDER BY id"  # noqa: S608
        )

    async def behind(self, since: datetime) -> list[int]:
        """Return the occasions served by this process whose messages are not up to date, oldest
        first.

        :param since: leave out occasions that ended before this time.
        """
        return await self._ids(
            f"""SELECT id FROM occasions WHERE told < revision AND {self._served}
                AND (over = 0 OR changed_at >= ?)
            ORDER BY id""",  # noqa: S608
            to_seconds(since),
        )

    async def behind_in(self, channel_id: int) -> list[int]:
        """Return the occasions in a channel whose messages are not up to date, oldest first."""
        return await self._ids(
            "SELECT id FROM occasions WHERE channel_id = ? AND told < revision ORDER BY id",
            channel_id,
        )


def _load(db: Database, number: int) -> Convened:
    found = OCCASIONS.find(db, "id = ?", number)
    if not found:
        raise NoSuchOccasion(number)
    (row,) = found
    lines = tuple(LINES.find(db, "occasion_id = ? ORDER BY number", number))
    if [line.number for line in lines] != [*range(1, row.revision + 1)]:
        raise Undecodable(f"lines of occasion {number} are missing")
    named = db.execute("SELECT person_id FROM occasion_people WHERE occasion_id = ?", [number])
    people = {person: PEOPLE.of(db, person) for (person,) in named.fetchall()}
    return Convened(row, lines, people, SERVERS.of(db, row.guild_id or 0))


def _name(db: Database, number: int, people: Collection[int]) -> None:
    """Record which people an occasion names."""
    named = db.execute("SELECT person_id FROM occasion_people WHERE occasion_id = ?", [number])
    before = {person for (person,) in named.fetchall()}
    db.executemany(
        "DELETE FROM occasion_people WHERE occasion_id = ? AND person_id = ?",
        [(number, person) for person in before - set(people)],
    )
    db.executemany(
        "INSERT INTO occasion_people (occasion_id, person_id) VALUES (?, ?)",
        [(number, person) for person in sorted(set(people) - before)],
    )
