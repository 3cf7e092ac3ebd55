"""Whose turn it is to think: fairly between people, between the tables of one person, and between
hints and computer players.

Thoughts wait in two lanes: hints, for which a person sits at the screen, and moves of computer
players. While both are waited for, they take turns: a hint waits for one move at most, and however
many people ask, half of the time is left to the tables that play on. Within a lane the person comes
first for whom the last thought was thought longest ago, and of this person's tables likewise. When
a lane is full, it is the person for whom most wait that has to do without this time, not whoever
comes last.

The more moves wait, the shorter each is thought about: those for whom they wait share the next
seconds, whoever has many tables shares their part among these, and what one does not need, such as
a move that is clear at once, is left to the others. Hints are not shortened; so of them only as
many may wait as can be served in time, by the pace of late: whoever would wait in vain is told so
at once.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter, deque
from dataclasses import dataclass
from itertools import count

from play.last_turns import LastTurns, payer

SHARED = 0.2
"""The part of the patience that the thoughts share about all moves that wait at one time."""

PACE = 0.2
"""The part that the latest hint has in the mean length of a hint."""


class Crowded(Exception):  # noqa: N818 - no error: an answer
    """Others have waited longer for a thought, and there is no room for more."""


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
    """Gives out turns to think.

    :param turns: how many may think at the same time.
    :param room: how many may wait, in each lane.
    :param patience: seconds that anyone waits.
    """

    def __init__(self, turns: int, room: int, patience: float) -> None:
        self._turns = self._free = turns
        self._room = room
        self._patience = patience
        self._length = 0.0
        """Seconds that a hint takes in the mean."""
        self._begun: deque[tuple[bool, float]] = deque()
        self._lanes: dict[bool, list[_Waiting]] = {False: [], True: []}
        self._hint_was_last = False
        self._arrivals = count(1)
        self._last_turns = LastTurns()

    async def turn(self, table_id: int, person_id: int = 0, *, hint: bool = False) -> float:
        """Wait for a turn; whoever has got one calls ``done`` after it.

        :param person_id: for whom the table is thought about; 0: nobody in particular.
        :param hint: a person waits for advice.
        :return: for how many seconds to think at most, so that the others come in time.
        :raises Crowded: there is none for this table now.
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
        """Give the turns that are free to those who wait."""
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
        """Seconds for the next thought about a move: as long as it likes if no other waits."""
        moves = self._lanes[False]
        if len(moves) == 1:
            return math.inf
        wait = Counter(each.payer for each in moves)
        return SHARED * self._patience * self._turns / (len(wait) * wait[first.payer])

    def _room_now(self, hint: bool) -> int:
        """How many may wait in a lane. Hints get half of the turns when both are in use."""
        if not hint or self._length * self._room * 2 <= self._patience * self._turns:
            return self._room
        return max(1, int(self._patience * self._turns / (2 * self._length)))

    def _rank(self, waiting: _Waiting) -> tuple[tuple[int, int], int]:
        """By the last turns; among those that had none, by arrival."""
        rank = self._last_turns.rank(waiting.person_id, waiting.table_id)
        return rank, waiting.arrival
