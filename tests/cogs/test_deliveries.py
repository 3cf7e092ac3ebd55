"""What people see of messages that Discord refuses, carries out late, or loses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import Any
from unittest.mock import AsyncMock

import pytest

from cogs.delivery import message
from cogs.gateway.failures import Failure, Trouble
from cogs.gateway.gateway import Gateway
from play.lobby import Join
from tests.refusals import MISSING_PERMISSIONS, UNAUTHORIZED, UNKNOWN_INTERACTION, refuse
from tests.stage import Stage, controls, texts_of

MINUTE = 60

NO_ANSWER = Failure(Trouble.UNREACHABLE)

Late = list[Callable[[], Awaitable[int | Failure]]]


def made(stage: Stage, method: str) -> int:
    """How many requests with this method the bot has made about messages."""
    return sum(r.method == method and "/messages" in r.path for r in stage.env.http_requests)


@pytest.fixture
def no_retries(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bot try again only when something happens."""
    monkeypatch.setattr(stage.bot.table_delivery, "retries", ())


@contextmanager
def unanswered(monkeypatch: pytest.MonkeyPatch, *channels: int) -> Iterator[Late]:
    """Let posts get no answer: in some channels or, if none is given, everywhere.

    :returns: functions that carry the posts out after all.
    """
    late: Late = []
    post = Gateway.post

    async def lost(gateway: Gateway, channel: int, *given: Any, **named: Any) -> int | Failure:
        if channels and channel not in channels:
            return await post(gateway, channel, *given, **named)
        late.append(partial(post, gateway, channel, *given, **named))
        return NO_ANSWER

    with monkeypatch.context() as patch:
        patch.setattr(Gateway, "post", lost)
        yield late


# ---------------------------------------------------------------------------- refused
async def test_a_refused_message_is_tried_once(stage: Stage) -> None:
    await stage.lancelot()
    refuse(stage.env, "POST", f"/channels/{stage.channel.id}/messages", MISSING_PERMISSIONS)
    before = made(stage, "POST")
    await stage.place("Anna", "K4")
    assert made(stage, "POST") == before + 1


async def test_a_refused_answer_to_a_press_is_tried_once(stage: Stage) -> None:
    """Discord does not know the press any more, and no message may be edited."""
    await stage.open("twilight", 3)
    person = stage.people[await stage.decider()]
    hand = await stage.message("hand", person.id)
    control = next(c for c in controls(hand) if c.chooses)
    refuse(stage.env, "POST", "/interactions/*", UNKNOWN_INTERACTION)
    refuse(stage.env, "PATCH", "*", MISSING_PERMISSIONS)
    before = len(stage.env.http_requests)
    await person.user.click(hand, custom_id=control.custom_id)
    tried = [r.path for r in stage.env.http_requests[before:] if r.method == "PATCH"]
    assert sum(str(hand.id) in path for path in tried) == 1


async def test_an_unreachable_guest_leaves_nothing_to_deliver(stage: Stage) -> None:
    await stage.lobby()
    stage.close_dms("Ben")
    await stage.slash("Anna", "invite", person=stage.people["Ben"])
    assert "invites you" in stage.last()
    table = await stage.table()
    assert (await stage.bot.store.messages.all_of(table.id))[0] == table.revision


async def test_an_old_board_is_deleted_once_the_token_is_accepted_again(stage: Stage) -> None:
    await stage.lancelot()
    refuse(stage.env, "DELETE", "*", UNAUTHORIZED)
    await stage.place("Anna", "K4")
    assert len(stage.boards()) == 2
    stage.env.backend.faults.clear()
    await stage.wait(10 * MINUTE)
    assert len(stage.boards()) == 1


# ------------------------------------------------------------------ late, or never
async def test_a_deletion_is_repeated_without_a_search(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.lancelot()
    with monkeypatch.context() as patch:
        patch.setattr(Gateway, "delete", AsyncMock(return_value=NO_ANSWER))
        await stage.place("Anna", "K4")
    assert len(stage.boards()) == 2
    await stage.wait(MINUTE)
    assert len(stage.boards()) == 1
    assert made(stage, "GET") == 0


@pytest.mark.usefixtures("no_retries")
async def test_an_invitation_that_is_not_needed_any_more_does_not_hold_up_the_lobby(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.lobby()
    ben = stage.people["Ben"]
    monkeypatch.setattr(Gateway, "find", AsyncMock(return_value=NO_ANSWER))
    with unanswered(monkeypatch, ben.user.dm_channel.id):
        await stage.slash("Anna", "invite", person=ben)
        await stage.press("Ben", "join")
    assert "Ben" in texts_of(await stage.message("lobby"))


async def test_a_late_hand_is_known_although_direct_messages_are_closed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    channels = [person.user.dm_channel.id for person in stage.people.values()]
    with unanswered(monkeypatch, *channels) as late:
        await stage.open("twilight", 3)
    (number,) = [await each() for each in late]
    stage.close_dms("Anna", "Ben", "Clara")
    await stage.restart()
    table = await stage.table()
    assert [row.message_id for row in await stage.rows(table.id, "hand")] == [number]


async def test_a_late_lobby_shows_who_has_joined(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lobby comes just after the bot has looked for it; posting it again changes nothing."""
    monkeypatch.setattr(message, "NONCE_WINDOW", timedelta(0))
    await stage.lobby()
    table = await stage.table()
    await (await stage.message("lobby")).delete()
    with unanswered(monkeypatch) as late:
        await stage.bot.table_delivery.look(table.id)
    number = await late[0]()
    monkeypatch.setattr(Gateway, "find", AsyncMock(return_value=None))
    monkeypatch.setattr(Gateway, "post", AsyncMock(return_value=number))
    await stage.bot.tables.act(table.id, Join(stage.people["Ben"].id, "Ben"))
    await stage.env.settle()
    assert "Ben" in stage.last()


@pytest.mark.usefixtures("no_retries")
async def test_a_board_that_may_come_late_is_looked_for_now_and_then(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot looks for the board when it is replaced, and then twice within a minute, whatever
    happens in the meantime.
    """
    await stage.lancelot()
    with unanswered(monkeypatch):
        await stage.place("Anna", "K4")
    for name, square in (("Ben", "D4"), ("Anna", "E9"), ("Ben", "G7")):
        await stage.place(name, square)
    assert made(stage, "GET") == 1
    await stage.wait(2 * MINUTE)
    assert made(stage, "GET") == 3
