"""Asking the others: to take a move back, to share the win, to end a match without a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord

from cogs import actions, board
from cogs.actions import Interaction
from cogs.controls import Control, Press
from cogs.votes import Motion
from data.texts import Texts
from data.votes import VoteRow
from play import ending, undo
from play.table import Refused, Table
from play.votes import YES, Question

if TYPE_CHECKING:
    from cogs.tafelrunde import Tafelrunde


# ----------------------------------------------------------------------------- questions
class UndoMotion(Motion):
    """May a move be taken back?"""

    kind = "undo"

    def __init__(self, bot: Tafelrunde) -> None:
        self._bot = bot

    def question(self, vote: VoteRow, table: Table, say: Texts) -> str:
        """What would be undone."""
        words = self._bot.words_of(table)
        names = board.player_names(table)
        moves = board.moves_in_words(vote.subject["moves"], words, names, say)
        return say(
            "{name} would like to take back {moves}. If everybody agrees, the match goes on from"
            " before that; whoever moves on instead declines.",
            name=board.player_name(table, vote.seat or 0),
            moves=moves,
        )

    def outcome(self, vote: VoteRow, table: Table, say: Texts) -> str:
        """Whether it is undone."""
        if vote.decision == YES:
            return say("Everybody has agreed: it is taken back.")
        return say("Not everybody has agreed: what was played stays.")

    async def carry_out(self, vote: VoteRow, table: Table) -> None:
        """Take the move back, unless that was done before a crash."""
        if vote.decision == YES and vote.subject["undos"] == table.row.undos:
            if undo.is_overtaken(vote, table):
                raise Refused("overtaken")
            await take_back(self._bot, table.id, vote.asked_by or 0, tuple(vote.answers))

    def lapsed(self, vote: VoteRow, table: Table) -> bool:
        """Overtaken by any event at the table."""
        return undo.is_overtaken(vote, table)


class DrawMotion(Motion):
    """Is it a draw?"""

    kind = "draw"

    def __init__(self, bot: Tafelrunde) -> None:
        self._bot = bot

    def question(self, vote: VoteRow, table: Table, say: Texts) -> str:
        """Who offers it, and what it would mean."""
        return say(
            "{name} offers a draw. If everybody agrees, the match is over and all share the first"
            " place; whoever moves on instead declines.",
            name=_asker(vote, table),
        )

    def outcome(self, vote: VoteRow, table: Table, say: Texts) -> str:
        """Whether it is one."""
        if vote.decision == YES:
            return say("Everybody has agreed: the match is a draw.")
        return say("Not everybody has agreed: the match goes on.")

    async def carry_out(self, vote: VoteRow, table: Table) -> None:
        """Finish the match and tell its result."""
        if vote.decision == YES:
            if table.running:
                table = await ending.draw(self._bot.tables, table.id)
            if table.row.result is None or table.row.result["how"] != "drawn":
                raise Refused("overtaken")
            await self._bot.herald.tell_finished(table)

    def lapsed(self, vote: VoteRow, table: Table) -> bool:
        """Overtaken by a move of somebody who was asked."""
        return ending.draw_is_overtaken(vote, table)


class EndMotion(Motion):
    """Shall the match end without a result?"""

    kind = "end"

    def __init__(self, bot: Tafelrunde) -> None:
        self._bot = bot

    def question(self, vote: VoteRow, table: Table, say: Texts) -> str:
        """Who asks, and how many it takes."""
        return say(
            "{name} would like to end the match without a result: nobody wins or loses by it."
            " That takes {needed} of the {total} who play; the silent do not count as agreed.",
            name=_asker(vote, table),
            needed=len(vote.answers) // 2 + 1,
            total=len(vote.answers),
        )

    def outcome(self, vote: VoteRow, table: Table, say: Texts) -> str:
        """Whether it ends."""
        if vote.decision == YES:
            return say("Enough have agreed: the match ends without a result.")
        return say("Not enough have agreed: the match goes on.")

    async def carry_out(self, vote: VoteRow, table: Table) -> None:
        """End the table and tell the channel."""
        if vote.decision == YES and table.running:
            await self._bot.herald.tell_ended(
                await ending.end_by_consent(self._bot.tables, table.id)
            )


def _asker(vote: VoteRow, table: Table) -> str:
    member = table.member_of(vote.asked_by or 0)
    return board.player_name(table, member.seat or 0) if member else "–"


# ------------------------------------------------------------------------------- actions
async def undo_last(interaction: Interaction, table_id: int) -> None:
    """Take back one's own last move, or ask the others for it."""
    bot = interaction.client
    await actions.acknowledge(interaction)
    await bot.herald.catch_up_with(table_id)
    table = await bot.tables.get(table_id)
    question = undo.undo_question(table, interaction.user.id)
    if question is not None:
        await ask(interaction, table, question)
        return
    await take_back(bot, table_id, interaction.user.id)
    if interaction.type is not discord.InteractionType.component:
        await bot.door.answer(interaction, bot.say(interaction)("Your move is taken back."))
    elif actions.is_private(interaction):
        table = await bot.tables.get(table_id)
        await actions.show_hand(interaction, table, table.seat_to_move(interaction.user.id))


