"""The gateway's own calls, against a simulated Discord."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import discord
import pytest
from discord import ui
from simcord.env import Env

from cogs.gateway import gateway as module
from cogs.gateway.cards import (
    Attached,
    Attachment,
    Card,
    Entry,
    Gallery,
    Select,
    card_from,
    collapsed,
    rest_of,
    with_pictures,
)
from cogs.gateway.controls import Control
from cogs.gateway.failures import Failure, Trouble
from cogs.gateway.gateway import Gateway
from tests.cogs.gateway.stage import (
    BOARD,
    EMPTY,
    LINK,
    PNG,
    PRESS,
    Bot,
    board,
    controls_of,
    me,
    sent,
    texts_of,
)
from tests.refusals import (
    CLOSED_DMS,
    MISSING_PERMISSIONS,
    OPENING_DMS_TOO_FAST,
    THREAD_ARCHIVED,
    UNAVAILABLE,
    UNKNOWN_CHANNEL,
    Refusal,
    refuse,
)

MARK = 2**31 - 1
FILE = Card((Attached(Attachment("match.txt", b"1. K4")),), framed=False)
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


# ------------------------------------------------------------------ messages in channels
async def test_post_shows_text_picture_and_alt_text(
    env: Env, gateway: Gateway, channel: Any
) -> None:
    posted = await gateway.post(channel.id, board((PRESS,)))
    message = channel.last_message
    assert posted == message.id
    assert texts_of(message) == ["It is Ann's turn."]
    (gallery,) = [part for part in message.components[0].children if hasattr(part, "items")]
    assert gallery.items[0].description == "An empty board"
    assert await message.attachments[0].read() == PNG


async def test_a_file_is_attached_and_referred_to_by_name(
    env: Env, gateway: Gateway, channel: Any
) -> None:
    await gateway.post(channel.id, FILE)
    (file,) = channel.last_message.attachments
    assert (file.filename, await file.read()) == ("match.txt", b"1. K4")
    assert sent(env)["components"][0]["file"] == {"url": "attachment://match.txt"}


async def test_a_drawing_may_become_nothing(env: Env, gateway: Gateway, channel: Any) -> None:
    """A gallery without pictures is left out, because Discord refuses empty ones."""
    await gateway.post(channel.id, board(picture=None))
    (container,) = sent(env)["components"]
    assert [part["type"] for part in container["components"]] == [10]


async def test_a_post_with_a_nonce_asks_discord_to_refuse_duplicates(
    env: Env, gateway: Gateway, channel: Any
) -> None:
    await gateway.post(channel.id, "hello", nonce="7:12:board")
    body = sent(env)
    assert (body["nonce"], body["enforce_nonce"]) == ("7:12:board", True)


async def test_a_silent_post_has_discords_flag_for_silent_messages(
    env: Env, gateway: Gateway, channel: Any
) -> None:
    await gateway.post(channel.id, "hello", silent=True)
    assert sent(env)["flags"] & discord.MessageFlags(suppress_notifications=True).value


async def test_only_named_people_are_pinged(
    env: Env, gateway: Gateway, channel: Any, ann: Any
) -> None:
    bob = env.guild.add_member(env.create_user("bob"))
    text = f"@everyone {ann.mention} {bob.mention} {env.guild.default_role.mention}"
    await gateway.post(channel.id, text)
    assert sent(env)["allowed_mentions"] == {"parse": [], "users": []}
    await gateway.post(channel.id, text, pings=[ann.id])
    assert sent(env)["allowed_mentions"] == {"parse": [], "users": [ann.id]}
    message = channel.last_message
    await gateway.edit(channel.id, message.id, text)
    assert sent(env)["allowed_mentions"] == {"parse": [], "users": []}
    home = await gateway.open_dm(ann.id)
    assert isinstance(home, int)
    await gateway.post(home, text)
    assert sent(env)["allowed_mentions"] == {"parse": [], "users": []}


async def test_edit_keeps_the_picture(env: Env, gateway: Gateway, channel: Any) -> None:
    """An edit that shows the existing picture keeps the files, so new text needs no new drawing."""
    message_id = await standing(gateway, channel)
    card = Card(("It is Ben's turn.", *card_from(rest_of(board())).parts[1:]))
    assert await gateway.edit(channel.id, message_id, card) is None
    message = channel.last_message
    assert texts_of(message) == ["It is Ben's turn."]
    assert controls_of(message) == []
    assert [file.filename for file in message.attachments] == ["board.png"]
    gallery = sent(env)["components"][0]["components"][1]
    assert gallery["items"][0]["media"] == {"url": "attachment://board.png"}
    assert gallery["items"][0]["description"] == "An empty board"


async def standing(gateway: Gateway, channel: Any) -> int:
    """The id of a board that has been posted to the channel."""
    posted = await gateway.post(channel.id, board((PRESS, LINK)))
    assert isinstance(posted, int)
    return posted


async def test_an_edit_with_pictures_replaces_the_files(
    env: Env, gateway: Gateway, channel: Any
) -> None:
    message_id = await standing(gateway, channel)
    new = Attachment("board.png", PNG + b"new", "One stone")
    assert await gateway.edit(channel.id, message_id, board(picture=new)) is None
    (file,) = channel.last_message.attachments
    assert await file.read() == PNG + b"new"


async def test_an_edit_without_pictures_removes_the_files(
    env: Env, gateway: Gateway, channel: Any
) -> None:
    message_id = await standing(gateway, channel)
    assert await gateway.edit(channel.id, message_id, "The table is closed.") is None
    assert channel.last_message.attachments == []


async def test_posting_or_editing_a_card_that_is_not_drawn_raises(
    gateway: Gateway, channel: Any
) -> None:
    card = Card((Gallery((EMPTY,)),))
    with pytest.raises(ValueError, match="not drawn"):
        await gateway.post(channel.id, card)
    with pytest.raises(ValueError, match="not drawn"):
        await gateway.edit(channel.id, 12345, card)
    posted = await gateway.post(channel.id, await with_pictures(card))
    assert isinstance(posted, int)
    assert [file.filename for file in channel.last_message.attachments] == ["board.png"]


async def test_editing_stripping_or_deleting_a_lost_message_is_a_failure(
    gateway: Gateway, channel: Any
) -> None:
    assert await gateway.edit(channel.id, 12345, "hello") == Failure(Trouble.GONE, 10008)
    assert await gateway.strip(channel.id, 12345) == Failure(Trouble.GONE, 10008)
    assert await gateway.delete(channel.id, 12345) == Failure(Trouble.GONE, 10008)


async def test_the_bot_can_delete_its_own_message(gateway: Gateway, channel: Any) -> None:
    message_id = await standing(gateway, channel)
    assert await gateway.delete(channel.id, message_id) is None
    assert channel.history() == []


async def test_discord_is_asked_whether_a_message_exists(
    env: Env, gateway: Gateway, channel: Any
) -> None:
    """If Discord does not answer, or the channel is lost, the result is a failure."""
    message_id = await standing(gateway, channel)
    assert await gateway.exists(channel.id, message_id) is True
    await gateway.delete(channel.id, message_id)
    assert await gateway.exists(channel.id, message_id) is False
    refuse(env, "GET", "/channels/*/messages/*", UNAVAILABLE, times=1)
    assert await gateway.exists(channel.id, message_id) == Failure(Trouble.UNREACHABLE, 0)
    refuse(env, "GET", "/channels/*/messages/*", UNKNOWN_CHANNEL, times=1)
    assert await gateway.exists(channel.id, message_id) == Failure(Trouble.GONE, 10003)


async def test_a_card_is_stripped_without_reading_its_message(
    env: Env, gateway: Gateway, channel: Any
) -> None:
    message_id = await standing(gateway, channel)
    before = len(env.http_requests)
    rest = card_from(rest_of(board((PRESS, LINK))))
    assert await gateway.edit(channel.id, message_id, rest) is None
    assert [it.method for it in env.http_requests[before:]] == ["PATCH"]
    message = channel.last_message
    assert texts_of(message) == ["It is Ann's turn."]
    assert [item.label for item in controls_of(message) if isinstance(item, ui.Button)] == ["Rules"]
    assert [file.filename for file in message.attachments] == ["board.png"]


async def test_a_folded_message_has_one_line_and_no_picture(gateway: Gateway, channel: Any) -> None:
    message_id = await standing(gateway, channel)
    assert await gateway.edit(channel.id, message_id, collapsed("Move 12 is done.")) is None
    message = channel.last_message
    assert texts_of(message) == ["Move 12 is done."]
    assert (controls_of(message), message.attachments) == ([], [])


# ------------------------------------------------------- messages of unknown content
async def test_strip_keeps_text_picture_and_links(env: Env, gateway: Gateway, channel: Any) -> None:
    menu = Select(Control(7, 12, "pick"), "Choose", (Entry("A", "a"),))
    posted = await gateway.post(channel.id, board((PRESS, LINK), menu))
    assert isinstance(posted, int)
    assert await gateway.strip(channel.id, posted) is None
    message = channel.last_message
    assert texts_of(message) == ["It is Ann's turn."]
    assert [item.label for item in controls_of(message) if isinstance(item, ui.Button)] == ["Rules"]
    assert len(controls_of(message)) == 1
    assert [file.filename for file in message.attachments] == ["board.png"]
    (gallery,) = sent(env)["components"][0]["components"][1:2]
    assert gallery["items"][0]["media"] == {"url": "attachment://board.png"}
    assert gallery["items"][0]["description"] == "An empty board"


async def test_strip_leaves_no_empty_row(env: Env, gateway: Gateway, channel: Any) -> None:
    """A row that loses all its controls is removed, because Discord refuses empty rows."""
    posted = await gateway.post(channel.id, board((PRESS,)))
    assert isinstance(posted, int)
    assert await gateway.strip(channel.id, posted) is None
    (container,) = sent(env)["components"]
    assert [part["type"] for part in container["components"]] == [10, 12]


async def test_strip_disables_what_it_cannot_remove(
    env: Env, bot: Bot, gateway: Gateway, channel: Any
) -> None:
    """A section must have its button, so the button is disabled."""
    button: ui.Button[Any] = ui.Button(label="Press", custom_id=PRESS.control.custom_id)
    section: ui.Section[Any] = ui.Section("My hand", accessory=button)
    view = ui.LayoutView(timeout=None).add_item(section)
    silence = discord.AllowedMentions(everyone=False, roles=False, users=[])
    message = await bot.get_partial_messageable(channel.id).send(
        view=view, allowed_mentions=silence
    )
    assert await gateway.strip(channel.id, message.id) is None
    (left,) = controls_of(channel.last_message)
    assert isinstance(left, ui.Button)
    assert left.disabled


async def test_strip_of_a_plain_message_changes_nothing(
    env: Env, gateway: Gateway, channel: Any
) -> None:
    posted = await gateway.post(channel.id, board())
    assert isinstance(posted, int)
    assert await gateway.strip(channel.id, posted) is None
    assert env.http_requests[-1].method == "GET"


# -------------------------------------------------------------------------------- marks
@pytest.mark.parametrize(
    "card",
    [
        board((PRESS,)),
        Card(("A text.",), ((PRESS,),), framed=False),
        Card((Gallery((EMPTY,), (BOARD,)), "A text."), framed=False),
        Card((), ((PRESS,),), framed=False),
    ],
    ids=["framed", "text", "gallery", "row"],
)
async def test_mark_is_the_outermost_id(
    env: Env, gateway: Gateway, channel: Any, card: Card
) -> None:
    """A message is marked by the id of its first component, which Discord returns."""
    posted = await gateway.post(channel.id, card, mark=MARK)
    assert isinstance(posted, int)
    assert sent(env)["components"][0]["id"] == MARK
    assert await gateway.find(channel.id, MARK, LONG_AGO) == posted


async def test_a_message_of_nothing_but_a_file_can_be_marked(
    gateway: Gateway, channel: Any
) -> None:
    posted = await gateway.post(channel.id, FILE, mark=MARK)
    assert isinstance(posted, int)
    assert await gateway.find(channel.id, MARK, LONG_AGO) == posted


async def test_find_tells_marks_apart_in_one_request(
    env: Env, gateway: Gateway, channel: Any, ann: Any
) -> None:
    await ann.send(channel, "hello")
    for mark in (101, 102, None):
        await gateway.post(channel.id, "hello", mark=mark)
        await ann.send(channel, "hello")
    wanted = channel.history()[3].id
    before = len(env.http_requests)
    assert await gateway.find(channel.id, 102, LONG_AGO) == wanted
    assert len(env.http_requests) == before + 1
    assert await gateway.find(channel.id, 103, LONG_AGO) is None


async def test_find_looks_no_further_back(env: Env, gateway: Gateway, channel: Any) -> None:
    """Messages from before the given time are not found; the bot's clock may be slightly ahead."""
    posted = await gateway.post(channel.id, "hello", mark=MARK)
    assert isinstance(posted, int)
    at = channel.last_message.created_at
    assert await gateway.find(channel.id, MARK, at + timedelta(seconds=30)) == posted
    assert await gateway.find(channel.id, MARK, at + timedelta(minutes=2)) is None


