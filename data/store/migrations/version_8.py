"""The step to version 8: who was sent away from a table is known by a mark."""

from __future__ import annotations

from data.store.access import Database
from data.store.marks import mark_of


def transform(db: Database) -> None:
    """Carry over the people who were sent away from tables that are not over."""
    sent_away = db.execute(
        """SELECT id, code, person_id FROM barred_7 JOIN tables ON id = table_id
        WHERE status NOT IN ('finished', 'ended')"""
    ).fetchall()
    marks = {(table_id, mark_of(code, person)) for table_id, code, person in sent_away}
    db.executemany("INSERT INTO barred (table_id, mark) VALUES (?, ?)", sorted(marks))
    db.execute("DROP TABLE barred_7")
