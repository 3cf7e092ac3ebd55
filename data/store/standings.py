"""Ratings and statistics in the store, updated after each finished match.

The transaction that finishes a match also counts it. The store remembers the order in which matches
finished, so all ratings can be recomputed from the matches, with the same result.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from data.store.access import Database, Repository, ResultRow
from data.store.columns import Kind, decoding, from_seconds
from data.store.ratings import (
    ALL_TIME,
    EVERYWHERE,
    FinishedMatch,
    RatingRow,
    after,
    courses,
    from_scratch,
    keys_of,
)
from data.store.seasons import keep_up

RATINGS = Kind("ratings", RatingRow, 4)

KEY = "person_id = ? AND guild_id = ? AND game = ? AND season = ?"

LISTED = "matches > 0 AND person_id > 0 AND person_id NOT IN (SELECT person_id FROM unlisted)"
"""The SQL condition for having a place: a person has a match that counted, does not hide their
statistics, and has not been forgotten.
"""


@dataclass(frozen=True, slots=True)
class GameStanding:
    """A person's rating and place in one game.

    :param place: from 1; equal ratings share a place; None: the person has no place.
    """

    row: RatingRow
    place: int | None


@dataclass(frozen=True, slots=True)
class Alone:
    """A person's results in one game against computer players of certain levels, or alone.

    :param levels: the different levels of the computer players, sorted; empty: nobody else played.
    :param won: how many of the matches the person won, alone or shared.
    :param best: the highest score; None: none of the matches had scores.
    """

    game: str
    levels: tuple[str, ...]
    matches: int
    won: int
    best: float | None


class StandingRepository(Repository):
    """Ratings and statistics of all people."""

    async def leaderboard(
        self,
        guild_id: int,
        games: Iterable[str],
        most: int,
        person_id: int,
        season: int = ALL_TIME,
    ) -> dict[str, list[GameStanding]]:
        """Return the best players of a server by game, best first.

        :param games: the games to include; those without players are left out of the result.
        :param most: how many players to return per game.
        :param person_id: the person who asks; if they have a place but are not among the best, they
            are added at the end.
        """

        def query(db: Database) -> dict[str, list[GameStanding]]:
            found: dict[str, list[GameStanding]] = {}
            for game in games:
                listed = best_players(db, guild_id, game, season, most)
                if all(standing.row.person_id != person_id for standing in listed):
                    asking = RATINGS.find(
                        db, f"{KEY} AND {LISTED}", person_id, guild_id, game, season
                    )
                    listed += [GameStanding(row, _place(db, row)) for row in asking]
                if listed:
                    found[game] = listed
            return found

        return await self._database.read(query)

    async def rows_of(self, person_id: int) -> list[RatingRow]:
        """Return all ratings of a person, on all servers."""
        return await self._database.read(
            lambda db: RATINGS.find(db, "person_id = ? ORDER BY guild_id, game, season", person_id)
        )

    async def of_person(
        self, person_id: int, guild_id: int = EVERYWHERE
    ) -> dict[str, GameStanding]:
        """Return a person's all-time ratings and places by game, on one server or everywhere."""

        def query(db: Database) -> dict[str, GameStanding]:
            rows = RATINGS.find(
                db,
                "person_id = ? AND guild_id = ? AND season = ? ORDER BY game",
                person_id,
                guild_id,
                ALL_TIME,
            )
            return {row.game: GameStanding(row, _place(db, row)) for row in rows}

        return await self._database.read(query)

    async def alone(self, person_id: int) -> list[Alone]:
        """Return a person's results in matches without other people, on all servers and in direct
        messages, sorted by game and levels.
        """
        records = await self._database.fetch(
            """SELECT tables.id, tables.game, tables.result, members.person_id, members.level
            FROM finished JOIN tables ON tables.id = finished.table_id
                JOIN members ON members.table_id = tables.id
            WHERE tables.id IN (SELECT table_id FROM members WHERE person_id = ?)
            ORDER BY finished.number, members.seat""",
            person_id,
        )
        return _played_alone(records, person_id)

    async def since(self, person_id: int, guild_id: int) -> datetime | None:
        """Return when a person's oldest table on a server was opened; None if they have never
        had one there.
        """
        ((at,),) = await self._database.fetch(
            """SELECT min(tables.created_at) FROM tables
                JOIN members ON members.table_id = tables.id
            WHERE members.person_id = ? AND tables.guild_id = ?""",
            person_id,
            guild_id,
        )
        return None if at is None else from_seconds(at)

    async def course(self, person_id: int, guild_id: int) -> dict[str, list[int]]:
        """Return a person's rating on a server over time, by game: the initial rating, then the
        rating after each match that counted. Slow on servers with many matches.
        """
        played = "(SELECT game FROM ratings WHERE person_id = ? AND guild_id = ? AND matches > 0)"
        found = await self._courses(guild_id, ALL_TIME, played, person_id, guild_id)
        return {game: people[person_id] for game, people in found.items() if person_id in people}

    async def season_courses(self, guild_id: int, season: int) -> dict[str, dict[int, list[int]]]:
        """Return ratings in a season over time, by game and person: the initial rating, then the
        rating after each match that counted. Slow, like ``course``.
        """
        played = "(SELECT game FROM ratings WHERE guild_id = ? AND season = ? AND matches > 0)"
        return await self._courses(guild_id, season, played, guild_id, season)

    async def _courses(
        self, guild_id: int, season: int, games: str, *values: int
    ) -> dict[str, dict[int, list[int]]]:
        """Return ratings on a server over time, by game and person.

        :param games: an SQL subquery for the games to include, with its parameters ``values``.
        """
        condition = f"WHERE tables.guild_id = ? AND tables.game IN {games}"
        matches = await self._database.read(
            lambda db: [*finished_matches(db, condition, guild_id, *values)]
        )
        return await asyncio.to_thread(courses, matches, season)

    async def recompute(self) -> int:
        """Recompute all ratings from all matches.

        :returns: how many were missing, superfluous or wrong.
        """

        def change(db: Database) -> int:
            right = from_scratch(finished_matches(db))
            stored = {
                (row.person_id, row.guild_id, row.game, row.season): row
                for row in RATINGS.find(db, "1 = 1")
            }
            wrong = [key for key in stored.keys() | right if stored.get(key) != right.get(key)]
            RATINGS.delete(db, wrong)
            RATINGS.insert(db, [RATINGS.record(right[key]) for key in wrong if key in right])
            return len(wrong)

        return await self._database.write(change)

    async def unlisted(self) -> set[int]:
        """Return the people who hide their ratings and statistics."""
        records = await self._database.fetch("SELECT person_id FROM unlisted")
        return {record["person_id"] for record in records}

    async def set_unlisted(self, person_id: int, unlisted: bool) -> None:
        """Hide or show a person's ratings and statistics."""

        def change(db: Database) -> None:
            db.execute("DELETE FROM unlisted WHERE person_id = ?", [person_id])
            if unlisted:
                db.execute("INSERT INTO unlisted (person_id) VALUES (?)", [person_id])

        await self._database.write(change)


