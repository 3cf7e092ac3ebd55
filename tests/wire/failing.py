"""Make every request to Discord fail for an hour: ``python -m tests.wire.failing [status ...]
[--minutes M] [--seed N]``.

For each HTTP status, a separate bot runs against a stand-in Discord, and people play at seven
tables. Then every request except those to connect to the gateway fails with that status, while
people keep pressing; when the time is up, requests succeed again, and every message is checked.
Each status gets a line with:

status     of all answers
requests   made by the bot meanwhile
busiest    most requests in any ten minutes
invalid    requests that Discord counts as invalid (401, 403, 429); it allows 10,000
ended      the bot's exit code, if it has given up
wrong      messages that were wrong at the end
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import secrets
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil  # type: ignore[import-untyped]

from tests.refusals import (
    INVALID_FORM,
    MISSING_PERMISSIONS,
    SERVER_ERROR,
    UNAUTHORIZED,
    UNAVAILABLE,
    UNKNOWN_CHANNEL,
    Refusal,
)
from tests.wire.hall import Hall
from tests.wire.kills import process
from tests.wire.process import BotProcess
from tests.wire.standin import StandIn
from tests.wire.world import UnansweredError

REFUSALS = {
    400: INVALID_FORM,
    401: UNAUTHORIZED,
    403: MISSING_PERMISSIONS,
    404: UNKNOWN_CHANNEL,
    405: Refusal(405, 0, "405: Method Not Allowed"),
    429: None,
    500: SERVER_ERROR,
    502: Refusal(502, 0, "502: Bad Gateway"),
    503: UNAVAILABLE,
    504: Refusal(504, 0, "504: Gateway Timeout"),
}
"""The error body of each status; None stands for a rate limit."""

EVERYTHING = r"^(?!GET /gateway)"
"""All requests except those to connect to the gateway."""

INVALID = (401, 403, 429)
"""Statuses of which Discord allows 10,000 in ten minutes (see "Invalid Request Limit" in its
documentation of rate limits)."""

SAMPLE = 5.0
"""Seconds between two counts."""

WINDOW = 600.0
"""Seconds over which requests are counted."""

PAUSE = 3.0
"""Seconds between two moves at a table."""

PATIENCE = 60.0
"""Seconds for the bot to acknowledge actions: its speed does not matter here."""

TRIES = 20
"""How many times people try to open their tables."""

ALWAYS = 10**9

PLAYED = 20.0
"""Seconds of play before everything fails, and again afterwards."""

SETTLES_WITHIN = 1500.0
"""Seconds within which everything is delivered afterwards: the bot retries at growing intervals, at
the latest in its round every ten minutes."""


@dataclass
class Hour:
    """The result of an hour in which all requests fail with one status."""

    status: int
    requests: int = 0
    busiest: int = 0
    invalid: int = 0
    ended: str = "-"
    wrong: str = "-"

    def __str__(self) -> str:
        return (
            f"{self.status:>6}{self.requests:>10}{self.busiest:>9}{self.invalid:>9}"
            f"{self.ended:>7}  {self.wrong}"
        )


async def open_all(tables: Hall) -> None:
    """Open all tables, however busy the machine is.

    :raises Exception: the last failure, if no attempt succeeds.
    """
    for _ in range(TRIES - 1):
        with suppress(UnansweredError, TimeoutError, LookupError):
            return await tables.open()
    return await tables.open()


async def fail(hour: Hour, seconds: float, seed: int, one_starts: asyncio.Lock) -> None:
    """Make everything fail with one status, and observe the result.

    :param one_starts: a lock held while a bot starts and its tables are opened.
    """
    discord = StandIn()
    discord.world.answer_within = PATIENCE
    with TemporaryDirectory() as directory:
        running = process(discord, "bot", Path(directory))
        async with discord, running as (bot, file):
            tables = Hall(discord, file, random.Random(f"{seed} {hour.status}"), PAUSE)
            async with one_starts:
                await bot.start()
                await open_all(tables)
            tables.play()
            await asyncio.sleep(PLAYED)
            refusal = REFUSALS[hour.status]
            if refusal is None:
                discord.faults.rate_limit(EVERYTHING, 1.0, ALWAYS)
            else:
                discord.faults.refuse(EVERYTHING, refusal, ALWAYS)
            await count(hour, discord, seconds)
            discord.faults.clear()
            for channel in discord.world.channels.values():
                if channel.guild is not None:
                    discord.world.changed("CHANNEL_UPDATE", channel)
            if (code := await ended(bot)) is not None:
                hour.ended = str(code)
                await bot.start()
            await asyncio.sleep(PLAYED)
            await tables.rest()
            try:
                await tables.check(f"status {hour.status}", SETTLES_WITHIN)
            except AssertionError as error:
                await bot.show_tasks()
                hour.wrong = str(error)
                print(bot.output[-5000:], file=sys.stderr)


async def count(hour: Hour, discord: StandIn, seconds: float) -> None:
    """Count requests while everything fails."""
    faults = discord.faults
    faults.requests.clear()
    counted = [0]
    for _ in range(max(1, round(seconds / SAMPLE))):
        await asyncio.sleep(SAMPLE)
        counted.append(len(faults.requests))
    width = round(WINDOW / SAMPLE)
    hour.requests = counted[-1]
    hour.busiest = max(
        after - counted[max(0, number - width)] for number, after in enumerate(counted)
    )
    hour.invalid = hour.busiest if hour.status in INVALID else 0


async def ended(bot: BotProcess) -> int | None:
    """The exit code of a bot that has ended; None while it runs."""
    with suppress(psutil.NoSuchProcess):
        if psutil.Process(bot.pid).status() != psutil.STATUS_ZOMBIE:
            return None
    return await bot.ended()


async def all_of(statuses: list[int], seconds: float, seed: int) -> int:
    """Test all statuses at once; return how many went wrong."""
    hours = [Hour(status) for status in statuses]
    one_starts = asyncio.Lock()
    print(f"--seed {seed}\nstatus  requests  busiest  invalid  ended  wrong", flush=True)

    async def tell(hour: Hour) -> None:
        try:
            await fail(hour, seconds, seed, one_starts)
        except Exception as error:  # noqa: BLE001 - it is printed, and the others go on
            hour.wrong = f"{type(error).__name__}: {error}"
        print(hour, flush=True)

    await asyncio.gather(*map(tell, hours))
    return sum(hour.wrong != "-" for hour in hours)


def main() -> int:
    """Return 0 if everything was right at the end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("status", type=int, nargs="*", choices=[*REFUSALS, []])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    chosen = parser.parse_args()
    # Uploads that are cut off would be logged as errors.
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)
    statuses = chosen.status or [*REFUSALS]
    return 1 if asyncio.run(all_of(statuses, chosen.minutes * 60, chosen.seed)) else 0


if __name__ == "__main__":
    sys.exit(main())
