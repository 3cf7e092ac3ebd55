"""The inventory matches the code; undeclared journal lines and surfaces are refused."""

from __future__ import annotations

import pytest

from cogs.gateway.cards import Card
from cogs.present.surfaces import Surface
from scripts import inventory
from tests.play.house import started
from tests.play.occasions.tourneys import NOW, announced


def test_the_inventory_is_written_from_the_code() -> None:
    """``python -m scripts.inventory`` updates the page."""
    assert inventory.DOC.read_text("utf-8") == inventory.inventory_page()


def test_every_command_of_play_says_what_it_means() -> None:
    """The first paragraph of each command's docstring gives its meaning."""
    commands = inventory.commands_of_play()
    assert {"aggregate.Tick", "moves.PlayMoves", "occasions.seek.SeekMatch"} <= commands.keys()
    assert all(commands.values())


def test_undeclared_lines_and_surfaces_are_refused() -> None:
    """The page is generated from the lists of all lines and surfaces, which must be complete."""
    table, tourney = started().table, announced()
    with pytest.raises(ValueError, match="'signup'"):
        table.add("signup", NOW)
    assert tourney.add("signup", NOW).journal[-1].kind == "signup"
    with pytest.raises(ValueError, match="'move'"):
        tourney.add("move", NOW)
    with pytest.raises(ValueError, match="'boards:1'"):
        Surface("boards:1", Card(("A board.",)))
    for key in ("board:1", "lobby@7", "vote:3@7"):
        assert Surface(key, Card(("A board.",)))
