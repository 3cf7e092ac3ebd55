"""Decisions in tournaments: sign-up, rounds, withdrawals, organisers, the end."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from data.store.rows import PersonRow
from games.engine import rng_for, shuffled
from games.fairness import sealed, seed_of
from play.lines import HINDERED
from play.occasions.occasion import Hear, Hinder, LeaveOccasion
from play.occasions.tournament import Dropouts, Format, Phase, Seeding, table_result
from play.occasions.tournament_acts import (
    BeginNow,
    CallOff,
    Correct,
    DrawPlaces,
    Pause,
    Remove,
    SignUp,
    Tourney,
    Withdraw,
    drawing_of,
)
from play.pairings.meetings import met
from play.table import HINTS, PACE, SEATING, STRICT, Refused, RefusedByRules
from tests.play.occasions.tourneys import (
    HOST,
    NOW,
    act,
    announced,
    later,
    news,
    opened,
    played_out,
    results,
    signed,
    started,
)

KINDS: dict[str, dict[str, Any]] = {
    "knock-out": {"format": Format.KNOCKOUT},
    "round robin": {"format": Format.ROBIN},
    "swiss": {"format": Format.SWISS},
    "tables of three": {"format": Format.SWISS, "game": "twilight", "seats": 3, "rounds": 3},
    "tables of four": {"format": Format.SWISS, "game": "twilight", "seats": 4},
}


def refused(tourney: Tourney, command: object) -> str:
    with pytest.raises(Refused) as refusal:
        act(tourney, command)  # type: ignore[arg-type]
    return refusal.value.code


# ----------------------------------------------------------------------------- sign-up
def test_sign_up_fills_the_places_and_then_the_waiting_list() -> None:
    tourney = signed(5, most=4, closes_at=NOW + timedelta(days=1))
    assert [e.person_id for e in tourney.state.waiting] == [105]
    assert refused(tourney, SignUp(101, "Person 1")) == "signed_up_already"
    after = act(tourney, Withdraw(102))
    assert [e.person_id for e in after.state.entrants] == [101, 103, 104, 105]
    assert refused(after, Withdraw(102)) == "not_signed_up"


def test_sign_up_ends_at_its_time() -> None:
    enough = later(signed(3, closes_at=NOW + timedelta(hours=5)), hours=5)
    assert enough.state.phase is Phase.DRAWING
    assert refused(enough, SignUp(200, "Late")) == "tournament_closed"
    few = signed(2, closes_at=NOW + timedelta(hours=5))
    assert few.row.due_at == NOW + timedelta(hours=5)
    few = later(few, hours=5)
    assert (few.state.phase, few.over, few.row.due_at) == (Phase.OFF, True, None)


def test_a_full_tournament_without_a_time_begins() -> None:
    assert signed(3, most=4).state.phase is Phase.OPEN
    assert signed(4, most=4).state.phase is Phase.DRAWING


def test_an_organiser_begins_it_early_with_enough_people() -> None:
    """The person who announced the tournament and those who manage the server are its
    organisers.
    """
    tourney = signed(3)
    assert refused(tourney, BeginNow(101, False)) == "not_organiser"
    assert refused(signed(2), BeginNow(HOST, False)) == "tournament_few"
    for organiser in (BeginNow(HOST, False), BeginNow(777, True)):
        assert act(tourney, organiser).state.phase is Phase.DRAWING


@pytest.mark.parametrize(
    "plan",
    [
        {"seats": 1},
        {"seats": 3, "format": Format.KNOCKOUT},
        {"seats": 2, "game": "twilight"},
        {"least": 2},
        {"least": 9, "most": 8},
        {"most": 33},
        {"seats": 4, "least": 3},
    ],
)
def test_impossible_tournaments_are_refused_when_announced(plan: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        announced(**plan).state.plan.check()


# -------------------------------------------------------------------------------- lots
def test_the_places_follow_from_the_seal_and_the_message() -> None:
    tourney = signed(8, most=8, seeding=Seeding.LOT)
    assert tourney.state.seal == sealed("of the tests")
    state = act(tourney, DrawPlaces(drawing_of(tourney), 4711)).state
    seed = seed_of("of the tests", 4711, [""] * 8)
    order = shuffled(rng_for(seed, "seeds"), range(101, 109))
    assert [place.person_id for place in state.places] == order
    other = act(tourney, DrawPlaces(drawing_of(tourney), 4712)).state
    assert [place.person_id for place in other.places] != order
    rated = started(8).state
    assert [place.person_id for place in rated.places] == [*range(108, 100, -1)]
    assert refused(started(8), DrawPlaces(1, 1)) == "stale"


# ------------------------------------------------------------------------------ rounds
def test_tables_are_wanted_with_their_people_in_order_of_seats() -> None:
    tourney = started(5, format=Format.SWISS, pace="12h")
    seatings = tourney.kind.seatings(tourney)
    assert [seating.slot for seating in seatings] == ["1.1", "1.2"]
    players = tourney.state.rounds[0][0].players
    assert [*seatings[0].people] == [tourney.state.places[p].person_id for p in players]
    house = {PACE: "12h", STRICT: True, SEATING: "joined", HINTS: False}
    assert seatings[0].options == house
    assert "Person 5 – Person 3" in seatings[0].thread
    known = opened(tourney)
    assert not known.kind.seatings(known)
    assert known.state.tables["1.2"].code == "C1.2"
    assert known.kind.settled(known) == frozenset()


def test_results_are_taken_once_and_the_next_round_follows() -> None:
    tourney = opened(started(4))
    parked = act(tourney, Hear(news(tourney, "1.1", "parked")))
    assert parked is tourney
    won = act(tourney, Hear(news(tourney, "1.1", "finished", ranks=[2, 1])))
    assert won.state.rounds[0][0].ranks == (2, 1)
    assert act(won, Hear(news(won, "1.1", "finished", ranks=[1, 2]))) is won
    assert won.kind.settled(won) == {"1.1"}
    after = act(won, Hear(news(won, "1.2", "finished", ranks=[1, 2])))
    assert len(after.state.rounds) == 2


def test_a_match_without_a_result_is_a_draw_and_a_player_who_resigns_is_last() -> None:
    assert table_result(None, (), 2) == ((1, 1), False)
    assert table_result([1, 2], (), 2) == ((1, 2), True)
    assert table_result([1, 2, 3], {0}, 3) == ((3, 1, 2), True)
    assert table_result([1, 1, 3, 4], {3, 0}, 4) == ((3, 1, 2, 4), True)
    tourney = opened(started(4, game="twilight", seats=4, least=4))
    first = tourney.state.places[tourney.state.rounds[0][0].players[0]].person_id
    told = news(tourney, "1.1", "finished", ranks=[1, 2, 3, 4], resigned=[first])
    assert act(tourney, Hear(told)).state.rounds[0][0].ranks == (4, 1, 2, 3)


WHOLE = [
    pytest.param(kind, people, marks=[] if people in (3, 7, 12) else pytest.mark.long)
    for kind, plan in KINDS.items()
    for people in range(max(3, plan.get("seats", 2)), 33)
]
"""Tournaments of all kinds with every possible number of people."""


@pytest.mark.parametrize(("kind", "people"), WHOLE)
def test_a_whole_tournament_takes_its_rounds_and_has_one_winner(kind: str, people: int) -> None:
    rng = random.Random(people)
    tourney = started(people, **{"least": min(people, 4), **KINDS[kind]})
    rounds = tourney.state.rounds_in_all
    while not tourney.over:
        for meetings in tourney.state.rounds:
            playing = [place for meeting in meetings for place in meeting.players]
            assert len(playing) == len(set(playing))
        tourney = results(tourney, rng)
    state = tourney.state
    assert (state.phase, len(state.rounds)) == (Phase.OVER, rounds)
    ranks = state.ranks()
    assert len(ranks) == people
    assert [rank for rank, _ in ranks].count(1) == 1
    if kind == "round robin":
        assert set(met(state.rounds).values()) == {1}
    assert not tourney.kind.seatings(tourney)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.seeds(12, always=2)
def test_tournaments_in_which_people_leave_end_all_the_same(kind: str, seed: int) -> None:
    rng = random.Random(seed)
    dropouts = rng.choice([*Dropouts])
    people = rng.randint(4, 14)
    plan = {"least": 4, "most": 8, "dropouts": dropouts, **KINDS[kind]}
    closes = NOW + timedelta(hours=1)
    tourney = later(signed(people, closes_at=closes, **plan), hours=2)
    tourney = act(tourney, DrawPlaces(drawing_of(tourney), rng.randrange(10**6)))
    for _ in range(40):
        if tourney.over:
            break
        for person in rng.sample(range(101, 101 + people), people):
            if rng.random() < 0.15:
                tourney = act(tourney, LeaveOccasion(person))
        tourney = results(tourney, rng)
    assert tourney.state.phase is Phase.OVER
    assert len(tourney.state.rounds) <= tourney.state.rounds_in_all


# ----------------------------------------------------------------------------- leaving
def test_a_person_who_waits_takes_over_a_place_as_it_is() -> None:
    closes = NOW + timedelta(hours=1)
    tourney = later(signed(5, most=4, least=4, closes_at=closes), hours=1)
    tourney = opened(act(tourney, DrawPlaces(drawing_of(tourney), 1)))
    left = tourney.state.places[0].person_id
    after = act(tourney, Withdraw(left))
    assert (after.state.places[0].person_id, after.state.signed) == (105, ())
    line = json.loads(after.journal[-1].text)
    assert (line["who"], line["for"]) == (left, 105)
    won = act(after, Hear(news(tourney, "1.1", "finished", ranks=[1, 2])))
    assert won.state.rounds[0][0].over


def test_without_a_waiting_list_the_opponents_win_the_remaining_matches() -> None:
    """In a round robin, the remaining matches are already paired; in the Swiss system, nobody is
    paired with a person who has left.
    """
    robin = act(opened(started(4, format=Format.ROBIN)), Withdraw(104))
    robin = results(robin, random.Random(1), draws=0)
    place = next(n for n, p in enumerate(robin.state.places) if p.person_id == 104)
    meeting = next(m for m in robin.state.rounds[1] if place in m.players)
    assert (meeting.over, meeting.played) == (True, False)
    assert meeting.winner() != place
    swiss = results(act(opened(started(5)), Withdraw(105)), random.Random(1))
    gone = next(n for n, p in enumerate(swiss.state.places) if p.gone)
    assert all(gone not in m.players for m in swiss.state.rounds[1])
    assert refused(swiss, Withdraw(105)) == "not_signed_up"


def test_a_match_that_is_not_open_yet_is_not_waited_for() -> None:
    """If somebody leaves while the tournament is paused, their opponent wins; at a larger table,
    the others play on.
    """
    tourney = act(started(4), Pause(HOST, False, "Night"))
    first, second = tourney.state.rounds[0][0].players
    after = act(tourney, Withdraw(tourney.state.places[first].person_id))
    meeting = after.state.rounds[0][0]
    assert (meeting.winner(), meeting.played) == (second, False)
    assert not after.state.rounds[0][1].over
    larger = act(started(8, **KINDS["tables of four"], least=8), Pause(HOST, False, "Night"))
    players = larger.state.rounds[0][0].players
    after = act(larger, Withdraw(larger.state.places[players[0]].person_id))
    assert after.state.rounds[0][0].players == players[1:]
    assert not after.state.rounds[0][0].over


# -------------------------------------------------------------------------- organisers
def test_a_paused_tournament_opens_and_pairs_nothing() -> None:
    tourney = act(started(4), Pause(HOST, False, "Storm", paused=True))
    assert not tourney.kind.seatings(tourney)
    assert json.loads(tourney.journal[-1].text) == {"reason": "Storm"}
    going = act(tourney, Pause(HOST, False, "", paused=False))
    going = opened(going)
    paused = act(going, Pause(9, True, "Night"))
    assert act(paused, Pause(9, True, "Night")) is paused
    over = results(paused, random.Random(2))
    assert len(over.state.rounds) == 1
    after = act(over, Pause(HOST, False, "", paused=False))
    assert len(after.state.rounds) == 2
    assert refused(signed(3), Pause(HOST, False, "")) == "tournament_not_running"


def test_an_organiser_decides_any_table_except_their_own() -> None:
    tourney = opened(started(4))
    first = tourney.state.rounds[0][0].players[0]
    ruling = Correct(HOST, False, "Agreed", slot="1.1", ranks=(2, 1))
    after = act(tourney, ruling)
    assert after.state.rounds[0][0].ranks == (2, 1)
    assert act(after, Hear(news(after, "1.1", "finished", ranks=[1, 2]))) is after
    draw = act(after, Correct(HOST, False, "No", slot="1.1", ranks=(1, 1)))
    assert draw.state.rounds[0][0].ranks == (1, 1)
    player = tourney.state.places[first].person_id
    assert (
        refused(tourney, Correct(player, True, "", slot="1.1", ranks=(1, 2))) == "organiser_plays"
    )
    assert refused(tourney, Correct(103, False, "", slot="1.1")) == "not_organiser"
    assert refused(tourney, Correct(HOST, False, "", slot="9.1")) == "no_such_meeting"
    longer = Correct(HOST, False, "", slot="1.1", ranks=(1, 2, 3))
    assert refused(tourney, longer) == "no_such_meeting"


def test_the_first_three_ranks_of_a_tournament_win_trophies() -> None:
    """Both losers of the semi-finals are third."""
    going = started(4, format=Format.KNOCKOUT)
    assert going.kind.trophies(going) == ()
    over = played_out(going, random.Random(5))
    won = over.kind.trophies(over)
    ranks = [(rank, over.state.places[place].person_id) for rank, place in over.state.ranks()]
    assert [(row.place, row.person_id) for row in won] == ranks
    assert [rank for rank, _ in ranks] == [1, 2, 3, 3]
    assert {(row.kind, row.source, row.game, row.title) for row in won} == {
        ("tournament", over.row.code, "lancelot", "Spring cup")
    }
    late = Correct(HOST, False, "", slot="2.1", ranks=(2, 1))
    assert refused(over, late) == "tournament_over"
    off = act(going, CallOff(HOST, False, "Rain"))
    assert off.kind.trophies(off) == ()


def test_an_organiser_decides_the_whole_order_at_a_larger_table() -> None:
    """Whatever ranks the organiser enters, a person's rank is one more than the number of people
    ahead.
    """
    tourney = opened(started(4, seats=4, least=4))
    after = act(tourney, Correct(HOST, False, "Agreed", slot="1.1", ranks=(2, 4, 2, 1)))
    assert after.state.rounds[0][0].ranks == (2, 4, 2, 1)
    again = act(after, Correct(HOST, False, "Agreed", slot="1.1", ranks=(3, 4, 3, 2)))
    assert again.state.rounds[0][0].ranks == (2, 4, 2, 1)


def test_a_knockout_result_stands_once_the_next_round_is_paired() -> None:
    """In a Swiss tournament, a result can still be corrected then."""
    knockout = results(started(4, format=Format.KNOCKOUT), random.Random(3), draws=0)
    wrong = Correct(HOST, False, "Typo", slot="1.1", ranks=(1, 1))
    assert refused(knockout, wrong) == "too_late_to_correct"
    swiss = results(started(4), random.Random(3), draws=0)
    before = swiss.state.standings()
    assert act(swiss, wrong).state.standings() != before


def test_an_organiser_removes_somebody_and_calls_a_tournament_off() -> None:
    tourney = act(started(4), Remove(HOST, False, "Bad  manners", who=104))
    assert json.loads(tourney.journal[-1].text)["reason"] == "Bad manners"
    assert refused(tourney, Remove(HOST, False, "", who=104)) == "not_in_tournament"
    off = act(tourney, CallOff(HOST, False, "Rain"))
    assert (off.over, off.state.phase) == (True, Phase.OFF)
    assert not off.kind.seatings(off)
    for ruling in (CallOff(HOST, False, ""), Remove(HOST, False, "", who=103)):
        assert refused(off, ruling) == "tournament_over"
    assert refused(off, Withdraw(101)) == "tournament_over"


def test_a_person_who_has_blocked_somebody_does_not_meet_them() -> None:
    tourney = signed(8, closes_at=NOW + timedelta(hours=1))
    people = {108: PersonRow(108, blocked_ids=(104,))}
    tourney = later(replace(tourney, people=people), hours=1)
    state = act(tourney, DrawPlaces(drawing_of(tourney), 4711)).state
    number = {place.person_id: n for n, place in enumerate(state.places)}
    assert frozenset((number[108], number[104])) not in met(state.rounds)
    tourney = signed(8, most=8)
    state = act(tourney, DrawPlaces(drawing_of(tourney), 4711)).state
    assert frozenset((number[108], number[104])) in met(state.rounds)


def test_the_announcer_learns_at_most_once_a_week_that_the_bot_may_not_post() -> None:
    tourney = announced()
    for days, told in ((0, 1), (6, 1), (7, 2), (8, 2)):
        tourney = act(tourney, Hinder(), NOW + timedelta(days=days))
        lines = [line.person_id for line in tourney.journal if line.kind == HINDERED]
        assert lines == [HOST] * told
    over = act(tourney, CallOff(HOST, False, "Rain"), NOW + timedelta(days=9))
    assert act(over, Hinder(), NOW + timedelta(days=30)) is over


def test_a_tournament_ends_by_itself() -> None:
    tourney = played_out(started(8, format=Format.KNOCKOUT), random.Random(5))
    assert tourney.journal[-1].kind == "over"
    assert [rank for rank, _ in tourney.state.ranks()][:4] == [1, 2, 3, 3]


def test_smaller_tables_drop_the_options_that_need_more_players() -> None:
    plan = announced("isis", seats=4, least=4, options={"places": True, "retreat": True}).state.plan
    plan.check()
    assert plan.options_at(4) == {"places": True, "retreat": True}
    assert plan.options_at(2) == {"retreat": True}
    with pytest.raises(RefusedByRules, match="option_players"):
        replace(plan, seats=2).check()


def test_no_table_is_larger_than_announced() -> None:
    """The game would allow four players."""
    assert announced("isis", seats=3).state.plan.sizes == (2, 3)
