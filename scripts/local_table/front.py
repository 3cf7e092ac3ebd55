"""The server in front of SimCord's pages, on 127.0.0.1.

It passes everything on, one action at a time, and adds what players need: a memorable address,
links between places, and the browser's language. It hides the developer tools.
"""

from __future__ import annotations

import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Self

import aiohttp
from aiohttp import web
from aiohttp.typedefs import Handler
from simcord import Preview

from data.texts import language_of
from scripts.local_table.world import LocalDiscord

HOST: Final = "127.0.0.1"
ASSETS: Final = {"front.css": "text/css", "front.js": "text/javascript"}
"""The files in this folder that we add to the page, and their types."""

TAGS: Final = """\
<link rel="stylesheet" href="/front.css">
<script type="module" src="/front.js"></script>
</head>"""

KEY: Final = "X-Simcord-Capability"
"""The header that identifies one of SimCord's pages."""

CONTEXT: Final = "X-Simcord-Context"
"""The header that identifies a browser tab."""

TABS_KEPT: Final = 32
"""How many tabs' contents are remembered."""

UPLOAD_LIMIT: Final = 32 * 2**20
"""The largest request in bytes; SimCord's own limit is lower."""

_OF_THE_CONNECTION: Final = frozenset(
    {"connection", "content-length", "date", "host", "origin", "server", "transfer-encoding"}
)
"""Headers that are not passed on because they belong to a single connection."""


class Front:
    """Serves the local table; enter it as a context.

    :param pages: SimCord's pages by the place that they show, already entered; the first is shown
        first.
    :param language: everyone's language; None: the language of each browser.
    :param listening: accepts the connections, on HOST.
    """

    def __init__(
        self,
        world: LocalDiscord,
        pages: Mapping[str, Preview],
        language: str | None,
        listening: socket.socket,
    ) -> None:
        self._world = world
        self._pages = pages.values()
        self._names = {page.capability: name for name, page in pages.items()}
        self._by_key = {page.capability: page for page in self._pages}
        self._language = language
        self._listening = listening
        self._port = listening.getsockname()[1]
        self._first = next(iter(self._pages))
        self._shown: dict[str, dict[str, Any]] = {}
        """The last answer about the state of each tab."""

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=UPLOAD_LIMIT, middlewares=[self._guard])
        app.router.add_get("/", self._enter)
        app.router.add_get("/table", self._table)
        for name in ASSETS:
            app.router.add_get(f"/{name}", self._asset)
        app.router.add_post("/api/action", self._act)
        app.router.add_get("/api/state", self._state)
        app.router.add_get("/api/assets/{name}", self._picture)
        app.router.add_route("*", "/{path:.*}", self._pass_on)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        await web.SockSite(self._runner, self._listening).start()
        self._http = aiohttp.ClientSession()
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self._runner.cleanup()
        await self._http.close()

    @property
    def url(self) -> str:
        """The address of the table."""
        return f"http://{HOST}:{self._port}/"

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Accept only requests for our address: another site's name may point to 127.0.0.1. Read
        the whole request first, so that a slow browser tab cannot hold up ``turn``.
        """
        if request.host not in (f"{HOST}:{self._port}", f"localhost:{self._port}"):
            raise web.HTTPForbidden(text="This page is only for the computer that it runs on.")
        try:
            await request.read()  # aiohttp keeps it for the handler
        except ConnectionError as error:
            raise web.HTTPBadRequest(text="The request is incomplete.") from error
        return await handler(request)

    async def _enter(self, request: web.Request) -> web.Response:
        async with self._world.turn:
            self._world.language = self._language_of(request)
            await self._world.welcome()
            await self._world.show_news(self._pages)
        raise web.HTTPFound(f"/table#{self._first.capability}")

    async def _table(self, request: web.Request) -> web.Response:
        async with self._http.get(_behind(self._first)) as answer:
            page = await answer.text()
        # The address before the # has to differ, or the browser would not load the page.
        ways = "".join(
            f'<a href="/table?{number}#{key}">{name}</a>'
            for number, (key, name) in enumerate(self._names.items())
        )
        page = page.replace("SimCord Preview", "Tafelrunde")
        page = page.replace("<body>", f'<body><nav id="places">{ways}</nav>')
        page = page.replace("</head>", TAGS)
        return web.Response(text=page, content_type="text/html")

    async def _asset(self, request: web.Request) -> web.Response:
        name = request.path.removeprefix("/")
        text = Path(__file__).with_name(name).read_text("utf-8")
        return web.Response(text=text, content_type=ASSETS[name])

    async def _act(self, request: web.Request) -> web.Response:
        async with self._world.turn:
            self._world.language = self._language_of(request)
            answer = await self._pass_on(request)
            await self._world.show_news(self._pages)
        return answer

    async def _state(self, request: web.Request) -> web.Response:
        """Return the state of a tab; during an action, its previous state.

        SimCord publishes messages after the action, but withholds the pictures of edited or deleted
        messages at once: the page would lose its board for a while.
        """
        tab = request.headers.get(CONTEXT, "")
        shown = self._shown.pop(tab, None)
        if shown is None or not self._world.turn.locked():
            state = await self._asked(request)
            if shown is None or not self._world.turn.locked():
                shown = state
        self._shown[tab] = shown
        while len(self._shown) > TABS_KEPT:
            del self._shown[next(iter(self._shown))]
        return web.Response(**shown)

    async def _picture(self, request: web.Request) -> web.Response:
        """Return a picture, once the current action is over: it may belong to a message that is
        changing.
        """
        async with self._world.turn:
            return await self._pass_on(request)

    async def _pass_on(self, request: web.Request) -> web.Response:
        return web.Response(**await self._asked(request))

    async def _asked(self, request: web.Request) -> dict[str, Any]:
        """Return SimCord's answer, as arguments of a response."""
        page = self._by_key.get(request.headers.get(KEY, ""), self._first)
        self._world.use(page)
        async with self._http.request(
            request.method,
            _behind(page) + request.path_qs,
            headers=_passed_on(request.headers),
            data=await request.read(),
        ) as answer:
            return {
                "status": answer.status,
                "body": await answer.read(),
                "headers": _passed_on(answer.headers),
            }

    def _language_of(self, request: web.Request) -> str:
        return self._language or language_of(request.headers.get("Accept-Language", ""))


def _behind(page: Preview) -> str:
    """Return the address of a SimCord page, without its key."""
    return page.url.partition("/#")[0]


def _passed_on(headers: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value for name, value in headers.items() if name.lower() not in _OF_THE_CONNECTION
    }
