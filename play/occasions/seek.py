"""Matchmaking: people who seek a match, on one server or across servers, and the tables they get.

All who seek on one server share an occasion, and so do all who seek across servers. Anyone who gets
a table leaves the queue in the same change: a seek leads to one table, whatever happens in between.
An occasion lasts a month; later seeks belong to the next one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar

from data.store.rows import PersonRow, Status
from play.aggregate import Command
from play.ladder import STAND_IN
from play.matching import MatchedGroup, Seek, matched, next_chance
from play.occasions.occasion import Occasion, OccasionKind, OccasionState, PlannedTable, TableNews
from play.occasions.occasions import Occasions
from play.table import PACE, Refused, refuse_if

MONTH = 30
"""The length of a month, in days."""

WAITS_KEPT = 50
"""How many past waits are kept, to estimate the usual wait."""

NOTICES_LAST = timedelta(days=1)
"""How long a notice is kept, so that it reaches the person."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A message to one person.

    :param line: the journal line that caused it.
    :param what: ``seated``; ``expired``; ``recalled``: the server no longer allows the seek;
        ``failed``: no table could be opened with this person.
    :param table: the code of the table, if there is one.
    :param place: the table's channel.
    """

    line: int
    what: str
    seek: Seek
    at: datetime
    table: str = ""
    place: int = 0


@dataclass(frozen=True, slots=True)
class Gathered:
    """A group whose table is not open yet.

    :param seeks: the requests of the people who are still in it.
    :param computers: how many computer players take the places of people who have left the bot for
        good.
    """

    slot: int
    game: str
    pace: str
    seeks: tuple[Seek, ...]
    computers: int = 0


@dataclass(frozen=True)
class Seeks(OccasionState):
    """The seeks on one server, or across servers.

    :param waiting: the waiting seeks, in order of arrival.
    :param gathered: groups whose tables are not open yet.
    :param notices: current and recent notices.
    :param waits: for the last people who got a table: the game, and the seconds they waited.
    :param numbers: how many seeks there have been.
    :param slots: how many groups there have been.
    :param closes: when new seeks go to the next occasion.
    :param looked: when groups were last looked for.
    """

    waiting: tuple[Seek, ...] = ()
    gathered: tuple[Gathered, ...] = ()
    notices: tuple[Notice, ...] = ()
    waits: tuple[tuple[str, int], ...] = ()
    numbers: int = 0
    slots: int = 0
    closes: datetime | None = None
    looked: datetime | None = None

    def of(self, person_id: int) -> Seek | None:
        """Return the seek of a waiting person; None if the person is not waiting."""
        return next((seek for seek in self.waiting if seek.person_id == person_id), None)


def seek_scope(guild_id: int | None, now: datetime) -> tuple[str, datetime]:
    """Return the current scope for seeks on a server, and when it closes.

    :param guild_id: None: across servers.
    """
    month = int(now.timestamp()) // (MONTH * 86400)
    closes = datetime.fromtimestamp((month + 1) * MONTH * 86400, UTC)
    return f"seek:{guild_id or 'everywhere'}:{month}", closes


async def seeks_of(
    occasions: Occasions,
    guild_id: int | None,
    channel_id: int,
    language: str,
    host_id: int | None = None,
) -> Occasion[Seeks]:
    """Return the current occasion for seeks on a server. The parameters after ``guild_id`` are used
    only if it has to be opened, because nobody has looked for a match there this month.

    :param guild_id: None: across servers.
    :param host_id: the person notified if the bot cannot post; None: the same as last month.
    """
    now = occasions.clock()
    scope, closes = seek_scope(guild_id, now)
    there = await occasions.of_scope(scope)
    if there is not None:
        return there
    before = await occasions.of_scope(seek_scope(guild_id, now - timedelta(days=MONTH))[0])
    if host_id is None and before is not None:
        host_id = before.row.host_id
    return await occasions.open(
        Seeking.NAME,
        Seeks(closes=closes),
        guild_id=guild_id,
        channel_id=channel_id,
        language=language,
        host_id=host_id,
        scope=scope,
    )


# -------------------------------------------------------------------------------- commands
@dataclass(frozen=True, slots=True)
class SeekMatch(Command[Occasion[Seeks]]):
    """Seek a match from now on, in place of the person's earlier seek here.

    :param seek: what the person seeks; its number and times are ignored.
    :param hours: how long to seek.
    :param channel_id: where tables open from now on.
    """

    seek: Seek
    settings: PersonRow
    hours: int
    channel_id: int

    def effect(self, occasion: Occasion[Seeks], now: datetime) -> Occasion[Seeks]:
        """:raises Refused: ``being_seated``."""
        state, person = occasion.state, self.seek.person_id
        refuse_if(_is_gathered(state, person), "being_seated")
        number = state.numbers + 1
        seek = replace(self.seek, number=number, since=now, until=now + timedelta(hours=self.hours))
        occasion = replace(
            occasion,
            row=replace(occasion.row, channel_id=self.channel_id),
            people={**occasion.people, person: self.settings},
        )
        waiting = (*_without(state.waiting, person), seek)
        return _noted(occasion, "seek", now, person, waiting=waiting, numbers=number)


@dataclass(frozen=True, slots=True)
class SitDown(Command[Occasion[Seeks]]):
    """Seek the same match as a waiting person, whatever that person's strength.

    :param number: the number of that person's seek.
    :param seek: the seek of the person who joins; its games, paces and strength are ignored.
    :param settings: the settings of the person who joins.
    """

    number: int
    seek: Seek
    settings: PersonRow

    def effect(self, occasion: Occasion[Seeks], now: datetime) -> Occasion[Seeks]:
        """:raises Refused: ``seat_gone``, ``own_seat``, ``being_seated``."""
        other = next((s for s in occasion.state.waiting if s.number == self.number), None)
        if other is None:
            raise Refused("seat_gone")
        refuse_if(other.person_id == self.seek.person_id, "own_seat")
        seek = replace(self.seek, tables=other.tables, paces=other.paces, near=False)
        hours = max(1, -(-int((other.until - now).total_seconds()) // 3600))
        return SeekMatch(seek, self.settings, hours, occasion.channel_id).effect(occasion, now)


@dataclass(frozen=True, slots=True)
class StopSeeking(Command[Occasion[Seeks]]):
    """Stop seeking a match."""

    person_id: int

    def effect(self, occasion: Occasion[Seeks], now: datetime) -> Occasion[Seeks]:
        """:raises Refused: ``being_seated``, ``not_seeking``."""
        state = occasion.state
        refuse_if(_is_gathered(state, self.person_id), "being_seated")
        refuse_if(state.of(self.person_id) is None, "not_seeking")
        waiting = _without(state.waiting, self.person_id)
        return _noted(occasion, "stop", now, self.person_id, waiting=waiting)


@dataclass(frozen=True, slots=True)
class Recall(Command[Occasion[Seeks]]):
    """End the seeks across servers of people whose server no longer allows them."""

    guild_id: int

    def effect(self, occasion: Occasion[Seeks], now: datetime) -> Occasion[Seeks]:
        """Return the occasion without the seeks of that server's people; unchanged if none of them
        is waiting.
        """
        state, line = occasion.state, occasion.revision + 1
        gone = [seek for seek in state.waiting if seek.guild_id == self.guild_id]
        if not gone:
            return occasion
        notices = [Notice(line, "recalled", seek, now) for seek in gone]
        waiting = tuple(seek for seek in state.waiting if seek not in gone)
        return _noted(occasion, "recall", now, notices=notices, waiting=waiting)


@dataclass(frozen=True, slots=True)
class ShowIn(Command[Occasion[Seeks]]):
    """Change the channel in which tables open and seekers are listed.

    :param person_id: the person who chose it, and is notified if the bot cannot post there.
    """

    channel_id: int
    person_id: int

    def effect(self, occasion: Occasion[Seeks], now: datetime) -> Occasion[Seeks]:
        """Return the occasion in its new channel. Always add a line, because the server may also
        have turned the list on or off.
        """
        row = replace(occasion.row, channel_id=self.channel_id, host_id=self.person_id)
        return replace(occasion, row=row).add("show", now)


# ------------------------------------------------------------------------------------ kind
class Seeking(OccasionKind[Seeks]):
    """The rules of matchmaking."""

    NAME: ClassVar[str] = "seek"
    STATE = Seeks
    LINES: ClassVar[Mapping[str, str]] = {
        "seek": "A person began to seek, or changed what they seek.",
        "stop": "A person stopped seeking.",
        "expire": "A person's search expired.",
        "recall": "A server stopped letting its people seek across servers.",
        "look": "It was time to look for groups again.",
        "gather": "A group was found; the text lists its people.",
        "table": "The table of a group was opened; the text is its code.",
        "fail": "The table of a group could not be opened.",
        "leave": "A person left the bot.",
        "show": "A manager of the server chose where to show who seeks, if anywhere.",
        "close": "The month is over and nobody seeks.",
    }

    def follow(self, occasion: Occasion[Seeks], now: datetime) -> Occasion[Seeks]:
        """Apply the next expiry of a seek, the next group, or the end of the month."""
        state = occasion.state
        for seek in state.waiting:
            if seek.until <= now:
                waiting = _without(state.waiting, seek.person_id)
                notice = Notice(occasion.revision + 1, "expired", seek, now)
                return _noted(
                    occasion, "expire", now, seek.person_id, notices=[notice], waiting=waiting
                )
        group = next(matched(state.waiting, occasion.people, now), None)
        if group is not None:
            return _with_group(occasion, group, now)
        chance = _next_chance(occasion)
        if chance is not None and chance <= now:
            return _noted(occasion, "look", now)
        if state.closes is not None and state.closes <= now and not state.waiting + state.gathered:
            return occasion.add("close", now, over=True)
        return occasion

    def due(self, occasion: Occasion[Seeks]) -> datetime | None:
        """Return the next moment at which a seek expires, two ratings become close enough for each
        other or, if nobody is waiting, the month is over.
        """
        state = occasion.state
        moments = [seek.until for seek in state.waiting]
        chance = _next_chance(occasion)
        if chance is not None:
            moments.append(chance)
        if not moments and not state.gathered and state.closes is not None:
            moments.append(state.closes)
        return min(moments, default=None)

    def leave(self, occasion: Occasion[Seeks], person_id: int, now: datetime) -> Occasion[Seeks]:
        """Drop the person's seek. If they have been matched, their table may already be open; a
        computer player takes their place there.
        """
        state = occasion.state
        waiting = _without(state.waiting, person_id)
        gathered = tuple(each for g in state.gathered if (each := _deserted(g, person_id)).seeks)
        notices = tuple(n for n in state.notices if n.seek.person_id != person_id)
        after = replace(state, waiting=waiting, gathered=gathered, notices=notices)
        if after == state:
            return occasion
        return _noted(replace(occasion, state=after), "leave", now, person_id)

    def seatings(self, occasion: Occasion[Seeks]) -> Sequence[PlannedTable]:
        """Return a table for each group without one."""
        return [
            PlannedTable(
                slot=str(group.slot),
                game=group.game,
                people={seek.person_id: seek.name for seek in group.seeks},
                options={PACE: group.pace} if group.pace else {},
                guild_id=occasion.guild_id,
                language=_language_of(occasion, group.seeks),
                computers=(STAND_IN,) * group.computers,
                thread=" · ".join(seek.name for seek in group.seeks),
            )
            for group in occasion.state.gathered
        ]

    def settled(self, occasion: Occasion[Seeks]) -> frozenset[str]:
        """Return the slots of all groups that no longer wait for a table, because what happens at
        their tables does not matter here.
        """
        open_still = {group.slot for group in occasion.state.gathered}
        return frozenset(
            str(slot) for slot in range(1, occasion.state.slots + 1) if slot not in open_still
        )

    def told(self, occasion: Occasion[Seeks], news: TableNews, now: datetime) -> Occasion[Seeks]:
        """Notify people once their table is open. If it could not be opened because the host cannot
        be reached, the others go back to waiting; if it closed before its start, the whole group
        does.
        """
        state = occasion.state
        group = next((each for each in state.gathered if str(each.slot) == news.slot), None)
        if group is None:
            return occasion
        gathered = tuple(each for each in state.gathered if each is not group)
        line = occasion.revision + 1
        if news.status == Status.ENDED:
            failed = () if news.table_id else group.seeks[:1]
            again = (*state.waiting, *group.seeks[len(failed) :])
            return _noted(
                occasion,
                "fail",
                now,
                text=news.code,
                notices=[Notice(line, "failed", seek, now) for seek in failed],
                waiting=tuple(sorted(again, key=lambda seek: seek.number)),
                gathered=gathered,
            )
        notices = [
            Notice(line, "seated", seek, now, news.code, news.channel_id) for seek in group.seeks
        ]
        waits = [(group.game, int((now - seek.since).total_seconds())) for seek in group.seeks]
        return _noted(
            occasion,
            "table",
            now,
            text=news.code,
            notices=notices,
            gathered=gathered,
            waits=(*state.waits, *waits)[-WAITS_KEPT:],
        )


# ---------------------------------------------------------------------------------- inside
def _noted(
    occasion: Occasion[Seeks],
    kind: str,
    now: datetime,
    person_id: int | None = None,
    text: str = "",
    notices: Iterable[Notice] = (),
    **changes: Any,
) -> Occasion[Seeks]:
    """Return the occasion with another line and new notices, but without outdated notices, and with
    the names of only the people who are still in it.
    """
    lately = [each for each in occasion.state.notices if now - each.at < NOTICES_LAST]
    changes |= {"notices": (*lately, *notices), "looked": now}
    after = occasion.add(kind, now, person_id, text, **changes)
    return after.changed(names=_names(after.state))


def _next_chance(occasion: Occasion[Seeks]) -> datetime | None:
    """Return when the next two waiting people become acceptable to each other, after the last time
    groups were looked for; None: never.
    """
    since = occasion.state.looked or occasion.row.created_at
    return next_chance(occasion.state.waiting, occasion.people, since)


def _names(state: Seeks) -> Mapping[int, str]:
    seeks = [*state.waiting, *(seek for group in state.gathered for seek in group.seeks)]
    return {seek.person_id: seek.name for seek in (*seeks, *(n.seek for n in state.notices))}


def _with_group(occasion: Occasion[Seeks], group: MatchedGroup, now: datetime) -> Occasion[Seeks]:
    state = occasion.state
    gathered = Gathered(state.slots + 1, group.game, group.pace, group.seeks)
    return _noted(
        occasion,
        "gather",
        now,
        text=json.dumps([seek.person_id for seek in group.seeks]),
        waiting=tuple(seek for seek in state.waiting if seek not in group.seeks),
        gathered=(*state.gathered, gathered),
        slots=gathered.slot,
    )


def _language_of(occasion: Occasion[Seeks], seeks: Sequence[Seek]) -> str:
    """Return the language of a table: the server's, or the one that all its people read."""
    return occasion.row.language if occasion.guild_id is not None else seeks[0].language


def _deserted(group: Gathered, person_id: int) -> Gathered:
    left = _without(group.seeks, person_id)
    if len(left) == len(group.seeks):
        return group
    return replace(group, seeks=left, computers=group.computers + 1)


def _is_gathered(state: Seeks, person_id: int) -> bool:
    return any(seek.person_id == person_id for group in state.gathered for seek in group.seeks)


def _without(seeks: tuple[Seek, ...], person_id: int) -> tuple[Seek, ...]:
    return tuple(seek for seek in seeks if seek.person_id != person_id)
