"""The limits of a computer player's thinking, and its result."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from enum import StrEnum

from games.engine import Move


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a player may think; the first limit reached counts.

    A search makes at least one iteration, so that there is always an answer.

    :param iterations: the iterations of the search; if this is the only limit, advice is
        reproducible.
    :param seconds: CPU seconds of the thinking thread.
    :param patience: the limit in real time, in seconds, for when the machine is busy with other
        work.
    :param endgame: the exhaustive search of the last moves may do as much work as this many
        iterations, if that is more than ``iterations``.
    """

    iterations: int
    seconds: float = math.inf
    patience: float = math.inf
    endgame: int = 0

    def shared(self, thoughts: float) -> Budget:
        """Return the budget for each of this many searches that share the CPU time."""
        return replace(self, seconds=self.seconds / thoughts)


LOOK_AFTER = 16
"""Iterations between two readings of the clocks. A reading takes as long as an iteration of a fast
game.
"""


class Countdown:
    """Tracks how much of a budget is left. The clocks start at construction."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._cpu_start = time.thread_time()
        self._wall_start = time.monotonic()

    def left(self, iterations: int) -> float:
        """Return how many more iterations the budget allows, at the pace so far.

        :param iterations: how many were made so far, at least one.
        """
        budget = self._budget
        used = max(
            iterations / budget.iterations,
            _part(time.thread_time() - self._cpu_start, budget.seconds),
            _part(time.monotonic() - self._wall_start, budget.patience),
        )
        return iterations * (1 / used - 1)

    def over(self, part: float = 1.0) -> bool:
        """Return whether this part of the time has been used up.

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
    """What is proven about a move, whatever the others do.

    ``WIN``: it wins. ``LOSS``: the seat will be in the worse half of the places, which with two
    seats means that it loses. ``BEST``: no other move gains more, in any position that agrees with
    the seat's knowledge. ``WORSE``: another move gains at least as much in all positions examined
    (at least twenty, or all there are), and more in some.
    """

    WIN = "win"
    LOSS = "loss"
    BEST = "best"
    WORSE = "worse"


@dataclass(frozen=True, slots=True)
class Ranked:
    """A move with the search's findings about it.

    :param value: from -1 (lost) to 1 (won) for the seat that asks.
    :param visits: how many results went into ``value``; the more, the more reliable it is.
    :param proof: None if nothing is proven.
    :param distance: for a proven win or loss, the number of moves until the end of the match,
        including this one: 1 wins at once, 2 loses to the next move. The match may in fact be won
        sooner, or lost later.
    """

    move: Move
    value: float
    visits: int
    proof: Proof | None = None
    distance: int = 0


class Stop(StrEnum):
    """Why a search has ended.

    ``ONLY``: there is a single move. ``PROVEN``: a longer search could not change the move.
    ``SOLVED``: all continuations were examined. ``CLEAR``: no other move could have caught up.
    ``SPENT``: the budget was used up.
    """

    ONLY = "only"
    PROVEN = "proven"
    SOLVED = "solved"
    CLEAR = "clear"
    SPENT = "spent"


@dataclass(frozen=True, slots=True)
class Advice:
    """Ranked moves, the best first: used both for a computer player's turn and for a person's hint.

    :param iterations: the iterations of the search, or the worlds sampled if all continuations were
        examined; 0 if there was no search.
    :param stop: why the search ended.
    """

    moves: tuple[Ranked, ...]
    iterations: int = 0
    stop: Stop = Stop.SPENT

    @property
    def best(self) -> Move:
        """The move to play."""
        return self.moves[0].move
