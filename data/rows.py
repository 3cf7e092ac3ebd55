"""What the store remembers, one dataclass per kind of row.

Times are timezone-aware datetimes, exact to the second. People, servers, channels, messages and
interactions go by Discord's ids.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class Status(StrEnum):
    """Where a table stands. A channel holds at most one table in LOBBY or RUNNING."""

    LOBBY = "lobby"
    RUNNING = "running"
    FINISHED = "finished"
    """The match is over and has a result."""
    ENDED = "ended"
    """Stopped without a winner."""
    PARKED = "parked"
    """Its channel is lost; it can be moved to another one and goes on there."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One game being played in a channel or thread.

    :param code: short name for people, unique among all tables ever.
    :param rules: the version of the game's rules that the log was written under.
    :param guild_id: None: the channel is a direct message.
    :param options: as chosen in the lobby; resolved once the match has started.
    :param players: number of seats; None until the match has started.
    :param seed: secret until the match is over.
    :param wanted_players: the number asked for when the table was opened, if any.
    :param ply: number of events.
    :param announced_ply: number of events that the channel has heard of; -1: not even the start.
    :param moved_at: time of the last change to the match or the status.
    :param undos: how often moves were taken back; plies are used again after that.
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
    options: dict[str, Any]
    players: int | None
    seed: str
    wanted_players: int | None
    ply: int
    announced_ply: int
    result: dict[str, Any] | None
    created_at: datetime
    moved_at: datetime
    undos: int = 0


@dataclass(frozen=True, slots=True)
class MemberRow:
    """Somebody who plays at a table.

    :param number: order of joining; the host is 0. Numbers of those who left stay free.
    :param person_id: None: a computer player from the beginning.
    :param level: of the computer player that moves for the seat; None: the person moves.
    :param seat: None until the match has started.
    """

    table_id: int
    number: int
    person_id: int | None
    name: str
    level: str | None
    seat: int | None
    resigned: bool


@dataclass(frozen=True, slots=True)
class EventRow:
    """One line of a match's log.

    :param seat: the seat that moved, or the engine's pseudo-seat of chance.
    :param person_id: who made the move that this event is or follows from; None: nobody did.
    :param interaction_id: the press or command that caused this event and those right after it.
    """

    ply: int
    seat: int
    move: str
    at: datetime
    person_id: int | None
    interaction_id: int | None


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A posted message whose controls must be found again.

    :param kind: what it shows: ``lobby``, ``board``, ``hand``, ``result``...
    :param person_id: the only reader of a private message; None: everybody in the channel.
    :param ply: the position that it shows.
    """

    table_id: int
    kind: str
    channel_id: int
    message_id: int
    person_id: int | None = None
    ply: int = 0


@dataclass(frozen=True, slots=True)
class ServerRow:
    """How a server wants things.

    :param language: None: whatever Discord says about the server.
    :param channels: where tables may be opened; empty: anywhere.
    :param opener_role: the role that may open tables; None: anybody may.
    :param quiet_limit: hours that a clock rests in somebody's quiet hours at most, for each turn.
    :param tables_limit: open tables at which a person may play at a time; None: any number.
    """

    guild_id: int
    language: str | None = None
    channels: tuple[int, ...] = ()
    opener_role: int | None = None
    quiet_limit: int = 10
    tables_limit: int | None = None


@dataclass(frozen=True, slots=True)
class PersonRow:
    """How a person wants things.

    :param language: None: whatever the person's Discord is set to.
    :param dm_closed: the last direct message could not be delivered.
    :param zone: name of the time zone.
    :param quiet_from: when the quiet hours begin, in minutes after midnight.
    :param quiet_to: when they end; None like the beginning: there are none.
    :param dm_too: wants to be told by direct message, too, whose turn it is.
    """

    person_id: int
    language: str | None = None
    dm_closed: bool = False
    zone: str | None = None
    quiet_from: int | None = None
    quiet_to: int | None = None
    dm_too: bool = False
