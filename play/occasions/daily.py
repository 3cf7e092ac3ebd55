"""A server's daily posts: each day's riddle and deal, at a time that the server chooses."""

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
    """One of the best players of a day.

    :param person_id: the person, whose name is in the state's ``names``.
    """

    person_id: int
    points: int


@dataclass(frozen=True)
class Post:
    """The content of a post.

    :param day: the day, in the form ``2026-11-22``.
    :param riddle: the riddle of the day, as text.
    :param before: the riddle of the day before.
    :param secret: the secret of the previous day's deal.
    :param deals: the best players on this server in that deal.
    :param solvers: the best players on this server in the previous day's riddle.
    """

    day: str
    riddle: str
    before: str
    secret: str
    deals: tuple[Best, ...] = ()
    solvers: tuple[Best, ...] = ()


@dataclass(frozen=True)
class Daily(OccasionState):
    """A server's daily posts, and its settings for them.

    :param wanted: whether the server wants them.
    :param zone: the name of the time zone for ``minutes``.
    :param minutes: the local time of the posts, in minutes after midnight.
    :param told: the last day whose post became due or was skipped, or whose time had passed when
        the posts were arranged.
    :param due: the day whose post has to be written now; empty: no day.
    :param post: the last post, until the next day is due; None if there is none.
    """

    wanted: bool = True
    zone: str = "UTC"
    minutes: int = 0
    told: str = ""
    due: str = ""
    post: Post | None = None

    def at(self, day: date) -> datetime:
        """Return when a day's post is due."""
        return post_at(day, self.minutes, zone_named(self.zone) or UTC)

    def next(self) -> date:
        """Return the next day to be posted."""
        return date.fromisoformat(self.told) + ONE_DAY

    def begun(self, now: datetime) -> Daily:
        """Return the state with the next day set from the current settings; no day is posted
        twice.
        """
        today = day_of(now)
        told = (today if self.at(today) <= now else today - ONE_DAY).isoformat()
        return replace(self, told=max(told, self.told), due="")


class DailyKind(OccasionKind[Daily]):
    """The daily posts of servers; see ``daily_scope``."""

    NAME: ClassVar[str] = "daily"
    STATE: ClassVar[type[OccasionState]] = Daily
    LINES: ClassVar[Mapping[str, str]] = {
        "arrange": "A manager of the server chose where and when to post, or stopped the posts.",
        "due": "A day's post is due; the text is the day.",
        "post": "A day was posted; the text is the day.",
        "skip": "Days up to the one in the text were left out: nobody could post them in time.",
    }

    def follow(self, occasion: Occasion[Daily], now: datetime) -> Occasion[Daily]:
        """Return the occasion with the next day marked as due, once its time has come. Days that
        ended before they could be posted are skipped, because their riddles can no longer be
        solved.
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
        """Return the time of the next day's post; None if the server wants none."""
        state = occasion.state
        return state.at(state.next()) if state.wanted else None

    def leave(self, occasion: Occasion[Daily], person_id: int, now: datetime) -> Occasion[Daily]:
        """Return the occasion unchanged, because daily posts involve nobody."""
        return occasion


def daily_scope(guild_id: int) -> str:
    """Return the scope of a server's daily posts: at most one occasion per server."""
    return f"daily:{guild_id}"


@dataclass(frozen=True, slots=True)
class Arrange(Command[Occasion[Daily]]):
    """Choose where and when a server gets its posts, or turn them off. If the bot cannot post
    there, it tells the person who chose last.

    :param channel_id: the channel of the posts.
    :param zone, minutes: see ``Daily``.
    """

    person_id: int
    channel_id: int
    zone: str
    minutes: int
    wanted: bool = True

    def effect(self, occasion: Occasion[Daily], now: datetime) -> Occasion[Daily]:
        """Return the occasion with the choice, which applies from the next post on."""
        row = replace(occasion.row, channel_id=self.channel_id, host_id=self.person_id)
        state = replace(
            occasion.state, zone=self.zone, minutes=self.minutes, wanted=self.wanted
        ).begun(now)
        after = replace(occasion, row=row, state=state)
        return after.add("arrange", now, self.person_id)


@dataclass(frozen=True, slots=True)
class Write(Command[Occasion[Daily]]):
    """Record the post of the day that is due.

    :param names: the names of the people whom the post mentions, by id.
    """

    post: Post
    names: dict[int, str]

    def effect(self, occasion: Occasion[Daily], now: datetime) -> Occasion[Daily]:
        """Return the occasion with the post; unchanged if the day is not due. A day that has ended
        is skipped.
        """
        if occasion.state.due != self.post.day:
            return occasion
        if day_of(now).isoformat() != self.post.day:
            return occasion.add("skip", now, text=self.post.day, due="")
        return occasion.add(
            "post", now, text=self.post.day, post=self.post, names=self.names, due=""
        )
