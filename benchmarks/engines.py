"""How fast the engines are: ``python -m benchmarks.engines [game ...] [--laps 12]``.

It prints decisions per CPU second in random matches of every registered game, compared with random
games of python-chess in the same run: the ratio to that yardstick means the same on any machine. It
also prints the time of single calls: folding a match, cloning a position, making a view, and
imagining a position from a view that has been used before, as a search does.

Every lap does the same work, chess first, and only the fastest lap of each piece of work counts:
other work on the machine can only slow it down. So the figures show what the engines can do on this
machine at rest; with too few laps on a busy machine they may be too low. Needs
``requirements/bench.txt``.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import chess

from games import GAMES
from games.engine import CHANCE, Event, Game, Match, Move, Setup
from scripts.matches import all_modules

Chooser = Callable[[Any, int, random.Random], Move]

MATCHES = 15
"""Random matches of each kind in a lap."""

CHESS_GAMES = 10
"""Random games of chess in a lap."""

FOLDED = 100
"""How many random matches are folded; the 99th percentile of their times is printed."""

SAMPLES, CALLS = 20, 20
"""The minimum number of positions of a match in which clone, view and determinize are timed; and
how often a lap repeats each call, because the first calls fill caches.
"""


@dataclass(frozen=True)
class Row:
    """One line of the table: a game with its number of players and options."""

    name: str
    game: Game[Any]
    setup: Setup

    @property
    def choosers(self) -> dict[str, Chooser]:
        """Return the two ways to choose a random move: from the list of legal moves, or
        directly.
        """

        def listed(state: Any, seat: int, rng: random.Random) -> Move:
            moves = self.game.legal(state, seat)
            return moves[int(rng.random() * len(moves))]

        return {"list": listed, "random": self.game.random_move}


def rows(names: list[str]) -> Iterator[Row]:
    """Yield a row for every number of players with the default options, then, if there are modules,
    with all of them on.
    """
    for name in names:
        game = GAMES[name]
        for players in game.info.players:
            yield Row(f"{name}, {players} players", game, game.setup(players))
        for players in game.info.players:
            modules = all_modules(game, players)
            if modules:
                label = f"{name}, {players} players, all modules"
                yield Row(label, game, game.setup(players, modules))


# ----------------------------------------------------------------------------------- laps
class Work:
    """Pieces of work that each lap repeats.

    :param times: repetitions in a lap.
    :ivar quietest: the fewest CPU seconds that each piece took.
    """

    def __init__(self, pieces: Sequence[Callable[[], object]], times: int = 1) -> None:
        self._pieces, self._times = pieces, times
        self.quietest = [math.inf] * len(pieces)

    def lap(self) -> None:
        """Do all pieces in turn, as often as ``times`` says."""
        for _ in range(self._times):
            for at, piece in enumerate(self._pieces):
                begin = time.process_time()
                piece()
                self.quietest[at] = min(self.quietest[at], time.process_time() - begin)


class Playing(Work):
    """Whole games, the same ones in every lap.

    :param play: plays one game and returns its number of decisions.
    :param games: how many to play.
    """

    def __init__(self, play: Callable[[random.Random], int], games: int) -> None:
        self._decisions = sum(play(random.Random(seed)) for seed in range(games))
        super().__init__([partial(self._again, play, seed) for seed in range(games)])

    @staticmethod
    def _again(play: Callable[[random.Random], int], seed: int) -> None:
        play(random.Random(seed))

    @property
    def rate(self) -> float:
        """Decisions per CPU second."""
        return self._decisions / sum(self.quietest)


def play_chess(rng: random.Random) -> int:
    """Play one random game of chess, and return its number of moves."""
    board = chess.Board()
    while not board.is_game_over():
        moves = list(board.legal_moves)
        board.push(moves[int(rng.random() * len(moves))])
    return int(board.ply())


def play_match(game: Game[Any], setup: Setup, choose: Chooser, rng: random.Random) -> int:
    """Play a random match, and return its number of decisions; draws of chance are not counted."""
    decisions = 0
    state = game.start(setup)
    while actors := game.actors(state):
        seat = actors[0]
        if seat == CHANCE:
            game.do(state, CHANCE, game.sample(state, rng))
        else:
            game.do(state, seat, choose(state, seat, rng))
            decisions += 1
    return decisions


def random_log(row: Row, seed: int) -> tuple[list[Event], list[Any]]:
    """Return the log of one random match, and the position before each of its events."""
    rng = random.Random(seed)
    state = row.game.start(row.setup)
    log: list[Event] = []
    states = []
    while actors := row.game.actors(state):
        states.append(state.clone())
        seat = actors[0]
        if seat == CHANCE:
            move = row.game.sample(state, rng)
        else:
            move = rng.choice(row.game.legal(state, seat))
        row.game.do(state, seat, move)
        log.append(Event(seat, move))
    return log, states


# ------------------------------------------------------------------------------- the table
class Bench:
    """Everything measured for one row."""

    def __init__(self, row: Row) -> None:
        game, setup = row.game, row.setup
        self.playing = {
            way: Playing(partial(play_match, game, setup, choose), MATCHES)
            for way, choose in row.choosers.items()
        }
        matches = [random_log(row, seed) for seed in range(FOLDED)]
        logs = [log for log, _ in matches]
        self.events = statistics.median(map(len, logs))
        self.folding = Work([partial(Match.replay, game, setup, log) for log in logs])

        _, states = matches[1]
        states = states[:: max(1, len(states) // SAMPLES)]
        views = [game.view(state, 0) for state in states]

        def imagine() -> None:
            rng = random.Random(1)
            for view in views:
                game.determinize(view, rng)

        self.samples = len(states)
        self.calls = {
            "clone": Work([lambda: [state.clone() for state in states]], CALLS),
            "view": Work([lambda: [game.view(state, 0) for state in states]], CALLS),
            "determinize": Work([imagine], CALLS),
        }

    def lap(self) -> None:
        """Do a lap of everything."""
        for work in (*self.playing.values(), self.folding, *self.calls.values()):
            work.lap()

    def figures(self, yardstick: float) -> dict[str, float]:
        """Return the cells of the row: the median number of events, rates per second and relative
        to chess, ``refold`` and ``p99`` in milliseconds, and mean times of single calls over a
        match in microseconds.
        """
        folds = self.folding.quietest
        found = {
            "events": self.events,
            "refold": statistics.median(folds) * 1e3,
            "p99": statistics.quantiles(folds, n=100)[-1] * 1e3,
        }
        for way, playing in self.playing.items():
            found |= {way: playing.rate, f"{way} ratio": playing.rate / yardstick}
        return found | {
            call: work.quietest[0] / self.samples * 1e6 for call, work in self.calls.items()
        }


HEAD = (
    f"{'':36}{'list+apply':>12}{'x chess':>9}{'random+apply':>14}{'x chess':>9}"
    f"{'events':>8}{'refold':>9}{'99 %':>8}{'clone':>8}{'view':>8}{'determinize':>13}\n"
    f"{'':36}{'per s':>12}{'':>9}{'per s':>14}{'':>9}"
    f"{'median':>8}{'ms':>9}{'ms':>8}{'us':>8}{'us':>8}{'us':>13}"
)


def line(name: str, figures: dict[str, float]) -> str:
    return (
        f"{name:36}{figures['list']:12,.0f}{figures['list ratio']:9.1f}"
        f"{figures['random']:14,.0f}{figures['random ratio']:9.1f}{figures['events']:8.0f}"
        f"{figures['refold']:9.2f}{figures['p99']:8.2f}{figures['clone']:8.1f}"
        f"{figures['view']:8.1f}{figures['determinize']:13.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of the engines beside python-chess.")
    parser.add_argument("games", nargs="*", default=list(GAMES), metavar="game")
    parser.add_argument("--laps", type=int, default=12, help="laps (default 12)")
    wanted = parser.parse_args()

    yardstick = Playing(play_chess, CHESS_GAMES)
    table = [(row.name, Bench(row)) for row in rows(wanted.games)]
    for _ in range(wanted.laps):
        yardstick.lap()
        for _, bench in table:
            bench.lap()

    print(HEAD)
    print(f"{'python-chess ' + chess.__version__:36}{yardstick.rate:12,.0f}{1:9.1f}")
    for name, bench in table:
        print(line(name, bench.figures(yardstick.rate)))


if __name__ == "__main__":
    main()
