"""How fast the engines are: ``python -m benchmarks.engines [game ...] [--repeats 5]``.

Random matches of every registered game, counted in decisions per CPU second, beside random games
of python-chess in the same run: the ratio to that yardstick means the same on any machine. Every
figure is the median of several repetitions. Needs ``requirements-bench.txt``.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import chess

from games import GAMES
from games.engine import CHANCE, Event, Game, Match, Move, Setup
from scripts.matches import all_modules

Chooser = Callable[[Any, int, random.Random], Move]

FOLDED, FOLDS = 100, 3
"""Random matches of which nearly the longest fold is told, and how often each is folded for it."""

SAMPLES = 20
"""Positions of one match on which clone, view and determinize are timed."""


@dataclass(frozen=True)
class Row:
    """One line of the table: a game with its number of players and options."""

    name: str
    game: Game[Any]
    setup: Setup

    @property
    def choosers(self) -> dict[str, Chooser]:
        """The two ways to choose a random move: from the list of all, or directly."""

        def listed(state: Any, seat: int, rng: random.Random) -> Move:
            moves = self.game.legal(state, seat)
            return moves[int(rng.random() * len(moves))]

        return {"list": listed, "random": self.game.random_move}


def rows(names: list[str]) -> Iterator[Row]:
    """Every number of players with the default options, then with all modules switched on."""
    for name in names:
        game = GAMES[name]
        for players in game.info.players:
            yield Row(f"{name}, {players} players", game, game.setup(players))
        for players in game.info.players:
            modules = all_modules(game, players)
            if modules:
                label = f"{name}, {players} players, all modules"
                yield Row(label, game, game.setup(players, modules))


# ------------------------------------------------------------------------ decisions
def per_second(play: Callable[[random.Random], int], seconds: float) -> float:
    """Decisions per CPU second over whole games, for about so many seconds."""
    rng = random.Random(1)
    count = 0
    begin = time.process_time()
    while (spent := time.process_time() - begin) < seconds:
        count += play(rng)
    return count / spent


def play_chess(rng: random.Random) -> int:
    """One random game of chess."""
    board = chess.Board()
    while not board.is_game_over():
        moves = list(board.legal_moves)
        board.push(moves[int(rng.random() * len(moves))])
    return int(board.ply())


def play_match(game: Game[Any], setup: Setup, choose: Chooser, rng: random.Random) -> int:
    """One random match; the draws of chance take time but are no decisions."""
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


# ---------------------------------------------------------------------------- single calls
def microseconds(call: Callable[[], object], seconds: float) -> float:
    """CPU time of one call, after a first one that fills what is cached."""
    call()
    count = 0
    begin = time.process_time()
    while (spent := time.process_time() - begin) < seconds:
        for _ in range(10):
            call()
        count += 10
    return spent / count * 1e6


def random_log(row: Row, seed: int) -> tuple[list[Event], list[Any]]:
    """The log of one random match and all its positions."""
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


def single_calls(row: Row, seconds: float) -> dict[str, float]:
    """Microseconds to fold one whole match, and on average over its course to clone, view and
    determinize.
    """
    game = row.game
    log, states = random_log(row, seed=1)
    states = states[:: max(1, len(states) // SAMPLES)]
    views = [game.view(state, 0) for state in states]
    rng = random.Random(1)

    def each(call: Callable[[Any], object], items: list[Any]) -> float:
        return microseconds(lambda: [call(item) for item in items], seconds) / len(items)

    return {
        "events": len(log),
        "refold": microseconds(lambda: Match.replay(game, row.setup, log), seconds),
        "clone": each(lambda state: state.clone(), states),
        "view": each(lambda state: game.view(state, 0), states),
        "determinize": each(lambda view: game.determinize(view, rng), views),
    }


def longest_fold(row: Row) -> float:
    """Microseconds within which 99 % of random matches are folded."""
    times = []
    for seed in range(FOLDED):
        log, _ = random_log(row, seed)
        laps = []
        for _ in range(FOLDS):
            begin = time.process_time()
            Match.replay(row.game, row.setup, log)
            laps.append(time.process_time() - begin)
        times.append(min(laps) * 1e6)
    return statistics.quantiles(times, n=100)[-1]


# ------------------------------------------------------------------------------- the table
def measure(table: list[Row], repeats: int, seconds: float) -> list[dict[str, float]]:
    """Medians of all figures, one dict per row and a first one for chess."""
    runs: list[list[dict[str, float]]] = []
    for _ in range(repeats):
        yardstick = per_second(play_chess, seconds)
        run: list[dict[str, float]] = [{"list": yardstick}]
        for row in table:
            figures = single_calls(row, seconds / 10)
            for way, choose in row.choosers.items():
                rate = per_second(partial(play_match, row.game, row.setup, choose), seconds)
                figures |= {way: rate, f"{way} ratio": rate / yardstick}
            run.append(figures)
        runs.append(run)
    medians = [
        {key: statistics.median(figures[key] for figures in same) for key in same[0]}
        for same in zip(*runs, strict=True)
    ]
    for row, figures in zip(table, medians[1:], strict=True):
        figures["p99"] = longest_fold(row)
    return medians


HEAD = (
    f"{'':36}{'list+apply':>12}{'x chess':>9}{'random+apply':>14}{'x chess':>9}"
    f"{'events':>8}{'refold':>9}{'99 %':>8}{'clone':>8}{'view':>8}{'determinize':>13}\n"
    f"{'':36}{'per s':>12}{'':>9}{'per s':>14}{'':>9}"
    f"{'':>8}{'ms':>9}{'ms':>8}{'us':>8}{'us':>8}{'us':>13}"
)


def line(name: str, figures: dict[str, float]) -> str:
    """One row of the table."""
    return (
        f"{name:36}{figures['list']:12,.0f}{figures['list ratio']:9.1f}"
        f"{figures['random']:14,.0f}{figures['random ratio']:9.1f}{figures['events']:8.0f}"
        f"{figures['refold'] / 1000:9.2f}{figures['p99'] / 1000:8.2f}{figures['clone']:8.1f}"
        f"{figures['view']:8.1f}{figures['determinize']:13.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of the engines beside python-chess.")
    parser.add_argument("games", nargs="*", default=list(GAMES), metavar="game")
    parser.add_argument("--repeats", type=int, default=5, help="repetitions (default 5)")
    parser.add_argument(
        "--seconds", type=float, default=0.3, help="CPU seconds for each rate (default 0.3)"
    )
    wanted = parser.parse_args()

    table = list(rows(wanted.games))
    yardstick, *figures = measure(table, wanted.repeats, wanted.seconds)
    print(HEAD)
    print(f"{'python-chess ' + chess.__version__:36}{yardstick['list']:12,.0f}{1:9.1f}")
    for row, medians in zip(table, figures, strict=True):
        print(line(row.name, medians))


if __name__ == "__main__":
    main()
