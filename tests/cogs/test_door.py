"""The door to Discord, against a simulated Discord."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import discord
import pytest
from discord import app_commands, ui
from hypothesis import given
from hypothesis import strategies as st
from simcord.env import Env
from structlog.testing import capture_logs

from cogs.door import (
    Attachment,
    Door,
    Failure,
    Interaction,
    Posted,
    Trouble,
    escape,
    fenced,
    missing_permissions,
)

PNG = b"\x89PNG\r\n\x1a\n"
BOARD = Attachment("board.png", PNG, "An empty board")
Act = Callable[[Interaction], Awaitable[object]]


class Press(ui.DynamicItem[ui.Button[Any]], template="press"):
    """A button that does whatever the test wants."""

    def __init__(self) -> None:
        super().__init__(ui.Button(label="Press", custom_id="press"))

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> Press:
        return cls()

    async def callback(self, interaction: Interaction) -> None:
        await interaction.client.act(interaction)


class Bot(discord.Client):
    """One command, ``/do``, and one button, which do whatever the test wants."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)
        self.act: Act = _nothing

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Press)

        @self.tree.command(name="do", description="Do what the test wants")
        async def do(interaction: Interaction) -> None:
            await self.act(interaction)

        await self.tree.sync()


async def _nothing(interaction: Interaction) -> None:
    raise AssertionError("the test has not said what to do")


@pytest.fixture
def simcord_bot() -> Bot:
    return Bot()


@pytest.fixture
def door(simcord_bot: Bot) -> Door:
    return Door(simcord_bot)


@pytest.fixture
def channel(simcord_env: Env) -> Any:
    return simcord_env.create_guild().create_text_channel("round-table")


@pytest.fixture
def ann(simcord_env: Env, channel: Any) -> Any:
    return simcord_env.guild.add_member(simcord_env.create_user("ann"))


def board(*controls: ui.Item[Any]) -> ui.LayoutView:
    """A message as the bot posts it: a text, a picture and some controls."""
    container: ui.Container[Any] = ui.Container(
        ui.TextDisplay("It is Ann's turn."), ui.MediaGallery(BOARD.shown())
    )
    if controls:
        container.add_item(ui.ActionRow(*controls))
    return ui.LayoutView(timeout=None).add_item(container)


def texts_of(message: discord.Message) -> list[str]:
    """All that a message says, from top to bottom."""
    view = ui.LayoutView.from_message(message)
    return [item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay)]


def controls_of(message: discord.Message) -> list[ui.Item[Any]]:
    """All that can be pressed on a message."""
    view = ui.LayoutView.from_message(message)
    return [item for item in view.walk_children() if isinstance(item, ui.Button | ui.Select)]


# ------------------------------------------------------------------ messages in channels
async def test_post_shows_text_picture_and_alt_text(
    simcord_env: Env, door: Door, channel: Any
) -> None:
    """A posted message says its text and shows its picture with the alt text."""
    posted = await door.post(channel.id, board(Press()), [BOARD])
    message = channel.last_message
    assert posted == Posted(channel.id, message.id)
    assert texts_of(message) == ["It is Ann's turn."]
    (gallery,) = [part for part in message.components[0].children if hasattr(part, "items")]
    assert gallery.items[0].description == "An empty board"
    assert await message.attachments[0].read() == PNG


async def test_post_with_nonce_is_enforced(simcord_env: Env, door: Door, channel: Any) -> None:
    """A post with a nonce asks Discord to refuse its repetition."""
    await door.post(channel.id, "hello", nonce="7:12:board")
    body = sent(simcord_env)
    assert (body["nonce"], body["enforce_nonce"]) == ("7:12:board", True)


async def test_only_named_people_are_pinged(
    simcord_env: Env, door: Door, channel: Any, ann: Any
) -> None:
    """Nobody is pinged by default, and then only those whom the caller names."""
    bob = simcord_env.guild.add_member(simcord_env.create_user("bob"))
    text = f"@everyone {ann.mention} {bob.mention} {simcord_env.guild.default_role.mention}"
    await door.post(channel.id, text)
    assert sent(simcord_env)["allowed_mentions"] == {"parse": [], "users": []}
    await door.post(channel.id, text, mentions=[ann.id])
    assert sent(simcord_env)["allowed_mentions"] == {"parse": [], "users": [ann.id]}
    message = channel.last_message
    await door.edit(channel.id, message.id, text)
    assert sent(simcord_env)["allowed_mentions"] == {"parse": [], "users": []}
    await door.dm(ann.id, text)
    assert sent(simcord_env)["allowed_mentions"] == {"parse": [], "users": []}


