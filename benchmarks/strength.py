"""How strong the computer players are: ``python -m benchmarks.strength [game ...]``.

Levels play against each other, against random moves and, in Lancelot, against a greedy player
that looks two moves ahead; every match is played again with the same seed and the seats swapped.
The table is printed in Markdown, each mean with its 95 % interval; the same seeds give the same
matches, except that the strongest levels also stop by the clock.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from multiprocessing import get_context
from statistics import fmean, stdev
from typing import Any

from games import GAMES
from games.engine import Fact, Game, Match, Move
from games.players import LEVELS

CERTAINTY = 1.96
"""Standard errors on either side of a mean that make its 95 % interval."""


class Measure(StrEnum):
    """What is counted: wins, how many points a cult is ahead after a hand, or final points."""

    SHARE = "{:.0%} of matches"
    HANDS = "{:+.0f} points a hand"
    POINTS = "{:.1f} points"


@dataclass(frozen=True)
class Contest:
    """Who plays against whom, at what, and the result to reach.

    :param one: plays on one seat, or with its partner in Twilight; on all seats if alone.
    :param other: plays on all other seats.
    :param aim: the least that the mean should be.
    :param matches: fewer where they are long.
    """

    game: str
    one: str
    other: str | None
    aim: float | None = None
    players: int = 2
    measure: Measure = Measure.SHARE
    matches: int = 40

    @property
    def label(self) -> str:
        """For the first columns of the table."""
        against = f"{self.one} – {self.other}" if self.other else self.one
        return f"| {GAMES[self.game].info.id}, {self.players} players | {against} "


CONTESTS = (
    Contest("lancelot", "player", "novice", 0.75),
    Contest("lancelot", "master", "player", 0.65),
    Contest("lancelot", "master", "greedy", 0.95),
    Contest("lancelot", "master", "player", players=3),
    Contest("isis", "player", "novice", 0.75),
    Contest("isis", "master", "player", 0.65),
    Contest("isis", "master", "random", 0.95),
    Contest("twilight", "player", "novice", players=4, measure=Measure.HANDS),
    Contest("twilight", "master", "player", players=4, measure=Measure.HANDS),
    Contest("twilight", "master", "random", 175, players=4, measure=Measure.HANDS),
    Contest("twilight", "player", "novice", 0.75, players=4),
    Contest("twilight", "master", "player", 0.65, players=4, matches=12),
    Contest("twilight", "player", "novice", players=3, matches=42),
    Contest("donquixote", "random", None, players=1, measure=Measure.POINTS),
    Contest("donquixote", "novice", None, players=1, measure=Measure.POINTS),
    Contest("donquixote", "player", None, 45, players=1, measure=Measure.POINTS),
    Contest("donquixote", "master", None, 60, players=1, measure=Measure.POINTS, matches=20),
    Contest("donquixote", "player", "novice", 0.75),
    Contest("donquixote", "master", "player", 0.65),
    Contest("isolde", "player", "novice", 0.75),
    Contest("isolde", "master", "player", 0.65, matches=20),
    Contest("isolde", "master", "random", 0.95, matches=20),
    Contest("isolde", "master", "player", players=4, matches=12),
)


# ---------------------------------------------------------------------------- who plays
Chooser = Callable[[Match[Any], int, random.Random], Move]


def at_level(level: str, match: Match[Any], seat: int, rng: random.Random) -> Move:
    """A computer player, who is shown nothing but the seat's view."""
    chosen = LEVELS[level]
    return chosen.player(match.game, match.view(seat), rng, chosen.budget).best


def at_random(match: Match[Any], seat: int, rng: random.Random) -> Move:
    """Any legal move."""
    return match.game.random_move(match.state, seat, rng)


def greedily(match: Match[Any], seat: int, rng: random.Random) -> Move:
    """Lancelot: as many stones as possible, less what the best answer takes."""
    game, best = match.game, -99
    found: list[Move] = []
    for move in game.legal(match.state, seat):
        after = match.state.clone()
        gain = taken(game, after, seat, move) - best_answer(game, after, seat)
        if gain > best:
            best, found = gain, []
        if gain == best:
            found.append(move)
    return rng.choice(found)


def best_answer(game: Game[Any], state: Any, seat: int) -> int:
    """The most that the next seat to move can take."""
    actors = game.actors(state)
    if not actors or actors[0] == seat:
        return 0
    return max(taken(game, state.clone(), actors[0], move) for move in game.legal(state, actors[0]))


