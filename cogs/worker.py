"""Think for computer players of bots elsewhere: ``python -m cogs.worker``.

Any number of these processes, on any machines, serve all bots on one PostgreSQL database that have
``TAFELRUNDE_COMPUTER_QUEUE`` set. They need no token, and see no more than the views that they are
asked about. Games from packages have to be installed beside them, too.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from functools import partial
from importlib.metadata import entry_points

from data.jobs import Jobs
from data.settings import StoreSettings
from data.store.place import Server, place_of
from games import GROUP
from play.computers import Thinkers
from play.distant import answer


def prepare() -> None:
    """Take the rules of packages, in a process that will think."""
    if entry_points(group=GROUP):
        # Only here: with it come Discord and pictures, which take seconds to import.
        from cogs.games.outside import bring_rules

        bring_rules()


async def work(server: Server, processes: int) -> None:
    """Answer questions until asked to leave."""
    thinkers, jobs = Thinkers(processes, prepare=prepare), Jobs(server)
    serving = asyncio.create_task(jobs.serve(partial(answer, thinkers), 2 * processes))
    for stop in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(stop, serving.cancel)
    try:
        await asyncio.gather(serving, return_exceptions=False)
    except asyncio.CancelledError:
        pass
    finally:
        thinkers.close()
        await jobs.close()


def main(arguments: list[str] | None = None) -> int:
    """0 when asked to leave, 2 if there is nothing to work for."""
    parser = argparse.ArgumentParser(
        "python -m cogs.worker", description="Think for computer players of bots elsewhere."
    )
    parser.add_argument("--database", type=place_of, default=StoreSettings().database)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    if not isinstance(chosen.database, Server):
        print("Workers need TAFELRUNDE_DATABASE=postgresql://...", file=sys.stderr)
        return 2
    asyncio.run(work(chosen.database, chosen.processes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
