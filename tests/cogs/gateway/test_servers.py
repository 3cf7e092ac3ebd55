"""The cache of servers answers as discord.py's own does, after any events of the gateway."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable
from typing import Any

import discord
import pytest

from cogs.gateway.client import Client, ShardedClient
from cogs.gateway.permissions import may_show
from data.store.shards import Shards

BOT = 7
SERVERS = (1 << 22, 2 << 22)
KINDS = {0: "text", 2: "voice", 4: "category", 5: "news", 13: "stage", 15: "forum"}
LONG_AGO = "2020-01-01T00:00:00+00:00"
FAR_AHEAD = "2999-01-01T00:00:00+00:00"
BITS = [getattr(discord.Permissions, name).flag for name in ("view_channel", "send_messages")] + [
    discord.Permissions.attach_files.flag,
    discord.Permissions.send_messages_in_threads.flag,
    discord.Permissions.manage_channels.flag,
    discord.Permissions.use_external_apps.flag,  # above the 32nd bit
]

Event = tuple[str, dict[str, Any]]


class World:
    """Discord as a source of random events, most of them about something that exists."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.channels: dict[int, dict[int, dict[str, Any]]] = {each: {} for each in SERVERS}
        self.threads: dict[int, dict[int, dict[str, Any]]] = {each: {} for each in SERVERS}
        self.roles: dict[int, list[int]] = {each: [each] for each in SERVERS}
        self._last = max(SERVERS) + 1000

    def new_id(self) -> int:
        self._last += 1
        return self._last

    def bits(self) -> str:
        """Random permissions, rarely including administrator."""
        chosen = sum(bit for bit in BITS if self.chance.random() < 0.5)
        return str(chosen | (8 if self.chance.random() < 0.03 else 0))

    def one(self, numbers: Any) -> int:
        """One of these ids, or an unknown one."""
        known = list(numbers)
        return self.chance.choice(known) if known and self.chance.random() < 0.9 else self.new_id()

    def role(self, number: int) -> dict[str, Any]:
        return {"id": str(number), "name": f"role {number}", "permissions": self.bits()}

    def channel(self, server: int, number: int, kind: int) -> dict[str, Any]:
        """The description of a channel, with overwrites for roles, for people and for the bot."""
        people = self.chance.sample([BOT, 8, 9], self.chance.randint(0, 2))
        roles = self.chance.sample(self.roles[server], min(len(self.roles[server]), 3))
        overwrites = [
            {"id": str(who), "type": which, "allow": self.bits(), "deny": self.bits()}
            for which, numbers in ((1, people), (0, roles))
            for who in numbers
        ]
        self.chance.shuffle(overwrites)
        categories = [each for each, data in self.channels[server].items() if data["type"] == 4]
        parent = self.chance.choice([None, *categories]) if kind != 4 else None
        described = {
            "id": str(number),
            "guild_id": str(server),
            "type": kind,
            "name": f"channel {number}",
            "position": self.chance.randrange(50),
            "parent_id": None if parent is None else str(parent),
            "permission_overwrites": overwrites,
            "bitrate": 64000,
            "user_limit": 0,
        }
        self.channels[server][number] = described
        return described

    def thread(self, server: int, number: int, parent: int, **metadata: Any) -> dict[str, Any]:
        described = {
            "id": str(number),
            "guild_id": str(server),
            "parent_id": str(parent),
            "owner_id": "8",
            "type": self.chance.choice([11, 12]),
            "name": f"thread {number}",
            "message_count": 1,
            "member_count": 1,
            "thread_metadata": {
                "archived": False,
                "auto_archive_duration": 1440,
                "archive_timestamp": LONG_AGO,
            }
            | metadata,
        }
        self.threads[server][number] = described
        return described

    def member(self, server: int) -> dict[str, Any]:
        """The bot as a member, with some roles, perhaps in a timeout."""
        roles = self.chance.sample(self.roles[server], min(len(self.roles[server]), 2))
        timeout = FAR_AHEAD if self.chance.random() < 0.1 else None
        return {
            "guild_id": str(server),
            "user": {"id": str(BOT), "username": "bot", "discriminator": "0", "avatar": None},
            "roles": [str(role) for role in roles if role != server],
            "joined_at": LONG_AGO,
            "flags": 0,
            "communication_disabled_until": timeout,
        }

    def server(self, server: int) -> dict[str, Any]:
        """A server's description, without its channels and threads."""
        return {
            "id": str(server),
            "name": f"server {server}, {self.chance.random()}",
            "owner_id": str(self.chance.choice([8, 9, 9, 9, BOT])),
            "features": ["NEWS"],
            "roles": [self.role(number) for number in self.roles[server]],
            "emojis": [{"id": str(self.new_id()), "name": "smile"}],
            "system_channel_id": str(self.one(self.channels[server])),
        }

    def created(self, server: int) -> Event:
        """GUILD_CREATE: the bot has connected or been added, or an outage has ended."""
        for _ in range(self.chance.randint(0, 3)):
            self.roles[server].append(self.new_id())
        for kind in self.chance.choices(list(KINDS), k=self.chance.randint(0, 6)):
            self.channel(server, self.new_id(), kind)
        described = self.server(server) | {
            "members": [self.member(server)],
            "channels": list(self.channels[server].values()),
            "threads": list(self.threads[server].values()),
            "unavailable": self.chance.choice([True, False, None]),
        }
        return "GUILD_CREATE", {k: v for k, v in described.items() if v is not None}

    def event(self) -> Event:
        """Any event about something that the cache keeps."""
        server = self.chance.choice(SERVERS)
        kinds: list[Callable[[int], Event]] = [
            self.created,
            lambda at: ("GUILD_UPDATE", self.server(at)),
            lambda at: ("GUILD_MEMBER_UPDATE", self.member(at)),
            self._server_gone,
            *(2 * [self._channel_new, self._channel_changed, self._channel_gone]),
            *(2 * [self._thread_new, self._thread_changed, self._thread_gone]),
            *(2 * [self._role_new, self._role_changed, self._role_gone]),
            self._threads_listed,
        ]
        return self.chance.choice(kinds)(server)

    def _server_gone(self, server: int) -> Event:
        return "GUILD_DELETE", {"id": str(server), "unavailable": self.chance.random() < 0.7}

    def _channel_new(self, server: int) -> Event:
        kind = self.chance.choice(list(KINDS))
        return "CHANNEL_CREATE", self.channel(server, self.new_id(), kind)

    def _channel_changed(self, server: int) -> Event:
        number = self.one(self.channels[server])
        kind = self.channels[server].get(number, {"type": 0})["type"]
        if kind in {0, 5} and self.chance.random() < 0.2:
            kind = 5 - kind  # a text channel becomes one for announcements, or the other way round
        return "CHANNEL_UPDATE", self.channel(server, number, kind)

    def _channel_gone(self, server: int) -> Event:
        number = self.one(self.channels[server])
        self.channels[server].pop(number, None)
        gone = {k for k, v in self.threads[server].items() if v["parent_id"] == str(number)}
        for thread in gone:
            del self.threads[server][thread]
        return "CHANNEL_DELETE", {"id": str(number), "guild_id": str(server), "type": 0}

    def _thread_new(self, server: int) -> Event:
        thread = self.thread(server, self.new_id(), self.one(self.channels[server]))
        return "THREAD_CREATE", thread | {"newly_created": self.chance.random() < 0.5}

    def _thread_changed(self, server: int) -> Event:
        number = self.one(self.threads[server])
        known = self.threads[server].get(number)
        parent = int(known["parent_id"]) if known else self.one(self.channels[server])
        archived = self.chance.random() < 0.4
        changed = self.thread(server, number, parent, archived=archived)
        if archived:
            del self.threads[server][number]
        return "THREAD_UPDATE", changed

    def _thread_gone(self, server: int) -> Event:
        number = self.one(self.threads[server])
        known = self.threads[server].pop(number, {"parent_id": "1", "type": 11})
        gone = {"id": str(number), "guild_id": str(server)}
        return "THREAD_DELETE", gone | {key: known[key] for key in ("parent_id", "type")}

    def _threads_listed(self, server: int) -> Event:
        said: dict[str, Any] = {"guild_id": str(server), "members": []}
        channels = set(self.channels[server])
        if self.chance.random() < 0.5:
            channels = {number for number in channels if self.chance.random() < 0.5}
            said["channel_ids"] = [str(number) for number in channels]
        said["threads"] = [
            data
            for data in self.threads[server].values()
            if int(data["parent_id"]) in channels and self.chance.random() < 0.8
        ]
        return "THREAD_LIST_SYNC", said

    def _role_new(self, server: int) -> Event:
        number = self.new_id()
        self.roles[server].append(number)
        return "GUILD_ROLE_CREATE", {"guild_id": str(server), "role": self.role(number)}

    def _role_changed(self, server: int) -> Event:
        role = self.role(self.one(self.roles[server]))
        return "GUILD_ROLE_UPDATE", {"guild_id": str(server), "role": role}

    def _role_gone(self, server: int) -> Event:
        number = self.one(self.roles[server][1:])
        if number in self.roles[server]:
            self.roles[server].remove(number)
        return "GUILD_ROLE_DELETE", {"guild_id": str(server), "role_id": str(number)}