def sent(env: Env) -> Any:
    """The body of the bot's last request."""
    return env.http_requests[-1].json


EXPECTED = [
    (404, 10003, Trouble.GONE),
    (404, 10004, Trouble.GONE),
    (404, 10008, Trouble.GONE),
    (404, 10013, Trouble.GONE),
    (404, 0, Trouble.GONE),
    (404, 10015, Trouble.TOO_LATE),
    (404, 10062, Trouble.TOO_LATE),
    (429, 20028, Trouble.TOO_FAST),
    (429, 30046, Trouble.TOO_FAST),
    (400, 40003, Trouble.TOO_FAST),
    (400, 40060, Trouble.ANSWERED),
    (403, 50001, Trouble.MISSING_PERMISSION),
    (403, 50007, Trouble.CLOSED_DM),
    (403, 50013, Trouble.MISSING_PERMISSION),
    (401, 50027, Trouble.TOO_LATE),
    (400, 50033, Trouble.CLOSED_DM),
    (400, 50083, Trouble.ARCHIVED),
    (403, 50278, Trouble.CLOSED_DM),
    (400, 160005, Trouble.MISSING_PERMISSION),
    (400, 160006, Trouble.TOO_MANY_THREADS),
    (429, 0, Trouble.TOO_FAST),
    (500, 0, Trouble.UNREACHABLE),
    (503, 0, Trouble.UNREACHABLE),
]


@pytest.mark.parametrize(("status", "code", "trouble"), EXPECTED)
async def test_expected_failure_is_a_value_and_one_log_line(
    simcord_env: Env, door: Door, channel: Any, status: int, code: int, trouble: Trouble
) -> None:
    """Each failure of ordinary life comes back as a value, is logged once, and does no harm."""
    simcord_env.inject_error("POST", "/channels/*/messages", status=status, code=code, times=None)
    with capture_logs() as lines:
        result = await door.post(channel.id, "hello")
    assert result == Failure(trouble, code)
    assert [(line["event"], line["call"], line["code"], line["trouble"]) for line in lines][:1] == [
        ("discord_refused", "post", code, trouble.value)
    ]
    assert all(line["channel"] == channel.id for line in lines)
    assert len(lines) == (2 if trouble is Trouble.ARCHIVED else 1)


@pytest.mark.parametrize(
    ("code", "lost"), [(10003, True), (10004, True), (10008, False), (50001, False)]
)
async def test_a_lost_channel_is_made_known_by_whatever_fails_in_it(
    simcord_env: Env, simcord_bot: Bot, door: Door, channel: Any, code: int, lost: bool
) -> None:
    """Posting, changing, stripping, looking for it; a lost message is no lost channel."""
    heard: list[int] = []

    @simcord_bot.event
    async def on_channel_lost(channel_id: int) -> None:
        heard.append(channel_id)

    for method in ("GET", "POST", "PATCH"):
        for place in ("", "/messages", "/messages/*"):
            path = f"/channels/{channel.id}{place}"
            simcord_env.inject_error(method, path, status=404, code=code, times=None)
    await door.post(channel.id, "hello")
    await door.edit(channel.id, 12345, "hello")
    await door.strip(channel.id, 12345)
    await door.look_for(channel.id)
    await simcord_env.settle()
    assert heard == [channel.id] * 4 * lost


def test_every_trouble_is_tested() -> None:
    """The table above leaves no kind of failure out that Discord can cause."""
    assert {trouble for _, _, trouble in EXPECTED} == set(Trouble) - {Trouble.FAULT}


def test_passing_troubles() -> None:
    """Only what can go away by itself is worth another try."""
    assert {trouble for trouble in Trouble if trouble.passing} == {
        Trouble.TOO_FAST,
        Trouble.UNREACHABLE,
        Trouble.TOO_MANY_THREADS,
    }


