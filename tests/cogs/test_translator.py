"""Commands have translated names and descriptions, here in German."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands
from discord.app_commands import Choice
from simcord.env import Env

import data.texts
from cogs.gateway.translator import L_, CatalogueTranslator, name_
from data.texts import texts

CATALOGUE = """
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgctxt "name"
msgid "place"
msgstr "setzen"

msgid "place"
msgstr "Platz"

msgctxt "name"
msgid "lancelot"
msgstr "lanzelot"

msgctxt "name"
msgid "square"
msgstr "feld"

msgid "Play Lancelot"
msgstr "Lanzelot spielen"

msgid "Place a stone"
msgstr "Einen Stein setzen"

msgid "Where"
msgstr "Wohin"

msgid "the middle"
msgstr "die Mitte"
"""


class Bot(discord.Client):
    """One group with one command whose option has a fixed choice."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        await self.tree.set_translator(CatalogueTranslator())
        group = app_commands.Group(name=name_("lancelot"), description=L_("Play Lancelot"))

        @group.command(name=name_("place"), description=L_("Place a stone"))
        @app_commands.rename(where=name_("square"))
        @app_commands.describe(where=L_("Where"))
        @app_commands.choices(where=[Choice(name=L_("the middle"), value="H8")])
        async def place(interaction: discord.Interaction, where: str) -> None:
            say = texts(data.texts.language_of(interaction.locale.value))
            await interaction.response.send_message(f"{say('place')} {where}")

        self.tree.add_command(group)
        await self.tree.sync()


@pytest.fixture(autouse=True)
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use a small German catalogue made for the test."""
    folder = tmp_path / "de"
    folder.mkdir()
    (folder / "house.po").write_text(CATALOGUE, encoding="utf-8")
    monkeypatch.setattr(data.texts, "CATALOGUES", tmp_path)
    texts.cache_clear()
    yield
    texts.cache_clear()


@pytest.fixture
def simcord_bot() -> Bot:
    return Bot()


def synced(env: Env) -> Any:
    """The command as the bot described it to Discord."""
    (commands,) = [entry.json or [] for entry in env.http_requests if entry.method == "PUT"]
    (command,) = commands
    return command


async def test_everything_that_a_command_shows_is_german(simcord_env: Env) -> None:
    group = synced(simcord_env)
    (place,) = group["options"]
    (square,) = place["options"]
    (middle,) = square["choices"]
    assert [
        (
            part["name"],
            part["name_localizations"]["de"],
            part.get("description_localizations", {}).get("de"),
        )
        for part in (group, place, square, middle)
    ] == [
        ("lancelot", "lanzelot", "Lanzelot spielen"),
        ("place", "setzen", "Einen Stein setzen"),
        ("square", "feld", "Wohin"),
        ("the middle", "die Mitte", None),
    ]


async def test_commands_are_called_by_their_english_names(simcord_env: Env) -> None:
    """Discord sends English names whatever language people see."""
    guild = simcord_env.create_guild()
    channel = guild.create_text_channel("round-table")
    ann = guild.add_member(simcord_env.create_user("ann"))
    result = await ann.slash(channel, "lancelot place", square="H8")
    assert result.response is not None
    assert result.response.content == "place H8"
