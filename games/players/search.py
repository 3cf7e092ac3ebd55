"""The one search of all computer players: information set Monte Carlo tree search.

Each iteration imagines a full position that agrees with what the player knows, follows the tree
of moves as far as it has grown, adds one move to it, plays on for a while at a glance, and notes
for every move on the way what came of it for the seat that made it. So every seat is assumed
to play for itself (max^n), and as the worlds change while the tree stays, no move is chosen for
what the player cannot know.

* In the tree, a move is chosen by what it has brought and by what the policy expects of it;
  expectations count less the more often it was tried (PUCT).
* Where several seats decide at once, the others choose at a glance and unseen.
* The tree ends where chance is asked: what comes after it is only played out.
* A move that wins at once is the only one looked at, so that threats are seen without luck.

After Cowling, Powley and Whitehouse (2012), Rosin (2011), and Teytaud and Teytaud (2010).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import sqrt
from operator import attrgetter
from typing import Generic, TypeVar

from games.engine import CHANCE, Move, State, View
from games.players.advice import Advice, Budget, Countdown, Ranked
from games.players.policy import Policy

S = TypeVar("S", bound=State)

WAVERING = 0.01
"""What chance adds to a move's prior at most, so that equal moves are tried in varying order."""


class Branch:
    """A move in the tree and what has come of it.

    :ivar prior: the part of all trials that the policy would give it.
    :ivar offered: how often it was legal when its turn came.
    :ivar total: sum of the values of its visits for the seat that makes it.
    """

    __slots__ = ("move", "node", "offered", "prior", "total", "visits")

    def __init__(self, move: Move, prior: float) -> None:
        self.move = move
        self.prior = prior
        self.offered = 0
        self.visits = 0
        self.total = 0.0
        self.node: Node | None = None


class Node:
    """A decision in the tree.

    :ivar branches: by move, in whatever world it was legal.
    :ivar tried: where the same are legal in all worlds, those that have been followed.
    :ivar untried: and those that have not, the most promising last.
    """

    __slots__ = ("branches", "total", "tried", "untried", "visits")

    def __init__(self) -> None:
        self.branches: dict[Move, Branch] = {}
        self.tried: list[Branch] = []
        self.untried: list[Branch] = []
        self.visits = 0
        self.total = 0.0