@pytest.mark.parametrize(
    ("error", "trouble"),
    [
        (aiohttp.ClientConnectionError("no route"), Trouble.UNREACHABLE),
        (TimeoutError(), Trouble.UNREACHABLE),
        (discord.RateLimited(60.0), Trouble.TOO_FAST),
    ],
)
async def test_broken_connection_is_a_value(
    simcord_env: Env,
    simcord_bot: Bot,
    door: Door,
    channel: Any,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    trouble: Trouble,
) -> None:
    """A connection that breaks below Discord's own errors is a failure like the others."""

    async def broken(*args: object, **kwargs: object) -> None:
        raise error

    monkeypatch.setattr(simcord_bot.http, "request", broken)
    assert await door.post(channel.id, "hello") == Failure(trouble, 0)


async def test_mistake_of_ours_raises(simcord_env: Env, door: Door, channel: Any) -> None:
    """What Discord refuses because the message itself is wrong is an error."""
    simcord_env.inject_error("POST", "/channels/*/messages", status=400, code=50035)
    with pytest.raises(discord.HTTPException, match="50035"):
        await door.post(channel.id, "hello")


async def test_missing_right_to_write(simcord_env: Env, simcord_bot: Bot, door: Door) -> None:
    """A channel in which the bot may not write gives a failure."""
    closed = simcord_env.create_guild().create_text_channel(
        "closed", overwrites={me(simcord_bot): discord.PermissionOverwrite(send_messages=False)}
    )
    assert await door.post(closed.id, "hello") == Failure(Trouble.MISSING_PERMISSION, 50013)


def me(bot: Bot) -> discord.ClientUser:
    assert bot.user is not None
    return bot.user


async def test_edit_keeps_the_picture(simcord_env: Env, door: Door, channel: Any) -> None:
    """An edit without files keeps the files, so that a new text needs no new drawing."""
    posted = await door.post(channel.id, board(Press()), [BOARD])
    assert isinstance(posted, Posted)
    assert await door.edit(channel.id, posted.message_id, board()) is None
    message = channel.last_message
    assert controls_of(message) == []
    assert [file.filename for file in message.attachments] == ["board.png"]


async def test_edit_replaces_the_picture(simcord_env: Env, door: Door, channel: Any) -> None:
    """An edit with files replaces the files."""
    posted = await door.post(channel.id, board(), [BOARD])
    assert isinstance(posted, Posted)
    new = Attachment("board.png", PNG + b"new", "One stone")
    assert await door.edit(channel.id, posted.message_id, board(), [new]) is None
    (file,) = channel.last_message.attachments
    assert await file.read() == PNG + b"new"


async def test_edit_removes_the_picture(simcord_env: Env, door: Door, channel: Any) -> None:
    """An edit with no files at all removes the files."""
    posted = await door.post(channel.id, board(), [BOARD])
    assert isinstance(posted, Posted)
    assert await door.edit(channel.id, posted.message_id, "The table is closed.", ()) is None
    assert channel.last_message.attachments == []


async def test_edit_of_deleted_message(simcord_env: Env, door: Door, channel: Any) -> None:
    """A message that somebody has deleted gives a failure."""
    assert await door.edit(channel.id, 12345, "hello") == Failure(Trouble.GONE, 10008)
    assert await door.strip(channel.id, 12345) == Failure(Trouble.GONE, 10008)


async def test_strip_takes_the_controls_only(simcord_env: Env, door: Door, channel: Any) -> None:
    """A stripped message keeps text, picture and links, and has nothing left to press."""
    link: ui.Button[Any] = ui.Button(label="Rules", url="https://example.org/rules")
    view = board(Press(), link).add_item(
        ui.ActionRow(ui.Select(custom_id="s", options=[discord.SelectOption(label="A")]))
    )
    posted = await door.post(channel.id, view, [BOARD])
    assert isinstance(posted, Posted)
    assert await door.strip(channel.id, posted.message_id) is None
    message = channel.last_message
    assert texts_of(message) == ["It is Ann's turn."]
    assert [item.label for item in controls_of(message) if isinstance(item, ui.Button)] == ["Rules"]
    assert len(controls_of(message)) == 1
    assert [file.filename for file in message.attachments] == ["board.png"]
    (gallery,) = sent(simcord_env)["components"][0]["components"][1:2]
    assert gallery["items"][0]["media"] == {"url": "attachment://board.png"}
    assert gallery["items"][0]["description"] == "An empty board"


