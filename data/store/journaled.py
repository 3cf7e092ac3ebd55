"""What tables and occasions have in common in the store: a journal, a revision, a time when due."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime
from itertools import count
from typing import Any, ClassVar, Protocol

from data.store.access import Database, Repository
from data.store.columns import from_seconds, to_seconds
from data.store.problems import AlreadyCounted
from data.store.shards import changed

CODE_LETTERS = "CDFGHJKMNPQRTVWXY234679"
"""No two that look alike (0 and O, 1 and I, 5 and S, 8 and B), and no vowels, so no words."""

CODE_LENGTH = 4

TRIES = 3
"""How many codes of one length are tried. With half of the short codes taken, one new code in eight
is longer.
"""

SECRET_LENGTH = 9
"""Of a code by which anybody may come: nobody guesses one of 23 ** 9, a few in ten minutes."""


class JournaledRepository(Repository):
    """All tables, or all occasions.

    :cvar NAME: of the database's table.
    :cvar KIND: what one of them is called in news.
    """

    NAME: ClassVar[str]
    KIND: ClassVar[str]

    def serves(self, guild_id: int | None) -> bool:
        """Whether this process does what is to be done unasked on a server."""
        return self._database.served.has(guild_id)

    async def tell(self, number: int) -> None:
        """Let the process that serves one of them look at it."""
        await self._database.tell(changed(self.KIND, number))

    async def due(self, now: datetime) -> list[int]:
        """Those at which something is to be done by now, the longest due first."""
        return await self._ids(
            f"""SELECT id FROM {self.NAME} WHERE due_at <= ? AND {self._served}
            ORDER BY due_at, id""",  # noqa: S608
            to_seconds(now),
        )

    async def next_due(self) -> datetime | None:
        """When something is to be done next at any of them; None: never."""
        sql = f"""SELECT min(due_at) FROM {self.NAME}
            WHERE due_at IS NOT NULL AND {self._served}"""  # noqa: S608
        ((due_at,),) = await self._database.fetch(sql)
        return None if due_at is None else from_seconds(due_at)

    @property
    def _served(self) -> str:
        return self._database.served.condition()

    def _tell(self, db: Database, number: int, guild_id: int | None) -> None:
        """Let the process that serves a server hear of a change, unless it is this one."""
        if not self.serves(guild_id):
            self._database.backend.tell(db, changed(self.KIND, number))

    async def _ids(self, sql: str, *values: Any) -> list[int]:
        return [number for (number,) in await self._database.fetch(sql, *values)]


class Counted(Protocol):
    """A line of a journal."""

    @property
    def interaction_id(self) -> int | None:
        """The press or command behind it."""


def refuse_counted(db: Database, journal: str, lines: Iterable[Counted]) -> None:
    """Go on only if no interaction behind some lines has had its effect before.

    :param journal: of the database's table of lines.
    :raises AlreadyCounted: one has.
    """
    for line in lines:
        known = f"SELECT 1 FROM {journal} WHERE interaction_id = ?"  # noqa: S608
        if line.interaction_id is not None and db.execute(known, [line.interaction_id]).fetchone():
            raise AlreadyCounted(line.interaction_id)


def new_code(length: int = CODE_LENGTH) -> str:
    """A random code.

    :param length: in letters, of which each has 23 values.
    """
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(length))


def unused_code(db: Database, name: str, length: int = CODE_LENGTH) -> str:
    """A code that no row of a database's table has had. It is longer where short ones run out: each
    length is tried ``TRIES`` times, so a full table costs that many look-ups and one more.

    :param name: of the database's table.
    :param length: the least number of letters.
    """
    for tried in count():
        code = new_code(length + tried // TRIES)
        if not db.execute(f"SELECT 1 FROM {name} WHERE code = ?", [code]).fetchone():  # noqa: S608
            return code
    raise AssertionError("count() has no end")
