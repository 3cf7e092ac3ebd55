"""Playing moves, with buttons and menus or by typing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cogs.features.acting import Acknowledge, Acting
from cogs.features.allowance import Cost
from cogs.features.feature import Feature, button, press, table_command
from cogs.features.votes import Votes
from cogs.gateway.cards import Button
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.failures import Failure
from cogs.gateway.permissions import missing_permissions
from cogs.gateway.replies import is_pressed, is_private
from cogs.gateway.translator import L_, name_
from cogs.present import private
from cogs.present.choices import chosen_in_words
from cogs.present.people import safe_names
from cogs.present.private import hand_card
from cogs.present.untold import untold_move
from cogs.present.words import ASK_ON
from data.texts import N_, Texts
from play.aggregates import Change
from play.coach import Coach, wanted
from play.computers import Thinkers
from play.hints import CountHint, Hints, seat_to_advise
from play.moves import PlayMoves, refuse_stale
from play.table import Refused, Table
from play.undo import TakeBack, has_chosen, is_free, waits_for_others


class Moves(Feature):
    """Plays moves and takes them back, and gives hints and coaching."""

    def __init__(self, acting: Acting, votes: Votes, thinkers: Thinkers) -> None:
        super().__init__(acting)
        self._votes = votes
        self._hints = Hints(acting.tables, thinkers)
        self._coach = Coach(thinkers)

    @press("go")
    async def go(self, interaction: Interaction, control: Control) -> None:
        """Handle a choice: play it if it is a complete move, otherwise ask for the rest."""
        chosen = control.argument.removesuffix(ASK_ON)

        def legal_ways(table: Table, person_id: int) -> tuple[int, list[str]]:
            seat = _seat_asked(table, person_id)
            refuse_stale(table, seat, control.revision)
            ways = [m for m in table.legal(seat) if m.startswith(chosen)]
            if not ways:
                raise Refused("stale")
            return seat, ways

        table, (seat, ways) = await self.acting.judged(interaction, control.table, legal_ways)
        if chosen == control.argument and chosen in ways:
            await self.play(interaction, table.id, [chosen], control)
        else:
            view, legal = table.played.view(seat), table.legal(seat)
            if not self.words_of(table).asks_on(view, legal, chosen):
                raise Refused("stale")
            await self._show_menu(interaction, table, seat, chosen)

    async def play(
        self,
        interaction: Interaction,
        table_id: int,
        texts: Sequence[str],
        seen: Control | None = None,
    ) -> None:
        """Play one or more moves in a row, and report the result.

        :param seen: the control that was pressed; None: the moves were typed, so they apply to the
            current position.
        """
        if len(texts) == 1 and await self._warned(interaction, table_id, texts[0], seen):
            return
        command = PlayMoves(
            interaction.user.id,
            tuple(texts),
            seen=None if seen is None else seen.revision,
        )
        change = await self.acting.act(interaction, table_id, command)
        failure = await self.delivery.bring(table_id)
        if failure is not None:
            await self._tell_untold(interaction, change.after, failure)
        elif not is_pressed(interaction):
            await self.replies.answer(interaction, self._done(interaction, change))
        elif is_private(interaction):
            await self._close_or_continue(interaction, change)

    async def _tell_untold(self, interaction: Interaction, table: Table, failure: Failure) -> None:
        """Say that a move counts, and why the board does not show it yet."""
        here = interaction.channel_id == table.row.channel_id
        missing = missing_permissions(interaction) if here else []
        held = self.delivery.held_back(table.id)
        told = untold_move(failure, held, missing, self.say(interaction))
        await self.replies.answer(interaction, told)

    async def _warned(
        self, interaction: Interaction, table_id: int, text: str, seen: Control | None
    ) -> bool:
        """If the coach has a warning about this move, show it and count it as a hint.

        :returns: whether the person was warned; if so, the move is not played yet.
        """
        person = interaction.user.id
        table = await self.tables.get(table_id)
        seat = table.seat_of(person)
        if seat is None or not wanted(table, person, seat):
            return False
        if seen is not None and seen.revision < table.opened(seat):
            return False
        await self.replies.acknowledge(interaction)
        warning = await self._coach.warning(table, person, text)
        if warning is None:
            return False
        count = CountHint(person, table.decision(seat), interaction_id=interaction.id)
        table = (await self.tables.act(table_id, count)).after
        words, say = self.words_of(table), self.say(interaction)
        card = private.warning_card(table, words, say, warning)
        await self.replies.answer(interaction, card)
        return True

    @button("where", Acknowledge.PRIVATELY)
    async def where(self, interaction: Interaction, table_id: int) -> None:
        """Show the legal moves on the board or with the hand, and ask for one."""
        table, seat = await self.acting.judged(interaction, table_id, _seat_asked)
        await self._show_menu(interaction, table, seat)

    @table_command(name_("undo"), L_("Take back your last move"))
    @button("undo")
    async def undo(self, interaction: Interaction, table_id: int) -> None:
        """Take back the person's last move, or ask the others whether they agree."""
        person = interaction.user.id
        change = await self._votes.put(interaction, table_id, TakeBack(person))
        if change is None:
            return
        if not is_pressed(interaction):
            await self.acting.tell(interaction, N_("Your move is taken back."))
        elif is_private(interaction):
            await self.show_own(interaction, change.after, change.after.seat_to_move(person))

    @table_command(name_("hint"), L_("Ask a computer player for advice; hints are counted"))
    @button("hint", Acknowledge.THINKING)
    async def hint(self, interaction: Interaction, table_id: int) -> None:
        """Give a hint to the person to move.

        :raises Refused: ``too_much_at_once``, or whatever ``Hints.give`` raises.
        """
        table, _ = await self.acting.judged(interaction, table_id, seat_to_advise)
        self.acting.allowance.spend(interaction.user.id, Cost.HINT)
        given = await self._hints.give(table, interaction.user.id, interaction.id)
        words, say = self.words_of(table), self.say(interaction)
        await self.replies.answer(interaction, private.hint_card(table, words, say, given))

    # -- answers
    async def show_hand(self, interaction: Interaction, table: Table, seat: int) -> None:
        """Show a person's hand, to that person only."""
        say = self.say(interaction)
        card = hand_card(table, self.words_of(table), say, seat)
        moved = table.running and seat not in table.awaited
        if moved and not waits_for_others(table, seat) and is_free(table, seat):
            card = replace(card, rows=((_take_back(table, say),), *card.rows))
        await self.replies.show(interaction, card)

    async def show_own(self, interaction: Interaction, table: Table, seat: int) -> None:
        """Show what a person needs for their decision: their hand or, in games without hands, a
        menu.
        """
        if table.game.info.has_secrets:
            await self.show_hand(interaction, table, seat)
        else:
            await self._show_menu(interaction, table, seat, drawn=False)

    async def _show_menu(
        self,
        interaction: Interaction,
        table: Table,
        seat: int,
        prefix: str = "",
        *,
        drawn: bool = True,
    ) -> None:
        say = self.say(interaction)
        words = self.words_of(table)
        card = private.menu_card(table, words, say, seat, prefix, drawn=drawn)
        await self.replies.show(interaction, card)

    async def _close_or_continue(self, interaction: Interaction, change: Change[Table]) -> None:
        """Replace the private menu with the next menu or hand, with the person's choice if others
        are still choosing, or with the move if the turn is over. Removing the menu instead would
        take one more request.
        """
        table = change.after
        seat = table.seat_of(interaction.user.id)
        if seat is not None and seat in table.awaited:
            await self.show_own(interaction, table, seat)
        elif seat is not None and waits_for_others(table, seat):
            say = self.say(interaction)
            text = chosen_in_words(table, self.words_of(table), say, seat)
            card = private.buttons_card(text, [_take_back(table, say)])
            await self.replies.show(interaction, card)
        else:
            await self.replies.show(interaction, self._done(interaction, change))

    def _done(self, interaction: Interaction, change: Change[Table]) -> str:
        """Say what the person has just played."""
        say = self.say(interaction)
        table = change.after
        words, names = self.words_of(table), safe_names(table)
        events = table.told_since(change.before.revision)
        own = [told for told in events if told.seat == events[0].seat]
        moves = [words.move_in_words(told.move, names, say) for told in own]
        return say("Done: {moves}.", moves=say.list(moves))


def _seat_asked(table: Table, person_id: int) -> int:
    """Return the seat of a person who owes a move.

    :raises Refused: ``not_your_turn``, ``chosen_already``, or whatever ``Table.own_seat`` or
        ``Table.require_running`` raises.
    """
    seat = table.own_seat(person_id)
    table.require_running()
    if seat not in table.awaited:
        raise Refused("chosen_already" if has_chosen(table, seat) else "not_your_turn")
    return seat


def _take_back(table: Table, say: Texts) -> Button:
    return Button(Control(table.id, table.revision, "undo"), say("Take back"))
