"""Limits on what one person can do at the same time and over time, on all servers together."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from enum import IntEnum
from typing import Final

from play.table import Refused

TABLES: Final = 25
"""A person with this many open or parked tables may not open another."""

TOURNAMENTS: Final = 3
"""The maximum number of a person's announced tournaments that are not over yet."""

FULL: Final = 120.0
"""The maximum number of points a person can have."""

A_SECOND: Final = 2.0
"""Points regained per second."""

PEOPLE_KNOWN: Final = 10_000
"""How many people's points are remembered; everybody else counts as having a full allowance."""


class Cost(IntEnum):
    """The price in points of actions that other people notice or that take long. Moves are free."""

    PAGE = 1
    """A page of a replay."""
    HINT = 5
    GUESS = 9
    """A code that does not give the person access to a table."""
    TABLE = 11
    """Opening a table, including for a rematch."""
    SEEK = 11
    INVITATION = 23
    """An invitation: a person can send five at once, then about one every twelve seconds."""
    ANIMATION = 29
    ANALYSIS = 39
    """Analysing a match that has not been analysed yet."""
    TOURNAMENT = 39


class Allowance:
    """A token bucket per person, which refills over time.

    :param full: the points of a person who has not spent any recently.
    """

    def __init__(self, full: float = FULL) -> None:
        self._full = full
        self._left: OrderedDict[int, tuple[float, float]] = OrderedDict()
        """For each person, the points left and the time of that count."""

    def spend(self, person_id: int, cost: Cost) -> None:
        """Take points from a person.

        :raises Refused: ``too_much_at_once``: too few points are left; after ``seconds`` there will
            be enough.
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
