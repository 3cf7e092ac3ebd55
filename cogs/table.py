"""``/table`` and ``/tables``: what all games share."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from cogs import actions, board, consent
from cogs.actions import Interaction
from cogs.controls import Control, Press
from cogs.meant import at_table, names_table
from cogs.records import RecordCommands
from cogs.tafelrunde import Tafelrunde
from cogs.times import deadline
from cogs.together import TogetherCommands
from cogs.translator import L_, name_
from data.store import Status
from data.texts import Texts
from play.table import Table

TABLES_AT_MOST = 20

BUTTONS_AT_MOST = 10


class TableCog(
    RecordCommands,
    TogetherCommands,
    commands.GroupCog,
    group_name=name_("table"),
    group_description=L_("Your table"),
):
    """``/table``."""

    def __init__(self, bot: Tafelrunde) -> None:
        self.bot = bot

    @app_commands.command(name=name_("show"), description=L_("Show the table as it stands"))
    @app_commands.rename(text=name_("text"))
    @app_commands.describe(text=L_("In words instead of a picture"))
    @names_table
    async def show(
        self, interaction: Interaction, text: bool = False, table: str | None = None
    ) -> None:
        """Show the table."""
        await at_table(interaction, table, actions.text if text else actions.show)

    @app_commands.command(name=name_("hand"), description=L_("Show your hand, to you alone"))
    @names_table
    async def hand(self, interaction: Interaction, table: str | None = None) -> None:
        """Show the private hand."""
        await at_table(interaction, table, actions.hand)

    @app_commands.command(name=name_("log"), description=L_("List the moves so far"))
    @names_table
    async def log(self, interaction: Interaction, table: str | None = None) -> None:
        """List the moves."""
        await at_table(interaction, table, actions.log)

    @app_commands.command(name=name_("leave"), description=L_("Leave a table before it starts"))
    @names_table
    async def leave(self, interaction: Interaction, table: str | None = None) -> None:
        """Leave the lobby."""
        await at_table(interaction, table, actions.leave)

    @app_commands.command(name=name_("resign"), description=L_("Give up your match"))
    @names_table
    async def resign(self, interaction: Interaction, table: str | None = None) -> None:
        """Give up, if that is meant."""
        await at_table(interaction, table, consent.may_resign)


class TablesCog(commands.Cog):
    """``/tables``."""

    def __init__(self, bot: Tafelrunde) -> None:
        self.bot = bot

    @app_commands.command(
        name=name_("tables"), description=L_("Your tables, those that wait for you first")
    )
    async def tables(self, interaction: Interaction) -> None:
        """List the person's open tables with links."""
        await self.bot.attempt(interaction, self._list(interaction))

    async def _list(self, interaction: Interaction) -> None:
        say = self.bot.say(interaction)
        mine = await self.bot.tables.of_person(interaction.user.id)
        lines = [self._line(table, interaction.user.id, say) for table in mine[:TABLES_AT_MOST]]
        if not lines:
            lines = [say("You are not playing at any table at the moment.")]
        lines += await self._followed(interaction.user.id, say)
        parked = [table for table in mine if table.row.status is Status.PARKED]
        buttons = [
            Press(
                Control(table.id, 0, "movehere"),
                say("Move {code} here", code=table.row.code),
                discord.ButtonStyle.primary,
            )
            for table in parked[:BUTTONS_AT_MOST]
        ]
        await self.bot.door.answer(interaction, board.buttons_view("\n".join(lines), buttons))

    async def _followed(self, person_id: int, say: Texts) -> list[str]:
        """The tables that the person follows, one to a line."""
        lines = []
        for table_id in await self.bot.store.followers.tables_of(person_id):
            table = await self.bot.tables.get(table_id)
            title = say(self.bot.words_of(table).title)
            place = f"<#{table.row.channel_id}>"
            lines.append(f"{title} `{table.row.code}` · {place} · {say('you follow it')}")
        return lines[:TABLES_AT_MOST]

    def _line(self, table: Table, person_id: int, say: Texts) -> str:
        title = say(self.bot.words_of(table).title)
        if table.row.status is Status.PARKED:
            return f"**{title}** `{table.row.code}` · {say('has lost its channel')}"
        place = f"<#{table.row.channel_id}>"
        head = f"**{title}** `{table.row.code}` · {place}"
        if table.row.status is Status.LOBBY:
            return f"{head} · {say('not started yet')}"
        if table.unreadable:
            return f"{head} · {say('cannot go on')}"
        seat = table.seat_of(person_id)
        if seat in table.awaited:
            until = None if seat is None else table.until(seat)
            since = discord.utils.format_dt(table.row.moved_at, "R")
            time = f"({since})" if until is None else say("until {time}", time=deadline(until))
            return f"{head} · **{say('waits for you')}** {time}"
        waiting = say.list([board.player_name(table, seat) for seat in table.awaited])
        return f"{head} · {say('waits for {names}', names=waiting)}"


async def setup(bot: Tafelrunde) -> None:
    """Add the commands to the bot."""
    await bot.add_cog(TableCog(bot))
    await bot.add_cog(TablesCog(bot))
