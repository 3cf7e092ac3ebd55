"""Knock-out and round robin: formats whose rounds are known before the first result."""

from __future__ import annotations

import random

import pytest

from play.pairings.knockout import bracket, first_round, knockout_rounds, next_round, places_after
from play.pairings.meetings import Meeting, Round, firsts, met
from play.pairings.robin import berger, robin_rounds

BERGER = {
    4: "1-4 2-3, 4-3 1-2, 2-4 3-1",
    6: "1-6 2-5 3-4, 6-4 5-3 1-2, 2-6 3-1 4-5, 6-5 1-4 2-3, 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5, 8-5 6-4 7-3 1-2, 2-8 3-1 4-7 5-6, 8-6 7-5 1-4 2-3, 3-8 4-2 5-1 6-7,"
    " 8-7 1-6 2-5 3-4, 4-8 5-3 6-2 7-1",
    10: "1-10 2-9 3-8 4-7 5-6, 10-6 7-5 8-4 9-3 1-2, 2-10 3-1 4-9 5-8 6-7,"
    " 10-7 8-6 9-5 1-4 2-3, 3-10 4-2 5-1 6-9 7-8, 10-8 9-7 1-6 2-5 3-4,"
    " 4-10 5-3 6-2 7-1 8-9, 10-9 1-8 2-7 3-6 4-5, 5-10 6-4 7-3 8-2 9-1",
}
"""The Berger tables of the chess federation FIDE (Handbook, C.05, Annex 1)."""


@pytest.mark.parametrize("places", BERGER)
def test_round_robins_are_those_of_the_published_tables(places: int) -> None:
    for number, line in enumerate(BERGER[places].split(", ")):
        pairs = {tuple(int(n) - 1 for n in pair.split("-")) for pair in line.split()}
        assert {meeting.players for meeting in berger(places, number)} == pairs


@pytest.mark.parametrize("places", range(2, 33))
def test_in_a_round_robin_all_meet_once(places: int) -> None:
    past = [berger(places, number) for number in range(robin_rounds(places))]
    assert set(met(past).values()) == {1}
    assert len(met(past)) == places * (places - 1) // 2
    for meetings in past:
        playing = [place for meeting in meetings for place in meeting.players]
        assert len(playing) == len(set(playing)) == places - places % 2
    assert all(abs(firsts(place, past)[0]) <= 1 for place in range(places))


def played(meetings: Round, rng: random.Random) -> Round:
    """The round, with random results for the meetings that have none yet."""
    return tuple(
        m if m.over else Meeting(m.players, tuple(rng.sample((1, 2), 2))) for m in meetings
    )


def test_the_bracket_keeps_the_best_apart() -> None:
    """The order of the first round is that of the usual printed brackets."""
    assert [place + 1 for place in bracket(8)] == [1, 8, 4, 5, 2, 7, 3, 6]
    assert [place + 1 for place in bracket(4)] == [1, 4, 2, 3]


@pytest.mark.parametrize("places", range(2, 33))
def test_a_knockout_ends_with_one_winner(places: int) -> None:
    rng = random.Random(places)
    past = [played(first_round(places), rng)]
    byes = {meeting.players[0] for meeting in past[0] if meeting.bye}
    assert byes == set(range(2 ** knockout_rounds(places) - places))
    while len(past[-1]) > 1:
        past.append(played(next_round(past, lambda place: False), rng))
        assert not any(meeting.bye for meeting in past[-1])
    assert len(past) == knockout_rounds(places)
    ranks = places_after(past)
    assert set(ranks) == set(range(places))
    assert sorted(ranks.values())[:4] == [1, 2, 3, 3][:places]
    losses = [m.players for meetings in past for m in meetings if not m.bye]
    assert len(losses) == places - 1


def test_a_player_who_has_left_loses_without_a_match() -> None:
    """The opponent advances. If both have left, the better seed advances, so that the bracket
    continues.
    """
    past: list[Round] = [
        tuple(
            Meeting(m.players, tuple(1 if p == min(m.players) else 2 for p in m.players))
            for m in first_round(8)
        )
    ]
    meetings = next_round(past, lambda place: place in {0, 1, 2})
    assert [(m.winner(), m.over, m.played) for m in meetings] == [
        (3, True, False),
        (1, True, False),
    ]


def test_the_last_four_in_the_running_share_the_first_rank() -> None:
    rng = random.Random(1)
    past = [played(first_round(8), rng)]
    assert sorted(places_after(past).values()) == [1, 1, 1, 1, 5, 5, 5, 5]
    past.append(next_round(past, lambda place: False))
    assert sorted(places_after(past).values()) == [1, 1, 1, 1, 5, 5, 5, 5]
