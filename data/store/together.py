"""Stores waiting changes together in one transaction, so that they wait for the disk or the server
only once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, TypeVar

from data.store.access import Database
from data.store.problems import CommitUnknown

T = TypeVar("T")

Change: TypeAlias = Callable[[Database], Any]


class Together:
    """Changes on their way to the database, in the order of the requests.

    Callers do not notice that changes share a transaction: ``write`` returns only once the change
    is stored. If one of several changes raises, none of them is stored, and each runs again in a
    transaction of its own.

    :param commit: makes a change in a transaction, and returns its result.
    """

    def __init__(self, commit: Callable[[Change], Awaitable[Any]]) -> None:
        self._commit = commit
        self._waiting: list[tuple[Change, asyncio.Future[Any]]] = []
        self._committing: asyncio.Task[None] | None = None

    async def write(self, change: Callable[[Database], T]) -> T:
        """Make a change, all or nothing, even if the caller is cancelled."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((change, done))
        if self._committing is None:
            self._committing = asyncio.create_task(self._commit_waiting())
        return await done

    async def finish(self) -> None:
        """Wait until all requested changes have been made."""
        if self._committing is not None:
            await self._committing

    async def _commit_waiting(self) -> None:
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                if len(batch) == 1 or not await self._at_once(batch):
                    for change, done in batch:
                        await self._alone(change, done)
        finally:
            self._committing = None

    async def _at_once(self, batch: list[tuple[Change, asyncio.Future[Any]]]) -> bool:
        """Make several changes in one transaction.

        :returns: False if one of them raised; then none of them is stored.
        """
        changes = [change for change, _ in batch]
        try:
            results = await self._commit(lambda db: [change(db) for change in changes])
        except CommitUnknown as problem:  # they may have been stored, so none of them may run again
            for _, done in batch:
                _give(done, problem)
            return True
        except Exception:  # noqa: BLE001 - the change that raised will raise again on its own
            return False
        for (_, done), result in zip(batch, results, strict=True):
            if not done.done():
                done.set_result(result)
        return True

    async def _alone(self, change: Change, done: asyncio.Future[Any]) -> None:
        try:
            result = await self._commit(change)
        except Exception as raised:  # noqa: BLE001 - raised again where the change is awaited
            _give(done, raised)
        else:
            if not done.done():
                done.set_result(result)


def _give(done: asyncio.Future[Any], raised: Exception) -> None:
    """Raise an exception where a change is awaited, unless the caller was cancelled."""
    if not done.done():
        done.set_exception(raised)
