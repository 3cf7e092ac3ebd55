"""Playing anywhere: in direct messages with the bot, among friends without a server, and in group
chats where the bot can only answer interactions.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from data.store.journaled import CODE_LENGTH, SECRET_LENGTH
from data.store.rows import Status
from play.moves import PlayMoves
from play.table import Table
from tests.stage import Stage, answer_to, controls, parts, private, texts_of, use

pytestmark = pytest.mark.usefixtures("no_errors", "patient")


async def table_of(stage: Stage, name: str) -> Table:
    """A person's only table."""
    (table,) = await stage.bot.tables.of_person(stage.people[name].id)
    return table


def standing(stage: Stage, name: str) -> Any:
    """The newest direct message with a control."""
    return next(m for m in reversed(stage.dms(name)) if controls(m))


def documented() -> set[str]:
    """The commands that the page on contexts lists as available on servers only."""
    page = (Path(__file__).parents[2] / "docs" / "contexts.md").read_text("utf-8")
    beginning = page.split("| place |")[0]
    return set(re.findall(r"`/(\w+)`", beginning)) | set(re.findall(r"\*(\w+)\*", beginning))


async def test_every_command_says_where_it_is_offered(stage: Stage) -> None:
    """Commands about a server are only for servers that have installed the app. All others are also
    for people who have installed it, and work on servers, in direct messages with the bot, and in
    group chats.
    """
    where = {
        command["name"]: (sorted(command["contexts"]), sorted(command["integration_types"]))
        for command in await stage.bot.client.described_commands()
    }
    server_only = {name for name, offered in where.items() if offered == ([0], [0])}
    assert server_only == documented()
    assert {"server", "seek", "tournament", "Profile"} < server_only
    everywhere = {name for name, offered in where.items() if offered == ([0, 1, 2], [0, 1])}
    assert {"play", "help", "tables", "lancelot", "table", "join"} < everywhere
    assert server_only | everywhere == set(where)


async def test_every_option_says_what_it_is_for(stage: Stage) -> None:
    waiting = list(await stage.bot.client.described_commands())
    while waiting:
        part = waiting.pop()
        waiting += part.get("options", [])
        if "required" in part:
            assert part["description"] != "…", part["name"]


async def test_a_person_plays_a_computer_entirely_in_direct_messages(stage: Stage) -> None:
    anna = stage.people["Anna"].user
    page = private(await use(anna, private(await anna.slash("play")), "game", "lancelot"))
    told = private(await use(anna, page, "alone", "lancelot.novice"))
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
    """Open a table in Anna's direct messages, have Ben join with its code from his own, and start
    it.
    """
    anna, ben = stage.people["Anna"].user, stage.people["Ben"].user
    await anna.slash("lancelot new", seating="joined", starter=1)
    table = await table_of(stage, "Anna")
    joined = answer_to(await ben.slash("join", code=table.row.code))
    assert "You are at table" in joined
    await use(anna, standing(stage, "Anna"), "start")
    return await table_of(stage, "Anna")


async def test_a_guest_who_leaves_a_lobby_gets_a_notice(stage: Stage) -> None:
    await stage.people["Anna"].user.slash("lancelot new")
    code = (await table_of(stage, "Anna")).row.code
    ben = stage.people["Ben"].user
    await ben.slash("join", code=code)
    left = answer_to(await use(ben, standing(stage, "Ben"), "leave"))
    assert left == f"You have left table `{code}`."
    assert not any(controls(message) for message in stage.dms("Ben"))


async def test_friends_play_without_a_server(stage: Stage) -> None:
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
        assert len(boards) == 1, "the previous board is gone"
    await ben.user.slash("lancelot place", square="D4")
    assert "places a stone on D4" in texts_of(standing(stage, "Anna"))


async def test_whoever_resigns_in_direct_messages_gets_the_result_without_a_sound(
    stage: Stage,
) -> None:
    """The other player is notified, whoever opened the table."""
    for resigned, other in (("Anna", "Ben"), ("Ben", "Anna")):
        await dm_table(stage)
        asked = private(await stage.people[resigned].user.slash("table resign"))
        (button,) = controls(asked)
        await stage.people[resigned].user.click(asked, custom_id=button.custom_id)
        results = [stage.dms(name)[-1].flags for name in (resigned, other)]
        assert [flags.suppress_notifications for flags in results] == [True, False]


