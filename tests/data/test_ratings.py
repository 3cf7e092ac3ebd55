"""Ratings depend only on finished matches."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.store.ratings import (
    ALL_TIME,
    EVERYWHERE,
    NEWCOMER,
    POINTS,
    FinishedMatch,
    RatingRow,
    courses,
    from_scratch,
)
from tests.play.house import ANNA, BEN, CLARA

NAMES = {ANNA: "Anna", BEN: "Ben", CLARA: "Clara"}


def match(*places: tuple[int, int], by_people: bool = True) -> FinishedMatch:
    """A finished match outside any server: (person, rank) by seat."""
    return FinishedMatch(
        table_id=1,
        guild_id=None,
        game="lancelot",
        people=tuple(person for person, _ in places),
        names=tuple(NAMES.get(person, "?") for person, _ in places),
        ranks=tuple(rank for _, rank in places),
        by_people=by_people,
    )


def rated(*matches: FinishedMatch) -> dict[int, RatingRow]:
    """Ratings by person after matches outside any server, best first."""
    rows = sorted(from_scratch(matches).values(), key=lambda row: (-row.rating, row.person_id))
    return {row.person_id: row for row in rows}


def test_the_winner_stands_above_the_loser() -> None:
    first, second = rated(match((ANNA, 2), (BEN, 1))).values()
    assert (first.person_id, first.won, first.matches) == (BEN, 1, 1)
    assert (second.person_id, second.won, second.matches) == (ANNA, 0, 1)
    assert first.rating > NEWCOMER > second.rating


def test_places_of_many_seats_are_rated() -> None:
    assert list(rated(match((ANNA, 3), (BEN, 1), (CLARA, 2)))) == [BEN, CLARA, ANNA]


def test_both_win_a_draw_and_have_equal_ratings() -> None:
    first, second = rated(match((ANNA, 1), (BEN, 1))).values()
    assert (first.won, second.won) == (1, 1)
    assert first.rating == second.rating


def test_certainty_raises_a_rating() -> None:
    won = match((ANNA, 1), (BEN, 2))
    assert rated(*[won] * 5)[ANNA].rating > rated(won)[ANNA].rating


@pytest.mark.parametrize(
    "uncounted",
    [
        match((ANNA, 1), (BEN, 2), by_people=False),
        match((ANNA, 1)),
        replace(match((ANNA, 1), (BEN, 2)), ranks=()),
        replace(match((ANNA, 1), (BEN, 2)), people=(ANNA, None)),
        replace(match((ANNA, 1), (BEN, 2)), brief=True),
    ],
)
def test_matches_that_do_not_count_are_counted_separately(uncounted: FinishedMatch) -> None:
    assert rated(uncounted)[ANNA] == RatingRow(
        ANNA, EVERYWHERE, "lancelot", name="Anna", uncounted=1, rating=NEWCOMER
    )


def test_replacing_a_person_keeps_other_ratings() -> None:
    rest = match((BEN, 1), (CLARA, 2))
    before = rated(match((ANNA, 1), (BEN, 2)), rest)
    after = rated(match((-5, 1), (BEN, 2)), rest)
    assert (after[BEN], after[CLARA]) == (before[BEN], before[CLARA])


def test_the_latest_name_is_used() -> None:
    earlier = match((ANNA, 1), (BEN, 2))
    later = replace(earlier, names=("Dame Anna", "Ben"))
    assert rated(earlier, later)[ANNA].name == "Dame Anna"


def test_every_server_has_ratings_of_its_own() -> None:
    """There are also ratings across all servers; matches outside any server count only in these."""
    here, there, nowhere = (
        replace(match((ANNA, 1), (BEN, 2)), guild_id=guild_id) for guild_id in (7, 8, None)
    )
    found = from_scratch([here, there, nowhere])
    matches = {guild: row.matches for (person, guild, *_), row in found.items() if person == ANNA}
    assert matches == {7: 1, 8: 1, EVERYWHERE: 3}
    here_, there_, everywhere = (
        found[ANNA, guild, "lancelot", ALL_TIME].mu for guild in (7, 8, EVERYWHERE)
    )
    assert here_ == there_ < everywhere


def test_a_season_begins_halfway_to_a_newcomer() -> None:
    """The season starts from all earlier matches on the server, with much less certainty; the
    all-time rating is the same as without seasons.
    """
    won = replace(match((ANNA, 1), (BEN, 2)), guild_id=7)
    before, newcomer = from_scratch([won] * 9), RatingRow(ANNA, 7, "lancelot")
    found = from_scratch([*[won] * 9, replace(won, season=1, people=(ANNA, CLARA))])
    ever, season = (found[ANNA, 7, "lancelot", number] for number in (ALL_TIME, 1))
    assert (season.matches, season.won, ever.matches) == (1, 1, 10)
    course = courses([*[won] * 9, replace(won, season=1)], 1)["lancelot"]
    begun = before[ANNA, 7, "lancelot", ALL_TIME]
    mu = (begun.mu + newcomer.mu) / 2
    sigma = sqrt(begun.sigma**2 / 4 + newcomer.sigma**2 * 3 / 4)
    assert course[ANNA][0] == NEWCOMER + round(POINTS * (mu - 3 * sigma))
    assert begun.sigma < season.sigma < newcomer.sigma
    assert newcomer.mu < season.mu < ever.mu
    alone = from_scratch([*[won] * 9, replace(won, people=(ANNA, CLARA))])
    assert alone[ANNA, 7, "lancelot", ALL_TIME] == ever


def test_every_season_begins_from_all_time_again() -> None:
    """A second season starts from the matches of the first; people new to the server start as
    newcomers, and matches that do not count leave the start of a season unchanged.
    """
    played = [replace(match((ANNA, 1), (BEN, 2)), guild_id=7, season=n) for n in (1, 1, 2)]
    first, second = (courses(played, season)["lancelot"] for season in (1, 2))
    assert first[ANNA][0] == first[BEN][0] == NEWCOMER
    assert second[ANNA][0] > NEWCOMER > second[BEN][0]
    assert [len(course) for course in (first[ANNA], second[ANNA])] == [3, 2]
    uncounted = replace(played[2], by_people=False)
    assert courses([*played[:2], uncounted, played[2]], 2)["lancelot"] == second


def test_a_course_ends_at_the_rating() -> None:
    played = [
        replace(match((ANNA, 1 + n % 2), (BEN, 2 - n % 2)), guild_id=7, season=n // 3)
        for n in range(9)
    ]
    rows = from_scratch(played)
    for season in range(3):
        course = courses(played, season)["lancelot"]
        for person in (ANNA, BEN):
            assert course[person][-1] == rows[person, 7, "lancelot", season].rating


def test_victories_in_a_row_are_counted() -> None:
    """Matches that do not count do not break a streak."""
    wins = {"w": 1, "l": 2, "u": 1}
    for outcomes, streak, longest in (("", 0, 0), ("wwlw", 1, 2), ("wwuw", 3, 3), ("wl", 0, 1)):
        played = [
            match((ANNA, wins[each]), (BEN, 3 - wins[each]), by_people=each != "u")
            for each in outcomes
        ]
        row = rated(*played).get(ANNA) or RatingRow(ANNA, 7, "lancelot")
        assert (row.streak, row.longest) == (streak, longest)


@pytest.mark.full
@given(st.lists(st.permutations([ANNA, BEN, CLARA]), max_size=12))
def test_the_order_of_seats_does_not_matter(orders: list[list[int]]) -> None:
    seated = [list(zip(order, (1, 2, 3), strict=True)) for order in orders]
    one = rated(*(match(*places) for places in seated))
    other = rated(*(match(*reversed(places)) for places in seated))
    assert one.keys() == other.keys()
    assert all(abs(one[person].rating - other[person].rating) <= 1 for person in one)
