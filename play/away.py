"""Holidays: while a person is away, clocks rest, within the server's limit.

The server limits the days in a row during which clocks rest; holidays with less than a week between
them count as one. A table's journal records which of its people leave and return, so that everyone
can see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from data.store.rows import PersonRow, Span, Status
from play.table import Refused, Table, refuse_if

BACK = timedelta(days=7)
"""Holidays less than this far apart count as one."""

LONGEST_AWAY = 365
"""The longest holiday, in days."""

KEPT = 20
"""How many holidays of a person are kept, because clocks that rested during them may still be
running.
"""

HOLIDAY = "holiday"
"""The kind of a journal line about a holiday. Its text is the end of the holiday; empty: the person
is back.
"""


# ------------------------------------------------------------------------------ a person
def away_until(person: PersonRow, now: datetime) -> datetime | None:
    """Return the end of the person's current holiday; None if the person is not away."""
    return next((ends for begins, ends in person.away if begins <= now < ends), None)


def gone(person: PersonRow, now: datetime, until: datetime) -> PersonRow:
    """Return the person with a holiday that begins now; if the person is already away, only the end
    changes.
    """
    now = now.replace(microsecond=0)
    begins = person.away[-1][0] if away_until(person, now) else now
    earlier = tuple(span for span in person.away if span[1] <= now)
    return replace(person, away=(*earlier, (begins, until))[-KEPT:])


def returned(person: PersonRow, now: datetime) -> PersonRow:
    """Return the person, back from a holiday.

    :raises Refused: ``not_away``.
    """
    now = now.replace(microsecond=0)
    refuse_if(away_until(person, now) is None, "not_away")
    *earlier, (begins, _) = person.away
    # Keep even a very short holiday, because the tables of anyone with a holiday are checked.
    return replace(person, away=(*earlier, (begins, now)))


def counted(holidays: Iterable[Span], days: int) -> Iterator[Span]:
    """Yield the parts of holidays during which clocks rest.

    :param holidays: in order.
    :param days: the most days in a row that count.
    """
    left, back = timedelta(), None
    for begins, ends in holidays:
        if back is None or begins - back >= BACK:
            left = timedelta(days=days)
        rest, back = min(left, ends - begins), ends
        left -= rest
        if rest:
            yield begins, begins + rest


_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})\.\s*(\d{1,2})\.?(?:\s*(\d{4}))?")


def read_day(text: str, today: date) -> date:
    """Return the date in a text: ``2026-12-03``, ``3.12.2026``, or ``3.12.`` for the next 3
    December.

    :raises Refused: ``no_such_day``.
    """
    spelled = _DAY.fullmatch(text.strip())
    if spelled is None:
        raise Refused("no_such_day", text=text)
    try:
        if spelled[1]:
            return date(int(spelled[1]), int(spelled[2]), int(spelled[3]))
        day = date(int(spelled[6] or today.year), int(spelled[5]), int(spelled[4]))
        return day if spelled[6] or day > today else day.replace(year=today.year + 1)
    except ValueError:
        raise Refused("no_such_day", text=text) from None


def back_on(day: date, zone: tzinfo, now: datetime) -> datetime:
    """Return the start of the day on which someone returns, in a time zone.

    :raises Refused: ``impossible_day``: it is today, past, or more than a year ahead.
    """
    ahead = (day - now.astimezone(zone).date()).days
    refuse_if(not 0 < ahead <= LONGEST_AWAY, "impossible_day", limit=LONGEST_AWAY)
    return datetime.combine(day, time(), zone).astimezone(UTC)


# ------------------------------------------------------------------------------- a table
def absent(table: Table) -> Mapping[int, datetime]:
    """Return the end of each current absence at a table, by person, according to its journal."""
    people = _travellers(table)
    if not people:
        return {}
    noted: dict[int, str] = {}
    for line in table.journal:
        if line.kind == HOLIDAY and line.person_id in people:
            noted[line.person_id] = line.text
    return {person: datetime.fromisoformat(until) for person, until in noted.items() if until}


def note_absence(table: Table, now: datetime) -> Table:
    """Return the table with a journal line about one person who has left, returned or changed the
    end of a holiday; the same object if there is nothing to note.
    """
    if table.row.status not in (Status.LOBBY, Status.RUNNING):
        return table
    people = _travellers(table)
    noted = absent(table) if people else {}
    for person in people:
        until = away_until(table.settings(person), now)
        if until != noted.get(person):
            text = "" if until is None else until.isoformat()
            return table.add(HOLIDAY, now, None, person, text)
    return table


def _travellers(table: Table) -> list[int]:
    """Return the people at a table with any holiday on record, even a past one."""
    people = [member.person_id for member in table.members if member.person_id is not None]
    return [person for person in people if table.settings(person).away]
