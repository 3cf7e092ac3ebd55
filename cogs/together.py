"""The commands of ``/table`` for what people agree upon, plan, or look at."""

from __future__ import annotations

import discord
from discord import app_commands
from discord.ext import commands

from cogs import consent, following, hints, plans, seats
from cogs.actions import Interaction
from cogs.meant import at_table, names_table
from cogs.translator import L_, name_


class TogetherCommands(commands.Cog):
    """A part of ``TableCog``."""

    @app_commands.command(name=name_("undo"), description=L_("Take back your last move"))
    @names_table
    async def undo(self, interaction: Interaction, table: str | None = None) -> None:
        """Take back a move."""
        await at_table(interaction, table, consent.undo_last)

    @app_commands.command(
        name=name_("hint"), description=L_("Ask a computer player for advice; hints are counted")
    )
    @names_table
    async def hint(self, interaction: Interaction, table: str | None = None) -> None:
        """Ask for a hint."""
        await at_table(interaction, table, hints.hint)

    @app_commands.command(name=name_("draw"), description=L_("Offer a draw, if the game knows one"))
    @names_table
    async def draw(self, interaction: Interaction, table: str | None = None) -> None:
        """Offer a draw."""
        await at_table(interaction, table, consent.offer_draw)

    @app_commands.command(
        name=name_("end"), description=L_("End your table without a result; the others are asked")
    )
    @names_table
    async def end(self, interaction: Interaction, table: str | None = None) -> None:
        """End the table."""
        await at_table(interaction, table, consent.end)

    @app_commands.command(
        name=name_("kick"), description=L_("Send somebody away before the start (host)")
    )
    @app_commands.rename(person=name_("person"))
    @app_commands.describe(person=L_("Who shall leave"))
    @names_table
    async def kick(
        self, interaction: Interaction, person: discord.User, table: str | None = None
    ) -> None:
        """Send somebody away."""

        async def act(interaction: Interaction, table_id: int) -> None:
            await seats.send_person_away(interaction, table_id, person)

        await at_table(interaction, table, act)

    @app_commands.command(
        name=name_("replace"), description=L_("Hand over your seat, or that of a computer player")
    )
    @app_commands.rename(person=name_("person"), seat=name_("seat"))
    @app_commands.describe(
        person=L_("Who shall go on in the seat; left out: whoever comes first"),
        seat=L_("Which seat, counted from the first; left out: your own"),
    )
    @names_table
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

        await at_table(interaction, table, act)

    @app_commands.command(
        name=name_("return"), description=L_("Play again where a computer player kept your seat")
    )
    @names_table
    async def return_(self, interaction: Interaction, table: str | None = None) -> None:
        """Come back."""
        await at_table(interaction, table, seats.come_back)

    @app_commands.command(name=name_("plan"), description=L_("Plan the move of your next turn"))
    @app_commands.rename(move=name_("move"), after=name_("after"))
    @app_commands.describe(
        move=L_("The move as you would type it; left out: show what is planned"),
        after=L_("Only if somebody plays this; left out: in any case"),
    )
    @names_table
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

        await at_table(interaction, table, act)

    @app_commands.command(name=name_("follow"), description=L_("Be told how this table ends"))
    @names_table
    async def follow(self, interaction: Interaction, table: str | None = None) -> None:
        """Follow a table."""
        await at_table(interaction, table, following.follow)

    @app_commands.command(name=name_("unfollow"), description=L_("Follow a table no longer"))
    @names_table
    async def unfollow(self, interaction: Interaction, table: str | None = None) -> None:
        """Stop following."""
        await at_table(interaction, table, following.unfollow)
