"""One scale for all players: ``python -m benchmarks.strength --ladder [game ...]``.

Every pair of players meets: neighbours most often, other pairs four times less often for each
player between them, and slow thinkers less often than fast ones. Ratings follow the Bradley-Terry
model, estimated by the Gibbs sampler of Caron and Doucet (2012): medians of the posterior with 95%
intervals. For two players the prior is Jeffreys'. A match with the seats swapped counts as much as
one with another deal. The level ``skilled`` is fixed at 1500; where it does not play, the weakest
player is.

Results are kept in a file, and later runs add to it. Each pair of matches adds a line; at the end
of a run, the lines of any two players are joined into one.

Where it is installed (``requirements/bench.txt``), OpenSpiel's search plays as well, with our
judgement of positions and the CPU time per move that the level ``skilled`` takes.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Any, NamedTuple

from benchmarks.matches import Terms, chooser, pair

RARER = 4
"""How many times less often a pair meets for each player ranked between the two."""

ANCHOR, ANCHORED_AT = "skilled", 1500.0
"""The player whose rating is fixed; if it does not play, the weakest one."""

SAMPLES, WARM_UP = 5000, 500
"""How many samples are kept, and how many are discarded before them."""

PRIOR = 0.5
"""The shape of each strength's gamma distribution before any match."""

Scores = dict[tuple[str, str], list[float]]
"""What the second of two players scored in each pair of matches, from 0 to 1. The players are in
the order of the tournament, the weaker first.
"""


class Rating(NamedTuple):
    """A place on the scale, in Elo, with its 95% interval."""

    elo: float
    low: float
    high: float


# ----------------------------------------------------------------------- the tournament
def play(
    game: str, players: Sequence[str], file: Path, pairs: int, minutes: float, seed: str
) -> None:
    """Add to the results in a file, pair by pair.

    :param players: the names of the players, the weakest first.
    :param pairs: the maximum number of pairs of matches between any two players, including those in
        the file.
    :param minutes: start no new pair after this many minutes.
    """
    end = time.monotonic() + 60 * minutes
    choosers = {name: chooser(name) for name in players}
    meetings = [
        Meeting(one, other, RARER ** (j - i - 1))
        for (i, one), (j, other) in combinations(enumerate(players), 2)
    ]
    for line in read(file, game):
        for meeting in meetings:
            if line["players"] == [meeting.one, meeting.other]:
                meeting.pairs += len(line["scores"])
                meeting.seconds += line["seconds"]
    while time.monotonic() < end:
        usual = fmean(meeting.cost for meeting in meetings)
        unfinished = [meeting for meeting in meetings if meeting.pairs < pairs]
        if not unfinished:
            return
        meeting = min(unfinished, key=lambda meeting: meeting.share(usual))
        begin = time.thread_time()
        one, other = meeting.one, meeting.other
        score = pair(Terms(game, seed=seed), meeting.pairs, choosers[other], choosers[one])
        seconds = round(time.thread_time() - begin, 2)
        meeting.pairs += 1
        meeting.seconds += seconds
        line = {"game": game, "players": [one, other], "scores": [score], "seconds": seconds}
        with file.open("a", encoding="utf-8") as results:
            results.write(json.dumps(line) + "\n")


@dataclass
class Meeting:
    """Two players and what they have played.

    :param rarity: how many times less often they meet than neighbours.
    """

    one: str
    other: str
    rarity: int
    pairs: int = 0
    seconds: float = 0.0

    @property
    def cost(self) -> float:
        """CPU seconds of a pair of matches; 0 if unknown."""
        return self.seconds / self.pairs if self.pairs else 0.0

    def share(self, usual: float) -> float:
        """Return how far ahead of their quota the two will be after the next pair. Ratings are most
        precise if the number of pairs falls with the square root of their cost.

        :param usual: the assumed cost for players that have not met and are not neighbours.
        """
        cost = self.cost or (usual if self.rarity > 1 else 0.0)
        return self.rarity * (self.pairs + 1) * math.sqrt(cost)


def read(file: Path, game: str) -> list[dict[str, Any]]:
    """Read the results of a game from a file; none if there is no file."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [line for line in map(json.loads, lines) if line["game"] == game]


def scores_in(file: Path, game: str) -> Scores:
    found: Scores = {}
    for line in read(file, game):
        one, other = line["players"]
        found.setdefault((one, other), []).extend(line["scores"])
    return found


def join_lines(file: Path) -> None:
    """Join all lines with the same game and players. Nothing else may write to the file."""
    joined: dict[tuple[str, ...], dict[str, Any]] = {}
    for line in map(json.loads, file.read_text("utf-8").splitlines() if file.exists() else ()):
        first = joined.setdefault((line["game"], *line["players"]), line)
        if first is not line:
            first["scores"] += line["scores"]
            first["seconds"] = round(first["seconds"] + line["seconds"], 2)
    file.write_text("".join(f"{json.dumps(line)}\n" for line in joined.values()), "utf-8")


# ---------------------------------------------------------------------------- the scale
def ratings(scores: Scores, matches: int, seed: str) -> dict[str, Rating]:
    """Return the ratings of all players of a game.

    :param matches: the number of matches in a pair.
    """
    samples = list(_strengths(scores, matches, random.Random(seed)))
    names = list(samples[0])
    stronger = {other for _, other in scores}
    anchor = ANCHOR if ANCHOR in names else next(name for name in names if name not in stronger)
    found = {}
    for name in names:
        elos = [400 * math.log10(each[name] / each[anchor]) for each in samples]
        low, *_, high = quantiles(elos, n=40)
        found[name] = Rating(*(ANCHORED_AT + elo for elo in (median(elos), low, high)))
    return found


def _strengths(scores: Scores, matches: int, rng: random.Random) -> Iterator[dict[str, float]]:
    """Draw samples of the players' strengths: the probability that a player beats another is its
    share of the sum of their strengths.
    """
    won: defaultdict[str, float] = defaultdict(float)
    for (one, other), each in scores.items():
        won[other] += matches * sum(each)
        won[one] += matches * (len(each) - sum(each))
    strengths = dict.fromkeys(won, 1.0)
    for sample in range(WARM_UP + SAMPLES):
        times = dict.fromkeys(won, 1.0)
        for (one, other), each in scores.items():
            both = strengths[one] + strengths[other]
            time = rng.gammavariate(matches * len(each), 1 / both)
            times[one] += time
            times[other] += time
        strengths = {
            name: rng.gammavariate(PRIOR + wins, 1 / times[name]) for name, wins in won.items()
        }
        if sample >= WARM_UP:
            yield strengths


def expected_score(elo: float) -> float:
    """Return the expected score of a player rated higher by this many Elo points."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def table(game: str, rated: Mapping[str, Rating], scores: Scores, matches: int) -> str:
    """Return the ratings of a game in Markdown, the strongest player first, each with the result
    against its most frequent opponent.

    :param matches: the number of matches in a pair.
    """
    rows = []
    for name in sorted(rated, key=lambda name: -rated[name].elo):
        won_against = {one: each for (one, other), each in scores.items() if other == name}
        for (one, other), each in scores.items():
            if one == name:
                won_against[other] = [1 - score for score in each]
        other, won = max(won_against.items(), key=lambda item: len(item[1]))
        result = f"{fmean(won):.0%} of {matches * len(won)} against {other}"
        elo, low, high = rated[name]
        rows.append(f"| {game} | {name} | {elo:.0f} | {low:.0f} to {high:.0f} | {result} |")
    return "\n".join(rows)
