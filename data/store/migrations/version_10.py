"""Gives the tables that have not started a secret in the place of their seed."""

from __future__ import annotations

import secrets

from data.store.access import Database


def transform(db: Database) -> None:
    """Follows the script of version 10."""
    waiting = db.execute("SELECT id FROM tables WHERE players IS NULL").fetchall()
    for (table_id,) in waiting:
        db.execute(
            "UPDATE tables SET seed = '', secret = ? WHERE id = ?",
            [secrets.token_hex(32), table_id],
        )
