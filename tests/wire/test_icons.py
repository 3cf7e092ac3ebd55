"""Icons refused by Discord: the same messages are sent without them, and nobody is told."""

from __future__ import annotations

import random
from pathlib import Path

import discord
import pytest

from render.icons import ICONS
from tests.hostile.house import House, house
from tests.limits import emojis_of
from tests.wire.rounds import Round
from tests.wire.standin import StandIn
from tests.wire.world import Message

pytestmark = [pytest.mark.slow("icons"), pytest.mark.blank]

MOVES = 6


def own_all(home: House) -> None:
    """Add an emoji for each icon to the application, and let the bot know them."""
    for key in ICONS:
        number = home.discord.world.new_id()
        name = f"tr_{key}_01234567"
        home.discord.world.emojis[number] = {"id": str(number), "name": name}
        home.bot.emojis.emojis.known[key] = discord.PartialEmoji(name=name, id=number)


def with_icons(standin: StandIn) -> list[Message]:
    """The messages whose controls have icons."""
    messages = standin.world.messages.values()
    return [m for m in messages if any(emojis_of({"components": m.components}))]


@pytest.mark.parametrize("game", ["donquixote", "isis"])
async def test_a_message_refused_for_an_icon_is_sent_without_it(tmp_path: Path, game: str) -> None:
    """Once Discord accepts icons, messages have them again."""
    async with house(tmp_path, "0") as home:
        own_all(home)
        world = home.discord.world
        world.emojis_refused = refusals = 10_000
        table = Round(home.discord, tmp_path / "house.sqlite3", 2, random.Random(0))
        await table.open(game)
        record = await table.books.told(table.code)
        while table.moves() < MOVES:
            await table.move()
            record = await table.books.told(table.code)
        record.check_live(world, game)
        assert world.emojis_refused < refusals - MOVES
        assert with_icons(home.discord) == []
        assert not any("could not" in message.text for message in world.messages.values())
        world.emojis_refused = 0
        while table.moves() < 3 * MOVES and not with_icons(home.discord):
            await table.move()
            await table.books.told(table.code)
        assert with_icons(home.discord) != []
        assert home.heard.errors == []
        assert home.faults == []
