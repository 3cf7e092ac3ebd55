"""The commands of ``/table`` for what people agree upon, plan, or look at."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs import actions, consent, following, hints, plans, seats
from cogs.actions import Interaction
from cogs.translator import L_, name_

CODE = L_("The code of the table, if it is not the one in this channel")


class TogetherCommands(commands.Cog):
    """A part of ``TableCog``."""

    @app_commands.command(name=name_("undo"), description=L_("Take back your last move"))
    @app_commands.rename(table=name_("table"))
    @app_commands.describe(table=CODE)
    async def undo(self, interaction: Interaction, table: str | None = None) -> None:
        """Take back a move."""
        await _at(interaction, table, consent.undo_last)

    @app_commands.command(
        name=name_("hint"), description=L_("Ask a computer player for advice; hints are counted")
    )
    @app_commands.rename(table=name_("table"))
    @app_commands.describe(table=CODE)
    async def hint(self, interaction: Interaction, table: str | None = None) -> None:
        """Ask for a hint."""
        await _at(interaction, table, hints.hint)

    @app_commands.command(name=name_("draw"), description=L_("Offer a draw, if the game knows one"))
    @app_commands.rename(table=name_("table"))
    @app_commands.describe(table=CODE)
    async def draw(self, interaction: Interaction, table: str | None = None) -> None:
        """Offer a draw."""
        await _at(interaction, table, consent.offer_draw)

    @app_commands.command(
        name=name_("end"), description=L_("End your table without a result; the others are asked")
    )
    @app_commands.rename(table=name_("table"))
    @app_commands.describe(table=CODE)
    async def end(self, interaction: Interaction, table: str | None = None) -> None:
        """End the table."""
        await _at(interaction, table, consent.end)

    @app_commands.command(
        name=name_("kick"), description=L_("Send somebody away before the start (host)")
    )
    @app_commands.rename(person=name_("person"), table=name_("table"))
    @app_commands.describe(person=L_("Who shall leave"), table=CODE)
    async def kick(
        self, interaction: Interaction, person: discord.User, table: str | None = None
    ) -> None:
        """Send somebody away."""

        async def act(interaction: Interaction, table_id: int) -> None:
            await seats.send_person_away(interaction, table_id, person)

        await _at(interaction, table, act)

    @app_commands.command(
        name=name_("replace"), description=L_("Hand over your seat, or that of a computer player")
    )
    @app_commands.rename(person=name_("person"), seat=name_("seat"), table=name_("table"))
    @app_commands.describe(
        person=L_("Who shall go on in the seat; left out: whoever comes first"),
        seat=L_("Which seat, counted from the first; left out: your own"),
        table=CODE,
    )
    async def replace(
        self,
        interaction: Interaction,
        person: discord.User | None = None,
        seat: app_commands.Range[int, 1, 10] | None = None,
        table: str | None = None,
    ) -> None:
        """Offer a seat."""

        async def act(interaction: Interaction, table_id: int) -> None:
            number = None if seat is None else seat - 1
            await seats.replace(interaction, table_id, person, number)

        await _at(interaction, table, act)

    @app_commands.command(
        name=name_("return"), description=L_("Play again where a computer player kept your seat")
    )
    @app_commands.rename(table=name_("table"))
    @app_commands.describe(table=CODE)
    async def return_(self, interaction: Interaction, table: str | None = None) -> None:
        """Come back."""
        await _at(interaction, table, seats.come_back)

    @app_commands.command(name=name_("plan"), description=L_("Plan the move of your next turn"))
    @app_commands.rename(move=name_("move"), after=name_("after"), table=name_("table"))
    @app_commands.describe(
        move=L_("The move as you would type it; left out: show what is planned"),
        after=L_("Only if somebody plays this; left out: in any case"),
        table=CODE,
    )
    async def plan(
        self,
        interaction: Interaction,
        move: str | None = None,
        after: str | None = None,
        table: str | None = None,
    ) -> None:
        """Plan a move."""

        async def act(interaction: Interaction, table_id: int) -> None:
            await plans.plan(interaction, table_id, move, after)

        await _at(interaction, table, act)

    @app_commands.command(name=name_("follow"), description=L_("Be told how this table ends"))
    @app_commands.rename(table=name_("table"))
    @app_commands.describe(table=CODE)
    async def follow(self, interaction: Interaction, table: str | None = None) -> None:
        """Follow a table."""
        await _at(interaction, table, following.follow)

    @app_commands.command(name=name_("unfollow"), description=L_("Follow a table no longer"))
    @app_commands.rename(table=name_("table"))
    @app_commands.describe(table=CODE)
    async def unfollow(self, interaction: Interaction, table: str | None = None) -> None:
        """Stop following."""
        await _at(interaction, table, following.unfollow)


async def _at(
    interaction: Interaction,
    code: str | None,
    action: Callable[[Interaction, int], Coroutine[Any, Any, None]],
) -> None:
    """Act on the table meant."""

    async def act() -> None:
        table = await actions.table_meant(interaction, code)
        await action(interaction, table.id)

    await interaction.client.attempt(interaction, act())