async def test_find_looks_through_a_limited_number_of_the_bots_own_messages(
    gateway: Gateway, channel: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "OWN_LOOKED_THROUGH", 2)
    for mark in (101, 102, 103):
        await gateway.post(channel.id, "hello", mark=mark)
    assert isinstance(await gateway.find(channel.id, 102, LONG_AGO), int)
    assert await gateway.find(channel.id, 103, LONG_AGO) is None


async def test_a_channel_that_cannot_be_searched_is_a_failure_not_an_empty_result(
    env: Env, gateway: Gateway, channel: Any
) -> None:
    refuse(env, "GET", "/channels/*/messages", UNKNOWN_CHANNEL, times=1)
    assert await gateway.find(channel.id, MARK, LONG_AGO) == Failure(Trouble.GONE, 10003)


async def test_edit_keeps_the_mark_that_it_is_given(gateway: Gateway, channel: Any) -> None:
    """An edit writes all components again, including the mark."""
    posted = await gateway.post(channel.id, "hello", mark=MARK)
    assert isinstance(posted, int)
    await gateway.edit(channel.id, posted, "hello again", mark=MARK)
    assert await gateway.find(channel.id, MARK, LONG_AGO) == posted


# ------------------------------------------------------------------------------ threads
async def test_a_new_thread_has_its_name_and_can_be_posted_in(
    gateway: Gateway, channel: Any
) -> None:
    thread = await gateway.open_thread(channel.id, "Lancelot K7Q2")
    assert isinstance(thread, int)
    assert [(it.id, it.name) for it in channel.threads] == [(thread, "Lancelot K7Q2")]
    assert isinstance(await gateway.post(thread, "hello"), int)


