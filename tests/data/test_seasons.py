"""Seasons of servers: when they end, which matches count, and what is kept."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.store.hall_of_fame import Honour
from data.store.place import Place
from data.store.ratings import ALL_TIME, RatingRow
from data.store.rows import MemberRow, Status
from data.store.seasons import MONTH, MONTHS, SeasonRow, following, season_end
from data.store.store import Store
from data.store.trophies import TrophyRow
from tests.data.samples import GUEST, HOST, THIRD, begun, committed, ended, forgotten, opened

GUILD = 900
BERLIN = "Europe/Berlin"
MAY = datetime(2026, 5, 20, 12, tzinfo=UTC)
JUNE, JULY = (datetime(2026, month, 1, tzinfo=ZoneInfo(BERLIN)) for month in (6, 7))
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)

ZONES = (BERLIN, "UTC", "America/New_York", "Pacific/Apia", "Asia/Kathmandu", "America/Havana")


async def won(
    store: Store,
    at: datetime,
    *people: int,
    game: str = "lancelot",
    guild: int = GUILD,
    **more: Any,
) -> int:
    """Store a match that finished at this time, with the people in order of rank; return
    the table's id.
    """
    lobby = await opened(store, 500, at - timedelta(minutes=5), game=game, guild_id=guild)
    names = {HOST: "Ada", GUEST: "Ben", THIRD: "Cleo"}
    members = tuple(
        MemberRow(seat, person, names.get(person, f"Person {person}"), seat=seat)
        for seat, person in enumerate(people)
    )
    result = {"ranks": [*range(1, len(people) + 1)], "by_people": True} | more
    table = await committed(store, lobby, begun(lobby))
    await ended(store, table, Status.FINISHED, result=result, members=members, at=at)
    return table.row.id


async def row(store: Store, person: int, season: int) -> RatingRow | None:
    """Someone's rating in a season; None: no match counted."""
    rows = await store.standings.rows_of(person)
    found = [row for row in rows if (row.guild_id, row.season) == (GUILD, season)]
    return found[0] if found else None


# ------------------------------------------------------------------------- the calendar
@pytest.mark.parametrize(
    ("length", "zone", "begins", "ends", "title"),
    [
        ("month", BERLIN, "2026-05-01T00:00+02:00", "2026-06-01T00:00+02:00", "2026-05"),
        ("month", BERLIN, "2026-05-14T00:00+02:00", "2026-06-01T00:00+02:00", "2026-05"),
        ("month", BERLIN, "2026-05-28T00:00+02:00", "2026-07-01T00:00+02:00", "2026-06"),
        ("month", BERLIN, "2026-03-01T00:00+01:00", "2026-04-01T00:00+02:00", "2026-03"),
        ("month", BERLIN, "2026-10-01T00:00+02:00", "2026-11-01T00:00+01:00", "2026-10"),
        ("month", BERLIN, "2026-12-01T00:00+01:00", "2027-01-01T00:00+01:00", "2026-12"),
        ("quarter", "UTC", "2026-10-01T00:00+00:00", "2027-01-01T00:00+00:00", "2026-Q4"),
        ("quarter", "UTC", "2026-03-01T00:00+00:00", "2026-07-01T00:00+00:00", "2026-Q2"),
        ("year", "UTC", "2026-01-01T00:00+00:00", "2027-01-01T00:00+00:00", "2026"),
        # The clocks go forward at this very midnight.
        ("month", "America/Asuncion", "2017-09-01T00:00-04:00", "2017-10-01T04:00Z", "2017-09"),
    ],
)
def test_a_season_ends_with_its_month(
    length: str, zone: str, begins: str, ends: str, title: str
) -> None:
    begins_at, ends_at = datetime.fromisoformat(begins), datetime.fromisoformat(ends)
    assert season_end(begins_at, length, zone, begins_at) == ends_at
    assert SeasonRow(1, 1, length, zone, begins_at, ends_at).title == title


@given(
    st.integers(0, 30 * 365 * 24).map(lambda hours: MAY + timedelta(hours=hours)),
    st.lists(st.tuples(st.sampled_from(sorted(MONTHS)), st.sampled_from(ZONES)), min_size=1),
)
def test_seasons_follow_each_other_without_a_gap(
    begins_at: datetime, settings: list[tuple[str, str]]
) -> None:
    """However often length and zone change, a season lasts between half and one and a half times
    its length, give or take a day for the zones.
    """
    now, season = begins_at, SeasonRow(1, 1, *settings[0], begins_at, begins_at)
    for length, zone in settings:
        season = SeasonRow(1, season.number, length, zone, season.begins_at, season.ends_at)
        ends_at = season_end(season.begins_at, length, zone, now)
        whole = MONTHS[length] * MONTH
        assert season.begins_at + whole / 2 < ends_at
        assert ends_at <= max(season.begins_at + whole / 2, now) + whole * 1.04 + DAY
        local = ends_at.astimezone(ZoneInfo(zone))
        assert (local.day, (local.month - 1) % MONTHS[length]) == (1, 0)
        season = SeasonRow(1, season.number, length, zone, season.begins_at, ends_at)
        after = following(season)
        assert (after.begins_at, after.number) == (season.ends_at, season.number + 1)
        now, season = after.begins_at, after


