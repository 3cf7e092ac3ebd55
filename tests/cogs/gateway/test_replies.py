"""Answers to commands, buttons and forms, and the tokens that presses provide."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from discord import ui
from discord.app_commands import AppCommandContext
from simcord.env import Env
from structlog.testing import capture_logs

from cogs.gateway import replies as module
from cogs.gateway.cards import Attachment, Card, card_from, rest_of
from cogs.gateway.components import Interaction
from cogs.gateway.failures import Failure, Trouble
from cogs.gateway.gateway import Gateway
from cogs.gateway.layouts import Layout
from cogs.gateway.replies import LentTokens, is_pressed, is_private, note_follow_up
from tests.cogs.gateway.stage import PNG, PRESS, Act, Bot, board, calls, controls_of, sent, texts_of
from tests.refusals import (
    ALREADY_ACKNOWLEDGED,
    INTERNAL_AUTHORIZATION,
    INVALID_TOKEN,
    TOO_MANY_REQUESTS,
    UNAVAILABLE,
    UNKNOWN_INTERACTION,
    UNKNOWN_MESSAGE,
    UNKNOWN_WEBHOOK,
    Refusal,
    refuse,
)

STRIPPED = card_from(rest_of(board()))
NEW = Attachment("board.png", PNG + b"new", "One stone")


# ------------------------------------------------------------------------------- answers
async def test_answers_are_ephemeral_and_keep_their_files(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    replies = gateway.replies

    async def thrice(interaction: Interaction) -> None:
        assert await replies.defer(interaction) is None
        assert await replies.answer(interaction, board()) is None
        # A follow-up would have the same effect, but Discord has deprecated that use.
        assert env.http_requests[-1].path.endswith("/messages/@original")
        assert await replies.answer(interaction, "second") is None

    bot.act = thrice
    result = await ann.slash(channel, "do")
    assert texts_of(result.response.message) == ["It is Ann's turn."]
    assert [file.filename for file in result.response.attachments] == ["board.png"]
    assert [texts_of(it.message) for it in result.followups] == [["second"]]
    assert all(it.ephemeral for it in (result.response, *result.followups))


async def test_the_first_answer_is_ephemeral_and_pings_no_one(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    bot.act = lambda interaction: gateway.replies.answer(interaction, f"hi {ann.mention}")
    result = await ann.slash(channel, "do")
    assert result.response.ephemeral
    data = sent(env)["data"]
    assert data["allowed_mentions"] == {"parse": [], "users": []}


async def test_an_answer_after_defer_update_is_a_new_message(
    bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    await gateway.post(channel.id, board((PRESS,)))

    async def refuse(interaction: Interaction) -> None:
        assert await gateway.replies.defer_update(interaction) is None
        assert await gateway.replies.answer(interaction, "not your turn") is None

    bot.act = refuse
    result = await ann.click(channel.last_message, label="Press")
    assert [(texts_of(it.message), it.ephemeral) for it in result.followups] == [
        (["not your turn"], True)
    ]
    assert texts_of(channel.last_message) == ["It is Ann's turn."]


@pytest.mark.parametrize("deferred", [False, True])
async def test_the_pressed_message_changes_and_keeps_its_picture(
    bot: Bot, gateway: Gateway, channel: Any, ann: Any, deferred: bool
) -> None:
    await gateway.post(channel.id, board((PRESS,)))

    async def act(interaction: Interaction) -> None:
        if deferred:
            assert await gateway.replies.defer_update(interaction) is None
        assert await gateway.replies.update(interaction, STRIPPED) is None

    bot.act = act
    await ann.click(channel.last_message, label="Press")
    message = channel.last_message
    assert controls_of(message) == []
    assert [file.filename for file in message.attachments] == ["board.png"]


async def test_a_new_picture_replaces_the_pressed_messages_files(
    bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    await gateway.post(channel.id, board((PRESS,)))
    bot.act = lambda interaction: gateway.replies.update(interaction, board(picture=NEW))
    await ann.click(channel.last_message, label="Press")
    (file,) = channel.last_message.attachments
    assert await file.read() == PNG + b"new"


async def test_a_form_can_only_be_the_first_answer(
    bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    results: list[Failure | None] = []

    async def act(interaction: Interaction) -> None:
        results.append(await gateway.replies.ask(interaction, form()))
        results.append(await gateway.replies.ask(interaction, form()))

    bot.act = act
    result = await ann.slash(channel, "do")
    assert result.modal["title"] == "Your move"
    assert results == [None, Failure(Trouble.ANSWERED, 0)]


async def test_a_private_answer_replaces_the_private_message_that_was_pressed(
    bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    replies = gateway.replies
    seen: list[tuple[bool, bool]] = []

    async def act(interaction: Interaction) -> None:
        seen.append((is_pressed(interaction), is_private(interaction)))
        assert await replies.acknowledge_privately(interaction) is None
        card = Card((("first", "second")[len(seen) - 1],), ((PRESS,),))
        assert await replies.show(interaction, card) is None

    bot.act = act
    first = await ann.slash(channel, "do")
    assert texts_of(first.response.message) == ["first"]
    second = await ann.click(first.response.message, label="Press")
    assert second.followups == []
    assert texts_of(first.response.message) == ["second"]
    assert seen == [(False, False), (True, True)]


async def test_what_is_shown_next_replaces_what_was_shown(
    bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    replies = gateway.replies

    async def act(interaction: Interaction) -> None:
        for text in ("wait", "done"):
            assert await replies.show(interaction, text) is None

    bot.act = act
    result = await ann.slash(channel, "do")
    assert texts_of(result.response.message) == ["done"]
    assert result.followups == []


@pytest.mark.parametrize("by_button", [False, True])
async def test_a_command_gets_is_thinking_and_a_button_nothing_visible(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, ann: Any, by_button: bool
) -> None:
    await gateway.post(channel.id, board((PRESS,)))
    types: list[int] = []

    async def act(interaction: Interaction) -> None:
        await gateway.replies.acknowledge(interaction)
        types.append(sent(env)["type"])
        await gateway.replies.answer(interaction, "done")

    bot.act = act
    if by_button:
        await ann.click(channel.last_message, label="Press")
    else:
        await ann.slash(channel, "do")
    assert types == [6 if by_button else 5]


CALLS: dict[str, Callable[[Gateway, Interaction], Awaitable[Failure | None]]] = {
    "answer": lambda gateway, interaction: gateway.replies.answer(interaction, "hello"),
    "defer": lambda gateway, interaction: gateway.replies.defer(interaction),
    "defer_update": lambda gateway, interaction: gateway.replies.defer_update(interaction),
    "update": lambda gateway, interaction: gateway.replies.update(interaction, "hello"),
    "ask": lambda gateway, interaction: gateway.replies.ask(interaction, form()),
}


def form() -> ui.Modal:
    modal = ui.Modal(title="Your move", custom_id="move")
    return modal.add_item(ui.Label(text="Move", component=ui.TextInput(custom_id="text")))


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("refusal", "trouble"),
    [(UNKNOWN_INTERACTION, Trouble.TOO_LATE), (ALREADY_ACKNOWLEDGED, Trouble.ANSWERED)],
)
async def test_every_answer_to_an_expired_or_answered_interaction_is_a_failure(
    env: Env,
    bot: Bot,
    gateway: Gateway,
    channel: Any,
    ann: Any,
    call: str,
    refusal: Refusal,
    trouble: Trouble,
) -> None:
    await gateway.post(channel.id, board((PRESS,)))
    results: list[Failure | None] = []

    async def act(interaction: Interaction) -> None:
        results.append(await CALLS[call](gateway, interaction))

    bot.act = act
    refuse(env, "POST", "/interactions/*/*/callback", refusal)
    with capture_logs() as lines:
        await ann.click(channel.last_message, label="Press")
    assert results == [Failure(trouble, refusal.code)]
    assert [line["call"] for line in lines] == [call]


# ---------------------------------------------------------------------- answers at once
async def answered(
    env: Env, gateway: Gateway, bot: Bot, channel: Any, ann: Any, act: Act, gain: str
) -> list[str]:
    """The requests that a press on a board causes if ``act`` handles it."""
    posted = await gateway.post(channel.id, board((PRESS,)))
    assert isinstance(posted, int)

    async def press(interaction: Interaction) -> None:
        async with gateway.replies.answering(interaction, getattr(gateway.replies, gain)):
            await act(interaction)

    bot.act = press
    before = len(env.http_requests)
    await ann.click(channel.last_message, label="Press")
    return calls(env, before)


async def test_an_edit_of_the_pressed_message_answers(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    """The answer takes one request, and the press's token can change the message again later."""

    async def act(interaction: Interaction) -> None:
        assert interaction.message is not None
        place = channel.id, interaction.message.id
        assert gateway.awaits(*place)
        assert await gateway.edit(*place, board((PRESS,), picture=NEW), mark=78) is None
        assert not gateway.awaits(*place)

    made = await answered(env, gateway, bot, channel, ann, act, "acknowledge")
    assert made == ["POST interactions"]
    assert sent(env)["type"] == 7
    (file,) = channel.last_message.attachments
    assert await file.read() == PNG + b"new"
    before = len(env.http_requests)
    assert await gateway.edit(channel.id, channel.last_message.id, "over") is None
    assert calls(env, before) == ["PATCH webhooks"]


