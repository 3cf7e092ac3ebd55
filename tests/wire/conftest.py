"""Fixtures of the wire tests."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.wire.standin import StandIn


@pytest.fixture
async def discord() -> AsyncIterator[StandIn]:
    """A stand-in Discord; a request it does not know fails the test."""
    async with StandIn() as standin:
        yield standin
    assert standin.rest.unknown_requests == []
