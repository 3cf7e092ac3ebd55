"""Our search compared with OpenSpiel's: ``python -m benchmarks.search [game ...] [--matches 20]``.

OpenSpiel's own Python searches (MCTS where nothing is hidden, information set MCTS otherwise) play
on our engines through an adapter, and our search plays there too, with uniform expectations, random
moves after the tree, and the same horizon. Each position is measured with up to two horizons: the
end of the match or of the rounds that our policy looks ahead; and the point at which our policy
cuts playouts off, if that is sooner. It prints simulations per CPU second at the start of a match
and throughout it, as medians of several repetitions, and with ``--matches`` how often our search
beats theirs with the same number of simulations.

Needs ``requirements/bench.txt``.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

from benchmarks.intervals import wilson
from games import GAMES
from games.engine import CHANCE, Event, Game, Match, Move
from games.players import Advice, Budget, policy_for
from games.players.policy import Policy, Untaught
from games.players.search import Search
from scripts.matches import new_match

AIMS = {"isis": 1.5}
"""Target ratios that differ from the usual one."""

AIM = 3.0

EXPLORATION = 1.4
"""OpenSpiel's default for the UCT constant."""


# ---------------------------------------------------------------------------- the adapter
class Kind:
    """What OpenSpiel asks about a game before it searches."""

    reward_model = pyspiel.GameType.RewardModel.TERMINAL
    dynamics = pyspiel.GameType.Dynamics.SEQUENTIAL
    information = pyspiel.GameType.Information.IMPERFECT_INFORMATION


class World:
    """A game with OpenSpiel's interface."""

    def __init__(self, policy: Policy[Any], last_round: int) -> None:
        self.policy = policy
        self.game = policy.game
        self.last_round = last_round
        self.rng = random.Random(1)

    def get_type(self) -> Kind:
        """Return what OpenSpiel asks about this game."""
        return Kind()

    def max_utility(self) -> float:
        """Return the value of a win."""
        return 1.0


class Position:  # the names of its methods are OpenSpiel's
    """A state with OpenSpiel's interface, which numbers moves.

    :cvar moves: all moves that were ever legal; the index of a move is its number.
    :ivar way: what the searching seat has seen since the root; identifies its information set.
    """

    numbers: ClassVar[dict[Move, int]] = {}
    moves: ClassVar[list[Move]] = []

    def __init__(self, world: World, state: Any, seat: int, way: str = "") -> None:
        self.world = world
        self.state = state
        self.seat = seat
        self.way = way

    def get_game(self) -> World:
        """Return the game."""
        return self.world

    def clone(self) -> Position:
        """Return a copy to play with."""
        return Position(self.world, self.state.clone(), self.seat, self.way)

    def current_player(self) -> int:
        """Return the seat to move."""
        return self.world.game.actors(self.state)[0]

    def is_chance_node(self) -> bool:
        """Return whether chance is next."""
        return self.world.game.actors(self.state)[:1] == (CHANCE,)

    def is_terminal(self) -> bool:
        """Return whether the search ends here."""
        return not self.world.game.actors(self.state) or self.state.round > self.world.last_round

    def returns(self) -> Sequence[float]:
        """Return the value for each seat."""
        return self.world.policy.values(self.state)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return a single outcome: the draw is made when it is applied."""
        return [(0, 1.0)]

    def legal_actions(self, _seat: int | None = None) -> list[int]:
        """Return the numbers of the legal moves."""
        legal = self.world.game.legal(self.state, self.current_player())
        return [self.number(move) for move in legal]

    def apply_action(self, action: int) -> None:
        """Play a move, or draw."""
        game = self.world.game
        if self.is_chance_node():
            game.do(self.state, CHANCE, game.sample(self.state, self.world.rng))
            return
        seat, move = self.current_player(), self.moves[action]
        if game.info.has_secrets:
            event = Event(seat, move)
            self.way += f"/{seat}{game.observed(self.state, event, self.seat)}"
        game.do(self.state, seat, move)

    def information_state_string(self) -> str:
        """Return a key for what the searching seat knows."""
        return self.way

    def number(self, move: Move) -> int:
        """Return the number of a move."""
        if move not in self.numbers:
            self.numbers[move] = len(self.moves)
            self.moves.append(move)
        return self.numbers[move]


def their_search(policy: Policy[Any], match: Match[Any], seat: int, simulations: int) -> Move:
    """Return the move that OpenSpiel's search chooses."""
    game = match.game
    view = policy.view(match.view(seat))
    seat = view.viewer or 0
    rng = random.Random(1)
    world = World(policy, view.round + policy.rounds - 1)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1), policy.playout)
    root = Position(world, game.determinize(view, rng), seat)
    if not game.info.has_secrets:
        bot = mcts.MCTSBot(world, EXPLORATION, simulations, evaluator, solve=False)
        return root.moves[int(bot.step(root))]
    bot = ismcts.ISMCTSBot(
        world, evaluator, EXPLORATION, simulations, allow_inconsistent_action_sets=True
    )
    bot.set_resampler(lambda _state, _seat: Position(world, game.determinize(view, rng), seat))
    return root.moves[int(bot.step(root))]