async def test_opening_a_thread_without_permission_is_a_failure(
    env: Env, bot: Bot, gateway: Gateway
) -> None:
    overwrite = discord.PermissionOverwrite(create_public_threads=False)
    channel = env.create_guild().create_text_channel("strict", overwrites={me(bot): overwrite})
    result = await gateway.open_thread(channel.id, "Lancelot")
    assert result == Failure(Trouble.MISSING_PERMISSION, 50013)


async def test_asking_for_a_thread_in_a_voice_channel_raises(env: Env, gateway: Gateway) -> None:
    voice = env.create_guild().create_voice_channel("voice")
    with pytest.raises(TypeError):
        await gateway.open_thread(voice.id, "Lancelot")


async def test_an_edit_wakes_an_archived_thread(env: Env, gateway: Gateway, channel: Any) -> None:
    thread = await gateway.open_thread(channel.id, "Lancelot")
    assert isinstance(thread, int)
    posted = await gateway.post(thread, board())
    assert isinstance(posted, int)
    pattern = f"/channels/{thread}/messages/*"
    refuse(env, "PATCH", pattern, THREAD_ARCHIVED, times=1)
    assert await gateway.edit(thread, posted, board()) is None
    patches = [entry for entry in env.http_requests if entry.method == "PATCH"]
    assert [entry.path for entry in patches][-2] == f"/channels/{thread}"
    assert patches[-2].json == {"archived": False}


