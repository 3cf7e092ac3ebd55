"""Background work: one task per job, repeated after a failure."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import ClassVar, Generic, TypeVar

import structlog

from data.store.problems import StoreProblem
from play.guard import guarded

log = structlog.get_logger()

J = TypeVar("J", bound=Hashable)
"""Identifies a job: the number of a table or occasion, or a seat."""


class Worker(ABC, Generic[J]):
    """Does one kind of work, with at most one task per job. The stored state determines the work,
    so it can be interrupted anywhere and repeated.

    :cvar NAME: the prefix of its log events.
    :cvar RETRIES: seconds to wait before each further attempt at failed work.
    :param fell_behind: called when work has failed, so that the next round tries it again.
    """

    NAME: ClassVar[str]
    RETRIES: ClassVar[Sequence[float]] = ()

    def __init__(self, fell_behind: Callable[[], None]) -> None:
        self._fell_behind = fell_behind
        self._tasks: dict[J, asyncio.Task[None]] = {}
        self._again: set[J] = set()
        self._closed = False

    @abstractmethod
    async def _work(self, job: J, /) -> None:
        """Do all work for a job."""

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """The running tasks."""
        return [*self._tasks.values()]

    async def close(self) -> None:
        """Accept no further work and cancel running tasks; after the next start, their work is done
        again.
        """
        self._closed = True
        tasks = self.tasks
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _ask(self, job: J) -> None:
        """Run a job soon; if it is already running, run it once more afterwards."""
        if self._closed:
            return
        self._again.add(job)
        if job not in self._tasks:
            self._tasks[job] = asyncio.create_task(self._run(job))

    async def _run(self, job: J) -> None:
        try:
            while job in self._again:
                self._again.discard(job)
                await self._try(job)
        finally:
            # Do this here rather than in a callback, which would run later and lose requests made
            # in between.
            del self._tasks[job]

    async def _try(self, job: J) -> None:
        for pause in (None, *self.RETRIES):
            if pause is not None:
                await asyncio.sleep(pause)
            with guarded(f"{self.NAME}_failed", job=job) as attempt:
                try:
                    await self._work(job)
                except StoreProblem as problem:  # the store has logged it
                    log.info(f"{self.NAME}_waits", job=job, code=problem.code)
                    attempt.failed = True
            if not attempt.failed:
                return
            self._fell_behind()
