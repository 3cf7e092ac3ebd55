"""Migrations of two later versions, for tests only."""

from __future__ import annotations

import pytest

from data import restore
from data.store import postgres, sqlite
from data.store.access import Database
from data.store.migrate import Migration, read_migrations

NEWEST = len(read_migrations())
"""The current version of the schema."""

NEXT = Migration(
    NEWEST + 1,
    f"""
-- oldest: {NEWEST}
ALTER TABLE tables ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm';
ALTER TABLE journal ADD COLUMN mood TEXT;
CREATE TABLE moods (table_id INTEGER NOT NULL REFERENCES tables (id), mood TEXT NOT NULL);
""",
)
"""A version that only adds to the schema, so programs of the current version can keep running."""


def _carry_over(db: Database) -> None:
    journals = db.execute("SELECT id, revision FROM tables").fetchall()
    moods = [(number, "long" if revision > 4 else "short") for number, revision in journals]
    db.executemany("INSERT INTO moods (table_id, mood) VALUES (?, ?)", moods)


AFTER_NEXT = Migration(
    NEWEST + 2,
    f"""
-- oldest: {NEWEST + 1}
ALTER TABLE tables DROP COLUMN mood;
CREATE TABLE followers_by_number (
    number INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    person_id BIGINT NOT NULL,
    UNIQUE (table_id, person_id)
);
INSERT INTO followers_by_number (table_id, person_id)
    SELECT table_id, person_id FROM followers ORDER BY table_id, person_id;
DROP TABLE followers;
ALTER TABLE followers_by_number RENAME TO followers;
CREATE INDEX followers_by_person ON followers (person_id);
""",  # noqa: S608
    _carry_over,
)
"""A version that drops a column, rebuilds a table, and moves data, so programs of the current
version cannot keep running.
"""


def know(monkeypatch: pytest.MonkeyPatch, *migrations: Migration) -> None:
    """Register more migrations in this process, as a later version would."""
    for module in (sqlite, postgres, restore):
        monkeypatch.setattr(module, "read_migrations", lambda: [*read_migrations(), *migrations])
