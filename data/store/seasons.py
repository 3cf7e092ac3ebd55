"""The seasons of servers: when they begin and end, and that one follows the other.

Seasons of a server lie side by side without gap or overlap, for as long as it plays in seasons. The
next one begins by whatever comes first after the end of one: a match that is finished, or its
deadline.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from data.store.access import Database
from data.store.columns import Kind
from data.zones import zone_named

MONTHS: Final = {"month": 1, "quarter": 3, "year": 12}
"""By length, so many months."""

MONTH: Final = timedelta(days=30)
"""About as long as a month is."""


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A season of a server.

    :param number: from 1.
    :param length: one of ``MONTHS``.
    :param zone: name of the time zone by whose calendar it ends.
    :param ends_at: no longer part of it.
    :param final: no other season follows it.
    :param closed: it is over, and its trophies have been given.
    """

    guild_id: int
    number: int
    length: str
    zone: str
    begins_at: datetime
    ends_at: datetime
    final: bool = False
    closed: bool = False

    @property
    def title(self) -> str:
        """The time that it ends with: ``2026-11``, ``2026-Q4`` or ``2026``."""
        last = (self.ends_at - timedelta(seconds=1)).astimezone(zone_named(self.zone) or UTC)
        match self.length:
            case "month":
                return f"{last:%Y-%m}"
            case "quarter":
                return f"{last.year}-Q{(last.month + 2) // 3}"
            case _:
                return str(last.year)


def season_end(begins_at: datetime, length: str, zone: str, now: datetime) -> datetime:
    """When a season ends: at the first end of a month, quarter or year that is still to come and
    by which it has lasted half as long as a whole one. So none is over as soon as it has begun,
    whenever a server begins to play in seasons, or moves to another time zone.
    """
    half = MONTH * MONTHS[length] / 2
    return _end_after(max(begins_at + half, now), length, zone)


def _end_after(at: datetime, length: str, zone: str) -> datetime:
    """The first end of a month, quarter or year after a time. Where clocks are put forward at this
    midnight, it is the moment in which they are.
    """
    here = zone_named(zone) or UTC
    local, months = at.astimezone(here), MONTHS[length]
    month = ((12 * local.year + local.month - 1) // months + 1) * months
    return datetime(month // 12, month % 12 + 1, 1, tzinfo=here).astimezone(UTC)


def following(season: SeasonRow) -> SeasonRow:
    """The season after one that is not the last."""
    begins_at = season.ends_at
    ends_at = season_end(begins_at, season.length, season.zone, begins_at)
    return replace(
        season, number=season.number + 1, begins_at=begins_at, ends_at=ends_at, closed=False
    )


# ------------------------------------------------------------- parts of the transactions
SEASONS = Kind("seasons", SeasonRow, 2)


def last_season(db: Database, guild_id: int) -> SeasonRow | None:
    """The season of a server that ends last, if it has any."""
    found = SEASONS.find(db, "guild_id = ? ORDER BY number DESC LIMIT 1", guild_id)
    return found[0] if found else None


def keep_up(db: Database, guild_id: int, now: datetime) -> SeasonRow | None:
    """Let one season follow the other until now.

    :returns: the one that runs; None: the server does not play in seasons.
    """
    season = last_season(db, guild_id)
    while season is not None and season.ends_at <= now:
        if season.final:
            return None
        season = following(season)
        SEASONS.put(db, [season])
    return season
