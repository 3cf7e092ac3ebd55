"""Whose turn it is to think: fairly between tables, and between people and computer players.

Thoughts wait in two lanes: hints, for which a person sits at the screen, and moves of computer
players. While both are waited for, they take turns: a hint waits for one move at most, and however
many people ask, half of the time is left to the tables that play on. Within a lane the table comes
first that has had its last thought longest ago. When a lane is full, it is the table with the
latest thought that has to do without this time, not whoever comes last.

The more moves wait, the shorter each is thought about: those that wait share the next seconds, and
what one does not need of them, such as a move that is clear at once, is left to the others. Hints
are not shortened; so of them only as many may wait as can be served in time, by the pace of late:
whoever would wait in vain is told so at once.
"""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict, deque
from dataclasses import dataclass
from itertools import count

SHARED = 0.2
"""The part of the patience that the thoughts share about all moves that wait at one time."""

TABLES_KNOWN = 10_000
"""Tables of which is known when they had their last thought."""


PACE = 0.2
"""The part that the latest hint has in the mean length of a hint."""


class Crowded(Exception):  # noqa: N818 - no error: an answer
    """Others have waited longer for a thought, and there is no room for more."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    table_id: int
    arrival: int
    called: asyncio.Future[float]


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
        self._last_turns: OrderedDict[int, int] = OrderedDict()
        self._turns_given = count(1)

    async def turn(self, table_id: int, *, hint: bool = False) -> float:
        """Wait for a turn; whoever has got one calls ``done`` after it.

        :param hint: a person waits for advice.
        :return: for how many seconds to think at most, so that the others come in time.
        :raises Crowded: there is none for this table now.
        """
        lane = self._lanes[hint]
        waiting = _Waiting(
            table_id, next(self._arrivals), asyncio.get_running_loop().create_future()
        )
        lane.append(waiting)
        self._call()
        if len(lane) > self._room_now(hint):
            last = max(lane, key=self._rank)
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
            share = math.inf if hint else self._share()
            self._lanes[hint].remove(first)
            self._hint_was_last = hint
            self._note_turn(first.table_id)
            self._free -= 1
            self._begun.append((hint, asyncio.get_running_loop().time()))
            first.called.set_result(share)

    def _share(self) -> float:
        """Seconds for the next thought about a move: as long as it likes if no other waits."""
        moves = len(self._lanes[False])
        return SHARED * self._patience * self._turns / moves if moves > 1 else math.inf

    def _room_now(self, hint: bool) -> int:
        """How many may wait in a lane. Hints get half of the turns when both are in use."""
        if not hint or self._length * self._room * 2 <= self._patience * self._turns:
            return self._room
        return max(1, int(self._patience * self._turns / (2 * self._length)))

    def _rank(self, waiting: _Waiting) -> tuple[int, int]:
        """By the last turn of the table; among those that had none, by arrival."""
        return self._last_turns.get(waiting.table_id, 0), waiting.arrival

    def _note_turn(self, table_id: int) -> None:
        self._last_turns[table_id] = next(self._turns_given)
        self._last_turns.move_to_end(table_id)
        if len(self._last_turns) > TABLES_KNOWN:
            self._last_turns.popitem(last=False)
