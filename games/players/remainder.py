"""Searches all continuations exhaustively when only a few are left.

The search samples worlds that agree with the view. In each of them it follows every line of play
for as many rounds as the policy looks ahead, as if all cards were open from now on; each seat plays
for itself, and draws are weighted by their odds. The value of a move is its average result over the
worlds. This ignores that the others do not see each other's cards, which matters less and less as
fewer cards are left.

After Ginsberg (2001), and Knuth (1975) for the estimate of the size of the search.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Generic, TypeVar

from games.engine import CHANCE, Move, State, View
from games.players.advice import Advice, Budget, Countdown, Proof, Ranked, Stop
from games.players.policy import Policy

S = TypeVar("S", bound=State)

Worths = dict[Move, float]
"""The value of each move for the asking seat."""

POSITIONS = 20
"""How many positions may be examined for each iteration of the budget: about as many as the moves
that an iteration plays.
"""

WORLDS_AT_LEAST, WORLDS_AT_MOST = 20, 300
"""How many different worlds must have been searched when the budget runs out, and how many worlds
are sampled at most. Identical ones are searched only once.
"""

SEEN_EACH = 10
"""The sample counts as complete if each distinct world has occurred this many times, on average.
"""

PART = 0.5
"""The share of the time that this search may take; the tree search needs the rest if this one
fails.
"""

HOPELESS = 50
"""Give up if the estimate exceeds the number of positions left by more than this factor."""

CLOCK = 128
"""Positions between two checks of the clocks."""

EQUAL = 1e-9
"""Values that differ by less count as equal."""


class TooMuch(Exception):  # noqa: N818 - named after the problem, as in the engine
    """There are more continuations than can be searched, or they cannot be listed."""


class Remainder(Generic[S]):
    """All continuations after the moves of a seat.

    :param view: the view that the policy returned.
    """

    def __init__(
        self,
        policy: Policy[S],
        view: View,
        rng: random.Random,
        budget: Budget,
        countdown: Countdown,
    ) -> None:
        self._policy = policy
        self._game = policy.game
        self._view = view
        self._rng = rng
        self._seat = view.viewer or 0
        self._last_round = view.round + policy.rounds - 1
        self._countdown = countdown
        self._budget = POSITIONS * max(budget.iterations, budget.endgame)
        self._left = 0
        self._part = PART

    def advice(self) -> Advice:
        """Examine all continuations, and return the moves, the best first.

        :raises TooMuch: there are too many continuations, or they cannot be listed.
        """
        worlds: list[S] = [self._imagine()]
        times = [1]
        wanted = WORLDS_AT_LEAST if self._imagine() != worlds[0] else 1
        self._left, self._part = self._budget // wanted, PART / wanted
        self._guess(worlds[0].clone())
        found = [self._worths(worlds[0])]
        self._left, self._part = self._left + self._budget - self._budget // wanted, PART
        for _ in range(WORLDS_AT_MOST - 1):
            world = self._imagine()
            at = next((at for at, known in enumerate(worlds) if known == world), None)
            if at is not None:
                times[at] += 1
                continue
            try:
                found.append(self._worths(world))
            except TooMuch:
                if len(found) < WORLDS_AT_LEAST:
                    raise
                break
            worlds.append(world)
            times.append(1)
        return self._ranked(found, times)

    def _imagine(self) -> S:
        return self._game.determinize(self._view, self._rng)

    def _ranked(self, found: Sequence[Worths], times: Sequence[int]) -> Advice:
        drawn = sum(times)
        means = {
            move: sum(n * worths[move] for n, worths in zip(times, found, strict=True)) / drawn
            for move in found[0]
        }
        moves = sorted(means, key=means.__getitem__, reverse=True)
        proofs: dict[Move, Proof] = {}
        all_ = SEEN_EACH * len(found) <= drawn
        if all_ or len(found) >= WORLDS_AT_LEAST:
            worse = [m for m in moves if any(_is_worse(m, other, found) for other in moves)]
            proofs = dict.fromkeys(worse, Proof.WORSE)
            if all_ and all(_is_worse(move, moves[0], found) for move in moves[1:]):
                proofs[moves[0]] = Proof.BEST
        ranked = (Ranked(move, means[move], drawn, proofs.get(move)) for move in moves)
        return Advice(tuple(ranked), drawn, Stop.SOLVED)

    # -- one world
    def _guess(self, state: S) -> None:
        """Estimate the number of continuations from the branches of one line of play.

        :raises TooMuch: there are far too many.
        """
        positions = 1
        while (actors := self._actors(state)) and positions <= HOPELESS * self._left:
            moves = [move for move, _ in self._choices(state, actors[0])]
            positions *= len(moves)
            self._game.do(state, actors[0], self._rng.choice(moves))
        if positions > HOPELESS * self._left:
            raise TooMuch

    def _worths(self, state: S) -> Worths:
        """Return the value of each move in a world.

        :raises TooMuch: there are too many positions.
        """
        return {
            move: self._after(state, self._seat, move)[self._seat]
            for move in self._game.legal(state, self._seat)
        }

    def _after(self, state: S, seat: int, move: Move) -> Sequence[float]:
        """Return, for each seat, the value of the position after a move."""
        self._left -= 1
        if self._left < 0 or (self._left % CLOCK == 0 and self._countdown.over(self._part)):
            raise TooMuch
        after = state.clone()
        self._game.do(after, seat, move)
        actors = self._actors(after)
        if not actors:
            return self._policy.values(after)
        actor = actors[0]
        results = [
            (weight, self._after(after, actor, move))
            for move, weight in self._choices(after, actor)
        ]
        if actor != CHANCE:
            return max((values for _, values in results), key=lambda values: values[actor])
        whole = sum(weight for weight, _ in results)
        weighted = ([weight * value for value in values] for weight, values in results)
        return [sum(parts) / whole for parts in zip(*weighted, strict=True)]

    def _actors(self, state: S) -> tuple[int, ...]:
        """Return the next actors; empty where the search looks no further.

        :raises TooMuch: more than one seat chooses at once.
        """
        if state.round > self._last_round:
            return ()
        actors = self._game.actors(state)
        if len(actors) > 1:
            raise TooMuch
        return actors

    def _choices(self, state: S, actor: int) -> Sequence[tuple[Move, float]]:
        """Return the moves or draws that can follow, with their weights.

        :raises TooMuch: there are too many draws to list.
        """
        if actor != CHANCE:
            return [(move, 1.0) for move in self._game.legal(state, actor)]
        draws = self._game.chance(state)
        if not draws:
            raise TooMuch
        return draws


def _is_worse(move: Move, other: Move, found: Sequence[Worths]) -> bool:
    """Return whether a move is better than another in no world, and worse in at least one."""
    gains = [worths[other] - worths[move] for worths in found]
    return min(gains) >= -EQUAL and max(gains) > EQUAL
