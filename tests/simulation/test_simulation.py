"""Histories by the hundred: one in every run, more with ``--long``, and as many as wanted by
``python -m tests.simulation``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cogs.delivery import message
from tests.postgres import shared_server
from tests.simulation.history import (
    failure_of,
    in_chat,
    raced,
    smallest,
    steps_of,
    stub_drawn,
    told,
)
from tests.stores import opened

HISTORIES = 320
"""In all, in chunks that are tests of their own."""

CHUNK = 4

ALWAYS = 96
"""So many of them in every run."""


@pytest.mark.slow("simulated histories")
@pytest.mark.parametrize(
    "first",
    [
        pytest.param(first, marks=[pytest.mark.long] if first >= ALWAYS else [])
        for first in range(0, HISTORIES, CHUNK)
    ],
)
async def test_after_any_history_what_stands_is_what_should(
    first: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Surfaces stand once, calls ping once, acknowledged commands count once, the journal grows."""
    monkeypatch.setattr(message, "drawn", stub_drawn)
    store = await opened(tmp_path / "house.sqlite3")
    try:
        for seed in range(first, first + CHUNK):
            steps = steps_of(seed)
            if await failure_of(store, seed, steps):
                fewer, why = await smallest(tmp_path / "smaller.sqlite3", seed, steps)
                pytest.fail(told(seed, fewer, why))
    finally:
        await store.close()


@pytest.mark.slow("simulated histories")
@pytest.mark.seeds(5)
async def test_in_a_chat_all_is_told_once_somebody_acts(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the bot can only answer: tokens end, follow-ups are few, and nothing can be read."""
    monkeypatch.setattr(message, "drawn", stub_drawn)
    store = await opened(tmp_path / "house.sqlite3")
    try:
        steps = in_chat(seed)
        if why := await failure_of(store, seed, steps, chat="@me"):
            pytest.fail(told(seed, steps, why))
    finally:
        await store.close()


@pytest.mark.slow("simulated histories")
@pytest.mark.seeds(4)
async def test_it_is_the_same_while_two_processes_race(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One takes over from the other before any call to Discord."""
    monkeypatch.setattr(message, "drawn", stub_drawn)
    store = await opened(tmp_path / "house.sqlite3")
    try:
        steps = raced(seed)
        if why := await failure_of(store, seed, steps):
            pytest.fail(told(seed, steps, why))
    finally:
        await store.close()


@pytest.mark.slow("server")
@pytest.mark.seeds(3)
async def test_it_is_the_same_at_a_server(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The short form of ``python -m tests.simulation --server``."""
    monkeypatch.setattr(message, "drawn", stub_drawn)
    with shared_server().house() as house:
        store = await opened(house)
        try:
            steps = steps_of(seed)
            if why := await failure_of(store, seed, steps):
                pytest.fail(told(seed, steps, why))
        finally:
            await store.close()
