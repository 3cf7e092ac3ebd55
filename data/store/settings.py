"""How people and servers want things."""

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
        """The settings of a server; the defaults if it has none."""
        return await self._database.read(lambda db: SERVERS.of(db, guild_id))

    async def change_server(
        self, guild_id: int, change: Callable[[ServerRow], ServerRow]
    ) -> ServerRow:
        """Change the settings of a server, so that nothing is lost of what others change meanwhile.

        :param change: from the settings as they are to those that shall be; quick, and without a
            look at anything else.
        :returns: the settings as they are now.
        """
        return await self._change(SERVERS, guild_id, change)

    async def person(self, person_id: int) -> PersonRow:
        """The settings of a person; the defaults if there are none."""
        return await self._database.read(lambda db: PEOPLE.of(db, person_id))

    async def change_person(
        self, person_id: int, change: Callable[[PersonRow], PersonRow]
    ) -> PersonRow:
        """Change the settings of a person; parameters and result as in ``change_server``."""
        return await self._change(PEOPLE, person_id, change)

    async def set_person(self, person_id: int, **changes: Any) -> PersonRow:
        """Change what is named of a person's settings; the rest stays.

        :returns: the settings as they are now.
        """
        return await self.change_person(person_id, lambda known: replace(known, **changes))

    async def _change(self, kind: Kind[R], key: int, change: Callable[[R], R]) -> R:
        def rewrite(db: Database) -> R:
            row = change(kind.of(db, key))
            kind.put(db, [row])
            return row

        return await self._database.write(rewrite)
