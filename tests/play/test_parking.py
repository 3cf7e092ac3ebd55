"""Tables that lost their channel, and people who follow a table."""

from __future__ import annotations

import pytest

from data.store.rows import PersonRow, Status
from play.ending import EndTable, Resign
from play.lobby import Follow, Join, MoveHere, Park, Unfollow, Unpark
from play.moves import PlayMoves
from play.plans import Plan
from play.seats import HandOver, TakeSeat, kept
from play.votes import LAPSED
from tests.play.house import (
    ANNA,
    BEN,
    CHANNEL,
    CLARA,
    DAVID,
    GUILD,
    STRANGER,
    House,
    gathered,
    started,
    timed,
)


@pytest.mark.parametrize("running", [False, True])
def test_a_parked_table_continues_elsewhere(running: bool) -> None:
    house = started(2) if running else gathered(2)
    assert house.code(MoveHere(BEN, 501, GUILD)) == "not_parked"
    assert house.do(Park(CHANNEL)).row.status is Status.PARKED
    assert house.code(MoveHere(STRANGER, 502, GUILD)) == "not_a_member"
    assert house.code(PlayMoves(ANNA, ("K4",))) == "parked"
    assert house.code(Join(CLARA, "Clara")) == "not_in_lobby"
    row = house.do(MoveHere(BEN, 502, 8)).row
    assert (row.channel_id, row.guild_id) == (502, 8)
    assert row.status is (Status.RUNNING if running else Status.LOBBY)
    if running:
        house.play(ANNA, "K4")


@pytest.mark.parametrize("running", [False, True])
def test_a_parked_table_continues_where_it_was(running: bool) -> None:
    house = started(2) if running else gathered(2)
    before = house.table
    assert house.do(Unpark(CHANNEL)) is before
    parked = house.do(Park(CHANNEL))
    assert house.do(Unpark(CHANNEL + 1)) is parked
    assert house.do(Unpark(CHANNEL)).row.status is before.row.status
    assert house.kinds()[-2:] == ["park", "unpark"]
    if running:
        house.play(ANNA, "K4")


def test_only_an_open_table_in_that_channel_is_parked() -> None:
    house = started(2)
    before = house.table
    assert house.do(Park(CHANNEL + 1)) is before
    house.do(Park(CHANNEL))
    before = house.table
    assert house.do(Park(CHANNEL)) is before
    house.do(MoveHere(ANNA, 501, GUILD))
    before = house.table
    assert house.do(Park(CHANNEL)) is before
    house.do(Resign(ANNA, "novice"))
    before = house.table
    assert house.do(Park(501)) is before


def test_nothing_is_done_at_a_parked_table() -> None:
    house = timed(2)
    house.do(Plan(BEN, "D4"))
    house.do(Park(CHANNEL))
    assert house.table.awaited == ()
    assert house.table.row.due_at is None
    assert house.code(TakeSeat(DAVID, 0, "David")) == "parked"
    before = house.table
    assert house.wait(days=30) is before
    house.do(MoveHere(ANNA, 501, GUILD))
    assert [plan.move for plan in house.table.plans] == ["D4"], "plans wait with the table"


def test_clocks_of_a_parked_table_stand_still() -> None:
    house = timed(2)
    house.wait(hours=10)
    house.do(Park(CHANNEL))
    assert house.table.clocks == {}
    house.wait(days=30)
    house.do(MoveHere(ANNA, 501, GUILD))
    until = house.table.until(0)
    assert until is not None
    assert (until - house.clock.now).total_seconds() == 14 * 3600


def test_votes_of_a_parked_table_lapse() -> None:
    """Nobody who was asked could see the question."""
    house = started(3)
    house.do(EndTable(ANNA))
    revision = house.table.revision
    house.do(Park(CHANNEL))
    assert house.kinds(revision) == ["park", "settle"]
    assert [vote.decision for vote in house.table.votes] == [LAPSED]


def test_the_host_can_end_a_parked_table() -> None:
    house = started(2)
    house.do(Park(CHANNEL))
    assert house.code(EndTable(BEN)) == "only_host"
    assert house.code(EndTable(ANNA)) == "not_sure"
    house.do(EndTable(ANNA, sure=True))
    assert house.table.row.status is Status.ENDED


def test_people_who_have_left_cannot_move_or_end_the_match() -> None:
    """A player whose seat a computer player keeps may move the table, because they can return."""
    house = started(4)
    house.do(Resign(ANNA, "novice"))
    house.do(HandOver(BEN))
    house.agree(CLARA)
    house.do(TakeSeat(STRANGER, 1, "Kay"))
    house.table = kept(house.table, 2, "novice", house.clock.now)
    house.do(Park(CHANNEL))
    assert house.code(MoveHere(ANNA, 501, 8)) == "resigned"
    assert house.code(MoveHere(BEN, 501, 8)) == "not_a_member"
    assert house.code(EndTable(ANNA, sure=True)) == "resigned"
    assert house.code(EndTable(BEN, sure=True)) == "only_host"
    assert House(house.table).do(MoveHere(STRANGER, 501, 8)).running
    assert house.do(MoveHere(CLARA, 501, 8)).running


# ------------------------------------------------------------------------------- following
def test_people_without_a_seat_follow_a_table_and_stop_following() -> None:
    house = started(2)
    row = PersonRow(STRANGER, language="de")
    house.do(Follow(STRANGER, settings=row))
    assert house.table.followers == {STRANGER}
    assert house.table.settings(STRANGER) == row
    before = house.table
    assert house.do(Follow(STRANGER)) is before
    assert house.code(Follow(ANNA)) == "member_follows"
    house.do(Unfollow(STRANGER))
    assert house.code(Unfollow(STRANGER)) == "not_following"
    house.do(Resign(ANNA, "novice"))
    assert house.code(Follow(STRANGER)) == "table_over"


def test_people_who_have_resigned_may_follow_the_rest_of_the_match() -> None:
    house = started(3)
    house.do(Resign(ANNA, "novice"))
    assert house.do(Follow(ANNA)).followers == {ANNA}
    house.do(Unfollow(ANNA))
    assert house.code(Follow(BEN)) == "member_follows"
