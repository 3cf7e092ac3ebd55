"""Isis: refused moves and the reasons given."""

from __future__ import annotations

from typing import Any

import pytest

from games.isis import IsisState
from tests.games.isis_table import (
    GAME,
    position,
    refusal,
)

# ------------------------------------------------------------------------------ refusals
REFUSED: list[tuple[IsisState, str, str, dict[str, Any]]] = [
    (position("14"), "fourteen", "unknown_move", {"text": "fourteen"}),
    (position("14"), "14-51", "unknown_square", {"square": 51, "text": "51"}),
    (position("14"), "turn 77", "unknown_square", {"square": 77, "text": "77"}),
    (position("14"), "pass", "must_move", {}),
    (position("14"), "15-19", "no_stone", {"square": 15}),
    (position("1 3 5 7 9 11 13"), "0-1", "no_stone", {"square": 0}),
    (position("14", 20), "20-21", "own_stone", {"square": 20}),
    (position("14", None, 20), "20-21", "foreign_stone", {"square": 20, "owner": 1}),
    (position("14"), "P14-18", "no_personal", {}),
    (position("14", 20), "P14-18", "personal_elsewhere", {"square": 20}),
    (position("14", 0), "P14-18", "personal_elsewhere", {"square": 0}),
    (position("14 23 38", ban=14), "14-21", "banned", {"square": 14}),
    (position("22 27 33", None, 47, ban=0), "0-5", "banned_below", {}),
    (position("14 16 38"), "14-16", "occupied", {"to": 16}),
    (position("2 4 46 10"), "46-44", "throne_neutral", {"to": 44}),
    (position("1 3 5 7", 38), "P38-45", "throne_from_earth", {"to": 45}),
    (position("14 23 38"), "14-22", "steps", {"square": 14, "to": 22, "steps": 3}),
    (position("4 20 21 22"), "0-7", "steps", {"square": 0, "to": 7, "steps": 3}),
    (position("4 20 21 22"), "0-6", "blocked", {"square": 0, "to": 6, "steps": 3}),
    (position("14 18 38"), "14-21", "blocked", {"square": 14, "to": 21, "steps": 3}),
    (position("14 23 38"), "23-15", "steps", {"square": 23, "to": 15, "steps": 3}),
    (position("14 23 38"), "23-13", "backward", {"square": 23, "to": 13}),
    (position("38 1 2 3"), "38-40", "steps", {"square": 38, "to": 40, "steps": 4}),
    (position("50 38 1 2 3"), "38-46", "steps", {"square": 38, "to": 46, "steps": 5}),
    (position("40 1 2 3 4 5", None, 47), "40-0", "descent_from", {"square": 40}),
    (position("22 27 33 8"), "22-0", "descent_closed", {}),
    (position("22 27 33 8", None, 47), "8-0", "steps", {"square": 8, "to": 0, "steps": 5}),
    (position("22 18 21", None, 47), "22-0", "blocked", {"square": 22, "to": 0, "steps": 4}),
    (position("40 39", 5), "turn 40", "turned_before", {}),
    (position("40 39 38"), "turn 38", "turn_heaven", {"square": 38}),
    (position("40 39"), "turn 41", "turn_neutral", {"square": 41}),
    (position("40 39", None, 41), "turn 41", "turn_neutral", {"square": 41}),
    (position("40 39", ban=40), "turn 40", "banned", {"square": 40}),
    (position("40 20"), "turn 40", "turn_alone", {"square": 40}),
]
"""Positions, inputs, and the code and data of each refusal."""


@pytest.mark.parametrize(("state", "text", "code", "data"), REFUSED)
def test_refusals_name_the_rule(
    state: IsisState, text: str, code: str, data: dict[str, Any]
) -> None:
    refused = refusal(state, text)
    assert (refused.code, refused.data) == (code, data)


@pytest.mark.parametrize(
    "text",
    ["14-21", " 14 21 ", "14–21", "14 → 21", "14>21", "14 nach 21", "14 to 21", "14 - 21"],
)
def test_spellings_of_a_move(text: str) -> None:
    assert GAME.parse(position("14 23 38"), 0, text) == "14-21"


@pytest.mark.parametrize("text", ["P46-44", "p46-44", "p 46 44", "P46 → 44"])
def test_spellings_of_a_personal_move(text: str) -> None:
    assert GAME.parse(position("2 4 10", 46), 0, text) == "P46-44"


def test_the_square_of_ones_own_stone_is_enough() -> None:
    """The P may be omitted unless a neutral stone could be meant."""
    assert GAME.parse(position("2 4 10", 46), 0, "46 44") == "P46-44"
    assert GAME.parse(position("1 3 5 7 9 11", 0), 0, "0 2") == "P0-2"
    assert GAME.parse(position("11", 0), 0, "0 12") == "0-12"


@pytest.mark.parametrize("text", ["turn:40", "turn 40", "Turn 40", "convert 40", "umdrehen 40"])
def test_spellings_of_turning_over(text: str) -> None:
    assert GAME.parse(position("40 39"), 0, text) == "turn:40"