async def test_strip_leaves_no_empty_row(simcord_env: Env, door: Door, channel: Any) -> None:
    """A row that loses all its controls goes with them, for Discord refuses empty rows."""
    posted = await door.post(channel.id, board(Press()), [BOARD])
    assert isinstance(posted, Posted)
    assert await door.strip(channel.id, posted.message_id) is None
    (container,) = sent(simcord_env)["components"]
    assert [part["type"] for part in container["components"]] == [10, 12]


async def test_strip_disables_what_it_cannot_remove(
    simcord_env: Env, door: Door, channel: Any
) -> None:
    """A section cannot be without its button, so the button is disabled."""
    section: ui.Section[Any] = ui.Section("My hand", accessory=Press())
    posted = await door.post(channel.id, ui.LayoutView(timeout=None).add_item(section))
    assert isinstance(posted, Posted)
    assert await door.strip(channel.id, posted.message_id) is None
    (button,) = controls_of(channel.last_message)
    assert isinstance(button, ui.Button)
    assert button.disabled


async def test_strip_of_a_plain_message_changes_nothing(
    simcord_env: Env, door: Door, channel: Any
) -> None:
    """A message without controls is read and left alone."""
    posted = await door.post(channel.id, board(), [BOARD])
    assert isinstance(posted, Posted)
    assert await door.strip(channel.id, posted.message_id) is None
    assert simcord_env.http_requests[-1].method == "GET"


async def test_buttons_work_after_a_restart(
    simcord_env: Env, door: Door, channel: Any, ann: Any
) -> None:
    """Another bot process answers the buttons of this one."""
    await door.post(channel.id, board(Press()), [BOARD])
    heir = Bot()
    await simcord_env.restart_bot(heir)
    heir.act = lambda interaction: Door(heir).answer(interaction, "pressed")
    result = await ann.click(channel.last_message, label="Press")
    assert texts_of(result.response.message) == ["pressed"]


async def test_no_view_waits_in_memory(
    simcord_env: Env, simcord_bot: Bot, door: Door, channel: Any
) -> None:
    """Not even a button that is not dynamic makes the library hold on to a view."""
    await door.post(channel.id, board(ui.Button(label="Press", custom_id="plain")), [BOARD])
    assert simcord_bot.persistent_views == []


# ------------------------------------------------------------------------------ threads
async def test_open_thread(simcord_env: Env, door: Door, channel: Any) -> None:
    """A new thread has its name, and the bot can post in it."""
    thread = await door.open_thread(channel.id, "Lancelot K7Q2")
    assert isinstance(thread, int)
    assert [(it.id, it.name) for it in channel.threads] == [(thread, "Lancelot K7Q2")]
    assert isinstance(await door.post(thread, "hello"), Posted)


async def test_open_thread_without_permission(
    simcord_env: Env, simcord_bot: Bot, door: Door
) -> None:
    """Where the bot may not open threads, the failure says so."""
    overwrite = discord.PermissionOverwrite(create_public_threads=False)
    channel = simcord_env.create_guild().create_text_channel(
        "strict", overwrites={me(simcord_bot): overwrite}
    )
    result = await door.open_thread(channel.id, "Lancelot")
    assert result == Failure(Trouble.MISSING_PERMISSION, 50013)


async def test_open_thread_needs_a_text_channel(simcord_env: Env, door: Door) -> None:
    """To ask for a thread in a voice channel is a mistake of ours."""
    voice = simcord_env.create_guild().create_voice_channel("voice")
    with pytest.raises(TypeError):
        await door.open_thread(voice.id, "Lancelot")


