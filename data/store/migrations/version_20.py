"""The step to version 20: victories in a row are counted in all matches there are."""

from __future__ import annotations

from data.store.access import Database
from data.store.ratings import from_scratch
from data.store.standings import matches_of


def transform(db: Database) -> None:
    """Count them in the order in which the matches were finished."""
    records = db.execute(
        """SELECT tables.id, guild_id, game, result, person_id, name, 0 AS season
        FROM finished JOIN tables ON tables.id = finished.table_id
            JOIN members ON members.table_id = tables.id
        ORDER BY finished.number, seat"""
    )
    db.executemany(
        """UPDATE ratings SET streak = ?, longest = ?
        WHERE person_id = ? AND guild_id = ? AND game = ?""",
        [
            [row.streak, row.longest, row.person_id, row.guild_id, row.game]
            for row in from_scratch(matches_of(records)).values()
        ],
    )
