"""Tables that have lost their channel: they are parked until one of their players moves them or the
channel is there again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import discord
import structlog
from discord.ext import commands

from cogs.features.acting import Acknowledge, Acting
from cogs.features.feature import Feature, button
from cogs.features.lobby import Lobby
from cogs.gateway.client import Client
from cogs.gateway.components import Interaction
from cogs.gateway.places import InteractionContext, chat_of, context_of
from data.texts import N_
from play.guard import guarded
from play.lobby import MoveHere, Park
from play.table import Refused

log = structlog.get_logger()


class Parking(Feature, commands.Cog):
    """Parks tables as soon as their channel is lost, and moves them elsewhere on request."""

    def __init__(self, acting: Acting, client: Client, lobby: Lobby) -> None:
        super().__init__(acting)
        self._client = client
        self._lobby = lobby

    @button("movehere", Acknowledge.PRIVATELY)
    async def move_here(self, interaction: Interaction, table_id: int) -> None:
        """Move a parked table to this channel."""
        await self.replies.acknowledge_privately(interaction)
        channel_id = await self._lobby.welcoming_channel(interaction, in_thread=False)
        guild_id = (
            interaction.guild_id if context_of(interaction) is InteractionContext.SERVER else None
        )
        chat = chat_of(interaction)
        command = MoveHere(interaction.user.id, channel_id, guild_id, chat)
        table = (await self.acting.act(interaction, table_id, command)).after
        if await self.delivery.bring(table_id) is not None:
            raise Refused("cannot_show", place=channel_id)
        code = f"`{table.row.code}`"
        await self.acting.note(interaction, N_("Table {code} continues here."), code=code)

    # -- Discord's events
    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Park tables on servers that the bot left while it was offline. Other processes take care
        of servers on other shards. If the bot is still on the server, the next delivery notices a
        lost channel.
        """
        lost = {
            channel_id
            for channel_id, guild_id in await self.tables.store.tables.places()
            if self._client.own_shards.has(guild_id) and self._client.has_left(guild_id)
        }
        await self._park_in(lost)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Park tables in a deleted channel and its threads."""
        threads = getattr(channel, "threads", ())
        await self._park_in({channel.id, *(thread.id for thread in threads)})

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Park tables in a deleted thread."""
        await self._park_in({payload.thread_id})

    @commands.Cog.listener()
    async def on_channel_lost(self, channel_id: int) -> None:
        """Park tables in a channel that Discord no longer knows."""
        await self._park_in({channel_id})

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Park tables on a server that no longer exists or from which the bot was removed."""
        await self._park(await self.tables.store.tables.open_on(guild.id))

    async def _park_in(self, channels: Collection[int]) -> None:
        await self._park(await self.tables.store.tables.open_in(channels))

    async def _park(self, table_ids: Sequence[int]) -> None:
        """Park tables whose channel is lost. A failure at one table does not affect the others."""
        for table_id in table_ids:
            with guarded("parking_failed", table=table_id):
                channel_id = (await self.tables.get(table_id)).row.channel_id
                change = await self.tables.act(table_id, Park(channel_id))
                if change.after is not change.before:
                    log.warning("channel_lost", table=table_id, channel=channel_id)
