"""Exhaustive search of everything that can still follow, when little can.

Worlds are imagined that agree with the view; in each of them every line of play is followed to the
end, as if all cards lay open from here on, each seat playing for itself and chance counting by its
weights. A move is worth what it brings on average over the worlds. It ignores what the others do
not know about each other, which matters less the fewer cards are left.

After Ginsberg (2001), and Knuth (1975) for the guess how much there is to look at.
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
"""How many positions may be looked at for each iteration of the budget; an iteration plays about as
many moves.
"""

WORLDS_AT_LEAST, WORLDS_AT_MOST = 20, 300
"""How many worlds are imagined; identical ones are looked at once."""

SEEN_EACH = 10
"""How often each different world must have come up on average before they are assumed to be all
there are.
"""

PART = 0.5
"""The share of the time it may take: if it fails, the tree search needs the rest."""

HOPELESS = 50
"""How many times the estimate may exceed what can be searched."""

CLOCK = 128
"""Positions between two checks of the clocks."""

EQUAL = 1e-9
"""Values that differ by less are equal."""


class TooMuch(Exception):  # noqa: N818 - named by what is wrong, as in the engine
    """More can follow than can be searched."""


class Remainder(Generic[S]):
    """All that can follow after the moves of a seat.

    :param view: as the policy wants it.
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
        self._budget = POSITIONS * budget.iterations
        self._left = 0
        self._part = PART

    def advice(self) -> Advice:
        """The moves ranked by all that can follow.

        :raises TooMuch: too few worlds can be looked at.
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
        """Estimate how much can follow from the branches of one line of play.

        :raises TooMuch: far more than may be looked at.
        """
        positions = 1
        while (actors := self._actors(state)) and positions <= HOPELESS * self._left:
            moves = [move for move, _ in self._choices(state, actors[0])]
            positions *= len(moves)
            self._game.do(state, actors[0], self._rng.choice(moves))
        if positions > HOPELESS * self._left:
            raise TooMuch

    def _worths(self, state: S) -> Worths:
        """:raises TooMuch: more than may be looked at."""
        return {
            move: self._after(state, self._seat, move)[self._seat]
            for move in self._game.legal(state, self._seat)
        }

    def _after(self, state: S, seat: int, move: Move) -> Sequence[float]:
        """What a position is worth to each seat after a move."""
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
        """Who acts next; no one where the search looks no further.

        :raises TooMuch: several choose unseen.
        """
        if state.round > self._last_round:
            return ()
        actors = self._game.actors(state)
        if len(actors) > 1:
            raise TooMuch
        return actors

    def _choices(self, state: S, actor: int) -> Sequence[tuple[Move, float]]:
        """The moves or draws that can follow, with their weights.

        :raises TooMuch: the draws are too many to list.
        """
        if actor != CHANCE:
            return [(move, 1.0) for move in self._game.legal(state, actor)]
        draws = self._game.chance(state)
        if not draws:
            raise TooMuch
        return draws


def _is_worse(move: Move, other: Move, found: Sequence[Worths]) -> bool:
    """Whether a move is better than another one in no world, and worse in one at least."""
    gains = [worths[other] - worths[move] for worths in found]
    return min(gains) >= -EQUAL and max(gains) > EQUAL
