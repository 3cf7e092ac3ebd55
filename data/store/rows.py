"""What the store remembers, one dataclass a kind of row; a ``repr`` shows nothing secret of it.

Times are timezone-aware datetimes, exact to the second. People, servers, channels, messages and
interactions go by Discord's ids.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

NOWHERE = 0
"""The channel of what has none: no message of it stands in public."""

Span = tuple[datetime, datetime]
"""A time from its beginning up to its end."""


class Status(StrEnum):
    """Where a table stands."""

    LOBBY = "lobby"
    RUNNING = "running"
    FINISHED = "finished"
    """The match is over and has a result."""
    ENDED = "ended"
    """Stopped without a winner."""
    PARKED = "parked"
    """Its channel is lost; it can be moved to another one and goes on there."""


class Alarm(StrEnum):
    """What is to be done about a running clock, in the order of time."""

    HALF = "half"
    """Remind: half of the time is over."""
    SOON = "soon"
    """Remind: the time is up soon."""
    END = "end"
    """The time is up."""
    NUDGE = "nudge"
    """Remind gently: there is no limit."""
    ASK = "ask"
    """Ask the table whether to end: there is no limit, and it has waited for weeks."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One game being played in a channel or thread.

    :param code: short name for people, unique among all tables ever.
    :param rules: the version of the game's rules that the journal was written under.
    :param guild_id: None: the channel is a direct message.
    :param channel_id: ``NOWHERE``: it was the direct messages of somebody who had everything
        deleted.
    :param options: as chosen in the lobby; resolved once the match has started.
    :param players: number of seats; None until the match has started.
    :param secret: what the seed is made from, sealed since the table opened.
    :param seed: all lots follow from it; secret until the match is over, empty until it starts.
    :param wanted_players: the number asked for when the table was opened, if any.
    :param result: how the table ended; None while it is open.
    :param moved_at: time of the last change to the match or the status.
    :param revision: number of the journal's last line; every change raises it.
    :param due_at: when something is to be done unasked; None: never.
    :param occasion_id: the occasion that has opened it; None: a person has.
    :param slot: what the table is to the occasion: with it its identity.
    :param home_id: the channel in which the table was asked for, if it is played in a thread.
    """

    id: int
    code: str
    game: str
    rules: int
    guild_id: int | None
    channel_id: int
    host_id: int
    language: str
    status: Status
    options: Mapping[str, Any]
    players: int | None
    secret: str = field(repr=False)
    seed: str = field(repr=False)
    wanted_players: int | None
    result: Mapping[str, Any] | None
    created_at: datetime
    moved_at: datetime
    revision: int
    due_at: datetime | None = None
    occasion_id: int | None = None
    slot: str | None = None
    home_id: int | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """What a table is opened with, in the terms of ``TableRow``.

    :param chat: as ``Table.chat``.
    :param home_id: as in ``TableRow``.
    :param guests: who sits there besides the host from the beginning.
    :param rematch: the text of the line ``rematch``; empty: it is none.
    :param due_at: as in ``TableRow``.
    """

    game: str
    guild_id: int | None
    channel_id: int
    host_id: int
    host_name: str
    language: str
    options: Mapping[str, Any]
    wanted_players: int | None = None
    chat: str = ""
    home_id: int | None = None
    occasion_id: int | None = None
    slot: str | None = None
    guests: tuple[MemberRow, ...] = ()
    rematch: str = ""
    due_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A player at a table.

    :param number: order of joining; the host is 0. Numbers of those who left stay free.
    :param person_id: None: a computer player from the beginning.
    :param level: of the computer player that moves for the seat; None: the person moves.
    :param seat: None until the match has started.
    :param word: the lucky word that was given in the lobby; it stays with the seat.
    """

    number: int
    person_id: int | None
    name: str
    level: str | None = None
    seat: int | None = None
    resigned: bool = False
    word: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a table's journal.

    :param number: from 1, without gaps.
    :param kind: ``start``, ``move``, ``draw``, ``undo``, ``join``, ``ask`` ...
    :param seat: whom it concerns; -1: chance.
    :param person_id: who acted; None: the house, or a computer player.
    :param text: the move, or what else belongs to the kind, often as JSON.
    :param interaction_id: the press or command behind it: counted once.
    """

    number: int
    kind: str
    seat: int | None
    person_id: int | None
    text: str = field(repr=False)
    at: datetime
    interaction_id: int | None = None


@dataclass(frozen=True, slots=True)
class VoteRow:
    """A question put to people at a table.

    :param asked: the journal line that asked: its identity.
    :param kind: what it is about; one vote of a kind and seat is open at a table at a time.
    :param seat: the seat that it concerns, if any.
    :param subject: what else the question needs to be carried out, as plain data.
    :param rule: how answers become a decision.
    :param fallback: the decision where answers lead to none.
    :param asked_by: the person who asked; None: the house.
    :param closes_at: when those who are silent have had their time; None: never.
    :param answers: (person, answer) in the order in which they were asked; None: silent so far.
    :param decision: one of ``choices``, ``lapsed``, or None while the vote is open.
    :param settled: the journal line that settled it; None while it is open.
    """

    asked: int
    kind: str
    seat: int | None
    subject: Mapping[str, Any]
    rule: str
    choices: tuple[str, ...]
    fallback: str
    asked_by: int | None
    asked_at: datetime
    closes_at: datetime | None
    answers: tuple[tuple[int, str | None], ...]
    decision: str | None = None
    settled: int | None = None


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One decision that a person owes while others wait, and its clock.

    :param decision: the journal line after which the decision opened: with the seat its identity.
    :param opened_at: when the clock was started; anew, when more time was granted.
    :param budget: seconds that the clock may run from then on; 0: there is no limit, and
        ``ends_at`` means nothing.
    :param alarms: what is still to be done while the clock runs, and when.
    :param misses: how often in a row the person's time has been up at this table.
    :param missed_at: the end that was counted as a miss last; None: none was in this turn.
    :param time_left: seconds that were left when the clock was stopped; None: it runs.
    :param helped: a computer player is to move in the person's place this once.
    """

    seat: int
    decision: int
    person_id: int
    opened_at: datetime
    budget: int
    ends_at: datetime
    alarms: Mapping[Alarm, datetime] = field(default_factory=dict)
    misses: int = 0
    missed_at: datetime | None = None
    time_left: int | None = None
    helped: bool = False


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A move that a person wants to be played at the next turn, or at a later one.

    :param number: the journal line that planned it.
    :param move: as the person wrote it; judged when its turn has come.
    :param answer_to: only if this was played since the person's last move; None: in any case.
    """

    number: int
    person_id: int
    move: str = field(repr=False)
    answer_to: str | None


@dataclass(frozen=True, slots=True)
class OfferRow:
    """A seat on offer since the line ``number``, to one person or (None) to whoever comes first."""

    seat: int
    number: int
    person_id: int | None


Boards = Literal["clean", "lines", "keep"]
"""Which boards a channel keeps: only the latest; the latest and a line for each round; all.
"""

CallAt = Literal["dm", "table"]
"""Where a person is called: by direct message, or by a mention at the table."""


@dataclass(frozen=True, slots=True)
class PersonRow:
    """How a person wants things.

    :param language: None: whatever the person's Discord is set to.
    :param dm_closed: the last direct message could not be delivered.
    :param zone: name of the time zone.
    :param quiet_from: when the quiet hours begin, in minutes after midnight.
    :param quiet_to: when they end; None like the beginning: there are none.
    :param call_at: None: by direct message if the game has hidden hands, else at the table.
    :param dm_channel: the channel of direct messages with the person, once it is known.
    :param coach: wants to be asked before a move that loses clearly counts.
    :param away: holidays, in order; the last one may not be over.
    :param blocked_ids: whom the person has blocked; of those who had everything deleted the
        ``mark_of_blocked``.
    """

    person_id: int
    language: str | None = None
    dm_closed: bool = False
    zone: str | None = None
    quiet_from: int | None = None
    quiet_to: int | None = None
    call_at: CallAt | None = None
    dm_channel: int | None = None
    coach: bool = False
    away: tuple[Span, ...] = ()
    blocked_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ServerRow:
    """How a server wants things.

    :param language: None: whatever Discord says about the server.
    :param channels: where tables may be opened; empty: anywhere.
    :param opener_role: the role that may open tables; None: anybody may.
    :param quiet_limit: hours that a clock rests in a person's quiet hours at most, each turn.
    :param tables_limit: open tables at which a person may play at a time; None: any number.
    :param threads: tables open in threads of their own, where that is possible.
    :param grandmasters: whether computer players may think for ten seconds.
    :param away_limit: days in a row that clocks rest at most while a person is on holiday.
    :param seek_channel: where all see who seeks a match; None: nowhere.
    :param seek_abroad: whether its people may seek matches with those of other servers.
    """

    guild_id: int
    language: str | None = None
    channels: tuple[int, ...] = ()
    opener_role: int | None = None
    quiet_limit: int = 10
    tables_limit: int | None = None
    boards: Boards = "clean"
    threads: bool = True
    grandmasters: bool = False
    away_limit: int = 14
    seek_channel: int | None = None
    seek_abroad: bool = False


@dataclass(frozen=True)
class Stored:
    """All that is stored of one table: what is loaded whole and committed whole.

    :param members: in order of joining.
    :param journal: by number.
    :param votes: by number of the line that asked.
    :param turns: in order of their opening; those with ``time_left`` None run.
    :param plans: in the order in which they are to be played.
    :param offers: by seat.
    :param barred: the marks of people who may not sit down, see ``marks.person_mark``.
    :param hurried: people who want their only legal move to be played unasked.
    :param followers: people who want to hear how the match ends.
    :param muted: people who want to hear nothing of the table unasked.
    """

    row: TableRow
    members: tuple[MemberRow, ...]
    journal: tuple[Line, ...] = ()
    votes: tuple[VoteRow, ...] = ()
    turns: tuple[TurnRow, ...] = ()
    plans: tuple[PlanRow, ...] = ()
    offers: tuple[OfferRow, ...] = ()
    barred: frozenset[int] = frozenset()
    hurried: frozenset[int] = frozenset()
    followers: frozenset[int] = frozenset()
    muted: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Loaded:
    """A stored table with the settings of its server and, by id, of its members and followers."""

    stored: Stored
    people: Mapping[int, PersonRow]
    server: ServerRow


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message that stands for a surface of a table or an occasion, or is about to.

    :param key: the surface's key; with the table or occasion its identity.
    :param since: when the post was first tried; part of its nonce.
    :param channel_id: where it stands; None: a direct message whose channel is not known yet.
    :param person_id: the only reader of a private message; None: everyone in the channel.
    :param message_id: None: a post is under way, or was when the process died.
    :param stands: fingerprint of the content that is known to stand; None: unknown.
    :param rest: JSON of what remains once the surface is no longer wanted; None: nothing to do.
    :param pinged: those whom it calls have been called.
    :param final: it never changes again.
    :param told_from: how far the table had been told when the message was begun.
    """

    key: str
    since: datetime
    channel_id: int | None = None
    person_id: int | None = None
    message_id: int | None = None
    stands: str | None = None
    rest: str | None = field(default=None, repr=False)
    pinged: bool = False
    final: bool = False
    told_from: int = 0


@dataclass(frozen=True, slots=True)
class OccasionRow:
    """Something that goes on beside the tables: a tournament, a seek, a server's season.

    :param code: short name for people, unique among all occasions ever.
    :param kind: what it is; by it the state is read.
    :param scope: what there is one occasion of at most, such as the season of a server; None: there
        may be any number of its kind.
    :param guild_id: None: it belongs to no server.
    :param channel_id: where its messages stand; 0: nowhere but in direct messages.
    :param host_id: who began it; None: the house.
    :param state: JSON, as its kind writes it.
    :param over: nothing will happen any more.
    :param changed_at: time of the last change.
    :param revision: number of the journal's last line; every change raises it.
    :param due_at: when something is to be done unasked; None: never.
    """

    id: int
    code: str
    kind: str
    scope: str | None
    guild_id: int | None
    channel_id: int
    host_id: int | None
    language: str
    state: str = field(repr=False)
    over: bool
    created_at: datetime
    changed_at: datetime
    revision: int
    due_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class OccasionLine:
    """One line of an occasion's journal; fields as those of ``Line``."""

    number: int
    kind: str
    person_id: int | None
    text: str = field(repr=False)
    at: datetime
    interaction_id: int | None = None
