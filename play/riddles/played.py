"""Riddles from matches that people have played: positions without names."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from data.store.rows import Status
from play.riddles.making import found_in
from play.riddles.riddle import Riddle, text_of
from play.riddles.stock import Maker, Search, make_apart, search_apart
from play.tables import Tables

LATEST: Final = 200
"""A match is drawn from this many of a game's latest matches."""

SHARE: Final = 0.5
"""The share of searches that try a played match before making a new riddle."""


class PlayedRiddles:
    """Finds riddles in matches that people have played; otherwise has new ones made. Skips matches
    of people who hide their statistics or have deleted their data.

    :param make: makes a riddle for a game.
    :param search: carries out a search in the background.
    :param lots: decides at random whether to try a played match, and which one.
    """

    def __init__(
        self,
        tables: Tables,
        make: Maker = make_apart,
        search: Callable[[Search], Awaitable[Riddle | None]] = search_apart,
        lots: random.Random | None = None,
    ) -> None:
        self._tables = tables
        self._make = make
        self._search = search
        self._lots = lots or random.SystemRandom()

    async def __call__(self, game_id: str) -> Riddle | None:
        """Return a riddle of a game; None if none was found this time."""
        riddle = None
        if self._lots.random() < SHARE:
            riddle = await self._found(game_id)
        return riddle or await self._make(game_id)

    async def _found(self, game_id: str) -> Riddle | None:
        store = self._tables.store
        numbers = await store.riddles.matches(game_id, LATEST)
        if not numbers:
            return None
        table = await self._tables.fresh(self._lots.choice(numbers))
        hidden = await store.standings.unlisted()
        people = {line.person_id for line in table.journal if line.person_id is not None}
        if any(person < 0 or person in hidden for person in people):
            return None  # includes people who played only part of the match
        if table.match is None or table.row.status is not Status.FINISHED:
            return None
        setup, events = table.match.setup, tuple(map(text_of, table.match.log))
        return await self._search(partial(found_in, game_id, setup.players, setup.options, events))