async def test_archived_thread_is_woken(simcord_env: Env, door: Door, channel: Any) -> None:
    """An edit in an archived thread wakes the thread and succeeds."""
    thread = await door.open_thread(channel.id, "Lancelot")
    assert isinstance(thread, int)
    posted = await door.post(thread, board(), [BOARD])
    assert isinstance(posted, Posted)
    pattern = f"/channels/{thread}/messages/*"
    simcord_env.inject_error("PATCH", pattern, status=400, code=50083)
    assert await door.edit(thread, posted.message_id, board(), [BOARD]) is None
    patches = [entry for entry in simcord_env.http_requests if entry.method == "PATCH"]
    assert [entry.path for entry in patches][-2] == f"/channels/{thread}"
    assert patches[-2].json == {"archived": False}


async def test_archived_thread_that_cannot_be_woken(
    simcord_env: Env, door: Door, channel: Any
) -> None:
    """If waking fails, its failure is the result and nothing is tried again."""
    thread = await door.open_thread(channel.id, "Lancelot")
    assert isinstance(thread, int)
    simcord_env.inject_error("POST", f"/channels/{thread}/messages", status=400, code=50083)
    simcord_env.inject_error("PATCH", f"/channels/{thread}", status=403, code=50013)
    assert await door.post(thread, "hello") == Failure(Trouble.MISSING_PERMISSION, 50013)
    assert simcord_env.http_requests[-1].path == f"/channels/{thread}"


# ---------------------------------------------------------------------- direct messages
async def test_dm_and_edit(simcord_env: Env, door: Door, channel: Any, ann: Any) -> None:
    """A direct message reaches the person, and can be changed."""
    posted = await door.dm(ann.id, board(), [BOARD], nonce="7:12:1")
    home = ann.user.dm_channel
    assert posted == Posted(home.id, home.last_message.id)
    assert sent(simcord_env)["enforce_nonce"] is True
    assert await door.edit_dm(ann.id, posted.message_id, "Your hand is empty.") is None
    assert texts_of(home.last_message) == ["Your hand is empty."]
    assert await door.edit_dm(ann.id, 12345, "hello") == Failure(Trouble.GONE, 10008)


async def test_closed_dm(simcord_env: Env, door: Door, channel: Any) -> None:
    """Closed direct messages are a failure that the caller can act on."""
    robot = simcord_env.create_user("robot", bot=True)  # takes no messages of bots
    assert await door.dm(robot.id, "hello") == Failure(Trouble.CLOSED_DM, 50007)
    assert await door.can_dm(robot.id) is False


async def test_can_dm_leaves_no_trace(simcord_env: Env, door: Door, channel: Any, ann: Any) -> None:
    """Asking whether a person can be reached sends them nothing."""
    assert await door.can_dm(ann.id) is True
    assert ann.user.dm_channel.history() == []


async def test_can_dm_trusts_in_doubt(simcord_env: Env, door: Door, channel: Any, ann: Any) -> None:
    """While Discord is down nobody is told that their direct messages are closed."""
    simcord_env.inject_error("POST", "/channels/*/messages", status=503)
    assert await door.can_dm(ann.id) is True


# ------------------------------------------------------------------------------- answers
async def test_answer_at_any_time(
    simcord_env: Env, simcord_bot: Bot, door: Door, channel: Any, ann: Any
) -> None:
    """Answers are ephemeral, with their files, whether first, after "is thinking" or further."""

    async def thrice(interaction: Interaction) -> None:
        assert await door.defer(interaction) is None
        assert await door.answer(interaction, board(), [BOARD]) is None
        # A followup would do the same today, but Discord calls that way deprecated.
        assert simcord_env.http_requests[-1].path.endswith("/messages/@original")
        assert await door.answer(interaction, "second") is None

    simcord_bot.act = thrice
    result = await ann.slash(channel, "do")
    assert texts_of(result.response.message) == ["It is Ann's turn."]
    assert [file.filename for file in result.response.attachments] == ["board.png"]
    assert [texts_of(it.message) for it in result.followups] == [["second"]]
    assert all(it.ephemeral for it in (result.response, *result.followups))


async def test_first_answer(
    simcord_env: Env, simcord_bot: Bot, door: Door, channel: Any, ann: Any
) -> None:
    """The first answer is ephemeral and pings nobody."""
    simcord_bot.act = lambda interaction: door.answer(interaction, f"hello {ann.mention}")
    result = await ann.slash(channel, "do")
    assert result.response.ephemeral
    data = sent(simcord_env)["data"]
    assert data["allowed_mentions"] == {"parse": [], "users": []}


