"""Monitoring endpoints: ``/healthz``, ``/readyz`` and ``/metrics`` on their own port.

Events are counted where they happen (``prometheus_client``). States, such as the number of tables,
are looked up when a request asks for them. None of these data identify a person, a server or any
content.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, TypeVar

import discord
import structlog
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, Gauge, generate_latest

from data.store.problems import StoreProblem
from data.store.rows import Status
from data.store.store import Store

log = structlog.get_logger()

T = TypeVar("T")

RECOUNTED: Final = 3600.0
"""Seconds after which finished tables are counted again; there may be millions, so they are not
counted at every request.
"""

OVER: Final = (Status.FINISHED, Status.ENDED)

PATIENCE: Final = 2.0
"""Seconds after which a store that does not answer counts as unreachable."""

TABLES = Gauge("tafelrunde_tables", "Tables by their state.", ["state"])
STORE_UP = Gauge("tafelrunde_database_up", "1: the database answers.")
WAITING = Gauge("tafelrunde_deliveries_waiting", "Tables and occasions being delivered or retried.")
OLDEST = Gauge("tafelrunde_delivery_oldest_seconds", "How long the oldest delivery has waited.")
SHARD_UP = Gauge("tafelrunde_shard_up", "1: the shard is connected to Discord.", ["shard"])
LATENCY = Gauge(
    "tafelrunde_shard_latency_seconds",
    "How long Discord took to answer the shard's last heartbeat.",
    ["shard"],
)
SERVERS = Gauge("tafelrunde_servers", "Servers with the bot, in this process's shards.")
TASKS = Gauge("tafelrunde_tasks", "Tasks of the event loop.")


@dataclass(frozen=True, slots=True)
class Address:
    """An address to listen on.

    :param port: 0: any free port.
    """

    host: str
    port: int


def address_of(text: object) -> object:
    """Read ``9464``, ``0.0.0.0:9464`` or ``[::1]:9464`` as an address; a port alone means this
    machine only. Empty: None.

    :raises ValueError: the text is in none of these formats.
    """
    if not isinstance(text, str):
        return text
    if not text:
        return None
    host, _, port = text.rpartition(":")
    if not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise ValueError("expected a port, or host:port")
    return Address(host.strip("[]") or "127.0.0.1", int(port))


class CannotListen(Exception):  # noqa: N818 - reported to the person who starts the bot
    """The bot cannot listen on this address."""


class Monitor:
    """Serves the monitoring endpoints.

    :param waiting: returns how many seconds each undelivered table or occasion has waited.
    """

    def __init__(
        self, client: discord.Client, store: Store, waiting: Callable[[], list[float]]
    ) -> None:
        self._client = client
        self._store = store
        self._waiting = waiting
        self._over: dict[str, int] = {}
        """How many tables were over at the last count, by state."""
        self._counted = -math.inf
        """The time of that count, on the event loop's clock in seconds."""

    @asynccontextmanager
    async def listening(self, address: Address | None) -> AsyncIterator[Address | None]:
        """Serve the endpoints during the block.

        :param address: None: do not serve them.
        :raises CannotListen: the system refuses the address, for example because another program
            uses the port.
        :returns: the address it listens on; None if it does not listen.
        """
        if address is None:
            yield None
            return
        app = web.Application()
        app.add_routes(
            [
                web.get("/healthz", self._health),
                web.get("/readyz", self._ready),
                web.get("/metrics", self._metrics),
            ]
        )
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        try:
            try:
                await web.TCPSite(runner, address.host, address.port).start()
            except OSError as error:
                raise CannotListen(f"{address.host}:{address.port}: {error.strerror}") from error
            host, port = runner.addresses[0][:2]
            log.info("metrics_listening", host=host, port=port)
            yield Address(host, port)
        finally:
            await runner.cleanup()

    # -- endpoints
    async def _health(self, _: web.Request) -> web.Response:
        """Answer the request; any answer shows that the process is alive. A process that does not
        answer should be restarted.
        """
        return web.Response(text="ok\n")

    async def _ready(self, _: web.Request) -> web.Response:
        """Report whether the bot is serving people; if not, answer with status 503 and name the
        parts that are missing.
        """
        parts = {
            "database": await self._looked_up(self._store.database.answers()) is not None,
            "discord": self._client.is_ready() and all(up for up, _ in self._shards().values()),
        }
        status = 200 if all(parts.values()) else 503
        return web.json_response({"ready": status == 200, **parts}, status=status)

    async def _metrics(self, _: web.Request) -> web.Response:
        tables = await self._looked_up(self._tables())
        STORE_UP.set(tables is not None)
        TABLES.clear()
        for state, number in (tables or {}).items():
            TABLES.labels(state).set(number)
        waiting = self._waiting()
        WAITING.set(len(waiting))
        OLDEST.set(max(waiting, default=0.0))
        SERVERS.set(len(self._client.guilds))
        TASKS.set(len(asyncio.all_tasks()))
        for number, (up, latency) in self._shards().items():
            SHARD_UP.labels(number).set(up)
            LATENCY.labels(number).set(latency)
        return web.Response(
            body=generate_latest(REGISTRY), headers={"Content-Type": CONTENT_TYPE_LATEST}
        )

    # -- lookups
    async def _looked_up(self, query: Awaitable[T]) -> T | None:
        """Return the database's answer; None if it does not answer."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await query
        except (StoreProblem, TimeoutError):
            return None

    async def _tables(self) -> Mapping[str, int]:
        """Return how many tables are in each state; for finished tables, as of the last count."""
        by_status, now = self._store.tables.by_status, asyncio.get_running_loop().time()
        if now - self._counted >= RECOUNTED:
            self._over, self._counted = await by_status(OVER), now
        return self._over | await by_status([state for state in Status if state not in OVER])

    def _shards(self) -> dict[int, tuple[bool, float]]:
        """Return, for each shard, whether it is connected and the latency of its last heartbeat in
        seconds.
        """
        client = self._client
        if isinstance(client, discord.AutoShardedClient):
            return {
                number: (not shard.is_closed(), shard.latency)
                for number, shard in client.shards.items()
            }
        connection = client.ws
        up = connection is not None and connection.open
        return {client.shard_id or 0: (up, client.latency if up else math.nan)}
