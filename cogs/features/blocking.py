"""``/block`` and ``/table mute``: the people and tables a person does not want to hear from."""

from __future__ import annotations

from collections.abc import Callable

import discord
from discord.ext import commands

from cogs.features.feature import Feature, command, table_command
from cogs.gateway.cards import Card
from cogs.gateway.components import Interaction
from cogs.gateway.translator import L_, name_
from cogs.present.blocking import blocked_in_words, here_in_words
from data.store.rows import PersonRow
from data.texts import N_
from play.lobby import Mute
from play.table import Table
from play.together import blocked, unblocked

WHOM = name_("person")


class BlockingCog(
    Feature,
    commands.GroupCog,
    group_name=name_("block"),
    group_description=L_("People you do not want at your tables"),
):
    """``/block`` and ``/table mute``; see ``play.together`` for what blocking does."""

    @command(
        name_("add"),
        L_("Keep somebody away from your tables; they are not told"),
        person=(WHOM, L_("Whom to block")),
    )
    async def add(self, interaction: Interaction, person: discord.User) -> None:
        """Block somebody."""
        await self._change(interaction, lambda known: blocked(known, person.id))

    @command(
        name_("remove"),
        L_("Stop blocking somebody"),
        person=(WHOM, L_("Whom to stop blocking")),
    )
    async def remove(self, interaction: Interaction, person: discord.User) -> None:
        """Unblock somebody."""
        await self._change(interaction, lambda known: unblocked(known, person.id))

    @command(name_("list"), L_("Whom you have blocked"))
    async def show(self, interaction: Interaction) -> None:
        """Show the people that a person has blocked."""
        await self._answer(interaction, await self.settings.person(interaction.user.id))

    @table_command(name_("mute"), L_("Stop notifications from this table, or allow them again"))
    async def mute(self, interaction: Interaction, table_id: int) -> None:
        """Mute a table, or unmute it."""
        person = interaction.user.id
        _, muted = await self.acting.judged(interaction, table_id, _has_muted)
        table = (await self.acting.act(interaction, table_id, Mute(person, not muted))).after
        told = N_(
            "Table {code} is muted: I do not notify you about it. Your clock keeps running. The"
            " same command undoes it."
        )
        if person not in table.muted:
            told = N_("Table {code} is no longer muted.")
        await self.acting.tell(interaction, told, code=f"`{table.row.code}`")

    # -- inside
    async def _change(
        self, interaction: Interaction, change: Callable[[PersonRow], PersonRow]
    ) -> None:
        """Change the block list, pass the change on to open tables and occasions, and show the
        list.
        """
        person = await self.settings.change_person(interaction.user.id, change)
        await self.tables.reckon(await self.tables.store.tables.of_person(person.person_id))
        for occasion in await self.occasions.of_person(person.person_id):
            await self.occasions.tick(occasion.id)
        await self._answer(interaction, person)

    async def _answer(self, interaction: Interaction, person: PersonRow) -> None:
        text = blocked_in_words(person, self.say(interaction))
        await self.replies.answer(interaction, Card((text,)))


async def warn(feature: Feature, interaction: Interaction, table: Table) -> None:
    """Warn a person who has sat down at a table with people they have blocked."""
    text = here_in_words(table, interaction.user.id, feature.say(interaction))
    if text:
        await feature.replies.answer(interaction, text)


def _has_muted(table: Table, person_id: int) -> bool:
    return person_id in table.muted
