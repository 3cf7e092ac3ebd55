"""The gateway: websocket sessions that can be dropped, resumed, held back and made to repeat."""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from collections.abc import Collection
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import Any

from aiohttp import WSMsgType, web

from tests.wire import payloads
from tests.wire.world import Channel, Guild, Interaction, Message, World

Json = dict[str, Any]

HEARTBEAT_MS = 41_250


class Op(IntEnum):
    """Gateway opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    RESUME = 6
    RECONNECT = 7
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Intent(IntFlag):
    """The intents of a bot that the stand-in knows."""

    GUILDS = 1 << 0
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15


@dataclass(eq=False)
class Session:
    """One session of a bot: it outlives its sockets, so that it can be resumed.

    :param log: all events so far; an event's sequence number is its position in the log, from 1.
    :param sent: how many of them were sent over the current socket or an earlier one.
    """

    id: str
    intents: Intent
    shard: tuple[int, int]
    socket: Socket | None = None
    log: list[Json] = field(default_factory=list)
    sent: int = 0

    def hears(self, event: str, guild: Guild | None) -> bool:
        """Return whether this session gets an event of this kind from a server or, if there is
        none, from direct messages.
        """
        number, count = self.shard
        if number != ((guild.id >> 22) % count if guild else 0):
            return False
        if event.startswith("MESSAGE_"):
            needed = Intent.GUILD_MESSAGES if guild else Intent.DIRECT_MESSAGES
            return needed in self.intents
        return event == "INTERACTION_CREATE" or Intent.GUILDS in self.intents


class Socket:
    """One websocket connection, compressed if the client asked for it."""

    def __init__(self, ws: web.WebSocketResponse, request: web.Request) -> None:
        self.ws = ws
        self._request = request
        zipped = request.query.get("compress") == "zlib-stream"
        self._zip = zlib.compressobj() if zipped else None
        self._order = asyncio.Lock()

    async def send(self, payload: Json) -> None:
        """Send one payload, whole and in order."""
        data = json.dumps(payload, separators=(",", ":"))
        async with self._order:
            if self._zip is None:
                await self.ws.send_str(data)
            else:
                zipped = self._zip.compress(data.encode()) + self._zip.flush(zlib.Z_SYNC_FLUSH)
                await self.ws.send_bytes(zipped)

    def cut(self) -> None:
        """Drop the connection without a close frame, as a failing network does."""
        if self._request.transport is not None:
            self._request.transport.abort()


class Gateway:
    """All sessions, with disturbances of delivery."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._sessions: dict[str, Session] = {}
        self._held = asyncio.Event()
        self._held.set()
        self._stutter: list[str] = []
        self._pumps: set[asyncio.Task[None]] = set()
        self._courteous = asyncio.Event()
        self._courteous.set()
        self.url = ""
        self.identified = 0
        self.resumed = 0
        world.listener = self.dispatch

    # -- disturbances
    @property
    def connected(self) -> bool:
        return any(session.socket for session in self._sessions.values())

    @property
    def delivered(self) -> bool:
        """Whether all connected bots have been sent everything."""
        return all(s.sent == len(s.log) for s in self._sessions.values() if s.socket)

    def listens(self, shards: Collection[int]) -> bool:
        """Return whether a bot is connected for any of these shards."""
        return any(s.socket for s in self._sessions.values() if s.shard[0] in shards)

    def drop(self) -> None:
        """Drop all connections; the sessions can be resumed."""
        for socket in self._sockets():
            socket.cut()

    async def ask_to_reconnect(self) -> None:
        """Ask all bots to reconnect and resume."""
        for socket in self._sockets():
            await socket.send({"op": Op.RECONNECT, "d": None})

    async def invalidate(self) -> None:
        """Declare all sessions void: the bots must identify again."""
        sockets = self._sockets()
        self._sessions.clear()
        for socket in sockets:
            await socket.send({"op": Op.INVALID_SESSION, "d": False})

    def hold(self) -> None:
        """Keep all events back until ``release``."""
        self._held.clear()

    def release(self) -> None:
        """Deliver everything held back."""
        self._held.set()

    def ignore_goodbyes(self) -> None:
        """Stop confirming that connections end."""
        self._courteous.clear()

    def stutter(self, event: str = "INTERACTION_CREATE") -> None:
        """Deliver the next event of this kind twice."""
        self._stutter.append(event)

    # -- events
    def dispatch(self, event: str, subject: Any) -> None:
        """Send an event to every session that hears it."""
        guild, heard = _origin(subject)
        if not heard:
            return
        copies = 1
        if event in self._stutter:
            self._stutter.remove(event)
            copies = 2
        data = payloads.EVENTS[event](subject)
        for session in self._sessions.values():
            if session.hears(event, guild):
                for _ in range(copies):
                    self._log(session, event, self._for(session, event, data))
                self._deliver(session)

    @staticmethod
    def _for(session: Session, event: str, data: Json) -> Json:
        blind = "guild_id" in data and Intent.MESSAGE_CONTENT not in session.intents
        if event.startswith("MESSAGE_") and blind and not data.get("author", {}).get("bot"):
            return payloads.without_content(data)
        return data

    @staticmethod
    def _log(session: Session, event: str, data: Json) -> None:
        number = len(session.log) + 1
        session.log.append({"op": Op.DISPATCH, "t": event, "s": number, "d": data})

    def _deliver(self, session: Session) -> None:
        task = asyncio.get_running_loop().create_task(self._pump(session))
        self._pumps.add(task)
        task.add_done_callback(self._pumps.discard)

    async def _pump(self, session: Session) -> None:
        """Send what the session has not received; a resume repeats what a dead socket lost."""
        await self._held.wait()
        while session.socket is not None and session.sent < len(session.log):
            payload = session.log[session.sent]
            session.sent += 1
            try:
                await session.socket.send(payload)
            except (ConnectionError, RuntimeError):
                return

    def _sockets(self) -> list[Socket]:
        return [s.socket for s in self._sessions.values() if s.socket is not None]

    # -- the protocol
    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection, from hello to its end."""
        ws = web.WebSocketResponse(max_msg_size=0, autoclose=False)
        await ws.prepare(request)
        socket = Socket(ws, request)
        await socket.send({"op": Op.HELLO, "d": {"heartbeat_interval": HEARTBEAT_MS}})
        session: Session | None = None
        try:
            async for frame in ws:
                if frame.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                    session = await self._received(socket, session, json.loads(frame.data))
        finally:
            if session is not None and session.socket is socket:
                session.socket = None
            self._world.changed()
        await self._courteous.wait()
        return ws  # this confirms the end of the connection

    async def _received(
        self, socket: Socket, session: Session | None, payload: Json
    ) -> Session | None:
        data: Any = payload.get("d")
        match payload["op"]:
            case Op.HEARTBEAT:
                await socket.send({"op": Op.HEARTBEAT_ACK})
            case Op.IDENTIFY | Op.RESUME if data["token"] != self._world.token:
                await socket.ws.close(code=4004, message=b"Authentication failed.")
            case Op.IDENTIFY:
                session = self._identify(socket, data)
            case Op.RESUME:
                session = await self._resume(socket, data)
        return session

    def _identify(self, socket: Socket, data: Json) -> Session:
        number, count = data.get("shard", (0, 1))
        session = Session(secrets.token_hex(16), Intent(data["intents"]), (number, count), socket)
        self._forget_dead_sessions(session.shard)
        self._sessions[session.id] = session
        self._log(session, "READY", self._ready(session))
        for guild in self._world.guilds.values():
            if guild.joined and session.hears("GUILD_CREATE", guild):
                self._log(session, "GUILD_CREATE", payloads.gateway_guild(guild))
        self.identified += 1
        self._deliver(session)
        self._world.changed()
        return session

    def _forget_dead_sessions(self, shard: tuple[int, int]) -> None:
        for old in list(self._sessions.values()):
            if old.socket is None and old.shard == shard:
                del self._sessions[old.id]

    def _ready(self, session: Session) -> Json:
        joined = [guild for guild in self._world.guilds.values() if guild.joined]
        guilds = [guild for guild in joined if session.hears("GUILD_CREATE", guild)]
        return {
            "v": 10,
            "user": payloads.own_user(self._world),
            "guilds": [{"id": str(g.id), "unavailable": True} for g in guilds],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "shard": list(session.shard),
            "application": {"id": str(self._world.bot.id), "flags": 0},
            "private_channels": [],
            "_trace": [],
        }

    async def _resume(self, socket: Socket, data: Json) -> Session | None:
        session = self._sessions.get(data["session_id"])
        if session is None:
            await socket.send({"op": Op.INVALID_SESSION, "d": False})
            return None
        session.socket = socket
        session.sent = data["seq"]
        self._log(session, "RESUMED", {"_trace": []})
        self.resumed += 1
        self._deliver(session)
        self._world.changed()
        return session


def _origin(subject: Any) -> tuple[Guild | None, bool]:
    """The server of an event, and whether the gateway sends it to the bot at all: it sends no
    ephemeral messages and, from where the bot is not a member, only interactions.
    """
    match subject:
        case Guild():
            return subject, subject.joined
        case Channel():
            return subject.guild, not subject.foreign
        case Message():
            heard = subject.seen_by is None and not subject.channel.foreign
            return subject.channel.guild, heard
        case Interaction():
            return None if subject.channel.foreign else subject.channel.guild, True
    raise TypeError(f"there is no event for {subject!r}")
