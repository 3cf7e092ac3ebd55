"""One cache for everything that is drawn once and reused: layers, sprites, masks, letters.

Functions that return pixels are marked with ``cached``. Functions that return plain values
(numbers, words, boxes, fonts) use ``functools.cache``, provided that they are called with only a
few different arguments.

All functions share one budget in bytes. When it is exceeded, the cache evicts the entries that are
likely to save the least drawing time per byte; the longer an entry has not been used, the less it
is worth. This is GreedyDual-Size (Cao and Irani, "Cost-Aware WWW Proxy Caching Algorithms", USITS
1997). On recorded tables of all games, drawing took half as long as with a least-recently-used
cache.

``Cache.rest`` compresses whatever nobody has used for a while. Compressed colours take a fourteenth
of the memory, and one or two milliseconds per MiB to restore when they are next used.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from copy import copy
from dataclasses import dataclass
from functools import update_wrapper
from operator import itemgetter
from threading import Lock
from time import thread_time
from typing import Any, Final, Generic, ParamSpec, TypeVar

from PIL import Image
from zlib_ng import zlib_ng

P = ParamSpec("P")
R = TypeVar("R")

BUDGET: Final = 176 << 20
"""Size limit of the whole cache in bytes; ``benchmarks.drawn`` measures other limits."""

SPARE: Final = 1 / 16
"""Share of the budget that is freed at a time, so that entries are rarely sorted."""

ENTRY: Final = 600
"""Bytes of an entry besides its pixels: its key, and what an image costs in Pillow and Python."""

FOUR_BYTES: Final = {"RGB", "RGBA", "RGBa"}
"""Modes in which Pillow uses four bytes per pixel; the other modes used here take one."""


LARGE: Final = 16 << 10
"""Colours are compressed only if they take at least this many bytes."""


COMPRESSIBLE: Final[dict[type, str]] = {}
"""The attribute that holds the colours, by class of drawing."""


def compressible(attribute: str) -> Callable[[type[R]], type[R]]:
    """Allow the cache to compress the drawings of a class.

    :param attribute: the name of the attribute that holds their colours, a Pillow image.
    """

    def register(kind: type[R]) -> type[R]:
        COMPRESSIBLE[kind] = attribute
        return kind

    return register


@dataclass(frozen=True, slots=True)
class Compressed:
    """A drawing whose colours are compressed. Its mask, which several drawings may share, is left
    as it is.

    :ivar drawing: a sprite or canvas whose colours are removed; None for a plain image.
    :ivar saved: the number of bytes saved.
    """

    drawing: Any
    colours: bytes
    mode: str
    size: tuple[int, int]
    saved: int

    @classmethod
    def of(cls, value: Any) -> Compressed | None:
        """Compress a drawing; return None if it has no colours to compress, or if they take less
        than ``LARGE`` bytes.
        """
        attribute = COMPRESSIBLE.get(type(value))
        image = value if attribute is None else getattr(value, attribute)
        if not isinstance(image, Image.Image) or image.mode not in FOUR_BYTES:
            return None
        if (size := size_of(image)) < LARGE:
            return None
        colours = zlib_ng.compress(image.tobytes(), 1)
        drawing = None if attribute is None else _with_colours(value, None)
        return cls(drawing, colours, image.mode, image.size, size - len(colours))

    def restored(self) -> Any:
        """Return the drawing as it was before compression."""
        image = Image.frombytes(self.mode, self.size, zlib_ng.decompress(self.colours))
        return image if self.drawing is None else _with_colours(self.drawing, image)


def _with_colours(drawing: Any, image: Image.Image | None) -> Any:
    other = copy(drawing)
    object.__setattr__(other, COMPRESSIBLE[type(drawing)], image)
    return other


@dataclass(slots=True)
class CacheEntry(Generic[R]):
    """A cached result.

    :ivar size: the size in bytes; 0 once it is evicted.
    :ivar seconds: processor time saved each time the result is reused.
    :ivar used: the cache's level when the entry was last used.
    :ivar resting: whether the entry has not been used since the last ``Cache.rest``.
    """

    value: R | Compressed
    size: int
    seconds: float
    used: float
    resting: bool = False

    def compress(self) -> int:
        """Compress the value if it is large. Return how many bytes that saved."""
        compressed = None if isinstance(self.value, Compressed) else Compressed.of(self.value)
        if compressed is None:
            return 0
        self.value = compressed
        self.size -= compressed.saved
        return compressed.saved


@dataclass(frozen=True, slots=True)
class Usage:
    """What the cache holds for one function, and how much time that has saved since the cache was
    last cleared.

    :param size: the size in bytes.
    :param seconds: processor time spent on misses.
    """

    name: str
    entries: int
    size: int
    hits: int
    misses: int
    seconds: float

    @property
    def saved(self) -> float:
        """Seconds saved by hits, assuming that each would have taken as long as the average
        miss.
        """
        return self.hits * self.seconds / max(1, self.misses)


class Cache:
    """The results of many functions within one budget. Thread-safe.

    :param budget: the size limit in bytes.
    :param clock: returns the processor time of the current thread in seconds.
    """

    def __init__(self, budget: int, clock: Callable[[], float] = thread_time) -> None:
        self.budget = budget
        self.size = 0
        self.level = 0.0
        """The highest value of any entry evicted so far."""
        self._clock = clock
        self._lock = Lock()
        self.functions: list[Cached[..., Any]] = []

    def cached(self, draw: Callable[P, R]) -> Cached[P, R]:
        """Cache the results of a function, as long as there is room for them."""
        function = Cached(draw, self)
        self.functions.append(function)
        return function

    def made(self, function: Cached[..., R], key: Hashable, draw: Callable[[], R]) -> R:
        """Draw a result and cache it.

        :returns: the result, or another thread's if that thread was faster.
        """
        begin = self._clock()
        value = draw()
        seconds = self._clock() - begin
        size = ENTRY + size_of(value)
        with self._lock:
            function.misses += 1
            function.seconds += seconds
            if (other := function.entries.get(key)) is not None:
                held = other.value
                return held.restored() if isinstance(held, Compressed) else held
            function.entries[key] = CacheEntry(value, size, seconds, self.level)
            self.size += size
            if self.size > self.budget:
                self._make_room()
        return value

    def restored(self, entry: CacheEntry[R]) -> R:
        """Return the value of an entry, and keep it uncompressed for now."""
        held = entry.value
        if not isinstance(held, Compressed):
            return held
        value: R = held.restored()
        with self._lock:
            if entry.value is held and entry.size:
                entry.value = value
                entry.size += held.saved
                self.size += held.saved
                if self.size > self.budget:
                    self._make_room()
        return value

    def rest(self) -> None:
        """Compress all large drawings that have not been used since the last call."""
        with self._lock:
            entries = [entry for each in self.functions for entry in each.entries.values()]
        for entry in entries:
            if entry.resting:
                with self._lock:
                    self.size -= entry.compress() if entry.size else 0
            entry.resting = True

    def usages(self) -> Iterator[Usage]:
        """Yield the usage of each function."""
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
        """Drop all results and counts."""
        with self._lock:
            for function in self.functions:
                function.entries.clear()
                function.hits, function.misses, function.seconds = 0, 0, 0.0
            self.size, self.level = 0, 0.0

    def _make_room(self) -> None:
        """Evict the least valuable entries: those that have not been used for a long time, and
        those that save little time.
        """
        ranked = []
        for function in self.functions:
            reuse = function.reuse
            for key, entry in function.entries.items():
                ranked.append((entry.used + reuse * entry.seconds / entry.size, function, key))
        ranked.sort(key=itemgetter(0))
        for worth, function, key in ranked:
            if self.size <= self.budget * (1 - SPARE):
                break
            entry = function.entries.pop(key)
            self.size, entry.size = self.size - entry.size, 0
            self.level = max(self.level, worth)


class Cached(Generic[P, R]):
    """A function with cached results. Callers share them and must not modify them.

    :ivar name: the function's name with its module.
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
        """Return the result for these arguments, which must be hashable."""
        key = (args, *kwargs.items()) if kwargs else args
        entry = self.entries.get(key)
        if entry is None:
            return self._cache.made(self, key, lambda: self._draw(*args, **kwargs))
        # Count without the lock: if two threads lose a count, it does no harm.
        self.hits += 1
        entry.used = self._cache.level
        entry.resting = False
        value = entry.value
        return self._cache.restored(entry) if isinstance(value, Compressed) else value

    @property
    def reuse(self) -> float:
        """Hits per miss, at most 1: an estimate of how likely a result is to be used again."""
        return min(1.0, (self.hits + 1) / (self.misses + 1))

    def held(self, *args: P.args, **kwargs: P.kwargs) -> bool:
        """Return whether the result for these arguments is cached."""
        return ((args, *kwargs.items()) if kwargs else args) in self.entries


def size_of(value: Any) -> int:
    """Return how many bytes of pixels an image, an object with ``bytes_held``, or a tuple of these
    holds; 0 for anything else.
    """
    if isinstance(value, Image.Image):
        return value.width * value.height * (4 if value.mode in FOUR_BYTES else 1)
    if isinstance(value, tuple):
        return sum(size_of(each) for each in value)
    held: int = getattr(value, "bytes_held", 0)
    return held


CACHE: Final = Cache(BUDGET)
"""The cache shared by all pictures."""

cached = CACHE.cached
