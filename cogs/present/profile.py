"""A person's profile as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from cogs.present.drawings import Painted
from cogs.present.people import LEVEL_WORDS, level_in_words
from cogs.present.seasons import SUBJECTS, trophy_in_words
from cogs.present.words import GameWords
from data.store.standings import Alone, GameStanding
from data.store.trophies import TrophyRow
from data.texts import Texts
from render.profile import Beaten, GameProfile, Profile, WinStreak, Won, profile_picture


@dataclass(frozen=True, slots=True)
class ServerProfile:
    """A person's statistics on a server.

    :param standings: the standings by game.
    :param courses: the ratings by game, as returned by ``StandingRepository.course``.
    :param trophies: the trophies, latest first.
    :param since: when the person's oldest table on the server was opened; None: they have none
        there.
    :param alone: results in matches without other people; None if they are hidden.
    """

    standings: Mapping[str, GameStanding]
    courses: Mapping[str, Sequence[int]]
    trophies: Sequence[TrophyRow]
    since: datetime | None
    alone: Sequence[Alone] | None


def profile_drawing(
    name: str, known: ServerProfile, words: Mapping[str, GameWords], say: Texts
) -> Painted:
    """Return the picture of a person's profile.

    :param name: the person's name as typed, unescaped.
    """
    games = {game: each for game, each in known.standings.items() if game in words}
    favourites = sorted(games, key=lambda game: -_finished(games[game]))
    played = tuple(
        GameProfile(
            say(words[game].title),
            games[game].row.rating,
            games[game].place,
            games[game].row.matches,
            games[game].row.won,
            games[game].row.uncounted,
            tuple(known.courses.get(game, ())),
            game,
        )
        for game in favourites
    )
    profile = Profile(
        name,
        "" if known.since is None else say.month(known.since.date()),
        played,
        _streak({say(words[game].title): games[game].row.longest for game in favourites}),
        _streak({say(words[game].title): games[game].row.streak for game in favourites}),
        tuple(
            Won(
                each.place,
                trophy_in_words(each, say),
                _subject(each, words, say),
            )
            for each in known.trophies
        ),
        None if known.alone is None else _beaten(known.alone, say),
    )
    return Painted(profile_picture, profile, say)


def _subject(trophy: TrophyRow, words: Mapping[str, GameWords], say: Texts) -> str:
    """Say what a trophy was won in; empty if its title says it all."""
    if trophy.game in words:
        return say(words[trophy.game].title)
    return say(SUBJECTS[trophy.kind]) if trophy.kind in SUBJECTS else ""


def _finished(standing: GameStanding) -> int:
    return standing.row.matches + standing.row.uncounted


def _streak(counts: Mapping[str, int]) -> WinStreak | None:
    """Return the longest of several streaks; None if all are zero.

    :param counts: the length of each streak, by the title of its game.
    """
    title = max(counts, key=lambda title: counts[title], default="")
    return WinStreak(title, counts[title]) if title and counts[title] else None


def _beaten(alone: Sequence[Alone], say: Texts) -> tuple[Beaten, ...]:
    """Sum up the results against computer players of each level, in all games together."""
    found = []
    for level in LEVEL_WORDS:
        against = [each for each in alone if level in each.levels]
        if against:
            won, matches = (sum(counts) for counts in zip(*map(_counts, against), strict=True))
            found.append(Beaten(level_in_words(level, say), won, matches))
    return tuple(found)


def _counts(alone: Alone) -> tuple[int, int]:
    return alone.won, alone.matches
