"""What people press and choose, read from the interactions themselves."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, TypeAlias

import discord

from cogs.gateway.controls import CUSTOM_ID, Control

Interaction: TypeAlias = "discord.Interaction[Any]"
"""A command, a press or a form, as discord.py hands it over."""

_PRESSED: Final = re.compile("s?" + CUSTOM_ID)
"""The id of a button, or with an ``s`` before it of a menu."""


def pressed(interaction: Interaction) -> Control | None:
    """The control of a table that was used, None if it was another one, or none at all.

    What is chosen in a menu becomes the argument of its control. Nothing but the id and the choice
    is looked at: to have discord.py find the item in the message, it would have to build the whole
    message anew.
    """
    if interaction.type is not discord.InteractionType.component:
        return None
    data: Any = interaction.data
    match = _PRESSED.fullmatch(data["custom_id"])
    if match is None:
        return None
    control = Control.matched(match)
    if "values" not in data:
        return control
    # As it came: of people that Discord does not name, discord.py makes no users.
    return replace(control, argument=next(iter(data["values"]), ""))


def is_bot(interaction: Interaction, person_id: int) -> bool:
    """Whether somebody who was chosen in a menu of people is a bot."""
    data: Any = interaction.data or {}
    people = data.get("resolved", {}).get("users", {})
    return bool(people.get(str(person_id), {}).get("bot"))