async def test_answer_after_silent_acknowledgement(
    simcord_env: Env, simcord_bot: Bot, door: Door, channel: Any, ann: Any
) -> None:
    """After ``defer_update`` an answer is a new message and the board stays as it is."""
    await door.post(channel.id, board(Press()), [BOARD])

    async def refuse(interaction: Interaction) -> None:
        assert await door.defer_update(interaction) is None
        assert await door.answer(interaction, "not your turn") is None

    simcord_bot.act = refuse
    result = await ann.click(channel.last_message, label="Press")
    assert [(texts_of(it.message), it.ephemeral) for it in result.followups] == [
        (["not your turn"], True)
    ]
    assert texts_of(channel.last_message) == ["It is Ann's turn."]


@pytest.mark.parametrize("deferred", [False, True])
async def test_update_of_the_pressed_message(
    simcord_env: Env, simcord_bot: Bot, door: Door, channel: Any, ann: Any, deferred: bool
) -> None:
    """The pressed message changes, at once or after ``defer_update``, and keeps its picture."""
    await door.post(channel.id, board(Press()), [BOARD])

    async def act(interaction: Interaction) -> None:
        if deferred:
            assert await door.defer_update(interaction) is None
        assert await door.update(interaction, board()) is None

    simcord_bot.act = act
    await ann.click(channel.last_message, label="Press")
    message = channel.last_message
    assert controls_of(message) == []
    assert [file.filename for file in message.attachments] == ["board.png"]


async def test_update_with_a_new_picture(
    simcord_env: Env, simcord_bot: Bot, door: Door, channel: Any, ann: Any
) -> None:
    """Given files replace those of the pressed message."""
    await door.post(channel.id, board(Press()), [BOARD])
    new = Attachment("board.png", PNG + b"new", "One stone")
    simcord_bot.act = lambda interaction: door.update(interaction, board(), [new])
    await ann.click(channel.last_message, label="Press")
    (file,) = channel.last_message.attachments
    assert await file.read() == PNG + b"new"


async def test_ask(simcord_env: Env, simcord_bot: Bot, door: Door, channel: Any, ann: Any) -> None:
    """A form opens as the first answer, and only as such."""
    results: list[Failure | None] = []

    async def act(interaction: Interaction) -> None:
        form = ui.Modal(title="Your move", custom_id="move")
        form.add_item(ui.TextInput(label="Move", custom_id="text"))
        results.append(await door.ask(interaction, form))
        results.append(await door.ask(interaction, form))

    simcord_bot.act = act
    result = await ann.slash(channel, "do")
    assert result.modal["title"] == "Your move"
    assert results == [None, Failure(Trouble.ANSWERED, 0)]


CALLS: dict[str, Callable[[Door, Interaction], Awaitable[Failure | None]]] = {
    "answer": lambda door, interaction: door.answer(interaction, "hello"),
    "defer": lambda door, interaction: door.defer(interaction),
    "defer_update": lambda door, interaction: door.defer_update(interaction),
    "update": lambda door, interaction: door.update(interaction, "hello"),
    "ask": lambda door, interaction: door.ask(interaction, ui.Modal(title="x", custom_id="y")),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("code", "trouble"), [(10062, Trouble.TOO_LATE), (40060, Trouble.ANSWERED)]
)
async def test_answers_that_nobody_waits_for(
    simcord_env: Env,
    simcord_bot: Bot,
    door: Door,
    channel: Any,
    ann: Any,
    call: str,
    code: int,
    trouble: Trouble,
) -> None:
    """An interaction that has expired, or has its answer, gives a failure from every call."""
    await door.post(channel.id, board(Press()), [BOARD])
    results: list[Failure | None] = []

    async def act(interaction: Interaction) -> None:
        results.append(await CALLS[call](door, interaction))

    simcord_bot.act = act
    simcord_env.inject_error("POST", "/interactions/*/*/callback", status=400, code=code)
    with capture_logs() as lines:
        await ann.click(channel.last_message, label="Press")
    assert results == [Failure(trouble, code)]
    assert [line["call"] for line in lines] == [call]


