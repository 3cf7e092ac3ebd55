"""Trophies that people have won, for example in seasons or tournaments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from data.store.access import Database, Repository
from data.store.columns import Kind


@dataclass(frozen=True, slots=True)
class TrophyRow:
    """A trophy that a person has won.

    :param kind: ``season``, ``tournament`` ...
    :param source: where it was won, such as a season or tournament; a person has at most one trophy
        for each combination of ``kind``, ``source`` and ``game``.
    :param game: empty: it is not tied to one game.
    :param guild_id: None: not won on a server.
    :param place: from 1.
    :param title: what it was won for, in the format of its kind: plain data, or a name that people
        have chosen.
    """

    person_id: int
    kind: str
    source: str
    game: str
    guild_id: int | None
    place: int
    title: str
    at: datetime


TROPHIES = Kind("trophies", TrophyRow, 4)

SHOWN = "person_id NOT IN (SELECT person_id FROM unlisted)"
"""The SQL condition for showing a person's trophies to others."""


class TrophyRepository(Repository):
    """The trophies of all people."""

    async def award(self, trophies: Iterable[TrophyRow]) -> None:
        """Award trophies; those that have been awarded already stay as they are."""
        given = list(trophies)
        await self._database.write(lambda db: award(db, given))

    async def of_person(self, person_id: int) -> list[TrophyRow]:
        """Return a person's trophies, latest first."""
        return await self._database.read(
            lambda db: TROPHIES.find(
                db, "person_id = ? ORDER BY at DESC, kind, source, game", person_id
            )
        )


# ------------------------------------------------------------- parts of the transactions
def award(db: Database, trophies: Iterable[TrophyRow]) -> None:
    """Award trophies inside a transaction; those that have been awarded already stay as
    they are.
    """
    columns, marks = ", ".join(TROPHIES.columns), ", ".join("?" * len(TROPHIES.columns))
    db.executemany(
        f"INSERT INTO trophies ({columns}) VALUES ({marks}) ON CONFLICT DO NOTHING",  # noqa: S608
        [TROPHIES.record(trophy) for trophy in trophies],
    )
