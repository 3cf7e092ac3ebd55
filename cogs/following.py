"""Spectators: whoever follows a table is told how it ends, as everybody may know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.ext import commands

from cogs import actions, board
from cogs.actions import Interaction
from data.store import Status
from play.table import Refused, Table

if TYPE_CHECKING:
    from cogs.tafelrunde import Tafelrunde


async def follow(interaction: Interaction, table_id: int) -> None:
    """Follow a table."""
    bot = interaction.client
    await actions.acknowledge_privately(interaction)
    table = await bot.tables.get(table_id)
    if table.row.status in (Status.FINISHED, Status.ENDED):
        raise Refused("table_over")
    if table.member_of(interaction.user.id) is not None:
        raise Refused("member_follows")
    await bot.store.followers.add(table_id, interaction.user.id)
    say = bot.say(interaction)
    text = say(
        "You follow table {code}. When it is over, I send you its result by direct message.",
        code=f"`{table.row.code}`",
    )
    if not await bot.door.can_dm(interaction.user.id):
        text += " " + say("For that, please allow direct messages from members of this server.")
    await actions.show_privately(interaction, board.note_view(text), [])


async def unfollow(interaction: Interaction, table_id: int) -> None:
    """Follow a table no longer."""
    bot = interaction.client
    await actions.acknowledge_privately(interaction)
    if not await bot.store.followers.remove(table_id, interaction.user.id):
        raise Refused("not_following")
    text = bot.say(interaction)("You do not follow this table any longer.")
    await actions.show_privately(interaction, board.note_view(text), [])


async def tell_followers(bot: Tafelrunde, table: Table) -> None:
    """Tell those who follow a table how it ended, each once."""
    for person_id in await bot.store.followers.of_table(table.id):
        say = await bot.person_texts(person_id, table.row.language)
        if table.row.status is Status.FINISHED:
            view = board.result_view(table, bot.words_of(table), say, for_players=False)
        else:
            code = f"`{table.row.code}`"
            view = board.note_view(say("Table {code} has ended without a result.", code=code))
        await bot.door.dm(person_id, view, nonce=f"{table.id}.over")
        await bot.store.followers.remove(table.id, person_id)


class FollowingCog(commands.Cog):
    """Tells what the last process left untold."""

    def __init__(self, bot: Tafelrunde) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Tell followers whose table was over when the last process ended."""
        for table_id in await self.bot.store.followers.of_tables_over():
            await self.bot.guarded(self._tell(table_id))

    async def _tell(self, table_id: int) -> None:
        await tell_followers(self.bot, await self.bot.tables.get(table_id))


async def setup(bot: Tafelrunde) -> None:
    """Make the buttons known."""
    bot.presses |= {
        "follow": actions.on_table(follow),
        "unfollow": actions.on_table(unfollow),
    }
    await bot.add_cog(FollowingCog(bot))