async def test_a_table_in_direct_messages_survives_a_restart(stage: Stage) -> None:
    """The table has no server, but its channel does not count as lost."""
    table = await dm_table(stage)
    await stage.restart()
    assert (await stage.bot.tables.fresh(table.id)).row.status is Status.RUNNING
    done = await stage.people["Anna"].user.slash("lancelot place", square="K4")
    assert "Done: K4" in answer_to(done)


async def test_the_code_of_a_lobby_in_direct_messages_cannot_be_guessed(stage: Stage) -> None:
    """The code is all it takes to join there, so it is long; on a server a short one will do."""
    await stage.people["Anna"].user.slash("lancelot new")
    assert len((await table_of(stage, "Anna")).row.code) == SECRET_LENGTH
    await stage.slash("Ben", "lancelot new")
    assert len((await table_of(stage, "Ben")).row.code) == CODE_LENGTH


async def test_strangers_do_not_see_a_running_table(stage: Stage) -> None:
    table = await dm_table(stage)
    clara = stage.people["Clara"].user
    refused = await clara.slash("table show", table=table.row.code)
    assert "any table with that code" in answer_to(refused)


async def test_a_rematch_in_direct_messages(stage: Stage) -> None:
    """The other player is notified by a copy of the offer; accepting starts the match."""
    await dm_table(stage)
    anna, ben = stage.people["Anna"].user, stage.people["Ben"].user
    await use(anna, private(await anna.slash("table resign")), "resign")
    over = next(m for m in stage.dms("Ben") if "Rematch" in [c.label for c in controls(m)])
    await use(ben, over, "rematch")
    letter = standing(stage, "Anna")
    assert "**Ben** would like a rematch." in texts_of(letter)
    assert not letter.flags.silent
    assert len([m for m in stage.dms("Anna") if controls(m)]) == 2, "the offer and the result"
    told = answer_to(await use(ben, over, "rematch"))
    assert "I am still waiting for Anna." in told
    told = answer_to(await use(anna, letter, "join"))
    assert "Your match begins at table" in told
    again = await table_of(stage, "Anna")
    assert again.running
    assert sorted(member.name for member in again.members) == ["Anna", "Ben"]
    assert letter.id not in [m.id for m in stage.dms("Anna")]


async def test_a_rematch_in_direct_messages_is_declined(stage: Stage) -> None:
    """Both players are told; a person who blocked the host gets no offer."""
    await dm_table(stage)
    anna, ben = stage.people["Anna"].user, stage.people["Ben"].user
    await use(anna, private(await anna.slash("table resign")), "resign")
    over = next(m for m in stage.dms("Ben") if "Rematch" in [c.label for c in controls(m)])
    await use(ben, over, "rematch")
    told = answer_to(await use(anna, standing(stage, "Anna"), "leave"))
    assert "You have declined the rematch at table" in told
    assert f"<@{anna.id}> is not playing this time." in texts_of(standing(stage, "Ben"))
    await ben.slash("table leave")
    await stage.slash("Anna", "block add", person=ben)
    before = len(stage.dms("Anna"))
    await use(ben, over, "rematch")
    assert "Anna · not answered yet" in texts_of(standing(stage, "Ben"))
    assert len(stage.dms("Anna")) == before


async def test_typed_commands_mean_the_open_table(stage: Stage) -> None:
    """Typed commands do not refer to the previous match, even if that was played in the same
    place.
    """
    await dm_table(stage)
    anna, ben = stage.people["Anna"].user, stage.people["Ben"].user
    await use(anna, private(await anna.slash("table resign")), "resign")
    await ben.slash("lancelot new", seating="joined", starter=2)
    again = await table_of(stage, "Ben")
    await anna.slash("join", code=again.row.code)
    await use(ben, standing(stage, "Ben"), "start")
    assert answer_to(await anna.slash("lancelot place", square="K4")) == "Done: K4."
    assert again.row.code in texts_of(private(await anna.slash("table show")))


