"""Move a bot in use to another database and back:
``python -m tests.wire.moving [moves] [--seed N] [--minutes M]``.

People play at seven tables through the stand-in Discord. Now and then the bot stops,
``data.transfer`` moves everything from SQLite to PostgreSQL or back, and the bot starts on the
copy. Every message is then checked before anybody plays on.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import secrets
import sys
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from data.store.place import Place
from tests.postgres import shared_server
from tests.stores import address
from tests.wire.hall import Hall
from tests.wire.kills import process
from tests.wire.process import ROOT
from tests.wire.standin import StandIn


async def moved(source: Place, target: Place) -> None:
    """Move everything, as an operator does.

    :raises RuntimeError: the move was refused; the message holds the output.
    """
    command = ("-m", "data.transfer", address(source), address(target))
    run = await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await run.communicate()
    if run.returncode:
        raise RuntimeError(output.decode())


async def soak(moves: int, seconds: float, seed: int) -> None:
    """Play, move, check, and play on.

    :param seconds: seconds of play between two moves.
    :raises AssertionError: a message is wrong, or a stored move is missing.
    """
    chaos, discord = random.Random(seed), StandIn()
    with TemporaryDirectory() as name, ExitStack() as opened:
        folder, place = Path(name), Path(name) / "0.sqlite3"
        tables = Hall(discord, place, chaos)
        current: Place = place
        async with discord:
            for number in range(moves + 1):
                (own := folder / f"bot{number}").mkdir()
                async with process(discord, "bot", own, current) as (bot, _):
                    await bot.start()
                    if number:
                        looked = await tables.check(f"seed {seed}, move {number}")
                        print(f"move {number} to {type(current).__name__}: {looked} messages")
                    else:
                        await tables.open()
                    tables.play()
                    await asyncio.sleep(seconds)
                    await tables.rest()
                    stored = tables.moves()
                    looked = await tables.check(f"seed {seed}, after {number} moves")
                    print(f"{stored} moves stored, {looked} messages, as wanted", flush=True)
                    assert await bot.terminate() == 0
                if number < moves:
                    target: Place = folder / f"{number + 1}.sqlite3"
                    if number % 2 == 0:
                        target = opened.enter_context(shared_server().bare())
                    await moved(current, target)
                    current = target
                    tables.use(current)
                    assert tables.moves() >= stored


def main() -> int:
    """Return 0; an error is raised if anything was lost or left behind."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("moves", type=int, nargs="?", default=4)
    parser.add_argument("--minutes", type=float, default=1.0, help="of play between two moves")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    chosen = parser.parse_args()
    # Uploads that are cut off would be logged as errors.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    print(f"--seed {chosen.seed}", flush=True)
    asyncio.run(soak(chosen.moves, chosen.minutes * 60, chosen.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
