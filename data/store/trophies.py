"""What people have won: in seasons, tournaments, and whatever else gives trophies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from data.store.access import Database, Repository
from data.store.columns import Kind


@dataclass(frozen=True, slots=True)
class TrophyRow:
    """Something that a person has won.

    :param kind: what it was won in: ``season``, ``tournament`` ...
    :param source: which of them; with ``kind`` and ``game`` it is won once.
    :param game: empty: it is about no game in particular.
    :param guild_id: None: on no server.
    :param place: from 1.
    :param title: what it is called, in the words of its kind: plain data, or a name that people
        have given.
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
"""Whose trophies others may see."""


class TrophyRepository(Repository):
    """The trophies of all people."""

    async def award(self, trophies: Iterable[TrophyRow]) -> None:
        """Give trophies; those that were given before stay as they are."""
        given = list(trophies)
        await self._database.write(lambda db: award(db, given))

    async def of_person(self, person_id: int) -> list[TrophyRow]:
        """What a person has won, the latest first."""
        return await self._database.read(
            lambda db: TROPHIES.find(
                db, "person_id = ? ORDER BY at DESC, kind, source, game", person_id
            )
        )


# ------------------------------------------------------------- parts of the transactions
def award(db: Database, trophies: Iterable[TrophyRow]) -> None:
    """Give trophies in the transaction of what they are given for."""
    columns, marks = ", ".join(TROPHIES.columns), ", ".join("?" * len(TROPHIES.columns))
    db.executemany(
        f"INSERT INTO trophies ({columns}) VALUES ({marks}) ON CONFLICT DO NOTHING",  # noqa: S608
        [TROPHIES.record(trophy) for trophy in trophies],
    )