class Search(Generic[S]):
    """A search for the best move of ``view.viewer``."""

    def __init__(self, policy: Policy[S], view: View, rng: random.Random) -> None:
        """:param view: of a seat that has to act."""
        view = policy.view(view)
        if view.viewer is None or view.viewer not in view.actors:
            raise ValueError("only a seat that has to act can be advised")
        self.policy = policy
        self.game = policy.game
        self.rng = rng
        self.seat = view.viewer
        self.root = Node()
        self._view = view
        self._worlds: list[S] = []
        self._certain = not self.game.info.hidden
        self._settled = self._certain and not self.game.info.simultaneous
        self._last_round = view.round + policy.rounds - 1

    def run(self, budget: Budget) -> Advice:
        """Search until the budget is spent, unless the move is obvious."""
        obvious = self._obvious(self._world(0))
        if obvious is not None:
            return Advice((obvious,))
        countdown = Countdown(budget)
        iterations = 0
        while not iterations or not countdown.over(iterations):
            self._iterate(self._world(iterations))
            iterations += 1
        return Advice(self._ranking(), iterations)

    # -- before and after
    def _world(self, number: int) -> S:
        """A position that agrees with the view, for an iteration to play with."""
        wanted = 1 if self._certain else self.policy.worlds
        if len(self._worlds) < min(wanted, number + 1):
            self._worlds.append(self.game.determinize(self._view, self.rng))
        return self._worlds[number % len(self._worlds)].clone()

    def _obvious(self, state: S) -> Ranked | None:
        """The only move, or one that surely wins at once."""
        moves = self.game.legal(state, self.seat)
        if len(moves) == 1:
            return Ranked(moves[0], 0.0, 0)
        if self._certain:
            decisive = self.policy.decisive(state, self.seat)
            for move in moves if decisive is None else [decisive]:
                if self._wins(state.clone(), move):
                    return Ranked(move, 1.0, 0)
        return None

    def _wins(self, state: S, move: Move) -> bool:
        self.game.do(state, self.seat, move)
        outcome = self.game.outcome(state)
        return outcome is not None and outcome.utility()[self.seat] == 1

    def _ranking(self) -> tuple[Ranked, ...]:
        tried = [branch for branch in self.root.branches.values() if branch.visits]
        tried.sort(key=lambda branch: (-branch.visits, -branch.total, -branch.prior))
        return tuple(Ranked(b.move, b.total / b.visits, b.visits) for b in tried)

    # -- one iteration
    def _iterate(self, state: S) -> None:
        way: list[tuple[Node, Branch, int]] = []
        node: Node | None = self.root
        while node is not None:
            seat = self._mover(state)
            if seat == CHANCE:
                break
            branch = self._branch(node, state, seat)
            way.append((node, branch, seat))
            self.game.do(state, seat, branch.move)
            node = branch.node
            if node is None:
                branch.node = Node()
        self._play_out(state)
        values = self.policy.values(state)
        for node, branch, seat in way:
            value = values[seat]
            node.visits += 1
            node.total += value
            branch.visits += 1
            branch.total += value

    def _mover(self, state: S) -> int:
        """Whose decision is next in the tree; CHANCE where it ends."""
        actors = self.game.actors(state)
        while len(actors) > 1:
            for seat in actors:
                if seat != self.seat:
                    self.game.do(state, seat, self.policy.pick(state, seat, self.rng))
            if self.seat in actors:
                return self.seat
            actors = self.game.actors(state)
        if not actors or state.round > self._last_round:
            return CHANCE
        return actors[0]

    def _branch(self, node: Node, state: S, seat: int) -> Branch:
        """The move to follow."""
        if node.tried:
            return _best(node)
        decisive = self.policy.decisive(state, seat)
        moves = [decisive] if decisive is not None else self.game.legal(state, seat)
        branches = node.branches
        if any(move not in branches for move in moves):
            self._grow(node, state, seat, moves)
        legal = [branches[move] for move in moves]
        if not self._settled:
            return _best_offered(node, legal)
        node.untried = sorted(legal, key=attrgetter("prior"))
        return _best(node)

    def _grow(self, node: Node, state: S, seat: int, moves: Sequence[Move]) -> None:
        weights = self.policy.weights(state, seat, moves)
        whole = sum(weights) / self.policy.boldness
        for move, weight in zip(moves, weights, strict=True):
            if move not in node.branches:
                prior = weight / whole * (1 + WAVERING * self.rng.random())
                node.branches[move] = Branch(move, prior)

    def _play_out(self, state: S) -> None:
        game, policy, rng = self.game, self.policy, self.rng
        end = state.ply + policy.playout
        while state.ply < end and state.round <= self._last_round:
            actors = game.actors(state)
            if not actors:
                return
            seat = actors[0]
            if seat == CHANCE:
                game.do(state, CHANCE, game.sample(state, rng))
            else:
                game.do(state, seat, policy.pick(state, seat, rng))


def _best(node: Node) -> Branch:
    """The branch that promises most, if all of them are always offered.

    One that was never tried is expected to bring what the others have brought on average; so of
    those only the one with the highest prior can be the next.
    """
    spread = sqrt(node.visits + 1)
    fresh = node.untried[-1] if node.untried else None
    best = fresh or node.tried[0]
    most = -9e9
    if fresh is not None:
        most = (node.total / node.visits if node.visits else 0.0) + spread * fresh.prior
    for branch in node.tried:
        visits = branch.visits
        promise = branch.total / visits + spread * branch.prior / (1 + visits)
        if promise > most:
            best, most = branch, promise
    if best is fresh:
        node.tried.append(node.untried.pop())
    return best


def _best_offered(node: Node, branches: Sequence[Branch]) -> Branch:
    """The same where each world offers others: a move is not neglected for not being legal."""
    expected = node.total / node.visits if node.visits else 0.0
    best = branches[0]
    most = -9e9
    for branch in branches:
        branch.offered += 1
        visits = branch.visits
        mean = branch.total / visits if visits else expected
        promise = mean + sqrt(branch.offered) * branch.prior / (1 + visits)
        if promise > most:
            best, most = branch, promise
    return best
