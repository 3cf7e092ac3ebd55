"""``/privacy``: the data stored about a person, who may see it, and how to delete it."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from datetime import datetime
from typing import Any

from discord.ext import commands, tasks

from cogs.features.acting import Acknowledge, Acting
from cogs.features.feature import Feature, command, press
from cogs.features.preferences import PREFERENCES
from cogs.gateway.cards import Attached, Attachment, Button, Card, Style, rows_of
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.translator import L_, name_
from cogs.present.times import day
from data.store.privacy import RememberedCounts, pseudonym_code
from data.store.rows import PersonRow
from data.texts import LANGUAGES, N_, Texts
from play.daily import day_of
from play.disclosure import disclosed
from play.guard import guarded
from play.privacy import LeavingEffect, Privacy
from play.table import Refused

CONSEQUENCES = {
    LeavingEffect.CLOSES: N_("{table}: you opened it, so it closes."),
    LeavingEffect.LEAVES: N_("{table}: you leave it before it starts."),
    LeavingEffect.LOSES: N_("{table}: you resign, and your opponent wins."),
    LeavingEffect.ENDS: N_("{table}: nobody else plays there, so it ends."),
    LeavingEffect.REPLACED: N_("{table}: a computer player takes over your seat."),
}
"""What deleting a person's data means for a table, in words."""

DELETING = N_("I am deleting everything about you. With many tables this takes a few minutes.")

NAMED_AT_MOST = 20
"""How many tables the warning lists; more would not fit into a message."""


FILE_LIMIT = 8_000_000
"""Files of up to this many bytes are sent uncompressed; Discord accepts 10 MiB."""

OPERATOR_LIMIT = 200
"""How many characters of the operator's own text are shown."""


class PrivacyCog(Feature, commands.Cog):
    """``/privacy``.

    :param operator: the people who run the bot, and how to contact them; may be empty.
    """

    def __init__(self, acting: Acting, privacy: Privacy, operator: str) -> None:
        super().__init__(acting)
        self._privacy = privacy
        self._operator = operator
        self._at_work: set[int] = set()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Start the periodic deletion."""
        if not self.tidy.is_running():
            self.tidy.start()

    async def cog_unload(self) -> None:
        """Stop the periodic deletion."""
        self.tidy.cancel()

    @tasks.loop(minutes=10)
    async def tidy(self) -> None:
        """Finish incomplete deletions, and delete expired match records and the marks of past days
        (see ``data.store.riddles.keep_begun``). It runs in its own loop, because deadlines must not
        wait for it.
        """
        for work in (self._privacy.carry_on, self._let_go):
            with guarded("background_work_failed"):
                await work()

    async def _let_go(self) -> None:
        now, store = self.tables.clock(), self.tables.store
        await store.records.let_go(now)
        await store.riddles.let_go(day_of(now))

    @command(name_("privacy"), L_("What I know about you, and how to delete it"))
    async def privacy(self, interaction: Interaction) -> None:
        """Show the data stored about the person."""
        await self.replies.defer(interaction)
        await self.replies.answer(interaction, await self._overview(interaction))

    # -- presses
    @press("remember", Acknowledge.PRIVATELY)
    async def remember(self, interaction: Interaction, _control: Control) -> None:
        """Go back to the overview and delete nothing."""
        await self.replies.acknowledge_privately(interaction)
        await self.replies.show(interaction, await self._overview(interaction))

    @press("unlist", Acknowledge.PRIVATELY)
    async def unlist(self, interaction: Interaction, control: Control) -> None:
        """Hide the person's statistics, or show them again."""
        await self.replies.acknowledge_privately(interaction)
        await self._privacy.set_unlisted(interaction.user.id, control.argument == "yes")
        await self.replies.show(interaction, await self._overview(interaction))

    @press("disclose", Acknowledge.THINKING)
    async def disclose(self, interaction: Interaction, _control: Control) -> None:
        """Send the person all data stored about them, as a file."""
        await self.replies.defer(interaction)
        person, say = interaction.user.id, self.say(interaction)
        if person in self._at_work:
            raise Refused("at_it_already")
        self._at_work.add(person)
        try:
            file = await asyncio.to_thread(in_a_file, await disclosed(self.tables, person))
        finally:
            self._at_work.discard(person)
        text = say(
            "Everything I know about you. It includes your hands in running matches; do not show"
            " it to the other players."
        )
        await self.replies.answer(interaction, Card((text, Attached(file)), framed=False))

    @press("askforget", Acknowledge.PRIVATELY)
    async def ask(self, interaction: Interaction, _control: Control) -> None:
        """Explain what deleting would do, and ask for confirmation."""
        await self.replies.acknowledge_privately(interaction)
        say = self.say(interaction)
        words_of = self.words_of
        departures = [
            (f"{say(words_of(d.table).title)} `{d.table.row.code}`", d.leaving)
            for d in await self._privacy.departures(interaction.user.id)
        ]
        text = "\n".join(warning_in_words(departures, say))
        buttons = [
            Button(Control.apart("forget"), say("Delete everything"), Style.DANGER),
            Button(Control.apart("remember"), say("No, keep it")),
        ]
        await self.replies.show(interaction, Card((text,), rows_of(buttons)))

    @press("forget", Acknowledge.PRIVATELY)
    async def forget(self, interaction: Interaction, _control: Control) -> None:
        """Leave every table, and delete everything."""
        say = self.say(interaction)
        await self.replies.show(interaction, Card((say(DELETING),)))
        person = interaction.user.id
        pseudonym = say("Unknown {code}", code=pseudonym_code())
        await self.acting.unlearn(person)
        await self._privacy.forget(person, pseudonym)
        text = say("Done: I have deleted your data.")
        await self.replies.show(interaction, Card((text,)))

    # -- screens
    async def _overview(self, interaction: Interaction) -> Card:
        say = self.say(interaction)
        person = await self.settings.person(interaction.user.id)
        if await self._privacy.is_being_forgotten(person.person_id):
            return Card((say(DELETING),))
        kept = await self.acting.tables.store.privacy.kept(person.person_id)
        unlisted = await self._privacy.is_unlisted(person.person_id)
        lines = [
            *known_in_words(person, kept, unlisted, say, self.tables.clock()),
            *policy_in_words(self._operator, say),
        ]
        change = Control.apart("unlist", "no" if unlisted else "yes")
        label = say("Show my statistics") if unlisted else say("Hide my statistics")
        buttons = [
            Button(Control.apart("disclose"), say("Get it as a file")),
            Button(change, label),
            Button(Control.apart("askforget"), say("Delete everything…"), Style.DANGER),
        ]
        return Card(("\n".join(lines),), rows_of(buttons))


