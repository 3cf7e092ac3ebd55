"""Days, streaks, and the daily deal."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, time, timedelta, timezone
from itertools import product
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from data.store.riddles import Past, PlayRow
from games.engine import Match
from games.fairness import sealed
from play.daily import (
    DailyMove,
    Streak,
    day_of,
    day_seed,
    deal_points,
    dealt,
    earned,
    post_at,
    streak,
)
from play.table import Refused

TODAY = date(2026, 11, 22)
SEED = day_seed("secret", TODAY)
ROW = PlayRow(1, TODAY.isoformat(), 2, "Anna")


def test_a_day_is_one_of_utc() -> None:
    late = datetime(2026, 11, 21, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    assert day_of(late) == TODAY
    assert day_of(datetime(2026, 11, 22, 23, 59, tzinfo=UTC)) == TODAY


@pytest.mark.parametrize(
    "zone", ["UTC", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "Asia/Kathmandu"]
)
def test_each_day_is_announced_once_within_it(zone: str) -> None:
    """Whatever half-hour is set, each day is announced on that day in UTC, and at the right local
    time on all but at most two days of a year.
    """
    there = ZoneInfo(zone)
    for minutes in range(0, 24 * 60, 30):
        moved = 0
        for n in range(366):
            day = date(2026, 1, 1) + timedelta(days=n)
            at = post_at(day, minutes, there)
            assert day_of(at) == day
            local = at.astimezone(there)
            moved += 60 * local.hour + local.minute != minutes
        assert moved <= 2, minutes


def test_an_hour_that_is_skipped_or_comes_twice() -> None:
    """A skipped hour is replaced with the next; of a repeated hour, the first counts."""
    berlin = ZoneInfo("Europe/Berlin")
    forward, back = date(2026, 3, 29), date(2026, 10, 25)
    assert post_at(forward, 150, berlin) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert post_at(back, 150, berlin) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    new_york = ZoneInfo("America/New_York")
    # Until the change, 19:30 there is 23:30 UTC; afterwards, it is 0:30 UTC of the next day.
    change = post_at(date(2026, 11, 1), 19 * 60 + 30, new_york)
    assert change == datetime(2026, 11, 1, 23, 30, tzinfo=UTC)


# ------------------------------------------------------------------------------ streaks
def slowly(played: tuple[bool, ...]) -> int:
    """The length of a streak after a list of days, oldest first, counted day by day."""
    length, since_missed = 0, 7
    for day in played:
        since_missed += 1
        if day:
            length += 1
        elif length and since_missed >= 7:
            since_missed = 0
        else:
            length, since_missed = 0, 7
    return length


def days(played: tuple[bool, ...]) -> list[date]:
    """Return the days played; the last flag stands for yesterday."""
    first = TODAY - timedelta(days=len(played))
    return [first + timedelta(days=n) for n, day in enumerate(played) if day]


def test_streaks_of_all_kinds() -> None:
    """Streaks agree with the definition for all histories of eleven days."""
    for played in product((False, True), repeat=11):
        assert streak(days(played), TODAY).length == slowly(played), played


@pytest.mark.parametrize(
    ("played", "expected"),
    [
        ("", Streak(0, 0)),
        ("1", Streak(1, 1)),
        ("111", Streak(3, 3)),
        ("1101", Streak(3, 3, (TODAY - timedelta(days=2),))),
        ("11001", Streak(1, 2)),
        ("101011", Streak(2, 2)),
        ("10111111011", Streak(9, 9, (TODAY - timedelta(days=10), TODAY - timedelta(days=3)))),
        ("1011111011", Streak(2, 6)),
        ("10", Streak(1, 1, (TODAY - timedelta(days=1),))),
        ("100", Streak(0, 1)),
    ],
)
def test_one_missed_day_a_week_is_forgiven(played: str, expected: Streak) -> None:
    """Each digit is a day, the last one yesterday; today does not count as missed yet."""
    assert streak(days(tuple(sign == "1" for sign in played)), TODAY) == expected


@pytest.mark.parametrize(
    ("played", "flawless", "expected"),
    [
        (6, 9, []),
        (7, 10, [("streak", "7", 3), ("flawless", "10", 3)]),
        (30, 29, [("streak", "7", 3), ("streak", "30", 2), ("flawless", "10", 3)]),
        (100, 0, [("streak", "7", 3), ("streak", "30", 2), ("streak", "100", 1)]),
    ],
)
def test_trophies_for_riddles_and_deals(
    played: int, flawless: int, expected: list[tuple[str, str, int]]
) -> None:
    """Trophies are for the longest streak so far, so a missed day takes none away."""
    long_ago = [TODAY - timedelta(days=400 + n) for n in range(played)]
    past = Past(frozenset(long_ago), flawless)
    found = [*earned(1, past, datetime.combine(TODAY, time(), UTC))]
    assert [(each.kind, each.source, each.place) for each in found] == expected
    assert {each.guild_id for each in found} <= {None}


def test_today_counts_as_soon_as_it_is_played() -> None:
    yesterday = TODAY - timedelta(days=1)
    assert streak({yesterday}, TODAY).length == 1
    assert streak({yesterday, TODAY}, TODAY).length == 2
    assert streak({TODAY + timedelta(days=1)}, TODAY) == Streak(0, 0)


# -------------------------------------------------------------------------------- deals
def test_the_seed_is_pinned() -> None:
    """An old deal can still be verified as ``docs/riddles.md`` describes."""
    assert SEED == "3b3723512ff3b1293ddcbbaf9c62b02ecb4fd23e982a980706f2bac3e9d20ba3"
    assert day_seed("secret", TODAY + timedelta(days=1)) != SEED
    assert sealed("secret").startswith("2bb80d537b1da3e38bd30361aa855686")


@pytest.mark.seeds(2)
def test_everybody_is_dealt_the_same(seed: int) -> None:
    """The drawn fields and hands do not depend on the moves."""
    drawn = []
    for player in range(2):
        rng, match = random.Random(f"{seed} {player}"), dealt(SEED, ())
        while match.outcome is None:
            legal = match.game.legal(match.state, 0)
            match = dealt(SEED, [*own(match), rng.choice(legal)])
        assert deal_points(match) is not None
        drawn.append([event.move for event in match.log if event.seat != 0])
    assert drawn[0] == drawn[1]


def own(match: Match[Any]) -> list[str]:
    """The moves of the player."""
    return [event.move for event in match.log if event.seat == 0]


def test_a_move_counts_once() -> None:
    match = dealt(SEED, ())
    move, *others = match.game.legal(match.state, 0)
    after = DailyMove(move, 0).effect(ROW, SEED)
    assert after.moves == (move,)
    assert after.points is None
    for wrong, number in ((move, 0), (others[-1], 0), ("KN99", 1), (move, 1), (move, 2)):
        with pytest.raises(Refused, match="stale"):
            DailyMove(wrong, number).effect(after, SEED)


def test_a_deal_ends_with_its_points() -> None:
    row = ROW
    while row.points is None:
        match = dealt(SEED, row.moves)
        row = DailyMove(match.game.legal(match.state, 0)[0], len(row.moves)).effect(row, SEED)
    outcome = dealt(SEED, row.moves).outcome
    assert outcome is not None
    assert row.points == outcome.scores[0]
    with pytest.raises(Refused, match="stale"):
        DailyMove("KN01", len(row.moves)).effect(row, SEED)