# -------------------------------------------------------------------------- what counts
async def test_without_seasons_nothing_changes(store: Store) -> None:
    await won(store, MAY, HOST, GUEST)
    assert await store.seasons.running(GUILD, MAY) is None
    assert await store.seasons.close(GUILD, MAY) is None
    assert await store.seasons.hall_of_fame(GUILD, 9) == []
    assert {row.season for row in await store.standings.rows_of(HOST)} == {ALL_TIME}


async def test_a_match_counts_where_it_ends(store: Store) -> None:
    """When the match began does not matter. A season that follows another includes its first
    second.
    """
    first = await store.seasons.play_in(GUILD, "month", BERLIN, MAY)
    assert (first.number, first.ends_at) == (1, JULY)
    for at in (MAY, MAY + SECOND, JULY - SECOND, JULY):
        await won(store, at, HOST, GUEST)
    counted = [await row(store, HOST, season) for season in (ALL_TIME, 1, 2)]
    assert [each.matches for each in counted if each] == [4, 2, 1]
    rows = await store.standings.rows_of(HOST)
    assert [r.matches for r in rows if r.guild_id != GUILD] == [4]
    assert await store.standings.recompute() == 0
    board = await store.standings.leaderboard(GUILD, ["lancelot"], 9, HOST, season=1)
    assert [(s.row.name, s.place) for s in board["lancelot"]] == [("Ada", 1), ("Ben", 2)]


async def test_a_late_match_begins_the_next_season(store: Store) -> None:
    """The next season begins even if nobody noticed the end of the last one or of those in
    between.
    """
    await store.seasons.play_in(GUILD, "month", "UTC", MAY)
    late = datetime(2026, 9, 3, tzinfo=UTC)
    running = await store.seasons.running(GUILD, late)
    assert running is not None
    assert (running.number, running.title) == (4, "2026-09")
    assert await store.seasons.running(GUILD, running.begins_at) == running
    await won(store, late, HOST, GUEST)
    found = await row(store, HOST, 4)
    assert found is not None
    assert found.matches == 1
    assert await store.seasons.close(GUILD, late) == running
    assert await store.standings.recompute() == 0


async def test_length_and_zone_may_change(store: Store) -> None:
    """The current season's end moves accordingly; matches that have counted in it still do."""
    await store.seasons.play_in(GUILD, "month", BERLIN, MAY)
    await won(store, MAY + DAY, HOST, GUEST)
    changed = await store.seasons.play_in(GUILD, "quarter", "UTC", MAY + 2 * DAY)
    assert (changed.number, changed.title) == (1, "2026-Q3")
    assert changed.ends_at == datetime(2026, 10, 1, tzinfo=UTC)
    found = await row(store, HOST, 1)
    assert found is not None
    assert found.matches == 1
    back = await store.seasons.play_in(GUILD, "month", BERLIN, JULY + DAY)
    assert back.title == "2026-07"
    assert await store.standings.recompute() == 0


async def test_a_server_may_stop_and_begin_again(store: Store) -> None:
    """A match that ends between two seasons counts in neither, to the second."""
    await store.seasons.play_in(GUILD, "month", BERLIN, MAY)
    await won(store, MAY + DAY, HOST, GUEST)
    stopped = MAY + 2 * DAY
    await won(store, stopped, HOST, GUEST)
    await store.seasons.stop(GUILD, stopped)
    await store.seasons.stop(GUILD, stopped)
    assert await store.seasons.close(GUILD, stopped + SECOND) is None
    (fame,) = await store.seasons.hall_of_fame(GUILD, 9)
    assert fame.season.title == "2026-05"
    again = stopped + 3 * DAY
    for at in (stopped + DAY, again):
        await won(store, at, HOST, GUEST)
    await store.seasons.play_in(GUILD, "month", BERLIN, again)
    await won(store, again + SECOND, HOST, GUEST)
    assert [(await row(store, HOST, n)).matches for n in (ALL_TIME, 1, 2)] == [5, 2, 1]  # type: ignore[union-attr]
    assert await store.standings.recompute() == 0


