"""The seasons of a server as an occasion: each is ended when its time is up, and told once.

Which season runs, and what counts in it, stands in the store, where a match may begin the next
season before anyone has noticed the end of the last. So the occasion does not decide that: when it
is due, or its settings change, it wants somebody to look (``Look``) and to say what was found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from play.aggregate import Command
from play.occasions.occasion import Occasion, OccasionKind, OccasionState

GRACE: Final = timedelta(minutes=1)
"""How long after its end a season is looked at: a match that is just being stored still counts."""


@dataclass(frozen=True)
class Placed:
    """Someone in the table of a season.

    :param place: from 1; equal ratings share it.
    :param course: ratings, from the one at the beginning to the last.
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
    """The table of a season in one game.

    :param placed: the best first, at least one.
    :param people: how many have played.
    """

    game: str
    placed: tuple[Placed, ...]
    people: int


@dataclass(frozen=True)
class Ended:
    """A season that is over.

    :param title: as ``SeasonRow.title``.
    """

    number: int
    title: str
    rankings: tuple[Ranking, ...]


@dataclass(frozen=True)
class ServerSeasons(OccasionState):
    """How a server plays in seasons.

    :param length: one of ``MONTHS``; None: it does not.
    :param zone: name of the time zone by whose calendar seasons end.
    :param seen: the number of the last season of which it is known that it is over.
    :param ends_at: when the one that runs ends; None: none runs.
    :param look: somebody is to look now.
    :param ended: the seasons that are to be told, the oldest first; once they have been, they stay
        until the next ones are.
    """

    length: str | None = None
    zone: str = "UTC"
    seen: int = 0
    ends_at: datetime | None = None
    look: bool = False
    ended: tuple[Ended, ...] = ()


@dataclass(frozen=True, slots=True)
class Choose(Command[Occasion[ServerSeasons]]):
    """Choose how long seasons last, or to have none.

    :param channel_id: where seasons are told that are over; 0: nowhere.
    :param host_id: who has chosen that, and hears if nothing can be posted there.
    """

    length: str | None
    zone: str
    channel_id: int
    host_id: int | None = None

    def effect(self, occasion: Occasion[ServerSeasons], now: datetime) -> Occasion[ServerSeasons]:
        """Somebody is to look what that means."""
        text = f"{self.length or 'off'} {self.zone}"
        after = occasion.add(
            "choose", now, None, text, length=self.length, zone=self.zone, look=True
        )
        row = replace(after.row, channel_id=self.channel_id, host_id=self.host_id)
        return replace(after, row=row)


@dataclass(frozen=True, slots=True)
class Looked(Command[Occasion[ServerSeasons]]):
    """Record the standings of the seasons that have ended.

    :param at: the revision of the occasion that somebody has looked for.
    :param seen: as of ``ServerSeasons``; likewise ``ends_at``.
    :param ended: the seasons that were played and are over since somebody looked last.
    :param names: of those who stand in their tables, by id.
    """

    at: int
    seen: int
    ends_at: datetime | None
    ended: tuple[Ended, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)

    def effect(self, occasion: Occasion[ServerSeasons], now: datetime) -> Occasion[ServerSeasons]:
        """What was found is told, unless something has changed meanwhile, or another was faster."""
        if occasion.revision != self.at:
            return occasion
        ended = self.ended if occasion.channel_id else ()
        told: dict[str, Any] = {"ended": ended, "names": self.names} if ended else {}
        titles = " ".join(each.title for each in ended)
        return occasion.add(
            "look", now, None, titles, look=False, seen=self.seen, ends_at=self.ends_at, **told
        )


class SeasonKind(OccasionKind[ServerSeasons]):
    """Seasons follow each other as long as the server wants them."""

    NAME: ClassVar[str] = "season"
    STATE = ServerSeasons
    LINES: ClassVar[Mapping[str, str]] = {
        "choose": "An organiser chose how long seasons last, or to have none.",
        "end": "The time of a season is up.",
        "look": "The standings were read; the text has the titles of the seasons that ended.",
    }

    def follow(self, occasion: Occasion[ServerSeasons], now: datetime) -> Occasion[ServerSeasons]:
        """A season's time is up."""
        due = self.due(occasion)
        if due is None or now < due:
            return occasion
        return occasion.add("end", now, look=True)

    def due(self, occasion: Occasion[ServerSeasons]) -> datetime | None:
        """A moment after the end of the season that runs."""
        state = occasion.state
        return None if state.look or state.ends_at is None else state.ends_at + GRACE

    def leave(
        self, occasion: Occasion[ServerSeasons], person_id: int, now: datetime
    ) -> Occasion[ServerSeasons]:
        """What is over has no part in what is to come."""
        return occasion


def scope_of(guild_id: int) -> str:
    """By which the one occasion of a server is found."""
    return f"{SeasonKind.NAME}:{guild_id}"
