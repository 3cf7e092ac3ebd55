"""The stand-in itself, with the trial bot as a process of its own."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from tests.wire.people import Person
from tests.wire.process import BotProcess
from tests.wire.standin import StandIn
from tests.wire.trial_bot import PICTURE
from tests.wire.world import Channel, MessageFlag, Permission, UnansweredError


@pytest.fixture
def room(discord: StandIn) -> Channel:
    """A channel of a German server."""
    return discord.guild("Camelot", locale="de").channel("games")


@pytest.fixture
def anna(discord: StandIn, room: Channel) -> Person:
    """A person who reads German."""
    return discord.person("Anna", locale="de")


@pytest.fixture
def ben(discord: StandIn, room: Channel) -> Person:
    """A person who reads English."""
    return discord.person("Ben")


@pytest.fixture
async def bot(discord: StandIn, room: Channel, tmp_path: Path) -> AsyncIterator[BotProcess]:
    """The trial bot, started."""
    environment = {"DISCORD_TOKEN": discord.token}
    process = BotProcess(discord, "tests.wire.trial_bot", environment, tmp_path / "bot.log")
    async with process:
        await process.start()
        yield process


pytestmark = pytest.mark.usefixtures("bot")


# ------------------------------------------------------------------------------- commands
async def test_a_command_is_answered_in_the_language_of_the_person(
    anna: Person, ben: Person, room: Channel
) -> None:
    """A slash command with options arrives with the person's locale and its answer is read."""
    act = await anna.slash(room, "echo", text="ho", times=2)
    assert (await act.answer()).text == "hoho (de)"
    act = await ben.slash(room, "echo", text="ho")
    assert (await act.answer()).text == "ho (en-US)"
    assert [m.text for m in room.messages] == ["hoho (de)", "ho (en-US)"]


async def test_the_synced_commands_keep_localisations_and_contexts(discord: StandIn) -> None:
    """What the bot registers is stored whole: localised names, contexts, installations."""
    commands = {command["name"]: command for command in discord.world.commands[None]}
    assert commands["echo"]["name_localizations"] == {"de": "echo-de"}
    assert commands["echo"]["contexts"] == [0, 1, 2]
    assert commands["echo"]["integration_types"] == [0, 1]


async def test_a_person_cannot_enter_what_the_client_would_not_let_them(
    anna: Person, room: Channel
) -> None:
    """Unknown commands and options, missing and ill-typed values never leave the client."""
    with pytest.raises(LookupError, match="no /dance"):
        anna.slash(room, "dance")
    with pytest.raises(LookupError, match="volume"):
        anna.slash(room, "echo", text="ho", volume=3)
    with pytest.raises(ValueError, match="required"):
        anna.slash(room, "echo")
    with pytest.raises(ValueError, match="times"):
        anna.slash(room, "echo", text="ho", times="often")
    with pytest.raises(ValueError, match="times"):
        anna.slash(room, "echo", text="ho", times=True)


async def test_a_command_runs_in_a_direct_conversation(anna: Person) -> None:
    """A command allowed in DMs is answered there."""
    act = await anna.slash(anna.dm, "echo", text="hi")
    answer = await act.answer()
    assert answer.text == "hi (de)"
    assert answer.channel is anna.dm


async def test_autocompletion_offers_choices(anna: Person, room: Channel) -> None:
    """What is typed so far reaches the bot, its choices reach the person."""
    assert await anna.suggestions(room, "pick", "fruit", "ap") == [
        ("apple", "apple"),
        ("apricot", "apricot"),
    ]
    with pytest.raises(LookupError):
        await anna.suggestions(room, "echo", "text", "h")


# ------------------------------------------------------------------- buttons, menus, forms
async def test_a_button_edits_its_message_twice(anna: Person, room: Channel) -> None:
    """A press updates the message, an edit of the original follows."""
    message = await (await anna.slash(room, "counter")).answer()
    for n in (1, 2):
        await anna.press(message, f"Count {n - 1}")
        done = f"pressed {n}!"
        await room.wait_for(lambda m, done=done: m.content == done)  # type: ignore[misc]
    assert message.edits == 4
    assert len(room.messages) == 1


async def test_a_press_may_be_acknowledged_without_effect(anna: Person, room: Channel) -> None:
    """A deferred update (type 6) changes nothing and is no failure."""
    message = await (await anna.slash(room, "counter")).answer()
    act = await anna.press(message, "Quiet")
    assert act.response == 6
    assert (act.messages, message.edits) == ([], 0)


async def test_a_menu_answers_only_to_who_chose(anna: Person, ben: Person, room: Channel) -> None:
    """A choice arrives, and its ephemeral answer is seen by no one else."""
    message = await (await anna.slash(room, "counter")).answer()
    answer = await (await ben.choose(message, "Which?", "banana")).answer()
    assert answer.text == "chose banana"
    assert answer.seen_by is ben.user
    assert answer not in room.messages


