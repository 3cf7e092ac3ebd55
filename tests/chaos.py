"""Chaos: ``python -m tests.chaos [kills] [--processes N] [--breakdowns N] [--cuts N] [--seed N]``.

Several processes of the real bot share one PostgreSQL database against the stand-in Discord. On a
server of each, two people play one match after another, while processes are killed at any moment
and stay away for as long as they like, the database breaks down and comes back, the lines to it
are cut or slow, and Discord answers late, not at all, or that there is too much. Then what people
were told is compared with what is stored: nothing acknowledged may be lost or doubled, and no
board may stand twice.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import random
import secrets
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from data.store.problems import StoreProblem
from data.store.shards import shard_of
from tests.postgres import TestServer
from tests.wire.joust import Joust
from tests.wire.kills import Figures as OfKills
from tests.wire.kills import given_up, process
from tests.wire.line import Line
from tests.wire.process import BotProcess
from tests.wire.standin import StandIn
from tests.wire.world import Guild, UnansweredError

T = TypeVar("T")

AWAY = 3.0
"""Seconds that a process stays away at most: sometimes others take on what it leaves."""

BETWEEN_BREAKDOWNS = (3.0, 8.0)
"""Seconds between two breakdowns of the database."""

BETWEEN_CUTS = (1.0, 5.0)
"""Seconds between two troubles of the lines to the database."""

CUT = 4.0
"""Seconds that a line is cut, or slow, at most."""

SLOW = 0.2
"""Seconds that everything takes on a slow line at most."""

PATIENCE = 8.0
"""Seconds after which people give up a move."""

STARTS = 3
"""So often whatever watches over a process starts it again."""

TROUBLES = (
    r"POST /channels/\d+/messages$",
    r"PATCH /channels/",
    r"/callback$",
    r"PATCH /webhooks/",
)
"""Requests that Discord may fail."""


@dataclass
class Figures(OfKills):
    """What came of it.

    :ivar breakdowns: of the database.
    :ivar cuts: of a line to it, slow ones among them.
    """

    breakdowns: int = 0
    cuts: int = 0

    def __str__(self) -> str:
        return (
            f"{self.breakdowns} breakdowns of the database, {self.cuts} of lines to it; "
            + super().__str__()
        )


@dataclass
class Part:
    """A process, and the people who play on its server."""

    bot: BotProcess
    joust: Joust
    chaos: random.Random


def guild_of(discord: StandIn, shard: int, count: int) -> Guild:
    """A server that belongs to a shard."""
    while True:
        guild = discord.guild("Camelot")
        if shard_of(guild.id, count) == shard:
            return guild


async def storm(
    kills: int,
    processes: int,
    seed: int,
    server: TestServer,
    breakdowns: int,
    cuts: int,
    directory: Path,
    goal: int = 2,
) -> Figures:
    """Let all of it happen.

    :param kills: of all processes together, about.
    :param breakdowns: of the database at most.
    :param cuts: of lines to it at most; half of them are only slow.
    :param goal: stones to take in a match.
    :raises AssertionError: people, journal and channel disagree.
    """
    figures = Figures()
    async with AsyncExitStack() as opened:
        house = opened.enter_context(server.house())
        discord = await opened.enter_async_context(StandIn())
        parts, lines = [], []
        for shard in range(processes):
            (folder := directory / f"{shard}").mkdir()
            lines.append(await opened.enter_async_context(Line(house, folder)))
            shards = f"{shard}/{processes}"
            running = process(discord, "tests.wire.hasty", folder, lines[-1].place, shards)
            bot, _ = await opened.enter_async_context(running)
            joust = Joust(discord, house, guild_of(discord, shard, processes))
            parts.append(Part(bot, joust, random.Random(f"{seed} {shard}")))
        for part in parts:
            await start(part.bot)
        troubles = [
            asyncio.create_task(trouble)
            for trouble in (
                break_down(server, breakdowns, random.Random(f"{seed} database"), figures),
                disturb(lines, cuts, random.Random(f"{seed} lines"), figures),
            )
        ]
        each = kills // processes
        playing = [play(part, each, figures, f"seed {seed}", goal) for part in parts]
        await asyncio.gather(*playing)
        for trouble in troubles:
            trouble.cancel()
        ends = await asyncio.gather(*troubles, return_exceptions=True)
        faults = [end for end in ends if isinstance(end, Exception)]
        if faults:
            raise faults[0]
    return figures


async def disturb(
    lines: Sequence[Line], times: int, chaos: random.Random, figures: Figures
) -> None:
    """Cut the line of a process to the database, or slow it down, for a while."""
    for _ in range(times):
        await asyncio.sleep(chaos.uniform(*BETWEEN_CUTS))
        line = chaos.choice(lines)
        if chaos.random() < 0.5:
            line.cut()
        else:
            line.delay = chaos.uniform(0, SLOW)
        figures.cuts += 1
        await asyncio.sleep(chaos.uniform(0, CUT))
        line.mend()


async def break_down(
    server: TestServer, times: int, chaos: random.Random, figures: Figures
) -> None:
    """Stop the database in the midst of everything, and start it again."""
    for _ in range(times):
        await asyncio.sleep(chaos.uniform(*BETWEEN_BREAKDOWNS))
        stop = asyncio.to_thread(server.control, "stop", "-m", chaos.choice(["fast", "immediate"]))
        await asyncio.shield(stop)
        await asyncio.shield(asyncio.to_thread(server.start))
        figures.breakdowns += 1


async def play(part: Part, kills: int, figures: Figures, note: str, goal: int) -> None:
    """Play matches on one server until its process was killed so often."""
    joust, chaos = part.joust, part.chaos
    killed = 0
    while killed < kills:
        await again(lambda: joust.open(goal=goal))
        while (match := (await again(joust.settled)).match).outcome is None:
            (seat,) = match.actors
            square = chaos.choice(match.game.legal(match.state, seat))
            fail(joust.discord, chaos)
            moving = asyncio.create_task(
                joust.place(joust.people[seat], square, by_buttons=chaos.random() < 0.5)
            )
            if killed < kills and chaos.random() < 0.7:
                await asyncio.wait([moving], timeout=chaos.uniform(0, 0.4))
                await part.bot.kill()
                killed += 1
                figures.kills += 1
                await asyncio.sleep(chaos.choice([0, chaos.uniform(0, AWAY)]))
                await given_up(moving)
                await start(part.bot)
            else:
                await asyncio.wait([moving], timeout=PATIENCE)
                with suppress(TimeoutError):
                    await given_up(moving)
        await count(joust, figures, note)


async def start(bot: BotProcess) -> None:
    """Start a process; again, if it has given up because the database was away."""
    for _ in range(STARTS):
        try:
            return await bot.start()
        except TimeoutError:
            await bot.kill()
    return await bot.start()


def fail(discord: StandIn, chaos: random.Random) -> None:
    """Let Discord fail at one of the next requests, now and then."""
    if chaos.random() < 0.3:
        pattern = chaos.choice(TROUBLES)
        if chaos.random() < 0.5:
            discord.faults.rate_limit(pattern, retry_after=0.1)
        else:
            discord.faults.fail(pattern, 502, late=chaos.random() < 0.5)


async def again(doing: Callable[[], Awaitable[T]]) -> T:
    """Do what a breakdown may have hindered, a few times."""
    for _ in range(5):
        try:
            return await doing()
        except (TimeoutError, UnansweredError, StoreProblem):
            continue
    return await doing()


async def count(joust: Joust, figures: Figures, note: str) -> None:
    """Compare what people were told with what is stored."""
    record = await again(joust.settled)
    figures.acknowledged += sum(deed.confirmed for deed in joust.deeds)
    figures.lost += len(joust.lost(record))
    figures.doubled += len(joust.doubled(record))
    figures.boards += len(joust.boards)
    figures.boards_doubled += len(joust.boards_doubled(record))
    await joust.check(note)


def main() -> int:
    """0 if nothing was lost or doubled."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("kills", type=int, nargs="?", default=60)
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--breakdowns", type=int, default=1000)
    parser.add_argument("--cuts", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(2**32))
    chosen = parser.parse_args()
    print(f"--seed {chosen.seed}", flush=True)
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)  # uploads cut off by a kill
    began = time.monotonic()
    with TemporaryDirectory() as folder:
        server = TestServer(Path(folder) / "data")
        try:
            figures = asyncio.run(
                storm(
                    chosen.kills,
                    chosen.processes,
                    chosen.seed,
                    server,
                    chosen.breakdowns,
                    chosen.cuts,
                    Path(folder),
                )
            )
        finally:
            server.remove()
    print(f"--seed {chosen.seed}: {figures}, {time.monotonic() - began:.0f} s")
    return 1 if figures.lost or figures.doubled or figures.boards_doubled else 0


if __name__ == "__main__":
    sys.exit(main())
