"""Drawing pictures in a few threads, and returning memory to the system."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter

import pytest

from cogs.gateway import drawing
from cogs.gateway.drawing import BETWEEN_TRIMS, THREADS, Turns, beside, give_back


async def test_everything_is_drawn_by_a_few_threads_outside_the_event_loop() -> None:
    together = threading.Barrier(THREADS)

    def draw() -> str:
        together.wait(timeout=60)
        return threading.current_thread().name

    names = Counter(await asyncio.gather(*(beside(draw) for _ in range(4 * THREADS))))
    assert names.total() == 4 * THREADS
    assert len(names) == THREADS
    assert threading.current_thread().name not in names


async def test_memory_is_given_back_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is returned after every ``BETWEEN_TRIMS`` drawings, including failed ones."""
    given: list[str] = []
    monkeypatch.setattr(drawing, "give_back", lambda: given.append("back"))

    def fail() -> None:
        raise ValueError

    for number in range(2 * BETWEEN_TRIMS):
        if number % 2:
            await beside(lambda: None)
        else:
            with pytest.raises(ValueError):  # noqa: PT011 - the error has no message
                await beside(fail)
    assert given == ["back", "back"]


def test_giving_back_changes_nothing_that_is_held() -> None:
    held = [bytes([number]) * 100_000 for number in range(50)]
    give_back()
    assert all(data == bytes([number]) * 100_000 for number, data in enumerate(held))


async def test_a_person_who_asks_for_much_keeps_nobody_waiting() -> None:
    """People take turns, one thread is reserved for other people, and no turn is lost if somebody
    gives up.
    """
    turns, order = Turns(2), list[str]()
    go_on = asyncio.Event()

    async def draw(name: str, person: int) -> None:
        async with turns.turn(person, 9):
            order.append(name)
            await go_on.wait()

    asked = [("a1", 1), ("a2", 1), ("a3", 1), ("a4", 1), ("b1", 2), ("c1", 0), ("b2", 2)]
    tasks = [asyncio.create_task(draw(*each)) for each in asked]
    await asyncio.sleep(0)
    assert order == ["a1", "b1"]
    tasks[2].cancel()
    await asyncio.sleep(0)
    go_on.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert order[2:] == ["c1", "a2", "b2", "a4"]


async def test_tables_of_one_person_take_turns() -> None:
    turns, order = Turns(1), list[str]()

    async def draw(name: str, table: int) -> None:
        async with turns.turn(1, table):
            order.append(name)
            await asyncio.sleep(0)

    asked = [("a1", 5), ("a2", 5), ("a3", 5), ("b1", 6), ("b2", 6), ("c1", 7)]
    await asyncio.gather(*(draw(*each) for each in asked))
    assert order == ["a1", "b1", "c1", "a2", "b2", "a3"]
