"""Ratings and statistics follow from finished matches alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.store.standings import FinishedRow
from data.store.store import Store
from play.ending import EndTable, Resign
from play.standings import NEWCOMER, Standing, Standings, standings
from play.tables import Tables
from tests.play.clock import NOON
from tests.play.house import ANNA, BEN, CLARA
from tests.play.test_tables import started

NAMES = {ANNA: "Anna", BEN: "Ben", CLARA: "Clara"}


def match(*places: tuple[int, int], number: int = 1, by_people: bool = True) -> FinishedRow:
    """A finished match: (person, rank) by seat."""
    return FinishedRow(
        table_id=number,
        game="lancelot",
        at=NOON + timedelta(hours=number),
        people=tuple(person for person, _ in places),
        names=tuple(NAMES.get(person, "?") for person, _ in places),
        ranks=tuple(rank for _, rank in places),
        by_people=by_people,
    )


def by_person(found: list[Standing]) -> dict[int, Standing]:
    """Standings by person."""
    return {standing.person_id: standing for standing in found}


# ----------------------------------------------------------------------------- one game
def test_the_winner_stands_above_the_loser() -> None:
    """A victory raises a rating above a newcomer's, a defeat lowers it."""
    first, second = standings([match((ANNA, 2), (BEN, 1))])
    assert (first.person_id, first.place, first.won, first.matches) == (BEN, 1, 1, 1)
    assert (second.person_id, second.place, second.won, second.matches) == (ANNA, 2, 0, 1)
    assert first.rating > NEWCOMER > second.rating


def test_places_of_many_seats_are_rated() -> None:
    """With three seats the second stands between the first and the last."""
    found = standings([match((ANNA, 3), (BEN, 1), (CLARA, 2))])
    assert [standing.person_id for standing in found] == [BEN, CLARA, ANNA]


def test_a_shared_place_is_shared() -> None:
    """After a draw both have won and stand alike."""
    first, second = standings([match((ANNA, 1), (BEN, 1))])
    assert (first.won, second.won) == (1, 1)
    assert first.rating == second.rating
    assert (first.place, second.place) == (1, 1)


def test_certainty_raises_a_rating() -> None:
    """Who has won against the same people more often stands higher."""
    once = standings([match((ANNA, 1), (BEN, 2))])[0].rating
    often = standings([match((ANNA, 1), (BEN, 2), number=n) for n in range(5)])[0].rating
    assert often > once


def test_matches_with_computer_players_do_not_count() -> None:
    """They are counted apart and change no rating."""
    found = by_person(standings([match((ANNA, 1), (BEN, 2), by_people=False)]))
    assert found[ANNA] == Standing(ANNA, "Anna", 0, 0, 1, NEWCOMER, None)


def test_playing_alone_does_not_count() -> None:
    """There is no one to be compared with."""
    assert standings([match((ANNA, 1))]) == [Standing(ANNA, "Anna", 0, 0, 1, NEWCOMER, None)]


def test_who_is_unlisted_has_no_place() -> None:
    """The others move up, and their ratings are as before."""
    matches = [match((ANNA, 1), (BEN, 2), (CLARA, 3))]
    everyone, some = by_person(standings(matches)), by_person(standings(matches, {ANNA}))
    assert some[ANNA].place is None
    assert [some[person].place for person in (BEN, CLARA)] == [1, 2]
    assert [s.rating for s in some.values()] == [s.rating for s in everyone.values()]


def test_who_was_forgotten_keeps_the_others_ratings() -> None:
    """A stranger in place of a person changes nothing for the others, and is not listed."""
    known = [match((ANNA, 1), (BEN, 2)), match((BEN, 1), (CLARA, 2), number=2)]
    forgotten = [match((-5, 1), (BEN, 2)), match((BEN, 1), (CLARA, 2), number=2)]
    before, after = by_person(standings(known)), by_person(standings(forgotten))
    assert after[BEN].rating == before[BEN].rating
    assert after[CLARA].rating == before[CLARA].rating
    assert after[-5].place is None
    assert sorted(s.place for s in after.values() if s.place) == [1, 2]


def test_the_latest_name_is_told() -> None:
    """People change their names."""
    earlier = match((ANNA, 1), (BEN, 2))
    later = replace(earlier, table_id=2, names=("Dame Anna", "Ben"))
    assert by_person(standings([earlier, later]))[ANNA].name == "Dame Anna"


@given(st.lists(st.permutations([ANNA, BEN, CLARA]), max_size=12))
def test_the_order_of_seats_does_not_matter(orders: list[list[int]]) -> None:
    """A match is rated by its places, wherever people sat."""
    seated = [
        match(*zip(order, (1, 2, 3), strict=True), number=n) for n, order in enumerate(orders)
    ]
    turned = [
        match(*reversed(list(zip(order, (1, 2, 3), strict=True))), number=n)
        for n, order in enumerate(orders)
    ]
    one = {s.person_id: s.rating for s in standings(seated)}
    other = {s.person_id: s.rating for s in standings(turned)}
    assert one.keys() == other.keys()
    assert all(abs(one[person] - other[person]) <= 1 for person in one)


# ------------------------------------------------------------------------------- server
@pytest.fixture
def server(store: Store) -> Standings:
    """The use cases on the store."""
    return Standings(store)


async def test_a_server_has_its_own_standings(tables: Tables, server: Standings) -> None:
    """A match that was resigned at a table of two counts on its server, and nowhere else."""
    table = await started(tables)
    await tables.act(table.id, Resign(ANNA, "novice"))
    (best, worst) = (await server.leaderboard(7))["lancelot"]
    assert (best.name, best.won, worst.name, worst.won) == ("Ben", 1, "Anna", 0)
    assert await server.leaderboard(8) == {}
    assert (await server.of_person(7, ANNA))["lancelot"] == worst
    assert await server.of_person(7, CLARA) == {}


async def test_asking_twice_counts_once(tables: Tables, server: Standings) -> None:
    """Standings are the same however often they are computed, also after a restart."""
    table = await started(tables)
    await tables.act(table.id, Resign(ANNA, "novice"))
    first = await server.leaderboard(7)
    assert await server.leaderboard(7) == first
    assert await Standings(tables.store).leaderboard(7) == first


async def test_who_is_hidden_is_on_no_leaderboard(tables: Tables, server: Standings) -> None:
    """The person's own counts stay, without a place."""
    table = await started(tables)
    await tables.act(table.id, Resign(ANNA, "novice"))
    await tables.store.standings.set_unlisted(BEN, True)
    assert [s.person_id for s in (await server.leaderboard(7))["lancelot"]] == [ANNA]
    mine = (await server.of_person(7, BEN))["lancelot"]
    assert (mine.won, mine.place) == (1, None)


async def test_aborted_games_do_not_count(tables: Tables, server: Standings) -> None:
    """A table that was ended has no standings."""
    table = await started(tables)
    await tables.act(table.id, EndTable(99, manages=True))
    assert await server.leaderboard(7) == {}
