"""Fixtures for the tests of cogs."""

from __future__ import annotations

import logging
import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from cogs.gateway import replies
from data.store.journaled import CODE_LETTERS
from play import analysis
from tests import limits
from tests.stage import PATIENCE, Stage, stage_on


@pytest.fixture(autouse=True)
def codes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make table codes from letters only, because a test that looks for a square could otherwise
    find one in a code.
    """
    letters = "".join(filter(str.isalpha, CODE_LETTERS))
    monkeypatch.setattr("data.store.journaled.CODE_LETTERS", letters)


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Acknowledge a press only with its answer, even if that takes long on a busy machine.
    Otherwise, the simulated clock would advance while the bot waits, and all later lots would
    differ.
    """
    monkeypatch.setattr(replies, "PATIENCE", PATIENCE)


@pytest.fixture
async def stage(
    tmp_path: Path, request: pytest.FixtureRequest, rng: random.Random
) -> AsyncIterator[Stage]:
    """A stage in English, or in the language of the ``speaks`` mark; requests must be within
    Discord's limits.
    """
    marker = request.node.get_closest_marker("speaks")
    language = marker.args[0] if marker else "en"
    async with stage_on(tmp_path / "house.sqlite3", language, rng) as stage:
        yield stage
        assert limits.check_requests(stage.env) == []


@pytest.fixture
def patient(stage: Stage) -> None:
    """Give the bot more time, because drawing pictures of all games, or of riddles, is slow on a
    busy machine.
    """
    stage.env.settle_timeout = PATIENCE


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make analyses quick."""
    monkeypatch.setattr(analysis, "SHORTEST", 0.01)
    monkeypatch.setattr(analysis, "SECONDS", 0.05)
    monkeypatch.setattr(analysis, "AGAIN", 0.03)


@pytest.fixture
def no_errors(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail if anything was logged as an error, because discord.py only logs the exceptions of
    buttons.
    """
    yield
    errors = [r.getMessage() for r in caplog.get_records("call") if r.levelno >= logging.ERROR]
    assert errors == []
