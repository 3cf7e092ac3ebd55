"""The state of the stand-in Discord: its people, channels and messages.

Everything here is plain memory without sockets. ``rest`` and ``gateway`` show it to the bot,
``people`` lets tests act in it. Nearly everything that changes it calls ``World.changed``, so that
tests can wait for conditions instead of sleeping.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import IntEnum, IntFlag
from typing import Any, TypeVar

from tests.limits import ANSWER_WITHIN, BUTTON, NONCE_MEMORY, SELECTS, TOKEN_LIFE
from tests.refusals import INVALID_FORM
from tests.wire import components

Json = dict[str, Any]
T = TypeVar("T")

PATIENCE = 20.0
"""Seconds that a test waits for a condition unless it says otherwise. The value is generous,
because the machine may be busy; this costs no time, because a condition that holds is noticed at
once.
"""

DISCORD_EPOCH_MS = 1_420_070_400_000


class ApiError(Exception):
    """A refusal as Discord words it: HTTP status, JSON error code, message."""

    def __init__(self, status: int, code: int, message: str, errors: Json | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors


def refuse_form(faults: Sequence[str]) -> None:
    """Refuse a form that has faults.

    :raises ApiError: 50035 naming every fault.
    """
    if faults:
        raise invalid_form(*faults)


def invalid_form(*faults: str) -> ApiError:
    status, code, message = INVALID_FORM
    listed = [{"code": "BASE_TYPE_BAD_LENGTH", "message": fault} for fault in faults]
    return ApiError(status, code, f"{message}: {'; '.join(faults)}", {"_errors": listed})


class UnansweredError(Exception):
    """The person reads "This interaction failed": the bot did not answer in time."""


class ChannelKind(IntEnum):
    """The channel types of Discord that the stand-in has."""

    TEXT = 0
    DM = 1
    GROUP_DM = 3
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12


class Permission(IntFlag):
    """The permissions that the stand-in checks, and those that a game bot asks for."""

    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38


NOTHING = Permission(0)
EVERYTHING = ~NOTHING
WHILE_TIMED_OUT = Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY


class MessageFlag(IntFlag):
    """The message flags of Discord that the stand-in knows."""

    SUPPRESS_EMBEDS = 1 << 2
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = 1 << 15


NO_FLAGS = MessageFlag(0)


@dataclass(eq=False)
class User:
    """A person or the bot.

    :param dms_open: whether the bot may write to this person (else 50007).
    :param permissions: what this person may do in servers.
    """

    id: int
    name: str
    locale: str = "en-US"
    bot: bool = False
    dms_open: bool = True
    permissions: Permission = EVERYTHING

    @property
    def mention(self) -> str:
        """The text that pings this user."""
        return f"<@{self.id}>"


@dataclass(eq=False)
class Guild:
    """A server with its members and channels; its id is also the id of the role @everyone.

    :param joined: whether the bot is a member; if not, people use it as an app they installed.
    :param denied: permissions the bot's role lacks here.
    :param timed_out: whether the bot may only read here.
    :param hushes: whether people lack the permission Use External Apps, so that apps that they
        installed may answer only privately.
    """

    id: int
    name: str
    world: World = field(repr=False)
    locale: str = "en-US"
    channels: list[Channel] = field(default_factory=list, repr=False)
    members: list[User] = field(default_factory=list, repr=False)
    bot_role: int = 0
    joined: bool = True
    hushes: bool = False
    denied: Permission = NOTHING
    timed_out: bool = False

    def deny(self, permissions: Permission) -> None:
        """Take permissions away from the bot's role (``NOTHING``: give all back)."""
        self.denied = permissions
        self.world.changed("GUILD_ROLE_UPDATE", self)

    def time_out(self, timed_out: bool) -> None:
        """Give the bot a time-out, or end it."""
        self.timed_out = timed_out
        self.world.changed("GUILD_MEMBER_UPDATE", self)

    def throw_out(self) -> None:
        """Remove the bot; its messages stay."""
        self.world.changed("GUILD_DELETE", self)
        self.joined = False

    def invite(self) -> None:
        """Make the bot a member again."""
        self.joined = True
        self.world.changed("GUILD_CREATE", self)

    def channel(self, name: str) -> Channel:
        """Open a text channel; connected bots get the event."""
        channel = Channel(self.world.new_id(), ChannelKind.TEXT, name, self.world, guild=self)
        self.world.channels[channel.id] = channel
        self.channels.append(channel)
        self.world.changed("CHANNEL_CREATE", channel)
        return channel


