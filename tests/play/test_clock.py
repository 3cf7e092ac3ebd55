"""Paces, quiet hours and deadlines, computed by hand and compared with a slow count by minutes."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.store.rows import Alarm, PersonRow, ServerRow, Span
from play.clock import (
    DAY,
    HOUR,
    LONGEST_QUIET,
    MINUTE,
    Pace,
    Quiet,
    Rest,
    alarms,
    check_quiet,
    deadline_after,
    pace_in,
    read_pace,
    read_wall_time,
    resting,
    running_seconds,
)
from play.table import Refused

BERLIN = ZoneInfo("Europe/Berlin")
ZONES = ("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC")


def at(text: str) -> datetime:
    """A moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def in_berlin(text: str, fold: int = 0) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN, fold=fold).astimezone(UTC)


def hours(begins: str = "22:00", ends: str = "07:00", rest: float = 10) -> Quiet:
    """Quiet hours in Berlin; ``rest`` in hours."""
    return Quiet(
        BERLIN, time.fromisoformat(begins), time.fromisoformat(ends), timedelta(hours=rest)
    )


def night(begins: str = "22:00", ends: str = "07:00", rest: float = 10) -> Rest:
    """The rest of a person with these quiet hours and no holidays."""
    return Rest(hours(begins, ends, rest))


