"""Chooses moves for the computer players of bots in other processes: ``python -m cogs.worker``.

Any number of workers, on any machines, serve the bots that share a PostgreSQL database and have
``TAFELRUNDE_COMPUTER_QUEUE`` set. A worker needs no token. In the database, it uses nothing but the
queue, whose questions contain views. Games from packages must be installed for the worker as well.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from functools import partial

from cogs.preparing import load_packaged_rules
from data.jobs import Jobs
from data.settings import add_database_option
from data.store.place import Server
from play.computers import Thinkers
from play.distant import answer


async def work(server: Server, processes: int) -> None:
    """Answer questions until SIGTERM or SIGINT.

    :param processes: how many processes compute; the worker accepts twice as many questions at a
        time.
    """
    thinkers, jobs = Thinkers(processes, prepare=load_packaged_rules), Jobs(server)
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
    """Run the command; return 0 after SIGTERM or SIGINT, and 2 if the database is not on a
    PostgreSQL server.
    """
    parser = argparse.ArgumentParser(
        "python -m cogs.worker",
        description="Choose moves for the computer players of bots in other processes.",
    )
    add_database_option(parser, "the bot's database")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args(arguments)
    if not isinstance(chosen.database, Server):
        print("Workers need TAFELRUNDE_DATABASE=postgresql://...", file=sys.stderr)
        return 2
    asyncio.run(work(chosen.database, chosen.processes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
