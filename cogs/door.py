"""The door to Discord: every call that the bot makes goes through here.

What can go wrong in the ordinary life of a bot - closed direct messages, a permission taken away,
a deleted channel, an answer that comes too late, a bad day at Discord - is a value, a ``Failure``,
for the caller to act on; it is logged here, in one line, and the bot goes on. Everything else is
a mistake of ours and raises.

A channel that Discord knows no more is made known to all, once for each call that fails by it: as
the bot's event ``channel_lost``, with the channel's id.

Five promises hold for whatever goes out:

* Nobody is pinged but those whom the caller names one by one.
* Answers to commands and buttons are ephemeral; what all may see is posted.
* A message with a ``nonce`` is posted once, even if the call is repeated after a crash.
* Messages are built of components (``LayoutView``); a plain text becomes one.
* No view waits in memory for a press: buttons and menus are ``DynamicItem``s, registered at start.
"""

from __future__ import annotations

import io
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import PurePosixPath
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import aiohttp
import discord
import structlog
from discord import ui

from data.texts import N_

log = structlog.get_logger(__name__)

T = TypeVar("T")

Interaction = discord.Interaction[Any]
Content = ui.LayoutView | str


# --------------------------------------------------------------------------- outcomes
class Trouble(Enum):
    """The failures that are to be expected, by what can be done about them."""

    CLOSED_DM = "closed_dm"  # the person takes no direct messages from the bot
    MISSING_PERMISSION = "missing_permission"  # somebody of the server has to grant it
    GONE = "gone"  # the channel, message or person does not exist any more
    ARCHIVED = "archived"  # the thread is archived and could not be woken
    TOO_MANY_THREADS = "too_many_threads"  # the server has no room for another active thread
    TOO_LATE = "too_late"  # the interaction has expired: nobody waits for its answer
    ANSWERED = "answered"  # the interaction has its answer already
    TOO_FAST = "too_fast"  # Discord asks for patience
    UNREACHABLE = "unreachable"  # Discord, or the way to it, is down
    FAULT = "fault"  # it never came to a call: a fault of ours, or of the store

    @property
    def passing(self) -> bool:
        """Whether the same call may succeed later."""
        return self in {Trouble.TOO_FAST, Trouble.UNREACHABLE, Trouble.TOO_MANY_THREADS}


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that Discord refused.

    :param code: Discord's error code, 0 where it gave none.
    """

    trouble: Trouble
    code: int = 0


@dataclass(frozen=True, slots=True)
class Posted:
    """Where a message now stands."""

    channel_id: int
    message_id: int


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes along with a message.

    :param name: letters, digits, ``_-.`` only, or Discord changes it and no reference finds it.
    :param alt: what a picture shows, for those who cannot see it; at most 1,024 characters.
    """

    name: str
    data: bytes
    alt: str = ""

    def shown(self) -> discord.MediaGalleryItem:
        """The picture as an item of a gallery: a message shows only what its components name."""
        return discord.MediaGalleryItem(f"attachment://{self.name}", description=self.alt or None)


# ------------------------------------------------------------------------------- words
_FORMATTING: Final = re.compile(r"([\\*_~`|<>#\[\]()\-.:])")
_NO_FENCE: Final = "\N{MODIFIER LETTER GRAVE ACCENT}"
"""Looks like a backtick."""
_INVISIBLE: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+"
)


def escape(text: str) -> str:
    """A person's name or words, such that they can neither format, nor link, nor ping.

    For texts that Discord formats; labels of buttons and menus are shown as they are.
    """
    plain = _INVISIBLE.sub(" ", text)
    return _FORMATTING.sub(r"\\\1", plain).replace("@", "@\N{ZERO WIDTH SPACE}")


def fenced(text: str) -> str:
    """A text in letters of equal width, shown as it is, whatever people are called."""
    return f"```\n{text.replace('`', _NO_FENCE)}\n```"


