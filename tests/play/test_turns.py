"""Clocks follow their tables; whatever is due happens once, even if late."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from play.aggregate import Tick
from play.clock import DAY, HOUR
from play.ending import EndAsManager, Resign
from play.lobby import AddComputer
from play.seats import ComeBack, HandOver, TakeSeat
from play.table import swapped
from play.turns import due_at
from play.undo import TakeBack
from tests.play.house import (
    ANNA,
    BEN,
    CHANNEL,
    CLARA,
    STRANGER,
    House,
    gathered,
    lobby,
    started,
    timed,
)


def left(house: House, seat: int) -> timedelta | None:
    """The time until a seat's deadline; None if it has none."""
    until = house.table.until(seat)
    return None if until is None else until - house.clock.now


def quiet_one(pace: str = "12h", **server: int) -> House:
    """A match of two in which Anna has quiet hours from ten in the evening to seven."""
    house = gathered(2, pace=pace)
    house.quiet(ANNA)
    house.server(**server)
    house.start()
    return house


def reminders(house: House) -> list[tuple[int, str]]:
    """The reminders sent: seat and alarm."""
    return [(line.seat or 0, json.loads(line.text)["alarm"]) for line in house.lines("remind")]


# --------------------------------------------------------------------- which clocks run
def test_the_clock_of_the_player_to_move_runs() -> None:
    house = timed(2)
    assert list(house.table.clocks) == [0]
    assert left(house, 0) == timedelta(days=1)
    house.wait(hours=3)
    house.moves("K4")
    assert list(house.table.clocks) == [1]
    assert left(house, 1) == timedelta(days=1)
    assert left(house, 0) is None


def test_without_a_pace_nobody_has_a_deadline() -> None:
    house = timed(2, pace="")
    assert left(house, 0) is None
    for _ in range(100):
        house.clock.now = house.table.row.due_at or house.clock.now
        house.do(Tick())
    assert (house.table.running, house.table.computers) == (True, frozenset())
    assert house.lines("miss") == []


def test_alone_nobody_is_reminded() -> None:
    house = House(lobby(pace="2d", strict=True))
    house.do(AddComputer(ANNA, "novice"))
    house.start()
    assert (house.table.turns, house.table.row.due_at) == ((), None)
    assert {"pace", "strict"}.isdisjoint(house.table.row.options)


# ------------------------------------------------------------------------ without a limit
def days_of(house: House, kind: str, days: int) -> list[int]:
    """Wait this many days; return the numbers of those on which lines of a kind were added."""
    found = []
    for day in range(1, days + 1):
        before = house.table.revision
        house.wait(days=1)
        found += [day] * house.kinds(before).count(kind)
    return found


def test_without_a_pace_people_are_reminded_after_three_days_then_weekly() -> None:
    house = timed(2, pace="")
    assert days_of(house, "remind", 20) == [3, 10, 17]
    assert set(reminders(house)) == {(0, "nudge")}
    house.moves("K4")
    assert days_of(house, "remind", 5) == [3]
    assert reminders(house)[-1] == (1, "nudge")


def test_after_four_weeks_the_table_asks_whether_to_end() -> None:
    house = timed(3, pace="")
    assert days_of(house, "ask", 28) == [28]
    assert (house.vote.kind, [*dict(house.vote.answers)]) == ("idle", [ANNA, BEN, CLARA])
    assert days_of(house, "settle", 27) == [7]
    assert house.table.running
    assert days_of(house, "ask", 1) == [1]


def test_simultaneous_decisions_lead_to_one_question() -> None:
    house = timed(3, "donquixote", pace="")
    assert days_of(house, "ask", 60) == [28, 56]


def test_the_answers_to_an_idle_table_decide() -> None:
    """A person who has left for good cannot hold up the others."""
    house = timed(2, pace="")
    house.wait(days=28)
    house.agree(BEN)
    assert house.table.running
    house.wait(days=7)
    assert house.table.row.result == {"how": "ended"}


