"""Thoughts that fail in a worker process, each in another way.

They have a module of their own because a worker imports it: with the whole bot in it, a worker on a
busy machine would count as stuck before its first thought.
"""

from __future__ import annotations

import itertools
import os
from typing import Any

from games.engine import View
from play import computers

_thought = itertools.count(1)


class Careless(Exception):  # noqa: N818 - an accident
    """An error that quotes the data at hand."""


class Unsendable(Careless):
    """An error that cannot be sent to another process."""

    def __init__(self, *quoted: object) -> None:
        super().__init__(*quoted)
        self.why = lambda: quoted


def think(
    view: str, level: str, seed: str, share: float, *, hint: bool = False
) -> computers.Thought:
    """Think in a worker process; the first few searches each fail in a different way."""
    thought = next(_thought)
    seen = View.from_json(view)
    if thought == 1:
        raise Careless(seen)
    if thought == 2:
        raise Unsendable(seen)
    if thought == 3:
        unsendable: Any = lambda: seen  # noqa: E731
        return unsendable  # type: ignore[no-any-return]
    if thought == 4:
        os._exit(1)
    return _think(view, level, seed, share, hint=hint)


_think = computers.think
