"""Resumes tables that wait for something on a server (a permission, a thread, the bot's return) as
soon as it is there again.

Discord reports such changes at once, so the boards are posted within seconds. The rounds of
``Deadlines`` find changes that no event reports.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence

import discord
from discord.ext import commands

from cogs.delivery.delivery import OccasionDelivery, TableDelivery
from cogs.gateway.client import Client
from data.store.rows import Status
from play.guard import guarded
from play.lobby import Unpark
from play.table import Table
from play.tables import Tables
from play.worker import Worker

PAUSE = 2.0
"""Seconds to wait after an event before acting on it. Discord often sends several events for one
change. Each server is checked only once in this time, however many events arrive.
"""


class Waker(Worker[int]):
    """Resumes whatever waits on a server. Events from servers where nothing waits cause no work."""

    NAME = "waking"

    def __init__(
        self,
        client: Client,
        tables: Tables,
        deliveries: Sequence[TableDelivery | OccasionDelivery],
        fell_behind: Callable[[], None],
    ) -> None:
        super().__init__(fell_behind)
        self._client = client
        self._tables = tables
        self._deliveries = deliveries
        self._parked: set[int] = set()
        """Servers with tables that have lost their channel."""
        self._back: dict[int, set[int]] = {}
        """For each server, the channels that Discord has just reported as existing."""

    def wake(self, table: Table) -> None:
        """Remember the server of a changed table if the table is parked."""
        if table.row.status is Status.PARKED and table.row.guild_id is not None:
            self._parked.add(table.row.guild_id)

    async def begin(self) -> None:
        """After a start, resume tables whose channel reappeared while the bot was offline."""
        self._parked |= await self._tables.store.tables.parked()
        for server in filter(None, map(self._client.get_guild, self._parked)):
            self.hear_server(server)

    def hear_server(self, server: discord.Guild) -> None:
        """Check a server that the bot is a member of; lost channels may have reappeared there."""
        lost = server.id in self._parked
        places = (*server.channels, *server.threads) if lost else ()
        self.hear(server.id, {place.id for place in places})

    def hear(self, guild_id: int, channels: Collection[int] = ()) -> None:
        """Check a server on which something has changed.

        :param channels: channels that must exist, judging by the event.
        """
        if channels and guild_id in self._parked:
            self._back.setdefault(guild_id, set()).update(channels)
        elif not any(delivery.hindered(guild_id) for delivery in self._deliveries):
            return
        self._ask(guild_id)

    async def _work(self, guild_id: int) -> None:
        await asyncio.sleep(PAUSE)
        await self._unpark(guild_id)
        for delivery in self._deliveries:
            for number, channel_id in delivery.hindered(guild_id).items():
                if self._client.may_tell(guild_id, channel_id):
                    await delivery.bring(number)

    async def _unpark(self, guild_id: int) -> None:
        """Resume tables whose channel is back. A failure at one table does not affect the
        others.
        """
        back = self._back.pop(guild_id, set())
        if not back:
            return
        left = False
        for number in await self._tables.store.tables.parked_on(guild_id):
            with guarded("unparking_failed", table=number):
                channel_id = (await self._tables.get(number)).row.channel_id
                left = left or channel_id not in back
                if channel_id in back:
                    await self._tables.act(number, Unpark(channel_id))
        if not left:
            self._parked.discard(guild_id)


class Waking(commands.Cog):
    """Listens to Discord's events about servers."""

    def __init__(self, waker: Waker) -> None:
        self._waker = waker

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Check what came back while the bot was offline."""
        await self._waker.begin()

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Check the server: the bot was added, perhaps again."""
        self._waker.hear_server(guild)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Check the server: its outage is over."""
        self._waker.hear_server(guild)

    @commands.Cog.listener()
    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        """Check the server: a channel was created, or has become visible."""
        self._waker.hear(channel.guild.id, {channel.id})

    @commands.Cog.listener()
    async def on_guild_channel_update(
        self, _: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Check the server: permissions in a channel may have changed."""
        self._waker.hear(after.guild.id, {after.id})

    @commands.Cog.listener()
    async def on_thread_create(self, thread: discord.Thread) -> None:
        """Check the server: a thread was created."""
        self._waker.hear(thread.guild.id, {thread.id})

    @commands.Cog.listener()
    async def on_thread_join(self, thread: discord.Thread) -> None:
        """Check the server: the bot was added to a thread, or a thread and its channel have become
        visible.
        """
        self._waker.hear(thread.guild.id, {thread.id})

    @commands.Cog.listener()
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Check the server: a thread may have been reopened."""
        self._waker.hear(payload.guild_id, {payload.thread_id})

    @commands.Cog.listener()
    async def on_guild_role_update(self, _: discord.Role, after: discord.Role) -> None:
        """Check the server: a role may have gained permissions."""
        self._waker.hear(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """Check the server: a role that denied the bot something may be gone."""
        self._waker.hear(role.guild.id)

    @commands.Cog.listener()
    async def on_member_update(self, _: discord.Member, after: discord.Member) -> None:
        """Check the server: the bot's own roles may have changed, or its timeout may have
        ended. Without the members intent, Discord does not report changes to other members.
        """
        self._waker.hear(after.guild.id)
