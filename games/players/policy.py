"""A game's knowledge for the search, beyond its rules.

The search works for every game without a policy. Games have one where it makes play stronger: it
says which moves are worth trying, what people would play without thinking ahead, and the value of a
position before the end.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Generic, TypeVar

from games.engine import CHANCE, Fact, Game, Move, State, View

S = TypeVar("S", bound=State)


class Policy(Generic[S]):
    """A policy that knows only the rules.

    :ivar playout: how many events a playout lasts beyond the tree before ``values`` judges the
        position.
    :ivar rounds: the search stops at the end of this many rounds, including the current one.
    :ivar worlds: the maximum number of positions to sample if something is hidden; the search uses
        them in turn.
    :ivar boldness: how much the search explores: the higher, the more often it tries moves that
        have not done best so far.
    :ivar silent: the kinds of facts that say nothing for or against a move, because they follow
        whichever move is made, or repeat the choice or a draw of chance.
    """

    playout: int = 10**6
    rounds: int = 10**6
    worlds: int = 64
    boldness: float = 3.0
    silent: frozenset[str] = frozenset()

    def __init__(self, game: Game[S]) -> None:
        self.game = game

    def view(self, view: View) -> View:
        """Return the view on which to base the decision: the given one, or the view of a smaller
        match in which the decision is the same.
        """
        return view

    def weights(self, state: S, seat: int, moves: Sequence[Move]) -> Sequence[float]:
        """Return the likelihood of each legal move being the best, in any unit; all above zero."""
        return [1.0] * len(moves)

    def decisive(self, state: S, seat: int) -> Move | None:
        """Return a move that wins at once, if there is one that is easy to see: the search then
        tries no other move. Otherwise None.
        """
        return None

    def pick(self, state: S, seat: int, rng: random.Random) -> Move:
        """Return the move that a person might play without a search. Playouts use it."""
        return self.game.random_move(state, seat, rng)

    def glance(self, state: S, seat: int, move: Move) -> float:
        """Return how good a legal move seems, from -1 to 1, without looking further ahead. By
        default the value of the position after it.
        """
        after = state.clone()
        self.game.do(after, seat, move)
        return self.values(after)[seat]

    def values(self, state: S) -> Sequence[float]:
        """Return the value of a position, from -1 to 1, one number for each seat; by default 0
        until there is an outcome.
        """
        outcome = self.game.outcome(state)
        if outcome is not None:
            return self.game.utility(outcome)
        return [0.0] * self.game.view(state, None).players

    def prospects(self, state: S) -> Sequence[float]:
        """Return values for display; by default those of ``values``. Games whose values contain
        more than points override this.
        """
        return self.values(state)

    def motives(self, state: S, seat: int, move: Move) -> list[Fact]:
        """Return why a legal move may be good, apart from its immediate effects."""
        return []

    def traits(self, state: S, seat: int, move: Move) -> list[Fact]:
        """Return the traits of a legal move. They are shown when several moves are named and none
        has a reason.
        """
        return []

    def tempting(self, state: S, seat: int) -> Move | None:
        """Return the obvious legal move, so that a hint can explain why it is not recommended: by
        default the one that seems best without a search, if no other seems as good. Otherwise None.
        """
        moves = self.game.legal(state, seat)
        seems = [self.glance(state, seat, move) for move in moves]
        most = max(seems)
        return moves[seems.index(most)] if seems.count(most) == 1 else None

    def drawbacks(self, state: S, seat: int, move: Move) -> list[Fact]:
        """Return the drawbacks of a legal move, such as what others could do after it."""
        return []


class Untaught(Policy[S]):
    """Another policy, stripped of its knowledge of moves. It only knows how far to look, and the
    value of the position there.
    """

    def __init__(self, taught: Policy[S]) -> None:
        super().__init__(taught.game)
        self.playout = taught.playout
        self.rounds = taught.rounds
        self.worlds = taught.worlds
        self.boldness = taught.boldness
        self._taught = taught

    def view(self, view: View) -> View:
        """Return the policy's view, because a smaller match saves work without changing a
        decision.
        """
        return self._taught.view(view)

    def values(self, state: S) -> Sequence[float]:
        """Return the values of the policy."""
        return self._taught.values(state)


def play_at_a_glance(policy: Policy[S], state: S, last_round: int, rng: random.Random) -> None:
    """Continue the match for up to ``playout`` events, choosing each move with ``pick``.

    :param last_round: playing stops at the end of this round.
    """
    game, end = policy.game, state.ply + policy.playout
    while state.ply < end and state.round <= last_round and (actors := game.actors(state)):
        seat = actors[0]
        move = game.sample(state, rng) if seat == CHANCE else policy.pick(state, seat, rng)
        game.do(state, seat, move)
