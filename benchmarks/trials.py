"""Whether a changed policy plays no worse: ``python -m benchmarks.trials GAME --against REVISION``.

The current policy plays against the policy of another revision. Each deal is played twice with the
seats swapped, so a pair has one score between 0 and 1; in Twilight a match is a single deal, and
the side with more points over both deals wins the pair. A generalised sequential probability ratio
test on the scores of pairs stops as soon as one of two differences in Elo is rejected; its bounds
and its progress are printed. ``--set NAME=VALUE`` first changes a constant of the current policy's
module. ``--without PART`` plays against the current search without this part: the ``early-end``
when no other move can catch up, or the exhaustive search of the ``remainder``.

After Wald (1945), and Van den Bergh, "A practical introduction to the GSPRT" (2019).
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log
from statistics import fmean, pvariance
from types import ModuleType
from typing import Any

from benchmarks.ladder import expected_score
from benchmarks.matches import Sampling, Terms, Unhurried, by_search, pair
from games import GAMES
from games.players import POLICIES
from games.players.policy import Policy

ERROR = 0.05
"""The probability of a wrong verdict, either way."""

BOUND = log((1 - ERROR) / ERROR)
"""The logarithm of the likelihood ratio at which a test ends."""

PAIRS_AT_LEAST = 16
"""The number of pairs from which the variance of their scores is trusted."""

SPREAD_AT_LEAST = 0.01
"""The smallest variance to assume, in case the scores are all, or nearly all, equal."""

WITHOUT = {"early-end": Unhurried, "remainder": Sampling}
"""The search without a part, by the name of the part."""


@dataclass
class Trial:
    """A sequential test of the difference between two sides.

    :param worse: the difference in Elo to reject.
    :param better: the difference in Elo hoped for.
    :ivar scores: the scores of the pairs for the side in question, from 0 to 1.
    """

    worse: float = -30.0
    better: float = 30.0
    scores: list[float] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        """The logarithm of how much more likely ``better`` is than ``worse``."""
        if len(self.scores) < PAIRS_AT_LEAST:
            return 0.0
        low, high = expected_score(self.worse), expected_score(self.better)
        spread = max(SPREAD_AT_LEAST, pvariance(self.scores))
        return (
            len(self.scores) * (high - low) * (2 * fmean(self.scores) - low - high) / (2 * spread)
        )

    @property
    def verdict(self) -> str:
        """The rejected difference, if any."""
        if self.ratio >= BOUND:
            return f"not worse by {-self.worse:.0f}"
        if self.ratio <= -BOUND:
            return f"not better by {self.better:.0f}"
        return ""


def policy_of(game: str, revision: str) -> type[Policy[Any]]:
    """Return the policy of a game in another revision, on the current engine."""
    path = f"games/players/{game}.py"
    command = ["git", "show", f"{revision}:{path}"]
    source = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    module = ModuleType(f"{game}_of_{revision}")
    sys.modules[module.__name__] = module
    exec(compile(source, path, "exec"), module.__dict__)  # noqa: S102 - our own older code
    policy: type[Policy[Any]] = getattr(module, POLICIES[game].__name__)
    return policy


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=list(POLICIES))
    parser.add_argument("--against", default="main", help="a revision of git")
    parser.add_argument("--without", choices=list(WITHOUT), help="a part of the search")
    parser.add_argument("--players", type=int)
    parser.add_argument("--options", default="", help="such as duo=lancelot,kodex=True")
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--pairs", type=int, default=1000, help="at most")
    parser.add_argument("--seed", default="trial")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    wanted = parser.parse_args(arguments)
    module = importlib.import_module(f"games.players.{wanted.game}")
    for change in wanted.set:
        name, _, value = change.partition("=")
        if not hasattr(module, name):
            parser.error(f"no constant {name}")
        setattr(module, name, float(value))
    game = GAMES[wanted.game]
    options = [part.split("=") for part in wanted.options.split(",") if part]
    terms = Terms(
        wanted.game,
        wanted.players or 0,
        {key: value == "True" if value in {"True", "False"} else value for key, value in options},
        wanted.seed,
    )
    ours = by_search(POLICIES[wanted.game](game), wanted.iterations)
    if wanted.without:
        kind = WITHOUT[wanted.without]
        theirs = by_search(POLICIES[wanted.game](game), wanted.iterations, kind)
    else:
        theirs = by_search(policy_of(wanted.game, wanted.against)(game), wanted.iterations)
    trial = Trial()
    print(f"{' '.join(sys.argv[1:])}: bounds {-BOUND:.2f} and {BOUND:.2f}, seed {wanted.seed!r}")
    for number in range(wanted.pairs):
        trial.scores.append(pair(terms, number, ours, theirs))
        done = trial.verdict or number + 1 == wanted.pairs
        if done or len(trial.scores) % 50 == 0:
            print(
                f"{len(trial.scores)} pairs, {fmean(trial.scores):.1%}, ratio {trial.ratio:+.2f}",
                trial.verdict or ("undecided" if done else ""),
                flush=True,
            )
        if done:
            return


if __name__ == "__main__":
    main()
