"""Daily play: the current day, streaks, their trophies, and the deal of the day.

Days are in UTC, the same for everyone on every server.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Any, Final

from data.store.riddles import Past, PlayRow
from data.store.trophies import TrophyRow
from games import GAMES
from games.engine import EngineError, Match, Move
from play.table import Refused, refuse_if

WEEK: Final = 7
"""In this many days in a row, one missed day is forgiven."""

DEAL: Final = "donquixote"
"""The game of the daily deal, which each person plays alone."""

_DOMAIN: Final = "Tafelrunde deal 1"


def day_of(now: datetime) -> date:
    """Return the day that contains a moment, which must have a time zone."""
    return now.astimezone(UTC).date()


def post_at(day: date, minutes: int, zone: tzinfo) -> datetime:
    """Return when a day is announced in a time zone: exactly once in each UTC day.

    :param minutes: the local time of the announcement, in minutes after midnight. If clocks are put
        back and the time occurs twice in the day, the first counts. If it does not occur, because
        clocks were put forward or the change moved it into a neighbouring day, the offset at the
        beginning of the day counts.
    """
    begin = datetime.combine(day, time(), UTC)
    wall = time(minutes // 60, minutes % 60)
    for local in (begin.astimezone(zone).date() + timedelta(days=n) for n in range(2)):
        at = datetime.combine(local, wall, zone).astimezone(UTC)
        if day_of(at) == day:
            return at
    offset = begin.astimezone(zone).utcoffset() or timedelta()
    return begin + (timedelta(minutes=minutes) - offset) % timedelta(days=1)


# ------------------------------------------------------------------------------ streaks
@dataclass(frozen=True, slots=True)
class Streak:
    """How many days in a row somebody has played.

    :param length: the days played in the current streak; 0: no streak.
    :param forgiven: the missed days within the current streak.
    """

    length: int
    longest: int
    forgiven: tuple[date, ...] = ()


def streak(days: Collection[date], today: date) -> Streak:
    """Return the streak of somebody who has played on these days.

    A single missed day is forgiven, at most one in seven days; it does not count towards the
    length. Any other missed day ends the streak. Today counts as missed only when it is over.
    """
    played = sorted(day for day in days if day <= today)
    length = longest = 0
    forgiven: list[date] = []
    last: date | None = None
    for day in [*played, None]:
        end = today if day is None else day
        missed = _between(last, end)
        if last is None or not _bridged(missed, forgiven):
            length, forgiven = 0, []
        else:
            forgiven += missed
        if day is not None:
            length, last = length + 1, day
            longest = max(longest, length)
    return Streak(length, longest, tuple(forgiven))


def _between(last: date | None, end: date) -> list[date]:
    """Return the days after ``last`` and before ``end``."""
    if last is None:
        return []
    return [last + timedelta(days=n) for n in range(1, (end - last).days)]


def _bridged(missed: Sequence[date], forgiven: Sequence[date]) -> bool:
    """Return whether a streak survives missed days, given the days already forgiven in it."""
    if not missed:
        return True
    since = (missed[0] - forgiven[-1]).days if forgiven else WEEK
    return len(missed) == 1 and since >= WEEK


# ----------------------------------------------------------------------------- trophies
STREAK: Final = "streak"
"""The kind of trophy for a streak."""

FLAWLESS: Final = "flawless"
"""The kind of trophy for riddles solved at the first attempt, without a hint."""

GIVEN_FOR: Final[Mapping[str, Mapping[int, int]]] = {
    STREAK: {7: 3, 30: 2, 100: 1},
    FLAWLESS: {10: 3, 30: 2, 100: 1},
}
"""By kind of trophy: the numbers of days or riddles that earn one, each with the trophy's metal; 1
is gold.
"""


def earned(person_id: int, past: Past, now: datetime) -> Iterator[TrophyRow]:
    """Yield all trophies that a person has earned so far with riddles and deals. Each is awarded
    once, and shown on every server.
    """
    reached = {STREAK: streak(past.days, day_of(now)).longest, FLAWLESS: past.flawless}
    for kind, steps in GIVEN_FOR.items():
        for count, place in steps.items():
            if reached[kind] >= count:
                yield TrophyRow(person_id, kind, str(count), "", None, place, str(count), now)


# ----------------------------------------------------------------------------- the deal
def day_seed(secret: str, day: date) -> str:
    """Return the seed of a day's deal; ``docs/riddles.md`` says how to check it."""
    lines = f"{_DOMAIN}\n{secret}\n{day.isoformat()}\n"
    return hashlib.sha256(lines.encode()).hexdigest()


def dealt(seed: str, moves: Sequence[Move]) -> Match[Any]:
    """Return the deal that a seed determines, after some moves.

    :raises EngineError: a move is illegal.
    """
    return _dealt(seed, tuple(moves)).copy()


@lru_cache(maxsize=64)
def _dealt(seed: str, moves: tuple[Move, ...]) -> Match[Any]:
    if moves:
        return _dealt(seed, moves[:-1]).played(0, moves[-1:])[0]
    game = GAMES[DEAL]
    match = Match(game, game.setup(1, {}, seed))
    match.advance()
    return match


def deal_points(match: Match[Any]) -> int | None:
    """Return the points of a finished deal; None if it is not finished."""
    return None if match.outcome is None else round(match.outcome.scores[0])


@dataclass(frozen=True, slots=True)
class DailyMove:
    """A move in the deal of a day.

    :param number: how many moves the person had made when choosing it.
    """

    move: Move
    number: int

    def effect(self, row: PlayRow, seed: str) -> PlayRow:
        """Return the row after the move.

        :raises Refused: ``stale``: the deal has changed since, or the move is illegal.
        """
        refuse_if(row.points is not None or len(row.moves) != self.number, "stale")
        moves = (*row.moves, self.move)
        try:
            match = dealt(seed, moves)
        except EngineError:
            raise Refused("stale") from None
        return PlayRow(row.person_id, row.day, row.guild_id, row.name, moves, deal_points(match))
