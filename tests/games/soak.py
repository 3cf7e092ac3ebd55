"""Endless random matches: ``python -m tests.games.soak isolde --minutes 10``.

Plays random mixes of options through the laws of the engine and, where a game has slower rules to
compare with, through those too. Stops at the first fault and names its seed.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

from games import GAMES
from games.engine import Setup
from tafelrunde.testing.laws import check_match, random_setup
from tests.games.test_isolde_matches import agree_with_the_slow_rules

COMPARISONS: dict[str, Callable[[Setup, int], None]] = {"isolde": agree_with_the_slow_rules}
"""By game: play a match and compare it with slower rules."""

COMPARED = 20
"""Matches compared with slower rules for each one checked against the laws, which takes longer."""


def soak(name: str, minutes: float, seed: int) -> int:
    """Play for some minutes; return the number of matches."""
    game = GAMES[name]
    compare = COMPARISONS.get(name)
    end = time.monotonic() + 60 * minutes
    matches = 0
    while time.monotonic() < end:
        seed += 1
        rng = random.Random(f"{name}/{seed}")
        setup = random_setup(game, rng.choice(game.info.players), rng)
        if compare is not None and seed % COMPARED:
            compare(setup, seed)
        else:
            check_match(game, setup, seed)
        matches += 1
    return matches


def main() -> None:
    parser = argparse.ArgumentParser(description="Play random matches and check them.")
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=0, help="where to begin (default 0)")
    wanted = parser.parse_args()
    matches = soak(wanted.game, wanted.minutes, wanted.seed)
    print(f"{matches} matches of {wanted.game} without a fault")


if __name__ == "__main__":
    main()
