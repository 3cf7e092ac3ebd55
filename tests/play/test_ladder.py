"""The ladder: the question asked when somebody's time runs out, and each step that follows."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from play import ladder
from play.clock import HOUR, Pace, pace_in
from play.ladder import STAND_IN, Rung
from play.moves import PlayForComputer, PlayMoves
from play.plans import Plan
from play.seats import ComeBack, HandOver, TakeSeat
from play.table import Table
from play.undo import TakeBack
from play.votes import LAPSED, Answer, Question, Rule
from tests.play.house import ANNA, BEN, CLARA, House, timed

WAIT, MOVE, KEEP, OFFER, END = Rung


def pace_of(table: Table) -> Pace:
    pace = pace_in(table.row.options)
    assert pace is not None
    return pace


def step_of(table: Table, misses: int) -> Rung | Question:
    """The step after Anna's time has run out this many times in a row."""
    return ladder.next_step(table, replace(table.clocks[0], misses=misses), pace_of(table))


def late(people: int = 2, **options: object) -> House:
    """A match in which Anna's time is up and the others are asked what to do."""
    house = timed(people, **options)  # type: ignore[arg-type]
    house.clock.now = house.table.clocks[0].ends_at
    house.wait(seconds=0)
    return house


def decisions(house: House) -> list[str | None]:
    return [vote.decision for vote in house.table.votes]


# ---------------------------------------------------------------------------- which step
def test_the_others_are_asked() -> None:
    table = timed(3).table
    for misses in (1, 2):
        step = step_of(table, misses)
        assert isinstance(step, Question)
        assert step.voters == (BEN, CLARA)
        assert step.choices == (WAIT, MOVE, KEEP, OFFER, END)
        assert (step.fallback, step.seat) == (WAIT, 0)


def test_the_question_is_asked_when_the_time_is_up() -> None:
    house = late(3)
    assert house.kinds()[-2:] == ["miss", "ask"]
    assert json.loads(house.lines("miss")[0].text) == {"misses": 1, "step": None}
    assert (house.vote.rule, house.vote.asked_by) == (Rule.ANSWERS, None)


def test_a_strict_pace_asks_no_one() -> None:
    table = timed(3, strict=True).table
    assert step_of(table, 1) is MOVE
    assert step_of(table, 3) is KEEP
    house = late(3, strict=True)
    assert house.kinds()[-2:] == ["miss", "helped"]
    assert json.loads(house.lines("miss")[0].text) == {"misses": 1, "step": "move"}


def test_after_three_misses_in_a_row_a_computer_player_keeps_the_seat() -> None:
    table = timed(3).table
    assert step_of(table, 3) is KEEP
    assert step_of(table, 4) is KEEP


@pytest.mark.parametrize(("pace", "hours"), [("1h", 1), ("12h", 12), ("7d", 24), ("3d+6h", 6)])
def test_the_question_is_open_for_a_turn_at_most_a_day(pace: str, hours: int) -> None:
    step = step_of(timed(2, pace=pace).table, 1)
    assert isinstance(step, Question)
    assert step.patience == timedelta(hours=hours)


# ---------------------------------------------------------------------------- the answers
def test_with_two_players_the_other_one_decides() -> None:
    house = late(2)
    house.agree(BEN, choice=END)
    assert decisions(house) == [END]
    assert house.table.row.result == {"how": "ended"}


def test_more_than_half_decide_at_once() -> None:
    house = late(3)
    house.agree(BEN, choice=KEEP)
    assert decisions(house) == [None]
    house.agree(CLARA, choice=KEEP)
    assert decisions(house) == [KEEP]
    assert house.table.computer_at(0) == STAND_IN


def test_a_tie_means_to_wait() -> None:
    house = late(3)
    house.agree(BEN, choice=KEEP)
    house.agree(CLARA, choice=END)
    assert decisions(house) == [WAIT]
    assert house.kinds()[-2:] == ["settle", "extend"]


def test_the_silent_do_not_block() -> None:
    house = late(3)
    house.agree(BEN, choice=OFFER)
    house.wait(hours=23)
    assert decisions(house) == [None]
    house.wait(hours=1)
    assert decisions(house) == [OFFER]
    assert [offer.seat for offer in house.table.offers] == [0]
    assert list(house.table.clocks) == [0], "the decision grants more time"
    assert house.table.until(0) == house.clock.now + timedelta(days=1)


def test_a_move_withdraws_the_offer_of_a_late_seat_but_not_ones_own() -> None:
    house = late(2)
    house.agree(BEN, choice=OFFER)
    assert [offer.seat for offer in house.table.offers] == [0]
    house.do(PlayMoves(ANNA, ("K4",)))
    assert not house.table.offers
    house.do(HandOver(BEN))
    house.agree(ANNA)
    house.do(PlayMoves(BEN, ("D4",)))
    assert [offer.seat for offer in house.table.offers] == [1]


def test_everyone_silent_means_to_wait() -> None:
    house = late(3)
    house.wait(days=1)
    assert decisions(house) == [WAIT]
    assert house.table.until(0) == house.clock.now + timedelta(days=1)


def test_the_late_player_has_no_vote() -> None:
    house = late(2)
    assert house.code(Answer(house.vote.asked, ANNA, WAIT)) == "not_asked"
    assert decisions(house) == [None]


