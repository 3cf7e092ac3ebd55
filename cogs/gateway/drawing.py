"""The threads in which pictures are drawn, and what becomes of the memory that this takes."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Final, TypeVar

T = TypeVar("T")

THREADS: Final = 3
"""One for an animation, which takes a while, and two for all else."""

BETWEEN_TRIMS: Final = 256
"""Drawings between two times that freed memory is given back. To take it again costs some 10,000
page faults, of a microsecond or several each.
"""

_M_ARENA_MAX: Final = -8
"""A name in ``malloc.h``."""

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="drawing")

_drawings = count(1)


async def beside(draw: Callable[[], T]) -> T:
    """Draw in a thread."""
    return await asyncio.get_running_loop().run_in_executor(_threads, _drawn, draw)


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
