"""Delete the data of somebody who has left Discord and can no longer use the command.

``python -m data.forget PERSON`` records the request in the bot's database, which it finds through
the bot's own settings. The bot deletes the data at its next start or, if it is running, within ten
minutes, because only the bot can take the person out of running matches.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence

from data.settings import add_database_option
from data.store.place import Place
from data.store.privacy import pseudonym_code
from data.store.problems import StoreProblem
from data.store.store import Store


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m data.forget", description=__doc__)
    parser.add_argument("person", type=int, help="the person's Discord ID")
    add_database_option(parser, "the bot's database")
    chosen = parser.parse_args(arguments)
    try:
        asyncio.run(_note(chosen.database, chosen.person))
    except StoreProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    sys.stdout.write(
        f"{chosen.person}: the bot deletes everything at its next start or within ten minutes\n"
    )
    return 0


async def _note(database: Place, person_id: int) -> None:
    store = await Store.open(database, alone=False, create=False)  # the bot may be running
    try:
        await store.privacy.begin(person_id, f"Unknown {pseudonym_code()}")
    finally:
        await store.close()


if __name__ == "__main__":
    sys.exit(main())
