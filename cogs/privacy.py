"""``/privacy``: what is known about a person, who may see it, and how it is deleted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import discord
from discord import app_commands, ui
from discord.ext import commands

from cogs import board
from cogs.actions import Interaction
from cogs.controls import Control, Press
from cogs.tafelrunde import Tafelrunde
from cogs.translator import L_, name_
from data.privacy import Kept
from data.rows import PersonRow, Status
from data.texts import N_, Texts
from play.clock import wall_time
from play.computers import STAND_IN
from play.privacy import Leaving, Privacy, pseudonym_code

Style = discord.ButtonStyle

LANGUAGES = {"de": "Deutsch", "en": "English"}

CONSEQUENCES = {
    Leaving.CLOSES: N_("{table}: you have opened it, so it is closed."),
    Leaving.LEAVES: N_("{table}: you leave it before it starts."),
    Leaving.LOSES: N_("{table}: you resign, and the other one wins."),
    Leaving.ENDS: N_("{table}: nobody else plays there, so it ends."),
    Leaving.REPLACED: N_("{table}: a computer player goes on in your seat."),
}
"""What standing up means for a table."""


class PrivacyCog(commands.Cog):
    """``/privacy``."""

    def __init__(self, bot: Tafelrunde) -> None:
        self.bot = bot
        self._privacy = Privacy(bot.tables)

    @app_commands.command(
        name=name_("privacy"), description=L_("What I know about you, and how to delete it")
    )
    async def privacy(self, interaction: Interaction) -> None:
        """Show what is known."""
        await self.bot.attempt(interaction, self._privacy_command(interaction))

    async def _privacy_command(self, interaction: Interaction) -> None:
        await self.bot.door.defer(interaction)
        await self.bot.door.answer(interaction, await self._overview(interaction))

    # -- presses
    async def remember(self, interaction: Interaction, _control: Control) -> None:
        """Go back to the overview; nothing is deleted."""
        await self.bot.door.update(interaction, await self._overview(interaction))

    async def unlist(self, interaction: Interaction, control: Control) -> None:
        """Hide the person's statistics, or show them again."""
        await self._privacy.set_unlisted(interaction.user.id, control.argument == "yes")
        await self.bot.door.update(interaction, await self._overview(interaction))

    async def ask(self, interaction: Interaction, _control: Control) -> None:
        """Say what deleting would do, and ask whether that is meant."""
        say = self.bot.say(interaction)
        departures = [
            (f"{say(self.bot.words_of(d.table).title)} `{d.table.row.code}`", d.leaving)
            for d in await self._privacy.departures(interaction.user.id)
        ]
        text = "\n".join(warning_in_words(departures, say))
        buttons = [
            Press(Control(0, 0, "forget"), say("Delete everything"), Style.danger),
            Press(Control(0, 0, "remember"), say("No, keep it")),
        ]
        await self.bot.door.update(interaction, board.buttons_view(text, buttons))

    async def forget(self, interaction: Interaction, _control: Control) -> None:
        """Stand up everywhere, and delete."""
        await self.bot.door.defer_update(interaction)
        person = interaction.user.id
        for departure in await self._privacy.departures(person):
            table = await self._privacy.stand_up(departure, person, STAND_IN)
            if departure.table.row.status is Status.LOBBY:
                await self.bot.herald.show_lobby(table.id)
            elif departure.table.running and departure.table.seat_of(person) is not None:
                await self.bot.herald.tell_resigned(table, person)
        say = self.bot.say(interaction)
        pseudonym = say("Unknown {code}", code=pseudonym_code())
        await self._privacy.forget(person, pseudonym, STAND_IN)
        text = say("Done: I know nothing about you any more. The next thing you do here is new.")
        await self.bot.door.update(interaction, board.note_view(text))

    # -- screens
    async def _overview(self, interaction: Interaction) -> ui.LayoutView:
        say = self.bot.say(interaction)
        person = await self.bot.store.person(interaction.user.id)
        kept = await self._privacy.kept(person.person_id)
        unlisted = await self._privacy.is_unlisted(person.person_id)
        lines = known_in_words(person, kept, unlisted, say)
        change = Control(0, 0, "unlist", "no" if unlisted else "yes")
        label = say("Show my statistics") if unlisted else say("Hide my statistics")
        delete = Control(0, 0, "askforget")
        return board.buttons_view(
            "\n".join(lines),
            [Press(change, label), Press(delete, say("Delete everything …"), Style.danger)],
        )


# ------------------------------------------------------------------------------- words
def known_in_words(person: PersonRow, kept: Kept, unlisted: bool, say: Texts) -> Iterator[str]:
    """What is known about a person, one line each."""
    yield f"### {say('What I know about you')}"
    yield say("Your Discord number, {id}, and with it:", id=f"`{person.person_id}`")
    amounts = [
        say.plural("{n} table, with your name", "{n} tables, with your name", kept.tables),
        say.plural("{n} move", "{n} moves", kept.moves),
        say.plural("{n} planned move", "{n} planned moves", kept.plans),
        say.plural("{n} message to you", "{n} messages to you", kept.messages),
        say.plural("{n} table that you follow", "{n} tables that you follow", kept.followed),
        say.plural("{n} record that you brought", "{n} records that you brought", kept.records),
    ]
    yield from (f"- {known}" for known in (*settings_in_words(person, say), *amounts))
    yield "- " + (
        say("Your ratings and statistics are hidden from everybody else.")
        if unlisted
        else say("Your ratings and statistics are computed from your matches; everybody may ask.")
    )


def settings_in_words(person: PersonRow, say: Texts) -> Iterator[str]:
    """The settings of a person that are not the usual ones."""
    if person.language is not None:
        yield say("Language: {language}", language=LANGUAGES[person.language])
    if person.zone is not None:
        yield say("Time zone: {zone}", zone=f"`{person.zone}`")
    if person.quiet_from is not None and person.quiet_to is not None:
        begins, ends = (f"{wall_time(m):%H:%M}" for m in (person.quiet_from, person.quiet_to))
        yield say("Quiet hours: {begins} to {ends}", begins=begins, ends=ends)
    if person.dm_too:
        yield say("You are told by direct message, too, when it is your turn.")
    if person.dm_closed:
        yield say("My last direct message did not reach you.")


def warning_in_words(departures: Sequence[tuple[str, Leaving]], say: Texts) -> Iterator[str]:
    """What deleting everything does.

    :param departures: the tables to stand up from, in words.
    """
    yield f"### {say('Delete everything about you?')}"
    yield from (f"- {say(CONSEQUENCES[leaving], table=table)}" for table, leaving in departures)
    yield say(
        "Your settings, ratings and statistics are deleted. In matches of the past your name gives"
        " way to a made-up one, so that the others can still look at them. Messages that stand in"
        " channels already stay as they are. This cannot be undone."
    )


async def setup(bot: Tafelrunde) -> None:
    """Add the command to the bot, and let its buttons be pressed."""
    cog = PrivacyCog(bot)
    bot.presses["unlist"] = cog.unlist
    bot.presses["askforget"] = cog.ask
    bot.presses["forget"] = cog.forget
    bot.presses["remember"] = cog.remember
    await bot.add_cog(cog)
