"""One cache for all that is drawn once and used again: layers, sprites, masks, letters.

A function whose result costs pixels is marked with ``cached``. Plain values (numbers, words, boxes,
fonts) use ``functools.cache`` if their arguments are few by nature.

What all functions hold together has one budget in bytes. When it is exceeded, the entries go that
are likely to save the least drawing time per byte; those that were used longest ago count less.
This is GreedyDual-Size (Cao and Irani, "Cost-Aware WWW Proxy Caching Algorithms", USITS 1997). On
recorded tables of all games it took half the drawing time of dropping what was used longest ago.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from functools import update_wrapper
from operator import itemgetter
from threading import Lock
from time import thread_time
from typing import Any, Final, Generic, ParamSpec, TypeVar

from PIL import Image

P = ParamSpec("P")
R = TypeVar("R")

BUDGET: Final = 144 << 20
"""Bytes of everything that is held; ``benchmarks.drawn`` shows what less or more of them costs."""

SPARE: Final = 1 / 16
"""Share of the budget that is freed at once, so that entries are seldom sorted."""

ENTRY: Final = 600
"""Bytes of an entry without its pixels: its key, and what Pillow and Python need for an image."""

FOUR_BYTES: Final = {"RGB", "RGBA", "RGBa"}
"""Modes in which Pillow uses four bytes a pixel; the others we use take one."""


@dataclass(slots=True)
class CacheEntry(Generic[R]):
    """A result that is held.

    :ivar size: in bytes.
    :ivar merit: seconds that a hit saves, per byte.
    :ivar used: the level of the cache when it was used last.
    """

    value: R
    size: int
    merit: float
    used: float


@dataclass(frozen=True, slots=True)
class Usage:
    """What a function holds, and what that has saved since the cache was last cleared.

    :param size: in bytes.
    :param seconds: processor time that its misses took.
    """

    name: str
    entries: int
    size: int
    hits: int
    misses: int
    seconds: float

    @property
    def saved(self) -> float:
        """Seconds that its hits have saved, by what a miss took on average."""
        return self.hits * self.seconds / max(1, self.misses)


class Cache:
    """The results of many functions within one budget. Any thread may use it.

    :param budget: bytes.
    :param clock: seconds of processor time of this thread.
    """

    def __init__(self, budget: int, clock: Callable[[], float] = thread_time) -> None:
        self.budget = budget
        self.size = 0
        self.level = 0.0
        """The worth of what was dropped last."""
        self._clock = clock
        self._lock = Lock()
        self.functions: list[Cached[..., Any]] = []

    def cached(self, draw: Callable[P, R]) -> Cached[P, R]:
        """Call a function once for each set of arguments while there is room for its result."""
        function = Cached(draw, self)
        self.functions.append(function)
        return function

    def made(self, function: Cached[..., R], key: Hashable, draw: Callable[[], R]) -> R:
        """Draw and hold a result.

        :return: the result, or that of another thread that was faster.
        """
        begin = self._clock()
        value = draw()
        seconds = self._clock() - begin
        size = ENTRY + size_of(value)
        with self._lock:
            function.misses += 1
            function.seconds += seconds
            if (other := function.entries.get(key)) is not None:
                return other.value
            function.entries[key] = CacheEntry(value, size, seconds / size, self.level)
            self.size += size
            if self.size > self.budget:
                self._make_room()
        return value

    def usages(self) -> Iterator[Usage]:
        """What each function holds."""
        with self._lock:
            for function in self.functions:
                entries = function.entries.values()
                yield Usage(
                    function.name,
                    len(entries),
                    sum(entry.size for entry in entries),
                    function.hits,
                    function.misses,
                    function.seconds,
                )

    def clear(self) -> None:
        """Forget all results and counts."""
        with self._lock:
            for function in self.functions:
                function.entries.clear()
                function.hits, function.misses, function.seconds = 0, 0, 0.0
            self.size, self.level = 0, 0.0

    def _make_room(self) -> None:
        """Drop what is worth least: what was used long ago, or will hardly save anything."""
        ranked = []
        for function in self.functions:
            reuse = function.reuse
            for key, entry in function.entries.items():
                ranked.append((entry.used + reuse * entry.merit, function, key))
        ranked.sort(key=itemgetter(0))
        for worth, function, key in ranked:
            if self.size <= self.budget * (1 - SPARE):
                break
            self.size -= function.entries.pop(key).size
            self.level = max(self.level, worth)


class Cached(Generic[P, R]):
    """A function whose results are held. They belong to all: nobody may change them.

    :ivar name: of the function, with its module.
    """

    def __init__(self, draw: Callable[P, R], cache: Cache) -> None:
        update_wrapper(self, draw)
        self.name = f"{draw.__module__}.{draw.__qualname__}"
        self.entries: dict[Hashable, CacheEntry[R]] = {}
        self.hits = self.misses = 0
        self.seconds = 0.0
        self._draw = draw
        self._cache = cache

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """The result for these arguments, which must be hashable."""
        key = (args, *kwargs.items()) if kwargs else args
        entry = self.entries.get(key)
        if entry is None:
            return self._cache.made(self, key, lambda: self._draw(*args, **kwargs))
        # Without the lock: threads that meet here may lose a count, which matters to nobody.
        self.hits += 1
        entry.used = self._cache.level
        return entry.value

    @property
    def reuse(self) -> float:
        """How often a result is used again, at most 1."""
        return min(1.0, (self.hits + 1) / (self.misses + 1))

    def held(self, *args: P.args, **kwargs: P.kwargs) -> bool:
        """Whether there is a result for these arguments."""
        return ((args, *kwargs.items()) if kwargs else args) in self.entries


def size_of(value: Any) -> int:
    """Bytes of the pixels of an image, of what knows its ``bytes_held``, or of several."""
    if isinstance(value, Image.Image):
        return value.width * value.height * (4 if value.mode in FOUR_BYTES else 1)
    if isinstance(value, tuple):
        return sum(size_of(each) for each in value)
    held: int = getattr(value, "bytes_held", 0)
    return held


CACHE: Final = Cache(BUDGET)
"""What all pictures share."""

cached = CACHE.cached
