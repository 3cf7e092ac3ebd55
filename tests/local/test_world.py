"""The simulated Discord of the local table."""

from __future__ import annotations

import asyncio

import discord
from discord.ext import commands

from scripts.local_table.world import PATIENCE, LocalEnv

LATER = PATIENCE * 0.8


async def test_an_action_does_not_wait_for_a_timer() -> None:
    """It ends long before the timer goes off."""
    bot = commands.Bot("!", intents=discord.Intents.all())
    heard = list[str]()

    @bot.listen()
    async def on_message(message: discord.Message) -> None:
        asyncio.get_running_loop().call_later(LATER, heard.append, "too late")
        await asyncio.sleep(0)
        heard.append(message.content)

    env = LocalEnv(bot, check_errors=False, settle_timeout=PATIENCE)
    server = env.create_guild("Camelot")
    channel = server.create_text_channel("round-table")
    anna = server.add_member(env.create_user("anna"))
    await env.start()
    async with asyncio.timeout(LATER / 2):
        await anna.send(channel, "now")
    assert heard == ["now"]
    await env.shutdown()
