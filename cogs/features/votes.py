"""Votes at a table, and the ways to leave or end a match, many of which need a vote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import discord
from discord import app_commands

from cogs.features.acting import Acknowledge, Acting
from cogs.features.blocking import warn
from cogs.features.feature import Feature, button, form, number_in, press, table_command
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.forms import Form, FormField
from cogs.gateway.permissions import may_manage_server
from cogs.gateway.translator import L_, name_
from cogs.present import private
from data.store.rows import Status
from data.texts import N_
from play.aggregate import Command
from play.aggregates import Change
from play.ending import (
    REASON_LIMIT,
    EndAsManager,
    Ending,
    EndTable,
    OfferDraw,
    Resign,
    ending,
)
from play.ladder import STAND_IN
from play.seats import ComeBack, HandOver, TakeSeat
from play.table import Refused, Table
from play.votes import Answer


class Votes(Feature):
    """Counts the answers to votes. Questions and results appear in the channel."""

    @press("vote")
    async def answer(self, interaction: Interaction, control: Control) -> None:
        """Count an answer."""
        asked, _, choice = control.argument.partition(".")
        command = Answer(asked=number_in(asked), person_id=interaction.user.id, choice=choice)
        await self.acting.act(interaction, control.table, command)

    async def put(
        self, interaction: Interaction, table_id: int, command: Command[Table]
    ) -> Change[Table] | None:
        """Carry out a command that may need the others' consent.

        :returns: the change; None if the others are being asked, in which case the person has been
            told.
        :raises Refused: whatever the command raises; ``cannot_ask``: the channel cannot be reached
            now; the others will be asked once it can be.
        """
        try:
            change = await self.acting.act(interaction, table_id, command)
        except Refused as refusal:
            if refusal.code == "already_asked":
                await self.delivery.bring(table_id)  # the question may not have been posted yet
            raise
        new = change.after.journal[change.before.revision :]
        if not new or new[0].kind != "ask":
            return change
        if await self.delivery.bring(table_id) is not None:
            raise Refused("cannot_ask")
        await self.acting.tell(interaction, N_("I have asked the others."))
        return None


class Leaving(Feature):
    """Ends matches early, and lets people hand over their seats and take them back."""

    def __init__(self, acting: Acting, votes: Votes) -> None:
        super().__init__(acting)
        self._votes = votes

    # -- the match
    @table_command(name_("draw"), L_("Offer a draw, if the game allows it"))
    @button("draw")
    async def offer_draw(self, interaction: Interaction, table_id: int) -> None:
        """Offer a draw."""
        await self._votes.put(interaction, table_id, OfferDraw(interaction.user.id))

    @table_command(name_("end"), L_("End your table without a result, by vote if others play"))
    @button("end", Acknowledge.PRIVATELY)
    async def may_end(self, interaction: Interaction, table_id: int) -> None:
        """Explain what ending the table would mean, and offer a button for it."""
        table, what = await self._ending(interaction, table_id)
        await self.replies.acknowledge_privately(interaction)
        card = private.end_card(table, interaction.user.id, what, self.say(interaction))
        await self.replies.show(interaction, card)

    @press("endnow", Acknowledge.THINKING)
    async def end(self, interaction: Interaction, control: Control) -> None:
        """End a table without a result, or ask the others."""
        await self.replies.defer(interaction)
        only_lobby = control.argument == Status.LOBBY
        command = EndTable(interaction.user.id, only_lobby=only_lobby, sure=True)
        change = await self._votes.put(interaction, control.table, command)
        if change is not None:
            await self._tell_ended(interaction, change.after)

    @press("endform", Acknowledge.FORM)
    async def ask_why(self, interaction: Interaction, control: Control) -> None:
        """Ask a server manager why they want to end other people's table."""
        table, what = await self._ending(interaction, control.table)
        if what is not Ending.MANAGES:
            raise Refused("manager_plays")
        say = self.say(interaction)
        meaning = say("Everybody at the table can read it.")
        form = Form(
            replace(control, verb="endwhy"),
            say("End table {code}", code=table.row.code),
            [FormField("reason", say("Why?"), meaning, REASON_LIMIT, long=True)],
        )
        await self.replies.ask(interaction, form)

    @form("endwhy")
    async def end_as_manager(
        self, interaction: Interaction, control: Control, written: Mapping[str, str]
    ) -> None:
        """End other people's table for the reason given."""
        await self.replies.defer(interaction)
        table = await self.tables.get(control.table)
        command = EndAsManager(
            interaction.user.id,
            may_manage_server(interaction, table.row.guild_id),
            written["reason"],
            only_lobby=control.argument == Status.LOBBY,
        )
        change = await self.acting.act(interaction, control.table, command)
        await self._tell_ended(interaction, change.after)

    async def _tell_ended(self, interaction: Interaction, table: Table) -> None:
        code = f"`{table.row.code}`"
        told = N_("Table {code} has ended.") if table.started else N_("Table {code} is closed.")
        await self.acting.tell(interaction, told, code=code)

    async def _ending(self, interaction: Interaction, table_id: int) -> tuple[Table, Ending]:
        """Return the table, and what it would mean for this person to end it; see ``ending``."""

        def judge(table: Table, person_id: int) -> Ending:
            manages = may_manage_server(interaction, table.row.guild_id)
            return ending(table, person_id, manages=manages)

        return await self.acting.judged(interaction, table_id, judge)

    @table_command(name_("resign"), L_("Give up your match"))
    @button("mayresign", Acknowledge.PRIVATELY)
    async def may_resign(self, interaction: Interaction, table_id: int) -> None:
        """Explain what resigning would mean, and offer a button that resigns."""
        table, _ = await self.acting.judged(interaction, table_id, Table.seat_to_move)
        await self.replies.acknowledge_privately(interaction)
        card = private.resign_card(table, interaction.user.id, self.say(interaction))
        await self.replies.show(interaction, card)

    @button("resign", Acknowledge.THINKING)
    async def resign(self, interaction: Interaction, table_id: int) -> None:
        """Give up a match."""
        await self.replies.defer(interaction)
        await self.acting.act(interaction, table_id, Resign(interaction.user.id, STAND_IN))
        await self.acting.tell(interaction, N_("You have resigned."))

    # -- seats; the channel shows which ones are on offer
    @table_command(
        name_("replace"),
        L_("Hand over your seat, or that of a computer player"),
        person=(
            name_("person"),
            L_("Who should take the seat (default: the first person who wants it)"),
        ),
        seat=(name_("seat"), L_("Which seat, counted from 1; default: your own")),
    )
    @button("replace")
    async def replace(
        self,
        interaction: Interaction,
        table_id: int,
        person: discord.User | None = None,
        seat: app_commands.Range[int, 1, 10] | None = None,
    ) -> None:
        """Offer a seat, the person's own or a computer player's, or first ask the others whether
        they agree.

        :param seat: counted from 1; None: the person's own.
        """
        await self.replies.acknowledge(interaction)
        if person is not None and person.bot:
            raise Refused("bots_do_not_play")
        to = None if person is None else person.id
        command = HandOver(interaction.user.id, None if seat is None else seat - 1, to)
        if await self._votes.put(interaction, table_id, command) is not None:
            await self.acting.tell(interaction, N_("The seat is on offer."))

    @press("take")
    async def take(self, interaction: Interaction, control: Control) -> None:
        """Take an offered seat."""
        user, seat = interaction.user, number_in(control.argument)
        command = TakeSeat(user.id, seat, user.display_name, interaction_id=interaction.id)
        change = await self.tables.join(control.table, command)
        await warn(self, interaction, change.after)

    @table_command(name_("return"), L_("Take back your seat from a computer player"))
    @button("back")
    async def come_back(self, interaction: Interaction, table_id: int) -> None:
        """Take back the person's seat from a computer player."""
        await self.acting.act(interaction, table_id, ComeBack(interaction.user.id))
        await self.acting.tell(interaction, N_("Welcome back: you have your seat again."))
