"""``/stats`` and ``/leaderboard``: statistics and rankings on this server, by game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import discord
from discord import app_commands
from discord.ext import commands

from cogs.features.acting import Acknowledge, Acting
from cogs.features.feature import Feature, command, game_in, number_in, offer_games, press
from cogs.gateway.cards import Button, Card, Gallery, Part, Row
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.texts import escape
from cogs.gateway.translator import L_, name_
from cogs.present.drawings import Painted
from cogs.present.people import level_in_words
from cogs.present.ratings import course_drawing
from cogs.present.seasons import hall_of_fame_in_words, season_drawing, season_in_words
from cogs.present.times import moment
from data.store.hall_of_fame import HallOfFameSeason
from data.store.ratings import ALL_TIME, RatingRow
from data.store.seasons import SeasonRow
from data.store.standings import Alone, GameStanding
from data.texts import N_, Texts
from play.privacy import Privacy
from play.seasons import rankings
from play.table import Refused, refuse_if

LINES_AT_MOST = 20
"""Maximum number of people on the leaderboard of one game, not counting the person who asks."""

FEW = 5
"""The same maximum for each game on the leaderboard of all games."""

PAGES = {"season": N_("This season"), "ever": N_("All time"), "fame": N_("Hall of fame")}
"""The pages of the leaderboard on a server that has or had seasons."""

SEASONS_ON_PAGE = 3
"""How many seasons are on a page of the hall of fame."""


class StandingsCog(Feature, commands.Cog):
    """``/stats`` and ``/leaderboard``."""

    def __init__(self, acting: Acting) -> None:
        super().__init__(acting)
        self._words = acting.presenter.words
        self._standings = acting.tables.store.standings
        self._seasons = acting.tables.store.seasons
        self._privacy = Privacy(acting.tables, acting.occasions)

    # -- leaderboard
    @command(
        name_("leaderboard"),
        L_("The best players of this server"),
        game=(name_("game"), L_("One game; default: all games"), offer_games),
    )
    @app_commands.guild_only()
    async def leaderboard(self, interaction: Interaction, game: str | None = None) -> None:
        """Show the leaderboard of the current season, or of all time if there is no season."""
        await self.replies.defer(interaction)
        if game is not None and game not in self._words:
            raise Refused("unknown_game", text=game)
        running = await self._seasons.running(interaction.guild_id or 0, self.tables.clock())
        page = "ever" if running is None else "season"
        await self._show_page(interaction, page, game, running)

    @press("board", Acknowledge.PRIVATELY)
    async def turn_page(self, interaction: Interaction, control: Control) -> None:
        """Show another page: the season, all time, or the hall of fame."""
        page, _, rest = control.argument.partition(".")
        game, _, before = rest.partition(".")
        refuse_if(page not in PAGES or interaction.guild_id is None, "stale")
        if game:
            game_in(game)
        running = await self._seasons.running(interaction.guild_id or 0, self.tables.clock())
        number = number_in(before) if before else None
        await self._show_page(interaction, page, game or None, running, number)

    async def _show_page(
        self,
        interaction: Interaction,
        page: str,
        game: str | None,
        running: SeasonRow | None,
        before: int | None = None,
    ) -> None:
        """Show a page of the leaderboard.

        :param before: in the hall of fame, show only seasons with a lower number.
        """
        say, server = self.say(interaction), interaction.guild_id or 0
        fame = await self._seasons.hall_of_fame(server, SEASONS_ON_PAGE + 1, game, before)
        rows: list[Row] = []
        if running is not None or fame or before is not None:
            ways = [key for key in PAGES if key != "season" or running is not None]
            rows.append(tuple(_page_button(key, page, game, say) for key in ways))
        if page == "fame":
            parts = self._fame(fame[:SEASONS_ON_PAGE], say)
            if len(fame) > SEASONS_ON_PAGE:
                last = fame[SEASONS_ON_PAGE - 1].season.number
                earlier = Control.apart("board", f"fame.{game or ''}.{last}")
                rows.append((Button(earlier, say("Earlier")),))
        elif page == "season" and running is not None:
            parts = await self._season(interaction, running, game)
        else:
            parts = await self._ever(interaction, game)
        await self.replies.show(interaction, Card(parts, tuple(rows)))

    async def _ever(self, interaction: Interaction, game: str | None) -> tuple[Part, ...]:
        say = self.say(interaction)
        sections = await self._sections(interaction, game, ALL_TIME)
        note = say(
            "A match on this server counts if the same people played it from beginning to end, no"
            " computer player took part, everybody moved at least twice, and there was a result."
            " People with few matches are rated cautiously."
        )
        text = "\n\n".join(sections) or say("Nobody has finished a match that counts here yet.")
        return (f"{text}\n\n-# {note}",)

    async def _season(
        self, interaction: Interaction, season: SeasonRow, game: str | None
    ) -> tuple[Part, ...]:
        """Return the current season's standings; for a single game, with a picture of them."""
        say = self.say(interaction)
        head = say("Season {season}", season=season_in_words(season.title, say))
        head = f"## {head}\n{say('It ends {when}.', when=moment(season.ends_at))}"
        sections = await self._sections(interaction, game, season.number)
        note = say(
            "A match counts in the season in which it ends. At the start of a season, everyone's"
            " skill moves halfway back to a newcomer's; all-time ratings are not affected."
        )
        pictures: tuple[Part, ...] = ()
        if game is not None:
            found, names = await rankings(self.tables.store, season, [game])
            drawings = [season_drawing(e, names, season.title, self._words, say) for e in found]
            pictures = tuple(Gallery((drawing,)) for drawing in drawings)
        text = "\n\n".join(sections) or say("Nobody has finished a match that counts here yet.")
        return (head, *pictures, f"{text}\n\n-# {note}")

    def _fame(self, seasons: Sequence[HallOfFameSeason], say: Texts) -> tuple[Part, ...]:
        head = f"## {say('Hall of fame')}"
        told = [*hall_of_fame_in_words(seasons, self._words, say)]
        return (
            "\n".join([head, *(told or [say("There is nothing from past seasons here yet.")])]),
        )

    async def _sections(self, interaction: Interaction, game: str | None, season: int) -> list[str]:
        """Return the best players of one game or of every game, and the standing of the person who
        asks.
        """
        server, asking = interaction.guild_id or 0, interaction.user.id
        games, most = ([game], LINES_AT_MOST) if game else (sorted(self._words), FEW)
        best = await self._standings.leaderboard(server, games, most, asking, season)
        if game is not None:
            best = {game: best.get(game, [])}
        say = self.say(interaction)
        return [self._section(name, listed, say) for name, listed in best.items()]

    def _section(self, game: str, listed: Sequence[GameStanding], say: Texts) -> str:
        """Return the best players of one game, and the standing of the person who asks."""
        lines = [_line(standing, say) for standing in listed]
        heading = f"### {say('Leaderboard: {game}', game=say(self._words[game].title))}"
        return "\n".join(
            [heading, *(lines or [say("Nobody has finished a match that counts here yet.")])]
        )

    # -- statistics
    @command(
        name_("stats"),
        L_("Matches, victories and ratings"),
        person=(name_("person"), L_("Whose statistics; default: your own")),
    )
    @app_commands.guild_only()
    async def stats(self, interaction: Interaction, person: discord.User | None = None) -> None:
        """Show the statistics of one person."""
        await self.replies.defer(interaction)
        say = self.say(interaction)
        asked = person or interaction.user
        hidden = await self._privacy.is_unlisted(asked.id)
        if hidden and asked.id != interaction.user.id:
            raise Refused("unlisted")
        standings = await self._standings.of_person(asked.id, interaction.guild_id or 0)
        lines = [f"### {escape(asked.display_name)}"]
        lines += [self._summary(game, standing, say) for game, standing in standings.items()]
        if not standings:
            lines.append(say("No finished match on this server yet."))
        if asked.id == interaction.user.id:
            everywhere = await self._standings.of_person(asked.id)
            lines += self._elsewhere(standings, everywhere, say)
        if hidden:
            lines.append("-# " + say("Only you see this: you have hidden your statistics."))
        rows: tuple[Row, ...] = ()
        if asked.id == interaction.user.id:
            page = Button(Control.apart("alonestats"), say("Against the computer"))
            rows = ((page,),)
        text = "\n".join(lines)
        drawing = None if hidden else await self._course(interaction, asked, say)
        parts: tuple[Part, ...] = (text,) if drawing is None else (Gallery((drawing,)), text)
        await self.replies.answer(interaction, Card(parts, rows))

    async def _course(
        self, interaction: Interaction, person: discord.User | discord.Member, say: Texts
    ) -> Painted | None:
        """Return the picture of a person's ratings on this server; None if too few matches have
        counted.
        """
        course = await self._standings.course(person.id, interaction.guild_id or 0)
        return course_drawing(course, self._words, person.display_name, say)

    @press("alonestats", Acknowledge.PRIVATELY)
    async def stats_alone(self, interaction: Interaction, control: Control) -> None:
        """Show the person how they have done in matches without other people; nobody else sees the
        answer.
        """
        say = self.say(interaction)
        alone = await self._standings.alone(interaction.user.id)
        lines = [f"### {say('Against the computer')}"]
        for game in dict.fromkeys(each.game for each in alone):
            lines.append(f"**{say(self._words[game].title)}**")
            lines += [_line_alone(each, say) for each in alone if each.game == game]
        if not alone:
            lines.append(say("You have not finished a match without other people yet."))
        lines.append("-# " + say("Leaderboards count only matches between people."))
        await self.replies.show(interaction, Card(("\n".join(lines),)))

    def _summary(
        self, game: str, standing: GameStanding, say: Texts, *, placed: bool = True
    ) -> str:
        """Sum up a person's standing in one game, on one line.

        :param placed: include the rank.
        """
        row, place = standing.row, standing.place
        parts = [f"**{say(self._words[game].title)}**{say.colon} {_counts(row, say)}"]
        if place is not None and not placed:
            parts.append(say("rating {rating}", rating=row.rating))
        elif place is not None:
            parts.append(say("rating {rating}, place {place}", rating=row.rating, place=place))
        if row.uncounted:
            parts.append(say.plural("{n} more not counted", "{n} more not counted", row.uncounted))
        return " · ".join(parts)

    def _elsewhere(
        self, here: Mapping[str, GameStanding], everywhere: Mapping[str, GameStanding], say: Texts
    ) -> list[str]:
        """For games in which the person has finished matches outside this server, sum up their
        standing on all servers and in direct messages together.
        """
        summaries = [
            self._summary(game, standing, say, placed=False)
            for game, standing in everywhere.items()
            if game not in here or _finished(here[game]) < _finished(standing)
        ]
        return [f"**{say('On all servers together')}**", *summaries] if summaries else []


def _page_button(page: str, shown: str, game: str | None, say: Texts) -> Button:
    control = Control.apart("board", f"{page}.{game or ''}")
    return Button(control, say(PAGES[page]), disabled=page == shown)


def _finished(standing: GameStanding) -> int:
    return standing.row.matches + standing.row.uncounted


def _line(standing: GameStanding, say: Texts) -> str:
    row = standing.row
    name = escape(row.name)
    return f"`{standing.place:2}` **{name}** · {say.number(row.rating)} · {_counts(row, say)}"


def _line_alone(alone: Alone, say: Texts) -> str:
    """Sum up a person's results in one game: against computer players of some levels, or alone."""
    matches = say.plural("{n} match", "{n} matches", alone.matches)
    if not alone.levels:
        best = say.number(alone.best or 0)
        return "- " + say("by yourself: {matches}, best result {best}", matches=matches, best=best)
    levels = say.list([level_in_words(level, say) for level in alone.levels])
    counts = say("{matches}, {won} won", matches=matches, won=alone.won)
    return f"- {levels}{say.colon} {counts}"


def _counts(row: RatingRow, say: Texts) -> str:
    matches = say.plural("{n} match", "{n} matches", row.matches)
    return say("{matches}, {won} won", matches=matches, won=row.won)
