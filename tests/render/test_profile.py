"""Profiles: full, empty, and in between."""

from __future__ import annotations

import io
from dataclasses import replace
from unittest.mock import patch

import pytest
from PIL import Image

from data.texts import LANGUAGES, texts
from render.canvas import HEAVIEST, write_lines
from render.profile import (
    PAD,
    ROW,
    TOP,
    Beaten,
    GameProfile,
    Profile,
    WinStreak,
    Won,
    profile_picture,
)
from render.scene import ALT_LIMIT
from tests.render.test_contrast import all_is_read

GAMES = ("Lancelot", "Isis", "Twilight", "Don Quixote", "Die Holde Isolde", "Tic-Tac-Toe")
LEVELS = ("Neuling", "Lernende", "Geübte", "Expertin", "Meisterin", "Großmeisterin")


def played(number: int, matches: int) -> GameProfile:
    course = (1000, *(1000 + (43 * number + 71 * n) % 400 - 120 for n in range(matches)))
    return GameProfile(GAMES[number], course[-1], number + 1, matches, matches // 2, number, course)


FULL = Profile(
    "Wolfgang-Maximilian Freiherr zu Hohenlohe-Schillingsfürst",
    "November 2026",
    tuple(played(number, 40 - 6 * number) for number in range(len(GAMES))),
    WinStreak("Die Holde Isolde", 12),
    WinStreak("Lancelot", 3),
    tuple(
        Won(n % 4 + 1, f"{n % 4 + 1}. Quartal 2026", "Die Holde Isolde" if n % 3 else "")
        for n in range(30)
    ),
    tuple(Beaten(level, 11 * n, 120) for n, level in enumerate(LEVELS)),
)
EMPTY = Profile("Anna", "", (), None, None, (), None)

PROFILES = {
    "full": FULL,
    "as others see it": replace(FULL, beaten=None),
    "empty": EMPTY,
    "empty, one's own": replace(EMPTY, beaten=()),
    "one game": replace(EMPTY, name="Ben", since="Mai 2026", games=(played(0, 9),)),
    "one match": replace(EMPTY, games=(played(3, 1),), running=WinStreak("Don Quixote", 1)),
    "no match that counts": replace(EMPTY, games=(GameProfile("Isis", 1000, None, 0, 0, 4),)),
    "no letters": replace(FULL, name="🦊🦊"),
    "formats": replace(FULL, name="**@everyone**"),
    "a cup": replace(EMPTY, trophies=(Won(1, "Turnier „🦊 **Pokal** 🦊“", "Lancelot"),)),
}


LONG = {"full", "as others see it", "formats"}
"""Profiles with an overlong name or title; nothing else is ever cut."""


@pytest.mark.full
@pytest.mark.parametrize(
    ("which", "language"),
    [
        (which, language)
        for which in PROFILES
        for language in LANGUAGES
        if language == "de" or which == "full"
    ],
)
def test_every_profile_is_drawn(which: str, language: str) -> None:
    profile = PROFILES[which]
    with all_is_read() as reader:
        picture = profile_picture(profile, texts(language))
    assert which in LONG or not [word for word in reader.written if word.endswith("…")]
    with Image.open(io.BytesIO(picture.png)) as opened:
        assert opened.width == 1200
        assert opened.height <= 1080
    assert len(picture.png) <= HEAVIEST
    assert len(picture.alt) <= ALT_LIMIT
    assert "*" not in picture.alt
    for game in profile.games[:5]:
        assert f"{game.title}{texts(language).colon} " in picture.alt
    if profile.longest is not None:
        assert f"{profile.longest.count}, {profile.longest.title}" in picture.alt
    computers = texts(language)("Against the computer")
    assert (computers in picture.alt) == bool(profile.beaten)


def test_the_curve_is_promised_beside_a_rated_match_only() -> None:
    promise = "The curve begins with the second match."
    unrated, rated = PROFILES["no match that counts"].games[0], PROFILES["one match"].games[0]
    for games, promised in (((unrated,), False), ((unrated, rated), True)):
        profile = replace(EMPTY, games=games)
        with patch("render.profile.write_lines", wraps=write_lines) as written:
            profile_picture(profile, texts("en"))
        heights = [call.args[1][1] for call in written.call_args_list if call.args[2] == promise]
        assert heights == [TOP + PAD + ROW * 1.5] * promised


@pytest.mark.full
def test_each_part_is_seen() -> None:
    parts = [
        replace(FULL, name="Anna"),
        replace(FULL, since="Mai 2026"),
        replace(FULL, games=FULL.games[:4]),
        replace(FULL, longest=None),
        replace(FULL, running=None),
        replace(FULL, trophies=FULL.trophies[1:]),
        replace(FULL, beaten=()),
    ]
    drawn = [profile_picture(each, texts("en")) for each in (FULL, *parts)]
    assert len({picture.png for picture in drawn}) == len(drawn)
    assert len({picture.alt for picture in drawn}) == len(drawn)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_profile_names_the_command_as_discord_shows_it(language: str) -> None:
    written: list[str] = []
    say = texts(language)
    with patch("render.profile.write", lambda _canvas, _at, words, *_: written.append(words)):
        profile_picture(EMPTY, say)
    assert any(f"/{say.named('play')} " in words for words in written)
