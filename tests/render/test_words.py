"""Sentences shared by all descriptions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from data.texts import LANGUAGES, texts
from games.engine import CHANCE, Outcome, View
from render.isolde.descriptions import cup_in_words
from render.scene import ALT_LIMIT, first_fitting
from render.theme import SEATS
from render.words import SEAT_LOOKS, standing

NAMES = ("Anna", "Ben", "Cleo")
VIEW = View("toy", 3, {}, None, 0, 1, "play", (1,), None, {}, {})


def _said(view: View) -> str:
    return standing(view, NAMES, texts("en"))


def test_every_seat_has_words_for_its_look() -> None:
    assert len(SEAT_LOOKS) == len(SEATS)
    for words, style in zip(SEAT_LOOKS, SEATS, strict=True):
        assert words.endswith(style.shape)


def test_the_words_say_who_is_awaited() -> None:
    assert _said(VIEW) == "Ben is to move."
    assert _said(replace(VIEW, actors=(0, 2))) == "Anna and Cleo choose at the same time."
    assert _said(replace(VIEW, actors=(CHANCE,))) == "The lots have not been drawn yet."


def test_the_words_say_where_the_chalice_is() -> None:
    """In Fair Isolde, one field already decides towards whom the chalice leans."""
    told = [cup_in_words(field, texts("en")) for field in (-1, 0, 1)]
    assert ["White Knight" in each for each in told] == [False, False, True]
    assert ["1 field " in each for each in told] == [True, False, True]


def test_the_words_say_who_has_won() -> None:
    won = Outcome((2, 1, 3), (0.0, 1.0, 0.0), "goal")
    shared = Outcome((1, 3, 1), (1.0, 0.0, 1.0), "goal")
    assert _said(replace(VIEW, actors=(), outcome=won)) == "Ben has won."
    assert _said(replace(VIEW, actors=(), outcome=shared)) == "Shared victory: Anna and Cleo."


# -------------------------------------------------------------------------- limits of length
@pytest.mark.parametrize("language", LANGUAGES)
def test_details_without_room_are_left_to_the_text(language: str) -> None:
    """The first description that fits is used; if none does, as many whole sentences as fit, and a
    pointer to the text version.
    """
    say = texts(language)
    assert first_fitting(["a" * (ALT_LIMIT + 1), "b" * ALT_LIMIT, "c"], say) == "b" * ALT_LIMIT
    cut = first_fitting(["Anna is to move. " * 200], say)
    assert ALT_LIMIT - 20 < len(cut) <= ALT_LIMIT
    told, rest = cut.rsplit("move. ", 1)
    assert set(told.split("Anna is to ")) <= {"", "move. "}
    assert say("As text") in rest
    assert rest.endswith(".")
    endless = first_fitting(["x" * 2000], say)
    assert len(endless) <= ALT_LIMIT
    assert endless.endswith(rest)
