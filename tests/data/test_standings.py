"""Which matches were finished by whom."""

from __future__ import annotations

from typing import Any

from data.standings import FinishedRow
from data.store import Status, Store, TableRow
from tests.data.samples import GUEST, HOST, minutes, started

WON = {"how": "played", "ranks": [2, 1], "scores": [3, 7], "reason": "goal"}
GUILD = 900


async def finished(
    store: Store,
    channel_id: int = 500,
    movers: tuple[tuple[int, int | None], ...] = ((0, GUEST), (1, HOST)),
    result: dict[str, Any] | None = None,
) -> TableRow:
    """A finished table of two; the guest has seat 0.

    :param movers: seat and person of each move.
    """
    table = await started(store, channel_id)
    for ply, (seat, person) in enumerate(movers):
        await store.append(
            table.id,
            ply,
            [(seat, "K4")],
            person_id=person,
            interaction_id=None,
            at=minutes(2 + ply),
            finished=(WON if result is None else result) if ply == len(movers) - 1 else None,
        )
    return await store.table(table.id)


async def only(store: Store) -> FinishedRow:
    """The one finished match of the server."""
    (row,) = await store.standings.finished(GUILD)
    return row


async def test_a_finished_match_tells_who_played(store: Store) -> None:
    """People, names and places by seat, and whether people alone have played."""
    table = await finished(store)
    assert await only(store) == FinishedRow(
        table_id=table.id,
        game=table.game,
        at=table.moved_at,
        people=(GUEST, HOST),
        names=("Ben", "Ada"),
        ranks=(2, 1),
        by_people=True,
    )
    assert await store.standings.finished(GUILD + 1) == []


async def test_running_and_ended_tables_are_left_out(store: Store) -> None:
    """Only what has come to a result is listed."""
    await started(store, 500)
    ended = await started(store, 501)
    await store.end(ended.id, Status.ENDED, {"how": "ended"}, minutes(3))
    assert await store.standings.finished(GUILD) == []


async def test_a_move_of_a_computer_player_is_noticed(store: Store) -> None:
    """Even if the person had the seat before and after it."""
    await finished(store, movers=((0, GUEST), (1, None), (0, GUEST), (1, HOST)))
    assert not (await only(store)).by_people


async def test_a_seat_that_changed_hands_is_noticed(store: Store) -> None:
    """Whoever takes over a seat neither gains nor loses by what another has played."""
    await finished(store, movers=((0, 77), (1, HOST)))
    assert not (await only(store)).by_people


async def test_a_seat_of_a_computer_player_is_noticed(store: Store) -> None:
    """A computer player that sits there at the end counts, though it has not moved."""
    table = await finished(store)
    await store.set_member(table.id, 1, person_id=GUEST, name="Ben", level="novice", resigned=False)
    assert not (await only(store)).by_people


async def test_resigning_at_a_table_of_two_is_a_result(store: Store) -> None:
    """The computer player that formally has the seat afterwards does not matter."""
    table = await started(store)
    over = (Status.FINISHED, {"how": "resigned", "by": 0, "ranks": [2, 1]})
    await store.resign(table.id, 1, "novice", over, minutes(3))
    row = await only(store)
    assert (row.by_people, row.ranks) == (True, (2, 1))


async def test_matches_come_in_the_order_of_their_ends(store: Store) -> None:
    """Not in that of their beginnings."""
    first = await started(store, 500)
    second = await finished(store, 501)
    over = (Status.FINISHED, {"how": "resigned", "by": 0, "ranks": [2, 1]})
    await store.resign(first.id, 1, "novice", over, minutes(60))
    assert [r.table_id for r in await store.standings.finished(GUILD)] == [second.id, first.id]


async def test_people_are_unlisted_and_listed_again(store: Store) -> None:
    """Saying it twice changes nothing."""
    for unlisted, expected in ((True, {HOST}), (True, {HOST}), (False, set()), (False, set())):
        await store.standings.set_unlisted(HOST, unlisted)
        assert await store.standings.unlisted() == expected
