"""“More…” under the board: everything that is done seldom, for the person who asks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import discord

from cogs import actions, board
from cogs.actions import Interaction
from cogs.controls import Control, Press
from data.texts import Texts
from play.table import Table

if TYPE_CHECKING:
    from cogs.tafelrunde import Tafelrunde

Style = discord.ButtonStyle


async def more(interaction: Interaction, table_id: int) -> None:
    """Show what this person can do at the table beside moving."""
    bot = interaction.client
    table = await bot.tables.get(table_id)
    follows = interaction.user.id in await bot.store.followers.of_table(table_id)
    say = bot.say(interaction)
    buttons = list(_buttons(table, interaction.user.id, follows, say))
    await actions.acknowledge_privately(interaction)
    text = say("What would you like to do at table {code}?", code=f"`{table.row.code}`")
    await actions.show_privately(interaction, board.buttons_view(text, buttons), [])


def _buttons(table: Table, person_id: int, follows: bool, say: Texts) -> Iterator[Press]:
    def press(verb: str, label: str, style: Style = Style.secondary) -> Press:
        return Press(Control(table.id, 0, verb), label, style)

    yield press("log", say("Moves so far"))
    if table.match is not None:
        yield press("replay", say("Replay"))
    member = table.member_of(person_id)
    if member is None:
        yield (
            press("unfollow", say("Stop following"))
            if follows
            else press("follow", say("Follow this table"))
        )
    elif not table.running:
        return
    elif member.level is not None:
        if not member.resigned:
            yield press("back", say("I am back"), Style.success)
    else:
        yield press("plans", say("Planned moves"))
        if table.gives_hints:
            yield press("hint", say("Hint"))
        if table.game.info.draws:
            yield press("draw", say("Offer a draw"))
        yield press("replace", say("Hand over my seat"))
        yield press("end", say("End without a result"))
        yield press("mayresign", say("Resign"), Style.danger)


async def setup(bot: Tafelrunde) -> None:
    """Make the button known."""
    bot.presses |= {
        "more": actions.on_table(more),
        "log": actions.on_table(actions.log),
    }
