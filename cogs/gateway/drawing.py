"""The threads that draw pictures: their number, whose turn it is, and the memory they use.

Turns are fair between people, and between one person's tables: the person or table whose last
drawing began longest ago comes first. Drawings that nobody in particular asked for, such as a board
after a computer player's move, count towards their table.
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

from play.last_turns import LastTurns

T = TypeVar("T")

THREADS: Final = 3
"""The number of threads: a long animation leaves two of them for everything else."""

BETWEEN_TRIMS: Final = 256
"""Number of drawings after which freed memory is returned to the system. Getting it back costs
about 10,000 page faults of a microsecond or more each.
"""

_M_ARENA_MAX: Final = -8
"""As defined in ``malloc.h``."""

asked_by: Final[ContextVar[int]] = ContextVar("asked_by", default=0)
"""The person whose action leads to the current drawing; 0: nobody's."""

drawn_for: Final[ContextVar[int]] = ContextVar("drawn_for", default=0)
"""The table of the current drawing; 0: no table."""

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="drawing")

_drawings = count(1)


class Turns:
    """Hands out turns to draw, all on one event loop.

    :param most: how many drawings can run at once; if more than one, no single person may use all.
    """

    def __init__(self, most: int = THREADS) -> None:
        self._free = most
        self._for_one = max(1, most - 1)
        self._last_turns = LastTurns()
        self._held: Counter[int] = Counter()
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def turn(self, person_id: int, table_id: int) -> AsyncIterator[None]:
        """Wait for a turn, which lasts as long as the block; see ``LastTurns.rank``."""
        called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting = (person_id, table_id, called)
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
                self._held[person_id] -= 1
                self._held += Counter()  # removes people who hold no turn
            self._call()

    def _call(self) -> None:
        """Hand out the free turns, if anyone is waiting."""
        while self._free:
            able = [w for w in self._waiting if not w[0] or self._held[w[0]] < self._for_one]
            if not able:
                return
            first = min(able, key=lambda waiting: self._last_turns.rank(*waiting[:2]))
            self._waiting.remove(first)
            person_id, table_id, called = first
            self._last_turns.note(person_id, table_id)
            self._free -= 1
            self._held[person_id] += 1
            if not called.done():
                called.set_result(None)


_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, Turns] = WeakKeyDictionary()


async def beside(draw: Callable[[], T]) -> T:
    """Run a drawing in a thread, as soon as it is the requester's turn."""
    loop = asyncio.get_running_loop()
    async with _turns.setdefault(loop, Turns()).turn(asked_by.get(), drawn_for.get()):
        return await loop.run_in_executor(_threads, _drawn, draw)


def _drawn(draw: Callable[[], T]) -> T:
    try:
        return draw()
    finally:
        if next(_drawings) % BETWEEN_TRIMS == 0:
            give_back()


def hold_together() -> None:
    """With glibc, make all threads share one memory arena. By default, glibc creates an arena per
    thread and cannot return the memory that drawings used there. Call this before any thread
    starts.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def give_back() -> None:
    """With glibc, give freed memory back to the system; by default, glibc keeps most of it."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
