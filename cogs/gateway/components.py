"""Buttons and menus as discord.py knows them: rebuilt from their ids whenever they are used."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, TypeAlias

import discord
from discord import ui

from cogs.gateway.controls import CUSTOM_ID, Control

Interaction: TypeAlias = "discord.Interaction[Any]"


class Press(ui.DynamicItem[ui.Item[Any]], template="s?" + CUSTOM_ID):
    """A button or menu of a table; its use goes to the client's ``press``.

    What is chosen in a menu, whose id begins with ``s``, becomes the argument of its control.
    """

    def __init__(self, control: Control, item: ui.Item[Any]) -> None:
        super().__init__(item)
        self.control = control

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> Press:
        """Rebuild what was used from its id."""
        return cls(Control.matched(match), item)

    async def callback(self, interaction: Interaction) -> None:
        """Act on the press or the choice."""
        control = self.control
        if isinstance(self.item, (ui.Select, ui.UserSelect)):
            # As it came: of people that Discord does not name, discord.py makes no users.
            data: Any = interaction.data or {}
            control = replace(control, argument=next(iter(data.get("values", ())), ""))
        await interaction.client.press(interaction, control)


def is_bot(interaction: Interaction, person_id: int) -> bool:
    """Whether somebody who was chosen in a menu of people is a bot."""
    data: Any = interaction.data or {}
    people = data.get("resolved", {}).get("users", {})
    return bool(people.get(str(person_id), {}).get("bot"))