def state_of(client: discord.Client) -> Any:
    """The part of a client that receives events; discord.py has no public way to send it one."""
    return client._connection


def heard(client: discord.Client) -> list[Any]:
    """Make a client believe that it is connected, and collect the events that it passes on to
    listeners.
    """
    state = state_of(client)
    user: Any = {"id": str(BOT), "username": "bot", "discriminator": "0", "avatar": None}
    state.user = discord.ClientUser(state=state, data=user)
    events: list[Any] = []

    def dispatch(name: str, /, *given: Any) -> None:
        events.append((name, [shown(each) for each in given]))

    state.dispatch = dispatch
    return events


def shown(given: Any) -> Any:
    """The comparable parts of an event's argument, at the moment of the event."""
    if isinstance(given, discord.Thread | discord.abc.GuildChannel):
        return allowed(given)
    if isinstance(given, discord.Role):
        return given.id, given.permissions.value
    return type(given).__name__.replace("PackedGuild", "Guild"), getattr(given, "id", None)


def allowed(channel: Any) -> Any:
    """Everything that the bot asks about a channel or thread."""
    parent = channel.parent_id if isinstance(channel, discord.Thread) else channel.category_id
    what = (type(channel), channel.id, channel.type, parent)
    if isinstance(channel, discord.Thread) and channel.parent is None:
        return (*what, None)
    if channel.guild.me is None:
        return (*what, None)
    return (*what, channel.permissions_for(channel.guild.me).value, may_show(channel))


