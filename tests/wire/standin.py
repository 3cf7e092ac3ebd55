"""A small stand-in Discord over real sockets, for bots that run as processes of their own.

    async with StandIn() as discord:
        anna = discord.person("Anna")
        room = discord.guild("Camelot").channel("games")
        ...  # start a bot that is pointed to discord.url
        await anna.slash(room, "lancelot new", goal=5)
        lobby = await room.next_message()
        await anna.press(lobby, "Join")

It listens on 127.0.0.1 only, on a free port. ``faults`` disturbs requests, ``gateway`` disturbs
connections and deliveries, ``world`` holds everything that was written.
"""

from __future__ import annotations

from typing import Self

from aiohttp import web

from tests.limits import REQUEST_MAX
from tests.wire import payloads
from tests.wire.answers import Answers
from tests.wire.faults import API, Faults, json_response
from tests.wire.gateway import Gateway
from tests.wire.people import Person
from tests.wire.rest import Rest
from tests.wire.world import Guild, World


class StandIn:
    """One stand-in Discord with its server."""

    def __init__(self) -> None:
        self.world = World()
        self.gateway = Gateway(self.world)
        self.faults = Faults(self.world)
        self.rest = Rest(self.world)
        self.url = ""
        self._runner = web.AppRunner(self._application(), shutdown_timeout=1.0)

    @property
    def token(self) -> str:
        """The token with which a bot may log in."""
        return self.world.token

    def person(self, name: str, *, locale: str = "en-US") -> Person:
        """A new person, a member of all guilds."""
        user = self.world.user(name, locale=locale)
        for guild in self.world.guilds.values():
            guild.members.append(user)
        return Person(self.world, user)

    def guild(self, name: str, *, locale: str = "en-US", joined: bool = True) -> Guild:
        """A new server with everyone in it, and the bot if it has ``joined``."""
        return self.world.guild(name, locale=locale, joined=joined)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        self.gateway.url = f"ws://{host}:{port}/gateway"
        self.world.cdn = self.url
        return self

    async def __aexit__(self, *exc: object) -> None:
        self.faults.clear()
        self.gateway.release()
        self.gateway.drop()
        await self._runner.cleanup()

    def _application(self) -> web.Application:
        app = web.Application(
            middlewares=[self.faults.middleware, self.rest.refusals],
            client_max_size=REQUEST_MAX,
        )
        app.add_routes(
            [
                web.get("/gateway", self.gateway.serve),
                web.get("/gateway/", self.gateway.serve),
                web.get(API + "/gateway", self._gateway_url),
                web.get(API + "/gateway/bot", self._gateway_url),
                *Answers(self.world).routes(),
                *self.rest.routes(),
            ]
        )
        return app

    async def _gateway_url(self, request: web.Request) -> web.StreamResponse:
        return json_response(
            {
                "url": self.gateway.url,
                "shards": 1,
                "session_start_limit": payloads.GATEWAY_LIMITS,
            }
        )
