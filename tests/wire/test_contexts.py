"""The real bot where it is not a member: it can only answer, within Discord's limits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest

from tests.wire import answers
from tests.wire.kills import process
from tests.wire.people import Person
from tests.wire.process import BotProcess
from tests.wire.standin import StandIn
from tests.wire.world import Channel, Interaction, Message

pytestmark = pytest.mark.slow("process")

TILES = 22
"""The number of tiles that each player of Don Quixote lays in a match."""


@pytest.fixture
async def bot(discord: StandIn, tmp_path: Path) -> AsyncIterator[BotProcess]:
    """The real bot, started."""
    async with process(discord, "bot", tmp_path) as (bot, _):
        await bot.start()
        yield bot


def board_of(chat: Channel) -> Message:
    """The only message of the chat with usable controls."""
    (board,) = [message for message in chat.messages if message.control_ids]
    return board


def requests_to(discord: StandIn, chat: Channel) -> list[str]:
    """The bot's requests to a channel where only answers are allowed."""
    return [str(line) for line in discord.faults.requests if f"/channels/{chat.id}" in str(line)]


async def played(discord: StandIn, chat: Channel, anna: Person, ben: Person) -> list[Interaction]:
    """Have Anna open a table of Lancelot in the chat, Ben join, and each move once; return their
    acts.
    """
    acts = [await anna.slash(chat, "lancelot new", seating="joined", starter=1)]
    await chat.wait_for(lambda message: "1. Anna" in message.text)
    acts.append(await ben.press(board_of(chat), "Join"))
    await chat.wait_for(lambda message: "2. Ben" in message.text)
    acts.append(await anna.press(board_of(chat), "Start"))
    call = await chat.wait_for(lambda message: anna.user in message.pinged)
    assert str(board_of(chat).id) in str(call.buttons)
    acts.append(await anna.take(board_of(chat), "K"))
    menu = await acts[-1].answer()
    assert menu.is_ephemeral
    acts.append(await anna.take(menu, "K4"))
    await chat.wait_for(lambda message: ben.user in message.pinged)
    acts.append(await ben.slash(chat, "lancelot place", square="D4"))
    typed = acts[-1]
    await chat.world.until(lambda: typed.messages[0].text == "Done: D4.", 20, "an answer")
    await chat.wait_for(lambda message: "D4" in message.text and message.control_ids)
    return acts


async def test_a_table_is_played_where_the_bot_can_only_answer(
    discord: StandIn, bot: BotProcess
) -> None:
    """In a group chat, or on a server without the bot, one message is the lobby and then the board.
    The bot only sends answers, and no more per interaction than allowed. On a server that hides
    such answers from others, no table is opened.
    """
    anna, ben = discord.person("Anna"), discord.person("Ben")
    server = discord.guild("elsewhere", joined=False)
    chat = discord.world.group_chat("friends", anna.user, ben.user)
    for place in (chat, server.channel("tables")):
        acts = await played(discord, place, anna, ben)
        assert board_of(place).attachments
        assert not [code for act in acts for code in act.refusals]
        assert requests_to(discord, place) == []
    assert not anna.dm.messages + ben.dm.messages
    server.hushes = True
    refused = await anna.slash(server.channel("silence"), "lancelot new")
    await discord.world.until(lambda: "could not" in refused.messages[0].text, 20, "a refusal")


async def test_waiting_messages_appear_with_the_next_press(
    discord: StandIn, bot: BotProcess
) -> None:
    """If no token is valid any more, the next press updates the chat, even if the bot was killed in
    between.
    """
    anna = discord.person("Anna")
    chat = discord.world.group_chat("friends", anna.user)
    await anna.slash(chat, "lancelot new", seating="joined", starter=1)
    await chat.wait_for(lambda message: "1. Anna" in message.text)
    discord.world.token_life = 0.0
    late = await anna.choose(board_of(chat), "Add a computer player…", "novice")
    await discord.world.until(lambda: late.refusals, 20, "a refused token")
    discord.world.token_life = 900.0
    await bot.kill()
    await bot.start()
    assert "2." not in board_of(chat).text
    await anna.press(board_of(chat), "More…")
    await chat.wait_for(lambda message: "2. " in message.text)
    assert len(chat.messages) == 1
    assert requests_to(discord, chat) == []


async def lays_a_tile(
    chat: Channel, person: Person, meanwhile: Callable[[], None] = lambda: None
) -> None:
    """Lay the first tile of a hand of Don Quixote without turning it.

    :param meanwhile: called before the last press.
    """
    *_, board = (message for message in chat.messages if message.control_ids)
    menu = await (await person.press(board, "Lay a tile")).answer()
    asked = menu.text
    meanwhile()
    if menu.menus:
        tiles = menu.menus[0]
        act = await person.choose(menu, tiles["custom_id"], tiles["options"][0]["value"])
    else:  # the last tile of a round has a button for each turning
        act = await person.press(menu, menu.buttons[0]["custom_id"])
    await chat.world.until(
        lambda: menu.deleted or menu.text != asked or act.refusals, 20, "an answer"
    )


@pytest.mark.long
async def test_a_whole_match_with_answers_alone(
    discord: StandIn, bot: BotProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One button opens each person's hand, and each field is announced by a follow-up. When the
    follow-ups are used up, the next press updates everything. When all tokens expire while somebody
    is looking at the hand, a new board replaces the old one.
    """
    anna, ben = discord.person("Anna"), discord.person("Ben")
    chat = discord.world.group_chat("friends", anna.user, ben.user)
    await anna.slash(chat, "donquixote new")
    await chat.wait_for(lambda message: "1. Anna" in message.text)
    await ben.press(board_of(chat), "Join")
    await chat.wait_for(lambda message: "2. Ben" in message.text)
    await anna.press(board_of(chat), "Start")

    def calls() -> int:
        return len([message for message in chat.messages if anna.user in message.pinged])

    async def called(times: int) -> None:
        await discord.world.until(lambda: calls() >= times, 20, "a call")

    def let_tokens_end() -> None:
        for act in discord.world.interactions.values():
            act.created -= discord.world.token_life

    await called(1)
    for placement in range(1, TILES + 1):
        assert calls() == placement
        await lays_a_tile(chat, anna)
        if placement == 5:
            no_more = partial(monkeypatch.setattr, answers, "FOLLOW_UPS", 0)
            await lays_a_tile(chat, ben, no_more)
            assert calls() == placement
            monkeypatch.undo()
            await anna.press(board_of(chat), "More…")
        elif placement == 10:
            before = board_of(chat)
            await lays_a_tile(chat, ben, let_tokens_end)
        else:
            await lays_a_tile(chat, ben)
        if placement < TILES:
            await called(placement + 1)
    await chat.wait_for(lambda message: "Result" in message.text)
    late = await anna.press(before, "Lay a tile")
    assert "over" in (await late.answer()).text
    assert requests_to(discord, chat) == []
    assert not anna.dm.messages + ben.dm.messages
