"""Limits the rate at which all processes of the bot together check messages in the background."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from data.store.shards import Shards

EVERY: Final = 2.0
"""Seconds between two requests, over all processes together."""


class LookBudget:
    """A budget of requests for background checks. Each process gets a share in proportion to the
    shards it serves. Each shard is served by at most one process, so the shares never exceed the
    whole, and processes need not coordinate.

    :param served: returns the shards that this process serves now.
    :ivar every: see ``EVERY``.
    """

    def __init__(self, served: Callable[[], Shards]) -> None:
        self._served = served
        self._spent_until = 0.0
        """When this process may make its next request, on the event loop's clock in seconds."""
        self.every = EVERY

    async def wait(self, requests: int) -> None:
        """Wait until this many more requests fit into the budget."""
        shards, now = self._served(), asyncio.get_running_loop().time()
        shares = shards.count / max(1, len(shards.numbers))
        self._spent_until = max(self._spent_until, now) + self.every * requests * shares
        await asyncio.sleep(self._spent_until - now)
