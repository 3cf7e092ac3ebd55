"""``/riddle`` and ``/deal``: the riddle and the deal of the day, which each person solves or plays
in private.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from discord.ext import commands

from cogs.features.acting import Acknowledge, Acting
from cogs.features.feature import Feature, command, number_in, press
from cogs.gateway.cards import Card, with_pictures
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.failures import Failure
from cogs.gateway.places import InteractionContext, context_of
from cogs.gateway.translator import L_, name_
from cogs.present.daily import (
    BEST,
    Finished,
    Solver,
    best_card,
    deal_card,
    finished_card,
    riddle_card,
    shared_card,
    solution_card,
    wrong_riddle_text,
)
from cogs.present.words import ASK_ON
from data.store.riddles import AttemptRow, Earned, PlayRow
from data.store.trophies import TrophyRow
from games.engine import IllegalMove
from games.fairness import new_secret, sealed
from play.daily import (
    DEAL,
    GIVEN_FOR,
    DailyMove,
    Streak,
    day_of,
    day_seed,
    dealt,
    earned,
    streak,
)
from play.riddles.riddle import Attempt, Riddle
from play.riddles.stock import Stock
from play.table import Refused, refuse_if

TOMORROW = timedelta(days=1)

LOOK_BACK = timedelta(days=90)
"""How long the riddles of past days, their solutions and people's own deals can still be opened."""

Change = Callable[[Attempt], Attempt]
"""Updates a person's attempt at a riddle."""