def test_a_move_overtakes_the_question() -> None:
    house = late(2)
    revision = house.table.revision
    house.moves("K4")
    assert house.kinds(revision) == ["move", "settle", "call"]
    assert decisions(house) == [LAPSED]
    house.do(TakeBack(ANNA))
    assert decisions(house) == [LAPSED]
    assert house.table.until(0) == house.clock.now + timedelta(hours=1)


def test_a_move_counts_though_the_question_was_over_already() -> None:
    house = late(3)
    house.agree(BEN, choice=KEEP)
    house.clock.move(timedelta(days=2))
    house.moves("K4")
    assert decisions(house) == [LAPSED]
    assert house.table.computer_at(0) is None
    assert house.lines("extend", "keep") == []


def test_a_planned_move_does_not_wait_for_the_question() -> None:
    """The late player cannot plan, being the one to move; the others' plans are played."""
    house = late(2)
    assert house.code(Plan(ANNA, "K4")) == "plan_now"
    house.do(Plan(BEN, "D4"))
    house.moves("K4")
    assert house.log == ["K4", "D4"]


def test_a_seat_that_changes_hands_overtakes_the_question() -> None:
    house = timed(3)
    house.do(HandOver(ANNA))
    house.agree(BEN)
    house.clock.now = house.table.clocks[0].ends_at
    house.wait(seconds=0)
    assert house.vote.kind == "late"
    house.do(TakeSeat(77, 0, "Zoe"))
    assert house.table.votes[-1].decision == LAPSED
    assert house.table.clocks[0].person_id == 77


# ------------------------------------------------------------------------------ the steps
def test_a_computer_player_moves_once() -> None:
    house = late(2)
    helped = house.agree(BEN, choice=MOVE)
    assert (helped.awaited_computers, helped.until(0)) == ((0,), None)
    after = house.do(PlayForComputer(0, "K4", helped.opened(0)))
    assert (after.awaited, after.awaited_computers) == ((1,), ())
    assert after.seat_of(ANNA) == 0
    (line,) = house.lines("move")
    assert (line.seat, line.text, line.person_id) == (0, "K4", None)
    assert house.calls()[-1] == (1,)


def test_a_computer_player_finishes_the_turn() -> None:
    house = timed(2, king=True, strict=True)
    house.play(BEN, "X:G6")
    table = house.wait(days=1)
    assert table.awaited_computers == (0,)
    table = house.do(PlayForComputer(0, "X:H9", table.opened(0)))
    assert table.awaited_computers == (0,), "the stone is still to be placed"
    table = house.do(PlayForComputer(0, "G8", table.opened(0)))
    assert [event.seat for event in table.played.log] == [1, 0, 0]
    assert (table.awaited, table.awaited_computers) == ((1,), ())


def test_a_player_who_takes_back_the_computer_players_step_decides_alone() -> None:
    house = timed(2, king=True, strict=True)
    house.play(BEN, "X:G6")
    house.wait(days=1)
    for move in ("X:H9", "G8"):
        house.do(PlayForComputer(0, move, house.table.opened(0)))
    house.do(TakeBack(ANNA))
    assert (house.table.awaited_persons, house.table.awaited_computers) == ((0,), ())


def test_no_one_moves_for_a_player_who_moves_in_time() -> None:
    house = late(2, strict=True)
    opened = house.table.opened(0)
    house.play(ANNA, "E8")
    assert house.code(PlayForComputer(0, "K4", opened)) == "not_a_computer"
    assert house.log == ["E8"]


def test_no_one_is_helped_with_the_next_turn() -> None:
    house = late(2, strict=True)
    house.moves("K4", "D4")
    assert house.table.awaited_persons == (0,)
    assert house.table.awaited_computers == ()


def test_a_kept_seat_is_the_persons_again_at_once() -> None:
    house = late(2)
    house.agree(BEN, choice=KEEP)
    assert (house.table.members[0].level, house.table.members[0].resigned) == (STAND_IN, False)
    assert house.table.clocks == {}
    assert house.code(PlayMoves(ANNA, ("K4",))) == "away"
    house.do(ComeBack(ANNA))
    assert list(house.table.clocks) == [0]
    assert house.table.until(0) == house.clock.now + timedelta(hours=1)
    assert house.code(ComeBack(ANNA)) == "never_left"


def test_coming_back_alone_forgets_no_misses() -> None:
    house = timed(2)
    for _ in range(3):
        house.clock.now = house.table.clocks[0].ends_at
        house.wait(seconds=0)
        if house.table.clocks:
            house.agree(BEN, choice=WAIT)
    assert house.table.computer_at(0) == STAND_IN
    house.do(ComeBack(ANNA))
    assert house.table.clocks[0].misses == 3
    house.wait(hours=1)
    assert house.table.computer_at(0) == STAND_IN
    assert json.loads(house.lines("miss")[-1].text) == {"misses": 4, "step": "keep"}


def test_a_move_after_coming_back_forgets_them() -> None:
    house = late(2)
    house.agree(BEN, choice=KEEP)
    house.do(ComeBack(ANNA))
    house.moves("K4", "D4")
    assert house.table.clocks[0].misses == 0


def test_more_time_is_that_of_a_turn_or_the_increment() -> None:
    house = late(2, pace="2d+5h")
    house.agree(BEN, choice=WAIT)
    assert house.table.clocks[0].ends_at == house.clock.now + timedelta(hours=5)
    assert pace_of(house.table).more == 5 * HOUR
