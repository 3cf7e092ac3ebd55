"""Where pictures are drawn: in few threads, whose memory is given back."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter

import pytest

from cogs.gateway import drawing
from cogs.gateway.drawing import BETWEEN_TRIMS, THREADS, beside, give_back


async def test_few_threads_draw_whatever_is_asked() -> None:
    """All are drawn, beside the event loop, by as many threads as there may be."""
    together = threading.Barrier(THREADS)

    def draw() -> str:
        together.wait(timeout=60)
        return threading.current_thread().name

    names = Counter(await asyncio.gather(*(beside(draw) for _ in range(4 * THREADS))))
    assert names.total() == 4 * THREADS
    assert len(names) == THREADS
    assert threading.current_thread().name not in names


async def test_memory_is_given_back_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once in so many drawings, those that fail among them."""
    given: list[str] = []
    monkeypatch.setattr(drawing, "give_back", lambda: given.append("back"))

    def fail() -> None:
        raise ValueError

    for number in range(2 * BETWEEN_TRIMS):
        if number % 2:
            await beside(lambda: None)
        else:
            with pytest.raises(ValueError):  # noqa: PT011 - it has no more to say
                await beside(fail)
    assert given == ["back", "back"]


def test_giving_back_changes_nothing_that_is_held() -> None:
    """It can be called at any time."""
    held = [bytes([number]) * 100_000 for number in range(50)]
    give_back()
    assert all(data == bytes([number]) * 100_000 for number, data in enumerate(held))
