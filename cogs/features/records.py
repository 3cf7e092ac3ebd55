"""Match records: export, import, and the proof that a match was fair."""

from __future__ import annotations

import discord

import play.records
from cogs.features.acting import Acknowledge, Acting
from cogs.features.feature import Feature, button, table_command
from cogs.features.replays import Replays
from cogs.gateway.cards import Attached, Attachment, Card
from cogs.gateway.components import Interaction
from cogs.gateway.failures import Failure
from cogs.gateway.translator import L_, name_
from data.texts import Texts
from games.engine import CHANCE
from games.records import BY_LOT, PLAYED, SIZE_LIMIT, FaultyRecord, Record, written
from play.table import Refused, Table

SCRIPT = "scripts/verify"
"""The script that anyone can use to check a record."""


class RecordFiles(Feature):
    """Exports, imports and verifies match records."""

    def __init__(self, acting: Acting, replays: Replays) -> None:
        super().__init__(acting)
        self._replays = replays
        self._records = play.records.Records(acting.tables)

    @table_command(name_("export"), L_("Export a match as a text file"))
    @button("export", Acknowledge.THINKING)
    async def export(self, interaction: Interaction, table_id: int) -> None:
        """Send the record of a match, to this person only."""
        await self.replies.defer(interaction)
        record = play.records.record_of(await self.tables.get(table_id))
        say = self.say(interaction)
        file = Attachment(f"{record.game}-{record.table}.txt", written(record).encode())
        text = say(
            "The record of table {code}. View it with {command}; check it with {script}.",
            code=f"`{record.table}`",
            command=_command("import", say),
            script=f"`{SCRIPT}`",
        )
        card = Card((text, Attached(file)), framed=False)
        await self.replies.answer(interaction, card)

    @table_command(
        name_("import"),
        L_("View a match from its record"),
        file=(name_("file"), L_("A record made by “export”")),
    )
    async def bring(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Import a record, and show its replay."""
        await self.replies.defer(interaction)
        if file.size > SIZE_LIMIT:
            raise play.records.RefusedRecord(FaultyRecord("too_large", 1, limit=SIZE_LIMIT))
        data = await self.acting.gateway.download(file)
        if isinstance(data, Failure):
            raise Refused("no_download")
        record_id = await self._records.bring(interaction.user.id, data)
        await self._replays.open_record(interaction, record_id)

    @table_command(name_("verify"), L_("Check that a match was fair"))
    @button("proof", Acknowledge.THINKING)
    async def verify(self, interaction: Interaction, table_id: int) -> None:
        """Check a finished match. If its moves can no longer be replayed, reveal its secret; if the
        match is not over, show the seal, so that people can check the match later.
        """
        table = await self.tables.get(table_id)
        say = self.say(interaction)
        if not table.over:
            text = promise(table, say)
        elif table.unreadable:
            text = opened(table, say)
        else:
            text = proof(await self._records.prove(table), say)
        await self.replies.answer(interaction, text)


# ------------------------------------------------------------------------------- proofs
def proof(record: Record, say: Texts) -> str:
    """Say what was verified about a match."""
    draws = sum(event.seat == CHANCE for event in record.events)
    moves = len(record.events) - draws
    if record.seating == BY_LOT:
        seats = say("The seats were drawn from the seed.")
    else:
        seats = say("The seats follow the order of joining.")
    if record.how == PLAYED:
        end = say("The result follows from the moves.")
    else:
        end = say("The match stopped early; by the rules, its moves do not end it.")
    found = [
        *_origin(record, say),
        seats,
        say.plural("{n} lot follows from the seed.", "{n} lots follow from the seed.", draws),
        say.plural("{n} move was legal.", "{n} moves were legal.", moves),
        end,
    ]
    own = say(
        "To check everything yourself, use {command} and {script}.",
        command=_command("export", say),
        script=f"`{SCRIPT}`",
    )
    compare = say(
        "The drawing message shows the start of this seal: before that message was posted, "
        "nobody could know or choose the lots."
    )
    return "\n".join(
        [
            f"### {say('Table {code}: the record is valid', code=f'`{record.table}`')}",
            *(f"✓ {sentence}" for sentence in found),
            say("Secret: {secret}", secret=f"`{record.secret}`"),
            say("Seal: {seal}", seal=f"`{record.seal}`"),
            f"-# {compare} {own}",
        ]
    )


def _origin(record: Record, say: Texts) -> list[str]:
    """Say where the seed of the match came from."""
    return [
        say("The secret matches the seal."),
        say.plural(
            "The seed follows from the secret, {n} lucky word, and the drawing message ({time}).",
            "The seed follows from the secret, {n} lucky words, and the drawing message ({time}).",
            sum(map(bool, record.words)),
            time=posted(record.message),
        ),
    ]


def posted(message_id: int) -> str:
    """Say when a message was posted, which can be read from its id."""
    return discord.utils.format_dt(discord.utils.snowflake_time(message_id), "F")


def opened(table: Table, say: Texts) -> str:
    """For a match that can no longer be replayed, reveal what its lots were drawn from."""
    row = table.row
    compare = say("The seal is the SHA-256 of the secret; the drawing message shows its beginning.")
    return "\n".join(
        [
            f"### {say('Table {code}: the moves cannot be checked', code=f'`{row.code}`')}",
            say("I can no longer replay this match. Here is what its lots were drawn from."),
            say("Secret: {secret}", secret=f"`{row.secret}`"),
            say("Seed: {seed}", seed=f"`{row.seed}`"),
            say("Seal: {seal}", seal=f"`{table.seal}`"),
            f"-# {compare}",
        ]
    )


def promise(table: Table, say: Texts) -> str:
    """Show the seal that commits the bot to its secret, before and during a match."""
    code, seal = f"`{table.row.code}`", f"`{table.seal}`"
    if not table.started:
        return say(
            "The seal of table {code} is {seal}. The lots follow from its secret, the lucky "
            "words and the message posted at the start; after the match I will publish the secret.",
            code=code,
            seal=seal,
        )
    return say(
        "Table {code} is still running. Its seal is {seal}; its lots follow from its secret, the "
        "lucky words and the message posted at the start ({time}). After the match I will publish"
        " the secret, and you can check everything.",
        code=code,
        seal=seal,
        time=posted(table.drawn_by),
    )


def _command(name: str, say: Texts) -> str:
    return f"`/{say.named('table')} {say.named(name)}`"
