"""Playing where people are: in direct messages with the bot, among friends without a server, and in
group chats where the bot can only answer.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from data.store.rows import Status
from play.table import Table
from tests.cogs.test_front import press
from tests.stage import PATIENCE, Stage, answer_to, controls, private, texts_of, verb_of

pytestmark = pytest.mark.usefixtures("no_errors", "patient")


@pytest.fixture
def patient(stage: Stage) -> None:
    """The picture of all games takes a while on a busy machine."""
    stage.env.settle_timeout = PATIENCE


async def table_of(stage: Stage, name: str) -> Table:
    """The only table of a person."""
    (table,) = await stage.bot.tables.of_person(stage.people[name].id)
    return table


def standing(stage: Stage, name: str) -> Any:
    """The newest direct message with something to press."""
    return next(m for m in reversed(stage.dms(name)) if controls(m))


async def test_commands_are_offered_everywhere(stage: Stage) -> None:
    """To servers and to people, in servers, with the bot, and in group chats."""
    tree = stage.bot.client.tree
    commands = {command.name: command.to_dict(tree) for command in tree.get_commands()}
    for name in ("play", "help", "tables", "lancelot", "table", "join"):
        assert sorted(commands[name]["contexts"]) == [0, 1, 2], name
        assert sorted(commands[name]["integration_types"]) == [0, 1], name
    assert commands["server"]["contexts"] == [0]


async def test_alone_with_the_bot(stage: Stage) -> None:
    """From the gallery to a move against a computer player, all in direct messages."""
    anna = stage.people["Anna"].user
    page = private(await press(anna, private(await anna.slash("play")), "game", "lancelot"))
    told = private(await press(anna, page, "alone", "lancelot.novice"))
    assert "in your direct messages with me" in texts_of(told)
    table = await table_of(stage, "Anna")
    assert (table.row.guild_id, table.running) == (None, True)
    for _ in range(100):
        await stage.env.settle()
        if (await table_of(stage, "Anna")).awaited_persons:
            break
    before = (await table_of(stage, "Anna")).played.ply
    place = standing(stage, "Anna")
    for _ in range(2):
        place = private(await stage.choose(stage.people["Anna"], place, random.Random(0))) or place
    assert (await table_of(stage, "Anna")).played.ply > before


async def dm_table(stage: Stage) -> Table:
    """Anna opens a table in her direct messages, Ben joins by its code in his; it starts."""
    anna, ben = stage.people["Anna"].user, stage.people["Ben"].user
    await anna.slash("lancelot new", seating="joined", starter=1)
    table = await table_of(stage, "Anna")
    joined = answer_to(await ben.slash("join", code=table.row.code))
    assert "You sit at table" in joined
    await press(anna, standing(stage, "Anna"), "start")
    return await table_of(stage, "Anna")


async def test_friends_play_without_a_server(stage: Stage) -> None:
    """Each has the board in the own direct messages; only who is to move can move."""
    table = await dm_table(stage)
    assert table.running
    for name in ("Anna", "Ben"):
        assert "is to move" in texts_of(standing(stage, name))
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    refused = await ben.user.slash("lancelot place", square="K4")
    assert "not your turn" in answer_to(refused)
    assert "Done: K4" in answer_to(await anna.user.slash("lancelot place", square="K4"))
    for name in ("Anna", "Ben"):
        assert "places a stone on K4" in texts_of(standing(stage, name))
        boards = [m for m in stage.dms(name) if m.attachments]
        assert len(boards) == 1, "the board before is folded"
    await ben.user.slash("lancelot place", square="D4")
    assert "places a stone on D4" in texts_of(standing(stage, "Anna"))


async def test_a_table_in_direct_messages_survives_a_restart(stage: Stage) -> None:
    """It has no server, yet its channel is not lost."""
    table = await dm_table(stage)
    await stage.restart()
    assert (await stage.bot.tables.fresh(table.id)).row.status is Status.RUNNING
    done = await stage.people["Anna"].user.slash("lancelot place", square="K4")
    assert "Done: K4" in answer_to(done)


async def test_strangers_do_not_see_a_running_table(stage: Stage) -> None:
    """Its code opens it only to those who play, once it runs."""
    table = await dm_table(stage)
    clara = stage.people["Clara"].user
    refused = await clara.slash("table show", table=table.row.code)
    assert "no table with that code" in answer_to(refused)


async def test_a_rematch_in_direct_messages(stage: Stage) -> None:
    """Nobody sees the other's lobby there: who plays again is asked, and sits down by a button."""
    await dm_table(stage)
    anna, ben = stage.people["Anna"].user, stage.people["Ben"].user
    await press(anna, private(await anna.slash("table resign")), "resign")
    over = next(m for m in stage.dms("Ben") if "Rematch" in [c.label for c in controls(m)])
    await press(ben, over, "rematch")
    letter = standing(stage, "Anna")
    assert "**Ben** invites you to a match of Lancelot." in texts_of(letter)
    await press(anna, letter, "join")
    again = await table_of(stage, "Anna")
    assert [member.name for member in again.members] == ["Ben", "Anna"]
    await press(ben, over, "rematch")
    assert (await table_of(stage, "Ben")).id == again.id, "it is there already"


async def test_a_group_chat(stage: Stage) -> None:
    """The chat hears of the table once, with a button to join; it is played in direct messages."""
    stage.in_group_chat = True
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    opened = await anna.slash(stage.channel, "lancelot new", seating="joined", starter=1)
    told = opened.followups[-1]
    assert not told.ephemeral
    assert "**Anna** opens a table for Lancelot" in texts_of(told)
    table = await table_of(stage, "Anna")
    assert table.row.guild_id is None
    join = next(c for c in controls(told) if verb_of(c.custom_id)[0] == "join")
    posted = stage.channel.last_message
    await ben.click(posted, custom_id=join.custom_id)
    assert [member.name for member in (await table_of(stage, "Ben")).members] == ["Anna", "Ben"]
    await press(anna.user, standing(stage, "Anna"), "start")
    assert "is to move" in texts_of(standing(stage, "Ben"))
    assert len(stage.channel.history()) == 1


async def test_without_direct_messages_no_table_opens(stage: Stage) -> None:
    """A sentence says what to do."""
    stage.in_group_chat = True
    stage.close_dms("Anna")
    refused = await stage.people["Anna"].slash(stage.channel, "lancelot new")
    assert "direct messages to you do not arrive" in answer_to(refused)
    assert await stage.bot.tables.of_person(stage.people["Anna"].id) == []
