"""One scale for all players: ``python -m benchmarks.strength --ladder [game ...]``.

Every pair of players meets in matches: neighbours most often, others a quarter as often for each
player between them, and those with long thoughts less often than those with short ones. Ratings
are those of the Bradley-Terry model, found by Hunter's minorisation (2004), with a quarter of a
drawn pair of matches more for all who met, so that they stay finite; the level ``skilled`` has
1500. Intervals are those of a Bayesian bootstrap (Rubin 1981): of 500 fits to shares drawn from
what the matches of each two players allow, by Jeffreys' prior.

The results are kept in a file, to which another run adds, and from which the chart is drawn.

Where it is installed (``requirements-bench.txt``), OpenSpiel's search plays as well, with our
judgement of positions and as much CPU time for a move as the level ``skilled`` takes.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from benchmarks.matches import Terms, chooser, pair

RARER = 4
"""How much less often a pair meets for each step between its players."""

ANCHOR, ANCHORED_AT = "skilled", 1500.0
"""Whose rating is given: the others are relative to it."""

SAMPLES = 500
"""Bootstrap samples for the intervals."""

SWEEPS = 400
"""Iterations of the fit, which stops earlier once nothing changes."""

DRAWN = 0.25
"""Drawn pairs of matches that are added for all who met."""

STILL = 1e-6
"""A change of strength, as a part of it, that is none."""

Scores = dict[tuple[str, str], list[float]]
"""By two players, the weaker first by name order of the tournament: what the second scored in each
pair of matches, from 0 to 1.
"""


class Rating(NamedTuple):
    """A place on the scale, in Elo, with its 95 % interval."""

    elo: float
    low: float
    high: float


# ----------------------------------------------------------------------- the tournament
def play(
    game: str, players: Sequence[str], file: Path, pairs: int, minutes: float, seed: str
) -> None:
    """Add to the results in a file, pair by pair.

    :param players: by name, about as strong as they stand, the weakest first.
    :param pairs: of matches between neighbours at most, those in the file included.
    :param minutes: on the wall after which no pair is begun.
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
                meeting.pairs += 1
                meeting.seconds += line["seconds"]
    while time.monotonic() < end:
        usual = fmean(meeting.cost for meeting in meetings)
        meeting = min(meetings, key=lambda meeting: meeting.share(usual))
        if meeting.pairs >= pairs:
            return
        begin = time.thread_time()
        one, other = meeting.one, meeting.other
        score = pair(Terms(game, seed=seed), meeting.pairs, choosers[other], choosers[one])
        seconds = round(time.thread_time() - begin, 2)
        meeting.pairs += 1
        meeting.seconds += seconds
        line = {"game": game, "players": [one, other], "score": score, "seconds": seconds}
        with file.open("a", encoding="utf-8") as results:
            results.write(json.dumps(line) + "\n")


@dataclass
class Meeting:
    """Two players and what they have played.

    :param rarity: how much less often they meet than neighbours.
    """

    one: str
    other: str
    rarity: int
    pairs: int = 0
    seconds: float = 0.0

    @property
    def cost(self) -> float:
        """CPU seconds of a pair of matches; 0: not known yet."""
        return self.seconds / self.pairs if self.pairs else 0.0

    def share(self, usual: float) -> float:
        """What they will have had, after the next pair, of what is due to them. With a number of
        pairs that falls with the square root of their cost, ratings are as exact as time allows.

        :param usual: the cost of those who have not met, unless they are neighbours.
        """
        cost = self.cost or (usual if self.rarity > 1 else 0.0)
        return self.rarity * (self.pairs + 1) * math.sqrt(cost)


def read(file: Path, game: str) -> list[dict[str, Any]]:
    """The results of a game in a file; none if there is no file."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [line for line in map(json.loads, lines) if line["game"] == game]


def scores_in(file: Path, game: str) -> Scores:
    """By two players, the results of the second."""
    found: Scores = {}
    for line in read(file, game):
        one, other = line["players"]
        found.setdefault((one, other), []).append(line["score"])
    return found


# ---------------------------------------------------------------------------- the scale
def ratings(scores: Scores, matches: int, seed: str) -> dict[str, Rating]:
    """The ratings of all players of a game.

    :param matches: in a pair.
    """
    rng = random.Random(seed)
    elos = fit(scores)
    samples = [fit(_imagined(scores, matches, rng)) for _ in range(SAMPLES)]
    found = {}
    for name, elo in elos.items():
        spread = sorted(sample[name] for sample in samples)
        low, high = spread[int(0.025 * SAMPLES)], spread[int(0.975 * SAMPLES)]
        found[name] = Rating(elo, low, high)
    return found


def _imagined(scores: Scores, matches: int, rng: random.Random) -> Scores:
    """Results as they might have been: for all who met a share that their matches allow."""
    found = {}
    for who, each in scores.items():
        won, played = matches * sum(each), matches * len(each)
        found[who] = [rng.betavariate(won + 0.5, played - won + 0.5)] * len(each)
    return found


def expected_score(elo: float) -> float:
    """The share of matches that a player wins who is so much stronger."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def fit(scores: Scores) -> dict[str, float]:
    """The most likely ratings, in Elo, so that ANCHOR, or else the first, has ANCHORED_AT."""
    won: defaultdict[str, float] = defaultdict(float)
    met: dict[str, dict[str, float]] = defaultdict(dict)
    for (one, other), each in scores.items():
        won[other] += sum(each) + DRAWN / 2
        won[one] += len(each) - sum(each) + DRAWN / 2
        met[one][other] = met[other][one] = len(each) + DRAWN
    strength = dict.fromkeys(met, 1.0)
    for _ in range(SWEEPS):
        change = 0.0
        for name, against in met.items():
            own = strength[name]
            pull = sum(number / (own + strength[other]) for other, number in against.items())
            strength[name] = won[name] / pull
            change = max(change, abs(strength[name] / own - 1))
        if change < STILL:
            break
    elos = {name: 400 * math.log10(each) for name, each in strength.items()}
    shift = ANCHORED_AT - elos.get(ANCHOR, next(iter(elos.values())))
    return {name: elo + shift for name, elo in elos.items()}


def table(game: str, rated: Mapping[str, Rating], scores: Scores, matches: int) -> str:
    """The ratings of a game in Markdown, the strongest first, each with the result against the
    next below whom it has met.

    :param matches: in a pair.
    """
    rows = []
    names = sorted(rated, key=lambda name: -rated[name].elo)
    for place, name in enumerate(names, 1):
        result = ""
        for below in names[place:]:
            lost = scores.get((name, below), ())
            won = scores.get((below, name)) or [1 - score for score in lost]
            if won:
                result = f"{fmean(won):.0%} of {matches * len(won)} against {below}"
                break
        elo, low, high = rated[name]
        rows.append(f"| {game} | {name} | {elo:.0f} | {low:.0f} to {high:.0f} | {result} |")
    return "\n".join(rows)
