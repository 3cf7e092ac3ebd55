"""Private hands reach their owners by direct message, and under "My hand" where none gets through.

A hand is a new message when its owner is called to decide, because only that is noticed; otherwise
the last message is changed in place. There is one with controls at most. Whoever takes no direct
messages is told once for each table what to do instead, and is not tried again for a while.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from cogs import board
from cogs.actions import Interaction, attached
from cogs.door import Failure, Posted, Trouble
from data.store import MessageRow
from data.texts import N_, texts
from games.engine import CHANCE, Match
from play.table import Table

if TYPE_CHECKING:
    from cogs.tafelrunde import Tafelrunde

RETRY_AFTER = timedelta(hours=6)
"""So long after a refused direct message no other one is tried."""

ADVICE = N_("“My hand” under the board shows your hand to you alone.")
REMEDY = N_(
    "I cannot send it to you: for that, allow direct messages from members of this server in its"
    " privacy settings."
)

HAND = "hand"
ADVISED = "advised"
"""Kinds of messages: a hand, and the one that told somebody what to do without."""


class Hands:
    """Brings the hands of all games that have secrets.

    :ivar remediable: whether people can open their direct messages: the local table has none.
    """

    def __init__(self, bot: Tafelrunde) -> None:
        self.remediable = True
        self._bot = bot
        self._refused: dict[int, datetime] = {}
        """When a person's last message was refused; if it is forgotten, one more is tried."""

    # -- bringing
    async def send(self, table: Table, called: Collection[int], since: int | None) -> None:
        """A new message for those who are called, a changed one for all others; where choices
        have only been sealed, for those who made them.

        :param since: the ply from which on there is news; None: whatever was shown is out of date.
        """
        match = table.played
        movers = set() if since is None else {event.seat for event in match.log[since:]}
        for_movers = since is not None and only_sealed(match, since)
        if table.game.info.hidden:
            last = await self._standing(table)
            await asyncio.gather(
                *(
                    self._bring(table, seat, person, last.get(person), seat in called)
                    for seat, person in _owners(table)
                    if seat in called or seat in movers or not for_movers
                )
            )

    async def catch_up(self, table: Table) -> None:
        """Bring what a process that was struck down did not: hands that show another position."""
        match = table.played
        if not table.game.info.hidden:
            return
        last = await self._standing(table)
        for seat, person in _owners(table):
            shown = last[person].ply if person in last else -1
            if shown != match.ply:
                called = seat in table.awaited and shown < match.opened(seat)
                await self._bring(table, seat, person, last.get(person), called)

    async def close(self, table: Table, person_id: int) -> None:
        """Take the controls off the hand of somebody who plays no more."""
        last = (await self._standing(table)).get(person_id)
        if last is not None:
            await self._retire(last)

    # -- those whom nothing reaches
    async def advise(self, interaction: Interaction, table: Table) -> None:
        """Tell somebody who sits down and cannot be sent a hand what to do, now and not later."""
        if not table.game.info.hidden:
            return
        person = interaction.user.id
        closed = not await self._bot.door.can_dm(person)
        await self._note(person, closed)
        if closed:
            say = self._bot.say(interaction)
            advice = [say(ADVICE), say(REMEDY)] if self.remediable else [say(ADVICE)]
            await self._bot.door.answer(interaction, " ".join(advice))
            # Nobody will look for a private answer again: the interaction stands for it.
            channel = interaction.channel_id or table.row.channel_id
            await self._bot.store.remember_message(
                MessageRow(table.id, ADVISED, channel, interaction.id, person)
            )

    async def _cope(self, table: Table, seat: int, person_id: int) -> None:
        """Remember that nothing gets through, and say so unless it was said before."""
        await self._note(person_id, closed=True)
        advised = await self._bot.store.messages(table.id, ADVISED)
        if any(message.person_id == person_id for message in advised):
            return
        say = texts(table.row.language)
        note = say(
            "{name}, I cannot send you direct messages any more. “My hand” under the board shows"
            " your hand to you alone.",
            name=board.player_name(table, seat),
        )
        posted = await self._bot.door.post(table.row.channel_id, board.note_view(note))
        if isinstance(posted, Posted):
            await self._remember(table, ADVISED, posted, person_id)

    async def _note(self, person_id: int, closed: bool) -> None:
        """Keep in mind whether messages get through."""
        if closed:
            self._refused[person_id] = self._bot.tables.clock()
        else:
            self._refused.pop(person_id, None)
        known = await self._bot.store.person(person_id)
        if known.dm_closed != closed:
            await self._bot.store.change_person(
                person_id, lambda known: replace(known, dm_closed=closed)
            )

    def _given_up(self, person_id: int) -> bool:
        refused = self._refused.get(person_id)
        return refused is not None and self._bot.tables.clock() - refused < RETRY_AFTER

    # -- inside
    async def _bring(
        self, table: Table, seat: int, person_id: int, last: MessageRow | None, called: bool
    ) -> None:
        """Change the last message, or send a new one if the person is called and may get it."""
        given_up = self._given_up(person_id)
        if last is None and given_up:
            return
        bot = self._bot
        say = await bot.person_texts(person_id, table.row.language)
        pictures = await bot.herald.hand_pictures(table, seat, say)
        link = await bot.herald.link(table)
        view = board.hand_view(table, bot.words_of(table), say, seat, pictures, link)
        if last is not None and (given_up or not called):
            failure = await bot.door.edit_dm(person_id, last.message_id, view, attached(pictures))
            if failure is None:
                await self._remember(table, HAND, _place(last), person_id)
            if failure is None or failure.trouble is not Trouble.GONE:
                return
        nonce = f"{table.id}.{table.stamp}.{seat}"
        posted = await bot.door.dm(person_id, view, attached(pictures), nonce=nonce)
        if isinstance(posted, Failure):
            if posted.trouble is Trouble.CLOSED_DM:
                await self._cope(table, seat, person_id)
            return
        await self._note(person_id, closed=False)
        if last is not None and last.message_id != posted.message_id:
            await self._retire(last)
        await self._remember(table, HAND, posted, person_id)

    async def _standing(self, table: Table) -> dict[int | None, MessageRow]:
        """The last hand of each person."""
        return {row.person_id: row for row in await self._bot.store.messages(table.id, HAND)}

    async def _remember(self, table: Table, kind: str, where: Posted, person_id: int) -> None:
        await self._bot.store.remember_message(
            MessageRow(
                table.id, kind, where.channel_id, where.message_id, person_id, table.played.ply
            )
        )

    async def _retire(self, message: MessageRow) -> None:
        """Take the controls off an old hand and forget it."""
        await self._bot.door.strip(message.channel_id, message.message_id)
        await self._bot.store.forget_message(message.message_id)


def only_sealed(match: Match[Any], since: int) -> bool:
    """Whether somebody still owes a decision that was open at ply ``since``: all that happened is
    that others, who decide at the same time, have chosen.
    """
    return any(seat != CHANCE and match.opened(seat) <= since < match.ply for seat in match.actors)


def _owners(table: Table) -> list[tuple[int, int]]:
    """Seat and person of all who hold their hand themselves."""
    return [
        (member.seat, member.person_id)
        for member in table.members
        if member.seat is not None and member.person_id is not None and member.level is None
    ]


def _place(message: MessageRow) -> Posted:
    return Posted(message.channel_id, message.message_id)