PERMISSIONS: Final = {
    "view_channel": N_("View Channel"),
    "send_messages": N_("Send Messages"),
    "send_messages_in_threads": N_("Send Messages in Threads"),
    "create_public_threads": N_("Create Public Threads"),
    "read_message_history": N_("Read Message History"),
    "embed_links": N_("Embed Links"),
    "attach_files": N_("Attach Files"),
}
"""The permissions that the bot may need, by the names that Discord shows."""


def missing_permissions(interaction: Interaction, *, opening_thread: bool = False) -> list[str]:
    """What the bot would need, but lacks, to run a table where this interaction happened.

    :param opening_thread: the table is to get a thread of its own.
    :returns: texts of PERMISSIONS, still to be said.
    """
    if interaction.guild_id is None:
        return []
    needed = {"view_channel", "read_message_history", "embed_links", "attach_files"}
    if opening_thread:
        needed |= {"create_public_threads", "send_messages_in_threads"}
    elif isinstance(interaction.channel, discord.Thread):
        needed.add("send_messages_in_threads")
    else:
        needed.add("send_messages")
    held = interaction.app_permissions
    return [name for key, name in PERMISSIONS.items() if key in needed and not getattr(held, key)]


# -------------------------------------------------------------------------------- door
class Door:
    """Makes the calls; see the module."""

    def __init__(self, bot: discord.Client) -> None:
        self._bot = bot

    # -- messages in channels
    async def post(
        self,
        channel_id: int,
        content: Content,
        files: Sequence[Attachment] = (),
        *,
        nonce: str | None = None,
        mentions: Sequence[int] = (),
    ) -> Posted | Failure:
        """Post a message.

        :param nonce: up to 25 characters; Discord answers a repeated post of the last few minutes
            with the message that it already has.
        :param mentions: the people whom the message may ping, if it names them.
        """
        return await self._in_channel(
            "post", channel_id, lambda: self._send(channel_id, content, files, nonce, mentions)
        )

    async def edit(
        self,
        channel_id: int,
        message_id: int,
        content: Content,
        files: Sequence[Attachment] | None = None,
    ) -> Failure | None:
        """Change a message of the bot's.

        :param files: replace the message's files; None keeps them.
        """
        message = self._message(channel_id, message_id)
        return await self._in_channel(
            "edit", channel_id, lambda: _done(message.edit(**_changes(content, files)))
        )

    async def strip(self, channel_id: int, message_id: int) -> Failure | None:
        """Remove the controls of an old message; text, pictures and links stay."""
        message = self._message(channel_id, message_id)
        return await self._in_channel("strip", channel_id, lambda: _strip(message))

    async def delete(self, channel_id: int, message_id: int) -> Failure | None:
        """Remove a message of the bot's, also a direct one."""
        message = self._message(channel_id, message_id)
        return await self._in_channel("delete", channel_id, message.delete)

    async def open_thread(self, channel_id: int, name: str) -> int | Failure:
        """Open a public thread that sleeps after a week of silence.

        :param name: at most 100 characters.
        :returns: the id of the thread.
        :raises TypeError: this is not a text channel, the only kind that has such threads.
        """

        async def attempt() -> int:
            channel = await self._channel(channel_id)
            if not isinstance(channel, discord.TextChannel):
                raise TypeError(f"no threads in {type(channel).__name__}")
            thread = await channel.create_thread(
                name=name,
                type=discord.ChannelType.public_thread,
                auto_archive_duration=10080,
            )
            return thread.id

        return await self._try("open_thread", attempt, channel=channel_id)

    async def look_for(self, channel_id: int) -> Failure | None:
        """Ask Discord whether it still knows a channel or thread; if not, that is made known."""
        return await self._in_channel(
            "look_for", channel_id, lambda: _done(self._bot.fetch_channel(channel_id))
        )

    # -- direct messages
    async def dm(
        self,
        person_id: int,
        content: Content,
        files: Sequence[Attachment] = (),
        *,
        nonce: str | None = None,
        silent: bool = False,
    ) -> Posted | Failure:
        """Send a direct message; parameters as in ``post``.

        :param silent: it does not sound or vibrate.
        """

        async def attempt() -> Posted:
            channel = await self._bot.create_dm(discord.Object(person_id))
            return await self._send(channel.id, content, files, nonce, (), silent)

        return await self._try("dm", attempt, person=person_id)

    async def edit_dm(
        self,
        person_id: int,
        message_id: int,
        content: Content,
        files: Sequence[Attachment] | None = None,
    ) -> Failure | None:
        """Change a direct message; parameters as in ``edit``."""

        async def attempt() -> None:
            channel = await self._bot.create_dm(discord.Object(person_id))
            await self._message(channel.id, message_id).edit(**_changes(content, files))

        return await self._try("edit_dm", attempt, person=person_id)

    async def can_dm(self, person_id: int) -> bool:
        """Whether the person takes direct messages; true if Discord cannot tell at the moment.

        Asks with an empty message, which reaches nobody: where it would be let in, Discord refuses
        it for being empty.
        """

        async def attempt() -> None:
            channel = await self._bot.create_dm(discord.Object(person_id))
            try:
                await channel.send(allowed_mentions=_only(()))
            except discord.HTTPException as error:
                if error.code not in _REFUSED_AS_EMPTY:
                    raise

        result = await self._try("can_dm", attempt, person=person_id)
        return result is None or result.trouble is not Trouble.CLOSED_DM

    # -- answers to commands, buttons and forms
    async def answer(
        self, interaction: Interaction, content: Content, files: Sequence[Attachment] = ()
    ) -> Failure | None:
        """Tell the person something that nobody else sees.

        Works at any time: as the first answer, in place of "is thinking", or as one more message.
        """
        return await self._reply(
            "answer", interaction, lambda: _answer(interaction, content, files)
        )

    async def update(
        self,
        interaction: Interaction,
        content: Content,
        files: Sequence[Attachment] | None = None,
    ) -> Failure | None:
        """Change the message whose button or menu was used; parameters as in ``edit``.

        Works as the first answer and after ``defer_update``. After ``defer`` or ``answer`` it would
        change what those have shown instead.
        """
        changes = _changes(content, files)

        async def attempt() -> None:
            if interaction.response.is_done():
                await interaction.edit_original_response(**changes)
            else:
                await interaction.response.edit_message(**changes)

        return await self._reply("update", interaction, attempt)

    async def ask(self, interaction: Interaction, form: ui.Modal) -> Failure | None:
        """Open a form; only possible as the first answer to a command or a button."""
        return await self._reply(
            "ask", interaction, lambda: _done(interaction.response.send_modal(form))
        )

    async def defer(self, interaction: Interaction) -> Failure | None:
        """Gain time for an ``answer``: the person alone sees that the bot is thinking."""

        async def attempt() -> None:
            await interaction.response.defer(ephemeral=True, thinking=True)
            interaction.extras[_THINKING] = True

        return await self._reply("defer", interaction, attempt)

    async def defer_update(self, interaction: Interaction) -> Failure | None:
        """Gain time for an ``update``, or acknowledge a button without a word."""
        return await self._reply(
            "defer_update", interaction, lambda: _done(interaction.response.defer())
        )

    async def discard(self, interaction: Interaction) -> Failure | None:
        """Remove the private message whose button was pressed, after ``defer_update``."""
        return await self._reply("discard", interaction, interaction.delete_original_response)

    # -- files
    async def download(self, attachment: discord.Attachment) -> bytes | Failure:
        """Fetch a file that somebody gave along with a command. Look at its size first."""
        return await self._try("download", attachment.read, attachment=attachment.id)

    # -- how
    def _message(self, channel_id: int, message_id: int) -> discord.PartialMessage:
        return self._bot.get_partial_messageable(channel_id).get_partial_message(message_id)

    async def _channel(self, channel_id: int) -> object:
        return self._bot.get_channel(channel_id) or await self._bot.fetch_channel(channel_id)

    async def _send(
        self,
        channel_id: int,
        content: Content,
        files: Sequence[Attachment],
        nonce: str | None,
        mentions: Sequence[int],
        silent: bool = False,
    ) -> Posted:
        # discord.py adds enforce_nonce to every nonce.
        message = await self._bot.get_partial_messageable(channel_id).send(
            view=_layout(content),
            files=_files(files),
            nonce=nonce,  # type: ignore[arg-type]
            allowed_mentions=_only(mentions),
            silent=silent,
        )
        return Posted(channel_id, message.id)

    async def _reply(
        self, call: str, interaction: Interaction, attempt: Callable[[], Awaitable[None]]
    ) -> Failure | None:
        return await self._try(call, attempt, interaction=interaction.id)

    async def _in_channel(
        self, call: str, channel_id: int, attempt: Callable[[], Awaitable[T]]
    ) -> T | Failure:
        """Try; if the channel turns out to be an archived thread, wake it and try once more. If it
        is lost, make that known.
        """
        result = await self._waking(call, channel_id, attempt)
        if isinstance(result, Failure) and result.code in _LOST:
            self._bot.dispatch("channel_lost", channel_id)
        return result

    async def _waking(
        self, call: str, channel_id: int, attempt: Callable[[], Awaitable[T]]
    ) -> T | Failure:
        async def wake() -> None:
            thread = await self._channel(channel_id)
            if isinstance(thread, discord.Thread):
                await thread.edit(archived=False)

        result = await self._try(call, attempt, channel=channel_id)
        if not (isinstance(result, Failure) and result.trouble is Trouble.ARCHIVED):
            return result
        failure = await self._try("wake", wake, channel=channel_id)
        if failure is not None:
            return failure
        return await self._try(call, attempt, channel=channel_id)

    async def _try(
        self, call: str, attempt: Callable[[], Awaitable[T]], **where: int
    ) -> T | Failure:
        """Make a call; turn a failure that is to be expected into a value, and log it."""
        try:
            return await attempt()
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            trouble = _trouble(error)
            if trouble is None:
                raise
            code = getattr(error, "code", 0)
            log.warning("discord_refused", call=call, trouble=trouble.value, code=code, **where)
            return Failure(trouble, code)


