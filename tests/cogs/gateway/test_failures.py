"""What can go wrong, as values."""

from __future__ import annotations

from typing import Any

import aiohttp
import discord
import pytest
from simcord.env import Env
from structlog.testing import capture_logs

from cogs.gateway.failures import Failure, Trouble
from cogs.gateway.gateway import Gateway
from tests.cogs.gateway.stage import Bot, me

EXPECTED = [
    (404, 10003, Trouble.GONE),
    (404, 10004, Trouble.GONE),
    (404, 10008, Trouble.GONE),
    (404, 10013, Trouble.GONE),
    (404, 0, Trouble.GONE),
    (404, 10015, Trouble.TOO_LATE),
    (404, 10062, Trouble.TOO_LATE),
    (429, 20028, Trouble.TOO_FAST),
    (429, 30046, Trouble.TOO_FAST),
    (400, 40003, Trouble.TOO_FAST),
    (400, 40060, Trouble.ANSWERED),
    (400, 40094, Trouble.TOO_LATE),
    (403, 50001, Trouble.MISSING_PERMISSION),
    (403, 50007, Trouble.CLOSED_DM),
    (403, 50013, Trouble.MISSING_PERMISSION),
    (401, 50027, Trouble.TOO_LATE),
    (400, 50033, Trouble.CLOSED_DM),
    (400, 50083, Trouble.ARCHIVED),
    (403, 50278, Trouble.CLOSED_DM),
    (400, 160005, Trouble.MISSING_PERMISSION),
    (400, 160006, Trouble.TOO_MANY_THREADS),
    (429, 0, Trouble.TOO_FAST),
    (500, 0, Trouble.UNREACHABLE),
    (503, 0, Trouble.UNREACHABLE),
]


@pytest.mark.parametrize(("status", "code", "trouble"), EXPECTED)
async def test_expected_failure_is_a_value_and_one_log_line(
    simcord_env: Env, gateway: Gateway, channel: Any, status: int, code: int, trouble: Trouble
) -> None:
    """Each failure of ordinary life comes back as a value, is logged once, and does no harm."""
    simcord_env.inject_error("POST", "/channels/*/messages", status=status, code=code, times=None)
    with capture_logs() as lines:
        result = await gateway.post(channel.id, "hello")
    assert result == Failure(trouble, code)
    assert [(line["event"], line["call"], line["code"], line["trouble"]) for line in lines][:1] == [
        ("discord_refused", "post", code, trouble.value)
    ]
    assert all(line["channel"] == channel.id for line in lines)
    assert len(lines) == (2 if trouble is Trouble.ARCHIVED else 1)


@pytest.mark.parametrize(
    ("code", "lost"), [(10003, True), (10004, True), (10008, False), (50001, False)]
)
async def test_a_lost_channel_is_made_known_by_whatever_fails_in_it(
    simcord_env: Env, simcord_bot: Bot, gateway: Gateway, channel: Any, code: int, lost: bool
) -> None:
    """Posting, changing, stripping, looking for it; a lost message is no lost channel."""
    heard: list[int] = []

    @simcord_bot.event
    async def on_channel_lost(channel_id: int) -> None:
        heard.append(channel_id)

    for method in ("GET", "POST", "PATCH"):
        for place in ("", "/messages", "/messages/*"):
            path = f"/channels/{channel.id}{place}"
            simcord_env.inject_error(method, path, status=404, code=code, times=None)
    await gateway.post(channel.id, "hello")
    await gateway.edit(channel.id, 12345, "hello")
    await gateway.strip(channel.id, 12345)
    await gateway.exists(channel.id, 12345)
    await gateway.look_for(channel.id)
    await simcord_env.settle()
    assert heard == [channel.id] * 5 * lost


def test_every_trouble_is_tested() -> None:
    """The table above leaves no kind of failure out that Discord can cause."""
    ours = {Trouble.FAULT, Trouble.STORE, Trouble.WAITS}
    assert {trouble for _, _, trouble in EXPECTED} == set(Trouble) - ours


def test_passing_troubles() -> None:
    """Only what can go away by itself is worth another try."""
    assert {trouble for trouble in Trouble if trouble.passing} == {
        Trouble.TOO_FAST,
        Trouble.UNREACHABLE,
        Trouble.TOO_MANY_THREADS,
        Trouble.STORE,
    }


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (aiohttp.ClientConnectionError("no route"), Trouble.UNREACHABLE),
        (TimeoutError(), Trouble.UNREACHABLE),
        (discord.RateLimited(60.0), Trouble.TOO_FAST),
    ],
)
async def test_broken_connection_is_a_value(
    simcord_bot: Bot,
    gateway: Gateway,
    channel: Any,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    trouble: Trouble,
) -> None:
    """A connection that breaks below Discord's own errors is a failure like the others."""

    async def broken(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr(simcord_bot.http, "request", broken)
    assert await gateway.post(channel.id, "hello") == Failure(trouble, 0)


async def test_mistake_of_ours_raises(simcord_env: Env, gateway: Gateway, channel: Any) -> None:
    """What Discord refuses because the message itself is wrong is an error."""
    simcord_env.inject_error("POST", "/channels/*/messages", status=400, code=50035)
    with pytest.raises(discord.HTTPException, match="50035"):
        await gateway.post(channel.id, "hello")


@pytest.mark.parametrize("error", [KeyError("retry_after"), TypeError("not a number")])
async def test_fault_of_ours_raises(
    simcord_bot: Bot,
    gateway: Gateway,
    channel: Any,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
) -> None:
    """Errors that look like a malformed 429, but come from elsewhere, are not taken for one."""

    async def broken(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr(simcord_bot.http, "request", broken)
    with pytest.raises(type(error)):
        await gateway.post(channel.id, "hello")


async def test_missing_right_to_write(simcord_env: Env, simcord_bot: Bot, gateway: Gateway) -> None:
    """A channel in which the bot may not write gives a failure."""
    closed = simcord_env.create_guild().create_text_channel(
        "closed", overwrites={me(simcord_bot): discord.PermissionOverwrite(send_messages=False)}
    )
    assert await gateway.post(closed.id, "hello") == Failure(Trouble.MISSING_PERMISSION, 50013)
