"""Writes the daily posts of servers when they are due, from the store's data about the day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Final

from data.store.riddles import RiddleRepository
from games.fairness import new_secret
from play.occasions.daily import ONE_DAY, Best, Daily, DailyKind, Post, Write
from play.occasions.occasion import Occasion
from play.occasions.occasions import Occasions
from play.riddles.stock import Stock
from play.worker import Worker

NAMED: Final = 3
"""How many of the best players are named."""


class Writer(Worker[int]):
    """Writes the posts that are due.

    :param fell_behind: see ``Worker``.
    """

    NAME = "daily_post"

    def __init__(self, occasions: Occasions, fell_behind: Callable[[], None]) -> None:
        super().__init__(fell_behind)
        self._occasions = occasions
        self._riddles: RiddleRepository = occasions.store.riddles
        self._stock = Stock(self._riddles)

    def wake(self, occasion: Occasion[Any]) -> None:
        """Start writing if a changed occasion has a post due."""
        if occasion.row.kind == DailyKind.NAME and _wants_post(occasion):
            self._ask(occasion.id)

    async def wake_all(self) -> None:
        """Check all occasions after a start or a failure."""
        for occasion in await self._occasions.of_kind(DailyKind.NAME):
            if self._occasions.serves(occasion):
                self.wake(occasion)

    async def _work(self, number: int) -> None:
        occasion = await self._occasions.get(number)
        if _wants_post(occasion):
            day = date.fromisoformat(occasion.state.due)
            await self._occasions.act(number, await self._post(day, occasion.guild_id or 0))

    async def _post(self, day: date, guild_id: int) -> Write:
        before = day - ONE_DAY
        deals = await self._riddles.best_plays(before, guild_id, NAMED)
        solvers = await self._riddles.best_attempts(before, guild_id, NAMED)
        post = Post(
            day.isoformat(),
            (await self._stock.of_day(day)).to_json(),
            (await self._stock.of_day(before)).to_json(),
            await self._riddles.secret(before, new_secret),
            tuple(Best(row.person_id, row.points or 0) for row in deals),
            tuple(Best(row.person_id, row.points or 0) for row in solvers),
        )
        names = {row.person_id: row.name for row in deals}
        return Write(post, names | {row.person_id: row.name for row in solvers})


def _wants_post(occasion: Occasion[Daily]) -> bool:
    return bool(occasion.state.due) and occasion.state.wanted
