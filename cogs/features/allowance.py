"""Limits on what one person may do at once and over time; they hold on every server together."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from enum import IntEnum
from typing import Final

from play.table import Refused

TABLES: Final = 25
"""A person at this many open tables cannot open another."""

TOURNAMENTS: Final = 3
"""How many running tournaments one person may have announced."""

FULL: Final = 120.0
"""The maximum number of points a person can have."""

A_SECOND: Final = 2.0
"""Points regained per second."""

PEOPLE_KNOWN: Final = 10_000
"""How many people's points are remembered; everybody else has all of theirs."""


class Cost(IntEnum):
    """The cost of actions that other people notice or that take long, in points. Moves are free."""

    PAGE = 1
    """A page of a replay."""
    HINT = 5
    GUESS = 9
    """A code that does not give the person access to a table."""
    TABLE = 11
    """Opening one, including for a rematch."""
    SEEK = 11
    INVITATION = 23
    """Five at once, then one every twelve seconds."""
    ANIMATION = 29
    ANALYSIS = 39
    """Of a match that has not been analysed yet."""
    TOURNAMENT = 39


class Allowance:
    """A token bucket per person, which refills over time.

    :param full: points of a person who has not spent any recently.
    """

    def __init__(self, full: float = FULL) -> None:
        self._full = full
        self._left: OrderedDict[int, tuple[float, float]] = OrderedDict()
        """By person: the points left, and when that was."""

    def spend(self, person_id: int, cost: Cost) -> None:
        """Take points from a person.

        :raises Refused: ``too_much_at_once``: too few are left, but ``seconds`` later there are
            enough.
        """
        now = asyncio.get_running_loop().time()
        points, since = self._left.pop(person_id, (self._full, now))
        points = min(self._full, points + (now - since) * A_SECOND)
        enough = points >= cost
        self._left[person_id] = (points - cost if enough else points), now
        if len(self._left) > PEOPLE_KNOWN:
            self._left.popitem(last=False)
        if not enough:
            seconds = math.ceil((cost - points) / A_SECOND)
            raise Refused("too_much_at_once", seconds=seconds)
