"""Planned moves: writing them down, playing them in time, saying why one was dropped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import discord
from discord import ui
from discord.ext import commands

from cogs import actions, board, refusals
from cogs.actions import Interaction
from cogs.controls import CUSTOM_ID, Control, Press
from cogs.door import Failure, escape
from data.plans import PlanRow
from data.texts import Texts, texts
from games.engine import PLAYER_MOVE_MAX
from play.plans import Dropped, Plans
from play.table import Table

if TYPE_CHECKING:
    from cogs.tafelrunde import Tafelrunde


class Planner:
    """Plays what is planned, and tells people what could not be played."""

    def __init__(self, bot: Tafelrunde) -> None:
        self._bot = bot
        self.plans = Plans(bot.tables)

    async def play(self, table_id: int) -> None:
        """Play what is planned for those who have to move."""
        for dropped in await self.plans.play(table_id):
            table = await self._bot.tables.get(table_id)
            await self._tell_dropped(table, dropped)

    async def tell_void(self, table_id: int, planners: Sequence[int]) -> None:
        """Tell people that an undo has dropped what they had planned."""
        table = await self._bot.tables.get(table_id)
        for person_id in planners:
            say = await self._bot.person_texts(person_id, table.row.language)
            why = say("A move was taken back, so your planned moves are dropped.")
            await self._tell(table, person_id, why, say)

    async def _tell_dropped(self, table: Table, dropped: Dropped) -> None:
        plan = dropped.plan
        say = await self._bot.person_texts(plan.person_id, table.row.language)
        if dropped.why is None:
            reason = say(
                "It was to answer {move}, which nobody played.", move=escape(plan.answer_to or "")
            )
        else:
            reason = refusals.explain(dropped.why, self._bot.words, say)
        text = say("I did not play your planned move {move}.", move=escape(plan.move))
        await self._tell(table, plan.person_id, f"{text} {reason}", say)

    async def _tell(self, table: Table, person_id: int, text: str, say: Texts) -> None:
        """Tell by direct message; if that is closed, only that there is something to tell."""
        place = f"`{table.row.code}` · <#{table.row.channel_id}>"
        told = await self._bot.door.dm(person_id, board.note_view(f"{place}\n{text}"))
        if isinstance(told, Failure):
            say = texts(table.row.language)
            note = say("<@{person}>, your planned moves were dropped.", person=person_id)
            await self._bot.door.post(table.row.channel_id, note)


# ------------------------------------------------------------------------------- actions
async def plan(
    interaction: Interaction, table_id: int, move: str | None, answer_to: str | None
) -> None:
    """Plan a move; without one, show what is planned."""
    bot = interaction.client
    await bot.door.defer(interaction)
    if move is not None:
        await bot.planner.plans.add(table_id, interaction.user.id, move, answer_to or "")
    await _show_plans(interaction, table_id)


async def show_plans(interaction: Interaction, table_id: int) -> None:
    """Show what the person has planned, with the buttons to change it."""
    await actions.acknowledge_privately(interaction)
    await _show_plans(interaction, table_id)


async def drop_plans(interaction: Interaction, table_id: int) -> None:
    """Forget what the person has planned."""
    await actions.acknowledge_privately(interaction)
    await interaction.client.store.plans.drop(table_id, interaction.user.id)
    await _show_plans(interaction, table_id)


async def hurry(interaction: Interaction, control: Control) -> None:
    """Play the only legal move from now on without asking, or no longer."""
    bot = interaction.client
    await actions.acknowledge_privately(interaction)
    table = await bot.tables.get(control.table)
    table.seat_to_move(interaction.user.id)
    wanted = control.argument == "on"
    await bot.store.plans.set_hurried(table.id, interaction.user.id, wanted)
    await _show_plans(interaction, table.id)
    if wanted:
        await bot.herald.announce(table.id)


async def ask_for_plan(interaction: Interaction, table_id: int) -> None:
    """Open the form for a planned move."""
    bot = interaction.client
    table = await bot.tables.get(table_id)
    table.seat_to_move(interaction.user.id)
    await bot.door.ask(interaction, PlanForm(table, bot.say(interaction)))


async def _show_plans(interaction: Interaction, table_id: int) -> None:
    bot = interaction.client
    table = await bot.tables.get(table_id)
    table.seat_to_move(interaction.user.id)
    plans = await bot.store.plans.of_person(table_id, interaction.user.id)
    hurried = interaction.user.id in await bot.store.plans.hurried(table_id)
    view = plans_view(table, plans, hurried, bot.say(interaction))
    await actions.show_privately(interaction, view, [])


def plans_view(table: Table, plans: Sequence[PlanRow], hurried: bool, say: Texts) -> ui.LayoutView:
    """What a person has planned at a table."""
    lines = [f"### {say('What you have planned')} · `{table.row.code}`"]
    lines += [f"{n}. {_plan_in_words(plan, say)}" for n, plan in enumerate(plans, 1)]
    if not plans:
        lines.append(say("Nothing. A planned move is played when it is your turn."))
    if hurried:
        lines.append(say("If you have only one legal move, I play it at once."))
    buttons = [Press(Control(table.id, 0, "planform"), say("Plan a move"))]
    if plans:
        buttons.append(Press(Control(table.id, 0, "dropplans"), say("Drop all")))
    label = say("Ask me even about only moves") if hurried else say("Play my only moves")
    buttons.append(Press(Control(table.id, 0, "hurry", "off" if hurried else "on"), label))
    return board.buttons_view("\n".join(lines), buttons)


def _plan_in_words(plan: PlanRow, say: Texts) -> str:
    move = escape(plan.move)
    if plan.answer_to is None:
        return move
    return say("{move}, if somebody plays {other}", move=move, other=escape(plan.answer_to))


# -------------------------------------------------------------------------------- a form
class PlanForm(ui.Modal):
    """Asks for a move, and for the one that it answers.

    What is sent comes in by ``PlansCog.on_interaction``, so that a form which was open while the
    bot was started anew is not lost.
    """

    def __init__(self, table: Table, say: Texts) -> None:
        control = Control(table.id, 0, "planned")
        super().__init__(title=say("Plan a move"), custom_id=control.custom_id)
        field = ui.TextInput[Any](custom_id="move", max_length=PLAYER_MOVE_MAX)
        condition = ui.TextInput[Any](
            custom_id="answer_to", max_length=PLAYER_MOVE_MAX, required=False
        )
        self.add_item(
            ui.Label(
                text=say("Your move"),
                description=say("As you would type it in the command"),
                component=field,
            )
        )
        self.add_item(
            ui.Label(
                text=say("Only if somebody plays"),
                description=say("Left empty: in any case"),
                component=condition,
            )
        )


class PlansCog(commands.Cog):
    """Receives the forms."""

    def __init__(self, bot: Tafelrunde) -> None:
        self.bot = bot

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Note the move of a form that was sent."""
        if interaction.type is not discord.InteractionType.modal_submit:
            return
        data: Any = interaction.data
        match = re.fullmatch(CUSTOM_ID, data["custom_id"])
        if match is None or match["verb"] != "planned":
            return
        given = dict(_fields(data["components"]))
        action = plan(interaction, int(match["table"]), given["move"], given["answer_to"])
        await self.bot.attempt(interaction, action)


def _fields(components: Sequence[Any]) -> list[tuple[str, str]]:
    """The texts of a form by their ids."""
    inner = [part["component"] for part in components]
    return [(field["custom_id"], field["value"]) for field in inner]


async def setup(bot: Tafelrunde) -> None:
    """Make forms and buttons known."""
    bot.presses |= {
        "plans": actions.on_table(show_plans),
        "planform": actions.on_table(ask_for_plan),
        "dropplans": actions.on_table(drop_plans),
        "hurry": hurry,
    }
    await bot.add_cog(PlansCog(bot))