def test_a_move_settles_whether_to_end() -> None:
    house = timed(2, pace="")
    house.wait(days=28)
    house.agree(BEN)
    house.moves("K4")
    assert [vote.decision for vote in house.table.votes] == ["lapsed"]
    house.wait(days=28)
    house.do(TakeBack(ANNA))
    assert [vote.decision for vote in house.table.votes] == ["lapsed", "lapsed"]


@pytest.mark.parametrize(("days", "kind"), [(0, "remind"), (27, "ask")])
def test_nobody_is_reminded_at_night_without_a_pace(days: int, kind: str) -> None:
    house = quiet_one(pace="")
    house.wait(days=days)
    revision, due = house.table.revision, house.table.row.due_at
    assert due is not None
    assert due.hour == 7
    house.clock.now = due.replace(hour=23)
    house.do(Tick())
    assert kind not in house.kinds(revision)
    house.wait(hours=7, minutes=59)
    assert kind not in house.kinds(revision)
    house.wait(minutes=1)
    assert kind in house.kinds(revision)


def test_holidays_hold_up_reminders() -> None:
    house = timed(2, pace="")
    house.settings(ANNA, away=((house.clock.now, house.clock.now + timedelta(days=10)),))
    house.do(Tick())
    assert days_of(house, "remind", 12) == [10]


def test_everyone_with_a_simultaneous_choice_has_a_clock() -> None:
    house = timed(3, "donquixote")
    assert list(house.table.clocks) == [0, 1, 2]
    house.wait(hours=1)
    house.play(BEN, house.table.game.legal(house.table.played.state, 1)[0])
    assert list(house.table.clocks) == [0, 2]
    assert left(house, 0) == timedelta(hours=23)


def test_a_person_against_computers_is_not_hurried() -> None:
    house = timed(1, computers=1)
    assert house.table.clocks == {}
    assert house.table.row.due_at is None


def test_a_clock_stops_while_the_others_are_gone() -> None:
    """Nobody is waiting while a computer player keeps the only other seat."""
    house = timed(2)
    house.wait(hours=4)
    members = swapped(house.table.members, house.table.members[1], level="novice")
    house.table = replace(house.table, members=members)
    house.wait(seconds=0)
    assert house.table.clocks == {}
    house.wait(days=9)
    house.do(ComeBack(BEN))
    assert left(house, 0) == timedelta(hours=20)


def test_a_table_that_is_over_has_no_clocks() -> None:
    house = timed(2)
    house.do(Resign(ANNA, "novice"))
    assert house.table.turns == ()
    assert house.table.row.due_at is None


def test_a_seat_that_changes_hands_has_all_its_time() -> None:
    house = timed(2)
    house.do(HandOver(ANNA))
    house.agree(BEN)
    house.wait(hours=23)
    house.do(TakeSeat(CLARA, 0, "Clara"))
    assert left(house, 0) == timedelta(days=1)
    assert house.table.clocks[0].person_id == CLARA


def test_who_takes_a_seat_brings_their_own_quiet_hours() -> None:
    house = timed(2, pace="12h")
    house.do(HandOver(ANNA))
    house.agree(BEN)
    row = replace(house.table.settings(CLARA), zone="UTC", quiet_from=22 * 60, quiet_to=7 * 60)
    house.do(TakeSeat(CLARA, 0, "Clara", settings=row))
    assert left(house, 0) == timedelta(hours=21)


# ---------------------------------------------------------------------------- bank, undo
def test_a_bank_is_used_up_and_filled() -> None:
    house = timed(2, pace="2d+6h")
    expected = 2 * DAY
    for hours, own, other in ((30, "K4", "D4"), (1, "E8", "F8"), (10, "G5", "H5")):
        assert house.table.clocks[0].budget == expected
        house.clock.move(timedelta(hours=hours))
        house.moves(own, other)
        expected = min(2 * DAY, expected - hours * HOUR + 6 * HOUR)
    assert house.table.clocks[0].budget == expected == 25 * HOUR


def test_an_undo_gives_no_time_back() -> None:
    house = timed(2)
    house.wait(hours=20)
    house.moves("K4")
    house.wait(hours=1)
    house.do(TakeBack(ANNA))
    assert left(house, 0) == timedelta(hours=4)


