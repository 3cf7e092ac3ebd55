"""Planned moves: when they are played or dropped, and which moves they answer."""

from __future__ import annotations

import json
import random

import pytest

from games import GAMES
from games.engine import CHANCE, Fact
from games.isis.board import PERSONAL
from play.ending import Resign
from play.plans import (
    LEGAL_KEPT,
    PLANS_AT_MOST,
    DropPlans,
    Hurry,
    Plan,
    plans_of,
    was_played,
    why_dropped,
)
from play.undo import TakeBack
from tests.play.house import ANNA, BEN, CLARA, STRANGER, House, started, timed


def planned(house: House, person: int) -> list[str]:
    """The moves a person has planned, as typed."""
    return [plan.move for plan in plans_of(house.table, person)]


def dropped(house: House) -> dict[str, object]:
    """The last drop line, decoded."""
    said: dict[str, object] = json.loads(house.lines("drop")[-1].text)
    return said


# -------------------------------------------------------------------------------- playing
def test_planned_moves_are_played_one_a_turn() -> None:
    house = started(2)
    house.do(Plan(BEN, " d4 "))
    house.do(Plan(BEN, "D6"))
    assert planned(house, BEN) == ["d4", "D6"]
    house.play(ANNA, "K4")
    assert (house.log, planned(house, BEN)) == (["K4", "D4"], ["D6"])
    house.play(ANNA, "K6")
    assert (house.log, planned(house, BEN)) == (["K4", "D4", "K6", "D6"], [])
    line = house.lines("move")[-1]
    assert (line.person_id, line.interaction_id) == (BEN, None)


def test_a_planned_move_belongs_to_the_change_that_opened_its_turn() -> None:
    house = timed(2)
    house.do(Plan(BEN, "D4"))
    revision, calls = house.table.revision, house.calls()
    house.play(ANNA, "K4")
    assert house.kinds(revision) == ["move", "move", "call"]
    assert house.calls() == [*calls, (0,)]
    assert list(house.table.clocks) == [0]
    assert [turn.seat for turn in house.table.turns] == [0, 0]


def test_plans_of_many_are_played_in_one_change() -> None:
    house = started(3)
    house.do(Plan(BEN, "D4"))
    house.do(Plan(CLARA, "F6"))
    revision = house.table.revision
    house.play(ANNA, "K4")
    assert house.kinds(revision) == ["move", "move", "move", "call"]
    assert house.calls()[-1] == (0,)


def test_an_illegal_plan_is_dropped_with_what_was_to_follow() -> None:
    house = started(2)
    house.do(Plan(BEN, "K4"))
    house.do(Plan(BEN, "D6"))
    house.play(ANNA, "K4")
    assert (house.table.awaited, house.log, house.table.plans) == ((1,), ["K4"], ())
    said = dropped(house)
    assert (said["move"], said["answer_to"]) == ("K4", None)
    refusal = why_dropped(house.table, said["why"])  # type: ignore[arg-type]
    assert (refusal.code, refusal.game, refusal.names) == ("occupied", "lancelot", ("Anna", "Ben"))
    assert len(refusal.legal) <= LEGAL_KEPT
    assert house.lines("drop")[0].person_id == BEN
    assert house.calls()[-1] == (1,), "it is still the person's turn"


def test_a_computer_player_does_not_play_the_plans_of_a_person() -> None:
    house = started(3)
    house.do(Plan(BEN, "D4"))
    house.do(Resign(BEN, "novice"))
    house.play(ANNA, "K4")
    assert house.table.awaited_computers == (1,)
    assert house.log == ["K4"]


def test_an_undo_drops_plans() -> None:
    """The plans were made for a different course of play."""
    house = started(3)
    house.moves("K4", "D4")
    house.do(Plan(ANNA, "K6"))
    house.do(TakeBack(BEN))
    assert house.table.plans == ()
    assert [line.person_id for line in house.lines("void")] == [ANNA]


def test_a_person_drops_all_their_plans() -> None:
    house = started(2)
    house.do(Plan(BEN, "D4"))
    house.do(DropPlans(BEN))
    before = house.table
    assert house.do(DropPlans(BEN)) is before
    house.play(ANNA, "K4")
    assert house.log == ["K4"]


# ------------------------------------------------------------------------------- planning
@pytest.mark.parametrize(
    ("person", "move", "answer_to", "refused_as"),
    [
        (ANNA, "K4", "", "plan_now"),
        (STRANGER, "K4", "", "not_a_member"),
        (BEN, "  ", "", "no_plan"),
        (BEN, "K4" * 21, "", "no_plan"),
        (BEN, "K4\nK5", "", "no_plan"),
        (BEN, "K4", "x" * 41, "no_plan"),
        (BEN, "Z99", "", "unknown_square"),
        (BEN, "O4", "", "unknown_square"),
        (BEN, "pass", "", "must_place"),
        (BEN, "K4", "hello world", "unknown_square"),
    ],
)
def test_impossible_plans_are_refused(
    person: int, move: str, answer_to: str, refused_as: str
) -> None:
    assert started(2).code(Plan(person, move, answer_to)) == refused_as


def test_plans_have_a_limit() -> None:
    house = started(2)
    for _ in range(PLANS_AT_MOST):
        house.do(Plan(BEN, "D4"))
    assert house.code(Plan(BEN, "D4")) == "plans_full"