# ------------------------------------------------------------- parts of the transactions
def count_match(db: Database, table_id: int) -> None:
    """Update the ratings after a table's match has finished. Repeated calls change nothing."""
    added = db.execute(
        "INSERT INTO finished (table_id) VALUES (?) ON CONFLICT (table_id) DO NOTHING", [table_id]
    )
    if not added.rowcount:
        return
    table = db.execute("SELECT guild_id, moved_at FROM tables WHERE id = ?", [table_id]).fetchone()
    if table["guild_id"] is not None:
        keep_up(db, table["guild_id"], from_seconds(table["moved_at"]))
    # this yields no match if the table has no members
    for match in finished_matches(db, "WHERE finished.table_id = ?", table_id):
        keys = keys_of(match, match.places)
        known = {key: row for key in keys for row in RATINGS.find(db, KEY, *key)}
        RATINGS.put(db, after(match, known).values())


def finished_matches(db: Database, condition: str = "", *values: int) -> Iterator[FinishedMatch]:
    """Yield finished matches, in the order in which they finished.

    :param condition: an SQL ``WHERE`` clause, with its parameters ``values``; empty: all matches.
    """
    records = db.execute(
        f"""SELECT tables.id, tables.guild_id, tables.game, tables.result,
            members.person_id, members.name, coalesce(seasons.number, {ALL_TIME}) AS season
        FROM finished JOIN tables ON tables.id = finished.table_id
            JOIN members ON members.table_id = tables.id
            LEFT JOIN seasons ON seasons.guild_id = tables.guild_id
                AND seasons.begins_at <= tables.moved_at AND tables.moved_at < seasons.ends_at
        {condition} ORDER BY finished.number, members.seat""",  # noqa: S608
        values,
    )
    return matches_of(records)


