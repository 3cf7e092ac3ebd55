"""Recompute all ratings from the matches, while no bot uses the database.

``python -m data.ratings`` finds the bot's database through the bot's own settings, recomputes the
ratings from its matches and corrects those that differ. The bot itself updates ratings after each
match; this command is for operators who want to make sure, or who have changed matches by hand.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence

from data.settings import add_database_option
from data.store.place import Place
from data.store.problems import StoreProblem
from data.store.store import Store


async def recompute(database: Place) -> int:
    """Correct the ratings of a database.

    :returns: how many ratings were wrong, missing or superfluous.
    :raises StoreProblem: the database is in use or unusable.
    """
    store = await Store.open(database)
    try:
        return await store.standings.recompute()
    finally:
        await store.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m data.ratings", description=__doc__)
    add_database_option(parser, "the database to correct")
    chosen = parser.parse_args(arguments)
    try:
        wrong = asyncio.run(recompute(chosen.database))
    except StoreProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    sys.stdout.write(f"{chosen.database}: ratings corrected: {wrong}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
