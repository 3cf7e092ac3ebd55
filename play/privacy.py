"""Being forgotten: someone stands up from all tables, and leaves nothing but the others' games."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from enum import StrEnum

from data.store.rows import Status
from data.store.tables import CODE_LENGTH, CODE_LETTERS
from play.ending import Resign, resigning
from play.lobby import Leave
from play.table import Table
from play.tables import Tables


class Leaving(StrEnum):
    """What it means for a table that someone stands up, be it by ``Resigning``."""

    CLOSES = "closes"
    """The host leaves the lobby."""
    LEAVES = "leaves"
    """A guest leaves the lobby."""
    LOSES = "loses"
    ENDS = "ends"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class Departure:
    """A table that someone has to stand up from, or has stood up from."""

    table: Table
    leaving: Leaving


class Privacy:
    """The use cases of what is known about a person."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store

    async def is_unlisted(self, person_id: int) -> bool:
        """Whether the person's ratings and statistics are shown to no one."""
        return person_id in await self._store.standings.unlisted()

    async def set_unlisted(self, person_id: int, unlisted: bool) -> None:
        """Show the person's ratings and statistics to no one, or to everyone again."""
        await self._store.standings.set_unlisted(person_id, unlisted)

    async def departures(self, person_id: int) -> list[Departure]:
        """The tables that the person would have to stand up from."""
        tables = await self._tables.of_person(person_id)
        return [Departure(table, _leaving(table, person_id)) for table in tables]

    async def stand_up(self, departure: Departure, person_id: int, level: str) -> Table:
        """Stand up from one table, and give it as it is then.

        :param level: of the computer player that takes the seat.
        """
        table = departure.table
        if table.row.status is Status.LOBBY:
            return (await self._tables.act(table.id, Leave(person_id))).table
        if table.running and table.seat_of(person_id) is not None:
            return (await self._tables.act(table.id, Resign(person_id, level))).table
        return table  # a computer player has the seat, or gets it when the person is forgotten

    async def forget(self, person_id: int, pseudonym: str, level: str) -> None:
        """Delete all about the person, and call them otherwise in the games of others.

        :raises StillAtTable: there is a table to stand up from.
        """
        await self._store.privacy.forget(person_id, pseudonym, level)
        self._tables.forget()


def pseudonym_code() -> str:
    """What tells apart those who were forgotten."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def _leaving(table: Table, person_id: int) -> Leaving:
    if table.row.status is Status.LOBBY:
        return Leaving.CLOSES if person_id == table.row.host_id else Leaving.LEAVES
    if not table.running or table.seat_of(person_id) is None:
        return Leaving.REPLACED
    return Leaving(resigning(table, person_id).value)
