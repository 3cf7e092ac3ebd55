"""The real bot as a process: killed at any moment, cut off, starved, asked to leave."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.wire.joust import Joust
from tests.wire.process import BotProcess
from tests.wire.standin import StandIn
from tests.wire.world import UnansweredError

KILLS = 50
LONGEST_MOVE = 0.3
"""Seconds within which a move is usually done: kills by time fall into them."""
REQUESTS_OF_A_MOVE = 8
"""Requests that the bot makes for a move, at most: kills by request fall between them."""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The bot's database file."""
    return tmp_path / "tafelrunde.sqlite3"


@pytest.fixture
async def bot(discord: StandIn, tmp_path: Path, database: Path) -> AsyncIterator[BotProcess]:
    """The real bot, not started yet."""
    environment = {
        "DISCORD_TOKEN": discord.token,
        "TAFELRUNDE_DATABASE": str(database),
        "TAFELRUNDE_COMPUTER_PAUSE": "0",
    }
    async with BotProcess(discord, "bot", environment, tmp_path / "bot.log") as process:
        yield process
    print(process.output[-5000:])


@pytest.fixture
async def joust(discord: StandIn, bot: BotProcess, database: Path) -> Joust:
    """Anna and Ben in a channel, the bot listening."""
    joust = Joust(discord, bot, database)
    await bot.start()
    return joust


async def test_kills_at_random_moments_lose_and_double_nothing(
    discord: StandIn, bot: BotProcess, joust: Joust
) -> None:
    """Fifty kills in the midst of moves: whatever was confirmed counts, nothing counts twice, every
    move is told once, and the games end as their logs say."""
    seed = int(os.environ.get("WIRE_SEED", secrets.randbelow(2**32)))
    note = f"WIRE_SEED={seed}"
    print(note)
    chaos = random.Random(seed)
    kills = 0
    while kills < KILLS:
        await joust.open()
        while (record := await joust.settled()).match.outcome is None:
            person = joust.to_move(record)
            square = chaos.choice(
                record.match.game.legal(record.match.state, record.match.actors[0])
            )
            moving = asyncio.create_task(
                joust.place(person, square, by_buttons=chaos.random() < 0.5)
            )
            if chaos.random() < 0.8:
                await _kill_in_the_midst(discord, bot, moving, chaos)
                kills += 1
                await bot.start()
            else:
                await moving
        await joust.check(note)


async def _kill_in_the_midst(
    discord: StandIn, bot: BotProcess, moving: asyncio.Task[object], chaos: random.Random
) -> None:
    """Kill the bot while somebody moves: at a moment, or at one of its requests, before or after
    that took effect."""
    if chaos.random() < 0.3:
        moment = asyncio.create_task(asyncio.sleep(chaos.uniform(0, LONGEST_MOVE)))
    else:
        trap = discord.faults.trap(
            late=chaos.random() < 0.5, skip=chaos.randrange(REQUESTS_OF_A_MOVE)
        )
        moment = asyncio.create_task(trap.sprung())
    await asyncio.wait([moment, moving], return_when=asyncio.FIRST_COMPLETED)
    await bot.kill()
    discord.faults.clear()
    for task in (moment, moving):
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, UnansweredError):
            await task
