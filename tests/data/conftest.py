"""Fixtures of the data room."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.store.store import Store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the test's database is, or will be."""
    return tmp_path / "house.sqlite3"


@pytest.fixture
async def store(file: Path) -> AsyncIterator[Store]:
    """An empty store."""
    store = await Store.open(file)
    yield store
    await store.close()
