"""Two real processes on one database, each with half of the shards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from data.store.place import Place
from data.store.shards import shard_of
from tests.postgres import shared_server
from tests.wire.joust import Joust, boards_doubled
from tests.wire.kills import given_up, process
from tests.wire.process import BotProcess
from tests.wire.standin import StandIn
from tests.wire.test_process import BOARD_POST, OPENING, SHORT
from tests.wire.world import PATIENCE, Guild

pytestmark = pytest.mark.slow("process")

COUNT = 2


@dataclass
class Pair:
    """Two running processes.

    :ivar first: has direct messages and about half of the servers; ``second`` has the others.
    """

    first: BotProcess
    second: BotProcess
    database: Place


@pytest.fixture
async def pair(discord: StandIn, tmp_path: Path) -> AsyncIterator[Pair]:
    """Two processes on one database that treat a stopped one as gone at once."""
    async with AsyncExitStack() as opened:
        house = opened.enter_context(shared_server().house())
        bots = [
            (
                await opened.enter_async_context(
                    process(discord, "tests.wire.hasty", tmp_path, house, f"{shard}/{COUNT}")
                )
            )[0]
            for shard in range(COUNT)
        ]
        for bot in bots:
            await bot.start()
        first, second = bots
        yield Pair(first, second, house)
        for bot in bots:
            print(bot.output[-5000:])


def guild_of(discord: StandIn, shard: int) -> Guild:
    """Create servers until one belongs to the shard; return it."""
    while True:
        guild = discord.guild("Camelot")
        if shard_of(guild.id, COUNT) == shard:
            return guild


async def test_two_processes_are_one_bot(discord: StandIn, pair: Pair) -> None:
    """One process delivers what the other decides, takes over the work of a dead one, and gives it
    back once that one has restarted; the commands are registered once.
    """
    joust = Joust(discord, pair.database, guild_of(discord, 1))
    await joust.open(starter=1)
    await joust.place(joust.anna, "K4")
    await joust.settled()
    done = await joust.ben.slash(joust.ben.dm, "lancelot place", square="G7", table=joust.code)
    assert (await done.answer()).text == "Done: G7."
    await joust.books.until_played(joust.code, 2)
    await joust.settled()
    assert joust.told == ["K4", "G7"]
    for late, square in ((False, "E9"), (True, "D10")):
        trap = discord.faults.trap(BOARD_POST, late=late)
        moving = asyncio.create_task(joust.place(joust.people[late], square))
        await trap.sprung()
        await pair.second.kill()
        await given_up(moving)
        discord.faults.clear()
        await joust.settled()
        assert "serving_shards" in pair.first.output
        await pair.second.start()
    await joust.place(joust.anna, "J5", by_buttons=True)
    await joust.settled()
    assert joust.told == ["D10", "J5"]
    assert boards_doubled(await joust.record(), joust.room) == []
    assert len([r for r in discord.faults.requests if r.startswith("PUT")]) == 1


async def test_every_process_knows_how_long_discord_holds_back(
    discord: StandIn, pair: Pair
) -> None:
    joust = Joust(discord, pair.database, guild_of(discord, 1))
    await joust.open(**SHORT)
    discord.faults.rate_limit(BOARD_POST, retry_after=3600, times=99)
    act = joust.anna.slash(joust.room, "lancelot place", square=OPENING[0])
    assert "holding back" in (await act.answer()).text
    async with asyncio.timeout(PATIENCE):
        while True:
            asked = joust.ben.slash(joust.ben.dm, "table show", table=joust.code)
            if "holding back" in (await asked.answer()).text:
                break
