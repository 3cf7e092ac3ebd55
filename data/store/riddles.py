"""The riddle and the deal of each day, and people's results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, Protocol, TypeVar

from data.store.access import Database, Repository
from data.store.columns import Kind
from data.store.marks import mark_of_day
from data.store.problems import BegunBefore
from data.store.trophies import TrophyRow, award


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """A person's progress with a day's riddle.

    :param day: ISO 8601 date.
    :param guild_id: the server where the person first answered or took a hint; 0: no server.
    :param name: the person's name as shown there.
    :param points: None until the person has finished.
    """

    person_id: int
    day: str
    guild_id: int
    name: str = field(repr=False)
    wrong: tuple[str, ...] = ()
    hints: int = 0
    solved: bool = False
    points: int | None = None


@dataclass(frozen=True, slots=True)
class PlayRow:
    """A person's progress with a day's deal.

    :param day: ISO 8601 date.
    :param guild_id: the server where the person placed the first tile; 0: no server.
    :param name: the person's name as shown there.
    :param points: None until the person has finished.
    :param shared: whether the person has shown the result to others.
    """

    person_id: int
    day: str
    guild_id: int
    name: str = field(repr=False)
    moves: tuple[str, ...] = ()
    points: int | None = None
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Past:
    """A person's record so far.

    :param days: the days on which the person has solved the riddle or finished the deal.
    :param flawless: the number of riddles that the person has solved at the first try, without a
        hint.
    """

    days: frozenset[date]
    flawless: int


Earned = Callable[[Past], Iterable[TrophyRow]]
"""Given a person's record, returns the trophies that the person has earned, including those already
awarded.
"""


class Made(Protocol):
    """A person's progress with a day's riddle or deal."""

    @property
    def points(self) -> int | None:
        """The points; None until the person has finished."""


Row = TypeVar("Row", bound=Made)

ATTEMPTS: Final = Kind("attempts", AttemptRow, 2)
PLAYS: Final = Kind("plays", PlayRow, 2)


@dataclass(frozen=True, slots=True)
class DayRank:
    """The rank of a result among those of its day.

    :param place: 1 is best; equal results share a place.
    :param of: how many results there are.
    """

    place: int
    of: int


class RiddleRepository(Repository):
    """Riddles and deals by day, attempts and plays by person and day."""

    # -- the stock
    async def stock(self, since: date) -> Mapping[date, str]:
        """Return the stored riddles for a day and all later days, as texts."""
        records = await self._database.fetch(
            "SELECT day, riddle FROM riddles WHERE day >= ? ORDER BY day", since.isoformat()
        )
        return {date.fromisoformat(day): riddle for day, riddle in records}

    async def used(self) -> Sequence[str]:
        """Return the texts of all riddles ever stored, oldest day first."""
        records = await self._database.fetch("SELECT riddle FROM riddles ORDER BY day")
        return [text for (text,) in records]

    async def of_day(self, day: date) -> str | None:
        """Return the riddle of a day, as a text; None if there is none."""
        found = await self._database.fetch(
            "SELECT riddle FROM riddles WHERE day = ?", day.isoformat()
        )
        return found[0][0] if found else None

    async def put(self, riddles: Mapping[date, tuple[str, str]]) -> None:
        """Store riddles for days that do not have one.

        :param riddles: game and text, by day.
        """
        rows = [(day.isoformat(), game, riddle) for day, (game, riddle) in riddles.items()]
        await self._database.write(
            lambda db: db.executemany(
                """INSERT INTO riddles (day, game, riddle) VALUES (?, ?, ?)
                ON CONFLICT (day) DO NOTHING""",
                rows,
            )
        )

    async def matches(self, game: str, most: int) -> list[int]:
        """Return the tables of the latest matches in which riddles may be searched for: they have
        finished, and no player hides their statistics or has deleted their data.
        """
        records = await self._database.fetch(
            """SELECT tables.id FROM finished JOIN tables ON tables.id = finished.table_id
            WHERE tables.game = ? AND tables.status = 'finished' AND NOT EXISTS (
                SELECT 1 FROM members WHERE members.table_id = tables.id AND (
                    members.person_id < 0
                    OR members.person_id IN (SELECT person_id FROM unlisted)
                    OR members.person_id IN (SELECT person_id FROM forgetting)))
            ORDER BY finished.number DESC LIMIT ?""",
            game,
            most,
        )
        return [number for (number,) in records]

    # -- the deals
    async def secret(self, day: date, drawn: Callable[[], str]) -> str:
        """Return the secret of a day's deal.

        :param drawn: draws the secret; used if there is none yet.
        """
        sql = "SELECT secret FROM deals WHERE day = ?"
        found = await self._database.fetch(sql, day.isoformat())
        if found:
            return str(found[0][0])
        secret = drawn()

        def keep(db: Database) -> str:
            db.execute(
                "INSERT INTO deals (day, secret) VALUES (?, ?) ON CONFLICT (day) DO NOTHING",
                [day.isoformat(), secret],
            )
            return str(db.execute(sql, [day.isoformat()]).fetchone()[0])

        return await self._database.write(keep)

    # -- results
    async def let_go(self, today: date) -> None:
        """Delete the marks of past days, because those days can no longer be played."""
        await self._database.write(
            lambda db: db.execute("DELETE FROM begun_days WHERE day < ?", [today.isoformat()])
        )

    async def attempt(self, person_id: int, day: date) -> AttemptRow | None:
        """Return a person's progress with a day's riddle; None if the person has not begun.

        :raises BegunBefore: the person began before deleting their data.
        """
        return await self._database.read(
            lambda db: _found(db, ATTEMPTS, person_id, day.isoformat())
        )

    async def change_attempt(
        self,
        begun: AttemptRow,
        change: Callable[[AttemptRow], AttemptRow],
        earned: Earned = lambda _: (),
    ) -> AttemptRow:
        """Change a person's progress with a riddle in one transaction, so that no concurrent change
        is lost.

        :param begun: the row to begin with if there is none yet.
        :param change: returns the new row, given the stored one.
        :param earned: returns the trophies to award once the person has finished.
        :raises BegunBefore: the person began before deleting their data.
        """
        return await self._change(ATTEMPTS, begun.person_id, begun.day, begun, change, earned)

    async def play(self, person_id: int, day: date) -> PlayRow | None:
        """Return a person's progress with a day's deal; otherwise like ``attempt``."""
        return await self._database.read(lambda db: _found(db, PLAYS, person_id, day.isoformat()))

    async def change_play(
        self,
        begun: PlayRow,
        change: Callable[[PlayRow], PlayRow],
        earned: Earned = lambda _: (),
    ) -> PlayRow:
        """Change a person's progress with a deal; otherwise like ``change_attempt``."""
        return await self._change(PLAYS, begun.person_id, begun.day, begun, change, earned)

    async def _change(
        self,
        kind: Kind[Row],
        person_id: int,
        day: str,
        begun: Row,
        change: Callable[[Row], Row],
        earned: Earned,
    ) -> Row:
        def rewrite(db: Database) -> Row:
            row = change(_found(db, kind, person_id, day) or begun)
            kind.put(db, [row])
            if row.points is not None:
                award(db, earned(_past(db, person_id)))
            return row

        return await self._database.write(rewrite)

    async def past(self, person_id: int) -> Past:
        """Return a person's record so far."""
        return await self._database.read(lambda db: _past(db, person_id))

    async def of_person(self, person_id: int) -> tuple[list[AttemptRow], list[PlayRow]]:
        """Return all attempts and plays of a person, oldest first."""
        return await self._database.read(
            lambda db: (
                ATTEMPTS.find(db, "person_id = ? ORDER BY day", person_id),
                PLAYS.find(db, "person_id = ? ORDER BY day", person_id),
            )
        )

    async def points(self, person_id: int) -> int:
        """Return a person's total points from riddles."""
        ((points,),) = await self._database.fetch(
            "SELECT coalesce(sum(points), 0) FROM attempts WHERE person_id = ?", person_id
        )
        return int(points)

    async def placed(self, day: date, points: int, guild_id: int | None = None) -> DayRank:
        """Return the rank of a result in a day's deal.

        :param guild_id: rank it among the results on this server; None: among all results.
        """
        server, of_server = _on(guild_id)
        ((better, of),) = await self._database.fetch(
            f"""SELECT coalesce(sum(CASE WHEN points > ? THEN 1 ELSE 0 END), 0), count(*)
            FROM plays WHERE day = ? AND points IS NOT NULL {server}""",  # noqa: S608
            points,
            day.isoformat(),
            *of_server,
        )
        return DayRank(better + 1, of)

    async def best_plays(self, day: date, guild_id: int | None, most: int) -> list[PlayRow]:
        """Return the best results in a day's deal, leaving out people who hide their statistics.

        :param guild_id: only results on this server; None: all results.
        """
        return await self._database.read(
            lambda db: _best(db, PLAYS, "points IS NOT NULL", day, guild_id, most)
        )

    async def best_attempts(self, day: date, guild_id: int | None, most: int) -> list[AttemptRow]:
        """Return the best solutions of a day's riddle; otherwise like ``best_plays``."""
        return await self._database.read(
            lambda db: _best(db, ATTEMPTS, "solved = 1", day, guild_id, most)
        )


