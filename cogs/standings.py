"""``/stats`` and ``/leaderboard``: who plays how well on this server, by game."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from cogs import board
from cogs.actions import Interaction
from cogs.door import escape
from cogs.game import CHOICES_AT_MOST
from cogs.tafelrunde import Tafelrunde
from cogs.translator import L_, name_
from data.texts import Texts
from play.privacy import Privacy
from play.standings import Standing, Standings
from play.table import Refused

LINES_AT_MOST = 20
"""People on the leaderboard of one game."""

FEW = 5
"""People of each game on the leaderboard of all games."""


class StandingsCog(commands.Cog):
    """``/stats`` and ``/leaderboard``."""

    def __init__(self, bot: Tafelrunde) -> None:
        self.bot = bot
        self._standings = Standings(bot.store)
        self._privacy = Privacy(bot.tables)

    @app_commands.command(name=name_("leaderboard"), description=L_("The best of this server"))
    @app_commands.rename(game=name_("game"))
    @app_commands.describe(game=L_("One game; left out: all games"))
    @app_commands.guild_only()
    async def leaderboard(self, interaction: Interaction, game: str | None = None) -> None:
        """Show the leaderboard."""
        await self.bot.attempt(interaction, self._leaderboard(interaction, game))

    @app_commands.command(name=name_("stats"), description=L_("Matches, victories and ratings"))
    @app_commands.rename(person=name_("person"))
    @app_commands.describe(person=L_("Whose; left out: your own"))
    @app_commands.guild_only()
    async def stats(self, interaction: Interaction, person: discord.User | None = None) -> None:
        """Show somebody's statistics."""
        await self.bot.attempt(interaction, self._stats(interaction, person or interaction.user))

    @leaderboard.autocomplete("game")
    async def _games(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        say = self.bot.say(interaction)
        titles = {say(words.title): game for game, words in self.bot.words.items()}
        return [
            app_commands.Choice(name=title, value=game)
            for title, game in sorted(titles.items())
            if typed.strip().casefold() in title.casefold()
        ][:CHOICES_AT_MOST]

    # -- leaderboard
    async def _leaderboard(self, interaction: Interaction, game: str | None) -> None:
        await self.bot.door.defer(interaction)
        say = self.bot.say(interaction)
        best = await self._standings.leaderboard(interaction.guild_id or 0)
        if game is not None:
            if game not in self.bot.words:
                raise Refused("unknown_game", text=game)
            best = {game: best.get(game, [])}
        sections = [
            self._section(name, listed, LINES_AT_MOST if game else FEW, interaction.user.id, say)
            for name, listed in best.items()
        ]
        note = say(
            "Counted are matches of this server that people played to a result, without computer"
            " players. Whoever has played little is rated carefully."
        )
        text = "\n\n".join(sections) or say("Nobody has finished a match that counts here yet.")
        await self.bot.door.answer(interaction, board.note_view(f"{text}\n\n-# {note}"))

    def _section(
        self, game: str, listed: Sequence[Standing], most: int, person_id: int, say: Texts
    ) -> str:
        """The best of one game, and the one who asks."""
        shown = [s for n, s in enumerate(listed) if n < most or s.person_id == person_id]
        lines = [_line(standing, say) for standing in shown]
        heading = f"### {say('Leaderboard: {game}', game=say(self.bot.words[game].title))}"
        return "\n".join(
            [heading, *(lines or [say("Nobody has finished a match that counts here yet.")])]
        )

    # -- statistics
    async def _stats(self, interaction: Interaction, person: discord.User | discord.Member) -> None:
        await self.bot.door.defer(interaction)
        say = self.bot.say(interaction)
        mine = person.id == interaction.user.id
        hidden = await self._privacy.is_unlisted(person.id)
        if hidden and not mine:
            raise Refused("unlisted")
        standings = await self._standings.of_person(interaction.guild_id or 0, person.id)
        lines = [f"### {escape(person.display_name)}"]
        lines += [self._summary(game, standing, say) for game, standing in standings.items()]
        if not standings:
            lines.append(say("No finished match on this server yet."))
        if hidden:
            lines.append("-# " + say("Only you see this: you have hidden your statistics."))
        await self.bot.door.answer(interaction, board.note_view("\n".join(lines)))

    def _summary(self, game: str, standing: Standing, say: Texts) -> str:
        """How somebody stands in one game, in a line or two."""
        parts = [f"**{say(self.bot.words[game].title)}**: {_counts(standing, say)}"]
        if standing.place is not None:
            parts.append(
                say("rating {rating}, place {place}", rating=standing.rating, place=standing.place)
            )
        if standing.uncounted:
            parts.append(
                say.plural(
                    "{n} more that does not count", "{n} more that do not count", standing.uncounted
                )
            )
        return " · ".join(parts)


def _line(standing: Standing, say: Texts) -> str:
    name = escape(standing.name)
    return f"`{standing.place:2}` **{name}** · {standing.rating} · {_counts(standing, say)}"


def _counts(standing: Standing, say: Texts) -> str:
    matches = say.plural("{n} match", "{n} matches", standing.matches)
    return say("{matches}, {won} won", matches=matches, won=standing.won)


async def setup(bot: Tafelrunde) -> None:
    """Add the commands to the bot."""
    await bot.add_cog(StandingsCog(bot))