# ----------------------------------------------------------------------------- failures
_TROUBLES: Final = {
    10003: Trouble.GONE,  # unknown channel
    10004: Trouble.GONE,  # unknown server
    10008: Trouble.GONE,  # unknown message
    10013: Trouble.GONE,  # unknown user
    10015: Trouble.TOO_LATE,  # unknown webhook: the interaction's token has expired
    10062: Trouble.TOO_LATE,  # unknown interaction
    20028: Trouble.TOO_FAST,  # too much is written in the channel
    30046: Trouble.TOO_FAST,  # too many edits of messages older than an hour
    40003: Trouble.TOO_FAST,  # opening direct messages too fast
    40060: Trouble.ANSWERED,
    50001: Trouble.MISSING_PERMISSION,  # the channel is not visible
    50007: Trouble.CLOSED_DM,
    50013: Trouble.MISSING_PERMISSION,
    50027: Trouble.TOO_LATE,  # invalid token of an interaction
    50033: Trouble.CLOSED_DM,  # nobody who could receive one
    50083: Trouble.ARCHIVED,
    50278: Trouble.CLOSED_DM,  # no server in common
    160005: Trouble.MISSING_PERMISSION,  # the thread is locked
    160006: Trouble.TOO_MANY_THREADS,
}

_LOST: Final = frozenset({10003, 10004})  # unknown channel, unknown server