async def test_a_person_cannot_use_what_they_do_not_see(
    discord: StandIn, anna: Person, ben: Person, room: Channel
) -> None:
    """Missing buttons, missing options and other people's messages cannot be used."""
    message = await (await anna.slash(room, "counter")).answer()
    with pytest.raises(LookupError, match="Count 0"):
        anna.press(message, "Count 5")
    with pytest.raises(LookupError, match="option"):
        anna.choose(message, "Which?", "stone")
    secret = await (await anna.slash(room, "think", secret=True)).answer()
    with pytest.raises(LookupError, match="not see"):
        ben.press(secret, "Quiet")


async def test_a_form_is_shown_and_submitted(anna: Person, room: Channel) -> None:
    """A modal with a label, a text input and a menu comes back filled in."""
    shown = await anna.slash(room, "form")
    assert shown.modal is not None
    assert shown.modal["title"] == "A form"
    act = await anna.submit(shown, name="Elaine", fruit=["cherry"])
    assert (await act.answer()).text == "Elaine likes cherry"
    with pytest.raises(LookupError, match="age"):
        anna.submit(shown, age="7")


# ------------------------------------------------------------------------ files and layout
async def test_a_file_arrives_byte_for_byte(discord: StandIn, anna: Person, room: Channel) -> None:
    """An attachment is stored as sent, resolved in the embed, and served at its address."""
    message = await (await anna.slash(room, "board")).answer()
    (file,) = message.attachments
    assert (file.data, file.width, file.height) == (PICTURE, 2, 1)
    assert message.embeds[0]["image"]["url"] == file.url
    async with aiohttp.ClientSession() as session, session.get(file.url) as response:
        assert await response.read() == PICTURE


async def test_a_deferred_answer_takes_the_place_of_thinking(
    discord: StandIn, anna: Person, room: Channel
) -> None:
    """The first message after a deferral becomes the original, with its layout resolved."""
    trap = discord.faults.trap(r"POST /webhooks/")
    act = await anna.slash(room, "think")
    await trap.sprung()
    assert act.original is not None
    assert act.original.is_loading
    assert room.messages == []
    trap.open()
    message = await act.answer()
    assert message is act.original
    assert MessageFlag.COMPONENTS_V2 in message.flags
    assert message.text == "# Thought"
    (container,) = message.components
    (picture,) = container["components"][1]["items"]
    assert picture["media"]["url"] == message.attachments[0].url
    await anna.press(message, "Quiet")


async def test_a_secret_answer_stays_secret(anna: Person, room: Channel) -> None:
    """Whether an answer is ephemeral is settled when it is deferred."""
    answer = await (await anna.slash(room, "think", secret=True)).answer()
    assert answer.is_ephemeral
    assert room.messages == []


# -------------------------------------------------------------------------- beyond answers
async def test_a_direct_message_carries_a_picture(anna: Person, room: Channel) -> None:
    """The bot opens the conversation and writes there."""
    act = await anna.slash(room, "whisper")
    letter = await anna.dm.next_message()
    assert (letter.text, letter.attachments[0].data) == ("psst", PICTURE)
    assert (await act.answer()).text == "sent"


async def test_closed_direct_messages_are_refused(anna: Person, room: Channel) -> None:
    """Who has closed their DMs is answered by the bot's fallback after 50007."""
    anna.close_dms()
    assert (await (await anna.slash(room, "whisper")).answer()).text == "closed: 50007"
    anna.open_dms()
    assert (await (await anna.slash(room, "whisper")).answer()).text == "sent"


async def test_an_enforced_nonce_writes_once(discord: StandIn, anna: Person, room: Channel) -> None:
    """The same nonce within minutes gives the message that stands already; later a new one."""
    first = await (await anna.slash(room, "once", key="k1")).answer()
    again = await (await anna.slash(room, "once", key="k1")).answer()
    assert first.text == again.text
    assert [m.text for m in room.messages] == ["only k1"]
    discord.world.nonce_memory = 0
    await (await anna.slash(room, "once", key="k1")).answer()
    assert [m.text for m in room.messages] == ["only k1"] * 2


async def test_missing_permissions_are_refused(anna: Person, room: Channel) -> None:
    """Without the right to see or to write, the channel's routes say so; answers still work."""
    room.deny(Permission.SEND_MESSAGES)
    answer = await (await anna.slash(room, "once", key="k")).answer()
    assert answer.text == "refused: 50013"
    room.deny(Permission.VIEW_CHANNEL)
    answer = await (await anna.slash(room, "once", key="k")).answer()
    assert answer.text == "refused: 50001"


async def test_a_thread_is_opened_and_pings(anna: Person, room: Channel) -> None:
    """The bot opens a thread, adds the person and writes a message that notifies them."""
    await (await anna.slash(room, "thread", name="A game")).answer()
    (thread,) = room.threads
    greeting = await thread.next_message()
    assert (thread.name, greeting.pinged) == ("A game", [anna.user])
    assert anna.user in thread.members


