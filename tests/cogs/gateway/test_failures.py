"""Failures as values."""

from __future__ import annotations

from typing import Any

import aiohttp
import discord
import pytest
from simcord.env import Env
from structlog.testing import capture_logs

from cogs.gateway.failures import Failure, Trouble
from cogs.gateway.gateway import Gateway
from tests import refusals
from tests.cogs.gateway.stage import Bot, me
from tests.refusals import Refusal, refuse

EXPECTED = [
    (refusals.UNKNOWN_CHANNEL, Trouble.GONE),
    (refusals.UNKNOWN_GUILD, Trouble.GONE),
    (refusals.UNKNOWN_MESSAGE, Trouble.GONE),
    (refusals.UNKNOWN_USER, Trouble.GONE),
    (refusals.NOT_FOUND, Trouble.GONE),
    (refusals.UNKNOWN_WEBHOOK, Trouble.TOO_LATE),
    (refusals.UNKNOWN_INTERACTION, Trouble.TOO_LATE),
    (refusals.CHANNEL_WRITE_LIMIT, Trouble.TOO_FAST),
    (refusals.TOO_MANY_OLD_EDITS, Trouble.TOO_FAST),
    (refusals.OPENING_DMS_TOO_FAST, Trouble.TOO_FAST),
    (refusals.ALREADY_ACKNOWLEDGED, Trouble.ANSWERED),
    (refusals.TOO_MANY_FOLLOW_UPS, Trouble.TOO_LATE),
    (refusals.MISSING_ACCESS, Trouble.MISSING_PERMISSION),
    (refusals.CLOSED_DMS, Trouble.CLOSED_DM),
    (refusals.MISSING_PERMISSIONS, Trouble.MISSING_PERMISSION),
    (refusals.INVALID_TOKEN, Trouble.TOO_LATE),
    (refusals.INVALID_RECIPIENTS, Trouble.CLOSED_DM),
    (refusals.THREAD_ARCHIVED, Trouble.ARCHIVED),
    (refusals.NO_SERVER_IN_COMMON, Trouble.CLOSED_DM),
    (refusals.THREAD_LOCKED, Trouble.MISSING_PERMISSION),
    (refusals.TOO_MANY_THREADS, Trouble.TOO_MANY_THREADS),
    (refusals.TOO_MANY_REQUESTS, Trouble.TOO_FAST),
    (refusals.UNAUTHORIZED, Trouble.UNAUTHORIZED),
    (refusals.SERVER_ERROR, Trouble.UNREACHABLE),
    (refusals.UNAVAILABLE, Trouble.UNREACHABLE),
]


@pytest.mark.parametrize(("refusal", "trouble"), EXPECTED)
async def test_an_expected_failure_is_a_value_and_is_logged(
    env: Env, gateway: Gateway, channel: Any, refusal: Refusal, trouble: Trouble
) -> None:
    refuse(env, "POST", "/channels/*/messages", refusal)
    with capture_logs() as lines:
        result = await gateway.post(channel.id, "hello")
    assert result == Failure(trouble, refusal.code)
    if trouble is Trouble.UNAUTHORIZED:
        assert [(line["event"], line["call"]) for line in lines] == [("token_refused", "post")]
    else:
        told = [(line["event"], line["call"], line["code"], line["trouble"]) for line in lines]
        assert told[:1] == [("discord_refused", "post", refusal.code, trouble.value)]
    assert all(line["channel"] == channel.id for line in lines)
    assert len(lines) == (2 if trouble is Trouble.ARCHIVED else 1)


@pytest.mark.parametrize(
    ("refusal", "lost"),
    [
        (refusals.UNKNOWN_CHANNEL, True),
        (refusals.UNKNOWN_GUILD, True),
        (refusals.UNKNOWN_MESSAGE, False),
        (refusals.MISSING_ACCESS, False),
    ],
)
async def test_a_lost_channel_is_reported_by_every_call_that_fails_in_it(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, refusal: Refusal, lost: bool
) -> None:
    heard: list[int] = []

    @bot.event
    async def on_channel_lost(channel_id: int) -> None:
        heard.append(channel_id)

    for method in ("GET", "POST", "PATCH"):
        for place in ("", "/messages", "/messages/*"):
            refuse(env, method, f"/channels/{channel.id}{place}", refusal)
    await gateway.post(channel.id, "hello")
    await gateway.edit(channel.id, 12345, "hello")
    await gateway.strip(channel.id, 12345)
    await gateway.exists(channel.id, 12345)
    await env.settle()
    assert heard == [channel.id] * 4 * lost


def test_every_trouble_is_tested() -> None:
    """The table above contains every kind of failure that Discord can cause. Refused icons are
    tested separately: ``test_emojis.py``, ``tests/wire/test_icons.py``.
    """
    elsewhere = {Trouble.FAULT, Trouble.STORE, Trouble.WAITS, Trouble.ICON}
    assert {trouble for _, trouble in EXPECTED} == set(Trouble) - elsewhere


def test_only_temporary_troubles_are_passing() -> None:
    assert {trouble for trouble in Trouble if trouble.passing} == {
        Trouble.TOO_FAST,
        Trouble.UNREACHABLE,
        Trouble.TOO_MANY_THREADS,
        Trouble.ICON,
        Trouble.STORE,
    }


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (aiohttp.ClientConnectionError("no route"), Failure(Trouble.UNREACHABLE)),
        (TimeoutError(), Failure(Trouble.UNREACHABLE)),
        (discord.RateLimited(60.0), Failure(Trouble.TOO_FAST, wait=60.0)),
    ],
)
async def test_broken_connection_is_a_value(
    bot: Bot,
    gateway: Gateway,
    channel: Any,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    failure: Failure,
) -> None:
    async def broken(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr(bot.http, "request", broken)
    assert await gateway.post(channel.id, "hello") == failure


async def test_a_malformed_message_raises(env: Env, gateway: Gateway, channel: Any) -> None:
    refuse(env, "POST", "/channels/*/messages", refusals.INVALID_FORM, times=1)
    with pytest.raises(discord.HTTPException, match="50035"):
        await gateway.post(channel.id, "hello")


@pytest.mark.parametrize("error", [KeyError("retry_after"), TypeError("not a number")])
async def test_an_unrelated_error_raises(
    bot: Bot, gateway: Gateway, channel: Any, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Errors that resemble a malformed 429 but come from elsewhere are raised."""

    async def broken(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr(bot.http, "request", broken)
    with pytest.raises(type(error)):
        await gateway.post(channel.id, "hello")


async def test_posting_where_the_bot_may_not_write_is_a_failure(
    env: Env, bot: Bot, gateway: Gateway
) -> None:
    closed = env.create_guild().create_text_channel(
        "closed", overwrites={me(bot): discord.PermissionOverwrite(send_messages=False)}
    )
    assert await gateway.post(closed.id, "hello") == Failure(Trouble.MISSING_PERMISSION, 50013)
