"""The client: connects to Discord, and disconnects at the end."""

from __future__ import annotations

import asyncio
import logging
import random
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from ipaddress import ip_address, ip_network
from itertools import islice
from typing import Any, Final
from urllib.parse import urlsplit

import discord
import structlog
from discord import app_commands
from discord.ext import commands
from discord.http import Route

from cogs.gateway.components import Interaction, pressed
from cogs.gateway.controls import Control
from cogs.gateway.failures import EXPECTED, trouble_of
from cogs.gateway.permissions import WANTED, invitation, lacking_permissions, may_show
from cogs.gateway.servers import PackedState, ShardedState
from cogs.gateway.traffic import request_trace
from cogs.gateway.translator import CatalogueTranslator
from data.store.shards import ALL, Shards
from data.texts import SOURCE, texts

log = structlog.get_logger()

PAUSES = (1.0, 60.0)
"""First and longest pause between two attempts to reach Discord, in seconds. Each pause is twice
the previous one, but randomly shortened by up to half, so that bots do not all come back at the
same moment.
"""

GOODBYE = 0.7
"""Seconds allowed for a clean disconnect from Discord."""

PRIVATE: Final = tuple(
    map(ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"))
)
"""Networks not reachable from the internet: RFC 1918 and RFC 4193."""

BARE_NAME: Final = re.compile(r"[a-z][a-z0-9_-]*")
"""A host name without a domain. It has to begin with a letter, because systems read numbers as
addresses.
"""

SERVERS_NAMED = 5
"""How many servers with missing permissions a log line names."""

API_VERSION = 10
"""The version of Discord's REST API that discord.py uses."""

OnPress = Callable[[Interaction, Control], Coroutine[Any, Any, None]]
"""Handles a button or menu."""

AnyCommand = app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu

Fault = Callable[[Interaction, app_commands.AppCommandError], Coroutine[Any, Any, None]]
"""Answers a command that failed."""

TYPES: Final[Mapping[discord.AppCommandOptionType, tuple[type, ...]]] = {
    discord.AppCommandOptionType.string: (str,),
    discord.AppCommandOptionType.integer: (int,),
    discord.AppCommandOptionType.boolean: (bool,),
    discord.AppCommandOptionType.user: (discord.User, discord.Member),
    discord.AppCommandOptionType.role: (discord.Role,),
    discord.AppCommandOptionType.channel: (
        app_commands.AppCommandChannel,
        app_commands.AppCommandThread,
    ),
    discord.AppCommandOptionType.mentionable: (discord.User, discord.Member, discord.Role),
    discord.AppCommandOptionType.number: (float,),
    discord.AppCommandOptionType.attachment: (discord.Attachment,),
}
"""The Python types that an option's value may have, by its declared type."""


def is_our_fault(record: logging.LogRecord) -> bool:
    """Return whether an error that discord.py logs about commands is a bug of ours. Suggestions
    that come too late or never reach Discord are not bugs.
    """
    error = record.exc_info[1] if record.exc_info else None
    trouble = None if error is None else trouble_of(error)
    if trouble is None:
        return True
    log.debug("suggestions_dropped", trouble=trouble.value)
    return False


logging.getLogger("discord.app_commands.tree").addFilter(is_our_fault)


class Tree(app_commands.CommandTree[commands.Bot]):
    """The commands. discord.py passes on whatever a client sends, so values are checked here."""

    async def interaction_check(self, interaction: discord.Interaction[commands.Bot], /) -> bool:
        """Let a command run only if its values fit its options.

        :raises app_commands.TransformerError: a value does not fit.
        """
        command = interaction.command
        if interaction.type is discord.InteractionType.application_command and isinstance(
            command, app_commands.Command
        ):
            declared = {each.display_name: each for each in command.parameters}
            for name, value in interaction.namespace:
                option = declared.get(name)  # None: an option of an earlier version
                if option is not None and not accepts(option, value):
                    raise app_commands.TransformerError(
                        value, option.type, app_commands.Transformer()
                    )
        return True


def accepts(parameter: app_commands.Parameter, value: Any) -> bool:
    """Return whether an option accepts a value, by type, choices and limits."""
    if type(value) not in TYPES[parameter.type]:
        return False
    if parameter.choices:
        return value in [choice.value for choice in parameter.choices]
    size = len(value) if isinstance(value, str) else value
    least, most = parameter.min_value, parameter.max_value
    return (least is None or size >= least) and (most is None or size <= most)


class Client(commands.Bot):
    """The connection to Discord. Call ``connect_to`` to plug in the bot's parts before it starts.

    :ivar press: handles a button or menu.
    :ivar own_shards: the shards that this process owns; Discord reports only their servers to it.
    """

    press: OnPress
    _state_type: type[PackedState] = PackedState

    def __init__(self, shards: Shards = ALL, **options: Any) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            tree_cls=Tree,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            http_trace=request_trace(),
            **options,
        )
        self.own_shards = shards
        self._leaving: asyncio.Task[None] | None = None

    def _get_state(self, **options: Any) -> Any:
        """Return the connection's state; discord.py calls this once, at the start."""
        return self._state_type(
            dispatch=self.dispatch,
            handlers=self._handlers,
            hooks=self._hooks,
            http=self.http,
            **options,
        )

    def connect_to(
        self,
        *,
        cogs: Sequence[commands.Cog],
        menus: Sequence[app_commands.ContextMenu] = (),
        press: OnPress,
        fault: Fault,
        before_end: Callable[[], Awaitable[None]],
        after_end: Callable[[], Awaitable[None]],
    ) -> None:
        """Plug in the bot's parts.

        :param cogs: the cogs, with their commands and listeners.
        :param menus: the commands in the menu of a person.
        :param before_end: finishes running actions before the client disconnects.
        :param after_end: closes everything else that was opened for the bot.
        """
        self._cogs_to_add = list(cogs)
        self._menus_to_add = list(menus)
        self.press = press
        self._before_end = before_end
        self._after_end = after_end
        self.tree.error(fault)

    @property
    def waiting_cogs(self) -> list[commands.Cog]:
        """The cogs to be added at login; more may be appended before then."""
        return self._cogs_to_add

    async def setup_hook(self) -> None:
        """Register the commands. The process with shard 0 sends them to Discord if they have
        changed.
        """
        await self.register_commands()
        if self.own_shards.has(None):  # true for exactly one process
            await self._tell_commands()
            link = invitation(self.application_id or 0)
            log.info("invite_the_bot", link=link, permissions=WANTED.value)

    async def on_ready(self) -> None:
        """Log who the bot is and how many servers it is on, and name up to ``SERVERS_NAMED`` of
        those on which it lacks permissions.
        """
        log.info("on_discord", bot=str(self.user), id=self.application_id, servers=len(self.guilds))
        lacking = {
            f"{guild.name} ({guild.id})": names
            for guild in self.guilds
            if (names := lacking_permissions(guild.me.guild_permissions))
        }
        if lacking:
            log.warning(
                "permissions_missing",
                servers=len(lacking),
                such_as=dict(islice(lacking.items(), SERVERS_NAMED)),
                remedy="open the link of invite_the_bot once more, or grant them to its role",
            )

    async def register_commands(self) -> None:
        """Register the plugged-in commands locally."""
        while self._cogs_to_add:  # empty if an earlier attempt to log in has added them
            await self.add_cog(self._cogs_to_add.pop(0))
        while self._menus_to_add:
            self.tree.add_command(self._menus_to_add.pop(0))
        for command in self.tree.get_commands():
            say_where(command)
            is_menu = isinstance(command, app_commands.ContextMenu)
            kind = discord.AppCommandType.user if is_menu else discord.AppCommandType.chat_input
            self.tree.remove_command(command.name, type=kind)
            self.tree.add_command(called_as_said(command))
        await self.tree.set_translator(CatalogueTranslator())

    async def on_interaction(self, interaction: Interaction) -> None:
        """Handle a press or a menu choice. discord.py handles commands, and ``Forms`` handles
        forms.
        """
        control = pressed(interaction)
        if control is not None:
            await self.press(interaction, control)

    async def _tell_commands(self) -> None:
        """Send Discord the commands, unless it already has them."""
        path, own = "/applications/{application_id}/commands", self.application_id
        ours = await self.described_commands()
        route = Route("GET", f"{path}?with_localizations=true", application_id=own)
        theirs: list[dict[str, Any]] = await self.http.request(route)
        if not same_commands(ours, theirs):
            # the tree's own method would translate everything again
            await self.http.request(Route("PUT", path, application_id=own), json=ours)
            log.info("commands_sent", count=len(ours))

    async def described_commands(self) -> list[dict[str, Any]]:
        """Return all commands as sent to Discord, in every language."""
        translator = CatalogueTranslator()
        return [
            await command.get_translated_payload(self.tree, translator)
            for command in self.tree.get_commands()
        ]

    async def login(self, token: str) -> None:
        """Log in and set everything up; while Discord is out of reach, keep trying.

        :raises discord.LoginFailure: Discord does not accept the token.
        """
        for wait in pauses():
            try:
                await super().login(token)
                return
            except EXPECTED as error:
                trouble = trouble_of(error)
                if trouble is None or not trouble.passing or self._leaving is not None:
                    raise
                problem = f"{type(error).__name__}: {error}"
                log.warning("discord_unreachable", problem=problem, next_try_in=round(wait, 1))
            await self.http.close()
            self.http.connector = discord.utils.MISSING  # the old one was closed with its session
            await asyncio.sleep(wait)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Stay connected to the gateway; while it is out of reach, keep trying.

        discord.py 2.7 logs each failure and then resumes the session, which raises AttributeError
        if there has never been one.
        """
        for wait in pauses():
            try:
                await super().connect(reconnect=reconnect)
                return
            except AttributeError:
                if getattr(self, "ws", None) is not None:
                    raise
            await asyncio.sleep(wait)

    async def close(self) -> None:
        """Finish running actions, then disconnect. A second call waits for the first."""
        if self._leaving is None:
            self._leaving = asyncio.create_task(self._leave())
        await asyncio.shield(self._leaving)

    async def _leave(self) -> None:
        await self._before_end()
        try:
            async with asyncio.timeout(GOODBYE):
                await super().close()
        except TimeoutError:
            log.warning("left_without_goodbye")
            await self.http.close()
        await self._after_end()

    def has_left(self, guild_id: int | None) -> bool:
        """Return whether the bot has left a server. None means direct messages, which the bot can
        never leave.
        """
        return guild_id is not None and self.get_guild(guild_id) is None

    def may_tell(self, guild_id: int | None, channel_id: int) -> bool:
        """Return whether the bot may post in a channel, as far as it knows. If it does not know the
        channel, the answer is True, because only Discord can say.
        """
        server = None if guild_id is None else self.get_guild(guild_id)
        channel = None if server is None else server.get_channel_or_thread(channel_id)
        if channel is None or (isinstance(channel, discord.Thread) and channel.parent is None):
            return True
        return may_show(channel)


def pauses() -> Iterator[float]:
    """Yield the pause before each new attempt to reach Discord, in seconds, endlessly."""
    pause, longest = PAUSES
    while True:
        yield pause * random.uniform(0.5, 1)
        pause = min(2 * pause, longest)


class ShardedClient(Client, discord.AutoShardedClient):
    """The connection to Discord for some shards of a bot."""

    _state_type = ShardedState

    def __init__(self, shards: Shards) -> None:
        super().__init__(shards, shard_ids=sorted(shards.numbers), shard_count=shards.count)


def limiter_address(given: str) -> str:
    """Check the address of a rate limiter, which gets the bot's token with every request.

    :param given: ``https://host``; or ``http://host``, where the host is this machine or on a
        private network: ``localhost``, a loopback address, an address from RFC 1918 or RFC 4193, or
        a bare host name such as that of a service in Docker Compose. A port may follow. Empty: no
        limiter.
    :raises ValueError: it has none of these forms.
    """
    if not given:
        return given
    if re.fullmatch(r"https?://[^/?#@\\\s]+/?", given) is None:
        raise ValueError("write the address like http://limiter:8080")
    if given.startswith("http:") and not (_is_here(given) or _is_private(given)):
        raise ValueError(
            "the bot's token would cross another network unencrypted; use https, or an address of"
            " this machine or of a private network"
        )
    return given


def is_in_clear(address: str) -> bool:
    """Return whether others on the network can read the traffic to a limiter."""
    return address.startswith("http:") and not _is_here(address)


def _is_here(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    return host == "localhost" or (_is_ip(host) and ip_address(host).is_loopback)


def _is_private(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    if _is_ip(host):
        return any(ip_address(host) in network for network in PRIVATE)
    return BARE_NAME.fullmatch(host) is not None


def _is_ip(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def send_requests_to(address: str) -> None:
    """Send all requests from now on to a rate limiter in front of Discord, which several processes
    of one bot share. Connections to Discord's gateway are not affected.

    :param address: checked by ``limiter_address``; Discord's paths are appended to it.
    """
    Route.BASE = f"{address.rstrip('/')}/api/v{API_VERSION}"


def client_for(shards: Shards) -> Client:
    """Return a client for these shards; a plain client if the bot is not sharded."""
    return Client() if shards == ALL else ShardedClient(shards)


GIVEN_BY_DISCORD = {"id", "application_id", "version", "guild_id", "name_localized"} | {
    "description_localized",
    "dm_permission",
}
"""Keys that Discord adds to the description of a command."""


def same_commands(ours: Sequence[Any], theirs: Sequence[Any]) -> bool:
    """Return whether Discord has exactly these commands, in any order."""
    if len(ours) != len(theirs):
        return False
    plain = [sorted(map(_plain, some), key=repr) for some in (ours, theirs)]
    return plain[0] == plain[1]


def _plain(value: Any) -> Any:
    """Return a part of a command, without empty values and without the keys that Discord adds."""
    if isinstance(value, dict):
        parts = {key: _plain(part) for key, part in sorted(value.items())}
        return {
            key: sorted(part) if key in ("contexts", "integration_types") and part else part
            for key, part in parts.items()
            if key not in GIVEN_BY_DISCORD and part not in (None, False, [], {}, "")
        }
    return [_plain(part) for part in value] if isinstance(value, list) else value


def called_as_said(command: AnyCommand) -> AnyCommand:
    """Give the command its English name and description, using any alias instead of the word that
    it replaces.
    """
    say = texts(SOURCE)
    if not isinstance(command, app_commands.ContextMenu):
        command.description = say(command.description)
    if isinstance(command, app_commands.Group):
        for part in command.walk_commands():
            part.description = say(part.description)
    command.name = say.named(command.name)
    return command


def say_where(command: AnyCommand) -> None:
    """State explicitly where Discord offers a command, and whether the server or the person must
    have installed the app.

    Commands for servers only are offered where the server has installed the app, so never where the
    bot is not a member. All other commands are offered wherever Discord allows apps.
    """
    for_servers = command.allowed_contexts is not None
    if not for_servers:
        command.allowed_contexts = app_commands.AppCommandContext(
            guild=True, dm_channel=True, private_channel=True
        )
    command.allowed_installs = app_commands.AppInstallationType(guild=True, user=not for_servers)
