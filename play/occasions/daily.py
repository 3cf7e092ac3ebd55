"""A server's daily posts: the riddle and the deal of each day, at an hour of the server's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import ClassVar, Final

from data.zones import zone_named
from play.aggregate import Command
from play.daily import day_of, post_at
from play.occasions.occasion import Occasion, OccasionKind, OccasionState

ONE_DAY: Final = timedelta(days=1)


@dataclass(frozen=True)
class Best:
    """Somebody who was among the best of a day.

    :param person_id: by it the name stands in the state's ``names``.
    """

    person_id: int
    points: int


@dataclass(frozen=True)
class Post:
    """What a post tells.

    :param day: as ``2026-11-22``.
    :param riddle: of the day, as a text.
    :param before: the riddle of the day before.
    :param secret: of the deal of the day before.
    :param deals: the best of that deal here.
    :param solvers: the best of that riddle here.
    """

    day: str
    riddle: str
    before: str
    secret: str
    deals: tuple[Best, ...] = ()
    solvers: tuple[Best, ...] = ()


@dataclass(frozen=True)
class Daily(OccasionState):
    """What is known of a server's posts.

    :param wanted: whether the server wants them.
    :param zone: the name of the zone whose clocks count.
    :param minutes: when a day is posted there, in minutes after midnight.
    :param told: the last day that was posted, or that is to be posted no more.
    :param due: the day whose post is to be written now; empty: none.
    :param post: the last one, until the next day is due; None: there is none.
    """

    wanted: bool = True
    zone: str = "UTC"
    minutes: int = 0
    told: str = ""
    due: str = ""
    post: Post | None = None

    def at(self, day: date) -> datetime:
        """When a day is posted."""
        return post_at(day, self.minutes, zone_named(self.zone) or UTC)

    def next(self) -> date:
        """The first day that was not posted."""
        return date.fromisoformat(self.told) + ONE_DAY

    def begun(self, now: datetime) -> Daily:
        """The posts from the next hour on that is to come; a day that was posted is not posted
        again.
        """
        today = day_of(now)
        told = (today if self.at(today) <= now else today - ONE_DAY).isoformat()
        return replace(self, told=max(told, self.told), due="")


class DailyKind(OccasionKind[Daily]):
    """The daily posts of servers; see ``daily_scope``."""

    NAME: ClassVar[str] = "daily"
    STATE: ClassVar[type[OccasionState]] = Daily
    LINES: ClassVar[Mapping[str, str]] = {
        "arrange": "An organiser chose where and when to post, or to stop.",
        "due": "The hour of a day has come; the text is the day.",
        "post": "A day was posted; the text is the day.",
        "skip": "A day was left out because nobody could post it in time; the text is the day.",
    }

    def follow(self, occasion: Occasion[Daily], now: datetime) -> Occasion[Daily]:
        """When its hour has come, a day is due. Days that are over, because nobody was there to
        post them, are left out: their riddles can be solved no more.
        """
        state = occasion.state
        if not state.wanted or state.at(state.next()) > now:
            return occasion
        today = day_of(now)
        if today > state.next():
            yesterday = (today - ONE_DAY).isoformat()
            return occasion.add("skip", now, text=yesterday, told=yesterday, due="", post=None)
        day = today.isoformat()
        return occasion.add("due", now, text=day, told=day, due=day, post=None)

    def due(self, occasion: Occasion[Daily]) -> datetime | None:
        """The hour of the next day."""
        state = occasion.state
        return state.at(state.next()) if state.wanted else None

    def leave(self, occasion: Occasion[Daily], person_id: int, now: datetime) -> Occasion[Daily]:
        """It concerns nobody."""
        return occasion


def daily_scope(guild_id: int) -> str:
    """What the daily posts of a server are found by: it has them once."""
    return f"daily:{guild_id}"


@dataclass(frozen=True, slots=True)
class Arrange(Command[Occasion[Daily]]):
    """Somebody who manages the server says where and when it wants posts, or that it wants none.
    Who said it last is told if the channel is lost.

    :param channel_id: where.
    :param zone, minutes: as of ``Daily``.
    """

    person_id: int
    channel_id: int
    zone: str
    minutes: int
    wanted: bool = True

    def effect(self, occasion: Occasion[Daily], now: datetime) -> Occasion[Daily]:
        """As it is said, from the next hour on that is to come."""
        row = replace(occasion.row, channel_id=self.channel_id, host_id=self.person_id)
        state = replace(
            occasion.state, zone=self.zone, minutes=self.minutes, wanted=self.wanted
        ).begun(now)
        after = replace(occasion, row=row, state=state)
        return after.add("arrange", now, self.person_id)


@dataclass(frozen=True, slots=True)
class Write(Command[Occasion[Daily]]):
    """Record what is posted on the day that is due.

    :param names: of those whom the post names, by id.
    """

    post: Post
    names: dict[int, str]

    def effect(self, occasion: Occasion[Daily], now: datetime) -> Occasion[Daily]:
        """The day is posted; one that is not due, or is over, is not."""
        if occasion.state.due != self.post.day:
            return occasion
        if day_of(now).isoformat() != self.post.day:
            return occasion.add("skip", now, text=self.post.day, due="")
        return occasion.add(
            "post", now, text=self.post.day, post=self.post, names=self.names, due=""
        )