async def test_an_answer_in_time_is_the_first_one(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    """The answer takes one request. The token then belongs to the answer, so the bot edits the
    pressed message with its own token.
    """
    for gain in ("acknowledge", "acknowledge_privately"):

        async def act(interaction: Interaction) -> None:
            assert interaction.message is not None
            assert await gateway.replies.show(interaction, board()) is None
            assert await gateway.edit(channel.id, interaction.message.id, "over") is None

        made = await answered(env, gateway, bot, channel, ann, act, gain)
        assert made == ["POST interactions", "PATCH channels"]


async def test_after_an_answer_without_confirmation_the_token_is_not_used(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    """Discord reports that the press has been answered already, so its token would delete that
    answer instead of the board.
    """

    async def act(interaction: Interaction) -> None:
        await gateway.replies.answer(interaction, "hello")

    refuse(env, "POST", "/interactions/*/*/callback", ALREADY_ACKNOWLEDGED)
    await answered(env, gateway, bot, channel, ann, act, "acknowledge")
    before = len(env.http_requests)
    assert await gateway.delete(channel.id, channel.last_message.id) is None
    assert calls(env, before) == ["DELETE channels"]


async def test_without_an_answer_a_press_is_acknowledged(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    """A press that gets no answer is acknowledged once everything is done, or earlier if the
    pressed message has to be deleted, which uses the press's token.
    """

    async def delete(interaction: Interaction) -> None:
        assert interaction.message is not None
        assert await gateway.delete(channel.id, interaction.message.id) is None

    async def nothing(_: Interaction) -> None:
        pass

    made = await answered(env, gateway, bot, channel, ann, nothing, "acknowledge")
    assert (made, sent(env)["type"]) == (["POST interactions"], 6)
    made = await answered(env, gateway, bot, channel, ann, delete, "acknowledge")
    assert made == ["POST interactions", "DELETE webhooks"]


async def test_a_slow_answer_comes_after_an_acknowledgement(
    env: Env,
    bot: Bot,
    gateway: Gateway,
    channel: Any,
    ann: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.0)

    async def act(interaction: Interaction) -> None:
        while not interaction.response.is_done():  # noqa: ASYNC110 - no event to await
            await asyncio.sleep(0)
        assert interaction.message is not None
        assert await gateway.edit(channel.id, interaction.message.id, "over") is None

    made = await answered(env, gateway, bot, channel, ann, act, "acknowledge")
    assert made == ["POST interactions", "PATCH webhooks"]


async def test_in_a_crowd_nobody_waits_for_an_answer(gateway: Gateway) -> None:
    done: list[int] = []

    async def gain(interaction: Any) -> None:
        done.append(interaction.message.id)

    async def press(number: int, go_on: asyncio.Event) -> None:
        interaction: Any = Pressed(number)
        async with gateway.replies.answering(interaction, gain):
            await go_on.wait()

    go_on = asyncio.Event()
    presses = [asyncio.create_task(press(n, go_on)) for n in range(module.CROWD)]
    await asyncio.sleep(0.01)
    assert done == []
    presses.append(asyncio.create_task(press(module.CROWD, go_on)))
    await asyncio.sleep(0.01)
    assert sorted(done) == [*range(module.CROWD + 1)]
    go_on.set()
    await asyncio.gather(*presses)


# --------------------------------------------------------------------------- lent tokens
async def pressed(gateway: Gateway, bot: Bot, channel: Any, ann: Any, act: Act) -> int:
    """The id of a board after a press answered by ``act``."""
    posted = await gateway.post(channel.id, board((PRESS,)))
    assert isinstance(posted, int)
    bot.act = act
    await ann.click(channel.last_message, label="Press")
    return posted


async def test_a_press_lends_its_token(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    """The pressed message is edited without the bot's own token, as often as necessary."""
    message_id = await pressed(gateway, bot, channel, ann, gateway.replies.defer_update)
    before = len(env.http_requests)
    assert await gateway.edit(channel.id, message_id, board(picture=NEW)) is None
    assert await gateway.edit(channel.id, message_id, STRIPPED, mark=77) is None
    assert calls(env, before) == ["PATCH webhooks", "PATCH webhooks"]
    (file,) = channel.last_message.attachments
    assert await file.read() == PNG + b"new"
    assert channel.last_message.components[0].id == 77


async def test_an_update_lends_the_token_too(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    replies = gateway.replies
    message_id = await pressed(
        gateway, bot, channel, ann, lambda interaction: replies.update(interaction, STRIPPED)
    )
    before = len(env.http_requests)
    assert await gateway.edit(channel.id, message_id, "over") is None
    assert calls(env, before) == ["PATCH webhooks"]
    assert texts_of(channel.last_message) == ["over"]


async def test_other_messages_are_not_changed_by_a_lent_token(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    other = await gateway.post(channel.id, board((PRESS,)))
    assert isinstance(other, int)
    await pressed(gateway, bot, channel, ann, gateway.replies.defer_update)
    before = len(env.http_requests)
    assert await gateway.edit(channel.id, other, "over") is None
    assert calls(env, before) == ["PATCH channels"]


async def test_an_answer_lends_nothing(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    """After an answer, the original response is that answer, which must not be overwritten."""
    replies = gateway.replies
    message_id = await pressed(
        gateway, bot, channel, ann, lambda interaction: replies.answer(interaction, "hello")
    )
    before = len(env.http_requests)
    assert await gateway.edit(channel.id, message_id, "over") is None
    assert calls(env, before) == ["PATCH channels"]


async def test_an_expired_token_is_not_tried(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, ann: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    message_id = await pressed(gateway, bot, channel, ann, gateway.replies.defer_update)
    monkeypatch.setattr(module, "LIFE", 0.0)
    before = len(env.http_requests)
    assert await gateway.edit(channel.id, message_id, "over") is None
    assert calls(env, before) == ["PATCH channels"]


@pytest.mark.parametrize(
    "refusal",
    [INVALID_TOKEN, UNKNOWN_WEBHOOK, UNKNOWN_MESSAGE, TOO_MANY_REQUESTS, INTERNAL_AUTHORIZATION],
)
async def test_a_refused_token_falls_back_to_the_bots_own(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, ann: Any, refusal: Refusal
) -> None:
    message_id = await pressed(gateway, bot, channel, ann, gateway.replies.defer_update)
    refuse(env, "PATCH", "/webhooks/*/*/messages/*", refusal, times=1)
    before = len(env.http_requests)
    assert await gateway.edit(channel.id, message_id, board(picture=NEW)) is None
    (file,) = channel.last_message.attachments
    assert await file.read() == PNG + b"new"
    assert await gateway.edit(channel.id, message_id, "over") is None
    assert calls(env, before) == ["PATCH webhooks", "PATCH channels", "PATCH channels"]


async def test_during_an_outage_an_edit_is_not_tried_again_with_the_bots_own_token(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    message_id = await pressed(gateway, bot, channel, ann, gateway.replies.defer_update)
    refuse(env, "PATCH", "/webhooks/*/*/messages/*", UNAVAILABLE, times=1)
    before = len(env.http_requests)
    result = await gateway.edit(channel.id, message_id, "over")
    assert result == Failure(Trouble.UNREACHABLE, 0)
    assert calls(env, before) == ["PATCH webhooks"]


async def test_a_message_of_a_chat_can_be_changed_once_an_outage_is_over(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    message_id = await pressed(gateway, bot, channel, ann, gateway.replies.defer_update)
    for method in ("PATCH", "DELETE"):
        refuse(env, method, "/webhooks/*/*/messages/*", UNAVAILABLE, times=1)
    unreachable, chats = Failure(Trouble.UNREACHABLE, 0), gateway.chats
    assert await chats.edit(channel.id, message_id, "over") == unreachable
    assert await chats.delete(channel.id, message_id) == unreachable
    assert await chats.edit(channel.id, message_id, "over") is None
    assert await chats.delete(channel.id, message_id) is None
    assert channel.history() == []


async def test_a_deleted_message_is_gone_by_either_token(
    bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    message_id = await pressed(gateway, bot, channel, ann, gateway.replies.defer_update)
    assert await gateway.delete(channel.id, message_id) is None
    result = await gateway.edit(channel.id, message_id, "over")
    assert result == Failure(Trouble.GONE, 10008)


async def test_private_messages_lend_nothing(
    env: Env, bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    """A private message can only be edited by an answer."""

    async def act(interaction: Interaction) -> None:
        if is_pressed(interaction):
            await gateway.replies.defer_update(interaction)
        else:
            await gateway.replies.answer(interaction, Card(("mine",), ((PRESS,),)))

    bot.act = act
    first = await ann.slash(channel, "do")
    await ann.click(first.response.message, label="Press")
    before = len(env.http_requests)
    await gateway.edit(channel.id, first.response.message.id, "over")
    assert calls(env, before) == ["PATCH channels"]


async def test_an_answer_that_was_sent_is_not_kept(
    bot: Bot, gateway: Gateway, channel: Any, ann: Any
) -> None:
    """The buttons of an answer work by their ids, so the bot need not remember the message."""

    async def act(interaction: Interaction) -> None:
        await gateway.replies.answer(interaction, Card(("mine",), ((PRESS,),)))

    def layouts() -> list[Layout]:
        gc.collect()
        return [each for each in gc.get_objects() if isinstance(each, Layout)]

    bot.act = act
    others = layouts()  # from earlier tests
    assert (await ann.slash(channel, "do")).response is not None
    assert all(any(each is other for other in others) for each in layouts())


class Flags:
    ephemeral = False


class Channel:
    id = 5


class Message:
    flags = Flags()
    channel = Channel()

    def __init__(self, message_id: int) -> None:
        self.id = message_id


class Pressed:
    """A stand-in for a press on a message."""

    context = AppCommandContext(guild=True)
    guild_id = 6

    def __init__(self, message_id: int) -> None:
        self.message = Message(message_id)

    def is_user_integration(self) -> bool:
        return False


def test_only_the_newest_tokens_are_kept_and_none_after_it_expired(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST", 3)
    now = [0.0]
    lent = LentTokens(lambda: now[0])
    presses: list[Any] = [Pressed(number) for number in (1, 2, 3, 1, 4)]
    for press in presses:
        lent.take(press)

    def found(number: int) -> Any:
        held = lent.find(5, number)
        return held and held.interaction

    assert [found(number) for number in (1, 2, 3, 4)] == [presses[3], None, presses[2], presses[4]]
    assert lent.find(6, 1) is None
    now[0] = module.LIFE - 1
    assert found(1) is presses[3]
    now[0] = module.LIFE
    assert found(1) is None
    lent.take(presses[0])
    assert (len(lent), found(1)) == (1, presses[0])


def test_the_last_follow_up_is_kept_for_an_answer() -> None:
    """Discord allows five follow-ups to an interaction; the bot uses at most four of them for
    messages to everyone.
    """
    lent = LentTokens()
    interaction: Any = SimpleNamespace(channel_id=5, extras={})
    lent.hear(interaction)
    for _ in range(4):
        newest: Any = lent.newest(5)
        assert newest is interaction
        note_follow_up(newest)
    assert lent.newest(5) is None
