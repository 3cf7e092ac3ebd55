"""``/preferences`` and ``/server``: how a person, and how a server, wants things."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.features.acting import FORM_PATIENCE, Acting
from cogs.features.direct import ALLOW
from cogs.features.feature import CHOICES_AT_MOST, Choices, Feature, command
from cogs.gateway.cards import Card
from cogs.gateway.components import Interaction
from cogs.gateway.permissions import may_show, missing_permissions
from cogs.gateway.translator import L_, Marked, name_
from cogs.present.seasons import LENGTHS
from cogs.present.times import clock_face, day, moment
from data.store.problems import StoreProblem
from data.store.rows import PersonRow, ServerRow
from data.texts import LANGUAGES, N_, Texts
from data.zones import places, zone_meant, zone_named, zones_like
from play.away import away_until, back_on, gone, read_day, returned
from play.clock import check_quiet, read_wall_time
from play.occasions.daily import Arrange, Daily, DailyKind, daily_scope
from play.occasions.occasion import Occasion
from play.occasions.season import Playing
from play.occasions.seek import Recall, ShowIn, seek_scope, seeks_of
from play.seasons import Seasons
from play.table import Refused, refuse_if

SUGGESTIONS = 3
"""How many cities are suggested for an unknown one."""

MORNING = 8 * 60
"""When the daily posts come unless a server says otherwise, in minutes after midnight."""

AS_DISCORD_SAYS = "auto"
NO_SEASONS = "off"

DAYS_OFFERED = (1, 2, 3, 4, 5, 6, 7, 10, 14, 21, 28)
"""How far ahead are the days that are offered to come back, before anything is typed."""

DAYS_KNOWN = 60
"""So many days are looked through for what was typed."""

LANGUAGE_CHOICES = [
    *(app_commands.Choice(name=each.name, value=code) for code, each in LANGUAGES.items()),
    app_commands.Choice(name=L_("As Discord says"), value=AS_DISCORD_SAYS),
]


BOARDS = {"keep": N_("keep"), "fold": N_("fold to a line"), "delete": N_("delete")}
"""What may become of old boards and accounts."""


# ------------------------------------------------------------------------------ a person
class PreferencesCog(
    Feature,
    commands.GroupCog,
    group_name=name_("preferences"),
    group_description=L_("How you want to be told, and when not"),
):
    """``/preferences``."""

    @command(name_("show"), L_("Show your preferences"))
    async def show(self, interaction: Interaction) -> None:
        """Show the preferences."""
        await self._answer(interaction, await self.settings.person(interaction.user.id))

    @command(
        name_("zone"),
        L_("Your time zone"),
        zone=(name_("zone"), L_("A city whose clocks show your time, such as Berlin")),
    )
    async def zone(self, interaction: Interaction, zone: str) -> None:
        """Set the time zone."""
        await self._change(interaction, zone=zone_typed(zone, self.say(interaction)))

    @zone.autocomplete("zone")
    async def _zones(self, interaction: Interaction, typed: str) -> Choices:
        return zone_choices(typed, self.say(interaction), self.tables.clock())

    @command(
        name_("quiet"),
        L_("Hours in which I do not remind you and clocks rest"),
        begins=(
            name_("since"),
            L_("When they begin in your time zone, such as 22:00; left out: no quiet hours"),
        ),
        ends=(name_("until"), L_("When they end, such as 7:30")),
    )
    async def quiet(
        self, interaction: Interaction, begins: str | None = None, ends: str | None = None
    ) -> None:
        """Set the quiet hours."""
        if begins is None and ends is None:
            await self._change(interaction, quiet_from=None, quiet_to=None)
            return
        if begins is None or ends is None:
            raise Refused("half_quiet")
        if (await self.settings.person(interaction.user.id)).zone is None:
            raise Refused("zone_first")
        since, until = read_wall_time(begins), read_wall_time(ends)
        check_quiet(since, until)
        await self._change(interaction, quiet_from=since, quiet_to=until)

    @command(
        name_("away"),
        L_("Go on holiday: your clocks rest as long as the server allows"),
        until=(
            name_("until"),
            L_("The day on which you are back, such as 2026-12-03; left out: now"),
        ),
    )
    async def away(self, interaction: Interaction, until: str | None = None) -> None:
        """Go on holiday, or come back."""
        now, person = self.tables.clock(), await self.settings.person(interaction.user.id)
        if until is None:
            await self._rewrite(interaction, lambda known: returned(known, now))
            return
        zone = zone_named(person.zone)
        if zone is None:
            raise Refused("zone_first")
        day = read_day(until, now.astimezone(zone).date())
        back = back_on(day, zone, now)
        await self._rewrite(interaction, lambda known: gone(known, now, back))

    @away.autocomplete("until")
    async def _days(self, interaction: Interaction, typed: str) -> Choices:
        try:
            async with asyncio.timeout(FORM_PATIENCE):
                person = await self.settings.person(interaction.user.id)
        except (StoreProblem, TimeoutError):
            return []
        today = self.tables.clock().astimezone(zone_named(person.zone) or UTC).date()
        return day_choices(typed, today, self.say(interaction))

    @command(
        name_("dm"),
        L_("Be told by direct message, too, when it is your turn"),
        wanted=(name_("wanted"), L_("Whether you want that")),
    )
    async def dm(self, interaction: Interaction, wanted: bool) -> None:
        """Choose direct messages."""
        await self.replies.defer(interaction)
        closed = wanted and not await self.acting.direct.reach(interaction.user.id)
        await self._change(interaction, ALLOW if closed else None, dm_too=wanted)

    @command(
        name_("coach"),
        L_("Be asked before a move that loses clearly counts, except in rated matches"),
        wanted=(name_("wanted"), L_("Whether you want that")),
    )
    async def coach(self, interaction: Interaction, wanted: bool) -> None:
        """Choose the coach."""
        await self._change(interaction, coach=wanted)

    # -- inside
    async def _change(
        self, interaction: Interaction, advice: str | None = None, **changes: Any
    ) -> None:
        """Change what is named; ``advice`` as for ``_rewrite``."""
        await self._rewrite(interaction, lambda person: replace(person, **changes), advice)

    async def _rewrite(
        self,
        interaction: Interaction,
        change: Callable[[PersonRow], PersonRow],
        advice: str | None = None,
    ) -> None:
        """Change the preferences, reckon clocks anew, and show everything.

        :param advice: what the person is told besides.
        """
        await self.replies.defer(interaction)
        person = await self.settings.change_person(interaction.user.id, change)
        await self.tables.reckon(await self.tables.store.tables.of_person(person.person_id))
        await self._answer(interaction, person, advice)

    async def _answer(
        self, interaction: Interaction, person: PersonRow, advice: str | None = None
    ) -> None:
        say = self.say(interaction)
        text = preferences_in_words(person, self.tables.clock(), say)
        text += f"\n{say(advice)}" if advice else ""
        await self.replies.answer(interaction, Card((text,)))


def zone_typed(typed: str, say: Texts) -> str:
    """The name of the zone that somebody has typed.

    :raises Refused: ``unknown_zone``.
    """
    meant = zone_meant(typed)
    if meant is None:
        near = zones_like(typed, say.language, SUGGESTIONS)
        raise Refused("unknown_zone", text=typed, near=[city for _, city in near])
    return meant


def zone_choices(typed: str, say: Texts, now: datetime) -> Choices:
    """What autocompletion offers for a zone."""
    return [
        app_commands.Choice(name=f"{city} ({name}) · {_time_in(name, now)}", value=name)
        for name, city in zones_like(typed, say.language, CHOICES_AT_MOST)
    ]


def preferences_in_words(person: PersonRow, now: datetime, say: Texts) -> str:
    """The preferences of a person, one to a line."""
    dm, coach = (say("yes") if on else say("no") for on in (person.dm_too, person.coach))
    language = LANGUAGES[say.language].name
    return "\n".join(
        [
            f"### {say('Your preferences')}",
            "- " + say("Language: {language}, as your Discord is set", language=language),
            "- " + say("Time zone: {zone}", zone=_zone_in_words(person.zone, now, say)),
            "- " + say("Quiet hours: {hours}", hours=quiet_in_words(person, say)),
            "- " + say("Holidays: {until}", until=_away_in_words(person, now, say)),
            "- " + say("By direct message, too, when it is your turn: {answer}", answer=dm),
            "- " + say("Coach, who asks before a move that loses clearly: {answer}", answer=coach),
            "-# "
            + say(
                "In quiet hours and on holiday I do not remind you, and your clock rests as long as"
                " the server allows."
            ),
        ]
    )


def quiet_in_words(person: PersonRow, say: Texts) -> str:
    """When a person's quiet hours are."""
    if person.quiet_from is None or person.quiet_to is None:
        return say("none")
    begins, ends = clock_face(person.quiet_from), clock_face(person.quiet_to)
    return say("from {begins} to {ends}", begins=begins, ends=ends)


