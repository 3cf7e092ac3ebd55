"""The sentences that all descriptions share."""

from __future__ import annotations

from dataclasses import replace

from data.texts import texts
from games.engine import CHANCE, Outcome, View
from render.theme import SEATS
from render.words import SEAT_LOOKS, standing

NAMES = ("Anna", "Ben", "Cleo")
VIEW = View("toy", 3, {}, None, 0, 1, "play", (1,), None, {}, {})


def _said(view: View) -> str:
    return standing(view, NAMES, texts("en"))


def test_every_seat_has_words_for_its_look() -> None:
    """The words name the shape that is drawn."""
    assert len(SEAT_LOOKS) == len(SEATS)
    for words, style in zip(SEAT_LOOKS, SEATS, strict=True):
        assert words.endswith(style.shape)


def test_it_is_said_who_is_awaited() -> None:
    """One player, several at once, or the lot."""
    assert _said(VIEW) == "Ben is to move."
    assert _said(replace(VIEW, actors=(0, 2))) == "Anna and Cleo are to move."
    assert _said(replace(VIEW, actors=(CHANCE,))) == "The lot is to be drawn."


def test_it_is_said_who_has_won() -> None:
    """Alone or together, in the order of the seats."""
    won = Outcome((2, 1, 3), (0.0, 1.0, 0.0), "goal")
    shared = Outcome((1, 3, 1), (1.0, 0.0, 1.0), "goal")
    assert _said(replace(VIEW, actors=(), outcome=won)) == "Ben has won."
    assert _said(replace(VIEW, actors=(), outcome=shared)) == "Shared victory: Anna and Cleo."