def matches_of(records: Iterable[ResultRow]) -> Iterator[FinishedMatch]:
    """Group rows of seats into matches.

    :param records: one per seat, grouped by match, in the order of seats.
    """
    for table_id, grouped in groupby(records, key=lambda record: record["id"]):
        seats = list(grouped)
        table = seats[0]
        with decoding(f"table {table_id}"):
            result = json.loads(table["result"] or "{}")
            match = FinishedMatch(
                table_id,
                table["guild_id"],
                table["game"],
                people=tuple(seat["person_id"] for seat in seats),
                names=tuple(seat["name"] for seat in seats),
                ranks=tuple(result.get("ranks", ())),
                by_people=bool(result.get("by_people")),
                season=table["season"],
                brief=bool(result.get("brief")),
            )
        yield match


def _played_alone(records: Iterable[ResultRow], person_id: int) -> list[Alone]:
    """Return a person's results in matches with no other people.

    :param records: one per seat, grouped by match, in the order of seats.
    """
    found: dict[tuple[str, tuple[str, ...]], Alone] = {}
    for table_id, grouped in groupby(records, key=lambda record: record["id"]):
        seats = list(grouped)
        people = [seat["person_id"] for seat in seats]
        if people.count(None) != len(people) - 1:
            continue
        own, game = people.index(person_id), seats[0]["game"]
        with decoding(f"table {table_id}"):
            result = json.loads(seats[0]["result"] or "{}")
        if "ranks" not in result:
            continue
        levels = tuple(sorted({s["level"] for s in seats if s["person_id"] is None}))
        before = found.get((game, levels)) or Alone(game, levels, 0, 0, None)
        scores = [before.best, result["scores"][own]] if "scores" in result else [before.best]
        found[game, levels] = Alone(
            game,
            levels,
            before.matches + 1,
            before.won + (result["ranks"][own] == 1),
            max((score for score in scores if score is not None), default=None),
        )
    return [found[key] for key in sorted(found)]


def best_players(
    db: Database, guild_id: int, game: str, season: int, most: int
) -> list[GameStanding]:
    """Return the best players of a server in a game, best first."""
    best = RATINGS.find(
        db,
        f"""guild_id = ? AND game = ? AND season = ? AND {LISTED}
        ORDER BY rating DESC, person_id LIMIT ?""",
        guild_id,
        game,
        season,
        most,
    )
    ratings = [row.rating for row in best]
    return [GameStanding(row, 1 + ratings.index(row.rating)) for row in best]


def _place(db: Database, row: RatingRow) -> int | None:
    key = row.person_id, row.guild_id, row.game, row.season
    if not RATINGS.find(db, f"{KEY} AND {LISTED}", *key):
        return None
    better: int = db.execute(
        f"""SELECT count(*) FROM ratings
        WHERE guild_id = ? AND game = ? AND season = ? AND rating > ? AND {LISTED}""",  # noqa: S608
        [row.guild_id, row.game, row.season, row.rating],
    ).fetchone()[0]
    return better + 1
