"""Computer players at their tables: each thinks when it has to decide, and plays its move."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

import structlog

from data.store.problems import Conflict
from games.engine import View
from games.players import GRANDMASTER
from play.computers import STRONGEST, ChosenMove, NoAdvice, Thinkers
from play.ladder import STAND_IN
from play.moves import PlayForComputer
from play.pauses import pause_seconds
from play.table import Refused, Table
from play.tables import Tables
from play.worker import Worker

log = structlog.get_logger()


class Opponents(Worker[tuple[int, int]]):
    """Drives the computer players of all tables. Each seat is a separate job, so computer players
    that have to decide at the same time also think and pause in parallel.

    :param pause: the usual pause before a move, in seconds; see ``play.pauses``.
    :param grandmasters: where grandmasters think; None: they play at the next lower level.
    :param fell_behind: see ``Worker``.
    """

    NAME = "computer"
    RETRIES = (5.0, 30.0, 120.0)

    def __init__(
        self,
        tables: Tables,
        thinkers: Thinkers,
        pause: float,
        fell_behind: Callable[[], None] = lambda: None,
        grandmasters: Thinkers | None = None,
    ) -> None:
        super().__init__(fell_behind)
        self._tables = tables
        self._thinkers = thinkers
        self._grandmasters = grandmasters
        self._pause = pause

    def wake(self, table: Table) -> None:
        """Start the computer players that the table waits for."""
        for seat in table.awaited_computers:
            self._ask((table.id, seat))

    async def wake_all(self) -> None:
        """Check all tables with a computer player, after a start or a failure."""
        async for table in self._tables.each(await self._tables.store.tables.to_think()):
            self.wake(table)

    async def _work(self, job: tuple[int, int], /) -> None:
        """Play for a seat until the table no longer waits for a computer player there."""
        table_id, seat = job
        while seat in (table := await self._tables.get(table_id)).awaited_computers:
            begin = time.monotonic()
            view = table.played.view(seat)
            level = table.computer_at(seat) or STAND_IN
            choice = await self.choose(table, view, level)
            due = begin + pause_seconds(table.game, view, choice.advice, level, self._pause)
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            move = PlayForComputer(seat, choice.move, table.opened(seat), quick=choice.quick)
            try:
                await self._tables.act(table_id, move)
            except (Refused, Conflict) as refusal:
                log.info("computer_overtaken", table=table_id, code=refusal.code)

    async def choose(self, table: Table, view: View, level: str) -> ChosenMove:
        """Return the move of a computer player. A grandmaster plays at the next lower level if the
        server does not allow grandmasters, or if no advice comes in time, for example because too
        many grandmasters are thinking.
        """
        host = table.row.host_id
        if level == GRANDMASTER:
            if self._grandmasters is not None and table.server.grandmasters:
                with suppress(NoAdvice):
                    advice = await self._grandmasters.advise(
                        view, level, table_id=table.id, person_id=host
                    )
                    return ChosenMove(advice.best, quick=False, advice=advice)
            level = STRONGEST
        return await self._thinkers.choose(view, level, table_id=table.id, person_id=host)
