"""A channel with a person in it, and a client that only has the gateway."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from discord.http import Route
from simcord.env import Env

from cogs.gateway.gateway import Gateway
from tests import limits
from tests.cogs.gateway.stage import Bot
from tests.wire.standin import StandIn


@pytest.fixture
def simcord_bot() -> Bot:
    return Bot()


@pytest.fixture
def bot(simcord_bot: Bot) -> Bot:
    return simcord_bot


@pytest.fixture
def env(simcord_env: Env) -> Env:
    return simcord_env


@pytest.fixture
def gateway(simcord_bot: Bot, simcord_env: Env) -> Iterator[Gateway]:
    """The gateway, with everything that it sends checked against Discord's limits."""
    yield Gateway(simcord_bot)
    assert limits.check_requests(simcord_env) == []


@pytest.fixture
def channel(simcord_env: Env) -> Any:
    return simcord_env.create_guild().create_text_channel("round-table")


@pytest.fixture
def ann(simcord_env: Env, channel: Any) -> Any:
    return simcord_env.guild.add_member(simcord_env.create_user("ann"))


@pytest.fixture
async def standin(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[StandIn]:
    """A small Discord over sockets, for features that the simulated one lacks."""
    async with StandIn() as standin:
        monkeypatch.setattr(Route, "BASE", f"{standin.url}/api/v10")
        yield standin
        assert standin.rest.unknown_requests == []