async def test_archived_thread_that_cannot_be_woken(
    env: Env, gateway: Gateway, channel: Any
) -> None:
    """The post is not tried again. If the bot lacks the permission to reopen the thread, the
    failure says that the thread is archived.
    """
    thread = await gateway.open_thread(channel.id, "Lancelot")
    assert isinstance(thread, int)
    refuse(env, "POST", f"/channels/{thread}/messages", THREAD_ARCHIVED)
    refuse(env, "PATCH", f"/channels/{thread}", UNAVAILABLE, times=1)
    assert await gateway.post(thread, "hello") == Failure(Trouble.UNREACHABLE)
    refuse(env, "PATCH", f"/channels/{thread}", MISSING_PERMISSIONS, times=1)
    assert await gateway.post(thread, "hello") == Failure(Trouble.ARCHIVED, 50083)
    assert env.http_requests[-1].path == f"/channels/{thread}"


# ---------------------------------------------------------------------- direct messages
async def test_a_direct_message_can_be_sent_and_edited(
    env: Env, gateway: Gateway, ann: Any
) -> None:
    channel_id = await gateway.open_dm(ann.id)
    home = ann.user.dm_channel
    assert channel_id == home.id
    posted = await gateway.post(home.id, board(), nonce="7:12:1")
    assert posted == home.last_message.id
    assert isinstance(posted, int)
    assert sent(env)["enforce_nonce"] is True
    assert await gateway.edit(home.id, posted, "Your hand is empty.") is None
    assert texts_of(home.last_message) == ["Your hand is empty."]
    assert await gateway.edit(home.id, 12345, "hello") == Failure(Trouble.GONE, 10008)


