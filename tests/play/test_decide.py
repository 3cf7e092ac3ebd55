"""Deciding: a change contains all consequences of a command, and the journal records them."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from data.store.rows import Line
from games import GAMES
from play.aggregate import Tick
from play.decide import decide
from play.ending import EndTable, OfferDraw, Resign
from play.moves import PlayMoves
from play.plans import Hurry, Plan
from play.seats import ComeBack, HandOver, TakeSeat
from play.table import Table
from play.undo import TakeBack
from play.votes import Answer, open_votes
from tests.play.house import (
    ANNA,
    BEN,
    CHANNEL,
    CLARA,
    DAVID,
    STRANGER,
    gathered,
    started,
    timed,
)


def test_a_decision_has_no_effect_of_its_own() -> None:
    house = started(2)
    before, view = house.table, house.table.played.view(None)
    after = decide(before, PlayMoves(ANNA, ("K4",)), house.clock())
    assert house.table is before
    assert before.played.view(None) == view
    assert (before.played.ply, after.played.ply) == (0, 1)


def test_a_table_that_does_not_change_is_the_same_value() -> None:
    """If nothing changes, there is nothing to commit."""
    house = started(2)
    assert decide(house.table, Tick(), house.clock()) is house.table
    assert decide(house.table, Hurry(ANNA, wanted=False), house.clock()) is house.table


def test_no_two_tables_share_a_name() -> None:
    table = started(2).table
    another = replace(table, row=replace(table.row, id=table.row.id + 1))
    assert table.name != another.name


# --------------------------------------------------------------------------- interactions
def test_an_interaction_is_recorded_on_the_first_line_that_it_causes() -> None:
    house = started(2)
    house.do(Plan(BEN, "D4"))
    revision = house.table.revision
    house.do(PlayMoves(ANNA, ("K4",), interaction_id=5))
    new = house.table.journal[revision:]
    assert [line.interaction_id for line in new] == [5, *[None] * (len(new) - 1)]


def test_an_interaction_counts_once() -> None:
    house = started(2, king=True)
    house.do(PlayMoves(BEN, ("X:G6",), interaction_id=5))
    house.do(PlayMoves(ANNA, ("K4",), interaction_id=6))
    house.do(PlayMoves(BEN, ("D4",), interaction_id=7))
    assert house.code(PlayMoves(ANNA, ("K6",), interaction_id=6)) == "already_counted"
    assert house.code(EndTable(ANNA, interaction_id=7)) == "already_counted"
    house.do(PlayMoves(ANNA, ("K6",), interaction_id=8))


def test_an_interaction_is_not_recorded_on_lines_that_only_time_causes() -> None:
    house = timed()
    house.clock.move(timedelta(hours=20))
    house.do(Hurry(ANNA, wanted=False, interaction_id=9))
    assert house.table.journal[-1].kind == "remind"
    assert {line.interaction_id for line in house.table.journal} == {None}


def test_an_interaction_that_changes_nothing_can_be_retried() -> None:
    house = started(2)
    house.do(Hurry(ANNA, wanted=False, interaction_id=9))
    house.do(Hurry(ANNA, wanted=True, interaction_id=9))
    assert house.lines("hurry")[0].interaction_id == 9


# ---------------------------------------------------------------------------- consequences
def test_one_answer_may_bring_about_a_lot() -> None:
    house = timed(2)
    house.moves("K4", "D4", "K6")
    house.do(Plan(ANNA, "K8"))
    house.do(TakeBack(BEN))
    revision = house.table.revision
    house.agree(ANNA)
    assert house.kinds(revision) == ["answer", "settle", "undo", "void", "call"]
    assert list(house.table.clocks) == [1]


def test_a_vote_about_a_seat_lapses_once_somebody_has_taken_it() -> None:
    house = started(3)
    house.do(HandOver(ANNA, newcomer=DAVID))
    first = house.vote.asked
    house.agree(BEN)
    house.do(TakeSeat(DAVID, 0, "David"))
    assert house.table.votes[0].asked == first
    assert open_votes(house.table) == ()


def test_consequences_come_to_an_end() -> None:
    house = started(2, "isis")
    for person in (ANNA, BEN):
        house.do(Hurry(person, wanted=True))
    house.moves_at_random(60, random.Random(1))
    assert house.table.played.ply <= 200


# ------------------------------------------------------------------------------------ calls


def test_a_planned_step_of_a_turn_does_not_replace_the_call() -> None:
    """A planned step was played while its person was absent; they are still called to finish the
    turn.
    """
    house = started(2, king=True)
    house.play(BEN, "X:G6")
    house.do(Plan(BEN, "X:H9"))
    revision = house.table.revision
    house.play(ANNA, "K4")
    assert house.kinds(revision) == ["move", "move", "call"]
    assert (house.table.awaited, house.calls()[-1]) == ((1,), (1,))


def test_resigning_posts_no_new_board() -> None:
    house = started(2)
    house.do(Resign(ANNA, "novice"))
    assert house.calls() == [(0,)]


def test_a_return_calls_no_one() -> None:
    """The person who returns knows that it is their turn."""
    house = timed(2)
    house.wait(days=1)
    house.agree(BEN, choice="keep")
    calls = house.calls()
    house.do(ComeBack(ANNA))
    assert house.calls() == calls


@pytest.mark.seeds(4, always=2)
@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_every_move_calls_the_others_whose_decision_it_opens(game_id: str, seed: int) -> None:
    rng = random.Random(f"{game_id}/{seed}")
    game = GAMES[game_id]
    players = rng.choice([n for n in game.info.players if n > 1])
    computers = rng.choice((0, 1)) if players > 2 else 0
    house = started(players - computers, game_id, computers, secret=str(seed), careful=False)
    for _ in range(80):
        if not house.table.awaited:
            break
        before = house.table
        house.move_of(*house.random_move(rng))
        check_calls(before, house.table)


def check_calls(before: Table, after: Table) -> None:
    """Compare the call lines of a change with the people to move before and after it."""
    new = after.journal[before.revision :]
    calls = [call for call in after.calls() if call.line > before.revision]
    mover = next(line.seat for line in new if line.kind == "move")
    told = after.told_since(before.revision)
    closing = [t.line for t in told if any(f.kind in after.game.info.accounts for f in t.facts)]
    accounts = [int(line.text) for line in new if line.kind == "account"]
    assert accounts == closing[-1:]
    if not after.running:
        assert calls == []
        return
    fresh = [
        seat
        for seat in after.awaited_persons
        if seat not in before.awaited or after.decision(seat) != before.decision(seat)
    ]
    expected = [seat for seat in fresh if seat != mover]
    assert [list(call.seats) for call in calls] == ([expected] if expected else [])
    by_dm = after.game.info.hidden
    assert all(not (call.table if by_dm else call.dm) for call in calls)


# -------------------------------------------------------------------------- entire histories
def test_the_journal_tells_a_whole_evening() -> None:
    house = gathered(4)
    assert house.kinds() == ["open", "join", "join", "join"]
    assert house.lines("open")[0] == Line(1, "open", None, ANNA, "", house.clock.now)
    house = started(3)
    house.moves("K4", "D4")
    house.do(TakeBack(BEN))
    house.do(EndTable(CLARA))
    house.do(Answer(house.vote.asked, ANNA, "no"))
    house.do(Answer(house.vote.asked, BEN, "yes"))
    assert house.kinds() == [
        *("open", "join", "join", "lots", "start", "call", "move", "call", "move", "call"),
        *("undo", "ask", "answer", "answer", "settle", "end"),
    ]
    assert house.code(OfferDraw(ANNA)) == "table_over"
    assert house.table.row.channel_id == CHANNEL
    assert STRANGER not in house.table.persons


def test_the_journal_is_in_order_though_the_clock_was_set_back() -> None:
    house = timed(pace="12h")
    house.play(ANNA, "K4")
    house.clock.move(timedelta(minutes=-70))
    house.play(BEN, "D4")
    times = [line.at for line in house.table.journal]
    assert times == sorted(times)
    assert house.table.until(0) == house.clock() + timedelta(hours=12)
