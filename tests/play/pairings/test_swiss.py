"""Swiss rounds, and rounds at larger tables, checked against published examples and properties."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play.pairings.groups import grouped_round, sizes_of
from play.pairings.meetings import Meeting, Round, firsts, had_bye, met, scored
from play.pairings.swiss import matching, swiss_round
from tests.examples import examples


def decided(meetings: Round, rng: random.Random, draws: float = 0.2) -> Round:
    """A round with random results, including draws; a bye keeps its result."""
    done = []
    for meeting in meetings:
        ranks = rng.sample(range(1, len(meeting.players) + 1), len(meeting.players))
        if rng.random() < draws:
            ranks = [max(1, rank - 1) for rank in ranks]
        done.append(meeting if meeting.over else Meeting(meeting.players, tuple(ranks)))
    return tuple(done)


def players_of(meetings: Round) -> list[int]:
    return sorted(place for meeting in meetings for place in meeting.players)


def can_be_new(places: Sequence[int], past: Sequence[Round]) -> bool:
    """Return whether some round avoids repeated meetings and second byes, by trying all possible
    rounds.
    """
    before = met(past)
    free = {place for place in places if not had_bye(place, past)}

    def pairable(left: tuple[int, ...]) -> bool:
        if not left:
            return True
        one, *others = left
        if len(left) % 2 and one in free and pairable(tuple(others)):
            return True
        return any(
            frozenset((one, other)) not in before
            and pairable(tuple(o for o in others if o != other))
            for other in others
        )

    return pairable(tuple(places))


@pytest.mark.parametrize("places", [8, 14, 31, 32])
def test_in_the_first_round_the_upper_half_meets_the_lower(places: int) -> None:
    """As in FIDE's handbook: seats alternate, and the last of an odd number has the bye."""
    meetings = swiss_round(range(places), [])
    half = places // 2
    pairs = [(top, top + half) for top in range(half)]
    assert [meeting.players for meeting in meetings if not meeting.bye] == [
        pair if at % 2 == 0 else pair[::-1] for at, pair in enumerate(pairs)
    ]
    assert [m.players for m in meetings if m.bye] == [(places - 1,)] * (places % 2)


def test_a_matching_weighs_what_comes_first_most() -> None:
    costs = {(0, 1): (1, 0), (2, 3): (0, 0), (0, 2): (0, 99), (1, 3): (0, 99)}
    costs |= {(0, 3): (0, 100), (1, 2): (0, 100)}
    assert sorted(matching(costs)) == [(0, 2), (1, 3)]


@pytest.mark.full
@given(places=st.integers(3, 12), rounds=st.integers(1, 8), seed=st.integers(0, 10**6))
@examples(40)
def test_nobody_meets_twice_and_has_two_byes_while_that_can_be_avoided(
    places: int, rounds: int, seed: int
) -> None:
    rng = random.Random(seed)
    past: list[Round] = []
    playing = list(range(places))
    for _ in range(rounds):
        if len(playing) > 3 and rng.random() < 0.1:
            playing.remove(rng.choice(playing))
        meetings = swiss_round(playing, past)
        assert players_of(meetings) == playing
        assert sum(meeting.bye for meeting in meetings) == len(playing) % 2
        again = sum(met(past).get(pair, 0) for m in meetings for pair in m.pairs)
        second = sum(had_bye(m.players[0], past) for m in meetings if m.bye)
        if again or second:
            assert not can_be_new(playing, past)
        past.append(decided(meetings, rng))


@pytest.mark.parametrize("places", [16, 25, pytest.param(32, marks=pytest.mark.long)])
def test_a_swiss_tournament_of_the_usual_length_repeats_no_meeting_and_no_bye(places: int) -> None:
    rng = random.Random(places)
    past: list[Round] = []
    for number in range((places - 1).bit_length()):
        meetings = swiss_round(range(places), past)
        if number:
            gaps = [
                abs(scored(a, past, 2) - scored(b, past, 2))
                for a, b in (m.players for m in meetings if not m.bye)
            ]
            assert max(gaps) <= 2
        past.append(decided(meetings, rng, draws=0))
    assert set(met(past).values()) == {1}
    assert all(sum(m.bye for m in ms) == places % 2 for ms in past)
    byes = [m.players[0] for meetings in past for m in meetings if m.bye]
    assert len(byes) == len(set(byes))
    assert all(abs(firsts(place, past)[0]) <= 2 for place in range(places))


def test_people_who_must_not_meet_do_not() -> None:
    """If only two such people are left, they meet anyway."""
    apart = {frozenset((0, 4)), frozenset((1, 5))}
    meetings = swiss_round(range(8), [], apart)
    assert not apart & {pair for meeting in meetings for pair in meeting.pairs}
    assert [m.players for m in swiss_round([0, 4], [], apart)] == [(0, 4)]


def test_the_bye_goes_to_the_fewest_points_of_those_who_had_none() -> None:
    past: list[Round] = [
        (Meeting((0, 2), (1, 2)), Meeting((3, 1), (1, 2)), Meeting((4,), (1,), played=False))
    ]
    meetings = swiss_round(range(5), past)
    assert [m.players for m in meetings if m.bye] == [(1,)]


# ------------------------------------------------------------------ larger tables
def allowed_sizes() -> st.SearchStrategy[frozenset[int]]:
    return st.sampled_from([frozenset({3, 4}), frozenset({2, 3, 4, 5}), frozenset({3})])


@given(allowed=allowed_sizes(), places=st.integers(3, 32))
def test_tables_have_sizes_that_the_game_allows(allowed: Collection[int], places: int) -> None:
    sizes = sizes_of(places, allowed)
    assert set(sizes) <= set(allowed)
    assert places - sum(sizes) == (
        places % 3 if allowed == {3} else int(places == 5 and 2 not in allowed)
    )


@pytest.mark.parametrize(
    ("places", "rounds"), [(9, 3), (16, 4), (22, 4), pytest.param(32, 6, marks=pytest.mark.long)]
)
def test_at_larger_tables_few_meet_again(places: int, rounds: int) -> None:
    rng = random.Random(places)
    past: list[Round] = []
    for number in range(rounds):
        meetings = grouped_round(range(places), past, {3, 4})
        assert players_of(meetings) == list(range(places))
        if not number:
            heads = [
                place for place in range(len(meetings)) for m in meetings if place in m.players
            ]
            tables = [next(m for m in meetings if place in m.players) for place in heads]
            assert len(set(tables)) == len(tables)
        past.append(decided(meetings, rng))
    again = [times for times in met(past).values() if times > 1]
    assert len(again) <= places // 4
    assert max(again, default=1) <= 2


def test_at_larger_tables_the_bye_goes_round() -> None:
    rng = random.Random(3)
    past: list[Round] = []
    for _ in range(3):
        past.append(decided(grouped_round(range(10), past, {3}), rng))
    byes = [m.players[0] for meetings in past for m in meetings if m.bye]
    assert len(byes) == len(set(byes)) == 3
    assert byes[0] == 9


def test_at_larger_tables_people_who_must_not_meet_do_not() -> None:
    apart = {frozenset((0, 4)), frozenset((1, 2))}
    meetings = grouped_round(range(12), [], {3, 4}, apart)
    assert not apart & {pair for meeting in meetings for pair in meeting.pairs}
