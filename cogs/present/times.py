"""Times in words: paces, deadlines, and the autocompletion choices for paces."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from data.texts import Texts
from play.clock import DAY, HOUR, MINUTE, Pace, read_pace, wall_time
from play.table import Refused

PACES = ("1h", "6h", "12h", "1d", "2d", "3d", "7d", "1d+1h", "3d+6h", "7d+12h")
"""The paces that are offered; where people type a pace, they can type others, too."""


def pace_in_words(pace: Pace | None, say: Texts) -> str:
    """Say how much time players have."""
    if pace is None:
        return say("no limit")
    time = duration(pace.time, say)
    if not pace.increment:
        return say("{time} per turn", time=time)
    more = duration(pace.increment, say)
    return say("{time} in total, plus {more} after each turn", time=time, more=more)


def duration(seconds: int, say: Texts) -> str:
    """Give a duration in days if it is a whole number of days, otherwise in hours."""
    if seconds % DAY == 0:
        return say.plural("{n} day", "{n} days", seconds // DAY)
    return say.plural("{n} hour", "{n} hours", seconds // HOUR)


def about(seconds: int, say: Texts) -> str:
    """Give a rough duration in the largest unit that yields at least two, or else in minutes."""
    if seconds >= 2 * DAY:
        return say.plural("{n} day", "{n} days", round(seconds / DAY))
    if seconds >= 2 * HOUR:
        return say.plural("{n} hour", "{n} hours", round(seconds / HOUR))
    return say.plural("{n} minute", "{n} minutes", max(1, round(seconds / MINUTE)))


def deadline(at: datetime) -> str:
    """Show a moment in the reader's own time zone, and how far away it is."""
    return f"{moment(at)} (<t:{int(at.timestamp())}:R>)"


def moment(at: datetime) -> str:
    """Show a moment in the reader's own time zone."""
    return f"<t:{int(at.timestamp())}:f>"


def day(at: datetime) -> str:
    """Show the day of a moment in the reader's own time zone."""
    return f"<t:{int(at.timestamp())}:D>"


def clock_face(minutes: int) -> str:
    """Return a time of day as ``HH:MM``.

    :param minutes: the minutes after midnight.
    """
    return f"{wall_time(minutes):%H:%M}"


def pace_choices(typed: str, say: Texts) -> list[tuple[str, str]]:
    """Return the paces whose text or words contain the typed text, and the typed text itself if it
    is a pace, as (text, words).
    """
    wanted = typed.strip().casefold()
    known = {text: pace_in_words(read_pace(text), say) for text in PACES}
    fitting = {t: words for t, words in known.items() if wanted in t or wanted in words.casefold()}
    with suppress(Refused):
        fitting[wanted] = pace_in_words(read_pace(wanted), say)
    return list(fitting.items())
