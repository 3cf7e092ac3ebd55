"""Analyses of finished matches."""

from __future__ import annotations

import asyncio
from typing import Final

from cogs.features.acting import Acknowledge, Acting
from cogs.features.allowance import Cost
from cogs.features.feature import Feature, press, table_command
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.translator import L_, name_
from cogs.present.analysis import overview_card, progress_text, turn_card
from play.analysis import Analyses, Progress, analysis_of
from play.table import Table

BETWEEN_REPORTS: Final = 4.0
"""Seconds between two reports of progress."""


class Analysing(Feature):
    """Shows the analysis of a match, and starts it when it is first requested."""

    def __init__(self, acting: Acting, analyses: Analyses) -> None:
        super().__init__(acting)
        self._analyses = analyses

    @table_command(name_("analyse"), L_("How a match went: chances, turning points, luck"))
    async def analyse(self, interaction: Interaction, table_id: int) -> None:
        """Show the analysis of a finished match."""
        await self.show(interaction, table_id, 0)

    @press("analysis", Acknowledge.PRIVATELY)
    async def turn(self, interaction: Interaction, control: Control) -> None:
        """Show a page: a turning point by its number, or the overview."""
        await self.replies.acknowledge_privately(interaction)
        page = int(control.argument) if control.argument.isdecimal() else 0
        await self.show(interaction, control.table, page)

    async def show(self, interaction: Interaction, table_id: int, page: int) -> None:
        """Show a page once the analysis is complete.

        :param page: the number of a turning point, from 1; other numbers show the overview.
        :raises Refused: ``too_much_at_once``, or whatever ``Analyses.begin`` raises.
        """
        table, person = await self.tables.get(table_id), interaction.user.id
        if analysis_of(table) is None:
            if self._analyses.is_new(table, person):
                self.acting.allowance.spend(person, Cost.ANALYSIS)
            await self._wait(interaction, self._analyses.begin(table, person))
            table = await self.tables.get(table_id)
        await self._show(interaction, table, page)

    async def _wait(self, interaction: Interaction, progress: Progress) -> None:
        """Report progress until the analysis is complete."""
        task, say = progress.task, self.say(interaction)
        while task is not None and not task.done():
            text = progress_text(progress.done, progress.of, say)
            await self.replies.show(interaction, text)
            await asyncio.wait([task], timeout=BETWEEN_REPORTS)
        if task is not None:
            task.result()

    async def _show(self, interaction: Interaction, table: Table, page: int) -> None:
        found, words, say = analysis_of(table), self.words_of(table), self.say(interaction)
        if found is None:
            return
        if 0 < page <= len(found.turns):
            card = turn_card(table, words, found, page, say)
        else:
            card = overview_card(table, words, found, say)
        await self.replies.show(interaction, card)
