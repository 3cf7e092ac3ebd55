"""What goes into a computer player's thinking, and what comes out of it."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from enum import StrEnum

from games.engine import Move


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a player may think; the first limit reached counts.

    A single iteration is always made, so that there is always an answer.

    :param iterations: of the search; with nothing but this limit, advice is reproducible.
    :param seconds: CPU seconds of the thinking thread.
    :param patience: seconds of real time, in case the machine's processors are busy with other
        work.
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
        self._budget = budget
        self._cpu_start = time.thread_time()
        self._wall_start = time.monotonic()

    def left(self, iterations: int) -> float:
        """How many more iterations the budget allows, at the pace of those made so far.

        :param iterations: made so far, at least one.
        """
        budget = self._budget
        used = max(
            iterations / budget.iterations,
            _part(time.thread_time() - self._cpu_start, budget.seconds),
            _part(time.monotonic() - self._wall_start, budget.patience),
        )
        return iterations * (1 / used - 1)

    def over(self, part: float = 1.0) -> bool:
        """Whether this part of the time is up.

        :param part: above 0, up to 1.
        """
        budget = self._budget
        return (
            time.thread_time() - self._cpu_start >= part * budget.seconds
            or time.monotonic() - self._wall_start >= part * budget.patience
        )


def _part(spent: float, allowed: float) -> float:
    return spent / allowed if allowed > 0 else math.inf


class Proof(StrEnum):
    """What is known for certain of a move, against any defence.

    ``WIN``: it wins. ``LOSS``: the seat will be in the worse half of the places, which with two
    means that it loses. ``BEST``: no other move brings more, in any position that agrees with what
    the seat knows. ``WORSE``: another one brings as much in all that were looked at, twenty at
    least or all there are, and more in some.
    """

    WIN = "win"
    LOSS = "loss"
    BEST = "best"
    WORSE = "worse"


@dataclass(frozen=True, slots=True)
class Ranked:
    """A move with what the search has found out about it.

    :param value: from -1 (lost) to 1 (won) for the seat that asks.
    :param visits: how often the search went that way: the more, the more reliable.
    :param proof: None if the value rests on samples.
    :param distance: of a proven win or loss, the moves until the end of the match, this one
        included: 1 wins at once, 2 loses to the next move. A win may be shorter, a loss longer.
    """

    move: Move
    value: float
    visits: int
    proof: Proof | None = None
    distance: int = 0


class Stop(StrEnum):
    """Why a search has ended.

    ``ONLY``: there is a single move. ``PROVEN``: more thought could not change it.
    ``SOLVED``: everything that can follow was looked at. ``CLEAR``: no other move could have
    caught up. ``SPENT``: the budget was used up.
    """

    ONLY = "only"
    PROVEN = "proven"
    SOLVED = "solved"
    CLEAR = "clear"
    SPENT = "spent"


@dataclass(frozen=True, slots=True)
class Advice:
    """Ranked moves, the best first; the same for a computer player's turn and a person's hint.

    :param iterations: how long it was searched; 0 if there was nothing to search for.
    :param stop: why the search ended.
    """

    moves: tuple[Ranked, ...]
    iterations: int = 0
    stop: Stop = Stop.SPENT

    @property
    def best(self) -> Move:
        """The move to play."""
        return self.moves[0].move
