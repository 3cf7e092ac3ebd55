"""The card of the daily deal."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from data.texts import LANGUAGES, texts
from render.riddle import HEIGHT, RiddleResult, result_picture
from render.scene import ALT_LIMIT
from render.theme import WIDTH

LINES = ("excellent", "Place 1 of 12 on this server", "Place 3 of 240 overall", "streak: 9 days")


@pytest.mark.full
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["Anna", "W" * 32, "*_`~|<@1>", "안나", "\u202e"])
def test_a_result_is_drawn_and_described(name: str, language: str) -> None:
    picture = result_picture(RiddleResult("22", name, 64, LINES), texts(language))
    assert Image.open(io.BytesIO(picture.png)).size == (WIDTH, HEIGHT)
    assert len(picture.png) <= 150 * 1024
    assert len(picture.alt) <= ALT_LIMIT
    assert "64" in picture.alt
    assert all(line in picture.alt for line in LINES)
    assert "<@" not in picture.alt


def test_another_result_is_another_picture() -> None:
    say, plain = texts("en"), RiddleResult("22", "Anna", 64, LINES)
    others = [
        RiddleResult("23", "Anna", 64, LINES),
        RiddleResult("22", "Ben", 64, LINES),
        RiddleResult("22", "Anna", 65, LINES),
        RiddleResult("22", "Anna", 64, LINES[:3]),
    ]
    pictures = {result_picture(each, say).png for each in (plain, *others)}
    assert len(pictures) == 5
