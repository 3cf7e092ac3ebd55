"""The real bot in a group chat: it can only answer there, and says the rest by direct message."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.wire.kills import process
from tests.wire.process import BotProcess
from tests.wire.standin import StandIn

pytestmark = pytest.mark.slow("process")


@pytest.fixture
async def bot(discord: StandIn, tmp_path: Path) -> AsyncIterator[BotProcess]:
    """The real bot, started."""
    async with process(discord, "bot", tmp_path) as (bot, _):
        await bot.start()
        yield bot


async def test_a_table_is_announced_in_a_group_chat(discord: StandIn, bot: BotProcess) -> None:
    """Everyone there sees it and can join; all else goes by direct message, and nothing is posted
    where the bot may not.
    """
    anna, ben = discord.person("Anna"), discord.person("Ben")
    chat = discord.world.group_chat("friends", anna.user, ben.user)
    opened = await anna.slash(chat, "lancelot new", seating="joined", starter=1)
    announced = await chat.next_message()
    assert "opens a table for Lancelot" in announced.text
    assert "1. Anna" in (await anna.dm.next_message()).text
    await ben.press(announced, "Join")
    lobby = await ben.dm.next_message()
    assert "2. Ben" in lobby.text
    await anna.press(anna.dm.messages[0], "Start")
    board = await ben.dm.wait_for(lambda message: "is to move" in message.text)
    assert board.attachments
    done = await anna.slash(chat, "lancelot place", square="K4")
    assert (await done.answer()).text == "Done: K4."
    assert [message.text for message in chat.messages] == [announced.text]
    assert opened.refusals == []
    assert not [line for line in discord.faults.requests if f"/channels/{chat.id}/" in str(line)]
