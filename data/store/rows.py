"""The rows in the store, one dataclass per kind. Their ``repr`` shows no secrets.

Times are timezone-aware datetimes with a precision of one second. People, servers, channels,
messages and interactions are identified by their Discord ids.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

NOWHERE = 0
"""The channel id of a table or occasion that has no channel, and so no public messages."""

Span = tuple[datetime, datetime]
"""The beginning (inclusive) and end (exclusive) of a period."""


class Status(StrEnum):
    """The status of a table."""

    LOBBY = "lobby"
    RUNNING = "running"
    FINISHED = "finished"
    """The match is over and has a result."""
    ENDED = "ended"
    """The table was closed before its match began, or the match was stopped without a result."""
    PARKED = "parked"
    """The table has lost its channel; players can move it to another channel and continue there."""


class Alarm(StrEnum):
    """Events of a running clock, in chronological order: three if time is limited, two if it is
    not.
    """

    HALF = "half"
    """A reminder: half of the time has passed."""
    SOON = "soon"
    """A reminder: the time is almost up."""
    END = "end"
    """The time is up."""
    NUDGE = "nudge"
    """A gentle reminder, if there is no time limit."""
    ASK = "ask"
    """If there is no time limit and the table has waited for weeks, ask the players whether to end
    the match.
    """


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table: one match in a channel or thread, including its time in the lobby.

    :param code: the short name that people use, unique among all tables ever.
    :param rules: the version of the game's rules under which the journal was written.
    :param guild_id: None: the table is in direct messages or in a private chat (see
        ``Table.chat``).
    :param channel_id: ``NOWHERE`` if the table was in direct messages or in a private chat, and had
        to leave because somebody's data was deleted.
    :param options: the options chosen in the lobby; defaults are filled in when the match starts.
    :param players: number of seats; None until the match has started.
    :param secret: the source of the seed; drawn when the table opens.
    :param seed: determines everything that is left to chance; empty until the match starts, and
        secret until it is over.
    :param wanted_players: the requested number of players, if any.
    :param result: how the table ended; None while it is open.
    :param moved_at: time of the last change to the match or the status; continuing a parked table
        does not count.
    :param revision: number of the journal's last line; every change raises it.
    :param due_at: when the bot must act next; None: never.
    :param occasion_id: the occasion that opened the table; None: a person opened it.
    :param slot: the table's role in the occasion, unique within it.
    :param home_id: if the table has a thread of its own, the channel where somebody asked for it.
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
    """The initial values of a table and its host's name; fields not listed here are those of
    ``TableRow``.

    :param chat: see ``Table.chat``.
    :param guests: the members other than the host who are there from the beginning.
    :param rematch: the text of the journal line ``rematch``; empty: the table is not a rematch.
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

    :param number: order of joining; the host is 0. It is not used again after the member has left.
    :param person_id: None: a computer player has had the seat from the beginning.
    :param level: the level of the computer player that moves for the seat; None: the person moves.
    :param seat: None until the match has started.
    :param word: the lucky word given in the lobby; it stays with the seat.
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
    :param seat: the seat that the line concerns, if any; -1: chance.
    :param person_id: the person who acted or whom the line concerns; None: nobody, for example
        because a computer player acted.
    :param text: the move, or other data that this kind of line needs, often as JSON.
    :param interaction_id: the press or command that caused the line; unique, so that it counts
        once.
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
    """A vote at a table.

    :param asked: the number of the journal line that asked; it identifies the vote at its table.
    :param kind: what the vote is about; a table has at most one open vote per kind and seat.
    :param seat: the seat that it concerns, if any.
    :param subject: plain data needed to carry out the decision.
    :param rule: how answers become a decision.
    :param choices: the possible answers.
    :param fallback: the decision if the answers do not lead to one.
    :param asked_by: the person who asked; None: the bot.
    :param closes_at: the deadline for answers; None: no deadline.
    :param answers: (person, answer), in the order in which people were asked; an answer of None:
        not given yet.
    :param decision: one of ``choices``, ``lapsed``, or None while the vote is open.
    :param settled: the number of the journal line that settled it; None while it is open.
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
    """A decision that a person owes or owed while others wait, with its clock.

    :param decision: the journal line after which the decision opened; with the seat, it identifies
        the turn.
    :param opened_at: when the clock was started, or restarted because more time was granted.
    :param budget: seconds that the clock may run from then on; 0: there is no limit, and
        ``ends_at`` is ignored.
    :param ends_at: when the time is up.
    :param alarms: the events that the clock has yet to trigger, with their times.
    :param misses: how many deadlines in a row the person has missed at this table.
    :param missed_at: the last ``ends_at`` that counted as a miss; None: the person has not missed a
        deadline in this turn.
    :param time_left: seconds left when the clock was stopped; None: it is running.
    :param helped: whether a computer player makes this one decision for the person.
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
    """A move that a person has planned for their next turn or a later one.

    :param number: the journal line that planned it.
    :param move: the move as the person wrote it; it is checked when its turn comes.
    :param answer_to: play the move only if this one was played since the person's last move; None:
        play it in any case.
    """

    number: int
    person_id: int
    move: str = field(repr=False)
    answer_to: str | None