def test_an_only_move_is_played_for_those_who_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    house = started(2)
    lancelot = GAMES["lancelot"]
    everything = lancelot.legal
    only = {"moves": 1}
    monkeypatch.setattr(
        lancelot, "legal", lambda state, seat: everything(state, seat)[: only["moves"]]
    )
    house.wait(seconds=1)
    assert house.log == []
    only["moves"] = 2
    house.do(Hurry(ANNA, wanted=True))
    assert house.log == []
    only["moves"] = 1
    house.wait(seconds=1)
    assert (len(house.log), house.table.awaited) == (1, (1,))
    house.do(Hurry(ANNA, wanted=False))
    assert house.table.hurried == frozenset()
    before = house.table
    assert house.do(Hurry(ANNA, wanted=False)) is before


# ------------------------------------------------------------------------------- answering
def test_an_answer_waits_for_its_question() -> None:
    house = started(3)
    house.do(Plan(CLARA, "F6", "k4"))
    house.moves("K4", "D4")
    assert house.log[-1] == "F6"
    house.do(Plan(CLARA, "F8", "K6"))
    house.moves("K8", "D6")
    assert dropped(house) == {"move": "F8", "answer_to": "K6", "why": None}
    assert house.table.awaited == (2,)


@pytest.mark.parametrize("spelling", ["K4", "k4", " k 4 ", "K 4"])
def test_an_answer_is_recognised_however_it_is_spelled(spelling: str) -> None:
    house = started(2)
    house.do(Plan(BEN, "D4", spelling))
    house.play(ANNA, "K4")
    assert house.log == ["K4", "D4"]


def test_a_players_own_move_is_not_a_question() -> None:
    """A plan answers only moves that other seats have made since the player's own last move."""
    house = started(2)
    house.moves("K4", "D4", "K6")
    assert not was_played(house.table, 0, "D4")
    assert not was_played(house.table, 0, "K6")
    assert was_played(house.table, 1, "K6")
    assert not was_played(house.table, 1, "K4"), "the move came before the plan"


def test_a_sealed_choice_is_recognised_once_it_is_open() -> None:
    """In Don Quixote, each of the other players' choices counts, not only the last one."""
    for last in range(3):
        house = started(3, "donquixote")
        order = [seat for seat in range(3) if seat != last] + [last]
        chosen = {}
        for seat in order:
            legal = house.table.game.legal(house.table.played.state, seat)
            chosen[seat] = legal[seat]
            if seat == order[1]:
                assert not was_played(house.table, seat, chosen[order[0]]), "still sealed"
            house.move_of(seat, legal[seat])
        for seat in range(3):
            others = {chosen[other] for other in range(3) if other != seat}
            for move in others:
                assert was_played(house.table, seat, move.lower()), (last, seat, move)


def test_a_deal_is_not_a_move_that_a_plan_can_answer() -> None:
    house = started(4, "twilight")
    draws = [event.move for event in house.table.played.log if event.seat == CHANCE]
    assert draws
    assert not any(was_played(house.table, 0, draw) for draw in draws)


def test_in_isis_a_stone_may_go_unsaid() -> None:
    """In a plan, ``46 44`` can mean the move of a player's own stone, even though the stone is no
    longer on 46.
    """
    rng = random.Random(7)
    seen = 0
    for n in range(40):
        house = started(2, "isis", secret=str(n), careful=False)
        while house.table.awaited and house.table.played.ply < 80:
            seat, move = house.random_move(rng)
            game, state = house.table.game, house.table.played.state
            sloppy = move.removeprefix(PERSONAL).replace("-", " ")
            means_it = game.canonical(state, seat, sloppy) == move
            house.move_of(seat, move)
            if means_it and move.startswith(PERSONAL) and house.table.running:
                assert was_played(house.table, 1 - seat, sloppy), (move, sloppy)
                seen += 1
        if seen > 3:
            break
    assert seen > 3, "stones of the movers have moved"


@pytest.mark.full
@pytest.mark.parametrize("players", [3, 4])
def test_every_forced_card_is_recognised(players: int) -> None:
    """A forced card is not a separate event, but a plan can answer it, even if it directly follows
    the planner's own card.
    """
    rng = random.Random(players)
    forced = 0
    for n in range(6):
        house = started(players, "twilight", secret=f"seed {n}", careful=False)
        while house.table.awaited and forced < 60:
            revision = house.table.revision
            house.move_of(*house.random_move(rng))
            if not house.table.running:
                break
            for told in house.table.told_since(revision):
                for fact in told.facts:
                    forced += is_recognised(house, fact, told.seat)
    assert forced > 20, "some cards were forced"


def is_recognised(house: House, fact: Fact, mover: int) -> bool:
    """Return whether a fact describes a forced card; if so, check that plans of the other seats
    that have moved can answer it.
    """
    shown = house.table.game.shown(fact)
    if shown is None or not fact.data.get("forced"):
        return False
    who, move = shown
    for seat in range(len(house.table.members)):
        if seat != who and (seat == mover or house.table.last_of(seat)):
            assert was_played(house.table, seat, move.lower()), (seat, who, move)
    return True
