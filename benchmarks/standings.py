"""What leaderboards and statistics cost when there are many matches.

``python -m benchmarks.standings [--matches N] [--people N] [--directory DIR]``

All matches are on one server and of one game, among people who play equally often. Measured are
the answers, a match that is finished, and the making of all ratings anew, which only a migration
and ``python -m data.ratings`` ever do.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.store import NOW, Lap, longer, running_tables
from data.store.access import Database
from data.store.columns import to_seconds
from data.store.migrate import open_database, read_migrations
from data.store.rows import Line, MemberRow, Status, Stored
from data.store.store import Store

GUILD = 1
RESULT = '{"how":"played","ranks":[1,2],"by_people":true}'
LOOKS = 200


def fill(file: Path, matches: int, people: int) -> None:
    """Write finished matches of two, all but the ratings."""
    rng = random.Random(0)
    with closing(open_database(file, read_migrations())) as db:
        db.execute("BEGIN")
        for number in range(1, matches + 1):
            add_match(db, number, rng.sample(range(1, people + 1), 2))
        db.execute("COMMIT")


def add_match(db: Database, number: int, people: list[int]) -> None:
    """Write one finished match."""
    db.execute(
        """INSERT INTO tables (id, code, game, rules, guild_id, channel_id, host_id, language,
            status, options, players, seed, result, created_at, moved_at, revision, told)
        VALUES (?, ?, 'lancelot', 1, ?, ?, 1, 'en', 'finished', '{}', 2, '5eed', ?, ?, ?, 1, 1)""",
        [
            number,
            f"T{number}",
            GUILD,
            10**6 + number,
            RESULT,
            to_seconds(NOW),
            to_seconds(NOW) + number,
        ],
    )
    db.execute("INSERT INTO finished (table_id) VALUES (?)", [number])
    db.executemany(
        """INSERT INTO members (table_id, number, person_id, name, seat, resigned)
        VALUES (?, ?, ?, ?, ?, 0)""",
        [(number, seat, who, f"Person {who}", seat) for seat, who in enumerate(people)],
    )


async def run(directory: Path, matches: int, people: int) -> None:
    """Measure and tell."""
    file = directory / "standings.sqlite3"
    fill(file, matches, people)
    store = await Store.open(file)
    start = time.perf_counter()
    await store.standings.recompute()
    print(
        f"{matches} matches of {people} people: rated anew in {time.perf_counter() - start:.1f} s"
    )
    rng = random.Random(1)
    lap = Lap("leaderboard of a game, 20 places and one's own")
    for _ in range(LOOKS):
        who = rng.randint(1, people)
        await lap.measure(store.standings.leaderboard(GUILD, ["lancelot"], 20, who))
    lap.tell()
    lap = Lap("statistics of a person")
    for _ in range(LOOKS):
        await lap.measure(store.standings.of_person(rng.randint(1, people), GUILD))
    lap.tell()
    await commits(store, "a commit that finishes no match", lambda table: table)
    await commits(store, "a commit that finishes a match", finished)
    await store.close()


async def commits(store: Store, name: str, last: Callable[[Stored], Stored]) -> None:
    """Measure one commit at each of many tables."""
    tables = await running_tables(store, LOOKS)
    lap = Lap(name)
    for table in tables:
        after = last(longer(table, Line(table.row.revision + 1, "x", None, None, "", NOW)))
        await lap.measure(store.tables.commit(table, after))
    lap.tell()
    for table in tables:  # so that the channels are free again
        now = (await store.tables.load(table.row.id)).stored
        if now.row.status is Status.RUNNING:
            ended = longer(now, Line(now.row.revision + 1, "end", None, None, "", NOW))
            ended = replace(ended, row=replace(ended.row, status=Status.ENDED))
            await store.tables.commit(now, ended)


def finished(table: Stored) -> Stored:
    """The table as one of two people whose match is over."""
    people = (MemberRow(0, 1, "Person 1", seat=0), MemberRow(1, 2, "Person 2", seat=1))
    result = {"how": "played", "ranks": [1, 2], "by_people": True}
    row = replace(table.row, status=Status.FINISHED, result=result)
    return replace(table, row=row, members=people)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=5_000)
    parser.add_argument("--directory", type=Path, help="on the disk to measure")
    chosen = parser.parse_args()
    with TemporaryDirectory(dir=chosen.directory) as name:
        asyncio.run(run(Path(name), chosen.matches, chosen.people))


if __name__ == "__main__":
    main()