@dataclass(frozen=True, slots=True)
class OfferRow:
    """A seat on offer.

    :param number: the journal line that offered it.
    :param person_id: the person who may take the seat; None: anyone may.
    """

    seat: int
    number: int
    person_id: int | None


Boards = Literal["clean", "lines", "keep"]
"""Which boards a channel keeps: only the latest; the latest, and a line per round; all of them."""

CallAt = Literal["dm", "table"]
"""How the bot calls a person: by direct message, or by a mention at the table."""


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A person's settings.

    :param language: the language that the person last used on Discord, for direct messages; None:
        not known yet.
    :param dm_closed: whether the last attempt or check showed that direct messages do not reach the
        person.
    :param zone: the name of the time zone.
    :param quiet_from: when the quiet hours begin, in minutes after midnight.
    :param quiet_to: when the quiet hours end; if both are None, there are none.
    :param call_at: how to call the person; None: by direct message if the game has hidden hands,
        otherwise at the table.
    :param dm_channel: the channel of direct messages with the person, once it is known.
    :param coach: whether to ask the person before playing a move that clearly loses something.
    :param away: holidays, in order; the last one may be in progress.
    :param blocked_ids: the people whom the person has blocked; those who have deleted their data
        appear as their ``mark_of_blocked``.
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
    """A server's settings.

    :param language: None: the server's language on Discord.
    :param channels: where people may open tables; empty: anywhere.
    :param opener_role: the role that may open tables; None: anybody may.
    :param quiet_limit: the maximum number of hours per turn that a clock stops for a person's quiet
        hours.
    :param tables_limit: the maximum number of open tables that a person may play at; None: no
        limit.
    :param threads: whether to open tables in threads where possible.
    :param grandmasters: whether computer players may play at the grandmaster level, which thinks
        for up to ten seconds.
    :param away_limit: the maximum number of days in a row that clocks stop for a person's holiday.
    :param seek_channel: the channel that shows who seeks a match; None: seeks are not shown.
    :param seek_abroad: whether people on this server may seek matches with people on other servers.
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
    """Everything stored about one table, loaded and committed as a whole.

    :param members: the members, in order of joining.
    :param journal: the lines, by number.
    :param votes: the votes, by the number of the line that asked.
    :param turns: the turns, in order of opening; those with ``time_left`` None are running.
    :param plans: the planned moves, in playing order.
    :param offers: the seats on offer, by seat.
    :param barred: the marks of people who may not join; see ``marks.person_mark``.
    :param hurried: people for whom the bot plays a move whenever it is the only legal one.
    :param followers: people who want to know how the match ends.
    :param muted: people who want no notifications from the table.
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
    """A stored table, with the settings of its server and of its members and followers (by id)."""

    stored: Stored
    people: Mapping[int, PersonRow]
    server: ServerRow


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message that shows a surface of a table or an occasion, or will show it.

    :param key: the surface's key, unique within the table or occasion.
    :param since: when the bot first tried to post it or, if it had to be posted again, when the bot
        began to do so; part of its nonce.
    :param channel_id: the message's channel; None: a direct message whose channel is not known yet.
    :param person_id: the only reader of a direct message; None: everyone in the channel.
    :param message_id: None: the message is being posted, or was being posted when the process died.
    :param stands: the fingerprint of what the message shows now; None: unknown.
    :param rest: JSON that says how to retire the message once the surface is no longer wanted;
        None: leave it unchanged.
    :param pinged: whether the people it calls have already been pinged.
    :param final: whether it never changes again.
    :param told_from: the revision that messages had reached when this one was created.
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
    """An occasion, such as a tournament, a seek or a server's season.

    :param code: the short name that people use, unique among all occasions ever.
    :param kind: the kind of occasion, which also defines the format of ``state``.
    :param scope: a key that no two occasions share, such as one for a server's seasons; None: there
        may be any number of occasions of this kind.
    :param guild_id: None: it belongs to no server.
    :param channel_id: the channel of its public messages; ``NOWHERE``: it has none.
    :param host_id: the person who began it, or last chose its channel; None: nobody.
    :param state: JSON, in the format of its kind.
    :param revision: number of the journal's last line; every change raises it.
    :param due_at: when the bot must act next; None: never.
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
    """A line of an occasion's journal; its fields have the same meaning as those of ``Line``."""

    number: int
    kind: str
    person_id: int | None
    text: str = field(repr=False)
    at: datetime
    interaction_id: int | None = None