def taken(game: Game[Any], state: Any, seat: int, move: Move) -> int:
    """Play a move; the number of stones that it takes."""
    facts: list[Fact] = []
    game.do(state, seat, move, facts)
    return sum(len(fact.data["squares"]) for fact in facts if fact.kind == "captured")


CHOOSERS: dict[str, Chooser] = {
    **{level: partial(at_level, level) for level in LEVELS},
    "random": at_random,
    "greedy": greedily,
}


# ---------------------------------------------------------------------------- one match
@dataclass(frozen=True)
class Result:
    """What came of one match for ``Contest.one``, and the CPU seconds of each of its moves."""

    value: float
    spent: Sequence[float]


def play(contest: Contest, number: int) -> Result:
    """The match of this number: the same seed, and so the same lot and deal, until every seat has
    been taken.
    """
    places = 2 if contest.game == "twilight" and contest.players > 3 else contest.players
    turn, place = divmod(number, places)
    match = Match(
        GAMES[contest.game],
        GAMES[contest.game].setup(contest.players, {}, f"strength {turn}"),
    )
    rng = random.Random(f"{contest}/{number}")
    ours = {seat for seat in range(contest.players) if (seat - place) % places == 0}
    spent = []
    match.advance()
    while match.outcome is None and not (
        contest.measure == Measure.HANDS and match.state.round > 1
    ):
        seat = match.actors[0]
        own = seat in ours or contest.other is None
        begin = time.thread_time()
        move = CHOOSERS[contest.one if own else contest.other or ""](match, seat, rng)
        if own:
            spent.append(time.thread_time() - begin)
        match.play(seat, [move])
    return Result(value(contest, match, ours), spent)


def value(contest: Contest, match: Match[Any], ours: set[int]) -> float:
    """What is counted of a match: see ``Measure``."""
    if contest.measure == Measure.HANDS:
        points = match.view(None).public["totals"]
        return float(
            points[min(ours)] - next(p for seat, p in enumerate(points) if seat not in ours)
        )
    outcome = match.outcome
    if outcome is None:
        raise AssertionError("a match that is over has an outcome")
    if contest.measure == Measure.POINTS:
        return fmean(outcome.scores)
    winners = outcome.winners()
    return len(ours.intersection(winners)) / len(winners)


# ---------------------------------------------------------------------------- the table
def interval(contest: Contest, values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the mean."""
    n, mean = len(values), fmean(values)
    if contest.measure != Measure.SHARE:
        half = CERTAINTY * stdev(values) / n**0.5
        return mean - half, mean + half
    return wilson(mean, n)


def wilson(share: float, matches: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, which stays within 0 and 1."""
    z = CERTAINTY**2 / matches
    centre = (share + z / 2) / (1 + z)
    half = (share * (1 - share) * z + z**2 / 4) ** 0.5 / (1 + z)
    return centre - half, centre + half


def row(contest: Contest, results: Sequence[Result]) -> str:
    """A line of the table."""
    values = [result.value for result in results]
    spent = [seconds for result in results for seconds in result.spent]
    unit = contest.measure.value
    low, high = (_bare(unit).format(bound) for bound in interval(contest, values))
    if contest.aim is not None:
        aim = _bare(unit).format(contest.aim)
    elif contest.measure == Measure.SHARE and contest.players > 2:
        aim = f"fair: {1 / contest.players:.0%}"
    else:
        aim = ""
    return (
        f"{contest.label}| {unit.format(fmean(values))} | {low} to {high} | {aim} "
        f"| {len(values)} | {1000 * fmean(spent):.0f} ms |"
    )


def _bare(unit: str) -> str:
    return unit.partition(" ")[0]


def main() -> None:
    """Read the command line, play, and print each row as soon as its matches are over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], help="default: all")
    parser.add_argument("--matches", type=int, help="for each row (default: 40, or fewer)")
    parser.add_argument("--only", help="rows in which this level plays for itself")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    wanted = parser.parse_args()
    print("| match | who | result | 95 % | aim | matches | CPU a move |")
    print("|---|---|---|---|---|---|---|")
    with ProcessPoolExecutor(wanted.workers, mp_context=get_context("spawn")) as pool:
        for contest in CONTESTS:
            if contest.game not in (wanted.games or GAMES):
                continue
            if wanted.only and contest.one != wanted.only:
                continue
            results = list(
                pool.map(partial(play, contest), range(wanted.matches or contest.matches))
            )
            print(row(contest, results), flush=True)


if __name__ == "__main__":
    main()