# ------------------------------------------------------------------------- what is kept
async def test_the_first_three_get_trophies_once(store: Store) -> None:
    """Hidden people get none and leave no gap."""
    await store.seasons.play_in(GUILD, "month", BERLIN, MAY)
    await won(store, MAY + DAY, HOST, GUEST, THIRD, 104, 105)
    await won(store, MAY + DAY, GUEST, HOST, game="isis")
    await store.standings.set_unlisted(GUEST, True)
    await store.seasons.close(GUILD, JULY - SECOND)
    assert await store.trophies.of_person(HOST) == []
    for _ in range(2):
        await store.seasons.close(GUILD, JULY)
    assert await store.trophies.of_person(HOST) == [
        TrophyRow(HOST, "season", "900.1", game, GUILD, 1, "2026-06", JULY)
        for game in ("isis", "lancelot")
    ]
    places = [await store.trophies.of_person(person) for person in (GUEST, THIRD, 104, 105)]
    assert [[trophy.place for trophy in each] for each in places] == [[], [2], [3], []]


async def test_the_hall_of_fame_keeps_what_was(store: Store) -> None:
    """The latest season comes first, with matches and streaks; seasons without matches are left
    out.
    """
    await store.seasons.play_in(GUILD, "month", BERLIN, MAY)
    for _ in range(3):
        await won(store, MAY + DAY, HOST, GUEST)
    september = datetime(2026, 9, 3, tzinfo=UTC)
    await won(store, september, GUEST, HOST)
    await store.seasons.close(GUILD, september + 60 * DAY)
    later, first = await store.seasons.hall_of_fame(GUILD, 9)
    assert (later.season.title, first.season.title) == ("2026-09", "2026-06")
    best = first.honours["lancelot"][0]
    assert (best.row.name, best.place, best.row.matches, best.row.longest) == ("Ada", 1, 3, 3)
    assert [honour.row.name for honour in later.honours["lancelot"]] == ["Ben", "Ada"]
    assert await store.seasons.hall_of_fame(GUILD, 1) == [later]
    assert await store.seasons.hall_of_fame(GUILD, 9, before=later.season.number) == [first]
    assert await store.seasons.hall_of_fame(GUILD, 9, "lancelot") == [later, first]
    assert await store.seasons.hall_of_fame(GUILD, 9, "isis") == []


async def test_the_hall_of_fame_hides_and_renames(store: Store) -> None:
    """Hidden people are not shown. People who delete their data keep their place there as
    strangers, but not in the current season.
    """
    await store.seasons.play_in(GUILD, "month", BERLIN, MAY)
    await won(store, MAY + DAY, HOST, GUEST)
    await store.seasons.close(GUILD, JULY)
    await won(store, JULY + DAY, HOST, GUEST)

    async def honours() -> tuple[Honour, ...]:
        (fame,) = await store.seasons.hall_of_fame(GUILD, 9)
        return fame.honours["lancelot"]

    await store.standings.set_unlisted(HOST, True)
    assert [(honour.row.name, honour.place) for honour in await honours()] == [("Ben", 2)]
    await store.standings.set_unlisted(HOST, False)
    await forgotten(store, HOST, "Unknown K7Q2")
    first, _ = await honours()
    assert (first.row.name, first.place) == ("Unknown K7Q2", 1)
    assert first.row.person_id < 0
    assert await store.trophies.of_person(HOST) == []
    board = await store.standings.leaderboard(GUILD, ["lancelot"], 9, HOST, season=2)
    assert [standing.row.name for standing in board["lancelot"]] == ["Ben"]
    assert await store.standings.recompute() == 0


async def test_courses_of_a_season_end_at_its_ratings(store: Store) -> None:
    await won(store, MAY - DAY, HOST, GUEST)
    await store.seasons.play_in(GUILD, "month", BERLIN, MAY)
    for people in ((HOST, GUEST), (GUEST, HOST), (HOST, GUEST, THIRD)):
        await won(store, MAY + DAY, *people)
    (courses,) = (await store.standings.season_courses(GUILD, 1)).values()
    assert {person: len(course) for person, course in courses.items()} == {
        HOST: 4,
        GUEST: 4,
        THIRD: 2,
    }
    for person, course in courses.items():
        found = await row(store, person, 1)
        assert found is not None
        assert course[-1] == found.rating


async def test_two_processes_end_a_season_once(place: Place) -> None:
    here, there = [await Store.open(place, alone=False) for _ in range(2)]
    await here.seasons.play_in(GUILD, "month", BERLIN, MAY)
    await won(here, MAY + DAY, HOST, GUEST)
    found = await asyncio.gather(*(store.seasons.close(GUILD, JULY) for store in (here, there)))
    assert found[0] == found[1]
    assert found[0] is not None
    assert found[0].number == 2
    assert len(await here.trophies.of_person(HOST)) == 1
    for store in (here, there):
        await store.close()
