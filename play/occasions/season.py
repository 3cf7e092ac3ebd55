"""A server's seasons as an occasion: each ends when its time is up, and is announced once.

Which season is running, and which matches count in it, is up to the store: a match may begin the
next season before anyone has noticed that the last one is over. So the occasion leaves this to the
store: when it is due, or its settings change, it asks a worker to check the store (``look``) and
report back (``Looked``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from play.aggregate import Command
from play.occasions.occasion import Occasion, OccasionKind, OccasionState

GRACE: Final = timedelta(minutes=1)
"""A season is checked this long after its end, because a match that is just being stored when the
season ends still counts.
"""


@dataclass(frozen=True)
class Placed:
    """A person in a season's ranking.

    :param place: from 1; people with equal ratings share a place.
    :param course: ratings, from the first to the last.
    """

    person_id: int
    place: int
    rating: int
    matches: int
    won: int
    longest: int
    course: tuple[int, ...]


@dataclass(frozen=True)
class Ranking:
    """A season's ranking in one game.

    :param placed: the best first, at least one.
    :param people: how many people are ranked, in ``placed`` or below.
    """

    game: str
    placed: tuple[Placed, ...]
    people: int


@dataclass(frozen=True)
class Ended:
    """A season that is over.

    :param title: see ``SeasonRow.title``.
    """

    number: int
    title: str
    rankings: tuple[Ranking, ...]


@dataclass(frozen=True)
class ServerSeasons(OccasionState):
    """The state of a server's seasons.

    :param length: one of ``MONTHS``; None: the server has no seasons.
    :param zone: the name of the time zone in which seasons end.
    :param seen: the number of the last season known to be over.
    :param ends_at: when the running season ends; None: no season is running.
    :param look: whether the store has to be checked now.
    :param ended: the seasons to announce, oldest first; they stay until the next ones end.
    """

    length: str | None = None
    zone: str = "UTC"
    seen: int = 0
    ends_at: datetime | None = None
    look: bool = False
    ended: tuple[Ended, ...] = ()


@dataclass(frozen=True, slots=True)
class Choose(Command[Occasion[ServerSeasons]]):
    """Choose how long seasons last, or turn them off.

    :param channel_id: where ended seasons are announced; 0: nowhere.
    :param host_id: the person who chose this, and is notified if the bot cannot post there.
    """

    length: str | None
    zone: str
    channel_id: int
    host_id: int | None = None

    def effect(self, occasion: Occasion[ServerSeasons], now: datetime) -> Occasion[ServerSeasons]:
        """Return the occasion with the choice; every choice requires a check of the store."""
        text = f"{self.length or 'off'} {self.zone}"
        after = occasion.add(
            "choose", now, None, text, length=self.length, zone=self.zone, look=True
        )
        row = replace(after.row, channel_id=self.channel_id, host_id=self.host_id)
        return replace(after, row=row)


@dataclass(frozen=True, slots=True)
class Looked(Command[Occasion[ServerSeasons]]):
    """Record the result of checking the store.

    :param at: the revision at which the occasion asked for the check.
    :param seen: see ``ServerSeasons``.
    :param ends_at: see ``ServerSeasons``.
    :param ended: the seasons with a match that have ended since the last check.
    :param names: the names of the people in their rankings, by id.
    """

    at: int
    seen: int
    ends_at: datetime | None
    ended: tuple[Ended, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)

    def effect(self, occasion: Occasion[ServerSeasons], now: datetime) -> Occasion[ServerSeasons]:
        """Return the occasion with the result; unchanged if the occasion has changed since, or was
        checked by someone else.
        """
        if occasion.revision != self.at:
            return occasion
        ended = self.ended if occasion.channel_id else ()
        told: dict[str, Any] = {"ended": ended, "names": self.names} if ended else {}
        titles = " ".join(each.title for each in ended)
        return occasion.add(
            "look", now, None, titles, look=False, seen=self.seen, ends_at=self.ends_at, **told
        )


class SeasonKind(OccasionKind[ServerSeasons]):
    """The rules of seasons, which follow one another for as long as the server wants them."""

    NAME: ClassVar[str] = "season"
    STATE = ServerSeasons
    LINES: ClassVar[Mapping[str, str]] = {
        "choose": "A manager of the server chose how long seasons last, or that there are none.",
        "end": "A season is over.",
        "look": "The store was checked; the text has the titles of the seasons to announce.",
    }

    def follow(self, occasion: Occasion[ServerSeasons], now: datetime) -> Occasion[ServerSeasons]:
        """Ask for a check of the store once a season is over."""
        due = self.due(occasion)
        if due is None or now < due:
            return occasion
        return occasion.add("end", now, look=True)

    def due(self, occasion: Occasion[ServerSeasons]) -> datetime | None:
        """Return a moment shortly after the running season ends; None if none is running, or the
        store has to be checked first.
        """
        state = occasion.state
        return None if state.look or state.ends_at is None else state.ends_at + GRACE

    def leave(
        self, occasion: Occasion[ServerSeasons], person_id: int, now: datetime
    ) -> Occasion[ServerSeasons]:
        """Return the occasion unchanged, because nobody signs up for seasons."""
        return occasion


def scope_of(guild_id: int) -> str:
    """Return the scope of a server's seasons: at most one occasion per server."""
    return f"{SeasonKind.NAME}:{guild_id}"