class DailyCog(Feature, commands.Cog):
    """The riddle and the deal of the day."""

    def __init__(self, acting: Acting) -> None:
        super().__init__(acting)
        self._words = acting.presenter.words
        self._store = acting.tables.store.riddles
        self._stock = Stock(self._store)

    # -- the riddle
    @command(name_("riddle"), L_("The riddle of the day: one position, one right move"))
    async def riddle(self, interaction: Interaction) -> None:
        """Show today's riddle."""
        await self._show_riddle(interaction, self._today())

    @press("riddle", Acknowledge.PRIVATELY)
    async def open_riddle(self, interaction: Interaction, control: Control) -> None:
        """Show a day's riddle, or its solution."""
        await self._show_riddle(interaction, self._day(control.argument))

    @press("riddlehint", Acknowledge.PRIVATELY)
    async def hint(self, interaction: Interaction, control: Control) -> None:
        """Give a hint, which costs a point."""
        day, number = self._day_and_rest(control.argument)
        refuse_if(day != self._today(), "day_over")
        await self._change(interaction, day, lambda a: a.hinted(number_in(number)))
        await self._show_riddle(interaction, day)

    @press("guess", Acknowledge.PRIVATELY)
    async def guess(self, interaction: Interaction, control: Control) -> None:
        """Judge an answer, or ask for the rest of an incomplete one."""
        day, chosen = self._day_and_rest(control.argument)
        refuse_if(day != self._today(), "day_over")
        riddle = await self._stock.of_day(day)
        offered, whole = riddle.offered(), chosen.removesuffix(ASK_ON)
        if chosen != whole or whole not in offered:
            refuse_if(not self._asks_on(riddle, whole), "stale")
            await self._show_riddle(interaction, day, prefix=whole)
            return
        before, after = await self._change(
            interaction, day, lambda attempt: _answered(attempt, riddle, whole)
        )
        told = ""
        if not after.solved and whole in after.wrong and not before.over:
            words, solver = self._words[riddle.game], interaction.user.display_name
            told = wrong_riddle_text(riddle, words, after, whole, solver, self.say(interaction))
        await self._show_riddle(interaction, day, told=told)

    def _asks_on(self, riddle: Riddle, begun: str) -> bool:
        words = self._words[riddle.game]
        return words.asks_on(riddle.view(), riddle.offered(), begun)

    async def _change(
        self, interaction: Interaction, day: date, change: Change
    ) -> tuple[Attempt, Attempt]:
        """Update the person's attempt at a day's riddle.

        :returns: the attempt before and after.
        """
        seen: list[Attempt] = []

        def rewrite(row: AttemptRow) -> AttemptRow:
            before = _attempt(row)
            after = change(before)
            seen[:] = before, after
            return replace(
                row,
                wrong=after.wrong,
                hints=after.hints,
                solved=after.solved,
                points=after.points if after.over else None,
            )

        begun = AttemptRow(
            interaction.user.id,
            day.isoformat(),
            interaction.guild_id or 0,
            interaction.user.display_name,
        )
        await self._store.change_attempt(begun, rewrite, self._earned(begun.person_id))
        return seen[0], seen[1]

    async def _show_riddle(
        self, interaction: Interaction, day: date, prefix: str = "", told: str = ""
    ) -> None:
        riddle, today = await self._stock.of_day(day), self._today()
        person, say = interaction.user, self.say(interaction)
        row = await self._store.attempt(person.id, day)
        solver = Solver(
            person.display_name,
            Attempt() if row is None else _attempt(row),
            await self._streak(person.id),
            await self._store.points(person.id),
            await self._won_on(person.id, day),
        )
        words = self._words[riddle.game]
        if solver.attempt.over or day < today:
            card = await asyncio.to_thread(
                solution_card, day, riddle, words, solver, say, past=day < today
            )
        else:
            card = await asyncio.to_thread(
                riddle_card, day, riddle, words, solver, say, prefix, told
            )
        await self.replies.show(interaction, card)

    # -- the deal
    @command(
        name_("deal"), L_("The deal of the day: solo Don Quixote, with the same tiles for all")
    )
    async def deal(self, interaction: Interaction) -> None:
        """Start today's deal, or continue it."""
        await self._show_deal(interaction, self._today())

    @press("deal", Acknowledge.PRIVATELY)
    async def open_deal(self, interaction: Interaction, control: Control) -> None:
        """Start a day's deal, continue it, or show its result."""
        await self._show_deal(interaction, self._day(control.argument))

    @press("lay", Acknowledge.PRIVATELY)
    async def lay(self, interaction: Interaction, control: Control) -> None:
        """Place a tile."""
        day, chosen = self._day_and_rest(control.argument)
        refuse_if(day != self._today(), "day_over")
        seed = day_seed(await self._secret(day), day)
        lay = DailyMove(chosen, control.revision)
        begun = self._begun(interaction, day)
        await self._store.change_play(
            begun, lambda row: lay.effect(row, seed), self._earned(begun.person_id)
        )
        await self._show_deal(interaction, day)

    def _begun(self, interaction: Interaction, day: date) -> PlayRow:
        person = interaction.user
        return PlayRow(person.id, day.isoformat(), interaction.guild_id or 0, person.display_name)

    async def _show_deal(self, interaction: Interaction, day: date) -> None:
        row = await self._store.play(interaction.user.id, day) or self._begun(interaction, day)
        secret, say = await self._secret(day), self.say(interaction)
        match = await asyncio.to_thread(dealt, day_seed(secret, day), row.moves)
        words = self._words[DEAL]
        if row.points is not None:
            card = await self._finished(interaction, day, row)
            await self.replies.show(interaction, card)
            return
        refuse_if(day != self._today(), "day_over")
        card = deal_card(day, match, words, row.name, sealed(secret), say)
        await self.replies.show(interaction, card)

    async def _finished(self, interaction: Interaction, day: date, row: PlayRow) -> Card:
        seed = day_seed(await self._secret(day), day)
        match = await asyncio.to_thread(dealt, seed, row.moves)
        seal = sealed(await self._secret(self._today() + TOMORROW))
        may_share = not row.shared and day == self._today() and _may_post(interaction)
        result = await self._result(day, row)
        say, words = self.say(interaction), self._words[DEAL]
        return finished_card(day, match, words, result, seal, say, may_share=may_share)

    async def _result(self, day: date, row: PlayRow) -> Finished:
        points = row.points or 0
        here = await self._store.placed(day, points, row.guild_id) if row.guild_id else None
        everywhere = await self._store.placed(day, points)
        running, won = await self._streak(row.person_id), await self._won_on(row.person_id, day)
        return Finished(row, everywhere, here, running, won)

    @press("sharedeal", Acknowledge.PRIVATELY)
    async def share(self, interaction: Interaction, control: Control) -> None:
        """Show a result to everyone in the channel, at most once."""
        day = self._day(control.argument)
        refuse_if(not _may_post(interaction), "cannot_show_here")
        before = await self._store.play(interaction.user.id, day)
        if before is None or before.points is None:
            raise Refused("stale")
        row = await self._store.change_play(before, _shared)
        say = await self.acting.server_texts(interaction)
        card = await with_pictures(shared_card(day, await self._result(day, row), say))
        posted = await self.acting.gateway.post(interaction.channel_id or 0, card)
        if isinstance(posted, Failure):
            await self._store.change_play(row, lambda row: replace(row, shared=False))
            raise Refused("cannot_show_here")
        await self.replies.show(interaction, await self._finished(interaction, day, row))

    @press("best", Acknowledge.PRIVATELY)
    async def best(self, interaction: Interaction, control: Control) -> None:
        """Show the best results in yesterday's deal, with their boards, and in the riddle: on this
        server or, outside a server, on all servers.
        """
        day, server = self._today() - TOMORROW, interaction.guild_id
        secret = await self._secret(day)
        rows = await self._store.best_plays(day, server, BEST)
        seed = day_seed(secret, day)
        best = [(row, await asyncio.to_thread(dealt, seed, row.moves)) for row in rows]
        solved = await self._store.best_attempts(day, server, BEST)
        own, say = await self._store.play(interaction.user.id, day), self.say(interaction)
        played = own is not None and own.points is not None
        card = best_card(day, best, solved, secret, say, here=server is not None, played=played)
        await self.replies.show(interaction, card)

    # -- inside
    def _today(self) -> date:
        return day_of(self.tables.clock())

    def _earned(self, person_id: int) -> Earned:
        return lambda past: earned(person_id, past, self.tables.clock())

    async def _streak(self, person_id: int) -> Streak:
        return streak((await self._store.past(person_id)).days, self._today())

    async def _won_on(self, person_id: int, day: date) -> list[TrophyRow]:
        """Return the riddle and deal trophies that a person won on a day."""
        trophies = await self.tables.store.trophies.of_person(person_id)
        return [each for each in trophies if each.kind in GIVEN_FOR and day_of(each.at) == day]

    async def _secret(self, day: date) -> str:
        return await self._store.secret(day, new_secret)

    def _day(self, argument: str) -> date:
        """Return the day in a control's argument; today if it names none.

        :raises Refused: ``stale``: the argument is not a day, or the day is in the future or longer
            ago than ``LOOK_BACK``.
        """
        if not argument:
            return self._today()
        try:
            day = date.fromisoformat(argument)
        except ValueError:
            raise Refused("stale") from None
        refuse_if(not self._today() - LOOK_BACK <= day <= self._today(), "stale")
        return day

    def _day_and_rest(self, argument: str) -> tuple[date, str]:
        """Return the day in a control's argument, and the part of the argument after it.

        :raises Refused: ``stale``: the argument lacks one of the two, or ``_day`` refuses the day.
        """
        day, _, rest = argument.partition(".")
        refuse_if(not day or not rest, "stale")
        return self._day(day), rest


def _attempt(row: AttemptRow) -> Attempt:
    return Attempt(row.wrong, row.hints, row.solved)


def _answered(attempt: Attempt, riddle: Riddle, move: str) -> Attempt:
    """Return the attempt after this answer.

    :raises Refused: ``stale``: the riddle does not offer this move.
    """
    try:
        return attempt.answered(riddle, move)
    except IllegalMove:
        raise Refused("stale") from None


def _shared(row: PlayRow) -> PlayRow:
    """Return the play marked as shown.

    :raises Refused: ``shown_already``.
    """
    refuse_if(row.shared, "shown_already")
    return replace(row, shared=True)


def _may_post(interaction: Interaction) -> bool:
    """Return whether the person may let the bot post a message for everyone here."""
    return (
        context_of(interaction) is InteractionContext.SERVER
        and interaction.permissions.send_messages
    )
