"""The step to version 11: ratings are made once of all matches that have been finished."""

from __future__ import annotations

from data.store.access import Database
from data.store.ratings import from_scratch
from data.store.standings import matches_of

COLUMNS = (
    *("person_id", "guild_id", "game", "name", "matches", "won", "uncounted", "rating"),
    *("mu", "sigma"),
)


def transform(db: Database) -> None:
    """Note the order of the matches as well as it is known, and rate them in that order."""
    db.execute(
        """INSERT INTO finished (table_id)
        SELECT id FROM tables WHERE status = 'finished' ORDER BY moved_at, id"""
    )
    records = db.execute(
        """SELECT tables.id, guild_id, game, result, person_id, name, 0 AS season
        FROM finished JOIN tables ON tables.id = finished.table_id
            JOIN members ON members.table_id = tables.id
        ORDER BY finished.number, seat"""
    )
    ratings = from_scratch(matches_of(records)).values()
    names, marks = ", ".join(COLUMNS), ", ".join("?" * len(COLUMNS))
    db.executemany(
        f"INSERT INTO ratings ({names}) VALUES ({marks})",  # noqa: S608
        [[getattr(row, column) for column in COLUMNS] for row in ratings],
    )
