"""The gateway over real sockets, for cases that a simulated client cannot reproduce."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta

import pytest
from aiohttp import web
from discord import Webhook

from cogs.gateway.cards import card_from, rest_of
from cogs.gateway.failures import Failure, Trouble, tried
from cogs.gateway.gateway import Gateway
from cogs.gateway.traffic import WINDOW
from tests.cogs.gateway.stage import PRESS, Bot, board
from tests.refusals import MISSING_PERMISSIONS
from tests.wire.faults import Fault
from tests.wire.standin import StandIn
from tests.wire.world import Channel

MALFORMED = [
    ('{"message": "You are being rate limited."}', "application/json"),
    ('"slow down"', "application/json"),
    ("slow down", "text/plain"),
]


@dataclass(eq=False)
class Malformed(Fault):
    """A 429 that does not say how long to wait."""

    body: str = ""
    kind: str = ""

    async def strike(self) -> web.StreamResponse | None:
        headers = {"Via": "1.1 google", "Content-Type": self.kind}
        return web.Response(status=429, body=self.body.encode(), headers=headers)


@pytest.fixture
def room(standin: StandIn) -> Channel:
    return standin.guild("Camelot").channel("games")


@pytest.fixture
async def bot(standin: StandIn) -> AsyncIterator[Bot]:
    """A client that has logged in but receives no events."""
    async with Bot() as bot:
        await bot.http.static_login(standin.token)
        yield bot


@pytest.mark.parametrize(("body", "kind"), MALFORMED)
async def test_malformed_429_is_a_failure(
    standin: StandIn, room: Channel, bot: Bot, body: str, kind: str
) -> None:
    """A 429 that does not say how long to wait makes discord.py fail, but not the bot."""
    standin.faults.add(Malformed(re.compile("POST /channels"), 1, body=body, kind=kind))
    gateway = Gateway(bot)
    assert await gateway.post(room.id, "hello") == Failure(Trouble.TOO_FAST, 0)
    assert isinstance(await gateway.post(room.id, "hello"), int)


@pytest.mark.parametrize(("body", "kind"), MALFORMED)
async def test_malformed_429_to_a_token(
    standin: StandIn, room: Channel, bot: Bot, body: str, kind: str
) -> None:
    """Answers take another path through discord.py, which has the same flaw."""
    standin.faults.add(Malformed(re.compile("POST /webhooks"), 1, body=body, kind=kind))
    token = Webhook.partial(1, "token", client=bot)
    result = await tried("answer", lambda: token.send("hello"))
    assert result == Failure(Trouble.TOO_FAST, 0)


async def test_too_many_invalid_requests_are_held_back(
    standin: StandIn, room: Channel, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many requests fail, the bot stays below the number at which Discord blocks its
    address; answers to people are held back last. After a while everything resumes.
    """
    for name, most in (("MOST_INVALID", 3), ("MOST_INVALID_WITH_ANSWERS", 5)):
        monkeypatch.setattr(f"cogs.gateway.traffic.{name}", most)
    standin.faults.refuse("POST", MISSING_PERMISSIONS, 99)
    gateway, token = Gateway(bot), Webhook.partial(1, "token", client=bot)
    posted = [await gateway.post(room.id + n, "hello") for n in range(9)]
    troubles = [each.trouble for each in posted if isinstance(each, Failure)]
    assert troubles == [Trouble.MISSING_PERMISSION] * 3 + [Trouble.TOO_FAST] * 6
    answered = [await tried("answer", lambda: token.send("hello")) for _ in range(9)]
    troubles = [each.trouble for each in answered if isinstance(each, Failure)]
    assert troubles == [Trouble.MISSING_PERMISSION] * 2 + [Trouble.TOO_FAST] * 7
    held = answered[-1]
    assert isinstance(held, Failure)
    assert 0 < held.wait <= WINDOW
    assert len([each for each in standin.faults.requests if each.startswith("POST")]) == 5
    standin.faults.clear()
    monkeypatch.setattr("cogs.gateway.traffic.WINDOW", 0.0)
    assert isinstance(await Gateway(bot).post(room.id, "hello"), int)


async def test_marks_come_back_over_the_wire(
    standin: StandIn, room: Channel, bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bot, "user", await bot.fetch_user(standin.world.bot.id))
    gateway = Gateway(bot)
    await gateway.post(room.id, "hello", mark=101)
    posted = await gateway.post(room.id, board((PRESS,)), mark=102)
    assert isinstance(posted, int)
    message = room.messages[-1]
    assert [component["id"] for component in message.components] == [102]
    since = message.created - timedelta(seconds=5)
    assert await gateway.find(room.id, 102, since) == posted
    assert await gateway.find(room.id, 103, since) is None


async def test_pictures_stay_without_being_sent_again(
    standin: StandIn, room: Channel, bot: Bot
) -> None:
    gateway = Gateway(bot)
    posted = await gateway.post(room.id, board((PRESS,)))
    assert isinstance(posted, int)
    rest = card_from(rest_of(board((PRESS,))))
    assert await gateway.edit(room.id, posted, rest) is None
    message = room.messages[-1]
    assert message.buttons == []
    assert [file.filename for file in message.attachments] == ["board.png"]
    gallery = message.components[0]["components"][1]
    assert gallery["items"][0]["media"]["url"] == message.attachments[0].url
