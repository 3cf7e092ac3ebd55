"""What the bot remembers about servers: their channels, threads and roles as packed numbers.

discord.py keeps an object for each of them, although the bot only needs to know whether it exists,
what kind of channel it is and what the bot may do there. This module keeps only that in memory, as
numbers, and builds discord.py's objects on demand. A built object has no name, topic, position or
tags; the objects in Discord's events and interactions have them.

``docs/decisions/0018-servers-as-packed-numbers.md`` gives the reasons.
"""

from __future__ import annotations

import struct
import sys
from abc import abstractmethod
from array import array
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any, Final, TypeVar

import discord
from discord.abc import GuildChannel
from discord.channel import _guild_channel_factory
from discord.state import AutoShardedConnectionState, ConnectionState

Kept = TypeVar("Kept")

UNUSED: Final[Mapping[str, tuple[()]]] = dict.fromkeys(
    [
        "emojis",
        "stickers",
        "presences",
        "voice_states",
        "soundboard_sounds",
        "stage_instances",
        "guild_scheduled_events",
    ],
    (),
)
"""Parts of Discord's description of a server that the bot never uses."""

LONG_AGO: Final = datetime.fromtimestamp(0, UTC).isoformat()

KIND_AND_PARENT: Final = struct.Struct("<BQ")
OVERWRITE: Final = struct.Struct("<QBQQ")
"""An overwrite: the id of a role or person, which of the two it is, and the permissions allowed and
denied.
"""
PERMISSIONS: Final = struct.Struct("<Q")


class PackedMapping(MutableMapping[int, Kept]):
    """Objects by id, like a dictionary. Equal records are stored once, because most channels of a
    server differ only in their ids.

    :param guild: the server that the objects belong to.
    """

    __slots__ = ("_ends", "_guild", "_ids", "_records", "_which")

    def __init__(self, guild: discord.Guild, kept: Iterable[tuple[int, Kept]]) -> None:
        self._guild = guild
        self._hold({number: self._pack(each) for number, each in kept})

    @abstractmethod
    def _pack(self, kept: Kept) -> bytes:
        """Pack an object, without its id."""

    @abstractmethod
    def _build(self, number: int, record: bytes) -> Kept:
        """Rebuild an object from its packed record."""

    def __getitem__(self, number: int) -> Kept:
        try:
            place = self._ids.index(number)
        except ValueError:
            raise KeyError(number) from None
        return self._build(number, self._record(self._which[place]))

    def __setitem__(self, number: int, kept: Kept) -> None:
        self._hold(self._held() | {number: self._pack(kept)})

    def __delitem__(self, number: int) -> None:
        held = self._held()
        del held[number]
        self._hold(held)

    def __contains__(self, number: object) -> bool:
        return number in self._ids

    def get(self, number: int, default: Any = None) -> Any:
        """Return an object, or the default. This is faster than the inherited method, which raises
        and catches a KeyError for each miss; discord.py asks every server in turn for a channel.
        """
        return self[number] if number in self._ids else default

    def __iter__(self) -> Iterator[int]:
        return iter(self._ids.tolist())

    def __len__(self) -> int:
        return len(self._ids)

    def clear(self) -> None:
        """Remove all objects."""
        self._hold({})

    def copy(self) -> dict[int, Kept]:
        """Build and return all objects."""
        return dict(self)

    def _record(self, which: int) -> bytes:
        return self._records[self._ends[which] : self._ends[which + 1]]

    def _held(self) -> dict[int, bytes]:
        return dict(zip(self._ids, map(self._record, self._which), strict=True))

    def _hold(self, records: Mapping[int, bytes]) -> None:
        numbered = {record: at for at, record in enumerate(dict.fromkeys(records.values()))}
        self._ids = array("Q", list(records))
        self._which = array("H", [numbered[record] for record in records.values()])
        self._records = b"".join(numbered)
        self._ends = array("I", list(accumulate(map(len, numbered), initial=0)))


