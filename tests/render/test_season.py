"""The table of a season for any number of people."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from data.texts import LANGUAGES, texts
from render.canvas import HEAVIEST
from render.scene import ALT_LIMIT
from render.season import ROWS_AT_MOST, SeasonPlayer, SeasonTable, season_picture
from tests.render.test_bracket import texts_of
from tests.render.test_contrast import all_is_read

NAMES = (
    *("Anna", "Wolfgang-Maximilian Freiherr zu Hohenlohe", "Çağla", "🦊", "*_Šárka_*", "Ben"),
    *("Dame Hildegard von und zu Blankenburg", "Emil"),
)


def table(people: int, places: tuple[int, ...] = (), season: str = "Saison 4. Quartal 2026") -> Any:
    """A season of this many people, who may share places."""
    ranked = tuple(
        SeasonPlayer(
            NAMES[n],
            places[n] if places else n + 1,
            1400 - 60 * n,
            24 - n,
            12 - n,
            max(0, 5 - n),
            (1000, *(1000 + (40 * n + 57 * k) % 320 for k in range(24 - n))),
        )
        for n in range(min(people, ROWS_AT_MOST))
    )
    return SeasonTable("Die Holde Isolde", season, ranked, people)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("people", "places"),
    [(1, ()), (2, ()), (4, (1, 1, 1, 1)), (8, (1, 2, 2, 4, 5, 5, 7, 8)), (40, ())],
)
def test_every_season_is_drawn(people: int, places: tuple[int, ...], language: str) -> None:
    with all_is_read():
        picture = season_picture(table(people, places), texts(language))
    with Image.open(io.BytesIO(picture.png)) as opened:
        assert (opened.width, opened.height <= 1000) == (1200, True)
    assert len(picture.png) <= HEAVIEST
    assert len(picture.alt) <= ALT_LIMIT
    for n in range(min(people, ROWS_AT_MOST)):
        assert texts(language).number(1400 - 60 * n) in picture.alt
    assert "Anna" in picture.alt
    assert "*" not in picture.alt


@pytest.mark.full
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_is_cut_beside_free_room(language: str) -> None:
    written = texts_of(lambda: season_picture(table(ROWS_AT_MOST), texts(language)))
    assert not [words for words in written if words.endswith("…")]
    assert any(words.endswith("zu Hohenlohe") for words in written)
    assert "Dame Hildegard von und zu Blankenburg" in written


def test_a_picture_shows_what_it_is_about() -> None:
    drawn = {
        season_picture(each, texts("en")).png
        for each in (table(3), table(3, (1, 2, 2)), table(4), table(3, season="Saison 2026"))
    }
    assert len(drawn) == 4


def test_the_first_three_have_their_curves() -> None:
    flat = table(3)
    level = replace(flat, ranked=tuple(replace(e, course=(1000, 1000)) for e in flat.ranked))
    pictures = [season_picture(each, texts("en")).png for each in (flat, level)]
    assert pictures[0] != pictures[1]
