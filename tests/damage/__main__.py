"""Damage used databases at random, and count the outcomes.

python -m tests.damage 2000        from seed 0
python -m tests.damage 100 4711    from seed 4711

Exits with 1 if any damage crashed the bot.
"""

from __future__ import annotations

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
    count, first = (int(given) for given in (*sys.argv[1:3], "0")[:2])
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        houses = make_houses(folder)
        sound = [undamaged(house, folder / f"sound{n}") for n, house in enumerate(houses)]
        for seed in range(first, first + count):
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
