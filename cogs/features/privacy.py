"""``/privacy``: what is known about a person, who may see it, and how it is deleted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from discord.ext import commands

from cogs.features.acting import Acting
from cogs.features.feature import Feature, command, press
from cogs.gateway.cards import Button, Card, Style, rows_of
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.translator import L_, name_
from data.store.privacy import Kept
from data.store.rows import PersonRow
from data.texts import LANGUAGES, N_, Texts
from play.clock import wall_time
from play.ladder import STAND_IN
from play.privacy import Leaving, Privacy, pseudonym_code

CONSEQUENCES = {
    Leaving.CLOSES: N_("{table}: you have opened it, so it is closed."),
    Leaving.LEAVES: N_("{table}: you leave it before it starts."),
    Leaving.LOSES: N_("{table}: you resign, and the other one wins."),
    Leaving.ENDS: N_("{table}: nobody else plays there, so it ends."),
    Leaving.REPLACED: N_("{table}: a computer player goes on in your seat."),
}
"""What standing up means for a table."""

NAMED_AT_MOST = 20
"""So many tables are named in the question; more would not fit into a message."""


class PrivacyCog(Feature, commands.Cog):
    """``/privacy``."""

    def __init__(self, acting: Acting) -> None:
        super().__init__(acting)
        self._privacy = Privacy(acting.tables)

    @command(name_("privacy"), L_("What I know about you, and how to delete it"))
    async def privacy(self, interaction: Interaction) -> None:
        """Show what is known."""
        await self.replies.defer(interaction)
        await self.replies.answer(interaction, await self._overview(interaction))

    # -- presses
    @press("remember")
    async def remember(self, interaction: Interaction, _control: Control) -> None:
        """Go back to the overview; nothing is deleted."""
        await self.replies.update(interaction, await self._overview(interaction))

    @press("unlist")
    async def unlist(self, interaction: Interaction, control: Control) -> None:
        """Hide the person's statistics, or show them again."""
        await self._privacy.set_unlisted(interaction.user.id, control.argument == "yes")
        await self.replies.update(interaction, await self._overview(interaction))

    @press("askforget")
    async def ask(self, interaction: Interaction, _control: Control) -> None:
        """Say what deleting would do, and ask whether that is meant."""
        say = self.say(interaction)
        words_of = self.words_of
        departures = [
            (f"{say(words_of(d.table).title)} `{d.table.row.code}`", d.leaving)
            for d in await self._privacy.departures(interaction.user.id)
        ]
        text = "\n".join(warning_in_words(departures, say))
        buttons = [
            Button(Control(0, 0, "forget"), say("Delete everything"), Style.DANGER),
            Button(Control(0, 0, "remember"), say("No, keep it")),
        ]
        await self.replies.update(interaction, Card((text,), rows_of(buttons)))

    @press("forget")
    async def forget(self, interaction: Interaction, _control: Control) -> None:
        """Stand up everywhere, and delete."""
        await self.replies.defer_update(interaction)
        person = interaction.user.id
        for departure in await self._privacy.departures(person):
            await self._privacy.stand_up(departure, person, STAND_IN)
        say = self.say(interaction)
        pseudonym = say("Unknown {code}", code=pseudonym_code())
        await self.acting.unlearn(person)
        await self._privacy.forget(person, pseudonym, STAND_IN)
        text = say("Done: I know nothing about you any more. The next thing you do here is new.")
        await self.replies.update(interaction, Card((text,)))

    # -- screens
    async def _overview(self, interaction: Interaction) -> Card:
        say = self.say(interaction)
        person = await self.settings.person(interaction.user.id)
        kept = await self.acting.tables.store.privacy.kept(person.person_id)
        unlisted = await self._privacy.is_unlisted(person.person_id)
        lines = known_in_words(person, kept, unlisted, say)
        change = Control(0, 0, "unlist", "no" if unlisted else "yes")
        label = say("Show my statistics") if unlisted else say("Hide my statistics")
        delete = Button(Control(0, 0, "askforget"), say("Delete everything …"), Style.DANGER)
        return Card(("\n".join(lines),), rows_of([Button(change, label), delete]))


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
        yield say("Language: {language}", language=LANGUAGES[person.language].name)
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
    for table, leaving in departures[:NAMED_AT_MOST]:
        yield f"- {say(CONSEQUENCES[leaving], table=table)}"
    more = len(departures) - NAMED_AT_MOST
    if more > 0:
        yield "- " + say.plural(
            "{n} more table: you stand up there, too.",
            "{n} more tables: you stand up there, too.",
            more,
        )
    yield say(
        "Your settings, ratings and statistics are deleted. In matches of the past your name gives"
        " way to a made-up one, so that the others can still look at them. Messages that stand in"
        " channels already stay as they are. This cannot be undone."
    )
