"""The search that all computer players share: information set Monte Carlo tree search.

Each iteration samples a full position that agrees with the player's knowledge. It follows the tree
of moves as far as it has grown, adds one move to it, and continues for a while without searching.
It records the result for each move on the path, from the point of view of the seat that made it. So
every seat is assumed to play for itself (max^n). The worlds change but the tree remains the same,
so no choice relies on knowledge that the player cannot have.

* In the tree, moves are chosen by their results so far and by the policy's expectations;
  expectations count less the more often a move was tried (PUCT).
* Where several seats decide at once, the choices of the others are made without searching, and the
  player does not see them.
* The tree ends where chance draws: later events are only played out.
* If the policy sees a move that wins at once, no other is considered, so seeing a threat does not
  depend on luck.
* Where everything is open and seats move one at a time, proofs from the end of the match are
  carried up the tree: a won position is no longer searched, and a lost move is not tried again.
* Where something is hidden and few continuations are left, all of them are examined, in many
  worlds.

After Cowling, Powley and Whitehouse (2012), Rosin (2011), Teytaud and Teytaud (2010), Winands,
Björnsson and Saito (2008), and Cazenave and Saffidine (2010).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from operator import attrgetter
from typing import Generic, TypeVar

from games.engine import CHANCE, Move, State, View
from games.players.advice import LOOK_AFTER, Advice, Budget, Countdown, Proof, Ranked, Stop
from games.players.policy import Policy, play_at_a_glance
from games.players.proof import Bounds, bounds_of
from games.players.remainder import Remainder, TooMuch

S = TypeVar("S", bound=State)

WAVERING = 0.01
"""The largest random addition to a move's prior, as a share of the prior, so that equal moves are
tried in varying order.
"""


_GROUPS: dict[Proof | None, int] = {Proof.WIN: 0, None: 1, Proof.LOSS: 2}
"""The order in which moves are ranked, by what is proven about them."""


@dataclass(slots=True, eq=False)
class Branch:
    """A move in the tree, with its results.

    :ivar prior: the share of all trials that the policy would give it, times ``boldness``.
    :ivar offered: if legal moves differ between worlds: how often it was legal at its node.
    :ivar total: the sum of the values of all visits, for the seat that makes the move.
    """

    move: Move
    prior: float
    offered: int = 0
    visits: int = 0
    total: float = 0.0
    node: Node | None = None


@dataclass(slots=True, eq=False)
class Node:
    """A decision in the tree.

    :ivar branches: by move, from all worlds in which it was legal.
    :ivar tried: if the same moves are legal in all worlds: the moves that have been followed and
        are not proven to lose.
    :ivar untried: in the same case, the moves that have not been followed, the most promising last.
    :ivar decisive: the move that wins at once, if the policy sees one.
    :ivar bounds: the proven bounds of the position.
    """

    branches: dict[Move, Branch] = field(default_factory=dict)
    tried: list[Branch] = field(default_factory=list)
    untried: list[Branch] = field(default_factory=list)
    decisive: Move | None = None
    bounds: Bounds | None = None
    visits: int = 0
    total: float = 0.0


class Search(Generic[S]):
    """A search for the best move of ``view.viewer``."""

    def __init__(self, policy: Policy[S], view: View, rng: random.Random) -> None:
        """:param view: the view of a seat that has to act.
        :raises ValueError: the viewer does not have to act.
        """
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
        self._settled = not self.game.info.has_secrets
        self._last_round = view.round + policy.rounds - 1

    def run(self, budget: Budget) -> Advice:
        """Search until the budget is spent, or until a longer search would not change the move; if
        the move is obvious, do not search at all.
        """
        obvious = self._obvious(self._world(0))
        if obvious is not None:
            return obvious
        countdown = Countdown(budget)
        advice = self._remainder(budget, countdown)
        if advice is not None:
            return advice
        iterations, stop = 0, None
        while stop is None:
            self._iterate(self._world(iterations))
            iterations += 1
            stop = self._reason_to_stop(iterations, budget, countdown)
        return Advice(self._ranking(), iterations, stop)

    def glance(self, *, wary: bool = False) -> Advice:
        """Rank moves by how they seem without looking any further ahead; equal moves come in random
        order. A move that certainly wins at once is returned alone.

        :param wary: if nothing is hidden, put first the best move that does not let the next seat
            win at once.
        """
        world = self._world(0)
        obvious = self._obvious(world)
        if obvious is not None:
            return obvious
        seen = [
            Ranked(move, self.policy.glance(world, self.seat, move), 1)
            for move in self.game.legal(world, self.seat)
        ]
        self.rng.shuffle(seen)
        seen.sort(key=attrgetter("value"), reverse=True)
        if wary and self._settled:
            safe = (ranked for ranked in seen if not self._loses_at_once(world, ranked.move))
            best = next(safe, seen[0])
            seen.sort(key=lambda ranked: ranked is not best)
        return Advice(tuple(seen))

    def _loses_at_once(self, state: S, move: Move) -> bool:
        """Return whether the next seat can win with a single move after this one."""
        after = state.clone()
        self.game.do(after, self.seat, move)
        actors = self.game.actors(after)
        if len(actors) != 1 or actors[0] in (self.seat, CHANCE):
            return False
        return any(
            self._wins(after.clone(), answer, actors[0])
            for answer in self.game.legal(after, actors[0])
        )

    def _remainder(self, budget: Budget, countdown: Countdown) -> Advice | None:
        """Return advice from an exhaustive search; None if the continuations cannot all be
        searched, or if nothing is hidden, because the tree itself then proves results.
        """
        if self._settled:
            return None
        try:
            return Remainder(self.policy, self._view, self.rng, budget, countdown).advice()
        except TooMuch:
            return None

    def _reason_to_stop(self, iterations: int, budget: Budget, countdown: Countdown) -> Stop | None:
        if self._is_proven():
            return Stop.PROVEN
        if self._settled and not self.root.tried:
            return None  # all moves tried so far lose, so keep looking for one that does not
        if iterations < budget.iterations and iterations % LOOK_AFTER != 1:
            return None
        left = countdown.left(iterations)
        if left <= 0:
            return Stop.SPENT
        return Stop.CLEAR if self._is_contested() and self._lead() > left else None

    def _is_contested(self) -> bool:
        """Return whether more than one move is left that is not proven to lose. If only one is, the
        search continues as long as there is time, because if that move loses too, the move with the
        longest defence is played.
        """
        return not self._settled or len(self.root.tried) + len(self.root.untried) > 1

    def _is_proven(self) -> bool:
        """Return whether a longer search could not change the move."""
        bounds = self.root.bounds
        return bounds is not None and (bounds.exact or bounds.low[self.seat] == 1)

    def _lead(self) -> int:
        """Return by how many visits the first move is ahead of the second, or of an untried one."""
        branches = self.root.tried if self._settled else self.root.branches.values()
        first, second, *_ = *sorted((branch.visits for branch in branches), reverse=True), 0, 0
        return first - second

    # -- before and after
    def _world(self, number: int) -> S:
        """Return a position that agrees with the view, for one iteration."""
        wanted = 1 if self._settled else self.policy.worlds
        if len(self._worlds) < min(wanted, number + 1):
            self._worlds.append(self.game.determinize(self._view, self.rng))
        return self._worlds[number % len(self._worlds)].clone()

    def _obvious(self, state: S) -> Advice | None:
        """Return advice for the only move, or for one that certainly wins at once; None if there is
        neither.
        """
        moves = self.game.legal(state, self.seat)
        if len(moves) == 1:
            return Advice((Ranked(moves[0], 0.0, 0),), stop=Stop.ONLY)
        if self._settled:
            decisive = self.policy.decisive(state, self.seat)
            for move in moves if decisive is None else [decisive]:
                if self._wins(state.clone(), move, self.seat):
                    ranked = Ranked(move, 1.0, 0, Proof.WIN, distance=1)
                    return Advice((ranked,), stop=Stop.PROVEN)
        return None

    def _wins(self, state: S, move: Move, seat: int) -> bool:
        self.game.do(state, seat, move)
        outcome = self.game.outcome(state)
        return outcome is not None and self.game.utility(outcome)[seat] == 1

    def _ranking(self) -> tuple[Ranked, ...]:
        """Return proven wins first, the shortest first; proven losses last, the longest first; and
        all other moves in between, by visits.
        """
        tried = [
            (self._ranked(branch), branch)
            for branch in self.root.branches.values()
            if branch.visits
        ]
        tried.sort(
            key=lambda pair: (
                _GROUPS[pair[0].proof],
                pair[0].distance * (-1 if pair[0].proof is Proof.LOSS else 1),
                -pair[1].visits,
                -pair[1].total,
                -pair[1].prior,
            )
        )
        return tuple(ranked for ranked, _ in tried)

    def _ranked(self, branch: Branch) -> Ranked:
        bounds = branch.node.bounds if branch.node else None
        mean = branch.total / branch.visits
        if bounds is None:
            return Ranked(branch.move, mean, branch.visits)
        low, high = bounds.low[self.seat], bounds.high[self.seat]
        value = min(max(mean, low), high)
        proof = Proof.WIN if low == 1 else Proof.LOSS if high < 0 else None
        return Ranked(branch.move, value, branch.visits, proof, bounds.moves + 1 if proof else 0)

    # -- one iteration
    def _iterate(self, state: S) -> None:
        way: list[tuple[Node, Branch, int]] = []
        node: Node | None = self.root
        values: Sequence[float] | None = None
        while node is not None:
            if node.bounds is not None and node.bounds.exact:
                values = node.bounds.low
                break
            seat = self._mover(state)
            if seat == CHANCE:
                break
            branch = self._branch(node, state, seat)
            way.append((node, branch, seat))
            self.game.do(state, seat, branch.move)
            node = branch.node
            if node is None:
                branch.node = Node()
                if self._settled and self._ends_soon(branch.node, state):
                    node = branch.node
        if values is None:
            play_at_a_glance(self.policy, state, self._last_round, self.rng)
            values = self.policy.values(state)
        for node, branch, seat in way:
            value = values[seat]
            node.visits += 1
            node.total += value
            branch.visits += 1
            branch.total += value
        if self._settled:
            self._carry_up(way)

    def _ends_soon(self, node: Node, state: S) -> bool:
        """Return whether the match is over in a position that the tree has just reached, or the
        seat to move can win at once; record that in the node.
        """
        outcome = self.game.outcome(state)
        if outcome is not None:
            utilities = self.game.utility(outcome)
            node.bounds = Bounds(utilities, utilities, 0)
            return True
        actor = self.game.actors(state)[0]
        if actor != CHANCE:
            node.decisive = self.policy.decisive(state, actor)
        return node.decisive is not None

    def _carry_up(self, way: Sequence[tuple[Node, Branch, int]]) -> None:
        """Update the bounds along a path after something was proven at its end."""
        for node, branch, seat in reversed(way):
            proven = branch.node.bounds if branch.node else None
            if proven is None:
                return
            others_left = len(node.tried) + len(node.untried) > 1
            if proven.high[seat] <= -1 and others_left and branch in node.tried:
                node.tried.remove(branch)
            children = (b.node.bounds if b.node else None for b in node.branches.values())
            bounds = bounds_of(seat, children, complete=node.decisive is None)
            if bounds == node.bounds:
                return
            node.bounds = bounds

    def _mover(self, state: S) -> int:
        """Return the seat whose decision is next in the tree; CHANCE where the tree ends."""
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
        if node.tried or node.untried:
            return _best(node)
        if not self._settled or node is self.root:
            node.decisive = self.policy.decisive(state, seat)
        decisive = node.decisive
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


def _best(node: Node) -> Branch:
    """Return the most promising branch, if all of them are always offered.

    Moves that were never tried are all expected to achieve the average result of the others, so
    among them only the one with the highest prior can come next.
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
    """Do the same as ``_best`` where legal moves differ between worlds, without penalising moves
    for the worlds in which they were illegal.
    """
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