@pytest.mark.parametrize("to", ["Clara", None])
async def test_a_seat_changes_hands_without_a_server(stage: Stage, to: str | None) -> None:
    """Clara takes over a seat with the table's code; if the seat was offered to her, nobody else
    can take it. Anna's direct messages, in which the table was opened, get nothing more.
    """
    table = await dm_table(stage)
    anna, ben, clara = (stage.people[name].user for name in ("Anna", "Ben", "Clara"))
    code = table.row.code
    person = {} if to is None else {"person": stage.people[to].user}
    await anna.slash("table replace", **person)
    assert "any table with that code" in answer_to(await clara.slash("join", code=code))
    asked = standing(stage, "Ben")
    agree = next(c for c in controls(asked) if c.label == "Agree")
    await ben.click(asked, custom_id=agree.custom_id)
    assert "Take it with `/join`" in texts_of(standing(stage, "Ben"))
    if to is not None:
        refused = answer_to(await stage.people["David"].user.slash("join", code=code))
        assert "any table with that code" in refused
    assert "You are at table" in answer_to(await clara.slash("join", code=code))
    told = len(stage.dms("Anna"))
    await clara.slash("lancelot place", square="K4")
    await ben.slash("lancelot place", square="D4")
    assert "places a stone on D4" in texts_of(standing(stage, "Clara"))
    assert len(stage.dms("Anna")) == told
    assert not any(controls(message) for message in stage.dms("Anna"))


@pytest.mark.parametrize("name", ["Anna", "Ben"])
async def test_a_player_closes_their_direct_messages(stage: Stage, name: str) -> None:
    """As soon as the bot notices, the board tells the other player, and they play on. After
    ``/table show``, the board is in the reopened direct messages.
    """
    await dm_table(stage)
    people = {each: stage.people[each].user for each in ("Anna", "Ben")}
    other = next(each for each in people if each != name)
    stage.close_dms(name)
    told = []
    for each, square in (("Anna", "K4"), ("Ben", "D4"), ("Anna", "H9")):
        done = await people[each].slash("lancelot place", square=square)
        assert answer_to(done) == f"Done: {square}."
        told.append(f"**{name}** direct messages" in texts_of(standing(stage, other)))
    assert told == [name == "Ben", name == "Anna", name == "Ben"], "only while it is their turn"
    assert "H9" in texts_of(standing(stage, other))
    assert "H9" in texts_of(private(await people[name].slash("table show")))
    assert not any("H9" in texts_of(m) for m in stage.dms(name))
    stage.open_dms()
    await people[name].slash("table show")
    assert "H9" in texts_of(standing(stage, name))
    await people["Ben"].slash("lancelot place", square="D5")
    assert "D5" in texts_of(standing(stage, name))


def the_board(stage: Stage) -> Any:
    """The only message of the chat with a control."""
    (board,) = [m for m in stage.channel.history() if controls(m)]
    return board


async def chat_table(stage: Stage, game: str, **options: Any) -> Table:
    """Open a table in a group chat as Anna, have Ben join, and start it."""
    stage.go_abroad()
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    opened = await anna.slash(stage.channel, f"{game} new", seating="joined", **options)
    assert "is open: in your chat" in answer_to(opened)
    await use(ben, the_board(stage), "join")
    assert "2. Ben" in texts_of(the_board(stage))
    await use(anna, the_board(stage), "start")
    return await table_of(stage, "Anna")


def pinged(message: Any) -> list[int]:
    return [user.id for user in message.mentions]


async def test_a_match_in_a_group_chat(stage: Stage) -> None:
    """One message is the lobby and then the board; a second one calls the next player and links to
    it. Nobody gets direct messages.
    """
    table = await chat_table(stage, "lancelot", starter=1)
    assert (table.row.guild_id, table.chat, table.running) == (None, "@me", True)
    anna, ben = stage.people["Anna"], stage.people["Ben"]
    board = the_board(stage)
    assert len(board.attachments) == 1
    refused = await ben.slash(stage.channel, "lancelot place", square="K4")
    assert "not your turn" in answer_to(refused)
    place = board
    for _ in range(2):
        place = private(await stage.choose(anna, place, random.Random(0))) or place
    assert the_board(stage).id == board.id
    assert "places a stone on" in texts_of(the_board(stage))
    call = stage.channel.last_message
    assert pinged(call) == [ben.id]
    assert f"/channels/@me/{stage.channel.id}/{board.id}" in str([*parts(call)])
    done = await ben.slash(stage.channel, "lancelot place", square="D4")
    assert answer_to(done) == "Done: D4."
    assert the_board(stage).id == board.id
    assert pinged(stage.channel.last_message) == [anna.id]
    assert not stage.dms("Anna") + stage.dms("Ben")