def test_step_by_step_an_undo_gives_no_time_back() -> None:
    house = timed(2, king=True)
    house.play(BEN, "X:G6")
    house.wait(hours=20)
    house.play(ANNA, "X:H9")
    house.wait(hours=1)
    house.play(ANNA, "G8")
    house.do(TakeBack(ANNA))
    assert left(house, 0) == timedelta(hours=23)
    house.do(TakeBack(ANNA))
    assert left(house, 0) == timedelta(hours=4)


def test_an_undo_leaves_an_hour_at_least() -> None:
    house = timed(2)
    house.wait(hours=23, minutes=59)
    house.moves("K4")
    house.do(TakeBack(ANNA))
    assert left(house, 0) == timedelta(hours=1)


def test_after_an_undo_later_turns_are_new() -> None:
    house = timed(2)
    house.moves("K4")
    house.wait(hours=20)
    house.do(TakeBack(ANNA))
    house.moves("E8")
    assert left(house, 1) == timedelta(days=1)


def test_an_undo_by_others_leaves_a_clock_running() -> None:
    house = timed(2, "donquixote")
    before = house.table.clocks[1]
    house.moves(house.table.game.legal(house.table.played.state, 0)[0])
    house.wait(hours=2)
    house.do(TakeBack(ANNA))
    assert house.table.clocks[1] == before
    assert left(house, 0) == timedelta(days=1)


def test_only_the_last_turn_of_a_person_is_kept() -> None:
    """The last turn is enough for the bank and the misses, and keeps the list of turns short."""
    house = timed(2)
    rng = random.Random(3)
    for _ in range(12):
        house.wait(minutes=5)
        house.move_of(*house.random_move(rng))
    assert len(house.table.turns) <= 4


# --------------------------------------------------------------------------- quiet hours
def test_a_clock_rests_in_the_quiet_hours_of_its_person() -> None:
    """Anna's nine quiet hours push her deadline back by nine hours; Ben has no quiet hours."""
    house = quiet_one()
    assert left(house, 0) == timedelta(hours=21)
    house.moves("K4")
    assert left(house, 1) == timedelta(hours=12)


def test_the_server_limits_the_rest() -> None:
    assert left(quiet_one(quiet_limit=3), 0) == timedelta(hours=15)


def test_new_quiet_hours_move_deadlines() -> None:
    house = timed(2, pace="12h")
    house.wait(hours=6)
    assert reminders(house) == [(0, "half")]
    house.quiet(ANNA)
    house.wait(seconds=0)
    assert left(house, 0) == timedelta(hours=15)
    house.wait(hours=14)
    assert reminders(house) == [(0, "half"), (0, "soon")]


def test_over_the_change_of_the_clocks() -> None:
    """In Berlin, the night of 25 October 2026 is an hour longer."""
    house = gathered(2, pace="6h")
    house.clock.now = datetime(2026, 10, 24, 18, tzinfo=UTC)  # eight in the evening
    house.quiet(ANNA, zone="Europe/Berlin")
    house.start()
    assert house.table.until(0) == datetime(2026, 10, 25, 10, tzinfo=UTC)  # eleven in the morning


def test_a_reminder_that_is_late_does_not_wake() -> None:
    house = quiet_one()
    house.wait(hours=13)  # it was due at six; now it is one in the morning
    assert reminders(house) == []
    assert house.table.row.due_at == house.clock.now + timedelta(hours=6)
    house.wait(hours=6)
    assert len(reminders(house)) == 1


def test_a_reminder_that_has_become_useless_is_dropped() -> None:
    """The deadline precedes the end of the quiet hours, so nobody is reminded."""
    house = quiet_one(quiet_limit=0)
    house.wait(hours=11)
    assert reminders(house) == []
    assert house.lines("miss") == []
    house.wait(hours=1)
    assert len(house.lines("miss")) == 1
    assert reminders(house) == []


