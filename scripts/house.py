"""The pictures that belong to no single game, with contents that never change."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import accumulate
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
from render.curve import Curves, Missed, curves_drawn
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
        BracketRow(
            n + 1,
            _person(n),
            f"{('1 : 0', '½ : ½', '0 : 1')[n * n % 3]} {{names}}",
            f"{(players - n) // 3 or ''}½",
            (f"{9 + (players - n) // 2}", f"{(players - n) // 2}½", f"{(players - n) // 3}"),
            n == 2,
            (_person(n + 1),),
        )
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
    courses = [_ratings(40 - 6 * n, 3 - 2 * n, n) for n in range(len(GAMES))]
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


def _ratings(matches: int, gain: float, seed: int) -> tuple[int, ...]:
    """Return a rating that changes with every match, by ``gain`` on average."""
    rng = random.Random(seed)
    changes = (gain + 60 * (rng.random() - 0.5) for _ in range(matches))
    return tuple(map(round, accumulate(changes, initial=1000.0)))


def _curves(points: bool) -> Curves:
    """Return crossing curves: points, of which the first two are equal, or chances, followed by
    the result of the match.
    """
    rng, moments = random.Random(7), 30
    rows: list[tuple[float, ...]] = [(0.0,) * 5 if points else (0.2,) * 5]
    drift = [0.0] * 5
    for _ in range(moments):
        drift = [0.8 * each + rng.random() - 0.5 for each in drift]
        if points:
            scored = [last + rng.randrange(4) for last in rows[-1]]
            rows.append((scored[0], scored[0], *scored[2:]))
        else:
            chances = [max(0.02, c + 0.05 * d) for c, d in zip(rows[-1], drift, strict=True)]
            rows.append(tuple(chance / sum(chances) for chance in chances))
    if not points:
        best = max(rows[-1])
        rows.append(tuple(float(chance == best) for chance in rows[-1]))
    moves = tuple(range(len(rows)))
    title = "Vorsprung" if points else "Gewinnaussichten"
    missed: tuple[Missed, ...] = ("win", "rescue", "better")
    return Curves(title, NAMES, tuple(rows), moves, (4, 17, 28), (0, 1, 2), missed, points)