def in_a_file(known: Mapping[str, Any]) -> Attachment:
    """Return plain data as a JSON file, compressed if it is large."""
    data = json.dumps(known, ensure_ascii=False, indent=1).encode()
    if len(data) <= FILE_LIMIT:
        return Attachment("tafelrunde.json", data)
    return Attachment("tafelrunde.json.gz", gzip.compress(data))


# ------------------------------------------------------------------------------- words
def known_in_words(
    person: PersonRow, kept: RememberedCounts, unlisted: bool, say: Texts, now: datetime
) -> Iterator[str]:
    """List the data stored about a person, one line for each kind; kinds without data are
    omitted.
    """
    yield f"### {say('What I know about you')}"
    yield say("Your Discord number, {id}, and with it:", id=f"`{person.person_id}`")
    amounts = [  # in the order of the fields of ``RememberedCounts``
        say.plural("{n} table, with your name", "{n} tables, with your name", kept.tables),
        say.plural("{n} move", "{n} moves", kept.moves),
        say.plural("{n} planned move", "{n} planned moves", kept.plans),
        say.plural("{n} message to you", "{n} messages to you", kept.messages),
        say.plural("{n} table that you follow", "{n} tables that you follow", kept.followed),
        say.plural("{n} record that you uploaded", "{n} records that you uploaded", kept.records),
        say.plural("{n} lesson step solved", "{n} lesson steps solved", kept.steps),
        say.plural("{n} riddle of the day tried", "{n} riddles of the day tried", kept.riddles),
        say.plural("{n} deal of the day played", "{n} deals of the day played", kept.deals),
        say.plural(
            "{n} tournament or other event, with your name",
            "{n} tournaments and other events, with your name",
            kept.occasions,
        ),
        say.plural("{n} trophy", "{n} trophies", kept.trophies),
    ]
    known = [text for n, text in zip(astuple(kept), amounts, strict=True) if n]
    yield from (f"- {each}" for each in (*settings_in_words(person, say, now), *known))
    yield "- " + (
        say("Your ratings and statistics are hidden from everybody else.")
        if unlisted
        else say("Your ratings and statistics come from your matches; everybody may see them.")
    )


def policy_in_words(operator: str, say: Texts) -> Iterator[str]:
    """Say what the bot does with the data: ``docs/privacy.md`` in brief.

    :param operator: the people who run the bot; may be empty.
    """
    yield f"### {say('What I do with it')}"
    yield "- " + say("I use it for the games, and for nothing else. I do not share it with anyone.")
    yield "- " + say(
        "Wherever you play, people see your name, moves and results, and your statistics unless you"
        " hide them; they see hidden hands only after the match."
    )
    yield "- " + say(
        "Your data stays until you delete it; a record that you uploaded stays for at most 30 days"
        " after you last viewed it."
    )
    yield "- " + say(
        "The person who runs me can read it. Backups and logs may keep deleted data for a while."
    )
    if operator:
        yield "- " + say("I am run by {operator}.", operator=operator[:OPERATOR_LIMIT])


def settings_in_words(person: PersonRow, say: Texts, now: datetime) -> Iterator[str]:
    """Yield a person's settings that differ from the defaults."""
    if person.language is not None:
        yield say("Language: {language}", language=LANGUAGES[person.language].name)
    usual = PersonRow(person.person_id)
    for setting in PREFERENCES:
        if setting.words(person, say, now) != setting.words(usual, say, now):
            yield setting.line(person, say, now)
    if person.away:
        yield say.plural(
            "{n} holiday, until {day}",
            "{n} holidays, the last one until {day}",
            len(person.away),
            day=day(person.away[-1][1]),
        )
    if person.blocked_ids:
        yield say.plural("{n} person blocked", "{n} people blocked", len(person.blocked_ids))
    if person.dm_closed:
        yield say("When I last tried, I could not reach you by direct message.")


def warning_in_words(departures: Sequence[tuple[str, LeavingEffect]], say: Texts) -> Iterator[str]:
    """Say what deleting everything does.

    :param departures: the tables that the person would leave, in words, each with the effect of
        leaving it.
    """
    yield f"### {say('Delete everything about you?')}"
    for table, leaving in departures[:NAMED_AT_MOST]:
        yield f"- {say(CONSEQUENCES[leaving], table=table)}"
    more = len(departures) - NAMED_AT_MOST
    if more > 0:
        yield "- " + say.plural(
            "{n} more table: you leave it, too.",
            "{n} more tables: you leave them, too.",
            more,
        )
    yield say(
        "Your settings are deleted, and past matches and ratings show a made-up name. Messages in"
        " channels stay. This cannot be undone."
    )
