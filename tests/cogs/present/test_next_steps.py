"""Menus generated from the notation alone."""

from __future__ import annotations

from string import ascii_lowercase
from typing import ClassVar

import pytest

from cogs.gateway.cards import OPTIONS_IN_MENU
from cogs.present.words import ASK_ON, FEW, Choice, GameWords, Group, next_steps
from data.texts import texts
from games.engine import View

CELLS = [f"{column}{row}" for column in ascii_lowercase[:8] for row in range(1, 13)]
MOVES = {
    "few": ["a1", "pass", "b2"],
    "squares": CELLS,
    "from and to": [f"{one}-{other}" for one in CELLS[:9] for other in CELLS[:9] if one != other],
    "numbers": [str(n) for n in range(130)],
    "words and numbers": [f"take:{n}" for n in range(40)] + ["pass"],
    "one beginning": [f"lay.{cell}" for cell in CELLS],
    "a move that goes on": ["a", *(f"a{n}" for n in range(30)), "b"],
}


def reached(ways: list[str], prefix: str = "", depth: int = 0) -> list[str]:
    """All moves that the steps lead to."""
    assert depth < 5
    found = []
    for step in next_steps([way for way in ways if way.startswith(prefix)], prefix):
        beginning = step.removesuffix(ASK_ON)
        if step in ways:
            found.append(step)
        else:
            assert len(beginning) > len(prefix) or step.endswith(ASK_ON)
            found += reached(ways, beginning, depth + 1) if beginning != prefix else []
    return found


@pytest.mark.parametrize("name", MOVES)
def test_steps_lead_to_every_move_once(name: str) -> None:
    ways = MOVES[name]
    assert sorted(reached(ways)) == sorted(ways)


def test_few_moves_are_offered_at_once() -> None:
    assert next_steps(MOVES["few"], "") == MOVES["few"]


def test_many_moves_are_offered_by_their_first_characters() -> None:
    """A column is chosen first, then a row; a prefix that all moves share is skipped."""
    assert next_steps(CELLS, "") == list(ascii_lowercase[:8])
    assert next_steps(MOVES["one beginning"], "") == [f"lay.{c}" for c in ascii_lowercase[:8]]
    assert next_steps(MOVES["from and to"], "") == [f"a{row}-" for row in range(1, 10)]
    assert len(next_steps(MOVES["words and numbers"], "")) <= OPTIONS_IN_MENU


def test_a_move_that_begins_other_moves_is_marked() -> None:
    assert next_steps(MOVES["a move that goes on"], "") == ["a" + ASK_ON, "b"]


def test_few_choices_may_have_long_labels() -> None:
    """With one more, a menu takes less room than buttons."""
    choices = [Choice(f"{n}", "a label that is rather long") for n in range(FEW + 1)]
    assert Group("", tuple(choices[:FEW])).as_buttons
    assert not Group("", tuple(choices)).as_buttons


class Words(GameWords):
    """Words without a menu of their own."""

    game = "cells"
    title = summary = "Cells"
    options: ClassVar = {}
    refusals: ClassVar = {}
    reasons: ClassVar = {}
    rule_texts = ()


def test_the_default_menu_marks_beginnings_of_moves() -> None:
    """A whole move is labelled with its name, the beginning of several with an ellipsis."""
    view = View("cells", 1, {}, 0, 0, 1, "play", (0,), None, {}, {})
    say = texts("en")
    (group,) = Words().menu(view, CELLS, "", ("Anna",), say).groups
    assert [(c.value, c.label) for c in group.choices][:2] == [("a", "a …"), ("b", "b …")]
    (group,) = Words().menu(view, CELLS, "b", ("Anna",), say).groups
    assert (group.choices[0].value, group.choices[0].label) == ("b1", "b1")
