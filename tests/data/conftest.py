"""Fixtures for tests of ``data``."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from data.store.place import Place
from data.store.store import Store
from tests.postgres import shared_server
from tests.stores import furnish


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The path of the test's database, which may not exist yet."""
    return tmp_path / "house.sqlite3"


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, file: Path) -> Iterator[Place]:
    """The place of the test's store: a file and, in a second run, a server."""
    if request.param == "sqlite":
        yield file
    else:
        with shared_server().house() as house:
            yield house


@pytest.fixture
async def store(place: Place) -> AsyncIterator[Store]:
    await furnish(place)
    store = await Store.open(place)
    yield store
    await store.close()
