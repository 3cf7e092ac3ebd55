"""The threads in which pictures are drawn, in what order, and what becomes of the memory that this
takes.

The order is fair between people, by start-time fair queueing: what somebody asks for is put behind
as many drawings of each other person as they wait for themselves. What nobody in particular has
asked for, such as a board after a move of a computer player, waits as somebody's first drawing.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import ContextVar
from itertools import count
from typing import Final, TypeVar
from weakref import WeakKeyDictionary

T = TypeVar("T")

THREADS: Final = 3
"""One for an animation, which takes a while, and two for all else."""

BETWEEN_TRIMS: Final = 256
"""Drawings between two times that freed memory is given back. To take it again costs some 10,000
page faults, of a microsecond or several each.
"""

_M_ARENA_MAX: Final = -8
"""A name in ``malloc.h``."""

asked_by: Final[ContextVar[int | None]] = ContextVar("asked_by", default=None)
"""The person whose action leads to what is drawn now; None: nobody's."""

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="drawing")

_drawings = count(1)


class Turns:
    """Gives out turns to draw, all on one event loop.

    :param most: how many are given out at the same time; of these, one is left to others than any
        one person.
    """

    def __init__(self, most: int = THREADS) -> None:
        self._free = most
        self._for_one = max(1, most - 1)
        self._now = 0
        """The place in the order of the latest drawing that was begun."""
        self._last: dict[int, int] = {}
        """By person, the place of the latest drawing that waits or is under way."""
        self._held: Counter[int] = Counter()
        self._waiting: list[tuple[int, int, int | None, asyncio.Future[None]]] = []
        self._arrivals = count()

    @asynccontextmanager
    async def turn(self, person_id: int | None) -> AsyncIterator[None]:
        """Wait for a turn, which ends with the block."""
        place = self._now
        if person_id is not None:
            place = self._last[person_id] = max(place, self._last.get(person_id, -1) + 1)
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting = (place, next(self._arrivals), person_id, called)
        self._waiting.append(waiting)
        self._call()
        try:
            await called
            yield
        finally:
            if waiting in self._waiting:  # cancelled
                self._waiting.remove(waiting)
            else:
                self._free += 1
                self._note(person_id, -1)
            self._call()

    def _call(self) -> None:
        """Give the turns that are free to those who wait."""
        while self._free:
            able = [w for w in self._waiting if w[2] is None or self._held[w[2]] < self._for_one]
            if not able:
                return
            first = min(able, key=lambda waiting: waiting[:2])
            self._waiting.remove(first)
            self._now, self._free = max(self._now, first[0]), self._free - 1
            self._note(first[2], 1)
            if not first[3].done():
                first[3].set_result(None)

    def _note(self, person_id: int | None, change: int) -> None:
        """Count what a person holds, and forget who neither holds nor waits for anything."""
        if person_id is None:
            return
        self._held[person_id] += change
        if not self._held[person_id]:
            del self._held[person_id]
            if all(waiting[2] != person_id for waiting in self._waiting):
                self._last.pop(person_id, None)


_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, Turns] = WeakKeyDictionary()


async def beside(draw: Callable[[], T]) -> T:
    """Draw in a thread, once it is the requester's turn."""
    loop = asyncio.get_running_loop()
    async with _turns.setdefault(loop, Turns()).turn(asked_by.get()):
        return await loop.run_in_executor(_threads, _drawn, draw)


def _drawn(draw: Callable[[], T]) -> T:
    try:
        return draw()
    finally:
        if next(_drawings) % BETWEEN_TRIMS == 0:
            give_back()


def hold_together() -> None:
    """Let all threads take their memory from one place, where there is glibc: by itself it opens
    one for each, and what pictures took there cannot be given back. Before any thread is started.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def give_back() -> None:
    """Give freed memory back to the system, where there is glibc: by itself it keeps most of it."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
