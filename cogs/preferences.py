"""``/preferences``: how a person wants to be told, and when not."""

from __future__ import annotations

from collections.abc import Coroutine
from dataclasses import replace
from datetime import datetime
from typing import Any

from discord import app_commands
from discord.ext import commands

from cogs import board
from cogs.actions import Interaction
from cogs.tafelrunde import Tafelrunde
from cogs.times import clock_face
from cogs.translator import L_, name_
from data.rows import PersonRow
from data.texts import Texts
from data.zones import places, zone_meant, zone_named, zones_like
from play.clock import check_quiet, read_wall_time
from play.table import Refused

ZONES_AT_MOST = 25
"""Discord's limit for autocompletion."""

SUGGESTIONS = 3

LANGUAGES = {"de": "Deutsch", "en": "English"}


class PreferencesCog(
    commands.GroupCog,
    group_name=name_("preferences"),
    group_description=L_("How you want to be told, and when not"),
):
    """``/preferences``."""

    def __init__(self, bot: Tafelrunde) -> None:
        self.bot = bot

    @app_commands.command(name=name_("show"), description=L_("Show your preferences"))
    async def show(self, interaction: Interaction) -> None:
        """Show the preferences."""
        await self.bot.attempt(interaction, self._show(interaction))

    @app_commands.command(name=name_("zone"), description=L_("Your time zone"))
    @app_commands.rename(zone=name_("zone"))
    @app_commands.describe(zone=L_("A city whose clocks show your time, such as Berlin"))
    async def zone(self, interaction: Interaction, zone: str) -> None:
        """Set the time zone."""
        await self.bot.attempt(interaction, self._set_zone(interaction, zone))

    @zone.autocomplete("zone")
    async def _zones(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        now = self.bot.tables.clock()
        language = self.bot.say(interaction).language
        return [
            app_commands.Choice(name=f"{city} ({name}) · {_time_in(name, now)}", value=name)
            for name, city in zones_like(typed, language, ZONES_AT_MOST)
        ]

    @app_commands.command(
        name=name_("quiet"), description=L_("Hours in which I do not remind you and clocks rest")
    )
    @app_commands.rename(begins=name_("since"), ends=name_("until"))
    @app_commands.describe(
        begins=L_("When they begin in your time zone, such as 22:00; left out: no quiet hours"),
        ends=L_("When they end, such as 7:30"),
    )
    async def quiet(
        self, interaction: Interaction, begins: str | None = None, ends: str | None = None
    ) -> None:
        """Set the quiet hours."""
        await self.bot.attempt(interaction, self._set_quiet(interaction, begins, ends))

    @app_commands.command(
        name=name_("dm"), description=L_("Be told by direct message, too, when it is your turn")
    )
    @app_commands.rename(wanted=name_("wanted"))
    @app_commands.describe(wanted=L_("Whether you want that"))
    async def dm(self, interaction: Interaction, wanted: bool) -> None:
        """Choose direct messages."""
        await self.bot.attempt(interaction, self._change(interaction, dm_too=wanted))

    # -- inside
    def _set_zone(self, interaction: Interaction, typed: str) -> Coroutine[Any, Any, None]:
        async def act() -> None:
            language = self.bot.say(interaction).language
            zone = zone_meant(typed)
            if zone is None:
                near = zones_like(typed, language, SUGGESTIONS)
                raise Refused("unknown_zone", text=typed, near=[city for _, city in near])
            await self._change(interaction, zone=zone)

        return act()

    def _set_quiet(
        self, interaction: Interaction, begins: str | None, ends: str | None
    ) -> Coroutine[Any, Any, None]:
        async def act() -> None:
            if begins is None and ends is None:
                await self._change(interaction, quiet_from=None, quiet_to=None)
                return
            if begins is None or ends is None:
                raise Refused("half_quiet")
            if (await self.bot.store.person(interaction.user.id)).zone is None:
                raise Refused("zone_first")
            since, until = read_wall_time(begins), read_wall_time(ends)
            check_quiet(since, until)
            await self._change(interaction, quiet_from=since, quiet_to=until)

        return act()

    async def _show(self, interaction: Interaction) -> None:
        person = await self.bot.store.person(interaction.user.id)
        say = self.bot.say(interaction)
        text = preferences_in_words(person, self.bot.tables.clock(), say)
        await self.bot.door.answer(interaction, board.note_view(text))

    async def _change(self, interaction: Interaction, **changes: Any) -> None:
        """Change what is named, reckon clocks anew, and show everything."""
        await self.bot.door.defer(interaction)
        person = await self.bot.store.change_person(
            interaction.user.id, lambda known: replace(known, **changes)
        )
        changed = await self.bot.keeper.follow_person(person.person_id)
        self.bot.later(self.bot.herald.refresh_all(changed))
        say = self.bot.say(interaction)
        text = preferences_in_words(person, self.bot.tables.clock(), say)
        if changes.get("dm_too") and not await self.bot.door.can_dm(person.person_id):
            text += "\n" + say(
                "For that, please allow direct messages from members of this server."
            )
        await self.bot.door.answer(interaction, board.note_view(text))


def preferences_in_words(person: PersonRow, now: datetime, say: Texts) -> str:
    """The preferences of a person, one to a line."""
    dm = say("yes") if person.dm_too else say("no")
    return "\n".join(
        [
            f"### {say('Your preferences')}",
            "- "
            + say("Language: {language}, as your Discord is set", language=LANGUAGES[say.language]),
            "- " + say("Time zone: {zone}", zone=_zone_in_words(person.zone, now, say)),
            "- " + say("Quiet hours: {hours}", hours=quiet_in_words(person, say)),
            "- " + say("By direct message, too, when it is your turn: {answer}", answer=dm),
            "-# "
            + say(
                "In quiet hours I do not remind you, and your clock rests as long as the server"
                " allows."
            ),
        ]
    )


def quiet_in_words(person: PersonRow, say: Texts) -> str:
    """When a person's quiet hours are."""
    if person.quiet_from is None or person.quiet_to is None:
        return say("none")
    begins, ends = clock_face(person.quiet_from), clock_face(person.quiet_to)
    return say("from {begins} to {ends}", begins=begins, ends=ends)


def _zone_in_words(zone: str | None, now: datetime, say: Texts) -> str:
    if zone is None:
        return say("not chosen yet")
    city = places(say.language).get(zone, zone)
    return say("{zone}, where it is {time} now", zone=city, time=_time_in(zone, now))


def _time_in(zone: str, now: datetime) -> str:
    return f"{now.astimezone(zone_named(zone)):%H:%M}"


async def setup(bot: Tafelrunde) -> None:
    """Add the commands to the bot."""
    await bot.add_cog(PreferencesCog(bot))
