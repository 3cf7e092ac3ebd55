"""Schedules thinking fairly between people, between one person's tables, and between hints and
computer players.

Jobs wait in two lanes: hints, for which a person is waiting, and moves of computer players. While
both lanes are in use, they alternate, so half of the turns are left for moves, however many people
ask for hints. Within a lane, the person whose last turn was longest ago comes first, and of that
person's tables, the one whose last turn was longest ago. When a lane is full, the person with the
most waiting jobs loses one, not the person who came last.

The more moves are waiting, the less time each gets. The people for whom they are played share the
available time equally, and a person's share is divided among their tables. Unused time, such as
that of an obvious move, is left to the others. Hints are not shortened, so only as many may wait as
can be served in time at the recent pace: when there are more, one is refused at once.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter, deque
from dataclasses import dataclass
from itertools import count

from play.last_turns import LastTurns, payer

SHARED = 0.2
"""The share of the patience that is divided among all moves waiting at one time."""

PACE = 0.2
"""The weight of the latest hint in the moving average of how long hints take."""


class Crowded(Exception):  # noqa: N818 - no error: an answer
    """Others come first, and there is no room for more."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    person_id: int
    table_id: int
    arrival: int
    called: asyncio.Future[float]

    @property
    def payer(self) -> tuple[int, ...]:
        return payer(self.person_id, self.table_id)


class Scheduler:
    """Decides which job may think next, and for how long.

    :param turns: how many jobs may run at the same time.
    :param room: how many jobs may wait in each lane.
    :param patience: the longest wait, in seconds.
    """

    def __init__(self, turns: int, room: int, patience: float) -> None:
        self._turns = self._free = turns
        self._room = room
        self._patience = patience
        self._length = 0.0
        """Average seconds that a hint takes."""
        self._begun: deque[tuple[bool, float]] = deque()
        self._lanes: dict[bool, list[_Waiting]] = {False: [], True: []}
        self._hint_was_last = False
        self._arrivals = count(1)
        self._last_turns = LastTurns()

    async def turn(self, table_id: int, person_id: int = 0, *, hint: bool = False) -> float:
        """Wait for a turn; the caller must call ``done`` after it.

        :param person_id: for whom the table plays; 0: nobody in particular.
        :param hint: whether a person is waiting for advice.
        :returns: the most seconds that the caller may think, so that others get their turn in time.
        :raises Crowded: there is no turn for this table now.
        """
        lane = self._lanes[hint]
        called: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        waiting = _Waiting(person_id, table_id, next(self._arrivals), called)
        lane.append(waiting)
        self._call()
        if len(lane) > self._room_now(hint):
            wait = Counter(each.payer for each in lane)
            last = max(lane, key=lambda each: (wait[each.payer], self._rank(each)))
            lane.remove(last)
            last.called.set_exception(Crowded())
        try:
            return await waiting.called
        except asyncio.CancelledError:
            if waiting in lane:
                lane.remove(waiting)
            elif not waiting.called.cancelled() and waiting.called.exception() is None:
                self.done()  # the turn came too late
            raise

    def done(self) -> None:
        """Give a turn back."""
        hint, begin = self._begun.popleft()
        if hint:
            took = asyncio.get_running_loop().time() - begin
            self._length += PACE * (took - self._length)
        self._free += 1
        self._call()

    def _call(self) -> None:
        """Give the free turns to waiting jobs."""
        while self._free and any(self._lanes.values()):
            hint = bool(self._lanes[True]) and not (self._hint_was_last and self._lanes[False])
            first = min(self._lanes[hint], key=self._rank)
            share = math.inf if hint else self._share(first)
            self._lanes[hint].remove(first)
            self._hint_was_last = hint
            self._last_turns.note(first.person_id, first.table_id)
            self._free -= 1
            self._begun.append((hint, asyncio.get_running_loop().time()))
            first.called.set_result(share)

    def _share(self, first: _Waiting) -> float:
        """Return the seconds for the next move; unlimited if no other move is waiting."""
        moves = self._lanes[False]
        if len(moves) == 1:
            return math.inf
        wait = Counter(each.payer for each in moves)
        return SHARED * self._patience * self._turns / (len(wait) * wait[first.payer])

    def _room_now(self, hint: bool) -> int:
        """Return how many may wait in a lane. Hints get half of the turns when both lanes are in
        use.
        """
        if not hint or self._length * self._room * 2 <= self._patience * self._turns:
            return self._room
        return max(1, int(self._patience * self._turns / (2 * self._length)))

    def _rank(self, waiting: _Waiting) -> tuple[tuple[int, int], int]:
        """Return the sort key of a job: first by the last turns, then by arrival."""
        rank = self._last_turns.rank(waiting.person_id, waiting.table_id)
        return rank, waiting.arrival