# --------------------------------------------------------------------------------- paces
@pytest.mark.parametrize(
    ("text", "pace"),
    [
        ("1h", Pace(HOUR)),
        (" 12 H ", Pace(12 * HOUR)),
        ("7d", Pace(7 * DAY)),
        ("٣d", Pace(3 * DAY)),
        ("3d+6h", Pace(3 * DAY, 6 * HOUR)),
        ("30d + 7d", Pace(30 * DAY, 7 * DAY)),
    ],
)
def test_paces_are_understood(text: str, pace: Pace) -> None:
    """A pace is a time per turn, or a bank with an increment."""
    assert read_pace(text) == pace


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "no_such_pace"),
        ("soon", "no_such_pace"),
        ("1.5d", "no_such_pace"),
        ("-1h", "no_such_pace"),
        ("3d+6h+1h", "no_such_pace"),
        ("99999h", "no_such_pace"),
        ("0h", "impossible_turn"),
        ("8d", "impossible_turn"),
        ("169h", "impossible_turn"),
        ("23h+1h", "impossible_bank"),
        ("31d+1h", "impossible_bank"),
        ("3d+0h", "impossible_bank"),
        ("30d+8d", "impossible_bank"),
        ("1d+2d", "impossible_bank"),
    ],
)
def test_impossible_paces_are_refused(text: str, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_pace(text)
    assert refusal.value.code == code


def test_the_pace_is_one_of_the_options_of_a_table() -> None:
    assert pace_in({"goal": 3}) is None
    assert pace_in({"pace": "", "strict": True}) is None
    assert pace_in({"pace": "1d", "strict": True}) == Pace(DAY, 0, strict=True)


def test_the_time_for_a_turn() -> None:
    """A time per turn is constant; a bank gains its increment up to the initial amount."""
    assert [Pace(DAY).budget(left) for left in (None, 0, 5)] == [DAY] * 3
    bank = Pace(3 * DAY, 6 * HOUR)
    assert bank.budget(None) == 3 * DAY
    assert bank.budget(DAY) == DAY + 6 * HOUR
    assert bank.budget(3 * DAY - HOUR) == 3 * DAY
    assert (bank.more, Pace(DAY).more) == (6 * HOUR, DAY)


# --------------------------------------------------------------------------- quiet hours
@pytest.mark.parametrize(
    ("text", "minutes"),
    [("22:30", 1350), ("7", 420), ("07.05", 425), (" 0:00 ", 0), ("22 Uhr", 1320), ("9h", 540)],
)
def test_times_are_understood(text: str, minutes: int) -> None:
    assert read_wall_time(text) == minutes


@pytest.mark.parametrize("text", ["24:00", "12:60", "noon", "", "-1", "1:2:3", "7 pm"])
def test_impossible_times_are_refused(text: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_wall_time(text)
    assert refusal.value.code == "no_such_time"


@pytest.mark.parametrize(("begins", "ends"), [(0, 0), (480, 480), (0, 961), (600, 599)])
def test_quiet_hours_leave_some_of_the_day(begins: int, ends: int) -> None:
    """Empty quiet hours and more than sixteen hours are refused."""
    with pytest.raises(Refused) as refusal:
        check_quiet(begins, ends)
    assert refusal.value.data["limit"] == 16


def test_quiet_hours_over_midnight_are_possible() -> None:
    check_quiet(22 * 60, 7 * 60)
    check_quiet(0, 16 * 60)


def test_quiet_hours_come_from_the_settings() -> None:
    person = PersonRow(1, zone="Europe/Berlin", quiet_from=22 * 60, quiet_to=7 * 60 + 30)
    server = ServerRow(9, quiet_limit=4)
    assert resting(person, server) == night("22:00", "07:30", 4)
    assert resting(PersonRow(1, zone="Europe/Berlin"), server) is None
    assert resting(PersonRow(1, quiet_from=5, quiet_to=9), server) is None
    assert resting(PersonRow(1, zone="Mars/Olympus", quiet_from=5, quiet_to=9), server) is None


# ----------------------------------------------------------------------------- deadlines
def test_without_quiet_hours_time_just_passes() -> None:
    start = at("2026-01-15 10:00")
    assert deadline_after(start, HOUR, None) == at("2026-01-15 11:00")
    assert running_seconds(start, at("2026-01-15 11:00"), None) == HOUR


@pytest.mark.parametrize(
    ("start", "hours", "end"),
    [
        ("2026-01-15 12:00", 6, "2026-01-15 18:00"),  # over before the night
        ("2026-01-15 12:00", 10, "2026-01-15 22:00"),  # just before the night
        ("2026-01-15 20:00", 6, "2026-01-16 11:00"),  # two hours, the night, four hours
        ("2026-01-15 23:30", 1, "2026-01-16 08:00"),  # started during the night
        ("2026-01-16 05:00", 1, "2026-01-16 08:00"),
        ("2026-01-15 20:00", 24, "2026-01-17 06:00"),  # the limit: a night, one hour of the next
        ("2026-01-15 20:00", 72, "2026-01-19 06:00"),  # the same limit
    ],
)
def test_a_clock_rests_at_night(start: str, hours: int, end: str) -> None:
    """Rest is limited to ten hours per turn."""
    begins, ends = in_berlin(start), in_berlin(end)
    assert deadline_after(begins, hours * HOUR, night()) == ends
    assert running_seconds(begins, ends, night()) == hours * HOUR


def test_a_server_may_allow_no_rest() -> None:
    start = in_berlin("2026-01-15 20:00")
    assert deadline_after(start, 6 * HOUR, night(rest=0)) == in_berlin("2026-01-16 02:00")
    assert running_seconds(start, in_berlin("2026-01-16 02:00"), night(rest=0)) == 6 * HOUR


def test_the_night_in_which_clocks_go_forward() -> None:
    """On 29 March 2026 the hour from two to three is missing: the night has eight hours."""
    start = in_berlin("2026-03-28 21:00")
    assert deadline_after(start, 2 * HOUR, night()) == in_berlin("2026-03-29 08:00")
    assert in_berlin("2026-03-29 08:00") - start == timedelta(hours=10)
    assert running_seconds(start, in_berlin("2026-03-29 07:00"), night()) == HOUR


def test_the_night_in_which_clocks_go_back() -> None:
    """On 25 October 2026 the hour from two to three occurs twice: the night has ten hours."""
    start = in_berlin("2026-10-24 21:00")
    assert deadline_after(start, 2 * HOUR, night()) == in_berlin("2026-10-25 08:00")
    assert in_berlin("2026-10-25 08:00") - start == timedelta(hours=12)


def test_quiet_hours_that_begin_or_end_in_the_doubled_hour() -> None:
    """If quiet hours begin or end at 2:30 and that time comes twice, they begin at the first 2:30
    and end at the second.
    """
    ends_then = hours("22:00", "02:30")
    begins, ends = next(ends_then.spans(in_berlin("2026-10-24 23:00")))
    assert ends == in_berlin("2026-10-25 02:30", fold=1)
    begins_then = hours("02:30", "08:00")
    begins, ends = next(begins_then.spans(in_berlin("2026-10-25 02:45")))
    assert begins == in_berlin("2026-10-25 02:30", fold=0)


def test_quiet_hours_that_begin_or_end_in_the_missing_hour() -> None:
    """Quiet hours that begin or end at a skipped time still include every quiet minute on the wall
    clock.
    """
    begins, ends = next(hours("02:30", "08:00").spans(in_berlin("2026-03-29 04:00")))
    assert begins <= in_berlin("2026-03-29 03:00")
    begins, ends = next(hours("22:00", "02:30").spans(in_berlin("2026-03-28 23:00")))
    assert ends >= in_berlin("2026-03-29 03:00")


moments = st.integers(0, 3 * 365 * DAY).map(lambda s: at("2025-01-01") + timedelta(seconds=s))
CHANGES = (
    *(at("2026-03-29 01:00"), at("2026-10-25 01:00"), at("2026-03-08 07:00")),
    *(at("2026-11-01 06:00"), at("2026-04-04 15:00"), at("2026-10-03 15:30")),
)
"""Clock changes in Berlin, New York and on Lord Howe Island."""

near_changes = st.builds(
    lambda change, seconds: change + timedelta(seconds=seconds),
    st.sampled_from(CHANGES),
    st.integers(-2 * DAY, 2 * DAY),
)
minutes = st.integers(0, 24 * 60 - 1)


@st.composite
def quiets(draw: st.DrawFn) -> Quiet:
    """Any quiet hours that a person may have."""
    begins = draw(minutes)
    ends = (begins + draw(st.integers(1, LONGEST_QUIET // MINUTE))) % (24 * 60)
    return Quiet(
        ZoneInfo(draw(st.sampled_from(ZONES))),
        time(*divmod(begins, 60)),
        time(*divmod(ends, 60)),
        timedelta(hours=draw(st.integers(0, 24))),
    )


def by_the_wall(quiet: Quiet, moment: datetime) -> bool:
    """Return whether the person's wall clock shows a time in the quiet hours."""
    shown = moment.astimezone(quiet.zone).time().replace(fold=0)
    if quiet.begins < quiet.ends:
        return quiet.begins <= shown < quiet.ends
    return shown >= quiet.begins or shown < quiet.ends


@st.composite
def rests(draw: st.DrawFn) -> Rest:
    """Random quiet hours or none, and up to three holidays that count."""
    begins, away = draw(moments | near_changes), list[Span]()
    for _ in range(draw(st.integers(0, 3))):
        begins += timedelta(seconds=draw(st.integers(1, 5 * DAY)))
        ends = begins + timedelta(seconds=draw(st.integers(1, 9 * DAY)))
        away.append((begins, ends))
        begins = ends
    return Rest(draw(st.none() | quiets()), tuple(away))


def is_away(rest: Rest, moment: datetime) -> bool:
    return any(begins <= moment < ends for begins, ends in rest.away)


@settings(deadline=None)
@given(moments | near_changes, st.integers(1, 30 * DAY), st.none() | rests())
def test_deadlines_and_running_time_agree(start: datetime, seconds: int, rest: Rest | None) -> None:
    end = deadline_after(start, seconds, rest)
    assert running_seconds(start, end, rest) == seconds
    assert running_seconds(start, end - timedelta(seconds=1), rest) == seconds - 1


@settings(deadline=None)
@given(moments | near_changes, quiets())
def test_quiet_hours_go_by_the_clock_on_the_wall(moment: datetime, quiet: Quiet) -> None:
    """Except near clock changes, a moment is quiet if and only if the wall clock says so."""
    quiet_now = quiet.around(moment) is not None
    assert quiet_now or not by_the_wall(quiet, moment)
    hours = (moment + timedelta(hours=h) for h in (-25, 25))
    first, second = (h.astimezone(quiet.zone).utcoffset() for h in hours)
    if first == second:
        assert quiet_now == by_the_wall(quiet, moment)


@pytest.mark.full
@settings(deadline=None)
@given(near_changes, st.integers(60, DAY), quiets(), st.integers(0, DAY), st.integers(0, DAY))
def test_a_slow_minute_hand_counts_the_same(
    start: datetime, seconds: int, quiet: Quiet, until: int, gone: int
) -> None:
    """Minute by minute, the clock runs unless the person is on holiday, or it is quiet and rest
    remains.
    """
    start = start.replace(second=0)
    leaves = start + timedelta(minutes=until // 60)
    rest = Rest(quiet, ((leaves, leaves + timedelta(minutes=1 + gone // 60)),))
    end, ran, rested = start, 0, timedelta()
    while ran < seconds // 60:
        if is_away(rest, end):
            pass
        elif quiet.around(end) is not None and rested < quiet.rest:
            rested += timedelta(minutes=1)
        else:
            ran += 1
        end += timedelta(minutes=1)
    assert deadline_after(start, ran * 60, rest) == end


# ----------------------------------------------------------------------------- reminders
def test_reminders_by_day() -> None:
    """Reminders come at half time, and an eighth of the time before the end (at most six hours)."""
    start = at("2026-01-15 08:00")
    assert alarms(start, 8 * HOUR, None) == {
        Alarm.HALF: at("2026-01-15 12:00"),
        Alarm.SOON: at("2026-01-15 15:00"),
        Alarm.END: at("2026-01-15 16:00"),
    }
    assert alarms(start, 7 * DAY, None)[Alarm.SOON] == at("2026-01-22 02:00")


def test_a_reminder_in_the_night_waits_for_the_morning() -> None:
    """Half time falls in a night during which the clock no longer rests, so the reminder comes at
    seven.
    """
    start = in_berlin("2026-01-15 18:00")
    due = alarms(start, 16 * HOUR, night(rest=0))
    assert due[Alarm.HALF] == in_berlin("2026-01-16 07:00")
    assert due[Alarm.SOON] == in_berlin("2026-01-16 08:00")


def test_a_reminder_that_cannot_wait_comes_before_the_night() -> None:
    """Time runs out at four in the morning: the last reminder comes just before ten at night, and
    there is none at half time.
    """
    start = in_berlin("2026-01-15 20:00")
    due = alarms(start, 8 * HOUR, night(rest=0))
    assert due[Alarm.END] == in_berlin("2026-01-16 04:00")
    assert due[Alarm.SOON] == in_berlin("2026-01-15 21:55")
    assert Alarm.HALF not in due


def test_no_reminder_where_the_whole_time_is_night() -> None:
    start = in_berlin("2026-01-15 23:00")
    assert list(alarms(start, 4 * HOUR, night(rest=0))) == [Alarm.END]


@settings(deadline=None)
@given(moments | near_changes, st.integers(HOUR, 30 * DAY), st.none() | rests())
def test_reminders_are_in_order_and_never_at_night(
    start: datetime, seconds: int, rest: Rest | None
) -> None:
    due, quiet = alarms(start, seconds, rest), None if rest is None else rest.quiet
    times = [due[alarm] for alarm in Alarm if alarm in due]
    assert times == sorted(set(times))
    assert times[0] > start
    assert due[Alarm.END] == deadline_after(start, seconds, rest)
    for alarm in (Alarm.HALF, Alarm.SOON):
        if alarm in due and quiet is not None:
            assert quiet.around(due[alarm]) is None
            assert not by_the_wall(quiet, due[alarm])
        assert rest is None or alarm not in due or not is_away(rest, due[alarm])
