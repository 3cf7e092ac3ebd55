"""The settings of people and servers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from data.store.access import Database, Repository
from data.store.columns import Kind
from data.store.rows import PersonRow, ServerRow

R = TypeVar("R")

PEOPLE = Kind("people", PersonRow)
SERVERS = Kind("servers", ServerRow)


class SettingsRepository(Repository):
    """The settings of all people and servers."""

    async def server(self, guild_id: int) -> ServerRow:
        """Return the settings of a server; the defaults if it has none."""
        return await self._database.read(lambda db: SERVERS.of(db, guild_id))

    async def change_server(
        self, guild_id: int, change: Callable[[ServerRow], ServerRow]
    ) -> ServerRow:
        """Change a server's settings in one transaction, so that no concurrent change is lost.

        :param change: returns the new settings, given the current ones. It must be quick and have
            no side effects, because it runs inside the transaction, possibly more than once.
        """
        return await self._change(SERVERS, guild_id, change)

    async def person(self, person_id: int) -> PersonRow:
        """Return the settings of a person; the defaults if the person has none."""
        return await self._database.read(lambda db: PEOPLE.of(db, person_id))

    async def change_person(
        self, person_id: int, change: Callable[[PersonRow], PersonRow]
    ) -> PersonRow:
        """Change a person's settings; otherwise like ``change_server``."""
        return await self._change(PEOPLE, person_id, change)

    async def set_person(self, person_id: int, **changes: Any) -> PersonRow:
        """Change some of a person's settings.

        :param changes: new values for fields of ``PersonRow``.
        """
        return await self.change_person(person_id, lambda known: replace(known, **changes))

    async def _change(self, kind: Kind[R], key: int, change: Callable[[R], R]) -> R:
        def rewrite(db: Database) -> R:
            row = change(kind.of(db, key))
            kind.put(db, [row])
            return row

        return await self._database.write(rewrite)