# ----------------------------------------------------------------------------- deadlines
def test_deadlines_come_in_their_order() -> None:
    house = timed(2, pace="8h")
    begin = house.clock.now
    for _ in range(9 * 4):
        house.wait(minutes=15)
    told = [(line.at - begin, line.kind) for line in house.lines("remind", "miss")]
    assert told == [
        (timedelta(hours=4), "remind"),
        (timedelta(hours=7), "remind"),
        (timedelta(hours=8), "miss"),
    ]
    assert reminders(house) == [(0, "half"), (0, "soon")]
    decision = house.table.decision(0)
    assert {json.loads(line.text)["decision"] for line in house.lines("remind")} == {decision}


def test_the_next_look_is_known() -> None:
    """The next time to check is the earliest due time, stored with the table."""
    house = timed(2, pace="8h")
    begin = house.clock.now
    for hours in (4, 7, 8):
        due = begin + timedelta(hours=hours)
        assert house.table.row.due_at == due_at(house.table) == due
        house.clock.now = due - timedelta(seconds=1)
        before = house.table
        assert house.do(Tick()) is before
        house.clock.now = due
        house.do(Tick())
    vote = house.vote
    assert house.table.row.due_at == vote.closes_at


def test_a_deadline_that_was_missed_is_acted_on_once() -> None:
    """The bot was offline for days; the reminders that it missed are not sent."""
    house = timed(2, pace="8h")
    house.wait(hours=4)
    house.wait(days=3)
    assert house.kinds()[-3:] == ["remind", "miss", "ask"]
    before = house.table
    assert house.do(Tick()) is before


def test_events_due_for_several_people_are_one_change() -> None:
    house = timed(3, "donquixote")
    revision = house.table.revision
    house.wait(hours=12)
    assert house.kinds(revision) == ["remind"] * 3
    assert [seat for seat, _ in reminders(house)] == [0, 1, 2]


def test_a_deadline_that_was_overtaken_is_no_more() -> None:
    house = timed(2)
    house.clock.move(timedelta(days=1))
    house.moves("K4")
    assert house.lines("miss") == []
    assert list(house.table.clocks) == [1]
    before = house.table
    assert house.do(Tick()) is before


# ------------------------------------------------------------------------ misses and more
def test_misses_are_counted_once_for_each_end() -> None:
    house = timed(2)
    house.wait(days=1)
    house.wait(seconds=1)
    assert house.table.clocks[0].misses == 1
    house.wait(days=1)  # the question is over and granted more time
    house.wait(days=1)
    assert house.table.clocks[0].misses == 2
    assert [json.loads(line.text)["misses"] for line in house.lines("miss")] == [1, 2]


def test_more_time_counts_from_now() -> None:
    house = timed(2)
    house.wait(hours=40)
    house.agree(BEN, choice="wait")
    assert left(house, 0) == timedelta(days=1)
    house.wait(hours=23)
    assert reminders(house) == [(0, "soon")]


def test_a_move_in_person_forgets_misses() -> None:
    house = timed(2, strict=True)
    house.wait(days=1)
    assert house.table.awaited_computers == (0,)
    house.moves("K4", "D4")
    assert house.table.clocks[0].misses == 1
    house.moves("E8", "F8")
    assert house.table.clocks[0].misses == 0


def test_a_resignation_among_many_starts_no_clock_of_its_own() -> None:
    house = timed(3)
    house.do(Resign(BEN, "novice"))
    house.moves("K4")
    assert house.table.clocks == {}, "it is the computer player's turn"
    house.do(EndAsManager(STRANGER, True, "Enough."))
    assert house.table.row.due_at is None


def test_a_clock_that_changes_nothing_else_has_a_line_all_the_same() -> None:
    """The line shows other processes that their copy is stale."""
    house = started(2)
    house.table = replace(house.table, turns=())
    revision = house.table.revision
    house.wait(seconds=0)
    assert house.kinds(revision) == ["clock"]
    assert house.table.row.channel_id == CHANNEL


@pytest.mark.parametrize("pace", ["1h", "7d", "3d+6h"])
def test_every_pace_runs_to_its_end(pace: str) -> None:
    house = timed(3, pace=pace)
    for _ in range(60):
        due = house.table.row.due_at
        if due is None:
            break
        house.clock.now = due
        house.do(Tick())
    assert house.table.computer_at(0) is not None
    assert [json.loads(line.text)["misses"] for line in house.lines("miss")] == [1, 2, 3]
