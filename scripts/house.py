"""The pictures that belong to no single game, with contents that never change."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from data.texts import Texts, texts
from games import GAMES
from play.pairings.knockout import first_round, knockout_rounds, next_round
from play.pairings.meetings import Meeting, Round
from render.bracket import (
    Bracket,
    BracketRow,
    Crosstable,
    Duel,
    Podium,
    bracket_drawn,
    podium_drawn,
    standings_drawn,
)
from render.course import Course, course_picture
from render.curve import Curves, curves_drawn
from render.gallery import app_icon, banner, gallery
from render.profile import Beaten, GameProfile, Profile, WinStreak, Won, profile_picture
from render.riddle import RiddleResult, result_picture
from render.scene import Picture
from render.season import SeasonPlayer, SeasonTable, season_picture
from scripts.stages import NAMES, Shown

HOUSE: Final = "house"
"""The name under which these pictures are accepted."""

TITLES: Final = {game: game.title() for game in GAMES}
LONG: Final = ("Die Runde am Tisch der Alten Königin", "Runde 2 von 4: 3 Tische spielen noch")


def house_pictures() -> Iterator[Shown]:
    """Yield every kind of picture that belongs to no single game, in German."""
    say = texts("de")
    for players, rounds in ((4, 1), (3, 2), (32, 5)):
        yield Shown(f"bracket{players}", bracket_drawn(_knockout(players, rounds), say))
    for players in (3, 20):
        yield Shown(f"standings{players}", standings_drawn(_standings(players), say))
    yield from _podiums(say)
    yield from _of_people(say)
    for points in (False, True):
        yield Shown(f"curves{'-points' * points}", curves_drawn(_curves(points), say))
    lines = ("ausgezeichnet", "Platz 1 von 12 auf diesem Server", "9 Tage in Folge")
    yield Shown("riddle", result_picture(RiddleResult("22. November", NAMES[1], 64, lines), say))
    yield Shown("gallery", gallery(TITLES, TITLES, "", say))
    yield Shown("banner", Picture("banner.png", banner(), ""))
    yield Shown("icon", Picture("icon.png", app_icon(), ""))


def _person(number: int) -> str:
    """Return a name; once all ``NAMES`` are taken, return one of them with a number."""
    again = number // len(NAMES)
    return f"{NAMES[number % len(NAMES)]} {again}" if again else NAMES[number]


def _knockout(players: int, played: int) -> Bracket:
    """Return a knock-out after this many rounds."""
    rounds: list[Round] = []
    for _ in range(played):
        meetings = next_round(rounds, lambda _: False) if rounds else first_round(players)
        rounds.append(tuple(m if m.over else Meeting(m.players, (1, 2)) for m in meetings))
    duels = tuple(tuple(Duel(m.players, m.winner()) for m in meetings) for meetings in rounds)
    names = tuple(_person(n + 3) for n in range(players))
    return Bracket(*LONG, names, duels, knockout_rounds(players))


def _standings(players: int) -> Crosstable:
    heads = ("Name", "Letzte Runde", "Punkte", "BH", "SB", "Siege")
    rows = tuple(
        BracketRow(n + 1, _person(n), "½ : ½ {names}", "12½", ("123½", "9", "4"), n == 2, ("Ann",))
        for n in range(players)
    )
    return Crosstable(*LONG, heads, rows, golden=1, key="BH: Buchholz" if players > 3 else "")


def _podiums(say: Texts) -> Iterator[Shown]:
    one, *others = NAMES
    steps = {
        "podium": ((one,), (others[0],), (others[1], others[2])),
        "podium-shared": ((one, *others),),
    }
    for name, people in steps.items():
        yield Shown(name, podium_drawn(Podium(LONG[0], people, "Lancelot · 8 Personen"), say))


def _of_people(say: Texts) -> Iterator[Shown]:
    """Yield pictures of ratings, a season and profiles."""
    courses = [
        (1000, *(1000 + (43 * n + 71 * k) % 400 - 120 for k in range(40 - 6 * n)))
        for n in range(len(GAMES))
    ]
    shown = [Course(TITLES[game], way, game) for game, way in zip(GAMES, courses, strict=True)]
    yield Shown("course", course_picture(shown, NAMES[3], say))
    ranked = tuple(
        SeasonPlayer(_person(n), n + 1, way[-1], len(way) - 1, len(way) // 2, n, way)
        for n, way in enumerate(courses)
    )
    season = SeasonTable("Isis", "4. Quartal 2026", ranked, 40, "isis")
    yield Shown("season", season_picture(season, say))
    games = tuple(
        GameProfile(TITLES[game], way[-1], n + 1, len(way) - 1, len(way) // 2, n, way, game)
        for n, (game, way) in enumerate(zip(GAMES, courses, strict=True))
    )
    trophies = tuple(Won(n % 4 + 1, f"{n + 1}. Quartal 2026", "Isis" * (n % 2)) for n in range(9))
    beaten = tuple(Beaten(level, 11 * n, 40) for n, level in enumerate(("Neuling", "Meisterin")))
    streaks = WinStreak("Isis", 12), WinStreak("Lancelot", 3)
    full = Profile(NAMES[3], "Mai 2026", games, *streaks, trophies, beaten)
    yield Shown("profile", profile_picture(full, say))
    yield Shown("profile-empty", profile_picture(Profile("Anna", "", (), None, None, (), ()), say))


def _curves(points: bool) -> Curves:
    """Return crossing curves; with ``points``, the first two are equal."""
    values = [[(7 * n * (seat + 2)) % 23 - 5.0 for seat in range(5)] for n in range(30)]
    if points:
        values = [[at[0], at[0], *at[2:]] for at in values]
    else:
        values = [[(v + 6) / sum(w + 6 for w in at) for v in at] for at in values]
    rows, moves = tuple(map(tuple, values)), tuple(range(30))
    title = "Vorsprung" if points else "Gewinnaussichten"
    return Curves(
        title, NAMES, rows, moves, (4, 17, 28), (0, 1, 2), ("win", "rescue", "better"), points
    )
