"""What one person may do in a while, and at a time: limits that hold on every server."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from enum import IntEnum
from typing import Final

from play.table import Refused

TABLES: Final = 25
"""Open tables at which a person plays, beyond which they open no other one."""

TOURNAMENTS: Final = 3
"""Tournaments that a person has announced and that are not over."""

FULL: Final = 120.0
"""Points that a person has at most."""

A_SECOND: Final = 2.0
"""Points that come back each second."""

PEOPLE_KNOWN: Final = 10_000
"""How many people's points are remembered; everybody else has all of theirs."""


class Cost(IntEnum):
    """What an action costs, in points, whether it is typed or pressed: other people notice it, or
    it takes long. Moves are free.
    """

    PAGE = 1
    """A page of a replay."""
    HINT = 5
    GUESS = 9
    """A code that opens no table to the person."""
    TABLE = 11
    """Opening one, also for a rematch."""
    SEEK = 11
    INVITATION = 23
    """Five at once, then one every twelve seconds."""
    ANIMATION = 29
    ANALYSIS = 39
    """Of a match that nobody has had analysed yet."""
    TOURNAMENT = 39


class Allowance:
    """A bucket of points for each person, which fills up as time passes.

    :param full: points of somebody who has not spent any recently.
    """

    def __init__(self, full: float = FULL) -> None:
        self._full = full
        self._left: OrderedDict[int, tuple[float, float]] = OrderedDict()
        """By person: the points that were left, and when."""

    def spend(self, person_id: int, cost: Cost) -> None:
        """Take points from a person.

        :raises Refused: ``too_much_at_once``: there are too few, but enough ``seconds`` later.
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
