"""Work beside everything else runs to its end, or is cancelled."""

from __future__ import annotations

import asyncio

from play.beside import Beside


async def test_what_has_ended_is_not_kept() -> None:
    """A bot runs for months, so even a small task that stays in memory is too much."""
    beside = Beside()
    for _ in range(3):
        await beside.start(asyncio.sleep(0))
    await asyncio.sleep(0)
    assert not beside.tasks


async def test_everything_ends_with_the_bot() -> None:
    ended = []

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0)
            ended.append(True)

    beside = Beside()
    task = beside.start(work())
    await asyncio.sleep(0)
    await beside.close()
    assert task.cancelled()
    assert ended
