"""What lasts of a match: its replay, its record to take along, and the proof that it was fair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs.actions import Interaction
from cogs.controls import Control
from cogs.door import Attachment, Failure
from cogs.meant import at_table, names_table
from cogs.translator import L_, name_
from data.texts import Texts
from games.engine import CHANCE
from games.records import BY_LOT, SIZE_LIMIT, FaultyRecord, Record, written
from play.records import RefusedRecord, record_of
from play.replays import is_over
from play.table import Refused

if TYPE_CHECKING:
    from cogs.tafelrunde import Tafelrunde

SCRIPT = "scripts/verify"
"""The program with which anybody can check a record."""


class RecordCommands(commands.Cog):
    """The commands of ``/table`` for matches of the past; a part of ``TableCog``."""

    @app_commands.command(name=name_("replay"), description=L_("Look at a match step by step"))
    @names_table
    async def replay(self, interaction: Interaction, table: str | None = None) -> None:
        """Step through a match."""
        await at_table(interaction, table, interaction.client.replays.open_table)

    @app_commands.command(name=name_("animation"), description=L_("A match as a moving picture"))
    @names_table
    async def animation(self, interaction: Interaction, table: str | None = None) -> None:
        """Animate a match."""
        await at_table(interaction, table, interaction.client.replays.animate_table)

    @app_commands.command(name=name_("export"), description=L_("A match as a text to take along"))
    @names_table
    async def export(self, interaction: Interaction, table: str | None = None) -> None:
        """Give out the record."""
        await at_table(interaction, table, export)

    @app_commands.command(name=name_("import"), description=L_("Look at a match from its record"))
    @app_commands.rename(file=name_("file"))
    @app_commands.describe(file=L_("A record made by “export”"))
    async def import_(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Replay a record."""
        await interaction.client.attempt(interaction, bring(interaction, file))

    @app_commands.command(name=name_("verify"), description=L_("Check that a match was fair"))
    @names_table
    async def verify(self, interaction: Interaction, table: str | None = None) -> None:
        """Check the proof."""
        await at_table(interaction, table, verify)


# ------------------------------------------------------------------------------ records
async def export(interaction: Interaction, table_id: int) -> None:
    """Give out the record of a match, to the person alone."""
    bot = interaction.client
    await bot.door.defer(interaction)
    table = await bot.tables.get(table_id)
    record = record_of(table)
    say = bot.say(interaction)
    file = Attachment(f"{record.game}-{record.table}.txt", written(record).encode())
    text = say(
        "The record of table {code}. Look at it anywhere with {command}; check it on your own"
        " machine with {script}.",
        code=f"`{record.table}`",
        command=_command("import", say),
        script=f"`{SCRIPT}`",
    )
    layout = ui.LayoutView(timeout=None)
    layout.add_item(ui.TextDisplay(text))
    layout.add_item(ui.File(f"attachment://{file.name}"))
    await bot.door.answer(interaction, layout, [file])


async def bring(interaction: Interaction, file: discord.Attachment) -> None:
    """Read a record, and show its replay."""
    bot = interaction.client
    await bot.door.defer(interaction)
    if file.size > SIZE_LIMIT:
        raise RefusedRecord(FaultyRecord("too_large", 1, limit=SIZE_LIMIT))
    data = await bot.door.download(file)
    if isinstance(data, Failure):
        raise Refused("no_download")
    record_id = await bot.replays.records.bring(interaction.user.id, data)
    await bot.replays.open_record(interaction, record_id)


# ------------------------------------------------------------------------------- proofs
async def verify(interaction: Interaction, table_id: int) -> None:
    """Check a match that is over; of one that runs, tell what will be checked."""
    bot = interaction.client
    await bot.door.defer(interaction)
    table = await bot.tables.get(table_id)
    say = bot.say(interaction)
    if is_over(table):
        text = proof(await bot.replays.records.prove(table), say)
    else:
        text = promise(table.row.code, table.played.setup.commitment(), say)
    await bot.door.answer(interaction, text)


def proof(record: Record, say: Texts) -> str:
    """What has been found true of a match."""
    draws = sum(event.seat == CHANCE for event in record.events)
    moves = len(record.events) - draws
    if record.seating == BY_LOT:
        seats = say("The seats were drawn from the seed.")
    else:
        seats = say("The seats go by order of joining.")
    found = [
        say("The seed belongs to the seal."),
        seats,
        say.plural("{n} lot follows from the seed.", "{n} lots follow from the seed.", draws),
        say.plural("{n} move was legal.", "{n} moves were legal.", moves),
        say("The result is what the moves lead to."),
    ]
    compare = say(
        "Compare the seal with the one under the first board: it was published before anything was"
        " drawn. To check it all yourself, use {command} and {script}.",
        command=_command("export", say),
        script=f"`{SCRIPT}`",
    )
    return "\n".join(
        [
            f"### {say('Table {code}: fair', code=f'`{record.table}`')}",
            *(f"✓ {sentence}" for sentence in found),
            say("Seed: {seed}", seed=f"`{record.seed}`"),
            say("Seal: {seal}", seal=f"`{record.seal}`"),
            f"-# {compare}",
        ]
    )


def promise(code: str, seal: str, say: Texts) -> str:
    """What binds the bot while a match runs."""
    return say(
        "Table {code} is still running. Its seal is {seal}, and stands under the first board, too."
        " When the match is over I publish the seed: its SHA-256 must be that seal, and all lots"
        " must follow from it.",
        code=f"`{code}`",
        seal=f"`{seal}`",
    )


def _command(name: str, say: Texts) -> str:
    return f"`/{say.named('table')} {say.named(name)}`"


async def _on_export(interaction: Interaction, control: Control) -> None:
    await export(interaction, control.table)


async def setup(bot: Tafelrunde) -> None:
    """Let the button of a record be pressed."""
    bot.presses["export"] = _on_export