def _away_in_words(person: PersonRow, now: datetime, say: Texts) -> str:
    until = away_until(person, now)
    return say("no") if until is None else say("until {day}", day=day(until))


def day_choices(typed: str, today: date, say: Texts) -> Choices:
    """The day that was typed, and those to come whose words contain it; at first, some of them."""
    wanted = typed.strip().casefold()
    ahead = range(1, DAYS_KNOWN) if wanted else DAYS_OFFERED
    days = [today + timedelta(days=n) for n in ahead]
    fitting = [day for day in days if wanted in f"{day} {say.day(day)}".casefold()]
    with suppress(Refused):
        day = read_day(typed, today)
        back_on(day, UTC, datetime.combine(today, time(), UTC))
        fitting.insert(0, day)
    return [
        app_commands.Choice(name=say.day(day), value=f"{day}")
        for day in dict.fromkeys(fitting[:CHOICES_AT_MOST])
    ]


def _zone_in_words(zone: str | None, now: datetime, say: Texts) -> str:
    if zone is None:
        return say("not chosen yet")
    city = places(say.language).get(zone, zone)
    return say("{zone}, where it is {time} now", zone=city, time=_time_in(zone, now))


def _time_in(zone: str, now: datetime) -> str:
    return f"{now.astimezone(zone_named(zone)):%H:%M}"


