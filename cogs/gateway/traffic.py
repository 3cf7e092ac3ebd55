"""Counts the bot's traffic to Discord: requests, rate limits, acknowledgements. If Discord asks for
a long wait, or has refused too many requests, a request that somebody is waiting for fails here.

Every request of discord.py is covered, including answers to interactions, because the counters are
hooked into discord.py's own HTTP session.
"""

from __future__ import annotations

import re
import time
from collections import deque
from http import HTTPStatus
from types import SimpleNamespace
from typing import Final

import aiohttp
import discord
import structlog
from prometheus_client import Counter, Histogram

log = structlog.get_logger()

REQUESTS = Histogram(
    "tafelrunde_discord_request_seconds",
    "How long Discord took to answer a request; status 'none': no answer.",
    ["method", "route", "status"],
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
RATE_LIMITED = Counter(
    "tafelrunde_discord_rate_limited_total",
    "Requests that Discord, or a limiter in front of it, refused as too many.",
    ["scope"],
)
ACKNOWLEDGED = Histogram(
    "tafelrunde_acknowledgement_seconds",
    "From an interaction, by Discord's clock, to its first answer; Discord allows 3 s.",
    buckets=(0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 10),
)

DISCORD_EPOCH: Final = 1_420_070_400.0
"""The start of 2015 as a Unix time in seconds; Discord's ids count milliseconds from then on."""

LONGEST_WAIT: Final = 10.0
"""The longest rate limit, in seconds, that a request waits out if somebody is waiting for its
result. If Discord asks for more, the request fails with ``discord.RateLimited``, so that its caller
can continue with other work.

discord.py's own ``max_ratelimit_timeout`` does not help: its minimum is 30 s, it also refuses
requests that a long-term limit still allows, and it does not cover answers to interactions.
"""

WINDOW: Final = 600.0
"""Seconds over which Discord counts invalid requests. It blocks any address that makes more than
10,000 of them (see "Invalid Request Limit" in its documentation of rate limits).
"""

MOST_INVALID: Final = 1000
"""After this many invalid requests within ``WINDOW``, this process makes no more requests of its
own accord about channels and messages. The limit is low because several processes may share an
address.
"""

MOST_INVALID_WITH_ANSWERS: Final = 2000
"""The same limit for answers to people. It is higher, so that nobody can silence the bot everywhere
by taking a permission away from it and making it try again and again.
"""

_INVALID: Final = frozenset(
    {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS}
)

_AWAITED: Final = re.compile(r"^/(channels|interactions|webhooks|users/@me/channels)\b")
"""Routes where somebody is waiting for the result. Requests about commands and emojis can take
their time.
"""

_API: Final = re.compile(r"^/api/v\d+")
_ID: Final = re.compile(r"^\d{5,}$")
_CALLBACK: Final = re.compile(r"/interactions/(\d+)/[^/]+/callback$")
_WITH_TOKEN: Final = frozenset({"interactions", "webhooks"})


def route_of(path: str) -> str:
    """Return the route of a request: its path without ids and tokens.

    :param path: a path such as ``/api/v10/webhooks/.../messages/@original``; any path outside the
        API, such as a file's or the gateway's, becomes ``other``.
    """
    own = _API.sub("", path, count=1)
    if own == path:
        return "other"
    parts = ["{id}" if _ID.match(part) else part for part in own.split("/")]
    if len(parts) > 3 and parts[1] in _WITH_TOKEN:
        parts[3] = "{token}"
    return "/".join(parts)


def age_of(snowflake: int) -> float:
    """Return the seconds since Discord created an id, assuming that the bot's clock agrees with
    Discord's.
    """
    return max(0.0, time.time() - (snowflake >> 22) / 1000 - DISCORD_EPOCH)


class InvalidRequests:
    """Counts the invalid requests of the last ``WINDOW``; if there are too many, holds back all
    requests that somebody is waiting for.
    """

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=MOST_INVALID_WITH_ANSWERS)

    async def begin(
        self,
        _: aiohttp.ClientSession,
        context: SimpleNamespace,
        params: aiohttp.TraceRequestStartParams,
    ) -> None:
        """Hold back a request that is about to be made, if there have been too many invalid ones.

        :raises discord.RateLimited: the request must wait.
        """
        context.begun = time.monotonic()
        route = route_of(params.url.path)
        if not _AWAITED.match(route):
            return
        answers = route.split("/")[1] in _WITH_TOKEN
        most = MOST_INVALID_WITH_ANSWERS if answers else MOST_INVALID
        if len(self._times) >= most:
            wait = self._times[-most] + WINDOW - context.begun
            if wait > 0:
                raise discord.RateLimited(wait)

    async def end(
        self,
        _: aiohttp.ClientSession,
        __: SimpleNamespace,
        params: aiohttp.TraceRequestEndParams,
    ) -> None:
        """Count a request that Discord has rejected as invalid."""
        # Discord does not count requests that exceed a shared limit.
        shared = params.response.headers.get("X-RateLimit-Scope") == "shared"
        if params.response.status in _INVALID and not shared:
            self._times.append(time.monotonic())
            if len(self._times) == MOST_INVALID:
                log.error("too_many_invalid_requests", most=MOST_INVALID, seconds=WINDOW)


def request_trace() -> aiohttp.TraceConfig:
    """Return hooks that count an HTTP session's requests."""
    config, invalid = aiohttp.TraceConfig(), InvalidRequests()
    config.on_request_start.append(invalid.begin)
    config.on_request_end.append(invalid.end)
    config.on_request_end.append(_end)
    config.on_request_exception.append(_fail)
    return config


async def _end(
    _: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestEndParams
) -> None:
    path, status = params.url.path, params.response.status
    _observe(context, params.method, path, str(status))
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        # Discord says what the limit applies to; a limiter in front of Discord may not.
        RATE_LIMITED.labels(params.response.headers.get("X-RateLimit-Scope", "unknown")).inc()
        _refuse_long_wait(params)
    answered = _CALLBACK.search(path)
    if answered is not None and status < HTTPStatus.BAD_REQUEST:
        ACKNOWLEDGED.observe(age_of(int(answered[1])))


async def _fail(
    _: aiohttp.ClientSession, context: SimpleNamespace, params: aiohttp.TraceRequestExceptionParams
) -> None:
    if not isinstance(params.exception, discord.RateLimited):  # such a request is counted already
        _observe(context, params.method, params.url.path, "none")


def _refuse_long_wait(params: aiohttp.TraceRequestEndParams) -> None:
    """Abort a request that would have to wait too long.

    :raises discord.RateLimited: Discord asks for more than ``LONGEST_WAIT`` seconds.
    """
    try:
        wait = float(params.response.headers.get("Retry-After", 0))
    except ValueError:
        return
    if wait > LONGEST_WAIT and _AWAITED.match(route_of(params.url.path)):
        params.response.close()
        raise discord.RateLimited(wait)


def _observe(context: SimpleNamespace, method: str, path: str, status: str) -> None:
    REQUESTS.labels(method, route_of(path), status).observe(time.monotonic() - context.begun)
