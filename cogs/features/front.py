"""``/play``, ``/help``, and the greeting on a new server."""

from __future__ import annotations

import discord
from discord.ext import commands

from cogs.features.acting import Acknowledge, Acting
from cogs.features.feature import Feature, button, command, game_in, press
from cogs.features.lobby import Lobby
from cogs.features.looking import Looking
from cogs.gateway.cards import with_pictures
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.failures import Failure
from cogs.gateway.translator import L_, name_
from cogs.present.choices import way_rows
from cogs.present.front import gallery_card, game_card, help_card
from cogs.present.mine import table_line
from data.texts import language_of, texts
from games import GAMES
from games.players import LEVELS
from play.table import Refused

TABLES_IN_HELP = 5


class FrontCog(Feature, commands.Cog):
    """``/play`` and ``/help`` with their buttons, and the greeting."""

    def __init__(self, acting: Acting, lobby: Lobby, looking: Looking) -> None:
        super().__init__(acting)
        self._lobby = lobby
        self._looking = looking
        self._words = acting.presenter.words

    # -- entrances
    @command(name_("play"), L_("All games: open a table, or play right now against the computer"))
    async def play(self, interaction: Interaction) -> None:
        """Show all games."""
        await self._show_games(interaction)

    @button("play", Acknowledge.PRIVATELY)
    async def play_by_button(self, interaction: Interaction, table_id: int) -> None:
        """Show all games."""
        await self._show_games(interaction)

    async def _show_games(self, interaction: Interaction) -> None:
        await self.replies.show(interaction, gallery_card(self._words, self.say(interaction)))

    @command(name_("help"), L_("Where to find everything"))
    async def help(self, interaction: Interaction) -> None:
        """Show where to find everything, and the person's own tables."""
        say, person = self.say(interaction), interaction.user.id
        mine = (await self.tables.of_person(person))[:TABLES_IN_HELP]
        lines = [table_line(table, person, self.words_of(table), say) for table in mine]
        rows = way_rows(mine[0], say) if mine else ()
        await self.replies.answer(interaction, help_card(lines, rows, say))

    # -- one game
    @press("game", Acknowledge.PRIVATELY)
    async def show_game(self, interaction: Interaction, control: Control) -> None:
        """Show one game, with buttons for starting a match."""
        words = self._words[game_in(control.argument)]
        await self.replies.show(interaction, game_card(words, self.say(interaction)))

    @press("gamerules", Acknowledge.THINKING)
    async def show_rules(self, interaction: Interaction, control: Control) -> None:
        """Show the rules of a game."""
        await self._looking.rules(interaction, game_in(control.argument))

    @press("openhere", Acknowledge.PRIVATELY)
    async def open_here(self, interaction: Interaction, control: Control) -> None:
        """Open a table in the channel where the button was pressed."""
        await self._lobby.open(interaction, game_in(control.argument))

    @press("alone", Acknowledge.PRIVATELY)
    async def play_alone(self, interaction: Interaction, control: Control) -> None:
        """Start a match at a new table against computer players of a level."""
        game, _, level = control.argument.partition(".")
        if level not in LEVELS:
            raise Refused("stale")
        others = max(2, GAMES[game_in(game)].info.players[0]) - 1
        await self._lobby.open(interaction, game, against=[level] * others)

    # -- the greeting
    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greet once, in the server's channel for newcomers; if that is impossible, greet the
        person who added the bot, if Discord says who that was.
        """
        language = language_of(guild.preferred_locale.value)
        gateway, channel = self.acting.gateway, guild.system_channel
        if (
            channel is not None
            and channel.permissions_for(guild.me).send_messages
            and await self.greet(channel.id, language)
        ):
            return
        host = await gateway.who_invited(guild)
        if host is not None and not isinstance(place := await gateway.open_dm(host), Failure):
            await self.greet(place, language)

    async def greet(self, channel_id: int, language: str) -> bool:
        """Introduce the bot and show all games in a channel.

        :returns: whether that worked.
        """
        card = await with_pictures(gallery_card(self._words, texts(language), greeting=True))
        return isinstance(await self.acting.gateway.post(channel_id, card), int)
