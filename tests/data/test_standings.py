"""Which matches were finished by whom."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from data.store.rows import Status, Stored
from data.store.standings import FinishedRow
from data.store.store import Store
from tests.data.samples import GUEST, HOST, ended, minutes, started

WON = {"how": "played", "ranks": [2, 1], "scores": [3, 7], "reason": "goal", "by_people": True}
GUILD = 900


async def finished(
    store: Store,
    channel_id: int = 500,
    result: dict[str, Any] = WON,
    at: datetime | None = None,
    **changes: Any,
) -> Stored:
    """A finished table of two; the guest has seat 0."""
    table = await started(store, channel_id, **changes)
    return await ended(store, table, Status.FINISHED, result=result, at=at)


async def test_a_finished_match_tells_who_played(store: Store) -> None:
    """People, names and places by seat, and whether people alone have played."""
    table = await finished(store)
    assert await store.standings.finished(GUILD) == [
        FinishedRow(
            table_id=table.row.id,
            game=table.row.game,
            at=table.row.moved_at,
            people=(GUEST, HOST),
            names=("Ben", "Ada"),
            ranks=(2, 1),
            by_people=True,
        )
    ]
    assert await store.standings.finished(GUILD + 1) == []


async def test_running_and_ended_tables_are_left_out(store: Store) -> None:
    """Only what has come to a result is listed."""
    await started(store, 500)
    await ended(store, await started(store, 501), Status.ENDED, result={"how": "ended"})
    assert await store.standings.finished(GUILD) == []


async def test_the_result_says_whether_people_alone_have_played(store: Store) -> None:
    """Without a word of it they have not."""
    results: list[dict[str, Any]] = [{**WON, "by_people": False}, {"how": "agreed"}]
    for channel, result in enumerate(results):
        await finished(store, channel, result)
    rows = await store.standings.finished(GUILD)
    assert [(row.by_people, row.ranks) for row in rows] == [(False, (2, 1)), (False, ())]


async def test_matches_come_in_the_order_of_their_ends(store: Store) -> None:
    """Not in that of their beginnings."""
    first = await finished(store, 500, at=minutes(60))
    second = await finished(store, 501, at=minutes(50))
    ids = [row.table_id for row in await store.standings.finished(GUILD)]
    assert ids == [second.row.id, first.row.id]


async def test_people_are_unlisted_and_listed_again(store: Store) -> None:
    """Saying it twice changes nothing."""
    for unlisted, expected in ((True, {HOST}), (True, {HOST}), (False, set()), (False, set())):
        await store.standings.set_unlisted(HOST, unlisted)
        assert await store.standings.unlisted() == expected
