"""Passes submitted forms to the features that opened them."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import discord
from discord.ext import commands

from cogs.features.feature import Feature
from cogs.gateway.components import Interaction
from cogs.gateway.controls import CUSTOM_ID, Control


class Forms(Feature, commands.Cog):
    """Receives the forms of all features."""

    @commands.Cog.listener()
    async def on_interaction(self, interaction: Interaction) -> None:
        """Pass on a submitted form, if it belongs to the bot."""
        if interaction.type is not discord.InteractionType.modal_submit:
            return
        data: Any = interaction.data
        match = re.fullmatch(CUSTOM_ID, data["custom_id"])
        if match is None or match["verb"] not in self.acting.forms:
            return
        fields = [part.get("component", {}) for part in data["components"]]
        given = {field.get("custom_id"): field.get("value") for field in fields}
        # A forged form may omit fields; treat them as empty.
        written = defaultdict[str, str](str, {k: v for k, v in given.items() if isinstance(v, str)})
        await self.acting.receive(interaction, Control.matched(match), written)