# --------------------------------------------------------------------------- permissions
@pytest.mark.parametrize(
    ("denied", "opening_thread", "missing"),
    [
        ([], False, []),
        (["send_messages"], False, ["Send Messages"]),
        (["send_messages"], True, []),
        (["attach_files", "embed_links"], False, ["Embed Links", "Attach Files"]),
        (["create_public_threads"], True, ["Create Public Threads"]),
        (["read_message_history"], False, ["Read Message History"]),
    ],
)
async def test_missing_permissions_are_named(
    simcord_env: Env,
    simcord_bot: Bot,
    denied: list[str],
    opening_thread: bool,
    missing: list[str],
) -> None:
    """What the bot lacks for a table is named, one by one, and nothing else is."""
    overwrite = discord.PermissionOverwrite(**dict.fromkeys(denied, False))
    guild = simcord_env.create_guild()
    channel = guild.create_text_channel("strict", overwrites={me(simcord_bot): overwrite})
    ann = guild.add_member(simcord_env.create_user("ann"))
    assert await missing_at(simcord_bot, ann, channel, opening_thread) == missing


async def missing_at(bot: Bot, person: Any, channel: Any, opening_thread: bool) -> list[str]:
    found: list[str] = []

    async def act(interaction: Interaction) -> None:
        found.extend(missing_permissions(interaction, opening_thread=opening_thread))
        await Door(bot).answer(interaction, "done")

    bot.act = act
    await person.slash(channel, "do")
    return found


async def test_missing_permissions_in_a_thread(
    simcord_env: Env, simcord_bot: Bot, door: Door
) -> None:
    """In a thread another permission is needed to write."""
    overwrite = discord.PermissionOverwrite(send_messages_in_threads=False, send_messages=False)
    guild = simcord_env.create_guild()
    channel = guild.create_text_channel("strict", overwrites={me(simcord_bot): overwrite})
    ann = guild.add_member(simcord_env.create_user("ann"))
    assert isinstance(await door.open_thread(channel.id, "Lancelot"), int)
    (thread,) = channel.threads
    assert await missing_at(simcord_bot, ann, thread, False) == ["Send Messages in Threads"]


async def test_no_permission_is_missing_in_a_dm(
    simcord_env: Env, simcord_bot: Bot, channel: Any, ann: Any
) -> None:
    """In a direct message there is nobody who could grant anything."""
    found: list[str] = []

    async def act(interaction: Interaction) -> None:
        found.extend(missing_permissions(interaction))
        await Door(simcord_bot).answer(interaction, "done")

    simcord_bot.act = act
    result = await ann.user.slash("do")
    assert result.acknowledged
    assert found == []


# --------------------------------------------------------------------------------- words
@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        ("Ann", "Ann"),
        ("J\u00f6rg M\u00fcller", "J\u00f6rg M\u00fcller"),
        ("**Ann**", r"\*\*Ann\*\*"),
        ("@everyone", "@\u200beveryone"),
        ("<@123456789012345678>", "\\<@\u200b123456789012345678\\>"),
        ("https://example.org", r"https\://example\.org"),
        ("[click](https://x.y)", r"\[click\]\(https\://x\.y\)"),
        ("# Loud", r"\# Loud"),
        ("-# small\n> quote", r"\-\# small \> quote"),
        ("||spoiler||", r"\|\|spoiler\|\|"),
        ("\u202eevil", " evil"),
        ("\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469"),
    ],
)
def test_escape(name: str, escaped: str) -> None:
    """Names and words of people neither format, nor link, nor ping; harmless ones stay."""
    assert escape(name) == escaped


def test_nobody_breaks_out_of_a_fence() -> None:
    """Names with backticks neither end the block nor format what comes after it."""
    told = fenced("1. **Ada```** places K4")
    assert told.count("```") == 2
    assert told.startswith("```\n1. **Ada")
    assert told.endswith("places K4\n```")


@given(st.text())
def test_nothing_dangerous_survives_escape(text: str) -> None:
    """Whatever the text, no mark is left bare, no @ has a neighbour, and it stays one line."""
    escaped = escape(text)
    bare = re.sub(r"\\.", "", escaped)
    assert not set("*_~`|<>#[]()-.:\\") & set(bare)
    assert not re.search(r"@(?!\u200b)", escaped)
    assert len(escaped.splitlines()) <= 1
