"""The house clock: reminders in time, and the table is asked when somebody's time is up."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import structlog
from discord import ButtonStyle
from discord.ext import commands, tasks

from cogs import board, seats
from cogs.controls import Control, Press
from cogs.times import deadline
from cogs.votes import Motion
from data.clocks import Alarm, DueRow, TurnRow
from data.texts import Texts, texts
from data.votes import AlreadyAsked, VoteRow
from play import ending, ladder
from play.clock import pace_in
from play.computers import STAND_IN
from play.ladder import Rung
from play.table import Refused, Table
from play.votes import Question

if TYPE_CHECKING:
    from cogs.tafelrunde import Tafelrunde

log = structlog.get_logger()

LOOKS = (10.0, 3600.0)
"""Least and most seconds between two looks at the clocks."""

ROUND = timedelta(minutes=10)
"""Least time between two rounds over what has failed."""


class LateMotion(Motion):
    """How shall it go on without somebody whose time is up?"""

    kind = "late"

    def __init__(self, bot: Tafelrunde) -> None:
        self._bot = bot

    def question(self, vote: VoteRow, table: Table, say: Texts) -> str:
        """Whose time is up, and who decides."""
        return say(
            "The time of {name} is up. How shall it go on? More than half of the answers decide,"
            " the silent do not count, and without a decision we wait longer. A move of {name}"
            " settles it.",
            name=board.player_name(table, vote.seat or 0),
        )

    def label(self, choice: str, say: Texts) -> str:
        """The steps of the ladder."""
        return {
            Rung.WAIT: say("Wait longer"),
            Rung.MOVE: say("A computer moves once"),
            Rung.KEEP: say("A computer until they are back"),
            Rung.OFFER: say("Offer the seat"),
            Rung.END: say("End without a result"),
        }[Rung(choice)]

    def outcome(self, vote: VoteRow, table: Table, say: Texts) -> str:
        """The step that is taken."""
        rung, seat = Rung(vote.decision or Rung.WAIT), vote.seat or 0
        return step_in_words(rung, board.player_name(table, seat), table.until(seat), say)

    async def carry_out(self, vote: VoteRow, table: Table) -> None:
        """Take the step."""
        rung = Rung(vote.decision or Rung.WAIT)
        if rung is Rung.END and not table.running:
            return
        if ladder.is_overtaken(vote, table):
            raise Refused("overtaken")
        await take_step(self._bot, table, table.clocks[vote.seat or 0], rung)

    def lapsed(self, vote: VoteRow, table: Table) -> bool:
        """Overtaken by a move, or when the seat has changed hands."""
        return ladder.is_overtaken(vote, table)


def step_in_words(rung: Rung, name: str, until: datetime | None, say: Texts) -> str:
    """What happens now.

    :param until: when the time is up, where it was extended.
    """
    time = "–" if until is None else deadline(until)
    match rung:
        case Rung.WAIT:
            return say("We go on waiting for {name}, until {time}.", name=name, time=time)
        case Rung.MOVE:
            return say("A computer player moves for {name} this once.", name=name)
        case Rung.KEEP:
            return say("A computer player keeps the seat until {name} is back.", name=name)
        case Rung.OFFER:
            return say("The seat of {name} is offered. We wait until {time}.", name=name, time=time)
        case Rung.END:
            return say("The match ends without a result.")


async def take_step(bot: Tafelrunde, table: Table, turn: TurnRow, rung: Rung) -> None:
    """Do what was decided about somebody whose time is up.

    :raises Refused: ``overtaken`` and other reasons why it is too late for that.
    """
    match rung:
        case Rung.WAIT:
            await bot.keeper.extend(table, turn)
            await bot.herald.refresh(table.id)
        case Rung.MOVE:
            await ladder.move_for(
                bot.tables, turn, lambda view: bot.thinkers.choose(view, STAND_IN)
            )
            await bot.herald.announce(table.id)
        case Rung.KEEP:
            table = await ladder.keep_seat(bot.tables, turn, STAND_IN)
            await bot.hands.close(table, turn.person_id)
            await bot.herald.refresh(table.id)
            await _show_the_way_back(bot, table, turn)
        case Rung.OFFER:
            await bot.keeper.extend(table, turn)
            await seats.offer(bot, table, turn.seat)
            await bot.herald.refresh(table.id)
        case Rung.END:
            await bot.herald.tell_ended(await ending.end_by_consent(bot.tables, table.id))


async def _show_the_way_back(bot: Tafelrunde, table: Table, turn: TurnRow) -> None:
    """Post the button by which somebody takes back the seat that is kept."""
    say = texts(table.row.language)
    name = board.player_name(table, turn.seat)
    await bot.door.post(
        table.row.channel_id,
        board.buttons_view(
            f"`{table.row.code}` · {say('{name} can come back at any time.', name=name)}",
            [Press(Control(table.id, 0, "back"), say("I am back"), ButtonStyle.success)],
        ),
        nonce=f"{table.id}.{turn.id}.back",
    )


class ClockCog(commands.Cog):
    """Looks at the clocks, and at the hours of votes, whenever something is due."""

    def __init__(self, bot: Tafelrunde) -> None:
        self.bot = bot
        self._next_round = bot.tables.clock() + ROUND

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Look at the clocks from now on, and finish what the last process left."""
        if not self._look.is_running():
            self._look.start()
            await self.bot.guarded(self.bot.keeper.follow_all())
            await self.bot.guarded(self.bot.ballots.finish())
            await self.on_deadline_set()

    async def cog_unload(self) -> None:
        """Look no longer."""
        self._look.cancel()

    @commands.Cog.listener()
    async def on_deadline_set(self) -> None:
        """There is something new to wait for."""
        if self._look.is_running() and not self.bot.is_closed():
            await self._set_alarm()

    @tasks.loop(seconds=LOOKS[0])
    async def _look(self) -> None:
        for part in (self.bot.ballots.close_due, self.ring, self.make_round):
            await self.bot.guarded(part())
        await self._set_alarm()

    async def ring(self) -> None:
        """Act on all deadlines that are due; what fails is tried again when its claim runs out."""
        for due in await self.bot.keeper.claim():
            try:
                await self._act(due)
            except Exception:
                log.exception("deadline_failed", table=due.turn.table_id, alarm=due.alarm)

    async def make_round(self) -> None:
        """Go on where something has failed, unless that was tried a moment ago."""
        now = self.bot.tables.clock()
        if self._next_round <= now:
            self._next_round = now + ROUND
            self.bot.later(self.bot.pick_up())

    async def _set_alarm(self) -> None:
        """Look again when the next thing is due; soon, if that cannot be found out."""
        now = self.bot.tables.clock()
        least, most = LOOKS
        try:
            due = await self._next_due()
            seconds = most if due is None else (due - now).total_seconds()
        except Exception:
            log.exception("clocks_unread")
            seconds = least
        wait = min(max(seconds, least), most)
        planned = self._look.next_iteration
        if planned is not None:  # an interval counts from the last look
            passed = (self._look.seconds or 0) - (planned - now).total_seconds()
            self._look.change_interval(seconds=passed + wait)

    async def _next_due(self) -> datetime | None:
        """When there is something to do; None: nothing is to be expected."""
        store = self.bot.store
        waiting = [await store.votes.next_closing(), await store.clocks.next_due()]
        if self.bot.behind:
            waiting.append(self._next_round)
        return min((at for at in waiting if at is not None), default=None)

    async def _act(self, due: DueRow) -> None:
        standing = await self.bot.keeper.standing(due)
        if standing is None:
            return
        table, turn = standing
        if due.alarm is Alarm.END:
            done = await self._time_is_up(table, turn)
        else:
            done = await self.bot.notices.remind(table, turn, due.alarm) is None
        if done:
            await self.bot.keeper.settle(due)

    async def _time_is_up(self, table: Table, turn: TurnRow) -> bool:
        """Climb the ladder; false if the channel could not be asked and has to be asked again."""
        pace = pace_in(table.row.options)
        if pace is None:
            return True
        misses = await self.bot.keeper.miss(turn)
        await self.bot.notices.clear(table, turn.person_id)
        step = ladder.next_step(table, turn, pace, misses)
        if isinstance(step, Question):
            return await self._ask(table, step)
        try:
            await self._tell(table, turn, step, misses)
            await take_step(self.bot, table, turn, step)
        except Refused as refusal:
            log.info("deadline_overtaken", table=table.id, code=refusal.code)
        return True

    async def _ask(self, table: Table, question: Question) -> bool:
        try:
            await self.bot.ballots.ask(table, question)
        except AlreadyAsked:
            log.info("asked_before", table=table.id)
        return await self.bot.ballots.insist(table)

    async def _tell(self, table: Table, turn: TurnRow, step: Rung, misses: int) -> None:
        """Tell the channel what was done without asking it."""
        say = texts(table.row.language)
        name = board.player_name(table, turn.seat)
        why = say.plural(
            "The time of {name} is up.",
            "The time of {name} is up, {n} times in a row.",
            misses,
            name=name,
        )
        await self.bot.door.post(
            table.row.channel_id,
            board.note_view(f"`{table.row.code}` · {why} {step_in_words(step, name, None, say)}"),
            nonce=f"{table.id}.{turn.id}.late{misses}",
        )


async def setup(bot: Tafelrunde) -> None:
    """Make the question known, and start the clock."""
    bot.ballots.register(LateMotion(bot))
    await bot.add_cog(ClockCog(bot))
