"""Finished matches with their players, and the ratings updated after each."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

import pytest

from data import ratings
from data.store.access import Access, Database
from data.store.place import Place
from data.store.ratings import EVERYWHERE, FinishedMatch
from data.store.rows import MemberRow, Status, Stored
from data.store.standings import StandingRepository, finished_matches
from data.store.store import Store
from tests.data.samples import (
    GUEST,
    HOST,
    committed,
    ended,
    forgotten,
    grown,
    in_a_file,
    minutes,
    move,
    opened,
    started,
)
from tests.stores import address

T = TypeVar("T")

WON = {"how": "played", "ranks": [2, 1], "scores": [3, 7], "reason": "goal", "by_people": True}
GUILD = 900

SHORT = 0.5
"""Seconds for which the second user of a database waits for the first in these tests."""


async def finished(
    store: Store,
    channel_id: int = 500,
    result: dict[str, Any] = WON,
    at: datetime | None = None,
    **changes: Any,
) -> Stored:
    """A finished table of two with the guest in seat 0."""
    table = await started(store, channel_id, **changes)
    return await ended(store, table, Status.FINISHED, result=result, at=at)


async def matches(store: Store) -> list[FinishedMatch]:
    """All finished matches, in their order."""
    return await store.database.read(lambda db: list(finished_matches(db)))


async def test_a_finished_match_records_who_played(store: Store) -> None:
    table = await finished(store)
    assert await matches(store) == [
        FinishedMatch(
            table_id=table.row.id,
            guild_id=GUILD,
            game=table.row.game,
            people=(GUEST, HOST),
            names=("Ben", "Ada"),
            ranks=(2, 1),
            by_people=True,
        )
    ]


async def test_the_result_says_whether_only_people_have_played(store: Store) -> None:
    """A result that does not say whether only people played counts as one with computer players."""
    results: list[dict[str, Any]] = [{**WON, "by_people": False}, {"how": "agreed"}]
    for channel, result in enumerate(results):
        await finished(store, channel, result)
    rows = await matches(store)
    assert [(row.by_people, row.ranks) for row in rows] == [(False, (2, 1)), (False, ())]


async def test_matches_come_in_the_order_in_which_they_were_finished(store: Store) -> None:
    """The order follows neither starting times, nor table ids, nor a clock that was set back."""
    first, second = await started(store, 500), await started(store, 501)
    for table, at in ((second, minutes(60)), (first, minutes(50))):
        await ended(store, table, Status.FINISHED, result=WON, at=at)
    assert [row.table_id for row in await matches(store)] == [second.row.id, first.row.id]


# ------------------------------------------------------------------------------ ratings
async def played(store: Store, rng: random.Random) -> None:
    """Store a match of two to five out of eight people, one of them sometimes replaced by a
    computer player, on one of two servers or outside any.
    """
    seats = rng.randint(2, 5)
    people = rng.sample(range(1, 9), seats)
    lobby = await opened(
        store, 500, host_id=people[0], guild_id=rng.choice([GUILD, GUILD + 1, None])
    )
    members = [MemberRow(n, who, f"N{who}", seat=n) for n, who in enumerate(people)]
    if rng.random() < 0.2:
        members[-1] = replace(members[-1], person_id=None, level="novice")
    begun = grown(
        lobby, "start", text="{}", members=tuple(members), status=Status.RUNNING, players=seats
    )
    table = await committed(store, lobby, begun)
    people_alone = members[-1].person_id is not None and rng.random() < 0.8
    ranks = [rng.randint(1, seats) for _ in range(seats)]
    result = {"how": "played", "ranks": ranks, "by_people": people_alone}
    await ended(store, table, Status.FINISHED, result=result)


async def shown(store: Store) -> list[object]:
    board = await store.standings.leaderboard(GUILD, ["lancelot"], 3, 2)
    places = [(person, guild) for person in range(1, 9) for guild in (GUILD, EVERYWHERE)]
    return [board, *[await store.standings.of_person(*place) for place in places]]


@pytest.mark.seeds(5, always=2)
async def test_incremental_ratings_equal_recalculated_ones(store: Store, seed: int) -> None:
    """This holds even if people are forgotten or hidden in between."""
    rng = random.Random(seed)
    for _ in range(40):
        await played(store, rng)
        if rng.random() < 0.1:
            await forgotten(store, rng.randint(1, 8))
        if rng.random() < 0.1:
            await store.standings.set_unlisted(rng.randint(1, 8), rng.random() < 0.5)
    before = await shown(store)
    assert await store.standings.recompute() == 0
    await store.database.write(lambda db: db.execute("DELETE FROM ratings"))
    assert await store.standings.recompute() > 0
    assert await shown(store) == before


async def test_wrong_ratings_are_corrected(store: Store) -> None:
    await finished(store)
    before = await store.standings.leaderboard(GUILD, ["lancelot"], 20, 0)

    def spoil(db: Database) -> None:
        db.execute("DELETE FROM ratings WHERE person_id = ? AND guild_id = ?", [HOST, GUILD])
        db.execute("UPDATE ratings SET rating = 9999 WHERE person_id = ?", [GUEST])
        db.execute(
            """INSERT INTO ratings SELECT 77, guild_id, game, season, name, matches, won, uncounted,
                rating, mu, sigma, streak, longest FROM ratings
            WHERE person_id = ? AND guild_id = ?""",
            [GUEST, GUILD],
        )

    await store.database.write(spoil)
    assert await store.standings.leaderboard(GUILD, ["lancelot"], 20, 0) != before
    assert await store.standings.recompute() == 4
    assert await store.standings.leaderboard(GUILD, ["lancelot"], 20, 0) == before


async def test_a_command_corrects_wrong_ratings(
    store: Store,
    place: Place,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The command refuses to run while a bot uses the database."""
    await finished(store)
    await store.database.write(lambda db: db.execute("DELETE FROM ratings"))
    command = ["--database", address(place)]
    with monkeypatch.context() as patch:
        patch.setattr(Store, "open", partial(Store.open, patience=SHORT))
        assert await asyncio.to_thread(ratings.main, command) == 1
    assert str(place) in capsys.readouterr().err
    await store.close()
    for wrong in (4, 0):
        assert await asyncio.to_thread(ratings.main, command) == 0
        assert capsys.readouterr().out == f"{place}: ratings corrected: {wrong}\n"


