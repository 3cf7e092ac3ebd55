"""The client: the connection to Discord, and what happens at its start and end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.gateway.components import Interaction, Press
from cogs.gateway.controls import Control
from cogs.gateway.translator import CatalogueTranslator

OnPress = Callable[[Interaction, Control], Coroutine[Any, Any, None]]
"""What a button or menu does."""

Fault = Callable[[Interaction, app_commands.AppCommandError], Coroutine[Any, Any, None]]
"""Answers a command that could not be carried out."""


class Client(commands.Bot):
    """The connection to Discord. What it does is plugged in: ``connect_to`` before it starts.

    :ivar press: acts on a button or menu.
    """

    press: OnPress

    def __init__(self) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
        )
        self._ended = False

    def connect_to(
        self,
        *,
        cogs: Sequence[commands.Cog],
        press: OnPress,
        fault: Fault,
        before_end: Callable[[], Awaitable[None]],
        after_end: Callable[[], Awaitable[None]],
    ) -> None:
        """Plug in what the bot does.

        :param cogs: with their commands and listeners.
        :param before_end: finishes what people are doing.
        :param after_end: closes what was opened for the bot.
        """
        self._cogs_to_add = cogs
        self.press = press
        self._before_end = before_end
        self._after_end = after_end
        self.tree.error(fault)

    async def setup_hook(self) -> None:
        """Register commands and controls, and tell Discord the commands."""
        for cog in self._cogs_to_add:
            await self.add_cog(cog)
        self.add_dynamic_items(Press)
        await self.tree.set_translator(CatalogueTranslator())
        await self.tree.sync()

    async def close(self) -> None:
        """Finish what people are doing, then leave."""
        if not self._ended:
            await self._before_end()
        await super().close()
        if not self._ended:
            self._ended = True
            await self._after_end()

    def in_server(self, guild_id: int | None, channel_id: int) -> bool | None:
        """Whether a channel is still there: None if only Discord can tell, as of a sleeping thread.

        Discord tells at the start of which servers the bot is a member, and names their channels.
        """
        server = self.get_guild(guild_id or 0)
        if server is None:
            return False
        if server.unavailable:
            return True
        return True if server.get_channel_or_thread(channel_id) is not None else None
