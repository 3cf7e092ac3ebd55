"""Finished matches as the store remembers them, for ratings and statistics.

Ratings themselves are never stored: they follow from the matches, in order, so that nothing is
ever counted twice and nothing is left of a person who is forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from data.store.access import Access, Database, Record
from data.store.columns import moment


@dataclass(frozen=True, slots=True)
class FinishedRow:
    """A finished match.

    :param people: by seat; None: a computer player from the beginning.
    :param names: by seat, at the time.
    :param ranks: by seat, 1 is best; empty: there are none.
    :param by_people: each seat was played by one person from the beginning to the end.
    """

    table_id: int
    game: str
    at: datetime
    people: tuple[int | None, ...]
    names: tuple[str, ...]
    ranks: tuple[int, ...]
    by_people: bool


class Standings:
    """The finished matches of all servers. Every method may raise ``StoreProblem``."""

    def __init__(self, database: Access) -> None:
        self._database = database

    async def finished(self, guild_id: int) -> list[FinishedRow]:
        """The matches that were finished on a server, in that order."""

        def query(db: Database) -> list[FinishedRow]:
            records = db.execute(
                """SELECT tables.id, tables.game, tables.moved_at, tables.result,
                    members.person_id, members.name
                FROM tables JOIN members ON members.table_id = tables.id
                WHERE tables.guild_id = ? AND tables.status = 'finished'
                ORDER BY tables.moved_at, tables.id, members.seat""",
                [guild_id],
            )
            return list(_finished(records))

        return await self._database.read(query)

    async def unlisted(self) -> set[int]:
        """Those who do not want their ratings and statistics to be shown."""
        records = await self._database.fetch("SELECT person_id FROM unlisted")
        return {record["person_id"] for record in records}

    async def set_unlisted(self, person_id: int, unlisted: bool) -> None:
        """Note whether a person wants ratings and statistics to be shown."""

        def change(db: Database) -> None:
            db.execute("DELETE FROM unlisted WHERE person_id = ?", [person_id])
            if unlisted:
                db.execute("INSERT INTO unlisted (person_id) VALUES (?)", [person_id])

        await self._database.write(change)


def _finished(records: Iterable[Record]) -> Iterator[FinishedRow]:
    for table_id, grouped in groupby(records, key=lambda record: record["id"]):
        seats = list(grouped)
        table = seats[0]
        result = json.loads(table["result"])
        yield FinishedRow(
            table_id,
            table["game"],
            moment(table["moved_at"]),
            people=tuple(seat["person_id"] for seat in seats),
            names=tuple(seat["name"] for seat in seats),
            ranks=tuple(result.get("ranks", ())),
            by_people=bool(result.get("by_people")),
        )
