"""A rate limiter between the bot and Discord that every request passes through."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from discord.http import Route
from pydantic import ValidationError
from structlog.testing import capture_logs

import bot
from bot import Settings
from cogs.gateway.client import send_requests_to
from cogs.gateway.traffic import route_of
from tests.hostile.house import house
from tests.wire.joust import Joust

pytestmark = [pytest.mark.slow("limiter"), pytest.mark.blank]


class Limiter:
    """Forwards requests and records their routes; refuses some itself.

    :ivar refuses: how many posts it refuses, with an error unlike Discord's.
    """

    def __init__(self) -> None:
        self.passed: list[str] = []
        self.refuses = 0
        self.upstream = ""

    async def serve(self, request: web.Request) -> web.Response:
        route = f"{request.method} {route_of(request.path)}"
        if self.refuses and route == "POST /channels/{id}/messages":
            self.refuses -= 1
            return web.Response(status=429, text="too many requests")
        self.passed.append(route)
        headers = {k: v for k, v in request.headers.items() if k not in ("Host", "Content-Length")}
        async with (
            aiohttp.ClientSession() as session,
            session.request(
                request.method,
                self.upstream + request.path_qs,
                data=await request.read(),
                headers=headers,
            ) as answer,
        ):
            kept = {k: v for k, v in answer.headers.items() if k.startswith(("X-", "Via"))}
            return web.Response(
                status=answer.status,
                body=await answer.read(),
                headers=kept | {"Content-Type": answer.headers.get("Content-Type", "")},
            )


@pytest.fixture
async def limiter() -> AsyncIterator[tuple[Limiter, str]]:
    limiter = Limiter()
    app = web.Application(client_max_size=2**25)
    app.router.add_route("*", "/{path:.*}", limiter.serve)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    yield limiter, f"http://{host}:{port}/"
    await runner.cleanup()


async def test_requests_go_through_a_limiter(limiter: tuple[Limiter, str], tmp_path: Path) -> None:
    """A post that the limiter refuses is sent later, once."""
    between, address = limiter
    async with house(tmp_path, "0") as home:
        between.upstream = home.discord.url
        home.bot.table_delivery.retries = (0.05,)
        send_requests_to(address)
        joust = Joust(home.discord, tmp_path / "house.sqlite3")
        await joust.open(goal=1, starter=1)
        assert {
            "POST /interactions/{id}/{token}/callback",
            "POST /channels/{id}/messages",
        } <= set(between.passed)
        between.refuses = 1
        act = joust.anna.slash(joust.room, "lancelot place", square="E5")
        assert "could not post the board" in (await (await act).answer()).text
        await home.discord.world.until(lambda: joust.told == ["E5"], what="the board")
        assert between.refuses == 0
        assert home.heard.errors == []


ABROAD = (
    "http://limiter.example.org",
    "http://8.8.8.8:8080",
    "http://134744072",
    "http://172.32.0.1",
    "http://[2001:db8::1]:8080",
    "http://localhost@example.org",
    "http://localhost.",
)

NO_ADDRESS = ("limiter:8080", "ftp://limiter", "http://limiter/api/v9", "x")


@pytest.mark.parametrize("text", NO_ADDRESS + ABROAD)
def test_impossible_addresses_are_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address is refused if it is not a complete web address, if it has a path, which the bot
    adds itself, or if the token would go unencrypted outside a private network.
    """
    monkeypatch.setenv("TAFELRUNDE_DISCORD_API", text)
    with pytest.raises(ValidationError, match="discord_api"):
        Settings()


@pytest.mark.parametrize(
    ("text", "in_clear"),
    [
        ("https://limiter.example.org", False),
        ("http://localhost:8080", False),
        ("http://127.0.0.1:8080/", False),
        ("http://[::1]:8080", False),
        ("http://limiter:8080", True),
        ("http://10.1.2.3:8080", True),
        ("http://172.31.0.1", True),
        ("http://[fd00::1]:8080", True),
    ],
)
async def test_a_token_in_clear_is_named_in_the_log(
    text: str, in_clear: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAFELRUNDE_DISCORD_API", text)
    monkeypatch.setattr(Route, "BASE", Route.BASE)

    async def create_bot(settings: Settings) -> None:
        raise InterruptedError

    monkeypatch.setattr(bot, "create_bot", create_bot)
    with capture_logs() as lines, pytest.raises(InterruptedError):
        await bot.run(Settings())
    named = [line["to"] for line in lines if line["event"] == "token_sent_in_clear"]
    assert named == [text] * in_clear


def test_discords_own_address_stays_by_default() -> None:
    """Requests to a limiter use the same API version as discord.py."""
    before = Route.BASE
    assert Settings().discord_api == ""
    send_requests_to("https://discord.com")
    assert before == Route.BASE
