"""The part of the HTTP API v10 that a game bot uses: users, channels, messages, threads, commands.

An unknown request is answered with 404 and recorded in ``unknown_requests``, so that no test passes
although a call has no effect.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from tests.limits import EMOJIS_MAX, check_commands, check_emoji
from tests.refusals import (
    CLOSED_DMS,
    MISSING_ACCESS,
    MISSING_PERMISSIONS,
    NOT_FOUND,
    NOT_THE_AUTHOR,
    THREAD_ARCHIVED,
    TOO_MANY_EMOJIS,
    UNAUTHORIZED,
    UNKNOWN_CHANNEL,
    UNKNOWN_EMOJI,
    UNKNOWN_GUILD,
    UNKNOWN_MEMBER,
    UNKNOWN_MESSAGE,
    UNKNOWN_USER,
)
from tests.wire import payloads
from tests.wire.faults import API, json_response
from tests.wire.world import (
    ApiError,
    Channel,
    ChannelKind,
    Guild,
    Message,
    Permission,
    User,
    World,
    refuse_form,
)
from tests.wire.writing import erase, read_form, rewrite, write

Json = dict[str, Any]
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

NO_CONTENT = 204


class Rest:
    """The routes, and the methods that answer them."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.unknown_requests: list[str] = []

    def routes(self) -> list[web.RouteDef]:
        """All routes of the API, and the one for uploaded files."""
        message = "/channels/{channel}/messages/{message}"
        return [
            web.get(API + "/users/@me", self._me),
            web.post(API + "/users/@me/channels", self._open_dm),
            web.get(API + "/users/{user}", self._user),
            web.get(API + "/oauth2/applications/@me", self._application),
            web.get(API + "/applications/@me", self._application),
            web.get(API + "/applications/{app}/emojis", self._list_emojis),
            web.post(API + "/applications/{app}/emojis", self._create_emoji),
            web.delete(API + "/applications/{app}/emojis/{emoji}", self._delete_emoji),
            web.get(API + "/applications/{app}/commands", self._list_commands),
            web.put(API + "/applications/{app}/commands", self._sync_commands),
            web.get(API + "/applications/{app}/guilds/{guild}/commands", self._list_commands),
            web.put(API + "/applications/{app}/guilds/{guild}/commands", self._sync_commands),
            web.get(API + "/guilds/{guild}", self._guild),
            web.get(API + "/guilds/{guild}/channels", self._guild_channels),
            web.get(API + "/guilds/{guild}/members/{user}", self._member),
            web.get(API + "/channels/{channel}", self._channel),
            web.patch(API + "/channels/{channel}", self._change_channel),
            web.post(API + "/channels/{channel}/typing", self._typing),
            web.post(API + "/channels/{channel}/threads", self._open_thread),
            web.put(API + "/channels/{channel}/thread-members/{user}", self._join_thread),
            web.delete(API + "/channels/{channel}/thread-members/{user}", self._leave_thread),
            web.get(API + "/channels/{channel}/messages", self._history),
            web.post(API + "/channels/{channel}/messages", self._write),
            web.get(API + message, self._message),
            web.patch(API + message, self._edit),
            web.delete(API + message, self._delete),
            web.post(API + message + "/threads", self._open_thread),
            web.get("/attachments/{channel}/{file}/{name}", self._file),
            web.route("*", API + "/{rest:.*}", self._unknown),
        ]

    @web.middleware
    async def refusals(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Require the token, and word refusals as Discord does."""
        try:
            self._check_token(request)
            return await handler(request)
        except ApiError as error:
            body: Json = {"message": error.message, "code": error.code}
            if error.errors:
                body["errors"] = error.errors
            return json_response(body, status=error.status)

    def _check_token(self, request: web.Request) -> None:
        path = request.path.removeprefix(API)
        if path == request.path or path.startswith(("/interactions/", "/webhooks/", "/gateway")):
            return
        if request.headers.get("Authorization") != f"Bot {self._world.token}":
            raise ApiError(*UNAUTHORIZED)

    async def _unknown(self, request: web.Request) -> web.StreamResponse:
        self.unknown_requests.append(f"{request.method} {request.path}")
        raise ApiError(*NOT_FOUND)

    # -- users and the application
    async def _me(self, request: web.Request) -> web.StreamResponse:
        return json_response(payloads.own_user(self._world))

    async def _user(self, request: web.Request) -> web.StreamResponse:
        return json_response(payloads.user(self._found_user(request.match_info["user"])))

    async def _application(self, request: web.Request) -> web.StreamResponse:
        return json_response(payloads.application(self._world))

    async def _open_dm(self, request: web.Request) -> web.StreamResponse:
        form = await read_form(request)
        user = self._found_user(form.body["recipient_id"])
        return json_response(payloads.channel(self._world.dm(user)))

    async def _member(self, request: web.Request) -> web.StreamResponse:
        guild = self._found_guild(request)
        user = self._found_user(request.match_info["user"])
        if user not in guild.members:
            raise ApiError(*UNKNOWN_MEMBER)
        return json_response(payloads.member(user, guild))

    def _found_user(self, text: str) -> User:
        user = self._world.users.get(int(text)) if str(text).isdecimal() else None
        if user is None:
            raise ApiError(*UNKNOWN_USER)
        return user

    # -- emojis of the application
    async def _list_emojis(self, request: web.Request) -> web.StreamResponse:
        return json_response({"items": list(self._world.emojis.values())})

    async def _create_emoji(self, request: web.Request) -> web.StreamResponse:
        form = (await read_form(request)).body
        refuse_form(check_emoji(form))
        if len(self._world.emojis) >= EMOJIS_MAX:
            raise ApiError(*TOO_MANY_EMOJIS)
        emoji_id = self._world.new_id()
        user = payloads.own_user(self._world)
        emoji = {
            "id": str(emoji_id),
            "name": form["name"],
            "roles": [],
            "user": user,
            "require_colons": True,
            "managed": False,
            "animated": False,
            "available": True,
        }
        self._world.emojis[emoji_id] = emoji
        return json_response(emoji, status=201)

    async def _delete_emoji(self, request: web.Request) -> web.StreamResponse:
        if self._world.emojis.pop(int(request.match_info["emoji"]), None) is None:
            raise ApiError(*UNKNOWN_EMOJI)
        return web.Response(status=NO_CONTENT)

    # -- commands
    async def _list_commands(self, request: web.Request) -> web.StreamResponse:
        return json_response(self._world.commands.get(self._command_scope(request), []))

    async def _sync_commands(self, request: web.Request) -> web.StreamResponse:
        """Replace all commands; a command keeps its id while it keeps its name."""
        form = await read_form(request)
        given: list[Json] = form.body  # type: ignore[assignment]  # a list at this one route
        refuse_form(check_commands(given))
        scope = self._command_scope(request)
        known = {c["name"]: c["id"] for c in self._world.commands.get(scope, [])}
        self._world.commands[scope] = [
            self._registered(command, scope, known.get(command["name"])) for command in given
        ]
        self._world.changed()
        return json_response(self._world.commands[scope])

    def _registered(self, command: Json, scope: int | None, known_id: str | None) -> Json:
        return {
            "type": 1,
            "description": "",
            "options": [],
            "default_member_permissions": None,
            "nsfw": False,
            "integration_types": [0],
            "contexts": None,
            **command,
            "id": known_id or str(self._world.new_id()),
            "application_id": str(self._world.bot.id),
            "guild_id": str(scope) if scope else None,
            "version": str(self._world.new_id()),
        }

    def _command_scope(self, request: web.Request) -> int | None:
        guild = request.match_info.get("guild")
        return int(guild) if guild else None

    # -- guilds, channels and threads
    async def _guild(self, request: web.Request) -> web.StreamResponse:
        return json_response(payloads.guild(self._found_guild(request)))

    async def _guild_channels(self, request: web.Request) -> web.StreamResponse:
        return json_response([payloads.channel(c) for c in self._found_guild(request).channels])

    async def _channel(self, request: web.Request) -> web.StreamResponse:
        return json_response(payloads.channel(self._found_channel(request)))

    async def _change_channel(self, request: web.Request) -> web.StreamResponse:
        channel = self._found_channel(request)
        body = (await read_form(request)).body
        if channel.locked:
            self._need(channel, Permission.MANAGE_THREADS)
        channel.name = body.get("name", channel.name)
        channel.archived = body.get("archived", channel.archived)
        self._world.changed("THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE", channel)
        return json_response(payloads.channel(channel))

    async def _typing(self, request: web.Request) -> web.StreamResponse:
        self._found_channel(request)
        return web.Response(status=NO_CONTENT)

    async def _open_thread(self, request: web.Request) -> web.StreamResponse:
        """Open a thread in a channel, or at a message, whose id it then shares."""
        parent = self._found_channel(request)
        body = (await read_form(request)).body
        kind = ChannelKind(body.get("type", ChannelKind.PUBLIC_THREAD))
        public = kind is ChannelKind.PUBLIC_THREAD
        self._need(
            parent,
            Permission.CREATE_PUBLIC_THREADS if public else Permission.CREATE_PRIVATE_THREADS,
        )
        at = request.match_info.get("message")
        thread = Channel(
            int(at) if at else self._world.new_id(),
            kind,
            body["name"],
            self._world,
            guild=parent.guild,
            parent=parent,
            owner=self._world.bot,
            members=[self._world.bot],
        )
        self._world.channels[thread.id] = thread
        self._world.changed("THREAD_CREATE", thread)
        return json_response(payloads.channel(thread), status=201)

    async def _join_thread(self, request: web.Request) -> web.StreamResponse:
        members, user = self._thread_member(request)
        if user not in members:
            members.append(user)
        return web.Response(status=NO_CONTENT)

    async def _leave_thread(self, request: web.Request) -> web.StreamResponse:
        members, user = self._thread_member(request)
        if user in members:
            members.remove(user)
        return web.Response(status=NO_CONTENT)

    def _thread_member(self, request: web.Request) -> tuple[list[User], User]:
        name = request.match_info["user"]
        user = self._world.bot if name == "@me" else self._found_user(name)
        return self._found_channel(request).members, user

    def _found_guild(self, request: web.Request) -> Guild:
        guild = self._world.guilds.get(int(request.match_info["guild"]))
        if guild is None:
            raise ApiError(*UNKNOWN_GUILD)
        return guild

    def _found_channel(self, request: web.Request) -> Channel:
        channel = self._world.channels.get(int(request.match_info["channel"]))
        if channel is None:
            raise ApiError(*UNKNOWN_CHANNEL)
        if channel.foreign:
            raise ApiError(*MISSING_ACCESS)
        self._need(channel, Permission.VIEW_CHANNEL)
        return channel

    # -- messages
    async def _history(self, request: web.Request) -> web.StreamResponse:
        """The messages of a channel, newest first; at most ``limit``, before or after a given
        one.
        """
        channel = self._found_channel(request)
        messages = channel.messages
        limit = int(request.query.get("limit", 50))
        if channel.guild and Permission.READ_MESSAGE_HISTORY not in channel.bot_permissions:
            messages = []
        if before := request.query.get("before"):
            messages = [m for m in messages if m.id < int(before)]
        if after := request.query.get("after"):
            messages = [m for m in messages if m.id > int(after)][:limit]
        return json_response([payloads.message(m) for m in messages[::-1][:limit]])

    async def _write(self, request: web.Request) -> web.StreamResponse:
        channel = self._found_channel(request)
        form = await read_form(request)
        if channel.recipient is not None and not channel.recipient.dms_open:
            raise ApiError(*CLOSED_DMS)
        if channel.archived:
            raise ApiError(*THREAD_ARCHIVED)
        self._need(
            channel,
            Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES,
        )
        if form.files:
            self._need(channel, Permission.ATTACH_FILES)
        return json_response(payloads.message(write(self._world, channel, form)))

    async def _message(self, request: web.Request) -> web.StreamResponse:
        return json_response(payloads.message(self._found_message(request)))

    async def _edit(self, request: web.Request) -> web.StreamResponse:
        message = self._found_message(request)
        if message.author is not self._world.bot:
            raise ApiError(*NOT_THE_AUTHOR)
        form = await read_form(request)
        return json_response(payloads.message(rewrite(self._world, message, form)))

    async def _delete(self, request: web.Request) -> web.StreamResponse:
        message = self._found_message(request)
        if message.author is not self._world.bot:
            self._need(message.channel, Permission.MANAGE_MESSAGES)
        erase(self._world, message)
        return web.Response(status=NO_CONTENT)

    def _found_message(self, request: web.Request) -> Message:
        channel = self._found_channel(request)
        message = self._world.messages.get(int(request.match_info["message"]))
        if message is None or message.channel is not channel or not message.is_public:
            raise ApiError(*UNKNOWN_MESSAGE)
        return message

    def _need(self, channel: Channel, permission: Permission) -> None:
        """Refuse an action for which the bot lacks the permission in a channel of a guild."""
        if channel.guild is None or permission in channel.bot_permissions:
            return
        hidden = permission is Permission.VIEW_CHANNEL
        raise ApiError(*(MISSING_ACCESS if hidden else MISSING_PERMISSIONS))

    async def _file(self, request: web.Request) -> web.StreamResponse:
        attachment = self._world.files.get(int(request.match_info["file"]))
        if attachment is None:
            raise web.HTTPNotFound
        return web.Response(body=attachment.data, content_type=attachment.content_type)