@dataclass(eq=False)
class Channel:
    """A text channel, a thread, the bot's direct messages with one person, or a group chat of
    people without the bot.

    :param locked: whether only those who manage threads may open it again.
    :param members: of a thread or a group chat.
    """

    id: int
    kind: ChannelKind
    name: str
    world: World = field(repr=False)
    guild: Guild | None = field(default=None, repr=False)
    parent: Channel | None = field(default=None, repr=False)
    recipient: User | None = None
    owner: User | None = None
    denied: Permission = NOTHING
    archived: bool = False
    locked: bool = False
    members: list[User] = field(default_factory=list, repr=False)
    _read: int = 0

    @property
    def is_thread(self) -> bool:
        return self.kind in (ChannelKind.PUBLIC_THREAD, ChannelKind.PRIVATE_THREAD)

    @property
    def foreign(self) -> bool:
        """Whether the bot is not a member here, but used by people who have installed it."""
        return self.kind is ChannelKind.GROUP_DM or not (self.guild is None or self.guild.joined)

    @property
    def bot_permissions(self) -> Permission:
        """The bot's permissions here; a thread inherits them from its channel."""
        denied = self.denied | (self.parent.denied if self.parent else NOTHING)
        if self.guild is not None:
            denied |= self.guild.denied | (~WHILE_TIMED_OUT if self.guild.timed_out else NOTHING)
        return EVERYTHING & ~denied

    @property
    def messages(self) -> list[Message]:
        """The messages that everyone in the channel sees, oldest first."""
        return [m for m in self.world.messages.values() if m.channel is self and m.is_public]

    @property
    def threads(self) -> list[Channel]:
        return [c for c in self.world.channels.values() if c.parent is self]

    def deny(self, permissions: Permission) -> None:
        """Take permissions away from the bot (``NOTHING``: give all back)."""
        self.denied = permissions
        self.world.changed("CHANNEL_UPDATE", self)

    def thread(self, name: str) -> Channel:
        """Open a public thread that the bot is in."""
        bot = self.world.bot
        thread = Channel(
            self.world.new_id(),
            ChannelKind.PUBLIC_THREAD,
            name,
            self.world,
            guild=self.guild,
            parent=self,
            owner=bot,
            members=[bot],
        )
        self.world.channels[thread.id] = thread
        self.world.changed("THREAD_CREATE", thread)
        return thread

    def lock(self, locked: bool) -> None:
        """Close and lock a thread, or open it again."""
        self.archived = self.locked = locked
        self.world.changed("THREAD_UPDATE", self)

    async def next_message(self, within: float = PATIENCE) -> Message:
        """Wait for the next message that this method has not returned yet."""

        def unread() -> Message | None:
            return next((m for m in self.messages if m.id > self._read), None)

        message = await self.world.until(unread, within, f"a new message in {self.name}")
        self._read = message.id
        return message

    async def wait_for(
        self, condition: Callable[[Message], object], within: float = PATIENCE
    ) -> Message:
        """The first message that meets the condition, waiting for it if necessary."""

        def fitting() -> Message | None:
            return next((m for m in self.messages if condition(m)), None)

        return await self.world.until(fitting, within, f"a fitting message in {self.name}")


@dataclass(eq=False)
class Attachment:
    """A file as it arrived, byte for byte."""

    id: int
    filename: str
    data: bytes = field(repr=False)
    content_type: str
    description: str | None
    url: str
    width: int | None = None
    height: int | None = None
    spoiler: bool = False


