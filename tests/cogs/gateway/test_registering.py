"""Commands are sent to Discord only if they differ from the ones it has."""

from __future__ import annotations

from typing import Any

import pytest

from cogs.gateway.client import same_commands

Command = dict[str, Any]

SQUARE = {"name": "square", "description": "Where", "type": 3, "required": True}
TABLE = {"name": "table", "description": "Which table", "type": 3}
PLACE: Command = {
    "name": "place",
    "description": "Place a stone",
    "type": 1,
    "contexts": [0, 1, 2],
    "integration_types": [0, 1],
    "options": [SQUARE, TABLE],
}
RESIGN: Command = {"name": "resign", "description": "Resign", "type": 1}


def as_kept(command: Command, number: int) -> Command:
    """Return a command as Discord reports it: with ids and empty values, its lists reordered."""
    given = {"id": f"{number}", "version": "5", "nsfw": False, "name_localizations": None}
    if "options" not in command:
        return command | given
    options = [option | {"autocomplete": False} for option in command["options"]]
    contexts = {"contexts": [2, 0, 1], "integration_types": [1, 0]}
    return command | given | contexts | {"options": options}


KEPT = [as_kept(RESIGN, 8), as_kept(PLACE, 9)]


def test_commands_that_discord_has_are_not_sent_again() -> None:
    """The order of the commands and the fields that Discord adds make no difference."""
    assert same_commands([PLACE, RESIGN], KEPT)


@pytest.mark.parametrize(
    "changed",
    [
        {"description": "Place a stone or a power"},
        {"contexts": [0, 1]},
        {"options": [TABLE, SQUARE]},
        {"options": [SQUARE | {"required": False}, TABLE]},
        {"options": [SQUARE | {"min_length": 2}, TABLE]},
    ],
)
def test_a_changed_command_is_sent(changed: Command) -> None:
    assert not same_commands([PLACE | changed, RESIGN], KEPT)


def test_a_new_or_lost_command_is_sent() -> None:
    assert not same_commands([PLACE], KEPT)
    assert not same_commands([PLACE, RESIGN], KEPT[:1])
