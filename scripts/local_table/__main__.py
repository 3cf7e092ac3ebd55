"""Start the local table; see ``--help``."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import socket
import sys
import webbrowser
from pathlib import Path

from pydantic import ValidationError

from bot import Settings, create_bot, give_up, set_up_logging
from data.settings import in_words
from data.store.problems import StoreProblem
from data.texts import LANGUAGES, SOURCE
from scripts.local_table.front import HOST, Front
from scripts.local_table.world import LocalDiscord

PORT = 8765

HASTE = 10.0
"""Analyses take a tenth of the usual thinking time, because an action at the local table lasts
until its analysis is done.
"""


def main() -> int:
    """Run the command. Return 0, or 2 if the table could not be opened."""
    options = parser().parse_args()
    # An action lasts until the computer players have moved: with a pause, every press would wait.
    try:
        settings = Settings(
            database=options.database,
            computer_pause=0,
            log_level="INFO" if options.verbose else "WARNING",
        )
    except ValidationError as problem:
        return give_up(f"These settings are invalid:\n{in_words(problem)}")
    set_up_logging(settings)
    try:
        table = serve(settings, options.database, options.language, options.port, options.browser)
        asyncio.run(table)
    except StoreProblem as problem:
        return give_up(str(problem))
    except OSError as problem:
        return give_up(f"{problem} Is it running already? --port 0 takes another port.")
    return 0


def parser() -> argparse.ArgumentParser:
    """Return the options of the command line."""
    options = argparse.ArgumentParser(
        prog="scripts/run",
        description="Play with the bot in the browser, without Discord and without an account.",
    )
    options.add_argument(
        "--language", choices=LANGUAGES, help="everyone's language; default: the browser's"
    )
    options.add_argument(
        "--port", type=int, default=PORT, help="port on 127.0.0.1; 0: any free one (%(default)s)"
    )
    options.add_argument(
        "--no-browser", dest="browser", action="store_false", help="do not open a browser"
    )
    options.add_argument(
        "--database",
        type=Path,
        default=Path("local_table.sqlite3"),
        help="the file that keeps the tables (%(default)s)",
    )
    options.add_argument("--verbose", action="store_true", help="log what happens")
    return options


async def serve(
    settings: Settings, database: Path, language: str | None, port: int, browse: bool
) -> None:
    """Run the local table until it is interrupted.

    :param database: the file that keeps the tables.
    :param language: everyone's language; None: the language of each browser.
    :raises OSError: the port is taken; nothing else has been done.
    :raises StoreProblem: the database cannot be used.
    """
    with socket.create_server((HOST, port)) as listening:
        bot = await create_bot(settings, haste=HASTE)
        async with (
            LocalDiscord(bot.client, language or SOURCE, database) as world,
            world.pages() as pages,
            Front(world, pages, language, listening) as front,
        ):
            print(f"The local table is at {front.url} (Ctrl-C ends it)", flush=True)
            clock = asyncio.create_task(world.keep_time(pages.values()))
            for stop in (signal.SIGTERM, signal.SIGINT):
                asyncio.get_running_loop().add_signal_handler(stop, clock.cancel)
            if browse:
                await asyncio.to_thread(webbrowser.open, front.url)
            with contextlib.suppress(asyncio.CancelledError):
                await clock


if __name__ == "__main__":
    sys.exit(main())