async def take_back(
    bot: Tafelrunde, table_id: int, person_id: int, agreed: tuple[int, ...] = ()
) -> None:
    """Undo, tell the channel, and tell those whose plans are void by it."""
    planners = await undo.take_back(bot.tables, table_id, person_id, agreed)
    await bot.herald.announce(table_id)
    await bot.planner.tell_void(table_id, planners)


async def offer_draw(interaction: Interaction, table_id: int) -> None:
    """Offer a draw."""
    await actions.acknowledge(interaction)
    table = await interaction.client.tables.get(table_id)
    await ask(interaction, table, ending.draw_question(table, interaction.user.id))


async def end(interaction: Interaction, table_id: int) -> None:
    """End a table without a result, or ask the others for it."""
    bot = interaction.client
    table = await bot.tables.get(table_id)
    if table.running and not actions.may_manage_table(interaction, table):
        question = ending.end_question(table, interaction.user.id)
        if question is not None:
            await actions.acknowledge(interaction)
            await ask(interaction, table, question)
            return
    await actions.end(interaction, table_id)


async def may_resign(interaction: Interaction, table_id: int) -> None:
    """Say what resigning would mean, with the button that does it."""
    bot = interaction.client
    table = await bot.tables.get(table_id)
    table.seat_to_move(interaction.user.id)
    say = bot.say(interaction)
    if len(table.members) == 2:
        text = say("If you resign, the other one wins. Do you mean it?")
    elif table.others(interaction.user.id):
        text = say(
            "If you resign, a computer player finishes the match in your seat, and you do not come"
            " back. Do you mean it?"
        )
    else:
        text = say("If you resign, nobody is left and the match ends without a result. Really?")
    button = Press(Control(table.id, 0, "resign"), say("Resign"), discord.ButtonStyle.danger)
    await actions.acknowledge_privately(interaction)
    await actions.show_privately(interaction, board.buttons_view(text, [button]), [])


async def ask(interaction: Interaction, table: Table, question: Question) -> None:
    """Put a question to the others, and tell the one who asks."""
    bot = interaction.client
    await bot.ballots.ask(table, question, interaction.user.id)
    await bot.door.answer(
        interaction, bot.say(interaction)("I have asked the others in the channel of the table.")
    )


async def setup(bot: Tafelrunde) -> None:
    """Make the questions and their buttons known."""
    for motion in (UndoMotion(bot), DrawMotion(bot), EndMotion(bot)):
        bot.ballots.register(motion)
    bot.presses |= {
        "undo": actions.on_table(undo_last),
        "draw": actions.on_table(offer_draw),
        "end": actions.on_table(end),
        "mayresign": actions.on_table(may_resign),
        "resign": actions.on_table(actions.resign),
    }
