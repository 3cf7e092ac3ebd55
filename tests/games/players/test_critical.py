"""Critical positions: no avoidable loss, no win missed, no hint that loses, and true words.

A part of the positions that ``python -m benchmarks.critical`` goes through.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest

from benchmarks.critical import BUDGET, SETUPS, Checked, Position, check, kept
from games.players import Budget

EVERY = {"donquixote": 20, "isis": 33, "isolde": 40, "lancelot": 10, "twilight": 25}
"""One of so many positions is looked at."""


def positions(game_id: str) -> Sequence[Position]:
    """The part of the positions, the longest matches among them."""
    return kept(game_id)[:: EVERY[game_id]]


@cache
def checked(game_id: str) -> Sequence[Checked]:
    """What master chooses and a hint recommends."""
    return [check(position, BUDGET) for position in positions(game_id)]


@pytest.mark.parametrize("game_id", SETUPS)
def test_nothing_is_lost_that_can_be_kept(game_id: str) -> None:
    """Neither the match to the next move, nor points for certain; nor is a win in two missed."""
    assert [(each.move, each.faults) for each in checked(game_id) if each.faults] == []


@pytest.mark.parametrize("game_id", SETUPS)
def test_no_hint_loses(game_id: str) -> None:
    """None of the moves that are recommended."""
    assert [each.hinted for each in checked(game_id) if "loses" in each.hinted] == []


@pytest.mark.parametrize("game_id", SETUPS)
def test_the_positions_are_what_they_say(game_id: str) -> None:
    """Moves that lose or win are legal, and others are left to choose."""
    for position in positions(game_id):
        match = position.match()
        legal = set(match.game.legal(match.state, match.actors[0]))
        for group in filter(None, (position.loses, position.wins)):
            assert group < legal
        assert position.loses or position.wins


def test_little_thought_loses_too() -> None:
    """So the positions are critical indeed."""
    found = [check(position, Budget(4)) for position in kept("lancelot")[::5]]
    assert any("loses" in each.faults for each in found)
