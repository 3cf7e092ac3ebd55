"""The table that a command is about: by its code, or by where and by whom the command is given."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from discord import app_commands

from cogs.actions import Interaction
from cogs.translator import L_, name_
from data.store import NoSuchTable
from play.table import Refused, Table

Callback = TypeVar("Callback", bound=Callable[..., Any])


def names_table(command: Callback) -> Callback:
    """Show Discord the command's parameter ``table`` as the code of the table meant."""
    describe = app_commands.describe(
        table=L_("The code of the table, if it is not the one in this channel")
    )
    return describe(app_commands.rename(table=name_("table"))(command))


async def table_meant(
    interaction: Interaction, code: str | None, game_id: str | None = None
) -> Table:
    """The table with a code, else the channel's, else the one that waits for the person.

    :param game_id: among several that wait, one of this game is meant.
    :raises Refused: ``no_table_here``, ``which_table``.
    :raises NoSuchTable: no table has that code, or none that this person may know of here.
    """
    tables = interaction.client.tables
    if code:
        table = await tables.by_code(code)
        if not await _may_know(interaction, table):
            raise NoSuchTable(code)
        return table
    try:
        return await tables.in_channel(interaction.channel_id or 0)
    except Refused:
        mine = await tables.of_person(interaction.user.id)
    fitting = [table for table in mine if game_id in (None, table.row.game)]
    waiting = [t for t in fitting if t.seat_of(interaction.user.id) in t.awaited] or fitting
    if len(waiting) == 1:
        return waiting[0]
    raise Refused("which_table" if waiting else "no_table_here")


async def _may_know(interaction: Interaction, table: Table) -> bool:
    """Whether a code opens a table to this person here: on the table's own server to everybody, and
    anywhere, direct messages included, to whoever plays at it or follows it.
    """
    if interaction.guild_id == table.row.guild_id:
        return True
    person = interaction.user.id
    followers = interaction.client.store.followers
    return table.member_of(person) is not None or person in await followers.of_table(table.id)


async def at_table(
    interaction: Interaction,
    code: str | None,
    action: Callable[[Interaction, int], Coroutine[Any, Any, None]],
) -> None:
    """Do something at the table meant; a refusal is answered."""

    async def act() -> None:
        table = await table_meant(interaction, code)
        await action(interaction, table.id)

    await interaction.client.attempt(interaction, act())
