"""Clock arithmetic: paces, quiet hours, deadlines. Nothing here reads the current time. All moments
are in UTC.

A clock runs while a person owes others a decision. It rests during the person's quiet hours and
holidays; the server limits how many quiet hours count per turn, and how many days of holiday count
in a row. Quiet hours follow the wall clock of the person's time zone. Where daylight saving makes
their beginning or end ambiguous, or skips it, the longer rest counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from itertools import count
from typing import Any

from data.store.rows import Alarm, PersonRow, ServerRow, Span
from data.zones import zone_named
from play.away import counted
from play.table import PACE, STRICT, Refused, refuse_if

MINUTE, HOUR, DAY = 60, 3600, 24 * 3600

SHORTEST, LONGEST = HOUR, 7 * DAY
"""Limits for the time per turn, and for an increment."""

SMALLEST_BANK, LARGEST_BANK = DAY, 30 * DAY

LONGEST_QUIET = 16 * HOUR
"""The longest quiet hours; longer ones would leave too little of the day for reminders."""

WARNING = timedelta(minutes=5)
"""If a reminder cannot wait until quiet hours or a holiday are over, it comes this long before they
begin.
"""

FIRST_NUDGE, NEXT_NUDGE = 3 * DAY, 7 * DAY
"""For decisions without a time limit: seconds until the first reminder, and then between reminders.
"""

UNTIL_ASKED = 28 * DAY
"""For decisions without a time limit: seconds until the table is asked whether to end the match,
and then between two such questions.
"""

AGAIN = HOUR
"""The minimum time, in seconds, if the clock of a decision starts again, as after an undo."""


# --------------------------------------------------------------------------------- paces
@dataclass(frozen=True, slots=True)
class Pace:
    """How much time people have, in seconds.

    :param time: the time for a turn; with an increment: the bank from which all turns draw.
    :param increment: added to the bank after each turn, up to the bank's initial size; 0: there is
        no bank.
    :param strict: whether the bot acts when time is up, without asking the table.
    """

    time: int
    increment: int = 0
    strict: bool = False

    @property
    def more(self) -> int:
        """The seconds that "wait longer" adds."""
        return self.increment or self.time

    def budget(self, left: int | None) -> int:
        """Return the time for the next turn.

        :param left: the time left after the previous turn; None: this is the first turn.
        """
        if not self.increment or left is None:
            return self.time
        return min(self.time, left + self.increment)


_PACE = re.compile(r"(\d{1,4})\s*([hd])(?:\s*\+\s*(\d{1,4})\s*([hd]))?", re.IGNORECASE)
_UNITS = {"h": HOUR, "d": DAY}


def read_pace(text: str, strict: bool = False) -> Pace:
    """Return the pace in a text: ``12h``, ``2d``, or bank and increment, ``3d+6h``.

    :raises Refused: ``no_such_pace``, ``impossible_turn``, ``impossible_bank``.
    """
    spelled = _PACE.fullmatch(text.strip())
    if spelled is None:
        raise Refused("no_such_pace", text=text)
    amount, unit, increment, its_unit = spelled.groups()
    time = int(amount) * _UNITS[unit.lower()]
    if increment is None:
        refuse_if(not SHORTEST <= time <= LONGEST, "impossible_turn")
        return Pace(time, 0, strict)
    added = int(increment) * _UNITS[its_unit.lower()]
    if not (SMALLEST_BANK <= time <= LARGEST_BANK and SHORTEST <= added <= min(time, LONGEST)):
        raise Refused("impossible_bank")
    return Pace(time, added, strict)


def pace_in(options: Mapping[str, Any]) -> Pace | None:
    """Return the pace in the options of a table; None: no limit.

    :raises Refused: whatever ``read_pace`` raises.
    """
    text = options.get(PACE)
    return read_pace(text, bool(options.get(STRICT))) if text else None


# -------------------------------------------------------------------------- when clocks rest
@dataclass(frozen=True, slots=True)
class Quiet:
    """A person's quiet hours.

    :param begins: wall-clock time in the zone; later than ``ends`` if they span midnight.
    :param rest: the longest time per turn for which a clock rests in these hours.
    """

    zone: tzinfo
    begins: time
    ends: time
    rest: timedelta

    def spans(self, since: datetime) -> Iterator[Span]:
        """Yield the quiet hours that end after a moment, in order, endlessly."""
        day = since.astimezone(self.zone).date() - timedelta(days=1)
        while True:
            morning = day if self.begins < self.ends else day + timedelta(days=1)
            begins = min(self._readings(datetime.combine(day, self.begins)))
            ends = max(self._readings(datetime.combine(morning, self.ends)))
            if ends > since:
                yield begins, ends
            day += timedelta(days=1)

    def around(self, at: datetime) -> Span | None:
        """Return the quiet hours that contain a moment; None if there are none."""
        begins, ends = next(self.spans(at))
        return (begins, ends) if begins <= at else None

    def _readings(self, wall: datetime) -> tuple[datetime, datetime]:
        """Return the moments that a wall-clock time may mean: two if the clocks change at that
        time.
        """
        first, second = (wall.replace(tzinfo=self.zone, fold=fold) for fold in (0, 1))
        return first.astimezone(UTC), second.astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Rest:
    """The times at which a person's clocks rest.

    :param away: the counted parts of holidays, in order, without overlaps.
    """

    quiet: Quiet | None
    away: tuple[Span, ...] = ()

    def spans(self, since: datetime) -> Iterator[Span]:
        """Yield the rests of a clock started at a moment, in order. Nights within holidays do not
        use up the limit for quiet hours.
        """
        left = timedelta() if self.quiet is None else self.quiet.rest
        for begins, ends in self.away:
            if ends > since:
                for night in self._nights(since, begins, left):
                    left -= night[1] - night[0]
                    yield night
                yield max(begins, since), ends
                since = ends
        yield from self._nights(since, None, left)

    def _nights(self, since: datetime, until: datetime | None, left: timedelta) -> Iterator[Span]:
        """Yield the quiet hours between two moments until the limit is used up."""
        for night in () if self.quiet is None else self.quiet.spans(since):
            begins = max(night[0], since)
            ends = min(night[1], begins + left, until or night[1])
            if ends <= begins:
                return
            yield begins, ends
            left -= ends - begins

    def around(self, at: datetime) -> Span | None:
        """Return the period without reminders that contains a moment: a holiday or quiet hours,
        merged with any directly before or after; None if there is none.
        """
        found = self._around(at)
        if found is None:
            return None
        begins, ends = found
        while (later := self._around(ends)) is not None:
            ends = later[1]
        while (earlier := self._around(begins - timedelta(seconds=1))) is not None:
            begins = earlier[0]
        return begins, ends

    def _around(self, at: datetime) -> Span | None:
        away = next((span for span in self.away if span[0] <= at < span[1]), None)
        return away if away or self.quiet is None else self.quiet.around(at)


def resting(person: PersonRow, server: ServerRow) -> Rest | None:
    """Return when a person's clocks rest at the tables of a server; None: never."""
    quiet, away = _quiet_of(person, server), tuple(counted(person.away, server.away_limit))
    return Rest(quiet, away) if quiet or away else None


