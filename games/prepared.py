"""Caches results that depend only on a view, because a search samples many positions from one
view.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

from games.engine import View

VIEWS = 32
"""How many views are remembered."""

T = TypeVar("T")


class Prepared(Generic[T]):
    """Caches the results for the most recent views.

    :param work_out: computes the result, which must not be changed.
    """

    def __init__(self, work_out: Callable[[View], T]) -> None:
        self._work_out = work_out
        self._known: OrderedDict[int, tuple[View, T]] = OrderedDict()

    def __call__(self, view: View) -> T:
        """Return the result for a view. Views are compared by identity, not equality."""
        known = self._known.get(id(view))
        if known is None or known[0] is not view:
            known = self._known[id(view)] = view, self._work_out(view)
            if len(self._known) > VIEWS:
                self._known.popitem(last=False)
        return known[1]