@pytest.mark.speaks("de")
async def test_a_match_where_the_bot_is_not_a_member(stage: Stage) -> None:
    """In a simultaneous game, a button on the only board opens each person's hand in private. At
    the end the result is below it.
    """
    stage.go_abroad("server")
    await stage.open("donquixote", 2)
    people = [stage.people[name].id for name in ("Anna", "Ben")]
    assert sorted(pinged(stage.channel.last_message)) == people
    await stage.play_by_buttons(random.Random(0), most=4)
    await stage.resign("Anna")

    table = await stage.table()
    assert (table.row.status, table.chat) == (Status.FINISHED, str(stage.guild.id))
    board, result = (m for m in stage.channel.history() if m.attachments)
    assert not controls(board)
    assert [c.label for c in controls(result)] == [
        "Revanche",
        "Neues Gegenüber",
        "Rückschau",
        "Analyse",
        "Beweis",
    ]
    assert not stage.dms("Anna") + stage.dms("Ben")
    assert pinged(result) == people[1:], "the person who ended the match knows"
    assert not any(pinged(m) for m in stage.channel.history() if m.id != result.id)


async def test_a_chat_is_updated_with_the_next_press(stage: Stage) -> None:
    """Anything that happens between presses, or while the bot is away, appears with anyone's next
    press, in the message pressed.
    """
    table = await chat_table(stage, "lancelot", starter=1)
    anna = stage.people["Anna"]
    await stage.restart()
    await stage.bot.tables.act(table.id, PlayMoves(anna.id, ("K4",)))
    await stage.env.settle()
    board = the_board(stage)
    assert "K4" not in texts_of(board)
    await use(stage.people["Ben"], board, "more")
    assert "places a stone on K4" in texts_of(the_board(stage))
    assert the_board(stage).id == board.id
    assert pinged(stage.channel.last_message) == [stage.people["Ben"].id]


async def test_a_typed_command_brings_a_board_out_of_reach(stage: Stage) -> None:
    """After a restart there is no token for the old board: a new board is posted once, and the old
    one no longer works.
    """
    await chat_table(stage, "lancelot", starter=1)
    before = the_board(stage)
    await stage.restart()
    done = await stage.slash("Anna", "lancelot place", square="K4")
    assert answer_to(done) == "Done: K4."
    boards = [m for m in stage.channel.history() if controls(m)]
    assert [m.id for m in boards][:-1] == [before.id]
    stale = await stage.go("Ben", before, "K")
    assert "from an earlier position" in answer_to(stale)


async def test_reminders_of_a_chat_come_by_direct_message(stage: Stage) -> None:
    """The bot cannot post to the chat unprompted."""
    await chat_table(stage, "lancelot", starter=1, pace="1h")
    told = len(stage.channel.history())
    await stage.env.advance_time(40 * 60)
    reminder = stage.dms("Anna")[-1]
    assert "Half of the time is gone." in texts_of(reminder)
    assert f"/channels/@me/{stage.channel.id}" in str([*parts(reminder)])
    assert len(stage.channel.history()) == told


async def test_a_table_of_a_chat_is_shown_to_anyone_there(stage: Stage) -> None:
    table = await chat_table(stage, "lancelot", starter=1)
    clara = stage.people["Clara"]
    shown = await clara.slash(stage.channel, "table show")
    assert table.row.code in texts_of(private(shown))
    refused = await clara.user.slash("table show", table=table.row.code)
    assert "any table with that code" in answer_to(refused)


async def test_without_direct_messages_no_table_opens_in_them(stage: Stage) -> None:
    stage.close_dms("Anna")
    refused = await stage.people["Anna"].user.slash("lancelot new")
    assert "I can neither post here nor send you direct messages" in answer_to(refused)
    assert await stage.bot.tables.of_person(stage.people["Anna"].id) == []