def _quiet_of(person: PersonRow, server: ServerRow) -> Quiet | None:
    zone = zone_named(person.zone)
    if zone is None or person.quiet_from is None or person.quiet_to is None:
        return None
    return Quiet(
        zone,
        wall_time(person.quiet_from),
        wall_time(person.quiet_to),
        timedelta(hours=server.quiet_limit),
    )


def wall_time(minutes: int) -> time:
    """Return the time of day at some number of minutes after midnight."""
    return time(*divmod(minutes, 60))


def read_wall_time(text: str) -> int:
    """Read a typed time of day, such as ``22:30``, ``22.30`` or ``7``; return it in minutes after
    midnight.

    :raises Refused: ``no_such_time``.
    """
    spelled = re.fullmatch(r"(\d{1,2})(?:[:.](\d{2}))?(?:\s*(?:h|uhr))?", text.strip().casefold())
    hours, minutes = (int(part or 0) for part in spelled.groups()) if spelled else (24, 0)
    refuse_if(hours > 23 or minutes > 59, "no_such_time", text=text)
    return hours * 60 + minutes


def check_quiet(begins: int, ends: int) -> None:
    """Refuse quiet hours (in minutes after midnight) that are empty, or that leave too little of
    the day.

    :raises Refused: ``impossible_quiet``.
    """
    if not 0 < (ends - begins) % (24 * 60) * MINUTE <= LONGEST_QUIET:
        raise Refused("impossible_quiet", limit=LONGEST_QUIET // HOUR)


# ----------------------------------------------------------------------------- deadlines
def running_seconds(start: datetime, end: datetime, rest: Rest | None) -> int:
    """Return how many seconds a clock started at ``start`` ran until ``end``."""
    passed = end - start
    for begins, ends in () if rest is None else rest.spans(start):
        if begins >= end:
            break
        passed -= min(ends, end) - begins
    return int(passed.total_seconds())


def deadline_after(start: datetime, seconds: int, rest: Rest | None) -> datetime:
    """Return when a clock started at ``start`` will have run for this many seconds."""
    at, left = start, timedelta(seconds=seconds)
    for begins, ends in () if rest is None else rest.spans(start):
        if at + left <= begins:
            break
        left -= begins - at
        at = ends
    return at + left


def alarms(opened: datetime, seconds: int, rest: Rest | None) -> dict[Alarm, datetime]:
    """Return when the time for a decision is up, and when to remind the person.

    Reminders come at half time and shortly before the end (an eighth of the time, at most six
    hours). A reminder that falls in quiet hours or a holiday comes after them, or before them if
    the next reminder or the end would come first; if neither is possible, it is left out.

    :param seconds: the time for the decision.
    """
    end = deadline_after(opened, seconds, rest)
    shortly = min(seconds // 8, 6 * HOUR)
    due = {Alarm.END: end}
    soon = _awake(deadline_after(opened, seconds - shortly, rest), opened, end, rest)
    if soon is not None:
        due[Alarm.SOON] = soon
    half = _awake(deadline_after(opened, seconds // 2, rest), opened, soon or end, rest)
    if half is not None:
        due[Alarm.HALF] = half
    return due


def gentle_alarms(opened: datetime, rest: Rest | None, now: datetime) -> dict[Alarm, datetime]:
    """Return when to remind someone of a decision without a limit, and when to ask the table about
    it: the next of each after ``now``, outside quiet hours and holidays.
    """
    return {
        Alarm.NUDGE: _next(opened, FIRST_NUDGE, NEXT_NUDGE, rest, now),
        Alarm.ASK: _next(opened, UNTIL_ASKED, UNTIL_ASKED, rest, now),
    }


def _next(opened: datetime, first: int, every: int, rest: Rest | None, now: datetime) -> datetime:
    """Return the first moment after ``now`` on a grid: ``first`` seconds after ``opened``, then
    every ``every`` seconds. A moment in quiet hours or a holiday is put off until they end.
    """
    for seconds in count(first, every):
        at = deadline_after(opened, seconds, rest)
        silence = None if rest is None else rest.around(at)
        at = at if silence is None else silence[1]
        if at > now:
            return at
    raise AssertionError("unreachable")


def _awake(at: datetime, after: datetime, before: datetime, rest: Rest | None) -> datetime | None:
    """Return when to send a reminder that is best sent at ``at``, strictly between two other
    moments; None if that is impossible.
    """
    silence = None if rest is None else rest.around(at)
    candidates = (at,) if silence is None else (silence[1], silence[0] - WARNING)
    return next((moment for moment in candidates if after < moment < before), None)
