"""The gateway to Discord. Every call that the bot makes on its own initiative about messages,
threads or people goes through here.

Everyday failures are returned as values; see ``failures``. When a call about a message fails
because Discord no longer knows the channel, the client dispatches its event ``channel_lost`` with
the channel's id.

Five promises hold for every message:

* It pings only people whom the caller names individually.
* Answers to commands and buttons are ephemeral; messages for everyone are posted.
* A message with a ``nonce`` is posted once, even if the call is repeated within a few minutes, say
  after a crash.
* Messages are cards, built of components (``LayoutView``); plain text becomes a card.
* No view waits in memory for a press: the client reads a control's meaning from its id.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import Final, TypeVar, Unpack

import discord

from cogs.gateway.chats import Chats
from cogs.gateway.emojis import Emojis
from cogs.gateway.failures import Failure, Trouble, done, tried
from cogs.gateway.layouts import mark_of, stripped
from cogs.gateway.replies import (
    Content,
    Lent,
    LentTokens,
    Posting,
    Replies,
    as_card,
    edit_arguments,
    new_message,
    only,
)
from cogs.gateway.texts import legible

T = TypeVar("T")

OWN_LOOKED_THROUGH: Final = 100
LOOKED_THROUGH: Final = 1000
"""How many of the bot's own messages, and how many in all, to search for a marked one."""

_CLOCKS_APART: Final = timedelta(minutes=1)
"""How far the bot's clock may run ahead of Discord's."""

_UNKNOWN_MESSAGE: Final = 10008
_REFUSED_AS_EMPTY: Final = frozenset({50006, 50035})  # empty message, invalid form