_REFUSED_AS_EMPTY: Final = frozenset({50006, 50035})  # empty message, invalid form


def _trouble(error: BaseException) -> Trouble | None:
    """The kind of an expected failure, None for any other."""
    match error:
        case discord.HTTPException(code=code) if code in _TROUBLES:
            return _TROUBLES[code]
        case discord.NotFound(code=0):  # a file, not one of the objects that have codes
            return Trouble.GONE
        case discord.HTTPException(status=429) | discord.RateLimited():
            return Trouble.TOO_FAST
        case discord.HTTPException(status=status) if status >= 500:
            return Trouble.UNREACHABLE
        case aiohttp.ClientError() | OSError():
            return Trouble.UNREACHABLE
        case discord.InteractionResponded():
            return Trouble.ANSWERED
    return None


# ----------------------------------------------------------------------------- messages
_THINKING: Final = "thinking"
"""Key of an interaction's extras: its first answer has to replace "is thinking"."""


def _layout(content: Content) -> ui.LayoutView:
    view = content
    if isinstance(view, str):
        view = ui.LayoutView(timeout=None).add_item(ui.TextDisplay(view))
    view.stop()  # or discord.py would hold it in memory, for presses or until its timeout
    return view


def _files(attachments: Sequence[Attachment]) -> list[discord.File]:
    return [
        discord.File(io.BytesIO(file.data), file.name, description=file.alt or None)
        for file in attachments
    ]


