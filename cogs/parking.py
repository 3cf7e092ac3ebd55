"""Tables whose channel is lost: they are parked, and go on where one of their players wants it."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import discord
import structlog
from discord.ext import commands

from cogs import actions, board
from cogs.actions import Interaction
from data.store import TableRow
from play import parking
from play.table import Refused

if TYPE_CHECKING:
    from cogs.tafelrunde import Tafelrunde

log = structlog.get_logger()


async def move_here(interaction: Interaction, table_id: int) -> None:
    """Let a parked table go on in this channel."""
    bot = interaction.client
    await actions.acknowledge_privately(interaction)
    channel_id = await actions.welcoming_channel(interaction, in_thread=False)
    table = await parking.move_here(
        bot.tables, table_id, interaction.user.id, channel_id, interaction.guild_id
    )
    if await bot.herald.refresh(table_id) is not None:
        raise Refused("cannot_show", place=channel_id)
    say = bot.say(interaction)
    text = say("Table {code} goes on here.", code=f"`{table.row.code}`")
    await actions.show_privately(interaction, board.note_view(text), [])


class ParkingCog(commands.Cog):
    """Parks tables as soon as their channel is lost."""

    def __init__(self, bot: Tafelrunde) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Whatever was lost while nobody looked; one table does not hinder the others."""
        for row in await self.bot.store.open_tables():
            await self.bot.guarded(self._look_for(row))

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is deleted, and its threads with it."""
        threads = getattr(channel, "threads", ())
        await self._park(lost={channel.id, *(thread.id for thread in threads)})

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is deleted."""
        await self._park(lost={payload.thread_id})

    @commands.Cog.listener()
    async def on_channel_lost(self, channel_id: int) -> None:
        """Whatever was to be told in a channel, Discord knows it no more."""
        await self._park(lost={channel_id})

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was thrown out of a server, or the server is gone."""
        open_tables = await self.bot.store.open_tables()
        await self._park(lost={t.channel_id for t in open_tables if t.guild_id == guild.id})

    async def _look_for(self, row: TableRow) -> None:
        """See whether a table still has its channel. Discord tells at the start of which servers
        the bot is a member, and names their channels, but no sleeping threads.
        """
        server = self.bot.get_guild(row.guild_id or 0)
        if server is None:
            await self._park(lost={row.channel_id})
        elif not server.unavailable and server.get_channel_or_thread(row.channel_id) is None:
            await self.bot.door.look_for(row.channel_id)

    async def _park(self, lost: Collection[int]) -> None:
        for row in await self.bot.store.park(lost, self.bot.tables.clock()):
            log.warning("channel_lost", table=row.id, channel=row.channel_id)
            await self.bot.guarded(self.bot.keeper.follow(row.id))


async def setup(bot: Tafelrunde) -> None:
    """Make the button known and watch the channels."""
    bot.presses["movehere"] = actions.on_table(move_here)
    await bot.add_cog(ParkingCog(bot))
