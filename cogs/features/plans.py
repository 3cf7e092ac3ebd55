"""Planned moves: planning, showing and dropping them."""

from __future__ import annotations

from collections.abc import Mapping

from cogs.features.acting import Acknowledge
from cogs.features.feature import Feature, button, form, press, table_command
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.forms import Form, FormField
from cogs.gateway.translator import L_, name_
from cogs.present import private
from data.texts import Texts
from games.engine import PLAYER_MOVE_MAX
from play.plans import DropPlans, Hurry, Plan
from play.table import Table


class Plans(Feature):
    """Lets people plan moves, and see and drop their plans."""

    @table_command(
        name_("plan"),
        L_("Plan your next move"),
        move=(name_("move"), L_("The move as you would type it; default: show what is planned")),
        after=(name_("after"), L_("Only if somebody plays this; default: in any case")),
    )
    async def plan(
        self,
        interaction: Interaction,
        table_id: int,
        move: str | None = None,
        after: str | None = None,
    ) -> None:
        """Plan a move; without a move, show the plans."""
        await self.replies.defer(interaction)
        if move is not None:
            command = Plan(interaction.user.id, move, after or "")
            await self.acting.act(interaction, table_id, command)
        await self.show(interaction, table_id)

    @button("plans", Acknowledge.PRIVATELY)
    async def show(self, interaction: Interaction, table_id: int) -> None:
        """Show the person's plans, with buttons to change them."""
        await self.replies.acknowledge_privately(interaction)
        table, _ = await self.acting.judged(interaction, table_id, Table.seat_to_move)
        card = private.plans_card(table, interaction.user.id, self.say(interaction))
        await self.replies.show(interaction, card)

    @button("dropplans", Acknowledge.PRIVATELY)
    async def drop(self, interaction: Interaction, table_id: int) -> None:
        """Drop the person's plans."""
        await self.replies.acknowledge_privately(interaction)
        await self.acting.act(interaction, table_id, DropPlans(interaction.user.id))
        await self.show(interaction, table_id)

    @press("hurry", Acknowledge.PRIVATELY)
    async def hurry(self, interaction: Interaction, control: Control) -> None:
        """Turn automatic play on or off: whether a move is played without asking if it is the only
        legal one.
        """
        await self.replies.acknowledge_privately(interaction)
        command = Hurry(interaction.user.id, control.argument == "on")
        await self.acting.act(interaction, control.table, command)
        await self.show(interaction, control.table)

    @button("planform", Acknowledge.FORM)
    async def ask(self, interaction: Interaction, table_id: int) -> None:
        """Open the form for a planned move."""
        table, _ = await self.acting.judged(interaction, table_id, Table.seat_to_move)
        await self.replies.ask(interaction, _form(table, self.say(interaction)))

    @form("planned")
    async def note(
        self, interaction: Interaction, control: Control, written: Mapping[str, str]
    ) -> None:
        """Plan the move from a submitted form."""
        await self.plan(interaction, control.table, written["move"], written["answer_to"])


def _form(table: Table, say: Texts) -> Form:
    """Return a form with a field for a move, and one for the move after which to play it."""
    most = PLAYER_MOVE_MAX
    fields = (
        FormField("move", say("Your move"), say("As you would type it in the command"), most),
        FormField(
            "answer_to",
            say("Only if somebody plays"),
            say("Leave empty to play it in any case"),
            most,
            required=False,
        ),
    )
    return Form(Control(table.id, table.revision, "planned"), say("Plan a move"), fields)
