"""The threads in which pictures are drawn, in what order, and what becomes of the memory that this
takes.

The order is fair between people, and between the tables of one person: whoever's last drawing was
begun longest ago comes first. What nobody in particular has asked for, such as a board after a move
of a computer player, stands for its table.
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
"""One for an animation, which takes a while, and two for all else."""

BETWEEN_TRIMS: Final = 256
"""Drawings between two times that freed memory is given back. To take it again costs some 10,000
page faults, of a microsecond or several each.
"""

_M_ARENA_MAX: Final = -8
"""A name in ``malloc.h``."""

asked_by: Final[ContextVar[int]] = ContextVar("asked_by", default=0)
"""The person whose action leads to what is drawn now; 0: nobody's."""

drawn_for: Final[ContextVar[int]] = ContextVar("drawn_for", default=0)
"""The table that is drawn now; 0: none."""

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
        self._last_turns = LastTurns()
        self._held: Counter[int] = Counter()
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def turn(self, person_id: int, table_id: int) -> AsyncIterator[None]:
        """Wait for a turn, which ends with the block; as ``LastTurns.rank``."""
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
                self._held += Counter()  # drops those who hold nothing
            self._call()

    def _call(self) -> None:
        """Give the turns that are free to those who wait."""
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
    """Draw in a thread, once it is the requester's turn."""
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
    """Let all threads take their memory from one place, where there is glibc: by itself it opens
    one for each, and what pictures took there cannot be given back. Before any thread is started.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def give_back() -> None:
    """Give freed memory back to the system, where there is glibc: by itself it keeps most of it."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
