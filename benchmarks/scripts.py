"""Novices and learners against simple scripts: ``python -m benchmarks.scripts [game ...]``.

Both levels play against the scripts of ``benchmarks.beginners`` in each game, on two sides of the
same size: two players, or four in Twilight, where partners form a side, so that a fair share is 50%
everywhere. Each deal is played twice with the seats swapped; in Twilight a match is a single deal,
and the side with more points over both deals wins the pair. A tie counts as half a win. Half of the
matches are against each script; the targets are for both together.

Results are kept in a file; later runs add to it.
"""

from __future__ import annotations

import argparse
import math
from itertools import chain
from pathlib import Path
from typing import Final

from benchmarks import ladder
from benchmarks.beginners import SCRIPTS
from benchmarks.intervals import share_won
from benchmarks.matches import MATCHES_IN_PAIR
from games import GAMES

AIMS: Final = {"novice": (0.35, 0.50), "learner": (0.60, 0.75)}
"""The target share of wins against both scripts together."""

SEED: Final = "scripts"

PAIRS: Final = 50
"""Pairs of matches of each level with each script."""

RESULTS: Final = Path("benchmarks/scripts.jsonl")


def row(game: str, level: str, scores: ladder.Scores) -> str:
    each = [scores[script, level] for script in SCRIPTS]
    matches = MATCHES_IN_PAIR.get(game, 2)
    low, high = AIMS[level]
    cells = [share_won(one, matches) for one in (*each, [*chain(*each)])]
    number = matches * sum(map(len, each))
    return f"| {game} | {level} | {' | '.join(cells)} | {low:.0%} to {high:.0%} | {number} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], help="default: all")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="of each level with each script")
    parser.add_argument("--results", type=Path, default=RESULTS)
    wanted = parser.parse_args()
    print(f"| game | level | {' | '.join(SCRIPTS)} | both | aim | matches |")
    print("|---|---|---|---|---|---|---|")
    for game in wanted.games or GAMES:
        for level in AIMS:
            for script in SCRIPTS:
                ladder.play(game, (script, level), wanted.results, wanted.pairs, math.inf, SEED)
            print(row(game, level, ladder.scores_in(wanted.results, game)), flush=True)
    ladder.join_lines(wanted.results)


if __name__ == "__main__":
    main()
