"""What is drawn once and held: layers that never change, and parts that pictures in a row share."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import ParamSpec

from render.canvas import Canvas

P = ParamSpec("P")


class Layers:
    """Canvases that are drawn once; those that were used last are held.

    :param most: bytes that all of them together may take.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[Hashable, Canvas] = OrderedDict()
        self._lock = Lock()
        self.size = 0

    def copy_of(self, key: Hashable, draw: Callable[[], Canvas]) -> Canvas:
        """A copy of the canvas with a key, which is drawn if it is not held. From any thread."""
        return self.shared(key, draw).copy()

    def shared(self, key: Hashable, draw: Callable[[], Canvas]) -> Canvas:
        """The canvas with a key itself, on which nobody may draw."""
        canvas = self._found(key)
        if canvas is None:
            canvas = draw()
            self._hold(key, canvas)
        return canvas

    def grown(
        self,
        start: Hashable,
        steps: tuple[Hashable, ...],
        begin: Callable[[], Canvas],
        draw: Callable[[Canvas, int], None],
    ) -> Canvas:
        """A canvas on which one step was drawn after the other, itself: nobody may draw on it. If
        one is held that has the first of the steps, only the others are drawn.

        :param start: the key of what ``begin`` draws, on which no step has been drawn.
        :param draw: draws the step of a number.
        """
        for done in range(len(steps), -1, -1):
            canvas = self._found((start, steps[:done]))
            if canvas is not None:
                break
        if canvas is None or done < len(steps):
            canvas = begin() if canvas is None else canvas.copy()
            for number in range(done, len(steps)):
                draw(canvas, number)
            self._hold((start, steps), canvas)
        return canvas

    def keys(self) -> tuple[Hashable, ...]:
        """The keys of those that are held, the one that was used last at the end."""
        with self._lock:
            return tuple(self._held)

    def _found(self, key: Hashable) -> Canvas | None:
        with self._lock:
            canvas = self._held.get(key)
            if canvas is not None:
                self._held.move_to_end(key)
            return canvas

    def _hold(self, key: Hashable, canvas: Canvas) -> None:
        with self._lock:
            if key in self._held:  # another thread was faster
                return
            self._held[key] = canvas
            self.size += canvas.size
            while self.size > self._most:
                self.size -= self._held.popitem(last=False)[1].size


LAYERS_MOST = 64 << 20
"""Bytes of all static layers together: a dozen of the largest, more than tables at once need."""

PARTS_MOST = 12 << 20
"""Bytes of all parts together: what one move of a full table needs."""

_layers = Layers(LAYERS_MOST)
_parts = Layers(PARTS_MOST)


def _once(held: Callable[[], Layers], draw: Callable[P, Canvas]) -> Callable[P, Canvas]:
    @wraps(draw)
    def shared(*args: P.args, **kwargs: P.kwargs) -> Canvas:
        key = (draw, args, tuple(sorted(kwargs.items())))
        return held().shared(key, lambda: draw(*args, **kwargs))

    return shared


def shared_layer(draw: Callable[P, Canvas]) -> Callable[P, Canvas]:
    """Draw once for each set of (hashable) arguments; what comes back is for all: nothing may be
    drawn on it, only parts of it be copied.
    """
    return _once(lambda: _layers, draw)


def layer(draw: Callable[P, Canvas]) -> Callable[P, Canvas]:
    """Draw once for each set of (hashable) arguments, and return copies."""
    shared = shared_layer(draw)

    @wraps(draw)
    def fresh(*args: P.args, **kwargs: P.kwargs) -> Canvas:
        return shared(*args, **kwargs).copy()

    return fresh


def part(draw: Callable[P, Canvas]) -> Callable[P, Canvas]:
    """The same for a part that several pictures in a row have, and later ones hardly."""
    return _once(lambda: _parts, draw)


def grown_part(
    start: Hashable,
    steps: tuple[Hashable, ...],
    begin: Callable[[], Canvas],
    draw: Callable[[Canvas, int], None],
) -> Canvas:
    """The same for a part that grows step by step: see ``Layers.grown``."""
    return _parts.grown(start, steps, begin, draw)