@dataclass(eq=False)
class Message:
    """A message with its current content.

    :param seen_by: the only person who sees it (ephemeral), or None for everyone.
    :param mark: the id of its outermost component when it was written.
    :param pinged: the users who were notified when it was created.
    :param edits: how often it was edited.
    """

    id: int
    channel: Channel = field(repr=False)
    author: User = field(repr=False)
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: MessageFlag = NO_FLAGS
    nonce: str | None = None
    reference: Message | None = None
    interaction: Interaction | None = field(default=None, repr=False)
    seen_by: User | None = None
    mentions: list[User] = field(default_factory=list)
    pinged: list[User] = field(default_factory=list)
    created: datetime = field(default_factory=lambda: datetime.now(UTC))
    edited: datetime | None = None
    edits: int = 0
    deleted: bool = False
    mark: int | None = None

    @property
    def is_public(self) -> bool:
        return not self.deleted and self.seen_by is None and not self.is_loading

    @property
    def is_loading(self) -> bool:
        """Whether the message only says that the bot is thinking."""
        return MessageFlag.LOADING in self.flags

    @property
    def is_ephemeral(self) -> bool:
        return MessageFlag.EPHEMERAL in self.flags

    @property
    def text(self) -> str:
        """All words of the message: content, embeds and text displays, a line each."""
        parts = [self.content]
        for embed in self.embeds:
            parts += [embed.get("title", ""), embed.get("description", "")]
        parts += [str(c.get("content", "")) for c in components.walk(self.components)]
        return "\n".join(part for part in parts if part)

    @property
    def buttons(self) -> list[Json]:
        """All buttons, top to bottom."""
        return [c for c in components.walk(self.components) if c["type"] == BUTTON]

    @property
    def menus(self) -> list[Json]:
        """All select menus, top to bottom."""
        return [c for c in components.walk(self.components) if c["type"] in SELECTS]

    @property
    def control_ids(self) -> list[str]:
        """The ids of all controls of the message, disabled ones included; links have none."""
        controls = (*self.buttons, *self.menus)
        return [control["custom_id"] for control in controls if "custom_id" in control]


