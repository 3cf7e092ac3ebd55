"""The background worker runs one task per number and loses no request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from data.store.problems import StoreClosed
from play.worker import Worker


class Recorder(Worker[int]):
    """Records what it works on."""

    NAME = "recording"
    RETRIES = (0.0,)

    def __init__(self, during: Callable[[int], Awaitable[Any]]) -> None:
        super().__init__(self._note_failure)
        self.begun: list[int] = []
        self.failures = 0
        self._during = during

    def _note_failure(self) -> None:
        self.failures += 1

    def ask(self, *numbers: int) -> None:
        for number in numbers:
            self._ask(number)

    async def _work(self, number: int) -> None:
        self.begun.append(number)
        await self._during(number)


async def rest(worker: Recorder) -> None:
    """Wait until nothing is running."""
    while tasks := worker.tasks:
        await asyncio.gather(*tasks)


async def test_a_request_during_a_task_runs_it_once_more() -> None:
    """Repeated requests count once; different numbers do not wait for each other."""
    gate = asyncio.Event()
    worker = Recorder(lambda _: gate.wait())
    worker.ask(1, 2)
    await asyncio.sleep(0)
    assert worker.begun == [1, 2]
    worker.ask(1, 1, 1)
    gate.set()
    await rest(worker)
    assert sorted(worker.begun) == [1, 1, 2]


async def test_a_request_at_the_very_end_is_done() -> None:
    worker = Recorder(lambda _: asyncio.sleep(0))
    worker.ask(1)
    (task,) = worker.tasks
    task.add_done_callback(lambda _: worker.ask(1))
    await rest(worker)
    assert worker.begun == [1, 1]


async def test_failed_work_is_tried_again_and_then_left_to_the_rounds() -> None:
    faults = {1: StoreClosed(Path("closed")), 2: ZeroDivisionError()}

    async def fail(number: int) -> None:
        if number in faults:
            raise faults[number]

    worker = Recorder(fail)
    worker.ask(1, 2, 3)
    await rest(worker)
    assert sorted(worker.begun) == [1, 1, 2, 2, 3]
    assert worker.failures == 4
    faults.clear()
    worker.ask(1)
    await rest(worker)
    assert worker.failures == 4


async def test_nothing_is_begun_after_the_end() -> None:
    cut_off = []

    async def wait(number: int) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cut_off.append(number)
            raise

    worker = Recorder(wait)
    worker.ask(1)
    await asyncio.sleep(0)
    await worker.close()
    worker.ask(2)
    assert (worker.begun, cut_off, worker.tasks) == ([1], [1], [])