async def test_a_known_channel_is_not_opened_again(
    env: Env, bot: Bot, gateway: Gateway, ann: Any
) -> None:
    channel_id = await gateway.open_dm(ann.id)
    assert isinstance(channel_id, int)
    heir = Bot()
    await env.restart_bot(heir)
    before = len(env.http_requests)
    assert isinstance(await Gateway(heir).post(channel_id, "hello"), int)
    assert await Gateway(heir).can_dm(ann.id, channel_id)
    paths = {entry.path for entry in env.http_requests[before:]}
    assert f"/channels/{channel_id}/messages" in paths
    assert "/users/@me/channels" not in paths


async def test_a_rate_limit_on_opening_direct_messages_is_a_failure(
    env: Env, gateway: Gateway, ann: Any
) -> None:
    refuse(env, "POST", "/users/@me/channels", OPENING_DMS_TOO_FAST, times=1)
    assert await gateway.open_dm(ann.id) == Failure(Trouble.TOO_FAST, 40003)


async def test_closed_direct_messages_are_a_failure(
    env: Env, gateway: Gateway, channel: Any
) -> None:
    robot = env.create_user("robot", bot=True)  # accepts no messages from bots
    home = await gateway.open_dm(robot.id)
    if isinstance(home, int):
        assert await gateway.post(home, "hello") == Failure(Trouble.CLOSED_DM, 50007)
        assert await gateway.can_dm(robot.id, home) is False
    else:
        assert home == Failure(Trouble.CLOSED_DM, 50007)


async def test_can_dm_leaves_no_trace(gateway: Gateway, ann: Any) -> None:
    home = ann.user.dm_channel
    assert await gateway.can_dm(ann.id, home.id) is True
    assert home.history() == []


@pytest.mark.parametrize(("refusal", "open_"), [(CLOSED_DMS, False), (UNAVAILABLE, True)])
async def test_can_dm_trusts_in_doubt(
    env: Env, gateway: Gateway, ann: Any, refusal: Refusal, open_: bool
) -> None:
    """Only a clear refusal counts: an outage of Discord does not mean closed direct messages."""
    refuse(env, "POST", "/channels/*/messages", refusal)
    assert await gateway.can_dm(ann.id, ann.user.dm_channel.id) is open_


# --------------------------------------------------------------------------- components
async def test_no_view_stays_registered_after_sending_editing_or_stripping(
    bot: Bot, gateway: Gateway, channel: Any
) -> None:
    message_id = await standing(gateway, channel)
    await gateway.edit(channel.id, message_id, board((PRESS,)))
    plain = ui.LayoutView(timeout=None).add_item(
        ui.ActionRow(ui.Button(label="Press", custom_id="plain"))
    )
    plain.stop()
    silence = discord.AllowedMentions(everyone=False, roles=False, users=[])
    message = await bot.get_partial_messageable(channel.id).send(
        view=plain, allowed_mentions=silence
    )
    await gateway.edit(channel.id, message.id, "hello")
    await gateway.strip(channel.id, message_id)
    assert bot.persistent_views == []
