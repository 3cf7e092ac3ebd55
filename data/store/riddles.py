"""The riddle and the deal of each day, and what people have made of them."""

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
    """How far a person is with the riddle of a day.

    :param guild_id: the server on which the person asked for it; 0: none.
    :param name: the person's, as shown there.
    :param wrong: the wrong answers.
    :param points: None while the person may answer.
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
    """How far a person is with the deal of a day.

    :param guild_id, name: as of an ``AttemptRow``.
    :param points: None while the person plays.
    :param shared: the result was shown to others.
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
    """What a person has done so far.

    :param days: on which the person has solved the riddle or played the deal to its end.
    :param flawless: how many riddles the person has solved by the first answer, without a hint.
    """

    days: frozenset[date]
    flawless: int


Earned = Callable[[Past], Iterable[TrophyRow]]
"""The trophies that somebody has earned with a past, those that were given before among them."""


class Made(Protocol):
    """What a person has made of something of a day."""

    @property
    def points(self) -> int | None:
        """None while it goes on."""


Row = TypeVar("Row", bound=Made)

ATTEMPTS: Final = Kind("attempts", AttemptRow, 2)
PLAYS: Final = Kind("plays", PlayRow, 2)


@dataclass(frozen=True, slots=True)
class DayRank:
    """Where a result stands among those of a day.

    :param place: 1 is the best; equal results share a place.
    :param of: how many results there are.
    """

    place: int
    of: int


class RiddleRepository(Repository):
    """Riddles and deals by day, attempts and plays by person and day."""

    # -- the stock
    async def stock(self, since: date) -> Mapping[date, str]:
        """The riddles from a day on, as texts."""
        records = await self._database.fetch(
            "SELECT day, riddle FROM riddles WHERE day >= ? ORDER BY day", since.isoformat()
        )
        return {date.fromisoformat(day): riddle for day, riddle in records}

    async def used(self) -> Sequence[str]:
        """All riddles that there have been, the oldest first."""
        records = await self._database.fetch("SELECT riddle FROM riddles ORDER BY day")
        return [text for (text,) in records]

    async def of_day(self, day: date) -> str | None:
        """The riddle of a day, as a text."""
        found = await self._database.fetch(
            "SELECT riddle FROM riddles WHERE day = ?", day.isoformat()
        )
        return found[0][0] if found else None

    async def put(self, riddles: Mapping[date, tuple[str, str]]) -> None:
        """Keep riddles, each a game and a text, for days that have none."""
        rows = [(day.isoformat(), game, riddle) for day, (game, riddle) in riddles.items()]
        await self._database.write(
            lambda db: db.executemany(
                """INSERT INTO riddles (day, game, riddle) VALUES (?, ?, ?)
                ON CONFLICT (day) DO NOTHING""",
                rows,
            )
        )

    async def matches(self, game: str, most: int) -> list[int]:
        """The tables of the latest matches of a game from which riddles may be taken: they are
        over, and nobody sat there who hides statistics or has had everything deleted.

        :param most: so many.
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
        """The secret of a day's deal; drawn if there is none yet."""
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

    # -- what people have made of them
    async def let_go(self, today: date) -> None:
        """Delete the marks of past days, which nobody can play any more."""
        await self._database.write(
            lambda db: db.execute("DELETE FROM begun_days WHERE day < ?", [today.isoformat()])
        )

    async def attempt(self, person_id: int, day: date) -> AttemptRow | None:
        """How far a person is with a day's riddle; None: not begun.

        :raises BegunBefore: as of ``_found``.
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
        """Change how far a person is, so that nothing is lost of what is done at the same time.

        :param begun: the row if there is none yet.
        :param earned: the trophies that are given once nothing is left to be done.
        :raises BegunBefore: as of ``_found``.
        """
        return await self._change(ATTEMPTS, begun.person_id, begun.day, begun, change, earned)

    async def play(self, person_id: int, day: date) -> PlayRow | None:
        """How far a person is with a day's deal; otherwise as ``attempt``."""
        return await self._database.read(lambda db: _found(db, PLAYS, person_id, day.isoformat()))

    async def change_play(
        self,
        begun: PlayRow,
        change: Callable[[PlayRow], PlayRow],
        earned: Earned = lambda _: (),
    ) -> PlayRow:
        """As ``change_attempt``."""
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
        """What a person has done so far."""
        return await self._database.read(lambda db: _past(db, person_id))

    async def of_person(self, person_id: int) -> tuple[list[AttemptRow], list[PlayRow]]:
        """All attempts and plays of a person, the oldest first."""
        return await self._database.read(
            lambda db: (
                ATTEMPTS.find(db, "person_id = ? ORDER BY day", person_id),
                PLAYS.find(db, "person_id = ? ORDER BY day", person_id),
            )
        )

    async def points(self, person_id: int) -> int:
        """For all riddles of a person together."""
        ((points,),) = await self._database.fetch(
            "SELECT coalesce(sum(points), 0) FROM attempts WHERE person_id = ?", person_id
        )
        return int(points)

    async def placed(self, day: date, points: int, guild_id: int | None = None) -> DayRank:
        """Where a result of a day's deal stands.

        :param guild_id: among those of a server; None: among all.
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
        """The best results of a day's deal, of those who are listed.

        :param guild_id: on a server; None: everywhere.
        """
        return await self._database.read(
            lambda db: _best(db, PLAYS, "points IS NOT NULL", day, guild_id, most)
        )

    async def best_attempts(self, day: date, guild_id: int | None, most: int) -> list[AttemptRow]:
        """Those who have solved a day's riddle for the most points; otherwise as ``best_plays``."""
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
    """What a person has made of a day; None: nothing yet.

    :raises BegunBefore: the person has had it deleted.
    """
    found = kind.find(db, "person_id = ? AND day = ?", person_id, day)
    if found:
        return found[0]
    mark = mark_of_day(kind.name, day, person_id)
    if db.execute("SELECT 1 FROM begun_days WHERE day = ? AND mark = ?", [day, mark]).fetchone():
        raise BegunBefore(day)
    return None


def keep_begun(db: Database, person_id: int) -> None:
    """Stop a person from replaying a day by deleting everything: mark the last day on which they
    began a riddle, and the last one on which they began a deal.
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
    """A condition for one server, and its values; None: for all."""
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