class Gateway:
    """Makes the calls to Discord; see the module's docstring.

    :param emojis: the emojis that messages may use; None: no emojis.
    :ivar replies: answers to interactions.
    :ivar chats: messages where the bot is not a member.
    """

    def __init__(self, client: discord.Client, emojis: Emojis | None = None) -> None:
        self._client = client
        self._lent = LentTokens()
        self._emojis = emojis or Emojis()
        self._held: dict[tuple[str, int], float] = {}
        """When Discord allows the next call of each kind in each channel, in monotonic seconds."""
        self.replies = Replies(self._lent, self._emojis)
        self.chats = Chats(self._lent, self._emojis)

    # -- messages in channels, and direct messages
    async def post(
        self, channel_id: int, content: Content, **how: Unpack[Posting]
    ) -> int | Failure:
        """Post a message.

        :param content: the content, with its pictures drawn.
        :param how: see ``Posting``.
        :returns: the message's id.
        """
        card = as_card(content)

        async def attempt() -> int:
            # discord.py adds enforce_nonce to every nonce.
            channel = self._client.get_partial_messageable(channel_id)
            message = await self._emojis.sent(
                lambda icons: channel.send(
                    **new_message(card, icons, **how),
                    nonce=how.get("nonce"),  # type: ignore[arg-type]
                )
            )
            return message.id

        return await self._in_channel("post", channel_id, attempt)

    async def edit(
        self, channel_id: int, message_id: int, content: Content, *, mark: int | None = None
    ) -> Failure | None:
        """Edit one of the bot's messages, using the token of its last press if there is one.

        :param content: the new content, with its pictures drawn; its files replace the message's
            files, unless some are ``Kept``.
        :param mark: as in ``Posting``; the message loses its mark unless it is given again.
        """
        card, lent = as_card(content), self._lent.find(channel_id, message_id)
        if lent is not None:
            edit = lent.edit
            made = await self._by_token(
                "edit",
                lent,
                lambda: self._emojis.sent(lambda icons: edit(edit_arguments(card, mark, icons))),
                channel_id,
            )
            if made is not False:
                return None if made is True else made
        message = self._message(channel_id, message_id)
        return await self._in_channel(
            "edit",
            channel_id,
            lambda: self._emojis.sent(
                lambda icons: done(message.edit(**edit_arguments(card, mark, icons)))
            ),
        )

    def awaits(self, channel_id: int, message_id: int) -> bool:
        """Return whether an edit of this message would answer a press on it."""
        return self._lent.awaits(channel_id, message_id)

    async def strip(self, channel_id: int, message_id: int) -> Failure | None:
        """Remove the controls of a message whose content is unknown; text, pictures and links stay.
        This takes one request more than ``edit``, to read the message.
        """
        message = self._message(channel_id, message_id)

        async def attempt() -> None:
            view = stripped(await message.fetch())
            if view is not None:
                await message.edit(view=view, allowed_mentions=only(()))

        return await self._in_channel("strip", channel_id, attempt)

    async def delete(self, channel_id: int, message_id: int) -> Failure | None:
        """Delete one of the bot's messages, using the token of its last press if there is one."""
        lent = self._lent.find(channel_id, message_id)
        if lent is not None:
            made = await self._by_token("delete", lent, lent.delete, channel_id)
            if made is not False:
                return None if made is True else made
        message = self._message(channel_id, message_id)
        return await self._in_channel("delete", channel_id, message.delete)

    async def _by_token(
        self, call: str, lent: Lent, attempt: Callable[[], Awaitable[None]], channel_id: int
    ) -> bool | Failure:
        """Make a call with the token of a press; such calls do not count towards the bot's rate
        limit.

        :returns: True if the call succeeded. False if the token cannot be used; the caller should
            then use the bot's own token, which either works or shows what is really wrong. A
            failure if the call failed for another reason, such as an outage.
        """

        async def tried_by_token() -> bool:
            try:
                await attempt()
            except discord.HTTPException as error:
                if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                    raise
                self._lent.drop(channel_id, lent.message_id)
                return False
            except discord.RateLimited:
                return False
            return True

        return await tried(call, tried_by_token, channel=channel_id)

    async def exists(self, channel_id: int, message_id: int) -> bool | Failure:
        """Return whether a message still exists."""
        message = self._message(channel_id, message_id)

        async def attempt() -> bool:
            try:
                await message.fetch()
            except discord.NotFound as error:
                if error.code != _UNKNOWN_MESSAGE:
                    raise
                return False
            return True

        return await self._in_channel("exists", channel_id, attempt)

    async def find(self, channel_id: int, mark: int, since: datetime) -> int | Failure | None:
        """Find the bot's message with this mark, among the first messages written since a given
        time. Search up to ``OWN_LOOKED_THROUGH`` of the bot's messages, and ``LOOKED_THROUGH`` in
        all.

        :param since: when the bot first tried to post the message (timezone-aware).
        :returns: the message's id; None if there is no such message.
        """
        own = self._client.user

        async def attempt() -> int | None:
            channel = self._client.get_partial_messageable(channel_id)
            seen = 0
            async for message in channel.history(
                limit=LOOKED_THROUGH, after=since - _CLOCKS_APART, oldest_first=True
            ):
                if own is None or message.author.id != own.id:
                    continue
                if mark_of(message) == mark:
                    return message.id
                seen += 1
                if seen >= OWN_LOOKED_THROUGH:
                    break
            return None

        return await self._in_channel("find", channel_id, attempt)

    # -- channels
    async def open_thread(self, channel_id: int, name: str) -> int | Failure:
        """Open a public thread that is archived after a week without messages.

        :param name: up to 100 characters.
        :returns: the thread's id.
        :raises TypeError: the channel is not a text channel, and only those can have such threads.
        """

        async def attempt() -> int:
            channel = await self._channel(channel_id)
            if not isinstance(channel, discord.TextChannel):
                raise TypeError(f"no threads in {type(channel).__name__}")
            thread = await channel.create_thread(
                name=legible(name),
                type=discord.ChannelType.public_thread,
                auto_archive_duration=10080,
            )
            return thread.id

        return await tried("open_thread", attempt, channel=channel_id)

    async def who_invited(self, guild: discord.Guild) -> int | None:
        """Return the person who added the bot to a server; None if the bot cannot find out, for
        example because it lacks the permission View Audit Log.
        """
        if not guild.me.guild_permissions.view_audit_log:
            return None

        async def attempt() -> int | None:
            async for entry in guild.audit_logs(action=discord.AuditLogAction.bot_add, limit=10):
                if entry.target is not None and entry.target.id == guild.me.id:
                    return entry.user_id
            return None

        found = await tried("who_invited", attempt, guild=guild.id)
        return None if isinstance(found, Failure) else found

    # -- direct messages
    async def open_dm(self, person_id: int) -> int | Failure:
        """Open the channel for direct messages with a person; no other call does this.

        Discord limits how many channels are opened, so the caller should store the id for good.

        :returns: the channel's id.
        """

        async def attempt() -> int:
            return (await self._client.create_dm(discord.Object(person_id))).id

        return await self._unless_held("open_dm", 0, attempt, person=person_id)

    async def can_dm(self, person_id: int, channel_id: int) -> bool:
        """Return whether the person accepts direct messages; True if Discord cannot say right now.

        Try to send an empty message, which never arrives: if the person accepts messages, Discord
        refuses it for being empty.

        :param channel_id: as returned by ``open_dm``.
        """

        async def attempt() -> None:
            try:
                channel = self._client.get_partial_messageable(channel_id)
                await channel.send(allowed_mentions=only(()))
            except discord.HTTPException as error:
                if error.code not in _REFUSED_AS_EMPTY:
                    raise

        result = await tried("can_dm", attempt, person=person_id)
        return result is None or result.trouble is not Trouble.CLOSED_DM

    # -- files
    async def download(self, attachment: discord.Attachment) -> bytes | Failure:
        """Download a file attached to a command. The caller should check its size first."""
        return await tried("download", attachment.read, attachment=attachment.id)

    # -- helpers
    def _message(self, channel_id: int, message_id: int) -> discord.PartialMessage:
        return self._client.get_partial_messageable(channel_id).get_partial_message(message_id)

    async def _channel(self, channel_id: int) -> object:
        return self._client.get_channel(channel_id) or await self._client.fetch_channel(channel_id)

    async def _in_channel(
        self, call: str, channel_id: int, attempt: Callable[[], Awaitable[T]]
    ) -> T | Failure:
        """Make a call. If the channel turns out to be an archived thread, unarchive it and try
        again. If the channel is lost, dispatch ``channel_lost``.
        """

        async def wake() -> None:
            thread = await self._channel(channel_id)
            if isinstance(thread, discord.Thread):
                await thread.edit(archived=False)

        result = await self._unless_held(call, channel_id, attempt, channel=channel_id)
        if isinstance(result, Failure) and result.trouble is Trouble.ARCHIVED:
            woken = await tried("wake", wake, channel=channel_id)
            if woken is None:
                result = await tried(call, attempt, channel=channel_id)
            elif woken.trouble is not Trouble.MISSING_PERMISSION:  # else the thread is locked
                result = woken
        if isinstance(result, Failure) and result.lost_channel:
            self._client.dispatch("channel_lost", channel_id)
        return result

    async def _unless_held(
        self, call: str, place: int, attempt: Callable[[], Awaitable[T]], **where: int
    ) -> T | Failure:
        """Make a call, unless Discord has asked the bot to wait a while before calls of this kind.

        :param place: the channel that the limit applies to; 0: it applies everywhere.
        :param where: as for ``tried``.
        """
        now = time.monotonic()
        wait = self._held.get((call, place), now) - now
        if wait > 0:
            return Failure(Trouble.TOO_FAST, wait=wait)
        result = await tried(call, attempt, **where)
        if isinstance(result, Failure) and result.wait:
            now = time.monotonic()
            self._held = {key: until for key, until in self._held.items() if until > now}
            self._held[call, place] = now + result.wait
        return result
