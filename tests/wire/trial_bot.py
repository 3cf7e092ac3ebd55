"""A small bot that uses all of discord.py that the stand-in serves; the subject of its tests."""

from __future__ import annotations

import asyncio
import io
import os
import re
import signal
from typing import Any, Self

import discord
from discord import app_commands, ui

PICTURE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000020000000108020000007b40e8dd"
    "0000000f49444154789c63f8cfc0c0f01f0005000201a5f645400000000049454e44ae426082"
)
"""A PNG of 2 x 1 pixels (only its header is looked at)."""

FRUITS = ["apple", "apricot", "banana", "cherry"]


def picture() -> discord.File:
    """A fresh file of the picture."""
    return discord.File(io.BytesIO(PICTURE), "board.png", description="a board")


class German(app_commands.Translator):
    """One German name, to see localisations arrive."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Translate the one word that this bot knows."""
        known = locale is discord.Locale.german and string.message == "echo"
        return "echo-de" if known else None


class Counter(ui.DynamicItem[ui.Button[Any]], template=r"count:(?P<n>\d+)"):
    """A button that counts in its own custom id."""

    def __init__(self, n: int) -> None:
        super().__init__(ui.Button(label=f"Count {n}", custom_id=f"count:{n}"))
        self.n = n

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str]
    ) -> Self:
        """Read the count from the id."""
        return cls(int(match["n"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        """Count one up, and say it once more by an edit."""
        view = ui.View(timeout=None).add_item(Counter(self.n + 1))
        await interaction.response.edit_message(content=f"pressed {self.n + 1}", view=view)
        await interaction.edit_original_response(content=f"pressed {self.n + 1}!")


class Quiet(ui.DynamicItem[ui.Button[Any]], template="quiet"):
    """A button that is acknowledged without any effect."""

    def __init__(self) -> None:
        super().__init__(ui.Button(label="Quiet", custom_id="quiet"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str]
    ) -> Self:
        """There is nothing to read."""
        return cls()

    async def callback(self, interaction: discord.Interaction) -> None:
        """Acknowledge."""
        await interaction.response.defer()


class Fruit(ui.DynamicItem[ui.Select[Any]], template="fruit"):
    """A menu that answers only to who chose."""

    def __init__(self) -> None:
        options = [discord.SelectOption(label=fruit) for fruit in FRUITS]
        super().__init__(ui.Select(custom_id="fruit", placeholder="Which?", options=options))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str]
    ) -> Self:
        """Read the choice from the interaction."""
        found = cls()
        found.item._refresh_state(interaction, interaction.data)  # type: ignore[arg-type]
        return found

    async def callback(self, interaction: discord.Interaction) -> None:
        """Repeat the choice."""
        await interaction.response.send_message(f"chose {self.item.values[0]}", ephemeral=True)


class Form(ui.Modal, title="A form"):
    """A form with a text and a menu."""

    name: ui.Label[Self] = ui.Label(text="Name", component=ui.TextInput(custom_id="name"))
    fruit: ui.Label[Self] = ui.Label(
        text="Fruit",
        component=ui.Select(
            custom_id="fruit", options=[discord.SelectOption(label=fruit) for fruit in FRUITS]
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        """Repeat what was entered."""
        name, fruit = self.name.component, self.fruit.component
        assert isinstance(name, ui.TextInput)
        assert isinstance(fruit, ui.Select)
        await interaction.response.send_message(f"{name.value} likes {fruit.values[0]}")


class TrialBot(discord.Client):
    """The bot: its commands, synced at start."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents.default())
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        """Register everything."""
        await self.tree.set_translator(German())
        for command in COMMANDS:
            self.tree.add_command(command)
        self.add_dynamic_items(Counter, Quiet, Fruit)
        await self.tree.sync()


@app_commands.command(name=app_commands.locale_str("echo"), description="Say it again")
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
@app_commands.allowed_installs(guilds=True, users=True)
async def echo(interaction: discord.Interaction, text: str, times: int = 1) -> None:
    """Answer with the text."""
    await interaction.response.send_message(f"{text * times} ({interaction.locale.value})")


@app_commands.command(description="A button that counts, one that is quiet, and a menu")
async def counter(interaction: discord.Interaction) -> None:
    """Answer with controls."""
    view = ui.View(timeout=None)
    view.add_item(Counter(0)).add_item(Quiet()).add_item(Fruit())
    await interaction.response.send_message("pressed 0", view=view)


@app_commands.command(description="An embed with a picture")
async def board(interaction: discord.Interaction) -> None:
    """Answer with a picture in an embed."""
    embed = discord.Embed(title="Board").set_image(url="attachment://board.png")
    await interaction.response.send_message(embed=embed, file=picture())


@app_commands.command(description="Think, then answer with a laid-out view")
async def think(interaction: discord.Interaction, secret: bool = False) -> None:
    """Defer, then answer with Components V2 and a picture."""
    await interaction.response.defer(thinking=True, ephemeral=secret)
    view = ui.LayoutView(timeout=None)
    gallery: ui.MediaGallery[ui.LayoutView] = ui.MediaGallery(
        discord.MediaGalleryItem("attachment://board.png")
    )
    row: ui.ActionRow[Any] = ui.ActionRow(Quiet())
    view.add_item(ui.Container(ui.TextDisplay("# Thought"), gallery, row, accent_color=0x0072B2))
    await interaction.followup.send(view=view, file=picture())


@app_commands.command(description="A direct message with a picture")
async def whisper(interaction: discord.Interaction) -> None:
    """Write to the person, or say that it is not possible."""
    try:
        await interaction.user.send("psst", file=picture())
    except discord.Forbidden as error:
        await interaction.response.send_message(f"closed: {error.code}", ephemeral=True)
    else:
        await interaction.response.send_message("sent", ephemeral=True)


@app_commands.command(description="A form")
async def form(interaction: discord.Interaction) -> None:
    """Show the form."""
    await interaction.response.send_modal(Form())


@app_commands.command(description="Pick a fruit")
async def pick(interaction: discord.Interaction, fruit: str) -> None:
    """Answer with the fruit."""
    await interaction.response.send_message(fruit)


@pick.autocomplete("fruit")
async def fruits(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the fruits that begin so."""
    found = [fruit for fruit in FRUITS if fruit.startswith(typed)]
    return [app_commands.Choice(name=fruit, value=fruit) for fruit in found]


@app_commands.command(description="Answer twice by mistake")
async def twice(interaction: discord.Interaction) -> None:
    """Answer, and answer again over a second copy of the interaction."""
    await interaction.response.send_message("first")
    interaction.response._response_type = None
    try:
        await interaction.response.send_message("second")
    except discord.HTTPException as error:
        await interaction.followup.send(f"refused: {error.code}")


@app_commands.command(description="Write into the channel, once however often it is run")
async def once(interaction: discord.Interaction, key: str) -> None:
    """Write with an enforced nonce."""
    await interaction.response.defer(ephemeral=True)
    assert isinstance(interaction.channel, discord.abc.Messageable)
    try:
        written = await interaction.channel.send(f"only {key}", nonce=key)
    except discord.HTTPException as error:
        await interaction.followup.send(f"refused: {error.code}")
    else:
        await interaction.followup.send(f"written {written.id}")


@app_commands.command(name="thread", description="Open a thread and write there")
async def open_thread(interaction: discord.Interaction, name: str) -> None:
    """Open a public thread and greet in it."""
    assert isinstance(interaction.channel, discord.TextChannel)
    await interaction.response.defer(ephemeral=True)
    thread = await interaction.channel.create_thread(
        name=name, type=discord.ChannelType.public_thread
    )
    await thread.add_user(interaction.user)
    await thread.send(f"hello {interaction.user.mention}")
    await interaction.followup.send(thread.mention)


COMMANDS: list[app_commands.Command[Any, ..., None]] = [
    echo,
    counter,
    board,
    think,
    whisper,
    form,
    pick,
    twice,
    once,
    open_thread,
]


async def run() -> None:
    """Run the bot until SIGTERM."""
    bot = TrialBot()
    discord.utils.setup_logging()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, lambda: loop.create_task(bot.close()))
    async with bot:
        await bot.start(os.environ["DISCORD_TOKEN"])


def main() -> None:
    """Run the bot."""
    asyncio.run(run())