def _only(people: Sequence[int]) -> discord.AllowedMentions:
    """Permission to ping these people and nobody else."""
    return discord.AllowedMentions(
        everyone=False,
        roles=False,
        replied_user=False,
        users=[discord.Object(person) for person in people],
    )


def _changes(content: Content, files: Sequence[Attachment] | None) -> dict[str, Any]:
    """What an edit is to change, as discord.py wants it told."""
    changes: dict[str, Any] = {"view": _layout(content), "allowed_mentions": _only(())}
    if files is not None:
        changes["attachments"] = _files(files)
    return changes


async def _answer(interaction: Interaction, content: Content, files: Sequence[Attachment]) -> None:
    if interaction.extras.pop(_THINKING, False):
        await interaction.edit_original_response(**_changes(content, files))
        return
    message: dict[str, Any] = {
        "view": _layout(content),
        "files": _files(files),
        "ephemeral": True,
        "allowed_mentions": _only(()),
    }
    if interaction.response.is_done():
        await interaction.followup.send(**message)
    else:
        await interaction.response.send_message(**message)


async def _strip(partial: discord.PartialMessage) -> None:
    message = await partial.fetch()
    view = ui.LayoutView.from_message(message, timeout=None)
    if not view.is_dispatchable():
        return
    for item in list(view.walk_children()):
        if isinstance(item, ui.ActionRow):
            _strip_row(item, view)
        elif isinstance(item, ui.Section) and isinstance(item.accessory, ui.Button):
            item.accessory.disabled = True  # a section cannot be without its accessory
        elif isinstance(item, ui.MediaGallery):
            item.items = [_kept(picture, message) for picture in item.items]
    await partial.edit(view=view, allowed_mentions=_only(()))


def _strip_row(row: ui.ActionRow[Any], view: ui.LayoutView) -> None:
    for control in row.children:
        if control.is_dispatchable():
            row.remove_item(control)
    if not row.children:
        holder = row.parent if isinstance(row.parent, ui.Container) else view
        holder.remove_item(row)


def _kept(picture: discord.MediaGalleryItem, message: discord.Message) -> discord.MediaGalleryItem:
    """The picture by the name of its attachment: the address that Discord tells would expire."""
    name = PurePosixPath(urlsplit(picture.media.url).path).name
    if all(name != attachment.filename for attachment in message.attachments):
        return picture
    return discord.MediaGalleryItem(f"attachment://{name}", description=picture.description)


async def _done(call: Awaitable[object]) -> None:
    await call