async def test_a_finished_match_that_is_not_committed_rates_nobody(store: Store) -> None:
    """Ratings are part of the same transaction as the result."""
    table = await started(store)
    await move(store, table)
    late = grown(table, "end", status=Status.FINISHED, result=WON)
    assert not await store.tables.commit(table, late)
    assert await store.standings.of_person(HOST, GUILD) == {}


async def test_lines_after_the_end_count_nothing_twice(store: Store) -> None:
    table = await finished(store)
    await committed(store, table, grown(table, "ask", person_id=HOST))
    assert (await store.standings.of_person(HOST, GUILD))["lancelot"].row.matches == 1
    assert await store.standings.recompute() == 0


async def test_a_match_that_is_finished_again_is_counted_once(store: Store) -> None:
    table = await finished(store)
    parked = await ended(store, table, Status.PARKED)
    await ended(store, parked, Status.FINISHED, result=WON)
    assert (await store.standings.of_person(HOST, GUILD))["lancelot"].row.matches == 1
    assert await store.standings.recompute() == 0


async def test_a_leaderboard_shows_the_best_and_who_asks(store: Store) -> None:
    """Equal ratings share a place, even beyond those shown; a game without matches has no
    ratings.
    """
    for channel, people in enumerate([(1, 2), (3, 4), (5, 6)]):
        await won(store, channel, *people)
    listed = (await store.standings.leaderboard(GUILD, ["isis", "lancelot"], 2, 6))["lancelot"]
    assert [(s.row.person_id, s.place) for s in listed] == [(1, 1), (3, 1), (6, 4)]
    assert await store.standings.leaderboard(GUILD, ["isis"], 2, 6) == {}
    assert await store.standings.leaderboard(GUILD + 1, ["lancelot"], 2, 6) == {}


async def won(store: Store, channel: int, winner: int, loser: int) -> None:
    """Store a match of two people, of whom the first wins."""
    table = await started(store, channel)
    members = tuple(
        replace(member, person_id=who)
        for member, who in zip(table.members, (winner, loser), strict=True)
    )
    table = await committed(store, table, grown(table, "join", members=members))
    await ended(store, table, Status.FINISHED, result=WON)


async def test_results_against_the_computer_count_apart(store: Store) -> None:
    """A match counts only if it has a result and no other people, whatever was played before."""
    await finished(store)
    for channel, result in ((501, {"how": "ended"}), (502, WON)):
        table = await started(store, channel)
        host, guest = table.members
        alone = (host, replace(guest, person_id=None, level="novice"))
        table = await committed(store, table, grown(table, "join", members=alone))
        await ended(store, table, Status.FINISHED, result=result)
    assert host.person_id is not None
    (found,) = await store.standings.alone(host.person_id)
    assert (found.game, found.levels, found.matches) == (table.row.game, ("novice",), 1)


@pytest.mark.full
@in_a_file
async def test_looking_costs_the_same_however_many_matches_there_are(store: Store) -> None:
    """The cost is measured in steps of SQLite's virtual machine: only ratings are read, no
    matches.
    """

    async def steps(look: Callable[[StandingRepository], Awaitable[object]]) -> int:
        counted = 0

        def count() -> None:
            nonlocal counted
            counted += 1

        class Counting(Access):
            async def read(self, query: Callable[[Database], T]) -> T:
                def whole(db: Database) -> T:
                    assert isinstance(db, sqlite3.Connection)
                    db.set_progress_handler(count, 1)
                    try:
                        return query(db)
                    finally:
                        db.set_progress_handler(None, 1)

                return await store.database.read(whole)

        await look(StandingRepository(Counting.__new__(Counting)))
        return counted

    async def costs() -> list[int]:
        return [
            await steps(lambda s: s.leaderboard(GUILD, ["isis", "lancelot"], 20, HOST)),
            await steps(lambda s: s.of_person(HOST, GUILD)),
            await steps(lambda s: s.of_person(HOST)),
        ]

    await finished(store, 500)
    await costs(), await costs()  # Each reader reads the schema once.
    before = await costs()
    for channel in range(501, 541):
        await finished(store, channel)
    assert await costs() == before


async def test_the_course_of_a_rating_ends_where_the_rating_is(store: Store) -> None:
    results = [{**WON, "ranks": ranks} for ranks in ([1, 2], [2, 1], [2, 1])]
    for number, result in enumerate([*results, {**WON, "by_people": False}]):
        await finished(store, 500 + number, result)
    course = await store.standings.course(HOST, GUILD)
    ((game, ratings_),) = course.items()
    standing = (await store.standings.of_person(HOST, GUILD))[game]
    first, after_defeat, _, last = ratings_
    assert (first, last) == (1000, standing.row.rating)
    assert after_defeat < 1000
    assert await store.standings.course(HOST, GUILD + 1) == {}
