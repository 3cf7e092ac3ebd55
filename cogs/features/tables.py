"""``/tables``, and ``/table`` with the commands that all games share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from discord.ext import commands

from cogs.features.acting import Acting
from cogs.features.feature import Feature, command
from cogs.features.looking import LONGEST_TEXT
from cogs.gateway.cards import Style
from cogs.gateway.components import Interaction
from cogs.gateway.translator import L_, name_
from cogs.present import private
from cogs.present.choices import table_button
from cogs.present.front import games_button
from cogs.present.mine import table_line
from cogs.present.people import place_in_words
from data.store.rows import Status
from data.texts import Texts
from play.table import Table

TABLES_AT_MOST: Final = 20

BUTTONS_AT_MOST: Final = 10


class TableCog(commands.GroupCog, group_name=name_("table"), group_description=L_("Your table")):
    """``/table``, made from the table commands of all features."""

    def __init__(self, acting: Acting) -> None:
        if self.app_command is not None:
            for each in acting.table_commands:
                self.app_command.add_command(each)


class TablesCog(Feature, commands.Cog):
    """``/tables``."""

    @command(name_("tables"), L_("Your tables, those waiting for you first"))
    async def list_tables(self, interaction: Interaction) -> None:
        """List the person's open tables and the tables they follow, with links."""
        await self.replies.defer(interaction)
        say, person = self.say(interaction), interaction.user.id
        mine = (await self.tables.of_person(person))[:TABLES_AT_MOST]
        lines = [table_line(table, person, self.words_of(table), say) for table in mine]
        if not lines:
            lines = [say("You are not playing at any table at the moment.")]
        lines += await self._followed(person, say)
        parked = [table for table in mine if _may_move(table, person)]
        buttons = [
            table_button(
                table, "movehere", say("Move {code} here", code=table.row.code), Style.PRIMARY
            )
            for table in parked[:BUTTONS_AT_MOST]
        ]
        if not mine:
            buttons = [games_button(say)]
        card = private.buttons_card(_fitting(lines), buttons)
        await self.replies.answer(interaction, card)
        for table in mine:
            await self.delivery.look(table.id)

    async def _followed(self, person_id: int, say: Texts) -> list[str]:
        """List the tables that the person follows, one per line."""
        followed = await self.tables.store.tables.followed_by(person_id)
        lines = []
        for table_id in followed[:TABLES_AT_MOST]:
            table = await self.tables.get(table_id)
            title, place = say(self.words_of(table).title), place_in_words(table, say)
            lines.append(f"{title} `{table.row.code}` · {place} · {say('you follow it')}")
        return lines


def _may_move(table: Table, person_id: int) -> bool:
    """Return whether the table is parked and the person may move it to another channel."""
    return table.row.status is Status.PARKED and not table.member(person_id).resigned


def _fitting(lines: Sequence[str]) -> str:
    """Return as many of these lines as fit into a message."""
    text = ""
    for line in lines:
        if len(text) + len(line) > LONGEST_TEXT:
            break
        text += f"{line}\n"
    return text.rstrip()
