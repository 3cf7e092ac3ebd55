"""Compares a few moves fairly: each is played in the same worlds, with the same luck.

A search follows some moves more often than others, and in different worlds, so its values vary too
much to say which of two close moves is better. Here everything but the moves is the same (common
random numbers): luck helps or harms all of them alike, and mostly cancels out in their differences.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import starmap
from math import inf, sqrt
from operator import sub
from statistics import fmean, stdev
from typing import Generic, TypeVar

from games.engine import Move, State, View
from games.players.advice import Ranked
from games.players.policy import Policy, play_at_a_glance

S = TypeVar("S", bound=State)


class Comparison(Generic[S]):
    """Plays on after each of a seat's candidate moves, in one imagined world after another."""

    def __init__(self, policy: Policy[S], view: View, rng: random.Random) -> None:
        """:param view: the view of a seat that has to act."""
        self._policy = policy
        self._view = policy.view(view)
        self._seat = self._view.viewer or 0
        self._rng = rng
        self._values: dict[Move, list[float]] = {}

    def compare(self, moves: Sequence[Move], worlds: int) -> tuple[Ranked, ...]:
        """Play each of these moves in further worlds, and rank them by all worlds so far.

        :param moves: legal ones; after the first call, only moves from the previous call.
        """
        policy = self._policy
        for _ in range(worlds):
            world, luck = policy.game.determinize(self._view, self._rng), self._rng.getrandbits(32)
            for move in moves:
                after = world.clone()
                policy.game.do(after, self._seat, move)
                play_at_a_glance(
                    policy, after, world.round + policy.rounds - 1, random.Random(luck)
                )
                self._values.setdefault(move, []).append(policy.values(after)[self._seat])
        ranked = (Ranked(m, fmean(self._values[m]), len(self._values[m])) for m in moves)
        return tuple(sorted(ranked, key=lambda each: -each.value))

    def error(self, one: Move, other: Move) -> float:
        """Return the standard error of the difference between two moves of the last call."""
        differences = list(starmap(sub, zip(self._values[one], self._values[other], strict=True)))
        return stdev(differences) / sqrt(len(differences)) if len(differences) > 1 else inf
