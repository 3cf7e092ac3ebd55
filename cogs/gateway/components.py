"""Presses and menu choices, read from interactions."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Final, TypeAlias

import discord

from cogs.gateway.controls import CUSTOM_ID, Control

Interaction: TypeAlias = "discord.Interaction[Any]"
"""A command, a press or a form, as discord.py hands it over."""

_PRESSED: Final = re.compile("s?" + CUSTOM_ID)
"""The format of an id: a button's or, if the id begins with ``s``, a menu's."""


def pressed(interaction: Interaction) -> Control | None:
    """Return the control that was used; None if there is no control, or its id is not one of ours.

    A menu's chosen value becomes the argument of its control. Only the id and the value are read,
    because discord.py would have to rebuild the whole message to find the item.
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
    # Take the raw value: discord.py builds no user for people whom Discord does not include.
    return replace(control, argument=next(iter(data["values"]), ""))


def is_bot(interaction: Interaction, person_id: int) -> bool:
    """Return whether the person chosen in a menu is a bot."""
    data: Any = interaction.data or {}
    people = data.get("resolved", {}).get("users", {})
    return bool(people.get(str(person_id), {}).get("bot"))
