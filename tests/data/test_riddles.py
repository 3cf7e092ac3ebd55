"""The stored data of riddles and daily deals, in a file and on a server."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from data.store.problems import BegunBefore
from data.store.riddles import AttemptRow, DayRank, Past, PlayRow
from data.store.store import Store
from data.store.trophies import TrophyRow
from tests.data.samples import forgotten

DAY = date(2026, 11, 22)
TEXT = DAY.isoformat()


async def test_a_day_has_one_riddle_and_one_secret(store: Store) -> None:
    riddles = store.riddles
    await asyncio.gather(*(riddles.put({DAY: ("isis", f"riddle {n}")}) for n in range(5)))
    kept = await riddles.of_day(DAY)
    await riddles.put({DAY: ("isis", "late"), DAY + timedelta(days=1): ("isis", "next")})
    assert await riddles.of_day(DAY) == kept
    assert await riddles.stock(DAY) == {DAY: kept, DAY + timedelta(days=1): "next"}
    assert await riddles.used() == [kept, "next"]
    drawn = iter(f"secret {n}" for n in range(9))
    secrets = await asyncio.gather(*(riddles.secret(DAY, lambda: next(drawn)) for _ in range(5)))
    assert len(set(secrets)) == 1
    assert await riddles.secret(DAY + timedelta(days=1), lambda: "another") == "another"


async def test_simultaneous_answers_are_all_recorded(store: Store) -> None:
    begun = AttemptRow(1, TEXT, 7, "Anna")

    def hint(row: AttemptRow) -> AttemptRow:
        return replace(row, hints=row.hints + 1)

    changed = await asyncio.gather(
        store.riddles.change_attempt(begun, hint),
        store.riddles.change_attempt(begun, lambda row: replace(row, wrong=(*row.wrong, "K4"))),
        store.riddles.change_attempt(begun, hint),
    )
    both = replace(begun, hints=2, wrong=("K4",))
    assert await store.riddles.attempt(1, DAY) == both
    assert both in changed
    assert await store.riddles.attempt(2, DAY) is None


async def test_places_here_and_everywhere(store: Store) -> None:
    """Equal results share a place; people still playing have none, and hidden people are not
    named.
    """
    points = {1: (7, 40), 2: (7, 55), 3: (8, 60), 4: (8, 40), 5: (7, None), 6: (7, 70)}
    for person, (server, won) in points.items():
        row = PlayRow(person, TEXT, server, f"name {person}", ("KN01",), won)
        await store.riddles.change_play(row, lambda row: row)
    await store.standings.set_unlisted(6, True)
    assert await store.riddles.placed(DAY, 40) == DayRank(4, 5)
    assert await store.riddles.placed(DAY, 40, 7) == DayRank(3, 3)
    best = await store.riddles.best_plays(DAY, None, 3)
    assert [row.person_id for row in best] == [3, 2, 1]
    assert [row.person_id for row in await store.riddles.best_plays(DAY, 7, 3)] == [2, 1]
    assert await store.riddles.best_plays(DAY + timedelta(days=1), 7, 3) == []


async def test_a_day_counts_if_its_riddle_is_solved_or_its_deal_is_over(store: Store) -> None:
    for back, (solved, points) in enumerate([(True, 5), (False, 0), (True, 2)]):
        day = (DAY - timedelta(days=back)).isoformat()
        row = AttemptRow(1, day, 7, "Anna", solved=solved, points=points)
        await store.riddles.change_attempt(row, lambda row: row)
    for back, won in ((1, None), (4, 50)):
        play = PlayRow(1, (DAY - timedelta(days=back)).isoformat(), 7, "Anna", (), won)
        await store.riddles.change_play(play, lambda row: row)
    wanted = {DAY - timedelta(days=back) for back in (0, 2, 4)}
    assert await store.riddles.past(1) == Past(frozenset(wanted), 2)
    assert await store.riddles.points(1) == 7
    assert (await store.riddles.points(2), await store.riddles.past(2)) == (0, Past(frozenset(), 0))
    best = await store.riddles.best_attempts(DAY, 7, 3)
    assert [(row.name, row.points) for row in best] == [("Anna", 5)]
    attempts, plays = await store.riddles.of_person(1)
    assert (len(attempts), len(plays)) == (3, 2)


async def test_trophies_are_awarded_once(store: Store) -> None:
    at = datetime(2026, 11, 22, 12, tzinfo=UTC)

    def earned(past: Past) -> list[TrophyRow]:
        return [
            TrophyRow(1, "streak", str(n), "", None, 3, str(n), at) for n in range(len(past.days))
        ]

    row = AttemptRow(1, TEXT, 7, "Anna", hints=1)
    await store.riddles.change_attempt(row, lambda row: row, earned)
    assert await store.trophies.of_person(1) == []
    for _ in range(2):
        await store.riddles.change_attempt(
            row, lambda row: replace(row, solved=True, points=4), earned
        )
    assert [each.source for each in await store.trophies.of_person(1)] == ["0"]
    before = PlayRow(1, (DAY - timedelta(days=1)).isoformat(), 7, "Anna", (), 50)
    await store.riddles.change_play(before, lambda row: row, earned)
    assert [each.source for each in await store.trophies.of_person(1)] == ["0", "1"]
    assert (await store.riddles.past(1)).flawless == 0


async def test_deleting_everything_lets_nobody_play_again(store: Store) -> None:
    """A day later, the store keeps nothing about these people."""
    begun = AttemptRow(1, TEXT, 7, "Anna"), PlayRow(2, TEXT, 7, "Ben")
    await store.riddles.change_attempt(begun[0], lambda row: replace(row, wrong=("K4",)))
    await store.riddles.change_play(begun[1], lambda row: row)
    for person in (1, 2, 3):
        await forgotten(store, person)
    with pytest.raises(BegunBefore):
        await store.riddles.attempt(1, DAY)
    with pytest.raises(BegunBefore):
        await store.riddles.change_attempt(begun[0], lambda row: row)
    with pytest.raises(BegunBefore):
        await store.riddles.change_play(begun[1], lambda row: row)
    assert await store.riddles.play(1, DAY) is None
    assert await store.riddles.attempt(3, DAY) is None
    assert await store.riddles.attempt(1, DAY + timedelta(days=1)) is None
    for later, kept in ((0, 2), (1, 0)):
        await store.riddles.let_go(DAY + timedelta(days=later))
        ((marks,),) = await store.database.fetch("SELECT count(*) FROM begun_days")
        assert marks == kept