# ------------------------------------------------------------------------------ a server
@app_commands.default_permissions(manage_guild=True)
@app_commands.guild_only()
class ServerCog(
    Feature,
    commands.GroupCog,
    group_name=name_("server"),
    group_description=L_("How this server wants its tables"),
):
    """``/server``.

    :param seasons: how the server plays in them.
    """

    def __init__(self, acting: Acting, seasons: Seasons) -> None:
        super().__init__(acting)
        self._seasons = seasons

    @command(name_("show"), L_("Show this server's settings"))
    async def show(self, interaction: Interaction) -> None:
        """Show the settings."""
        await self._answer(interaction, await self.settings.server(interaction.guild_id or 0))

    @command(
        name_("language"),
        L_("The language of boards and announcements"),
        language=(name_("language"), L_("The language of this server")),
    )
    @app_commands.choices(language=LANGUAGE_CHOICES)
    async def language(self, interaction: Interaction, language: str) -> None:
        """Set the language."""
        await self._change(interaction, language=None if language == AS_DISCORD_SAYS else language)

    @command(
        name_("channel"),
        L_("Allow tables in this channel, or no longer"),
        channel=(name_("channel"), L_("The channel; its threads count with it")),
        allowed=(
            name_("allowed"),
            L_("Whether tables may be opened there; while no channel is named, all are free"),
        ),
    )
    async def channel(
        self, interaction: Interaction, channel: discord.TextChannel, allowed: bool = True
    ) -> None:
        """Allow or forbid a channel."""

        def change(server: ServerRow) -> ServerRow:
            others = tuple(c for c in server.channels if c != channel.id)
            return replace(server, channels=(*others, channel.id) if allowed else others)

        await self._rewrite(interaction, change)

    @command(
        name_("daily"),
        L_("Post the riddle and the deal of the day in a channel, or no longer"),
        channel=(name_("channel"), L_("The channel; left out: this one")),
        at=(name_("at"), L_("When, such as 8:00")),
        zone=(name_("zone"), L_("A city whose clocks count, such as Berlin")),
        wanted=(name_("wanted"), L_("Whether you want that")),
    )
    async def daily(
        self,
        interaction: Interaction,
        channel: discord.TextChannel | None = None,
        at: str | None = None,
        zone: str | None = None,
        wanted: bool = True,
    ) -> None:
        """Arrange the daily posts."""
        say, now, server = self.say(interaction), self.tables.clock(), interaction.guild_id or 0
        known = await self.occasions.of_scope(daily_scope(server))
        person = await self.settings.person(interaction.user.id)
        before = Daily(zone=person.zone or "UTC", minutes=MORNING) if known is None else known.state
        place = interaction.channel_id or 0 if known is None else known.channel_id
        state = replace(
            before,
            wanted=wanted,
            zone=before.zone if zone is None else zone_typed(zone, say),
            minutes=before.minutes if at is None else read_wall_time(at),
        )
        if channel is not None:
            place = channel.id
            refuse_if(wanted and not may_show(channel), "not_posted", channel=place)
        elif known is None:
            refuse_if(wanted and missing_permissions(interaction), "not_posted", channel=place)
        if known is not None:
            arranging = Arrange(interaction.user.id, place, state.zone, state.minutes, wanted)
            await self.occasions.act(known.id, replace(arranging, interaction_id=interaction.id))
        elif wanted:
            texts = await self.acting.server_texts(interaction)
            await self.occasions.open(
                DailyKind.NAME,
                state.begun(now),
                guild_id=server,
                channel_id=place,
                language=texts.language,
                host_id=interaction.user.id,
                scope=daily_scope(server),
                interaction_id=interaction.id,
            )
        if not wanted:
            await self.replies.answer(interaction, say("Nothing is posted daily any more."))
            return
        told = say(
            "Every day at {time} ({zone}), the riddle and the deal of the day come to {place}."
            " Nobody is pinged.",
            time=clock_face(state.minutes),
            zone=places(say.language).get(state.zone, state.zone),
            place=f"<#{place}>",
        )
        await self.replies.answer(interaction, told)

    @daily.autocomplete("zone")
    async def _zones(self, interaction: Interaction, typed: str) -> Choices:
        return zone_choices(typed, self.say(interaction), self.tables.clock())

    @command(
        name_("opener"),
        L_("Who may open tables"),
        role=(name_("role"), L_("The role that may open tables; left out: everybody")),
    )
    async def opener(self, interaction: Interaction, role: discord.Role | None = None) -> None:
        """Set the role that may open tables."""
        chosen = None if role is None or role.is_default() else role.id
        await self._change(interaction, opener_role=chosen)

    @command(
        name_("quiet"),
        L_("How long clocks rest in the quiet hours of people"),
        hours=(name_("hours"), L_("Hours at most for each turn; 0: clocks never rest")),
    )
    async def quiet(self, interaction: Interaction, hours: app_commands.Range[int, 0, 48]) -> None:
        """Set how long clocks rest."""
        await self._change(interaction, quiet_limit=hours)

    @command(
        name_("away"),
        L_("How long clocks rest while people are on holiday"),
        days=(name_("days"), L_("Days in a row at most; 0: clocks never rest")),
    )
    async def away(self, interaction: Interaction, days: app_commands.Range[int, 0, 60]) -> None:
        """Set how long clocks rest on holidays."""
        await self._change(interaction, away_limit=days)

    @command(
        name_("tables"),
        L_("At how many tables a person may play at a time"),
        limit=(name_("limit"), L_("Open tables of this server at most; left out: any number")),
    )
    async def limit(
        self, interaction: Interaction, limit: app_commands.Range[int, 1, 50] | None = None
    ) -> None:
        """Set how many tables a person may have."""
        await self._change(interaction, tables_limit=limit)

    @command(
        name_("boards"),
        L_("What becomes of a board or an account when the next one is posted"),
        old=(name_("old"), L_("Keep it, fold it to a line of text, or delete it")),
    )
    @app_commands.choices(
        old=[app_commands.Choice(name=Marked(name), value=value) for value, name in BOARDS.items()]
    )
    async def boards(self, interaction: Interaction, old: str) -> None:
        """Set what becomes of old boards and accounts."""
        await self._change(interaction, boards=old)

    @command(
        name_("threads"),
        L_("Whether tables open in threads of their own, where that is possible"),
        wanted=(name_("wanted"), L_("Whether you want that")),
    )
    async def threads(self, interaction: Interaction, wanted: bool) -> None:
        """Set whether tables get threads."""
        await self._change(interaction, threads=wanted)

    @command(
        name_("seek"),
        L_("Where everybody sees who seeks a match with “/seek”, and tables for them are opened"),
        channel=(name_("channel"), L_("The channel; left out: nobody is shown")),
    )
    async def seek(
        self, interaction: Interaction, channel: discord.TextChannel | None = None
    ) -> None:
        """Set where those who seek are shown."""
        if channel is not None:
            refuse_if(not may_show(channel), "not_posted", channel=channel.id)
        await self._change(interaction, seek_channel=None if channel is None else channel.id)
        if channel is not None:
            language = (await self.acting.server_texts(interaction)).language
            me, server = interaction.user.id, interaction.guild_id
            place = await seeks_of(self.occasions, server, channel.id, language, me)
            self.occasions.forget(place.id)  # its settings are the old ones
            await self.occasions.act(place.id, ShowIn(channel.id, me))
            return
        scope, _ = seek_scope(interaction.guild_id, self.tables.clock())
        known = await self.occasions.of_scope(scope)
        if known is not None:
            self.occasions.forget(known.id)
            await self.occasions.act(known.id, ShowIn(known.channel_id, interaction.user.id))

    @command(
        name_("seek_abroad"),
        L_("Whether people may seek matches with those of other servers, in direct messages"),
        allowed=(name_("allowed"), L_("Whether they may")),
    )
    async def seek_abroad(self, interaction: Interaction, allowed: bool) -> None:
        """Allow or forbid seeking over servers."""
        await self._change(interaction, seek_abroad=allowed)
        everywhere = await self.occasions.of_scope(seek_scope(None, self.tables.clock())[0])
        if everywhere is not None and not allowed:
            await self.occasions.act(everywhere.id, Recall(interaction.guild_id or 0))

    @command(
        name_("grandmasters"),
        L_("Computer players that think for up to ten seconds"),
        allowed=(name_("allowed"), L_("Whether they may sit down at tables of this server")),
    )
    async def grandmasters(self, interaction: Interaction, allowed: bool) -> None:
        """Allow or forbid grandmasters."""
        await self._change(interaction, grandmasters=allowed)

    @command(
        name_("season"),
        L_("Ratings in seasons beside those of all time, with a hall of fame"),
        length=(name_("length"), L_("How long a season lasts")),
        zone=(
            name_("zone"),
            L_("A city by whose calendar it ends, such as Berlin; or yours"),
        ),
        channel=(
            name_("channel"),
            L_("Where I show the table of a season that is over; left out: nowhere"),
        ),
    )
    @app_commands.choices(
        length=[
            *(app_commands.Choice(name=Marked(name), value=key) for key, name in LENGTHS.items()),
            app_commands.Choice(name=L_("no seasons"), value=NO_SEASONS),
        ]
    )
    async def season(
        self,
        interaction: Interaction,
        length: str,
        zone: str | None = None,
        channel: discord.TextChannel | None = None,
    ) -> None:
        """Set the seasons."""
        if channel is not None:
            refuse_if(not may_show(channel), "not_posted", channel=channel.id)
        guild_id = interaction.guild_id or 0
        await self._seasons.choose(
            guild_id,
            None if length == NO_SEASONS else length,
            await self._zone_of_seasons(interaction, zone),
            channel.id if channel is not None else 0,
            (await self.acting.server_texts(interaction)).language,
            interaction.user.id,
            interaction.id,
        )
        await self._answer(interaction, await self.settings.server(guild_id))

    @season.autocomplete("zone")
    async def _zones_of_seasons(self, interaction: Interaction, typed: str) -> Choices:
        return zone_choices(typed, self.say(interaction), self.tables.clock())

    async def _zone_of_seasons(self, interaction: Interaction, typed: str | None) -> str:
        """The zone that was typed, that of the seasons there have been, or the person's own.

        :raises Refused: ``unknown_zone``.
        """
        if typed is not None:
            return zone_typed(typed, self.say(interaction))
        known = await self._seasons.of_server(interaction.guild_id or 0)
        if known is not None:
            return known.state.zone
        return (await self.settings.person(interaction.user.id)).zone or "UTC"

    async def _change(self, interaction: Interaction, **changes: Any) -> None:
        """Change what is named, and show everything."""
        await self._rewrite(interaction, lambda server: replace(server, **changes))

    async def _rewrite(
        self, interaction: Interaction, change: Callable[[ServerRow], ServerRow]
    ) -> None:
        """Change the settings, reckon clocks anew, and show everything."""
        await self.replies.defer(interaction)
        server = await self.settings.change_server(interaction.guild_id or 0, change)
        await self.tables.reckon(await self.tables.store.tables.open_on(server.guild_id))
        await self._answer(interaction, server)

    async def _answer(self, interaction: Interaction, server: ServerRow) -> None:
        say = self.say(interaction)
        seasons = seasons_in_words(await self._seasons.of_server(server.guild_id), say)
        text = f"{settings_in_words(server, say)}\n- {seasons}"
        await self.replies.answer(interaction, Card((text,)))


