"""How late the event loop is while computer players think, compared with the loop at rest.

``python -m benchmarks.lag [--tables N] [--workers N] [--seconds S] [--level LEVEL]``

The lag is how late a short sleep ends; a press would be acknowledged just as late. One run measures
it three times: at rest, with the thinkers in worker processes as in the bot, and with the thinkers
in threads of the same process.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Iterable
from itertools import cycle
from statistics import quantiles

from games import GAMES
from games.engine import View
from games.players import LEVELS
from play.computers import STRONGEST, Thinkers
from scripts.matches import new_match

STEP = 0.005
"""Seconds between two looks at the clock."""


async def lags(seconds: float) -> list[float]:
    """Return how late short sleeps ended, in seconds."""
    late = []
    end = time.perf_counter() + seconds
    while (before := time.perf_counter()) < end:
        await asyncio.sleep(STEP)
        late.append(time.perf_counter() - before - STEP)
    return late


def views(tables: int) -> list[View]:
    """Return views to think about, from each game in turn."""
    shown = []
    for number, game in zip(range(tables), cycle(GAMES.values())):
        match = new_match(game.info.id, max(2, game.info.players[0]), f"lag {number}")
        shown.append(match.view(match.actors[0]))
    return shown


async def play(thinkers: Thinkers, view: View, level: str, moves: list[str]) -> None:
    """Play for a computer player that always has to move."""
    while True:
        moves.append((await thinkers.choose(view, level)).move)


async def while_thinking(
    thinkers: Thinkers, tables: Iterable[View], level: str, seconds: float
) -> tuple[list[float], int]:
    """Return the lags while computer players think, and the number of their moves."""
    tables, moves = list(tables), list[str]()
    await thinkers.choose(tables[0], level)  # until the workers have started
    players = [asyncio.create_task(play(thinkers, view, level, moves)) for view in tables]
    late = await lags(seconds)
    for player in players:
        player.cancel()
    await asyncio.gather(*players, return_exceptions=True)
    thinkers.close()
    return late, len(moves)


def tell(name: str, late: list[float], note: str = "") -> None:
    cuts = [1000 * cut for cut in quantiles(late, n=100)]
    print(
        f"{name:<36} p50 {cuts[49]:7.2f} ms   p99 {cuts[98]:7.2f} ms"
        f"   max {1000 * max(late):7.2f} ms   {note}"
    )


async def run(options: argparse.Namespace) -> None:
    shown = views(options.tables)
    print(f"{options.tables} computer players of level {options.level}, {options.workers} workers")
    tell("at rest", await lags(options.seconds))
    for name, workers in (("in worker processes", options.workers), ("in threads", 0)):
        late, moves = await while_thinking(Thinkers(workers), shown, options.level, options.seconds)
        tell(f"thinking {name}", late, f"{moves} moves")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--level", choices=list(LEVELS), default=STRONGEST)
    asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    main()
