"""Looking at a table without changing it: board, hand, log, rules, actions; also following it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cogs.features.acting import Acknowledge, Acting
from cogs.features.direct import ALLOW
from cogs.features.feature import Feature, button, game_in, number_in, press, table_command
from cogs.features.moves import Moves
from cogs.gateway.cards import Attached, Attachment, Card
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.permissions import may_manage_server
from cogs.gateway.texts import fenced
from cogs.gateway.translator import L_, name_
from cogs.present import private
from cogs.present.drawings import close_up_drawing, position_text
from cogs.present.lobby import gathering_card
from cogs.present.rules import rules_card
from cogs.present.story import log_text
from cogs.present.untold import held_back
from data.store.rows import Status
from data.texts import N_
from play.lobby import SEATINGS, Follow, Unfollow
from play.rules import settled_options
from play.table import SEATING, Refused, Table

LONGEST_TEXT: Final = 3900
"""The longest text, in characters, that fits into a message together with its frame."""


class Looking(Feature):
    """Shows tables to one person at a time, and lets people follow them."""

    def __init__(self, acting: Acting, moves: Moves) -> None:
        super().__init__(acting)
        self._moves = moves

    @table_command(
        name_("show"),
        L_("Show the table as it is now"),
        text=(name_("text"), L_("In words instead of a picture")),
    )
    async def show(self, interaction: Interaction, table_id: int, text: bool = False) -> None:
        """Show the table as it is now, to this person only."""
        table = await self.tables.get(table_id)
        gathers = table.row.status is Status.LOBBY
        if text and not gathers:
            await self.text(interaction, table_id)
            return
        words, say = self.words_of(table), self.say(interaction)
        try:
            card = (
                gathering_card(table, words, say)
                if gathers
                else private.news_card(table, words, say, table.seat_of(interaction.user.id))
            )
            held = self.delivery.held_back(table_id)
            if held is not None:
                card = replace(card, parts=(*card.parts, held_back(held, say)))
            await self.replies.show(interaction, card)
        finally:
            # This person may be asking because a message is missing.
            if await self.acting.direct.again(interaction.user.id):
                self.delivery.note_reach(interaction.user.id, reached=True)
            await self.delivery.look(table_id)

    @table_command(name_("hand"), L_("Show your hand, to you alone"))
    @button("hand", Acknowledge.PRIVATELY)
    async def hand(self, interaction: Interaction, table_id: int) -> None:
        """Show the person's hand, to this person only."""
        table, seat = await self.acting.judged(interaction, table_id, _seat_with_hand)
        await self._moves.show_hand(interaction, table, seat)

    @button("text", Acknowledge.THINKING)
    async def text(self, interaction: Interaction, table_id: int) -> None:
        """Describe the whole position in words, to this person only."""
        table = await self.tables.get(table_id)
        text = position_text(table, table.seat_of(interaction.user.id), self.say(interaction))
        await self._answer_long(interaction, text)

    @table_command(name_("log"), L_("List the moves so far"))
    @button("log", Acknowledge.THINKING)
    async def log(self, interaction: Interaction, table_id: int) -> None:
        """List the moves so far, latest last, showing only what this person may know."""
        table = await self.tables.get(table_id)
        words, say = self.words_of(table), self.say(interaction)
        text = log_text(table, words, table.seat_of(interaction.user.id), say)
        await self._answer_long(interaction, text)

    @button("more", Acknowledge.PRIVATELY)
    async def more(self, interaction: Interaction, table_id: int) -> None:
        """Show buttons for everything the person can do at the table apart from moving."""
        table = await self.tables.get(table_id)
        manages = may_manage_server(interaction, table.row.guild_id)
        say = self.say(interaction)
        card = private.more_card(table, interaction.user.id, say, manages=manages)
        await self.replies.show(interaction, card)

    async def close_up(self, interaction: Interaction, table: Table, part: int | None) -> None:
        """Show one of ``GameWords.parts`` enlarged; by default the one that ``own_part`` names.

        :raises Refused: ``stale``: there is no such part.
        """
        words, say = self.words_of(table), self.say(interaction)
        shown = words.own_part(table.seat_of(interaction.user.id)) if part is None else part
        parts = words.parts(table.public_view, table.names, say)
        if shown >= len(parts):
            raise Refused("stale")
        drawing = close_up_drawing(table, shown, say)
        card = private.close_up_card(table, words, say, parts, shown, drawing)
        await self.replies.show(interaction, card)

    async def rules(self, interaction: Interaction, game_id: str) -> None:
        """Show the rules of a game in our own words, to this person only."""
        words, say = self.acting.presenter.words[game_in(game_id)], self.say(interaction)
        card = rules_card(words, say, interaction.user.display_name)
        await self.replies.answer(interaction, card)

    @button("rules", Acknowledge.THINKING)
    async def _rules_of_table(self, interaction: Interaction, table_id: int) -> None:
        await self.replies.answer(interaction, await self._page(interaction, table_id))

    @press("page", Acknowledge.PRIVATELY)
    async def _turn_page(self, interaction: Interaction, control: Control) -> None:
        game_id, _, key = control.argument.partition(".")
        if control.table:
            card = await self._page(interaction, control.table, key)
        else:
            words, say = self.acting.presenter.words[game_in(game_id)], self.say(interaction)
            card = rules_card(words, say, interaction.user.display_name, key)
        await self.replies.show(interaction, card)

    async def _page(self, interaction: Interaction, table_id: int, key: str = "") -> Card:
        """Return a page of the rules that apply at a table."""
        table = await self.tables.get(table_id)
        players = table.row.players or table.row.wanted_players
        options = settled_options(table.game.info, table.row.options, players)
        options[SEATING] = table.row.options.get(SEATING, SEATINGS[0])
        name, say = interaction.user.display_name, self.say(interaction)
        return rules_card(self.words_of(table), say, name, key, options, table_id)

    @press("look", Acknowledge.PRIVATELY)
    async def _look_closer(self, interaction: Interaction, control: Control) -> None:
        table = await self.tables.get(control.table)
        part = number_in(control.argument) if control.argument else None
        await self.close_up(interaction, table, part)

    # -- following
    @table_command(name_("follow"), L_("Get the result of this table"))
    @button("follow", Acknowledge.PRIVATELY)
    async def follow(self, interaction: Interaction, table_id: int) -> None:
        """Follow a table."""
        person, say = interaction.user.id, self.say(interaction)
        change = await self.acting.act(interaction, table_id, Follow(person))
        text = say(
            "You are now following table {code}. When it is over, I will send you the result by"
            " direct message.",
            code=f"`{change.after.row.code}`",
        )
        if not await self.acting.direct.reach(person):
            text += " " + say(ALLOW)
        await self.replies.show(interaction, Card((text,)))

    @table_command(name_("unfollow"), L_("Stop following a table"))
    @button("unfollow", Acknowledge.PRIVATELY)
    async def unfollow(self, interaction: Interaction, table_id: int) -> None:
        """Stop following a table."""
        await self.acting.act(interaction, table_id, Unfollow(interaction.user.id))
        await self.acting.note(interaction, N_("You no longer follow this table."))

    # -- inside
    async def _answer_long(self, interaction: Interaction, text: str) -> None:
        """Answer with a monospaced text of any length; a long text is sent as a file."""
        if len(text) <= LONGEST_TEXT:
            await self.replies.answer(interaction, fenced(text))
        else:
            file = Attached(Attachment("table.txt", text.encode()))
            await self.replies.answer(interaction, Card((file,), framed=False))


def _seat_with_hand(table: Table, person_id: int) -> int:
    """Return the seat whose hand the person may see.

    :raises Refused: ``parked`` or ``no_hands``, or whatever ``Table.own_seat`` raises.
    """
    seat = table.own_seat(person_id)
    if table.row.status is Status.PARKED:
        raise Refused("parked")
    if not table.game.info.has_secrets:
        raise Refused("no_hands")
    return seat
