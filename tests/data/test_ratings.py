"""Ratings follow from finished matches alone."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.store.ratings import EVERYWHERE, NEWCOMER, FinishedMatch, RatingRow, from_scratch
from tests.play.house import ANNA, BEN, CLARA

NAMES = {ANNA: "Anna", BEN: "Ben", CLARA: "Clara"}


def match(*places: tuple[int, int], by_people: bool = True) -> FinishedMatch:
    """A finished match on no server: (person, rank) by seat."""
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
    """Ratings by person after matches on no server, the best first."""
    rows = sorted(from_scratch(matches).values(), key=lambda row: (-row.rating, row.person_id))
    return {row.person_id: row for row in rows}


def test_the_winner_stands_above_the_loser() -> None:
    """A victory raises a rating above a newcomer's, a defeat lowers it."""
    first, second = rated(match((ANNA, 2), (BEN, 1))).values()
    assert (first.person_id, first.won, first.matches) == (BEN, 1, 1)
    assert (second.person_id, second.won, second.matches) == (ANNA, 0, 1)
    assert first.rating > NEWCOMER > second.rating


def test_places_of_many_seats_are_rated() -> None:
    """With three seats the second stands between the first and the last."""
    assert list(rated(match((ANNA, 3), (BEN, 1), (CLARA, 2)))) == [BEN, CLARA, ANNA]


def test_a_shared_place_is_shared() -> None:
    """After a draw both have won and stand alike."""
    first, second = rated(match((ANNA, 1), (BEN, 1))).values()
    assert (first.won, second.won) == (1, 1)
    assert first.rating == second.rating


def test_certainty_raises_a_rating() -> None:
    """Who has won against the same people more often stands higher."""
    won = match((ANNA, 1), (BEN, 2))
    assert rated(*[won] * 5)[ANNA].rating > rated(won)[ANNA].rating


@pytest.mark.parametrize(
    "uncounted",
    [
        match((ANNA, 1), (BEN, 2), by_people=False),
        match((ANNA, 1)),
        replace(match((ANNA, 1), (BEN, 2)), ranks=()),
        replace(match((ANNA, 1), (BEN, 2)), people=(ANNA, None)),
    ],
)
def test_what_does_not_count_is_counted_apart(uncounted: FinishedMatch) -> None:
    """A match with computer players, alone, or without places changes no rating."""
    assert rated(uncounted)[ANNA] == RatingRow(
        ANNA, EVERYWHERE, "lancelot", "Anna", uncounted=1, rating=NEWCOMER
    )


def test_who_was_forgotten_keeps_the_others_ratings() -> None:
    """A stranger in place of a person changes nothing for the others."""
    rest = match((BEN, 1), (CLARA, 2))
    before = rated(match((ANNA, 1), (BEN, 2)), rest)
    after = rated(match((-5, 1), (BEN, 2)), rest)
    assert (after[BEN], after[CLARA]) == (before[BEN], before[CLARA])


def test_the_latest_name_is_told() -> None:
    """People change their names."""
    earlier = match((ANNA, 1), (BEN, 2))
    later = replace(earlier, names=("Dame Anna", "Ben"))
    assert rated(earlier, later)[ANNA].name == "Dame Anna"


def test_every_server_has_ratings_of_its_own() -> None:
    """And all of them together have some; what was on no server counts only there."""
    here, there, nowhere = (
        replace(match((ANNA, 1), (BEN, 2)), guild_id=guild_id) for guild_id in (7, 8, None)
    )
    found = from_scratch([here, there, nowhere])
    matches = {guild: row.matches for (person, guild, _), row in found.items() if person == ANNA}
    assert matches == {7: 1, 8: 1, EVERYWHERE: 3}
    assert found[ANNA, 7, "lancelot"].mu == found[ANNA, 8, "lancelot"].mu
    assert found[ANNA, EVERYWHERE, "lancelot"].mu > found[ANNA, 7, "lancelot"].mu


@given(st.lists(st.permutations([ANNA, BEN, CLARA]), max_size=12))
def test_the_order_of_seats_does_not_matter(orders: list[list[int]]) -> None:
    """A match is rated by its places, wherever people sat."""
    seated = [list(zip(order, (1, 2, 3), strict=True)) for order in orders]
    one = rated(*(match(*places) for places in seated))
    other = rated(*(match(*reversed(places)) for places in seated))
    assert one.keys() == other.keys()
    assert all(abs(one[person].rating - other[person].rating) <= 1 for person in one)
