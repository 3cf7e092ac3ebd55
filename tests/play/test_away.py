"""Holidays: how many days count, how clocks pause, and what a table records."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.store.rows import PersonRow, Span
from play.away import KEPT, absent, away_until, back_on, counted, gone, read_day, returned
from play.ending import Resign
from play.lobby import Join, Leave
from play.table import Refused
from tests.play.clock import NOON
from tests.play.house import ANNA, BEN, CLARA, House, gathered, name_of, timed

BERLIN = ZoneInfo("Europe/Berlin")


def days(count: float) -> datetime:
    """This many days after the first noon."""
    return NOON + timedelta(days=count)


def spans(*pairs: tuple[float, float]) -> tuple[Span, ...]:
    """Holidays between these days, counted from the first noon."""
    return tuple((days(begins), days(ends)) for begins, ends in pairs)


# ------------------------------------------------------------------------------ a person
def test_going_and_coming_back() -> None:
    person = gone(PersonRow(ANNA), NOON, days(3))
    assert away_until(person, days(2.9)) == days(3)
    assert away_until(person, days(3)) is None
    assert gone(person, days(1), days(9)).away == spans((0, 9))
    early = returned(person, days(2))
    assert early.away == spans((0, 2))
    assert away_until(early, days(2)) is None
    assert gone(early, days(4), days(5)).away == spans((0, 2), (4, 5))
    assert returned(person, NOON).away == spans((0, 0))


def test_a_person_who_is_not_away_cannot_come_back() -> None:
    for person in (PersonRow(ANNA), PersonRow(ANNA, away=spans((-4, -2)))):
        with pytest.raises(Refused) as refusal:
            returned(person, NOON)
        assert refusal.value.code == "not_away"


def test_only_the_latest_holidays_are_kept() -> None:
    person = PersonRow(ANNA)
    for day in range(KEPT + 5):
        person = gone(person, days(2 * day), days(2 * day + 1))
    assert len(person.away) == KEPT
    assert person.away[-1] == (days(2 * KEPT + 8), days(2 * KEPT + 9))


# -------------------------------------------------------------------------- what counts
@pytest.mark.parametrize(
    ("holidays", "rest"),
    [
        (spans((0, 10)), spans((0, 10))),
        (spans((0, 30)), spans((0, 14))),
        (spans((0, 10), (12, 20)), spans((0, 10), (12, 16))),
        (spans((0, 14), (20.9, 25)), spans((0, 14))),
        (spans((0, 14), (21, 25)), spans((0, 14), (21, 25))),
        (spans((0, 30), (36, 40)), spans((0, 14))),
        (spans((0, 30), (37, 40)), spans((0, 14), (37, 40))),
    ],
)
def test_fourteen_days_in_a_row_count(holidays: tuple[Span, ...], rest: tuple[Span, ...]) -> None:
    """At most fourteen days in a row count; holidays less than a week apart are treated as one."""
    assert tuple(counted(holidays, 14)) == rest


lengths = st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), max_size=6)


@given(lengths, st.integers(0, 30))
def test_counted_holidays_never_change_afterwards(
    lengths: list[tuple[int, int]], limit: int
) -> None:
    at, holidays = 0, list[Span]()
    for back, away in lengths:
        before = list(counted(holidays, limit))
        holidays.append((days(at + back), days(at + back + away)))
        at += back + away
        after = list(counted(holidays, limit))
        assert after[: len(before)] == before
    for begins, ends in counted(holidays, limit):
        assert timedelta() < ends - begins <= timedelta(days=limit)


# --------------------------------------------------------------------------------- days
@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-12-03", date(2026, 12, 3)),
        (" 3.12. ", date(2026, 12, 3)),
        ("3. 12", date(2026, 12, 3)),
        ("3.12.2027", date(2027, 12, 3)),
        ("1.5.", date(2027, 5, 1)),
        ("2.5", date(2026, 5, 2)),
    ],
)
def test_dates_are_understood(text: str, day: date) -> None:
    """Dates are read on 1 May 2026; one without a year means the next such day."""
    assert read_day(text, date(2026, 5, 1)) == day


@pytest.mark.parametrize("text", ["", "soon", "31.4.", "2026-13-01", "29.2.", "3/12", "0.1."])
def test_other_days_are_refused(text: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_day(text, date(2026, 5, 1))
    assert (refusal.value.code, refusal.value.data) == ("no_such_day", {"text": text})


def test_a_person_is_back_when_the_day_begins() -> None:
    assert back_on(date(2026, 5, 2), BERLIN, NOON) == datetime(2026, 5, 1, 22, tzinfo=UTC)
    for ahead in (0, -1, 366):
        with pytest.raises(Refused) as refusal:
            back_on(NOON.date() + timedelta(days=ahead), BERLIN, NOON)
        assert refusal.value.code == "impossible_day"


# -------------------------------------------------------------------------------- clocks
def leaves(house: House, person: int, until: float) -> None:
    """Send a person on holiday until this many days after the first noon."""
    row = gone(house.table.settings(person), house.clock.now, days(until))
    house.settings(person, away=row.away)
    house.wait(seconds=0)


def comes_back(house: House, person: int) -> None:
    house.settings(person, away=returned(house.table.settings(person), house.clock.now).away)
    house.wait(seconds=0)


def test_the_clock_rests_on_holiday() -> None:
    house = timed(2)
    house.wait(hours=6)
    leaves(house, ANNA, 5)
    assert house.table.until(0) == days(5.75)
    house.wait(days=4.7)
    assert house.lines("remind") == []
    house.wait(hours=8)
    assert len(house.lines("remind")) == 1
    house.wait(hours=20)
    assert len(house.lines("miss")) == 1


def test_the_server_limits_how_long_clocks_rest() -> None:
    house = timed(2)
    leaves(house, ANNA, 30)
    assert house.table.until(0) == days(15)
    house.server(away_limit=2)
    house.wait(seconds=0)
    assert house.table.until(0) == days(3)
    house.server(away_limit=0)
    house.wait(seconds=0)
    assert house.table.until(0) == days(1)


def test_coming_back_early_starts_the_clock() -> None:
    house = timed(2, pace="7d")
    leaves(house, ANNA, 9)
    house.wait(days=2)
    comes_back(house, ANNA)
    assert house.table.until(0) == days(9)
    house.wait(days=1)
    leaves(house, ANNA, 4)
    assert house.table.until(0) == days(10)


def test_nights_of_holidays_use_up_no_quiet_hours() -> None:
    """All nine hours of rest that a turn allows are left for the first night at home."""
    house = timed(2)
    house.quiet(ANNA)
    house.server(quiet_limit=9)
    leaves(house, ANNA, 3)
    # 24 hours from noon on, plus a night of nine.
    assert house.table.until(0) == days(4) + timedelta(hours=9)


# --------------------------------------------------------------------- what a table records
def test_a_table_notes_who_is_away_and_who_is_back() -> None:
    house = gathered(2)
    assert house.table.row.due_at is None
    leaves(house, BEN, 3)
    assert absent(house.table) == {BEN: days(3)}
    assert house.table.row.due_at == days(3)
    comes_back(house, BEN)  # within the same second
    assert absent(house.table) == {}
    leaves(house, BEN, 4)
    assert absent(house.table) == {BEN: days(4)}
    house.wait(days=4)
    assert absent(house.table) == {}
    assert house.table.row.due_at is None
    texts = [line.text for line in house.lines("holiday")]
    assert texts == [days(3).isoformat(), "", days(4).isoformat(), ""]


def test_a_person_who_joins_while_away_is_recorded() -> None:
    house = gathered(2)
    traveller = gone(PersonRow(CLARA), NOON, days(2))
    house.do(Join(CLARA, name_of(CLARA), settings=traveller))
    assert absent(house.table) == {CLARA: days(2)}
    house.do(Leave(CLARA))
    assert absent(house.table) == {}
    assert house.table.row.due_at is None


def test_a_table_that_is_over_notes_nothing() -> None:
    house = timed(2)
    leaves(house, ANNA, 2)
    house.do(Resign(ANNA, "novice"))
    revision = house.table.revision
    house.wait(days=5)
    assert house.table.revision == revision
    assert house.table.row.due_at is None
