"""Notices: what is told to one person beside the board, and taken away when it is out of date.

Whoever has to move is pinged once, by the board. Where there is little time, a reminder follows,
and a later one replaces it. Those who want it are told by direct message, too. No notice outlives
the turn that it is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cogs import board
from cogs.door import Content, Failure, Posted
from cogs.times import deadline
from data.clocks import Alarm, TurnRow
from data.store import MessageRow
from data.texts import Texts, texts
from play.clock import quiet_of
from play.table import Table

if TYPE_CHECKING:
    from cogs.tafelrunde import Tafelrunde

KIND = "notice"


class Notices:
    """All notices of the bot."""

    def __init__(self, bot: Tafelrunde) -> None:
        self._bot = bot

    async def call(self, table: Table, called: Sequence[int]) -> None:
        """Tell those who want it by direct message that it is their turn, softly in their quiet
        hours. A hidden hand comes by direct message anyway.
        """
        if table.game.info.hidden:
            return
        for seat in called:
            person_id = table.members[seat].person_id or 0
            if (await self._bot.store.person(person_id)).dm_too:
                say = await self._bot.person_texts(person_id, table.row.language)
                text = say("It is your turn in {game}.", game=self._title(table, say))
                until = table.until(seat)
                if until is not None:
                    text += " " + say("You have time until {time}.", time=deadline(until))
                await self._dm(table, seat, text, say, f"{table.id}.{table.stamp}.{seat}.turn")

    async def remind(self, table: Table, turn: TurnRow, alarm: Alarm) -> Failure | None:
        """Remind a person of a turn, in place of earlier notices.

        :returns: why the channel could not be told, if it is worth trying again.
        """
        earlier = await self._of_person(table, turn.person_id)
        say = texts(table.row.language)
        who = board.player_mention(table, turn.seat)
        nonce = f"{table.id}.{turn.id}.{alarm}"
        posted = await self._bot.door.post(
            table.row.channel_id,
            await self._linked(table, f"{who}: {self._reminder(table, turn, alarm, say)}", say),
            nonce=nonce,
            mentions=[turn.person_id],
        )
        if isinstance(posted, Failure):
            return posted if posted.trouble.passing else None
        await self._remember(table, turn.seat, posted)
        if (await self._bot.store.person(turn.person_id)).dm_too:
            say = await self._bot.person_texts(turn.person_id, table.row.language)
            await self._dm(table, turn.seat, self._reminder(table, turn, alarm, say), say, nonce)
        for notice in earlier:
            await self._take_away(notice)
        return None

    async def clear(self, table: Table, person_id: int) -> None:
        """Take away what a person was told."""
        for notice in await self._of_person(table, person_id):
            await self._take_away(notice)

    async def tidy(self, table: Table) -> None:
        """Take away all notices about turns that are over."""
        for notice in await self._bot.store.messages(table.id, KIND):
            seat = None if notice.person_id is None else table.seat_of(notice.person_id)
            if seat not in table.awaited or table.played.opened(seat or 0) != notice.ply:
                await self._take_away(notice)

    # -- inside
    def _reminder(self, table: Table, turn: TurnRow, alarm: Alarm, say: Texts) -> str:
        game, time = self._title(table, say), deadline(turn.ends_at)
        if alarm is Alarm.HALF:
            return say(
                "half of your time in {game} is over; you have until {time}.", game=game, time=time
            )
        return say("your time in {game} is nearly up; you have until {time}.", game=game, time=time)

    def _title(self, table: Table, say: Texts) -> str:
        return f"{say(self._bot.words_of(table).title)} `{table.row.code}`"

    async def _linked(self, table: Table, text: str, say: Texts) -> Content:
        return board.link_view(text, await self._bot.herald.link(table), say)

    async def _dm(self, table: Table, seat: int, text: str, say: Texts, nonce: str) -> None:
        person_id = table.members[seat].person_id or 0
        posted = await self._bot.door.dm(
            person_id,
            await self._linked(table, text, say),
            nonce=nonce,
            silent=await self._is_quiet(table, person_id),
        )
        if isinstance(posted, Posted):
            await self._remember(table, seat, posted)

    async def _is_quiet(self, table: Table, person_id: int) -> bool:
        store = self._bot.store
        server = await store.server(table.row.guild_id or 0)
        quiet = quiet_of(await store.person(person_id), server)
        return quiet is not None and quiet.around(self._bot.tables.clock()) is not None

    async def _remember(self, table: Table, seat: int, posted: Posted) -> None:
        await self._bot.store.remember_message(
            MessageRow(
                table.id,
                KIND,
                posted.channel_id,
                posted.message_id,
                table.members[seat].person_id,
                table.played.opened(seat),
            )
        )

    async def _of_person(self, table: Table, person_id: int) -> list[MessageRow]:
        notices = await self._bot.store.messages(table.id, KIND)
        return [notice for notice in notices if notice.person_id == person_id]

    async def _take_away(self, notice: MessageRow) -> None:
        await self._bot.door.delete(notice.channel_id, notice.message_id)
        await self._bot.store.forget_message(notice.message_id)
