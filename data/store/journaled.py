"""What tables and occasions have in common in the store: a journal, a revision and a due time."""

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
"""The letters and digits of codes. Vowels are left out, so that codes spell no words, and so are
characters that look alike (0 and O, 1 and I, 5 and S, 8 and B).
"""

CODE_LENGTH = 4

TRIES = 3
"""How many codes of one length are tried before a longer code is used. When half of the short codes
are in use, one new code in eight is longer.
"""

SECRET_LENGTH = 9
"""The length of a code that works as a password. Each attempt takes an interaction on Discord, so
nobody can guess one of 23 ** 9.
"""


class JournaledRepository(Repository):
    """All tables, or all occasions.

    :cvar NAME: the name of the database table.
    :cvar KIND: the word for one of its rows in news to other processes: ``table`` or ``occasion``.
    """

    NAME: ClassVar[str]
    KIND: ClassVar[str]

    def serves(self, guild_id: int | None) -> bool:
        """Return whether this process serves a server (see ``shards``); None: direct messages."""
        return self._database.served.has(guild_id)

    async def revision_of(self, number: int) -> int | None:
        """Return the stored revision of a table or occasion; None if there is none with this id."""
        return next(
            iter(await self._ids(f"SELECT revision FROM {self.NAME} WHERE id = ?", number)),  # noqa: S608
            None,
        )

    async def tell(self, number: int, guild_id: int | None) -> None:
        """Ask whichever process serves this table or occasion to check it and its messages."""
        await self._database.tell(changed(self.KIND, number, guild_id, messages=True))

    async def tell_held(self, number: int, until: datetime) -> None:
        """Tell all processes that Discord's rate limit delays messages in the channel of a table or
        occasion.

        :param until: when Discord accepts requests for this channel again.
        """
        await self._database.tell(f"held {self.KIND} {number} {to_seconds(until)}")

    async def due(self, now: datetime) -> list[int]:
        """Return the tables or occasions that are due and served by this process, longest due
        first.
        """
        return await self._ids(
            f"""SELECT id FROM {self.NAME} WHERE due_at <= ? AND {self._served}
            ORDER BY due_at, id""",  # noqa: S608
            to_seconds(now),
        )

    async def next_due(self) -> datetime | None:
        """Return when the next table or occasion served by this process is due; None: never."""
        sql = f"""SELECT min(due_at) FROM {self.NAME}
            WHERE due_at IS NOT NULL AND {self._served}"""  # noqa: S608
        ((due_at,),) = await self._database.fetch(sql)
        return None if due_at is None else from_seconds(due_at)

    @property
    def _served(self) -> str:
        return self._database.served.condition()

    def _tell(self, db: Database, number: int, guild_id: int | None) -> None:
        """Tell the process that serves a server about a change, unless that is this process."""
        if not self.serves(guild_id):
            self._database.backend.tell(db, changed(self.KIND, number, guild_id))

    async def _ids(self, sql: str, *values: Any) -> list[int]:
        return [number for (number,) in await self._database.fetch(sql, *values)]


class Counted(Protocol):
    """A line of a journal."""

    @property
    def interaction_id(self) -> int | None:
        """The Discord interaction that caused the line, if any."""


def refuse_counted(db: Database, journal: str, lines: Iterable[Counted]) -> None:
    """Refuse lines if the interaction that caused one of them has already had its effect.

    :param journal: the database table of the lines.
    :raises AlreadyCounted: an interaction is already in the journal.
    """
    known = f"SELECT 1 FROM {journal} WHERE interaction_id = ?"  # noqa: S608
    for number in {line.interaction_id for line in lines} - {None}:
        if db.execute(known, [number]).fetchone():
            raise AlreadyCounted(number or 0)


def new_code(length: int = CODE_LENGTH) -> str:
    """Return a random code.

    :param length: the number of characters, drawn from ``CODE_LETTERS``.
    """
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(length))


def unused_code(db: Database, name: str, length: int = CODE_LENGTH) -> str:
    """Return a code that no row of a database table has. It gets longer when short codes become
    scarce: each length is tried ``TRIES`` times.

    :param name: the name of the database table.
    :param length: the number of characters to start with.
    """
    for tried in count():
        code = new_code(length + tried // TRIES)
        if not db.execute(f"SELECT 1 FROM {name} WHERE code = ?", [code]).fetchone():  # noqa: S608
            return code
    raise AssertionError("count() has no end")