class Kind(IntEnum):
    """Discord's interaction types."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


@dataclass(eq=False)
class Interaction:
    """A person's act and the bot's answer.

    Awaiting it waits for the bot's acknowledgement and returns the interaction itself, or raises
    ``UnansweredError``. Without ``await``, nobody waits for the bot.

    :param source: the message whose control was used.
    :param response: the callback type the bot answered with; None before it has answered.
    :param original: the message that is the first answer (even while it is loading).
    :param messages: all messages sent in answer, the first one included.
    :param follow_ups: how many messages followed the first answer.
    :param refusals: error codes that the bot got in reply to its answers.
    """

    id: int
    token: str
    kind: Kind
    user: User
    channel: Channel = field(repr=False)
    data: Json
    world: World = field(repr=False)
    source: Message | None = field(default=None, repr=False)
    trigger: Interaction | None = field(default=None, repr=False)
    created: float = field(default_factory=time.monotonic)
    response: int | None = None
    original: Message | None = None
    modal: Json | None = None
    choices: list[Json] | None = None
    messages: list[Message] = field(default_factory=list)
    refusals: list[int] = field(default_factory=list)
    follow_ups: int = 0

    @property
    def acknowledged(self) -> bool:
        """Whether the bot answered in time."""
        return self.response is not None

    @property
    def failed(self) -> bool:
        """Whether the person reads "This interaction failed"."""
        return not self.acknowledged and self.age > self.world.answer_within

    @property
    def age(self) -> float:
        """Seconds since the person acted."""
        return time.monotonic() - self.created

    def __await__(self) -> Generator[Any, None, Interaction]:
        return self._until_acknowledged().__await__()

    async def _until_acknowledged(self) -> Interaction:
        await self.world.until(lambda: self.acknowledged or self.failed, PATIENCE, str(self.data))
        if self.failed:
            raise UnansweredError(f"{self.data}, refused with {self.refusals}")
        return self

    async def answer(self, within: float = PATIENCE) -> Message:
        """The first message the bot answered with, once it no longer says "is thinking"."""

        def first() -> Message | None:
            return next((m for m in self.messages if not m.is_loading and not m.deleted), None)

        return await self.world.until(first, within, f"an answering message to {self.data}")


class World:
    """All of the stand-in's state, and the means to wait until it changes.

    :ivar answer_within: seconds in which an interaction must be acknowledged (10062 afterwards).
    :ivar token_life: seconds for which an interaction's token is valid.
    :ivar nonce_memory: seconds for which an enforced nonce is remembered.
    :ivar emojis_refused: how many of the next messages with emojis are refused for one of them
        although the application has it; Discord does that now and then (discord-api-docs 7128).
    :ivar reader: called with the body of every message that is written or changed, and whether it
        was changed.
    """

    def __init__(self) -> None:
        self._serial = itertools.count()
        self._waiting: set[asyncio.Future[None]] = set()
        self.listener: Callable[[str, Any], None] = lambda event, subject: None
        self.reader: Callable[[Json, bool], None] = lambda body, changed: None
        self.answer_within = ANSWER_WITHIN
        self.token_life = TOKEN_LIFE
        self.nonce_memory = NONCE_MEMORY
        self.cdn = ""
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.messages: dict[int, Message] = {}
        self.files: dict[int, Attachment] = {}
        self.interactions: dict[str, Interaction] = {}
        self.commands: dict[int | None, list[Json]] = {}
        self.emojis: dict[int, Json] = {}
        self.emojis_refused = 0
        self.nonces: dict[tuple[int, str], tuple[float, Message]] = {}
        self.bot = self.user("Tafelrunde", bot=True)
        name = base64.b64encode(str(self.bot.id).encode()).decode().rstrip("=")
        self.token = f"{name}.standin.{'x' * 27}"

    def new_id(self) -> int:
        """A new snowflake; later ones are greater."""
        milliseconds = int(time.time() * 1000) - DISCORD_EPOCH_MS
        return (milliseconds << 22) + next(self._serial)

    # -- users, guilds and channels
    def user(self, name: str, *, bot: bool = False, locale: str = "en-US") -> User:
        user = User(self.new_id(), name, locale=locale, bot=bot)
        self.users[user.id] = user
        return user

    def guild(self, name: str, *, locale: str = "en-US", joined: bool = True) -> Guild:
        """Create a server; everyone known so far is a member, and the bot if it has ``joined``."""
        guild = Guild(self.new_id(), name, self, locale, bot_role=self.new_id(), joined=joined)
        guild.members.extend(self.users.values())
        self.guilds[guild.id] = guild
        self.changed("GUILD_CREATE", guild)
        return guild

    def dm(self, user: User) -> Channel:
        """The conversation of the bot with ``user``, opened when first asked for."""
        for channel in self.channels.values():
            if channel.recipient is user:
                return channel
        channel = Channel(
            self.new_id(), ChannelKind.DM, f"DM with {user.name}", self, recipient=user
        )
        self.channels[channel.id] = channel
        return channel

    def group_chat(self, name: str, *people: User) -> Channel:
        """A group chat of people, in which they may use apps they have installed."""
        channel = Channel(self.new_id(), ChannelKind.GROUP_DM, name, self, members=[*people])
        self.channels[channel.id] = channel
        return channel

    # -- changes
    def changed(self, event: str = "", subject: Any = None) -> None:
        """Send the event, if any, to the gateway, and wake those waiting for a condition."""
        if event:
            self.listener(event, subject)
        for future in self._waiting:
            if not future.done():
                future.set_result(None)

    async def until(
        self, look: Callable[[], T | None], within: float = PATIENCE, what: str = "a condition"
    ) -> T:
        """Wait until ``look`` finds something, and return it.

        :raises TimeoutError: naming what was waited for.
        """
        deadline = time.monotonic() + within
        while not (found := look()):
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"waited {within} s for {what}")
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.add(future)
            # Not every change is announced (passing time is not), so check periodically as well.
            await asyncio.wait([future], timeout=min(left, 0.05))
            self._waiting.discard(future)
        return found
