"""Back up the database while it is in use.

``python -m data.backup TARGET`` copies the bot's database, which it finds through the bot's own
settings. ``python -m data.restore COPY`` puts such a copy back in place.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from data.settings import add_database_option
from data.store.database import copy_database, refuse_foreign_journal, sqlite_problems
from data.store.place import Server
from data.store.problems import BackedUpByServer, StoreProblem


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m data.backup", description=__doc__)
    parser.add_argument("target", type=Path, help="the file to write; it must not exist yet")
    add_database_option(parser, "the file to copy")
    chosen = parser.parse_args(arguments)
    try:
        if isinstance(chosen.database, Server):
            raise BackedUpByServer(chosen.database)
        with sqlite_problems(chosen.database):
            refuse_foreign_journal(chosen.database)
        copy_database(chosen.database, chosen.target)
    except StoreProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    sys.stdout.write(f"{chosen.target}: {chosen.target.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
