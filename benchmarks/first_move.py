"""How many taps a newcomer needs to make the first move, and how long the bot takes.

``python -m benchmarks.first_move [--times N]``

On a server, in a direct message with the bot, and in a group chat, someone looks at the games,
starts a match against a novice and moves, in the tests' simulated Discord. It measures the CPU time
of all the bot's answers, including pictures, the computer player's move and the simulation itself;
and, to allow for the speed of the machine, the CPU time of ``/help`` in the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.cogs.first_move import PLACES, Way, first_move
from tests.stage import PATIENCE, stage_on


async def measured(place: str) -> tuple[Way, float]:
    """Take a newcomer to the first move; return the steps, and the CPU seconds of ``/help``
    afterwards.
    """
    with TemporaryDirectory() as folder:
        async with stage_on(Path(folder) / "tables.sqlite3") as stage:
            stage.env.settle_timeout = PATIENCE
            way = await first_move(stage, place)
            began = time.process_time()
            await stage.people["Ben"].user.slash("help")
            return way, time.process_time() - began


async def main(times: int) -> None:
    for place in PLACES:
        found = [await measured(place) for _ in range(times)]
        way = found[0][0]
        seconds = median(way.seconds for way, _ in found)
        ratio = median(way.seconds / helped for way, helped in found)
        print(
            f"{place:8} {way.taps} taps, {way.typed} typed:"
            f" {seconds:.2f} s, {ratio:.0f} times /help"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--times", type=int, default=5, help="repetitions for each place (%(default)s)"
    )
    asyncio.run(main(parser.parse_args().times))