def our_search(policy: Policy[Any], match: Match[Any], seat: int, simulations: int) -> Advice:
    return Search(policy, match.view(seat), random.Random(1)).run(Budget(simulations))


# ---------------------------------------------------------------------------- figures
@dataclass(frozen=True)
class Row:
    """A game and its number of players."""

    game: Game[Any]
    players: int

    @property
    def label(self) -> str:
        """The label in the first column."""
        return f"{self.game.info.id}, {self.players} players"

    def positions(self) -> dict[str, list[Match[Any]]]:
        """Return the first position of a random match in which there is a choice, and such
        positions throughout the match.
        """
        rng = random.Random(1)
        match = new_match(self.game.info.id, self.players, "search")
        course = []
        while match.outcome is None:
            seat = match.actors[0]
            if our_search(policy_for(self.game), match, seat, 1).iterations:
                course.append(match.copy())
            match.play(seat, [self.game.random_move(match.state, seat, rng)])
        return {"start": course[:1], "throughout": course[:: max(1, len(course) // POSITIONS)]}


POSITIONS = 10
"""A match gives at least this many positions, unless fewer of its positions offer a choice."""

ROWS = (("lancelot", 2), ("lancelot", 5), ("isis", 2), ("isis", 4), ("twilight", 4),
        ("twilight", 3), ("donquixote", 1), ("isolde", 2), ("isolde", 4))  # fmt: skip


def per_second(search: Callable[[Match[Any]], object], course: Sequence[Match[Any]]) -> float:
    """Search each of these positions with SIMULATIONS simulations; return how many are made per CPU
    second.
    """
    begin = time.process_time()
    for match in course:
        search(match)
    return SIMULATIONS * len(course) / (time.process_time() - begin)


SIMULATIONS = 500


def horizons(game: Game[Any]) -> dict[str, Policy[Any]]:
    """Return policies that know nothing about moves: one plays out to the end of the last round
    that counts; the other, if our search cuts playouts off, cuts at the same point.
    """
    to_the_end, cut = Untaught(policy_for(game)), Untaught(policy_for(game))
    to_the_end.playout = Policy.playout
    return {"to the end": to_the_end, **({} if cut.playout == Policy.playout else {"cut": cut})}


def figures(course: Sequence[Match[Any]], policy: Policy[Any], repeats: int) -> str:
    """Return the cells of a row: the simulations per second of their search and of ours with the
    same horizon, the ratio and its target, and the simulations per second of ours as the bot uses
    it.
    """
    game = course[0].game
    searches: dict[str, Callable[[Match[Any]], object]] = {
        "theirs": lambda match: their_search(policy, match, match.actors[0], SIMULATIONS),
        "ours": lambda match: our_search(policy, match, match.actors[0], SIMULATIONS),
        "taught": lambda match: our_search(policy_for(game), match, match.actors[0], SIMULATIONS),
    }
    taken: dict[str, list[float]] = {name: [] for name in searches}
    for _ in range(repeats):
        for name, search in searches.items():
            taken[name].append(per_second(search, course))
    theirs, ours, taught = (statistics.median(taken[name]) for name in searches)
    aim = AIMS.get(game.info.id, AIM)
    return f"| {theirs:,.0f} | {ours:,.0f} | {ours / theirs:.1f} | {aim} | {taught:,.0f} |"


def duel(row: Row, matches: int, simulations: int) -> str:
    """Return how often our search, without its policy, beats theirs with the same number of
    simulations.
    """
    alike = Untaught(policy_for(row.game))
    won = 0.0
    for number in range(matches):
        turn, place = divmod(number, 2)
        match = new_match(row.game.info.id, row.players, f"duel {turn}")
        while match.outcome is None:
            seat = match.actors[0]
            if seat % 2 == place:
                move = our_search(alike, match, seat, simulations).best
            else:
                move = their_search(alike, match, seat, simulations)
            match.play(seat, [move])
        winners = match.outcome.winners()
        won += sum(seat % 2 == place for seat in winners) / len(winners)
    low, high = wilson(won / matches, matches)
    return f"{row.label}: {won / matches:.0%} of {matches} won ({low:.0%} to {high:.0%})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], help="default: all")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--matches", type=int, default=0, help="duels of each row with two sides")
    parser.add_argument("--simulations", type=int, default=200, help="for each move of a duel")
    wanted = parser.parse_args()
    rows = [Row(GAMES[name], n) for name, n in ROWS if name in (wanted.games or GAMES)]
    print("| match | position | playouts | OpenSpiel | ours | ratio | aim | with its policy |")
    print("|---|---|---|---|---|---|---|---|")
    for row in rows:
        for name, course in row.positions().items():
            for horizon, policy in horizons(row.game).items():
                told = figures(course, policy, wanted.repeats)
                print(f"| {row.label} | {name} | {horizon} {told}", flush=True)
    for row in rows:
        if wanted.matches and row.players in (2, 4):
            print(duel(row, wanted.matches, wanted.simulations), flush=True)


if __name__ == "__main__":
    main()
