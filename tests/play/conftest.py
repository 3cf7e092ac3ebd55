"""Fixtures for tests of ``play``: a store on disk and a clock that moves only on request."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.store.store import Store
from play.occasions.occasions import Occasions
from play.tables import Tables
from tests.play.clock import Clock
from tests.play.kinds import KINDS
from tests.stores import opened


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await opened(tmp_path / "house.sqlite3")
    yield store
    await store.close()


@pytest.fixture
async def elsewhere(tmp_path: Path, store: Store, clock: Clock) -> AsyncIterator[Occasions]:
    """The occasions of another process on the same store."""
    other = await opened(tmp_path / "house.sqlite3")
    yield Occasions(other, clock, KINDS)
    await other.close()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tables(store: Store, clock: Clock, rng: random.Random) -> Tables:
    return Tables(store, clock, lambda: f"{rng.getrandbits(256):064x}")
