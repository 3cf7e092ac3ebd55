"""Background work on tables or occasions: one task for each, done again after a failure."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar

import structlog

from data.store.problems import StoreProblem
from play.guard import guarded

log = structlog.get_logger()


class Worker(ABC):
    """Does one kind of work, for each table or occasion in one task at a time. What there is to do
    follows from what is stored, so the work can be cut off anywhere and done again.

    :cvar NAME: begins the events of the log.
    :cvar RETRIES: seconds after which failed work is tried again, before any round does.
    :param fell_behind: is called when work has failed, so that the next round tries it again.
    """

    NAME: ClassVar[str]
    RETRIES: ClassVar[Sequence[float]] = ()

    def __init__(self, fell_behind: Callable[[], None]) -> None:
        self._fell_behind = fell_behind
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._closed = False

    @abstractmethod
    async def _work(self, number: int) -> None:
        """Do everything that there is to do for the table or occasion of a number."""

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """The work that is under way."""
        return [*self._tasks.values()]

    async def close(self) -> None:
        """Take on no more work, and cut off what is under way: the next start makes up for it."""
        self._closed = True
        tasks = self.tasks
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _ask(self, number: int) -> None:
        """Work soon; if work is under way, once more after that."""
        if self._closed:
            return
        self._again.add(number)
        if number not in self._tasks:
            self._tasks[number] = asyncio.create_task(self._run(number))

    async def _run(self, number: int) -> None:
        try:
            while number in self._again:
                self._again.discard(number)
                await self._try(number)
        finally:
            # Not in a callback: it would run later, and lose what is asked for in between.
            del self._tasks[number]

    async def _try(self, number: int) -> None:
        for pause in (None, *self.RETRIES):
            if pause is not None:
                await asyncio.sleep(pause)
            with guarded(f"{self.NAME}_failed", number=number) as attempt:
                try:
                    await self._work(number)
                except StoreProblem as problem:  # the store has logged it
                    log.info(f"{self.NAME}_waits", number=number, code=problem.code)
                    attempt.failed = True
            if not attempt.failed:
                return
            self._fell_behind()
