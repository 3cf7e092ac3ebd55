"""Forms: windows for entering text, which Discord calls modals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import ui

from cogs.gateway.controls import Control


@dataclass(frozen=True, slots=True)
class FormField:
    """One field of a form.

    :param key: identifies the field in a submitted form.
    :param most: the maximum number of characters.
    :param long: the field has several lines.
    """

    key: str
    label: str
    meaning: str
    most: int
    required: bool = True
    long: bool = False


class Form(ui.Modal):
    """A form of a few text fields. The control in its id says how to handle a submitted form, so a
    form that was open during a restart is not lost.
    """

    def __init__(self, control: Control, title: str, fields: Sequence[FormField]) -> None:
        super().__init__(title=title, custom_id=control.custom_id)
        for field in fields:
            text = ui.TextInput[Any](
                custom_id=field.key,
                max_length=field.most,
                required=field.required,
                style=discord.TextStyle.long if field.long else discord.TextStyle.short,
            )
            self.add_item(ui.Label(text=field.label, description=field.meaning, component=text))
