"""Times in words: paces, deadlines, and the choices that autocompletion offers for them."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from data.texts import Texts
from play.clock import DAY, HOUR, MINUTE, Pace, read_pace, wall_time
from play.table import Refused

PACES = ("1h", "6h", "12h", "1d", "2d", "3d", "7d", "1d+1h", "3d+6h", "7d+12h")
"""The paces that are offered."""


def pace_in_words(pace: Pace | None, say: Texts) -> str:
    """How much time people have."""
    if pace is None:
        return say("no limit")
    time = duration(pace.time, say)
    if not pace.increment:
        return say("{time} per turn", time=time)
    more = duration(pace.increment, say)
    return say("{time} in all, and after each turn {more} more", time=time, more=more)


def duration(seconds: int, say: Texts) -> str:
    """A time in whole days, or in hours."""
    if seconds % DAY == 0:
        return say.plural("{n} day", "{n} days", seconds // DAY)
    return say.plural("{n} hour", "{n} hours", seconds // HOUR)


def about(seconds: int, say: Texts) -> str:
    """How long something took, in the largest unit of which it has two, else in minutes."""
    if seconds >= 2 * DAY:
        return say.plural("{n} day", "{n} days", round(seconds / DAY))
    if seconds >= 2 * HOUR:
        return say.plural("{n} hour", "{n} hours", round(seconds / HOUR))
    return say.plural("{n} minute", "{n} minutes", max(1, round(seconds / MINUTE)))


def deadline(at: datetime) -> str:
    """A moment as every reader's Discord shows it, and how far away it is."""
    return f"{moment(at)} (<t:{int(at.timestamp())}:R>)"


def moment(at: datetime) -> str:
    """A moment as every reader's Discord shows it."""
    return f"<t:{int(at.timestamp())}:f>"


def day(at: datetime) -> str:
    """The day of a moment as every reader's Discord shows it."""
    return f"<t:{int(at.timestamp())}:D>"


def clock_face(minutes: int) -> str:
    """A time of the day, in minutes after midnight."""
    return f"{wall_time(minutes):%H:%M}"


def pace_choices(typed: str, say: Texts) -> list[tuple[str, str]]:
    """Paces, as (text, words), whose words contain what was typed, and the one that was typed."""
    wanted = typed.strip().casefold()
    known = {text: pace_in_words(read_pace(text), say) for text in PACES}
    fitting = {t: words for t, words in known.items() if wanted in t or wanted in words.casefold()}
    with suppress(Refused):
        fitting[wanted] = pace_in_words(read_pace(wanted), say)
    return list(fitting.items())
