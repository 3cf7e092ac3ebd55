"""Send hostile inputs: ``python -m tests.hostile [inputs] [--seed SEED] [--processes N]``.

In each episode, people with hostile names open a table, and usually start it, in channels with
hostile names. Then anyone sends anything. A failure is printed with the seed of its episode;
passing that number to ``--seed``, with 100 inputs, reproduces it.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from tests.hostile.episodes import EPISODE, Report, play

BATCH = 10
"""Episodes for each bot."""

PROGRESS = 30.0
"""Seconds between two reports of progress."""


def batch(first: int, inputs: int) -> Report:
    """Run one bot's share, in a process of the pool."""
    return asyncio.run(play(first, inputs))


def main() -> int:
    """Send the inputs; return 0 if nothing went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("inputs", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    began = spoken = time.monotonic()
    size = BATCH * EPISODE
    starts = range(0, options.inputs, size)
    kinds: Counter[str] = Counter()
    failures = 0
    with ProcessPoolExecutor(options.processes) as pool:
        seeds = [options.seed + start // EPISODE for start in starts]
        amounts = [min(size, options.inputs - start) for start in starts]
        for report in pool.map(batch, seeds, amounts):
            kinds += report.kinds
            failures += len(report.failures)
            for failure in report.failures:
                print(failure, flush=True)
            if time.monotonic() - spoken > PROGRESS:
                spoken = time.monotonic()
                print(
                    f"{kinds.total()} inputs, {spoken - began:.0f} s", file=sys.stderr, flush=True
                )
    each = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    seconds = time.monotonic() - began
    print(
        f"--seed {options.seed}: {kinds.total()} inputs ({each}), {failures} failures,"
        f" {seconds:.0f} s"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
