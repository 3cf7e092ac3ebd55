"""``/server``: how a server wants things, for those who may manage it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs import board
from cogs.actions import Interaction
from cogs.tafelrunde import Tafelrunde
from cogs.translator import L_, name_
from data.store import ServerRow
from data.texts import Texts

LANGUAGE_CHOICES = [
    app_commands.Choice(name="Deutsch", value="de"),
    app_commands.Choice(name="English", value="en"),
    app_commands.Choice(name=L_("As Discord says"), value="auto"),
]


@app_commands.default_permissions(manage_guild=True)
@app_commands.guild_only()
class ServerCog(
    commands.GroupCog,
    group_name=name_("server"),
    group_description=L_("How this server wants its tables"),
):
    """``/server``."""

    def __init__(self, bot: Tafelrunde) -> None:
        self.bot = bot

    @app_commands.command(name=name_("show"), description=L_("Show this server's settings"))
    async def show(self, interaction: Interaction) -> None:
        """Show the settings."""
        await self.bot.attempt(interaction, self._show(interaction))

    @app_commands.command(
        name=name_("language"), description=L_("The language of boards and announcements")
    )
    @app_commands.rename(language=name_("language"))
    @app_commands.describe(language=L_("The language of this server"))
    @app_commands.choices(language=LANGUAGE_CHOICES)
    async def language(self, interaction: Interaction, language: str) -> None:
        """Set the language."""
        chosen = None if language == "auto" else language
        await self.bot.attempt(interaction, self._change(interaction, language=chosen))

    @app_commands.command(
        name=name_("channel"), description=L_("Allow tables in this channel, or no longer")
    )
    @app_commands.rename(channel=name_("channel"), allowed=name_("allowed"))
    @app_commands.describe(
        channel=L_("The channel; its threads count with it"),
        allowed=L_("Whether tables may be opened there; while no channel is named, all are free"),
    )
    async def channel(
        self, interaction: Interaction, channel: discord.TextChannel, allowed: bool = True
    ) -> None:
        """Allow or forbid a channel."""
        await self.bot.attempt(interaction, self._set_channel(interaction, channel.id, allowed))

    @app_commands.command(name=name_("opener"), description=L_("Who may open tables"))
    @app_commands.rename(role=name_("role"))
    @app_commands.describe(role=L_("The role that may open tables; left out: everybody"))
    async def opener(self, interaction: Interaction, role: discord.Role | None = None) -> None:
        """Set the role that may open tables."""
        chosen = None if role is None or role.is_default() else role.id
        await self.bot.attempt(interaction, self._change(interaction, opener_role=chosen))

    @app_commands.command(
        name=name_("quiet"), description=L_("How long clocks rest in the quiet hours of people")
    )
    @app_commands.rename(hours=name_("hours"))
    @app_commands.describe(hours=L_("Hours at most for each turn; 0: clocks never rest"))
    async def quiet(self, interaction: Interaction, hours: app_commands.Range[int, 0, 48]) -> None:
        """Set how long clocks rest."""
        await self.bot.attempt(interaction, self._change(interaction, quiet_limit=hours))

    @app_commands.command(
        name=name_("tables"), description=L_("At how many tables a person may play at a time")
    )
    @app_commands.rename(limit=name_("limit"))
    @app_commands.describe(limit=L_("Open tables of this server at most; left out: any number"))
    async def tables(
        self, interaction: Interaction, limit: app_commands.Range[int, 1, 50] | None = None
    ) -> None:
        """Set how many tables a person may have."""
        await self.bot.attempt(interaction, self._change(interaction, tables_limit=limit))

    async def _show(self, interaction: Interaction) -> None:
        await self._answer(interaction, await self.bot.store.server(interaction.guild_id or 0))

    async def _set_channel(self, interaction: Interaction, channel_id: int, allowed: bool) -> None:
        def change(server: ServerRow) -> ServerRow:
            others = tuple(c for c in server.channels if c != channel_id)
            return replace(server, channels=(*others, channel_id) if allowed else others)

        await self._rewrite(interaction, change)

    async def _change(self, interaction: Interaction, **changes: Any) -> None:
        """Change what is named, and show everything."""
        await self._rewrite(interaction, lambda server: replace(server, **changes))

    async def _rewrite(
        self, interaction: Interaction, change: Callable[[ServerRow], ServerRow]
    ) -> None:
        """Change the settings, reckon clocks anew, and show everything."""
        await self.bot.door.defer(interaction)
        server = await self.bot.store.change_server(interaction.guild_id or 0, change)
        changed = await self.bot.keeper.follow_server(server.guild_id)
        self.bot.later(self.bot.herald.refresh_all(changed))
        await self._answer(interaction, server)

    async def _answer(self, interaction: Interaction, server: ServerRow) -> None:
        say = self.bot.say(interaction)
        await self.bot.door.answer(interaction, board.note_view(settings_in_words(server, say)))


def settings_in_words(server: ServerRow, say: Texts) -> str:
    """The settings of a server, one to a line."""
    languages = {"de": "Deutsch", "en": "English", None: say("as Discord says")}
    channels = say.list([f"<#{channel}>" for channel in server.channels])
    role = f"<@&{server.opener_role}>" if server.opener_role else say("everybody")
    quiet = say.plural("{n} hour", "{n} hours", server.quiet_limit)
    tables = say("any number") if server.tables_limit is None else str(server.tables_limit)
    return "\n".join(
        [
            f"### {say('Settings of this server')}",
            "- " + say("Language: {language}", language=languages[server.language]),
            "- " + say("Channels for tables: {channels}", channels=channels or say("all")),
            "- " + say("Who may open tables: {role}", role=role),
            "- " + say("Rest of clocks in quiet hours, for each turn: {time}", time=quiet),
            "- " + say("Open tables for each person: {number}", number=tables),
        ]
    )


async def setup(bot: Tafelrunde) -> None:
    """Add the commands to the bot."""
    await bot.add_cog(ServerCog(bot))
