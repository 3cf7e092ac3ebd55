"""Fixtures of the play room: a store on disk and a clock that stands still."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from data.store import Store
from play.tables import Tables

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An empty store."""
    store = await Store.open(tmp_path / "house.sqlite3")
    yield store
    await store.close()


@pytest.fixture
def tables(store: Store) -> Tables:
    """The use cases on that store."""
    return Tables(store, lambda: NOON)
