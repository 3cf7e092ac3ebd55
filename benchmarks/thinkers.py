"""What becomes of computer players' moves when many tables want one at the same time.

``python -m benchmarks.thinkers [--tables N ...] [--pause S] [--workers N] [--seconds S]``

At each table of every game in turn, a computer player is to move again a pause after its last
move, a little sooner or later. Told are, in one line for each number of tables:
the share of moves that were thought about in full; how long tables waited for a move beyond the
pause, as parts of the pause; how evenly the full thoughts were shared, as the least and the most of
a table over the median; and how late the event loop was meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import time
from dataclasses import dataclass, field
from statistics import median, quantiles

import structlog

from benchmarks.lag import lags, views
from games.engine import View
from games.players import LEVELS
from play.computers import STRONGEST, Thinkers

PAUSES = (0.7, 1.3)
"""How much shorter or longer than given a pause may be: tables do not move in step."""


@dataclass(slots=True)
class Player:
    """A computer player that is always to move again after a pause."""

    table_id: int
    view: View
    full: int = 0
    quick: int = 0
    waits: list[float] = field(default_factory=list)

    async def play(self, thinkers: Thinkers, level: str, pause: float) -> None:
        """Move until it is cancelled."""
        await asyncio.sleep(random.random() * pause)  # no table begins with the others
        while True:
            await asyncio.sleep(pause * random.uniform(*PAUSES))
            before = time.perf_counter()
            choice = await thinkers.choose(self.view, level, table_id=self.table_id)
            self.waits.append(time.perf_counter() - before)
            self.quick += choice.quick
            self.full += not choice.quick


async def measured(tables: int, options: argparse.Namespace) -> str:
    """The line of one number of tables."""
    thinkers = Thinkers(options.workers)
    players = [Player(number, view) for number, view in enumerate(views(tables), 1)]
    await thinkers.advise(players[0].view, options.level)  # the workers start
    tasks = [
        asyncio.create_task(player.play(thinkers, options.level, options.pause))
        for player in players
    ]
    late = await lags(options.seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    thinkers.close()
    full, quick = sum(p.full for p in players), sum(p.quick for p in players)
    cuts = quantiles([wait / options.pause for p in players for wait in p.waits], n=100)
    shares = sorted(player.full for player in players)
    middle = median(shares) or 1
    lag = quantiles(late, n=100)
    return (
        f"{tables:>6}  {full / (full + quick):>6.0%}  {full / options.seconds:>8.1f}"
        f"  {cuts[49]:>6.2f}  {cuts[98]:>6.2f}  {shares[0] / middle:>6.2f}"
        f"  {shares[-1] / middle:>6.2f}  {1000 * lag[49]:>6.2f}  {1000 * lag[98]:>6.2f}"
    )


async def run(options: argparse.Namespace) -> None:
    """Measure and tell."""
    print(f"level {options.level}, {options.workers} workers, a pause of {options.pause:g} s")
    print("tables    full  thoughts   waits (pauses)   share of a table    lag in ms")
    print("                per sec.    p50     p99     least    most     p50     p99")
    for tables in options.tables:
        print(await measured(tables, options))


def main() -> None:
    """Read the command line."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[5, 20, 50, 200])
    parser.add_argument("--pause", type=float, default=6.0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--level", choices=list(LEVELS), default=STRONGEST)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
