"""A limit on how often all processes of the bot together check messages in the background."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from data.store.shards import Shards

EVERY: Final = 2.0
"""Seconds between two requests, over all processes together."""


class LookBudget:
    """One budget of requests for all background checks. Each process gets a share in proportion to
    the shards it serves. A shard is served by one process at most, so the shares never add up to
    more than the whole, and nobody has to count.

    :param served: the shards that this process serves now.
    :ivar every: seconds, as ``EVERY``.
    """

    def __init__(self, served: Callable[[], Shards]) -> None:
        self._served = served
        self._spent_until = 0.0
        """Until when the budget is spent; in seconds of the event loop's clock."""
        self.every = EVERY

    async def wait(self, requests: int) -> None:
        """Wait until the budget has room for some more requests."""
        shards, now = self._served(), asyncio.get_running_loop().time()
        shares = shards.count / max(1, len(shards.numbers))
        self._spent_until = max(self._spent_until, now) + self.every * requests * shares
        await asyncio.sleep(self._spent_until - now)
