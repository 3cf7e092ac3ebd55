"""Buttons and menus that survive a restart.

A control carries all it needs in its id: the table, the ply it was made for, a verb and an
argument. Nothing waits in memory for it to be pressed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import ui

CUSTOM_ID = (
    r"t:(?P<table>\d+):(?P<ply>\d+)(?:u(?P<undos>\d+))?:(?P<verb>[a-z]+)(?::(?P<argument>.+))?"
)


@dataclass(frozen=True, slots=True)
class Control:
    """What a press means.

    :param ply: the position that the person looked at.
    :param verb: the name of the action.
    :param argument: for instance the beginning of a move.
    :param undos: how many undos the course of events had had: plies are used again after one.
    """

    table: int
    ply: int
    verb: str
    argument: str = ""
    undos: int = 0

    @property
    def custom_id(self) -> str:
        """The id under which Discord sends the press back."""
        undos = f"u{self.undos}" if self.undos else ""
        tail = f":{self.argument}" if self.argument else ""
        return f"t:{self.table}:{self.ply}{undos}:{self.verb}{tail}"

    @classmethod
    def matched(cls, match: re.Match[str]) -> Control:
        """Read a control from its matched id."""
        return cls(
            int(match["table"]),
            int(match["ply"]),
            match["verb"],
            match["argument"] or "",
            int(match["undos"] or 0),
        )


class Press(ui.DynamicItem[ui.Button[Any]], template=CUSTOM_ID):
    """A button of a table."""

    def __init__(
        self,
        control: Control,
        label: str = "",
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    ) -> None:
        super().__init__(ui.Button(label=label, style=style, custom_id=control.custom_id))
        self.control = control

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Press:
        """Rebuild the pressed button from its id."""
        return cls(Control.matched(match))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Act on the press."""
        await interaction.client.press(interaction, self.control)


class Pick(ui.DynamicItem[ui.Select[Any]], template="s" + CUSTOM_ID):
    """A menu of a table; what is chosen becomes the argument of its control."""

    def __init__(
        self,
        control: Control,
        placeholder: str | None = None,
        options: list[discord.SelectOption] | None = None,
    ) -> None:
        super().__init__(
            ui.Select(
                custom_id="s" + control.custom_id, placeholder=placeholder, options=options or []
            )
        )
        self.control = control

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: ui.Item[Any], match: re.Match[str], /
    ) -> Pick:
        """Rebuild the used menu from its id."""
        return cls(Control.matched(match))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Act on the choice."""
        (chosen,) = interaction.data["values"]  # type: ignore[typeddict-item, index]
        await interaction.client.press(interaction, replace(self.control, argument=chosen))
