"""A person's data: showing it, exporting it, deleting it.

A person whose data is deleted leaves all tables; what remains there is under another name. Deletion
takes many steps. If it is interrupted, the next start continues it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import dataclass
from enum import StrEnum

from data.store.problems import StillAtTable
from data.store.rows import Status
from play.ending import Resign, resigning
from play.ladder import STAND_IN
from play.lobby import Leave
from play.occasions.occasion import LeaveOccasion
from play.occasions.occasions import Occasions
from play.table import Refused, Table
from play.tables import Tables

Pause = Callable[[int], AbstractAsyncContextManager[None]]
"""Blocks message delivery for a table or occasion while a person's data is being deleted there."""


class LeavingEffect(StrEnum):
    """The effect on a table when someone leaves it; some members are those of ``Resigning``."""

    CLOSES = "closes"
    """The host leaves the lobby."""
    LEAVES = "leaves"
    """A guest leaves the lobby."""
    LOSES = "loses"
    ENDS = "ends"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class Departure:
    """A table that someone has to leave, or has left."""

    table: Table
    leaving: LeavingEffect


class Privacy:
    """Everything that can be done with a person's data.

    :param pause: see ``Pause``; the default blocks nothing.
    :param pause_occasion: the same for an occasion.
    """

    def __init__(
        self,
        tables: Tables,
        occasions: Occasions,
        pause: Pause = lambda _: nullcontext(),
        pause_occasion: Pause = lambda _: nullcontext(),
    ) -> None:
        self._tables = tables
        self._occasions = occasions
        self._store = tables.store
        self._pause = pause
        self._pause_occasion = pause_occasion

    async def is_unlisted(self, person_id: int) -> bool:
        """Return whether the person's ratings and statistics are hidden from others."""
        return person_id in await self._store.standings.unlisted()

    async def set_unlisted(self, person_id: int, unlisted: bool) -> None:
        """Hide the person's ratings and statistics from others, or show them again."""
        await self._store.standings.set_unlisted(person_id, unlisted)

    # -- forgetting
    async def departures(self, person_id: int) -> list[Departure]:
        """Return the tables that deletion would make the person leave."""
        tables = await self._tables.of_person(person_id)
        return [Departure(table, _leaving(table, person_id)) for table in tables]

    async def forget(self, person_id: int, pseudonym: str) -> None:
        """Make the person leave all tables and occasions, delete their data, and replace their name
        where they played. If this is interrupted, ``carry_on`` completes it.
        """
        await self._store.privacy.begin(person_id, pseudonym)
        await self._forget(person_id)

    async def carry_on(self) -> None:
        """Finish all deletions that have begun. A failure for one person does not stop the others.

        :raises Exception: the first failure, after all have been tried.
        """
        people = await self._store.privacy.begun()
        results = await asyncio.gather(*map(self._forget, people), return_exceptions=True)
        for failure in results:
            if failure is not None:
                raise failure

    async def is_being_forgotten(self, person_id: int) -> bool:
        """Return whether deletion has begun and is not finished."""
        return person_id in await self._store.privacy.begun()

    async def _forget(self, person_id: int) -> None:
        for occasion in await self._occasions.of_person(person_id):
            await self._occasions.act(occasion.id, LeaveOccasion(person_id))
        # Leave all tables first: their channels are then updated in parallel, and while the name is
        # still there.
        for table_id in await self._store.tables.of_person(person_id):
            await self._stand_up(table_id, person_id)
        async for table_id in self._store.privacy.tables_of(person_id):
            async with self._pause(table_id):
                await self._forget_at(table_id, person_id)
        for number in await self._store.privacy.occasions_of(person_id):
            async with self._pause_occasion(number):
                await self._store.privacy.forget_in(number, person_id)
                self._occasions.forget(number)
        await self._store.privacy.finish(person_id)

    async def _stand_up(self, table_id: int, person_id: int) -> None:
        table = await self._tables.get(table_id)
        with suppress(Refused):  # the person has already left, or the match is over
            if table.row.status is Status.LOBBY:
                await self._tables.act(table_id, Leave(person_id, sure=True))
            elif table.running and table.seat_of(person_id) is not None:
                await self._tables.act(table_id, Resign(person_id, STAND_IN))
        # In all other cases a computer player has the seat already, or gets it when the person's
        # data is deleted.

    async def _forget_at(self, table_id: int, person_id: int) -> None:
        forget_at = self._store.privacy.forget_at
        try:
            await forget_at(table_id, person_id, STAND_IN)
        except StillAtTable:  # the person has come back in the meantime
            self._tables.forget(table_id)
            await self._stand_up(table_id, person_id)
            await forget_at(table_id, person_id, STAND_IN)
        self._tables.forget(table_id)


def _leaving(table: Table, person_id: int) -> LeavingEffect:
    if table.row.status is Status.LOBBY:
        return LeavingEffect.CLOSES if person_id == table.row.host_id else LeavingEffect.LEAVES
    if not table.running or table.seat_of(person_id) is None:
        return LeavingEffect.REPLACED
    return LeavingEffect(resigning(table, person_id).value)