def _past(db: Database, person_id: int) -> Past:
    records = db.execute(
        """SELECT day FROM attempts WHERE person_id = ? AND solved = 1
        UNION SELECT day FROM plays WHERE person_id = ? AND points IS NOT NULL""",
        [person_id, person_id],
    ).fetchall()
    flawless = "person_id = ? AND solved = 1 AND hints = 0 AND wrong = '[]'"
    (count,) = db.execute(
        f"SELECT count(*) FROM attempts WHERE {flawless}",  # noqa: S608
        [person_id],
    ).fetchone()
    return Past(frozenset(date.fromisoformat(day) for (day,) in records), count)


def _found(db: Database, kind: Kind[Row], person_id: int, day: str) -> Row | None:
    """Return a person's progress with a day's riddle or deal; None if the person has not begun.

    :raises BegunBefore: the person began before deleting their data.
    """
    found = kind.find(db, "person_id = ? AND day = ?", person_id, day)
    if found:
        return found[0]
    mark = mark_of_day(kind.name, day, person_id)
    if db.execute("SELECT 1 FROM begun_days WHERE day = ? AND mark = ?", [day, mark]).fetchone():
        raise BegunBefore(day)
    return None


def keep_begun(db: Database, person_id: int) -> None:
    """Keep marks of the last day whose riddle a person began, and of the last day whose deal they
    began. So they cannot play the same riddle or deal again after their data is deleted.
    """
    kinds: tuple[Kind[AttemptRow] | Kind[PlayRow], ...] = (ATTEMPTS, PLAYS)
    for kind in kinds:
        sql = f"SELECT max(day) FROM {kind.name} WHERE person_id = ?"  # noqa: S608
        (day,) = db.execute(sql, [person_id]).fetchone()
        if day is not None:
            db.execute(
                "INSERT INTO begun_days (day, mark) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [day, mark_of_day(kind.name, day, person_id)],
            )


def _on(guild_id: int | None) -> tuple[str, list[int]]:
    """Return an SQL condition for one server, with its parameters; empty if ``guild_id`` is
    None.
    """
    return ("", []) if guild_id is None else ("AND guild_id = ?", [guild_id])


def _best(
    db: Database, kind: Kind[Row], condition: str, day: date, guild_id: int | None, most: int
) -> list[Row]:
    server, of_server = _on(guild_id)
    return kind.find(
        db,
        f"""day = ? AND {condition} {server}
            AND person_id NOT IN (SELECT person_id FROM unlisted)
        ORDER BY points DESC, person_id LIMIT ?""",  # noqa: S608
        day.isoformat(),
        *of_server,
        most,
    )
