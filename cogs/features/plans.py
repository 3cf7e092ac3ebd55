"""Planned moves: writing them down, showing them, dropping them."""

from __future__ import annotations

import re
from typing import Any

import discord
from discord import ui
from discord.ext import commands

from cogs.features.feature import Feature, button, press, table_command
from cogs.gateway.components import Interaction
from cogs.gateway.controls import CUSTOM_ID, Control
from cogs.gateway.translator import L_, name_
from cogs.present import private
from data.texts import Texts
from games.engine import PLAYER_MOVE_MAX
from play.plans import DropPlans, Hurry, Plan
from play.table import Table


class Plans(Feature, commands.Cog):
    """Notes what people plan, and receives the forms in which they write it."""

    @table_command(
        name_("plan"),
        L_("Plan the move of your next turn"),
        move=(name_("move"), L_("The move as you would type it; left out: show what is planned")),
        after=(name_("after"), L_("Only if somebody plays this; left out: in any case")),
    )
    async def plan(
        self,
        interaction: Interaction,
        table_id: int,
        move: str | None = None,
        after: str | None = None,
    ) -> None:
        """Plan a move; without one, show what is planned."""
        await self.replies.defer(interaction)
        if move is not None:
            command = Plan(interaction.user.id, move, after or "")
            await self.acting.act(interaction, table_id, command)
        await self.show(interaction, table_id)

    @button("plans")
    async def show(self, interaction: Interaction, table_id: int) -> None:
        """Show what the person has planned, with the buttons to change it."""
        await self.replies.acknowledge_privately(interaction)
        table, _ = await self.acting.judged(interaction, table_id, Table.seat_to_move)
        card = private.plans_card(table, interaction.user.id, self.say(interaction))
        await self.replies.show(interaction, card)

    @button("dropplans")
    async def drop(self, interaction: Interaction, table_id: int) -> None:
        """Forget what the person has planned."""
        await self.replies.acknowledge_privately(interaction)
        await self.acting.act(interaction, table_id, DropPlans(interaction.user.id))
        await self.show(interaction, table_id)

    @press("hurry")
    async def hurry(self, interaction: Interaction, control: Control) -> None:
        """Play the only legal move from now on without asking, or no longer."""
        await self.replies.acknowledge_privately(interaction)
        command = Hurry(interaction.user.id, control.argument == "on")
        await self.acting.act(interaction, control.table, command)
        await self.show(interaction, control.table)

    @button("planform")
    async def ask(self, interaction: Interaction, table_id: int) -> None:
        """Open the form for a planned move."""
        table, _ = await self.acting.judged(interaction, table_id, Table.seat_to_move)
        form = PlanForm(table, self.say(interaction))
        await self.replies.ask(interaction, form)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Note the move of a form that was sent."""
        if interaction.type is not discord.InteractionType.modal_submit:
            return
        data: Any = interaction.data
        match = re.fullmatch(CUSTOM_ID, data["custom_id"])
        if match is None or match["verb"] != "planned":
            return
        fields = [part["component"] for part in data["components"]]
        given = {field["custom_id"]: field["value"] for field in fields}
        action = self.plan(interaction, int(match["table"]), given["move"], given["answer_to"])
        await self.acting.attempt(interaction, action)


class PlanForm(ui.Modal):
    """Asks for a move, and for the one that it answers.

    What is sent comes in by ``Plans.on_interaction``, so that a form which was open while the bot
    was started anew is not lost.
    """

    def __init__(self, table: Table, say: Texts) -> None:
        control = Control(table.id, table.revision, "planned")
        super().__init__(title=say("Plan a move"), custom_id=control.custom_id)
        for field, label, meaning, required in (
            ("move", say("Your move"), say("As you would type it in the command"), True),
            ("answer_to", say("Only if somebody plays"), say("Left empty: in any case"), False),
        ):
            text = ui.TextInput[Any](custom_id=field, max_length=PLAYER_MOVE_MAX, required=required)
            self.add_item(ui.Label(text=label, description=meaning, component=text))
