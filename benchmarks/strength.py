"""How strong the computer players are: ``python -m benchmarks.strength [game ...]``.

With ``--ladder`` all players of each game meet and are rated on one scale: see
``benchmarks.ladder``. ``--players`` names the players, the weakest first: levels, ``random``,
``openspiel``, ``script1`` and ``script2`` (``benchmarks.beginners``), numbers of iterations
(``60``), ``untaught60`` for a search without the policy, or CPU seconds for a move (``0.25s``),
which show whether more thought helps.

With ``--steps`` each level that a game offers, up to ``master``, meets only the one below it. The
results go to the same file as those of the ladder, and another run adds to them.

Without these options, the matches of ``CONTESTS`` are played, mostly in settings that the ladder
leaves out: with three or more players, and alone for points. Consecutive matches have the same seed
until the first of the two players has had every seat. The table is printed in Markdown, each mean
with its 95% interval.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib.util import find_spec
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from benchmarks import ladder
from benchmarks.beginners import SCRIPTS
from benchmarks.intervals import around_mean, share_won, wilson
from benchmarks.matches import MATCHES_IN_PAIR, chooser
from games import GAMES
from games.engine import Match
from games.players import GRANDMASTER, LEVELS, levels_of
from scripts.matches import new_match

SEED = "strength"


class Measure(StrEnum):
    """What counts: wins, the lead in points after a deal, or final points."""

    SHARE = "{:.0%} of matches"
    HANDS = "{:+.0f} points a hand"
    POINTS = "{:.1f} points"


@dataclass(frozen=True)
class Contest:
    """A game, its players on both sides, and the target.

    :param one: the player in one seat (in Twilight for four also in its partner's), or in all seats
        if it plays alone.
    :param other: the player in all other seats.
    :param aim: the smallest mean to reach.
    :param matches: how many matches to play; fewer in games with long matches.
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
        """Return the first columns of the table."""
        against = f"{self.one} – {self.other}" if self.other else self.one
        return f"| {GAMES[self.game].info.id}, {self.players} players | {against} "


CONTESTS = (
    Contest("lancelot", "skilled", "learner", players=3),
    Contest("twilight", "skilled", "learner", players=4, measure=Measure.HANDS),
    Contest("twilight", "master", "random", 175, players=4, measure=Measure.HANDS),
    Contest("twilight", "skilled", "learner", players=3, matches=42),
    Contest("donquixote", "random", None, players=1, measure=Measure.POINTS),
    Contest("donquixote", "novice", None, players=1, measure=Measure.POINTS),
    Contest("donquixote", "skilled", None, 45, players=1, measure=Measure.POINTS),
    Contest("donquixote", "master", None, 60, players=1, measure=Measure.POINTS, matches=20),
    Contest("isolde", "skilled", "learner", players=4, matches=12),
)

OPENSPIEL = ("openspiel",) if find_spec("pyspiel") else ()

LEAGUE = ("random", *OPENSPIEL, *SCRIPTS, *(level for level in LEVELS if level != GRANDMASTER))
"""The players of the ladder, roughly by strength."""

STEP: Final = 0.65, 0.80
"""The share of matches that a level should win against the one below."""

RESULTS = Path("benchmarks/ladder.jsonl")


# ---------------------------------------------------------------------------- one match
@dataclass(frozen=True)
class Result:
    """The result of ``Contest.one`` in a match, and the CPU seconds of each of its moves."""

    value: float
    spent: Sequence[float]


def play(contest: Contest, number: int) -> Result:
    """Play the match with this number. Consecutive matches have the same seed, and so the same lot
    and deal, until ``contest.one`` has played in every seat.
    """
    places = 2 if contest.game == "twilight" and contest.players > 3 else contest.players
    turn, place = divmod(number, places)
    match = new_match(contest.game, contest.players, f"strength {turn}")
    rng = random.Random(f"{contest}/{number}")
    ours = {seat for seat in range(contest.players) if (seat - place) % places == 0}
    spent = []
    while match.outcome is None and not (
        contest.measure == Measure.HANDS and match.state.round > 1
    ):
        seat = match.actors[0]
        own = seat in ours or contest.other is None
        begin = time.thread_time()
        move = chooser(contest.one if own else contest.other or "")(match, seat, rng)
        if own:
            spent.append(time.thread_time() - begin)
        match.play(seat, [move])
    return Result(value(contest, match, ours), spent)


def value(contest: Contest, match: Match[Any], ours: set[int]) -> float:
    """Return the result of a match in terms of the contest's ``Measure``."""
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
    """Return the 95% confidence interval of the mean."""
    if contest.measure != Measure.SHARE:
        return around_mean(values)
    return wilson(fmean(values), len(values))


def row(contest: Contest, results: Sequence[Result]) -> str:
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


def climb(wanted: argparse.Namespace) -> None:
    print("| game | player | Elo | 95 % | result |")
    print("|---|---|---|---|---|")
    for game in wanted.games or GAMES:
        players = wanted.players or LEAGUE
        ladder.play(game, players, wanted.results, wanted.matches or 400, wanted.minutes, SEED)
        scores = ladder.scores_in(wanted.results, game)
        if not scores:
            continue
        matches = MATCHES_IN_PAIR.get(game, 2)
        rated = ladder.ratings(scores, matches, SEED)
        print(ladder.table(game, rated, scores, matches), flush=True)
    ladder.join_lines(wanted.results)


def measure_steps(wanted: argparse.Namespace) -> None:
    """Play each level against the one below, and print each step as soon as it is measured."""
    low, high = STEP
    print("| game | level | against | won | aim | matches |")
    print("|---|---|---|---|---|---|")
    for game in wanted.games or GAMES:
        matches = MATCHES_IN_PAIR.get(game, 2)
        pairs = math.ceil((wanted.matches or 100) / matches)
        for one, other in pairwise(levels_of(game)):
            ladder.play(game, (one, other), wanted.results, pairs, wanted.minutes, SEED)
            scores = ladder.scores_in(wanted.results, game).get((one, other))
            if scores:
                won, number = share_won(scores, matches), matches * len(scores)
                aim = f"{low:.0%} to {high:.0%}"
                print(f"| {game} | {other} | {one} | {won} | {aim} | {number} |", flush=True)
    ladder.join_lines(wanted.results)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], help="default: all")
    parser.add_argument("--ladder", action="store_true")
    parser.add_argument("--steps", action="store_true", help="only each level and the one below")
    parser.add_argument("--players", nargs="+", help="of the ladder, the weakest first")
    parser.add_argument("--minutes", type=float, default=60, help="for a game or a step")
    parser.add_argument("--results", type=Path, default=RESULTS, help="of the ladder and the steps")
    parser.add_argument("--matches", type=int, help="for each row or step; of the ladder, pairs")
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count(), help="for tables off the ladder"
    )
    wanted = parser.parse_args()
    if wanted.ladder:
        climb(wanted)
        return
    if wanted.steps:
        measure_steps(wanted)
        return
    print("| match | who | result | 95 % | aim | matches | CPU a move |")
    print("|---|---|---|---|---|---|---|")
    with ProcessPoolExecutor(wanted.workers, mp_context=get_context("spawn")) as pool:
        for contest in CONTESTS:
            if contest.game not in (wanted.games or GAMES):
                continue
            results = list(
                pool.map(partial(play, contest), range(wanted.matches or contest.matches))
            )
            print(row(contest, results), flush=True)


if __name__ == "__main__":
    main()