def seasons_in_words(seasons: Occasion[Playing] | None, say: Texts) -> str:
    """How a server plays in seasons."""
    state = Playing() if seasons is None else seasons.state
    if seasons is None or state.length is None:
        return say("Seasons: {answer}", answer=say("no"))
    zone = places(say.language).get(state.zone, state.zone)
    until = moment(state.ends_at) if state.ends_at is not None else "…"
    length = say(LENGTHS[state.length])
    told = say("Seasons: {length}, by the calendar of {zone}", length=length, zone=zone)
    told += f"; {say('the present one until {when}', when=until)}"
    if seasons.channel_id:
        told += f"; {say('shown in {channel}', channel=f'<#{seasons.channel_id}>')}"
    return told


def settings_in_words(server: ServerRow, say: Texts) -> str:
    """The settings of a server, one to a line."""
    language = LANGUAGES[server.language].name if server.language else say("as Discord says")
    channels = say.list([f"<#{channel}>" for channel in server.channels])
    role = f"<@&{server.opener_role}>" if server.opener_role else say("everybody")
    quiet = say.plural("{n} hour", "{n} hours", server.quiet_limit)
    away = say.plural("{n} day", "{n} days", server.away_limit)
    threads = say("yes") if server.threads else say("no")
    grandmasters = say("yes") if server.grandmasters else say("no")
    seeks = f"<#{server.seek_channel}>" if server.seek_channel else say("nowhere")
    abroad = say("yes") if server.seek_abroad else say("no")
    tables = say("any number") if server.tables_limit is None else str(server.tables_limit)
    return "\n".join(
        [
            f"### {say('Settings of this server')}",
            "- " + say("Language: {language}", language=language),
            "- " + say("Channels for tables: {channels}", channels=channels or say("all")),
            "- " + say("Who may open tables: {role}", role=role),
            "- " + say("Rest of clocks in quiet hours, for each turn: {time}", time=quiet),
            "- " + say("Rest of clocks on holidays, in a row: {time}", time=away),
            "- " + say("Open tables for each person: {number}", number=tables),
            "- " + say("Old boards and accounts: {what}", what=say(BOARDS[server.boards])),
            "- " + say("A thread for each table: {answer}", answer=threads),
            "- " + say("Grandmasters: {answer}", answer=grandmasters),
            "- " + say("Shown who seeks a match: {where}", where=seeks),
            "- " + say("Matches with people of other servers: {answer}", answer=abroad),
        ]
    )