# ------------------------------------------------------------------------------- refusals
async def test_an_answer_after_three_seconds_is_refused(
    discord: StandIn, bot: BotProcess, anna: Person, room: Channel
) -> None:
    """An interaction delivered too late fails for the person and earns the bot 10062."""
    discord.world.answer_within = 0.01
    discord.gateway.hold()
    act = anna.slash(room, "echo", text="late")
    with pytest.raises(UnansweredError):
        await act
    discord.gateway.release()
    await discord.world.until(lambda: act.refusals)
    assert act.refusals == [10062]
    assert not act.acknowledged
    assert room.messages == []


async def test_a_second_answer_is_refused(anna: Person, room: Channel) -> None:
    """Acknowledging twice earns 40060 and changes nothing."""
    act = await anna.slash(room, "twice")
    await room.wait_for(lambda m: m.text == "refused: 40060")
    assert act.refusals == [40060]
    assert [m.text for m in act.messages] == ["first", "refused: 40060"]


async def test_an_interaction_may_arrive_twice(
    discord: StandIn, anna: Person, room: Channel
) -> None:
    """A stuttering gateway delivers the same interaction again; the second answer is refused."""
    discord.gateway.stutter()
    act = anna.slash(room, "echo", text="ho")
    await discord.world.until(lambda: act.refusals)
    assert act.refusals == [40060]
    assert [m.text for m in room.messages] == ["ho (de)"]


async def test_an_expired_token_is_refused(discord: StandIn, anna: Person, room: Channel) -> None:
    """After its life an interaction's token serves no edit and no followup."""
    trap = discord.faults.trap(r"POST /webhooks/")
    act = await anna.slash(room, "think")
    await trap.sprung()
    discord.world.token_life = 0
    trap.open()
    await discord.world.until(lambda: act.refusals)
    assert act.refusals == [50027]


# ----------------------------------------------------------------------------- disturbances
async def test_a_rate_limited_request_is_repeated(
    discord: StandIn, anna: Person, room: Channel
) -> None:
    """A 429 with its headers makes the bot wait and repeat, not give up."""
    fault = discord.faults.rate_limit(r"POST /channels/\d+/messages$", retry_after=0.05)
    await (await anna.slash(room, "once", key="k")).answer()
    assert fault.hits == 1
    assert [m.text for m in room.messages] == ["only k"]


async def test_a_failed_request_is_repeated(discord: StandIn, anna: Person, room: Channel) -> None:
    """A 500 after the effect makes the bot repeat; the nonce keeps the message single."""
    fault = discord.faults.fail(r"POST /channels/\d+/messages$", late=True)
    await (await anna.slash(room, "once", key="k")).answer()
    assert fault.hits == 1
    assert [m.text for m in room.messages] == ["only k"]


async def test_a_dropped_socket_is_resumed(discord: StandIn, anna: Person, room: Channel) -> None:
    """After a torn connection the bot resumes and gets what happened meanwhile."""
    discord.gateway.drop()
    act = anna.slash(room, "echo", text="anybody?")
    assert (await act.answer()).text == "anybody? (de)"
    assert (discord.gateway.identified, discord.gateway.resumed) == (1, 1)


async def test_a_requested_reconnect_is_resumed(
    discord: StandIn, anna: Person, room: Channel
) -> None:
    """Asked to reconnect (opcode 7), the bot resumes."""
    await discord.gateway.ask_to_reconnect()
    await discord.world.until(lambda: discord.gateway.resumed == 1)
    assert (await (await anna.slash(room, "echo", text="ho")).answer()).text == "ho (de)"


async def test_a_slow_answer_is_waited_for(discord: StandIn, anna: Person, room: Channel) -> None:
    """A slow request delays its own effect only."""
    slow = discord.faults.trap(r"POST /channels/\d+/messages$")
    waiting = await anna.slash(room, "once", key="k")
    await slow.sprung()
    assert (await (await anna.slash(room, "echo", text="ho")).answer()).text == "ho (de)"
    assert not any(m.text == "only k" for m in room.messages)
    slow.open()
    assert re.match("written", (await waiting.answer()).text)


async def test_a_killed_bot_loses_what_it_had_not_sent(
    discord: StandIn, bot: BotProcess, anna: Person, room: Channel
) -> None:
    """A kill before the effect leaves no message, one after the effect leaves it; a new process
    serves again."""
    for late, left in ((False, []), (True, ["only k"])):
        trap = discord.faults.trap(r"POST /channels/\d+/messages$", late=late)
        await anna.slash(room, "once", key="k")
        await trap.sprung()
        await bot.kill()
        trap.open()
        await bot.start()
        assert (await (await anna.slash(anna.dm, "echo", text="ho")).answer()).text == "ho (de)"
        assert [m.text for m in room.messages] == left


async def test_a_bot_leaves_when_asked(discord: StandIn, bot: BotProcess) -> None:
    """SIGTERM ends the process with code 0 and closes its connection."""
    assert await bot.terminate() == 0
    assert not discord.gateway.connected
    await bot.start()


async def test_a_wrong_token_is_refused(discord: StandIn) -> None:
    """The token is required."""
    async with aiohttp.ClientSession() as session:
        for url in ("/users/@me", "/channels/1/messages"):
            async with session.get(discord.url + "/api/v10" + url) as response:
                assert response.status == 401
