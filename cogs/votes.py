"""Votes in the channel: one message for each, with a button for each answer.

A kind of vote is a ``Motion``: what it asks, what its answers are called, what its decision does.
Whoever needs a vote registers a motion once with ``bot.ballots.register`` and asks with
``bot.ballots.ask``; everything between the question and the decision happens here.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar
from weakref import WeakValueDictionary

import discord
import structlog
from discord import ui

from cogs import board
from cogs.actions import Interaction
from cogs.controls import Control, Press
from cogs.door import Posted, Trouble
from data.store import Conflict, MessageRow
from data.texts import Texts, texts
from data.votes import LAPSED, VoteRow
from play.table import Refused, Table
from play.votes import NO, YES, Question, Votes

if TYPE_CHECKING:
    from cogs.tafelrunde import Tafelrunde

log = structlog.get_logger()


class Motion(ABC):
    """A kind of vote. One instance serves all votes of the kind."""

    kind: ClassVar[str]

    @abstractmethod
    def question(self, vote: VoteRow, table: Table, say: Texts) -> str:
        """What is asked, and what it would do to the match and its result."""

    @abstractmethod
    def outcome(self, vote: VoteRow, table: Table, say: Texts) -> str:
        """What was decided, and what follows. ``vote.decision`` is set and not ``LAPSED``."""

    @abstractmethod
    async def carry_out(self, vote: VoteRow, table: Table) -> None:
        """Do what was decided and tell the channel, if that is more than ``outcome`` says.

        After a crash it may be called once more, and must then do no harm.

        :raises Refused: events have overtaken the question.
        """

    def label(self, choice: str, say: Texts) -> str:
        """What the button of an answer says."""
        return {YES: say("Agree"), NO: say("Decline")}[choice]

    def lapsed(self, vote: VoteRow, table: Table) -> bool:
        """Whether events at the table have overtaken the question."""
        return not table.running


class Ballots:
    """All votes of the bot, from question to decision."""

    def __init__(self, bot: Tafelrunde) -> None:
        self._bot = bot
        self._votes = Votes(bot.tables)
        self._motions: dict[str, Motion] = {}
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def register(self, motion: Motion) -> None:
        """Make a kind of vote known."""
        self._motions[motion.kind] = motion

    async def ask(
        self, table: Table, question: Question, asked_by: int | None = None, answer: str = YES
    ) -> VoteRow:
        """Put a question to the vote: post it, and ping those who are asked.

        Where nobody is left to be asked it is decided and carried out at once, without a message.

        :param asked_by: the person who asks and says ``answer``; None: the house.
        :raises Refused: ``asked_before``; ``cannot_ask``: the channel cannot be told.
        :raises AlreadyAsked: the same question is open.
        """
        async with self._lock(table.id):
            await self._tidy(table)
            vote = await self._votes.ask(table.id, question, asked_by, answer)
            if vote.decision is not None:
                await self._bot.guarded(self._conclude(vote))
            elif not await self._post(vote, table) and asked_by is not None:
                await self._conclude(await self._votes.lapse(vote.id))
                raise Refused("cannot_ask")
            self._bot.dispatch("deadline_set")
            return vote

    async def insist(self, table: Table) -> bool:
        """Ask what is open at a table and could not be asked so far; false if that still fails."""
        async with self._lock(table.id):
            for vote in await self._bot.store.votes.open_at(table.id):
                asked = await self._bot.store.messages(table.id, _kind(vote))
                if not asked and not await self._post(vote, table):
                    return False
        return True

    async def answer(self, interaction: Interaction, control: Control) -> None:
        """Count the answer that was pressed."""
        number, _, choice = control.argument.partition(".")
        await self._bot.door.defer_update(interaction)
        async with self._lock(control.table):
            await self._tidy(await self._bot.tables.get(control.table))
            vote = await self._votes.answer(int(number), interaction.user.id, choice)
            if vote.decision is None:
                await self._show(vote)
            elif not await self._bot.guarded(self._conclude(vote)):
                await self._bot.door.answer(interaction, _unfinished(self._bot.say(interaction)))

    async def tidy(self, table: Table) -> None:
        """Let go of what the last event at the table has overtaken or settled."""
        async with self._lock(table.id):
            await self._tidy(table)

    async def finish(self) -> None:
        """Go on where the last process stopped: carry out what it decided, ask what it did not get
        round to asking, close what is due.
        """
        await self.close_due()
        for vote in await self._bot.store.votes.all_open():
            await self._bot.guarded(self._show_again(vote))

    async def close_due(self) -> None:
        """Carry out what was decided and could not be done so far; decide the votes whose time is
        up. None keeps another one from it.
        """
        store = self._bot.store.votes
        for vote in await store.unfinished():
            await self._bot.guarded(self._conclude_again(vote))
        for vote in await store.due(self._bot.tables.clock()):
            await self._bot.guarded(self._review(vote))

    # -- inside
    def _lock(self, table_id: int) -> asyncio.Lock:
        return self._locks.setdefault(table_id, asyncio.Lock())

    async def _review(self, vote: VoteRow) -> None:
        async with self._lock(vote.table_id):
            reviewed = await self._votes.review(vote)
            if reviewed.decision is not None and not reviewed.done:
                await self._conclude(reviewed)

    async def _conclude_again(self, vote: VoteRow) -> None:
        async with self._lock(vote.table_id):
            vote = await self._bot.store.votes.get(vote.id)
            if not vote.done:  # whoever decided it may have been at work still
                await self._conclude(vote)

    async def _show_again(self, vote: VoteRow) -> None:
        async with self._lock(vote.table_id):
            await self._show(await self._bot.store.votes.get(vote.id))

    async def _tidy(self, table: Table) -> None:
        for vote in await self._bot.store.votes.open_at(table.id):
            if self._motions[vote.kind].lapsed(vote, table):
                reviewed = await self._votes.lapse(vote.id)
            else:
                reviewed = await self._votes.review(vote)
            if reviewed.decision is not None:
                await self._conclude(reviewed)

    async def _conclude(self, vote: VoteRow) -> None:
        """Carry a decision out and tell it."""
        if vote.decision != LAPSED:
            table = await self._bot.tables.get(vote.table_id)
            try:
                await self._motions[vote.kind].carry_out(vote, table)
            except (Refused, Conflict) as refusal:
                log.info("vote_overtaken", vote=vote.id, code=refusal.code)
                vote = replace(vote, decision=LAPSED)
        await self._show(vote)
        await self._bot.store.votes.set_done(vote.id)

    async def _post(self, vote: VoteRow, table: Table) -> bool:
        """Ask in the channel; false if that cannot be done."""
        silent = [person for person, choice in vote.answers.items() if choice is None]
        posted = await self._bot.door.post(
            table.row.channel_id,
            self._view(vote, table),
            nonce=f"{table.id}.vote.{vote.id}",
            mentions=silent,
        )
        if isinstance(posted, Posted):
            place = (posted.channel_id, posted.message_id)
            await self._bot.store.remember_message(MessageRow(table.id, _kind(vote), *place))
        return isinstance(posted, Posted)

    async def _show(self, vote: VoteRow) -> None:
        """Bring the message of a vote up to date; an open one that has none, or whose message is
        gone, gets a new one.
        """
        table = await self._bot.tables.get(vote.table_id)
        view = self._view(vote, table)
        for message in await self._bot.store.messages(table.id, _kind(vote)):
            failure = await self._bot.door.edit(message.channel_id, message.message_id, view)
            gone = failure is not None and failure.trouble is Trouble.GONE
            if gone or vote.decision is not None:
                await self._bot.store.forget_message(message.message_id)
        if vote.decision is None and not await self._bot.store.messages(table.id, _kind(vote)):
            await self._post(vote, table)

    def _view(self, vote: VoteRow, table: Table) -> ui.LayoutView:
        say = texts(table.row.language)
        motion = self._motions[vote.kind]
        lines = [f"`{table.row.code}` · {motion.question(vote, table, say)}"]
        if vote.decision is None:
            lines += _state_of(vote, table, say)
        elif vote.decision == LAPSED:
            lines.append(say("This question has been overtaken by events."))
        else:
            lines.append(motion.outcome(vote, table, say))
        buttons = [
            Press(Control(table.id, 0, "vote", f"{vote.id}.{choice}"), motion.label(choice, say))
            for choice in vote.choices
            if vote.decision is None
        ]
        return board.buttons_view("\n".join(lines), buttons)


def _kind(vote: VoteRow) -> str:
    """Under which kind the message of a vote is remembered."""
    return f"vote.{vote.id}"


def _unfinished(say: Texts) -> str:
    """What is said to the person whose answer could not be acted on at once."""
    return say(
        "Your answer counts and settles the question, but something went wrong on my side. I carry"
        " it out as soon as I can."
    )


def _state_of(vote: VoteRow, table: Table, say: Texts) -> Iterable[str]:
    """Who is asked and has not answered, who has, and how long there is time."""
    mentions = {m.person_id: board.player_mention(table, m.seat or 0) for m in table.members}
    silent = [mentions[person] for person, choice in vote.answers.items() if choice is None]
    heard = [mentions[person] for person, choice in vote.answers.items() if choice]
    if silent:
        yield say("Asked: {names}.", names=say.list(silent))
    if heard:
        yield say("Answered: {names}.", names=say.list(heard))
    if vote.closes_at is not None:
        yield say("Open until {time}.", time=discord.utils.format_dt(vote.closes_at, "f"))


async def setup(bot: Tafelrunde) -> None:
    """Let the buttons of votes be pressed."""
    bot.presses["vote"] = bot.ballots.answer
