"""Disturbances on demand: refused, failing, slow and cut requests.

A disturbance is aimed at requests by a regular expression over ``"METHOD /path"``, for instance
``r"POST /channels/\\d+/messages$"``, and wears off after a number of hits.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from aiohttp import web

from tests.refusals import Refusal
from tests.wire.world import World

API = "/api/v10"

MOMENT = 0.05
"""The longest time, in seconds, for which ``straggle`` delays each request."""

LOST = 0.3
"""After ``straggle``, the share of requests that never take effect if their sender has died."""

F = TypeVar("F", bound="Fault")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(eq=False)
class Fault:
    """One kind of disturbance and its count.

    :param times: how many more requests it disturbs.
    :param skip: how many matching requests it lets pass first.
    :param late: whether to strike after the request has taken effect, so that only its answer is
        lost.
    """

    pattern: re.Pattern[str]
    times: int
    late: bool = False
    skip: int = 0
    hits: int = 0

    def strikes(self, request: str) -> bool:
        """Return whether the fault disturbs this request; if so, count it."""
        if self.times <= 0 or not self.pattern.search(request):
            return False
        if self.skip > 0:
            self.skip -= 1
            return False
        self.times -= 1
        self.hits += 1
        return True

    async def strike(self) -> web.StreamResponse | None:
        """Disturb the request. A returned response replaces the real one; if None is returned, the
        real one is sent.
        """
        raise NotImplementedError


@dataclass(eq=False)
class RateLimit(Fault):
    """429 with the headers by which clients distinguish Discord from Cloudflare."""

    retry_after: float | None = 0.0
    """Seconds to wait; None if the answer does not say."""

    async def strike(self) -> web.StreamResponse | None:
        body: dict[str, object] = {"message": "You are being rate limited.", "global": False}
        headers = {"Via": "1.1 google", "X-RateLimit-Scope": "user"}
        if self.retry_after is not None:
            body["retry_after"] = self.retry_after
            headers["Retry-After"] = str(self.retry_after)
        return json_response(body, status=429, headers=headers)


@dataclass(eq=False)
class ServerError(Fault):
    """An answer saying that the request failed or was refused."""

    status: int = 500
    code: int = 0
    message: str = ""

    async def strike(self) -> web.StreamResponse | None:
        body = {"message": self.message or f"{self.status}: error", "code": self.code}
        return json_response(body, status=self.status)


@dataclass(eq=False)
class Slow(Fault):
    """A delay before the request takes effect or, if ``late``, before its answer."""

    seconds: float = 0.0

    async def strike(self) -> web.StreamResponse | None:
        await asyncio.sleep(self.seconds)
        return None


@dataclass(eq=False)
class Trap(Fault):
    """Stops a request: before its effect, or (``late``) between effect and answer.

    ``await trap.sprung()`` returns as soon as a request is caught. When the trap opens, a caught
    request goes on. If its sender has died meanwhile, it is lost, though a ``late`` one has already
    taken effect.
    """

    caught: asyncio.Event = field(default_factory=asyncio.Event)
    opened: asyncio.Event = field(default_factory=asyncio.Event)

    async def strike(self) -> web.StreamResponse | None:
        self.caught.set()
        await self.opened.wait()
        return None

    async def sprung(self, within: float = 20.0) -> None:
        """Wait until a request is caught."""
        await asyncio.wait_for(self.caught.wait(), within)

    def open(self) -> None:
        """Let the caught request go on and disarm the trap."""
        self.times = 0
        self.opened.set()


class Faults:
    """All disturbances of one stand-in, with a middleware that adds rate limit headers to every
    answer: without them discord.py sends one request at a time."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._faults: list[Fault] = []
        self._chance = random.Random()
        self._longest = 0.0
        self.requests: list[str] = []
        self.stray = 0
        """The number of requests whose sender has died and that have yet to take effect."""
        self.late = 0
        """The number of requests that took effect late."""

    def rate_limit(
        self, pattern: str, retry_after: float | None = 0.2, times: int = 1
    ) -> RateLimit:
        """Answer 429 to the next requests that match."""
        return self.add(RateLimit(re.compile(pattern), times, retry_after=retry_after))

    def fail(
        self, pattern: str, status: int = 500, times: int = 1, *, late: bool = False
    ) -> ServerError:
        """Answer the next matching requests with an error; if ``late``, after they took effect."""
        return self.add(ServerError(re.compile(pattern), times, late, status=status))

    def refuse(self, pattern: str, refusal: Refusal, times: int = 1) -> ServerError:
        """Refuse the next requests that match."""
        pattern_ = re.compile(pattern)
        return self.add(ServerError(pattern_, times, False, 0, 0, *refusal))

    def slow(self, pattern: str, seconds: float, times: int = 1) -> Slow:
        """Delay the next requests that match."""
        return self.add(Slow(re.compile(pattern), times, seconds=seconds))

    def trap(self, pattern: str = "", *, late: bool = False, skip: int = 0) -> Trap:
        """Stop the next request that matches, after letting ``skip`` matching ones pass."""
        return self.add(Trap(re.compile(pattern), 1, late, skip))

    def straggle(self, longest: float, chance: random.Random) -> None:
        """From now on, delay every request for a moment. A request whose sender dies meanwhile
        takes effect later, or never.

        :param longest: the maximum number of seconds until it takes effect.
        """
        self._longest, self._chance = longest, chance

    def clear(self) -> None:
        """End all disturbances and let caught requests go."""
        for fault in self._faults:
            if isinstance(fault, Trap):
                fault.open()
        self._faults.clear()

    @web.middleware
    async def middleware(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Apply the disturbances."""
        name = f"{request.method} {request.path.removeprefix(API)}"
        self.requests.append(name)
        faults = [fault for fault in self._faults if fault.strikes(name)]
        self._world.changed()
        if self._longest and not request.path.startswith("/gateway"):
            await request.read()  # it has arrived completely, even if its sender dies
            await asyncio.sleep(self._chance.uniform(0, MOMENT))
        answer = await self._strike(faults, late=False)
        if request.transport is None or request.transport.is_closing():
            if not self._longest or self._chance.random() < LOST:
                return web.Response(status=499)
            await self._stray()
        if answer is None:
            answer = await handler(request)
            answer = await self._strike(faults, late=True) or answer
        if not answer.prepared:
            answer.headers.update(_rate_limit_headers(name))
        return answer

    async def _stray(self) -> None:
        """Delay a request for much longer than ``MOMENT``."""
        self.stray += 1
        try:
            await asyncio.sleep(self._chance.uniform(0, self._longest))
        finally:
            self.stray -= 1
        self.late += 1

    async def _strike(self, faults: list[Fault], *, late: bool) -> web.StreamResponse | None:
        answer: web.StreamResponse | None = None
        for fault in faults:
            if fault.late is late:
                answer = await fault.strike() or answer
        return answer

    def add(self, fault: F) -> F:
        self._faults.append(fault)
        return fault


def json_response(
    body: object, status: int = 200, headers: dict[str, str] | None = None
) -> web.Response:
    """JSON as Discord sends it: the content type without a charset."""
    data = json.dumps(body, separators=(",", ":")).encode()
    return web.Response(body=data, status=status, headers=headers, content_type="application/json")


def _rate_limit_headers(name: str) -> dict[str, str]:
    bucket = re.sub(r"\d{6,}", "", name)
    return {
        "X-RateLimit-Limit": "1000",
        "X-RateLimit-Remaining": "999",
        "X-RateLimit-Reset": f"{time.time() + 1:.3f}",
        "X-RateLimit-Reset-After": "1.000",
        "X-RateLimit-Bucket": f"{hash(bucket) & 0xFFFFFFFF:x}",
    }
