"""Stores for tests that do not look at the store itself."""

from __future__ import annotations

from pathlib import Path

from data.store.store import Store


async def opened(file: Path) -> Store:
    """A store whose writes need not survive a power cut, so that no test waits for the disk.

    It does not claim the file: tests kill and restart a bot within one process.
    """
    store = await Store.open(file, alone=False)
    await store.tables._database._writer.run(lambda db: db.execute("PRAGMA synchronous = OFF"))
    return store
