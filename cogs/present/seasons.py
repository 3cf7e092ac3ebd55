"""Seasons in words and pictures: their names, their standings, and the hall of fame."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from cogs.gateway.cards import PICTURES_IN_GALLERY, Button, Card, Gallery
from cogs.gateway.controls import Control
from cogs.gateway.texts import escape
from cogs.present.drawings import Painted
from cogs.present.occasions import Surfaces
from cogs.present.surfaces import Surface
from cogs.present.words import GameWords
from data.store.hall_of_fame import KIND, HallOfFameSeason, Honour
from data.store.trophies import TrophyRow
from data.texts import N_, Texts, texts
from play.daily import FLAWLESS, STREAK
from play.occasions.occasion import Occasion
from play.occasions.season import Ended, Ranking, ServerSeasons
from play.occasions.tournament_acts import NAME as TOURNAMENT
from render.season import SeasonPlayer, SeasonTable, season_picture

LENGTHS: Final = {"month": N_("a month"), "quarter": N_("a quarter"), "year": N_("a year")}
"""How long a season can be."""

MEDALS: Final = "🥇🥈🥉"


def season_in_words(title: str, say: Texts) -> str:
    """Return the name of a season: the period it covers.

    :param title: as returned by ``SeasonRow.title``.
    """
    year, _, part = title.partition("-")
    if not part:
        return year
    if part.startswith("Q"):
        return say.quarter(date(int(year), 3 * int(part[1:]), 1))
    return say.month(date(int(year), int(part), 1))


# ------------------------------------------------------------------------------ trophies
TITLES: Final[Mapping[str, Callable[[str, Texts], str]]] = {
    KIND: season_in_words,
    STREAK: lambda days, say: say.plural("{n} day in a row", "{n} days in a row", int(days)),
    FLAWLESS: lambda count, say: say.plural("{n} riddle", "{n} riddles", int(count)),
    TOURNAMENT: lambda title, say: say("Tournament “{title}”", title=title),
}
"""Functions that put a trophy's title into words, by kind of trophy."""

SUBJECTS: Final[Mapping[str, str]] = {
    STREAK: N_("riddles and deals"),
    FLAWLESS: N_("at once, without a hint"),
}
"""What a trophy was won in, for kinds of trophy that do not belong to a game."""


def trophy_in_words(trophy: TrophyRow, say: Texts) -> str:
    """Say what a trophy was won for."""
    titled = TITLES.get(trophy.kind)  # None: only a later version of the bot knows this kind
    return trophy.title if titled is None else titled(trophy.title, say)


# ------------------------------------------------------------------------------- pictures
def season_drawing(
    ranking: Ranking,
    names: Mapping[int, str],
    title: str,
    words: Mapping[str, GameWords],
    say: Texts,
) -> Painted:
    """Return the picture of a season's standings in one game, during the season or at its end.

    :param names: the names of the ranked people, by id.
    """
    ranked = tuple(
        SeasonPlayer(
            names.get(each.person_id, ""),
            each.place,
            each.rating,
            each.matches,
            each.won,
            each.longest,
            each.course,
        )
        for each in ranking.placed
    )
    season = say("Season {season}", season=season_in_words(title, say))
    game = say(words[ranking.game].title)
    table = SeasonTable(game, season, ranked, ranking.people, ranking.game)
    return Painted(season_picture, table, say)


# -------------------------------------------------------------------------------- messages
def season_surfaces(words: Mapping[str, GameWords]) -> Surfaces:
    """Return a function that lists a server's season messages: one for each season that has ended,
    until all of them are delivered.
    """

    def surfaces(
        occasion: Occasion[ServerSeasons], told: int, told_from: Callable[[str], int]
    ) -> list[Surface]:
        say, state = texts(occasion.server.language or occasion.row.language), occasion.state
        # The journal line that announced these seasons. Once it is delivered, all their messages
        # are.
        line = max(
            (each.number for each in occasion.journal if each.text and each.kind == "look"),
            default=0,
        )
        found = {f"season:{ended.number}": ended for ended in state.ended if occasion.channel_id}
        return [
            Surface(key, _over(ended, state, words, say), final=True)
            for key, ended in found.items()
            if told_from(key) < line
        ]

    return surfaces


def _over(ended: Ended, state: ServerSeasons, words: Mapping[str, GameWords], say: Texts) -> Card:
    """Return the message about a season that has ended."""
    names = state.names
    season = season_in_words(ended.title, say)
    shown = [each for each in ended.rankings if each.game in words][:PICTURES_IN_GALLERY]
    lines = []
    for ranking in shown:
        best = [
            f"{MEDALS[each.place - 1]} **{escape(names.get(each.person_id, ''))}**"
            for each in ranking.placed
            if each.place <= len(MEDALS)
        ]
        lines.append(f"**{say(words[ranking.game].title)}** · {' · '.join(best)}")
    if state.length is not None:
        lines.append("-# " + say("The next season has begun."))
    head = f"## {say('Season {season} is over', season=season)}"
    drawings = tuple(season_drawing(each, names, ended.title, words, say) for each in shown)
    fame = Button(Control.apart("board", "fame."), say("Hall of fame"))
    return Card((head, Gallery(drawings), "\n".join(lines)), ((fame,),))


# --------------------------------------------------------------------------- hall of fame
def hall_of_fame_in_words(
    seasons: Sequence[HallOfFameSeason], words: Mapping[str, GameWords], say: Texts
) -> Iterator[str]:
    """Yield the seasons of a hall of fame, one text each."""
    for fame in seasons:
        lines = [f"### {season_in_words(fame.season.title, say)}"]
        for game, honours in fame.honours.items():
            if game in words:
                lines.append(f"**{say(words[game].title)}**")
                lines += [_honour(honour, say) for honour in honours]
        yield "\n".join(lines)


def _honour(honour: Honour, say: Texts) -> str:
    row = honour.row
    parts = [say.plural("{n} match", "{n} matches", row.matches)]
    if row.longest > 1:
        parts.append(say("{n} in a row", n=row.longest))
    name = f"{MEDALS[honour.place - 1]} **{escape(row.name)}**"
    return f"{name} · {say.number(row.rating)} · {', '.join(parts)}"
