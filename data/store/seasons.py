"""The seasons of servers, and when each begins and ends.

While a server plays in seasons, they follow each other without gap or overlap. The next season is
created when, after the end of the previous one, a match finishes, the bot awards trophies or
somebody changes the settings, whichever comes first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from data.store.access import Database
from data.store.columns import Kind
from data.zones import zone_named

MONTHS: Final = {"month": 1, "quarter": 3, "year": 12}
"""The number of months in a season of each length."""

MONTH: Final = timedelta(days=30)
"""The approximate length of a month."""


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A season of a server.

    :param number: from 1.
    :param length: a key of ``MONTHS``.
    :param zone: the name of the time zone whose calendar sets the end of the season.
    :param ends_at: exclusive.
    :param final: whether no other season follows it.
    :param closed: whether it is over and its trophies have been awarded.
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
        """The last month, quarter or year of the season: ``2026-11``, ``2026-Q4`` or ``2026``."""
        last = (self.ends_at - timedelta(seconds=1)).astimezone(zone_named(self.zone) or UTC)
        match self.length:
            case "month":
                return f"{last:%Y-%m}"
            case "quarter":
                return f"{last.year}-Q{(last.month + 2) // 3}"
            case _:
                return str(last.year)


def season_end(begins_at: datetime, length: str, zone: str, now: datetime) -> datetime:
    """Return when a season ends: at the first end of a month, quarter or year that is after ``now``
    and gives the season at least half its usual length. This keeps a season from ending almost at
    once after a server begins to play in seasons or changes its time zone.

    :param length: a key of ``MONTHS``.
    :param zone: the name of a time zone; UTC applies if this system does not know it.
    """
    half = MONTH * MONTHS[length] / 2
    return _end_after(max(begins_at + half, now), length, zone)


def _end_after(at: datetime, length: str, zone: str) -> datetime:
    """Return the first end of a month, quarter or year after a time. If clocks go forward at that
    midnight, so that it does not exist, return the moment of the change.
    """
    here = zone_named(zone) or UTC
    local, months = at.astimezone(here), MONTHS[length]
    month = ((12 * local.year + local.month - 1) // months + 1) * months
    return datetime(month // 12, month % 12 + 1, 1, tzinfo=here).astimezone(UTC)


def following(season: SeasonRow) -> SeasonRow:
    """Return the season that follows one that is not ``final``."""
    begins_at = season.ends_at
    ends_at = season_end(begins_at, season.length, season.zone, begins_at)
    return replace(
        season, number=season.number + 1, begins_at=begins_at, ends_at=ends_at, closed=False
    )


# ------------------------------------------------------------- parts of the transactions
SEASONS = Kind("seasons", SeasonRow, 2)


def last_season(db: Database, guild_id: int) -> SeasonRow | None:
    """Return a server's latest season; None if it has none."""
    found = SEASONS.find(db, "guild_id = ? ORDER BY number DESC LIMIT 1", guild_id)
    return found[0] if found else None


def keep_up(db: Database, guild_id: int, now: datetime) -> SeasonRow | None:
    """Create the missing seasons up to now.

    :returns: the current season; None if the server does not play in seasons.
    """
    season = last_season(db, guild_id)
    while season is not None and season.ends_at <= now:
        if season.final:
            return None
        season = following(season)
        SEASONS.put(db, [season])
    return season