class Channels(PackedMapping[GuildChannel]):
    """The channels of a server, with their overwrites for roles and for the bot itself."""

    __slots__ = ()

    def _pack(self, kept: GuildChannel) -> bytes:
        own = self._guild._state.self_id
        return KIND_AND_PARENT.pack(kept.type.value, kept.category_id or 0) + b"".join(
            OVERWRITE.pack(each.id, each.type, each.allow, each.deny)
            for each in kept._overwrites
            if each.is_role() or each.id == own
        )

    def _build(self, number: int, record: bytes) -> GuildChannel:
        kind, parent = KIND_AND_PARENT.unpack_from(record)
        overwrites = [
            {"id": who, "type": which, "allow": allowed, "deny": denied}
            for who, which, allowed, denied in OVERWRITE.iter_unpack(record[KIND_AND_PARENT.size :])
        ]
        data: Any = {
            "id": number,
            "type": kind,
            "name": "",
            "position": 0,
            "parent_id": parent or None,
            "permission_overwrites": overwrites,
            "bitrate": 0,
            "user_limit": 0,
        }
        factory: Any = _guild_channel_factory(kind)[0]
        built: GuildChannel = factory(guild=self._guild, state=self._guild._state, data=data)
        return built


class Threads(PackedMapping[discord.Thread]):
    """The active threads of a server."""

    __slots__ = ()

    def _pack(self, kept: discord.Thread) -> bytes:
        return KIND_AND_PARENT.pack(kept.type.value, kept.parent_id)

    def _build(self, number: int, record: bytes) -> discord.Thread:
        kind, parent = KIND_AND_PARENT.unpack(record)
        data: Any = {
            "id": number,
            "type": kind,
            "name": "",
            "parent_id": parent,
            "owner_id": 0,
            "message_count": 0,
            "member_count": 0,
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": 0,
                "archive_timestamp": LONG_AGO,
            },
        }
        return discord.Thread(guild=self._guild, state=self._guild._state, data=data)


class Roles(PackedMapping[discord.Role]):
    """The roles of a server, with their permissions."""

    __slots__ = ()

    def _pack(self, kept: discord.Role) -> bytes:
        return PERMISSIONS.pack(kept.permissions.value)

    def _build(self, number: int, record: bytes) -> discord.Role:
        (permissions,) = PERMISSIONS.unpack(record)
        data: Any = {"id": number, "name": "", "permissions": permissions}
        return discord.Role(guild=self._guild, state=self._guild._state, data=data)


class PackedGuild(discord.Guild):
    """A server that stores only what the bot needs."""

    __slots__ = ()

    def _from_data(self, guild: Any) -> None:
        """Read Discord's data about the server: complete, or an update."""
        if "channels" in guild:  # discord.py adds them one by one
            self._channels = dict(self._channels)
            self._threads = dict(self._threads)
        features = [sys.intern(feature) for feature in guild.get("features", ())]
        super()._from_data({**guild, **UNUSED, "features": features})  # type: ignore[typeddict-item]
        self._roles: Any = Roles(self, self._roles.items())
        if not isinstance(self._channels, PackedMapping):
            self._channels: Any = Channels(self, self._channels.items())
            self._threads: Any = Threads(self, self._threads.items())


class PackedState(ConnectionState["discord.Client"]):
    """discord.py's state, with compact servers.

    discord.py updates channels and roles in place. Here, it updates an object that was built on
    demand, so the change has to be stored explicitly.
    """

    def _add_guild_from_data(self, data: Any) -> discord.Guild:
        server = PackedGuild(data=data, state=self)
        self._add_guild(server)
        return server

    def store_user_no_intents(self, data: Any, *, cache: bool = True) -> Any:
        """Build a user from Discord's data. For the bot itself, return the same object on all
        servers.
        """
        if int(data["id"]) == self.self_id:
            return self.user
        return super().store_user_no_intents(data, cache=cache)

    def parse_channel_update(self, data: Any) -> None:
        """Store a changed channel."""
        server = self._get_guild(int(data.get("guild_id") or 0))
        channel: Any = None if server is None else server.get_channel(int(data["id"]))
        super().parse_channel_update(data)
        if server is not None and channel is not None:
            channel._update(server, data)
            server._add_channel(channel)

    def parse_guild_role_update(self, data: Any) -> None:
        """Store a changed role."""
        server = self._get_guild(int(data["guild_id"]))
        role = None if server is None else server.get_role(int(data["role"]["id"]))
        super().parse_guild_role_update(data)
        if server is not None and role is not None:
            role._update(data["role"])
            server._add_role(role)


class ShardedState(PackedState, AutoShardedConnectionState):
    """``PackedState`` for some shards of a bot."""
