"""What goes into a computer player's thinking, and what comes out of it."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from games.engine import Move


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a player may think; whichever limit comes first.

    A single iteration is always made, so that there is always an answer.

    :param iterations: of the search; with nothing but this limit, advice is reproducible.
    :param seconds: CPU seconds of the thinking thread.
    :param patience: seconds on the wall, for a machine whose processors are busy with others.
    """

    iterations: int
    seconds: float = math.inf
    patience: float = math.inf

    def shared(self, thoughts: float) -> Budget:
        """The part of the CPU time that is left to one of several thoughts."""
        return Budget(self.iterations, self.seconds / thoughts, self.patience)


LOOK_AFTER = 16
"""Iterations between two looks at the clocks, which cost as much as an iteration of a fast game."""


class Countdown:
    """A budget being spent, from the moment this is made."""

    def __init__(self, budget: Budget) -> None:
        self._iterations = budget.iterations
        self._cpu_end = time.thread_time() + budget.seconds
        self._wall_end = time.monotonic() + budget.patience

    def over(self, iterations: int) -> bool:
        """Whether so many iterations have used it up; asked after each of them."""
        if iterations >= self._iterations:
            return True
        if iterations % LOOK_AFTER != 1:
            return False
        return time.thread_time() >= self._cpu_end or time.monotonic() >= self._wall_end


@dataclass(frozen=True, slots=True)
class Ranked:
    """A move with what the search has found out about it.

    :param value: from -1 (lost) to 1 (won) for the seat that asks.
    :param visits: how often the search went that way: the more, the more reliable.
    """

    move: Move
    value: float
    visits: int


@dataclass(frozen=True, slots=True)
class Advice:
    """Ranked moves, the best first; the same for a computer player's turn and a person's hint.

    :param iterations: how long it was searched; 0 if there was nothing to search for.
    """

    moves: tuple[Ranked, ...]
    iterations: int = 0

    @property
    def best(self) -> Move:
        """The move to play."""
        return self.moves[0].move
