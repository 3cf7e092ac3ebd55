"""Damage used databases at random, and count the outcomes: ``python -m tests.damage [databases]
[first seed]``. Exits with 1 if any damage crashed the bot.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
from collections import Counter
from pathlib import Path

import structlog

from tests.damage.houses import make_houses
from tests.damage.trial import attempt, undamaged

PROGRESS = 100
"""Trials between two reports of progress."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Damage used databases at random.")
    parser.add_argument("databases", nargs="?", type=int, default=PROGRESS)
    parser.add_argument("first", nargs="?", type=int, default=0, help="the first seed")
    given = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        houses = make_houses(folder)
        sound = [undamaged(house, folder / f"sound{n}") for n, house in enumerate(houses)]
        for seed in range(given.first, given.first + given.databases):
            trial = attempt(houses, sound, folder / "trial", seed)
            outcomes[trial.outcome] += 1
            if trial.outcome == "crashed":
                print(f"seed {seed}: {trial.what}", flush=True)
            if outcomes.total() % PROGRESS == 0:
                print(f"{outcomes.total()} trials", file=sys.stderr, flush=True)
    for outcome, number in outcomes.most_common():
        print(f"{number:6} {outcome}")
    return 1 if outcomes["crashed"] else 0


if __name__ == "__main__":
    sys.exit(main())