def answers(client: discord.Client, unknown: int) -> Any:
    """Everything that the bot asks about servers."""
    return [
        (
            guild.id,
            guild.name,
            guild.unavailable,
            guild.features,
            [allowed(channel) for channel in guild.channels],
            [allowed(thread) for thread in guild.threads],
            {role.id: role.permissions.value for role in guild.roles},
            guild.me and (guild.me.guild_permissions.value, {role.id for role in guild.me.roles}),
            guild.system_channel and allowed(guild.system_channel),
            [guild.get_channel_or_thread(each.id) for each in (*guild.channels, *guild.threads)],
            guild.get_channel_or_thread(unknown),
            guild.get_role(unknown),
            [(thread.parent and thread.parent.id) for thread in guild.threads],
            {each.id: {c.id for c in each.channels} for each in guild.categories},
        )
        for guild in client.guilds
    ]


@pytest.mark.full
@pytest.mark.parametrize("sharded", [False, True])
@pytest.mark.parametrize("seed", range(2))
async def test_the_cache_answers_as_discord_py_does(seed: int, sharded: bool) -> None:
    """Both caches receive the same events, and must pass the same events on to listeners."""
    intents = discord.Intents(guilds=True)
    clients: tuple[discord.Client, discord.Client] = (
        (
            discord.AutoShardedClient(intents=intents, shard_ids=[0, 1], shard_count=2),
            ShardedClient(Shards(frozenset((0, 1)), 2)),
        )
        if sharded
        else (discord.Client(intents=intents), Client())
    )
    theirs, ours = clients
    expected, passed_on = map(heard, clients)
    world = World(random.Random(seed))
    begin = [world.created(server) for server in SERVERS]
    for name, data in [*begin, *(world.event() for _ in range(100))]:
        for client in clients:
            state_of(client).parsers[name](data)
        unknown = world.new_id()
        assert answers(ours, unknown) == answers(theirs, unknown), (seed, name, data)
        assert passed_on == expected, (seed, name, data)


def test_a_channel_takes_memory_only_while_it_is_used() -> None:
    """A bot on thousands of servers keeps only a few bytes for each channel."""
    client, world = Client(), World(random.Random(0))
    heard(client)
    for server in SERVERS:
        name, data = world.created(server)
        state_of(client).parsers[name](data)
    gc.collect()
    kept = [each for each in gc.get_objects() if isinstance(each, discord.abc.GuildChannel)]
    assert any(guild.channels for guild in client.guilds)
    assert not [each for each in kept if any(each.guild is guild for guild in client.guilds)]


def test_whether_the_bot_may_post_is_known_without_asking_discord() -> None:
    """The exception is a thread whose channel is unknown."""
    client, world = Client(), World(random.Random(0))
    heard(client)
    told = set[tuple[bool, bool]]()
    for name, data in [*map(world.created, SERVERS), *(world.event() for _ in range(100))]:
        state_of(client).parsers[name](data)
        for guild in client.guilds:
            for thread in guild.threads if guild.me else ():
                lost = thread.parent is None
                may = client.may_tell(guild.id, thread.id)
                assert may == (lost or may_show(thread))
                told.add((lost, may))
    assert {(True, True), (False, True), (False, False)} <= told
