"""``/server``: a server's settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

import discord
from discord import app_commands

from cogs.features.acting import Acting
from cogs.features.feature import Feature, command, marked
from cogs.features.settings import (
    Change,
    Setting,
    SettingsCog,
    of_field,
    offer_zones,
    zone_typed,
)
from cogs.gateway.cards import Card
from cogs.gateway.components import Interaction
from cogs.gateway.permissions import may_show, missing_permissions
from cogs.gateway.translator import L_, Marked, name_
from cogs.present.seasons import LENGTHS
from cogs.present.times import clock_face, moment
from data.store.rows import Boards, ServerRow
from data.texts import LANGUAGES, N_, Texts
from data.zones import places
from play.clock import read_wall_time
from play.occasions.daily import Arrange, Daily, DailyKind, daily_scope
from play.occasions.occasion import Occasion
from play.occasions.season import ServerSeasons
from play.occasions.seek import Recall, ShowIn, seek_scope, seeks_of
from play.seasons import Seasons
from play.table import refuse_if

MORNING = 8 * 60
"""Default time of the daily posts, in minutes after midnight."""

UNSET = "off"
"""The choice that switches something off, or resets it to its default."""

BOARD_WORDS: Final[Mapping[Boards, str]] = {
    "clean": N_("only the latest one"),
    "lines": N_("the latest one, and a line for each round"),
    "keep": N_("all"),
}
"""Which boards stay in a channel, in words."""

LANGUAGE_CHOICES = {
    **{code: Marked(each.name) for code, each in LANGUAGES.items()},
    UNSET: L_("Same as in Discord"),
}


def _allow_channel(
    _say: Texts, _now: datetime, channel: discord.TextChannel, allowed: bool = True
) -> Change[ServerRow]:
    def change(server: ServerRow) -> ServerRow:
        others = tuple(c for c in server.channels if c != channel.id)
        return replace(server, channels=(*others, channel.id) if allowed else others)

    return change


def _channels_in_words(server: ServerRow, say: Texts, _now: datetime) -> str:
    return say.list([f"<#{channel}>" for channel in server.channels]) or say("all")


def _to_show(channel: discord.TextChannel | None) -> int | None:
    """Make sure the bot may post pictures in a channel, and return its id; None for no channel.

    :raises Refused: ``not_posted``: the bot may not post there.
    """
    if channel is None:
        return None
    refuse_if(not may_show(channel), "not_posted", channel=channel.id)
    return channel.id


async def _show_seeks(feature: Feature, interaction: Interaction, server: ServerRow) -> None:
    """Move the list of seekers to its new channel, or remove it."""
    occasions, me, channel = feature.occasions, interaction.user.id, server.seek_channel
    if channel is None:
        scope, _ = seek_scope(server.guild_id, feature.tables.clock())
        place = await occasions.of_scope(scope)
    else:
        language = (await feature.acting.server_texts(interaction)).language
        place = await seeks_of(occasions, server.guild_id, channel, language, me)
    if place is not None:
        occasions.forget(place.id)  # the copy in memory still has the old settings
        await occasions.act(place.id, ShowIn(channel or place.channel_id, me))


async def _recall_seeks(feature: Feature, _: Interaction, server: ServerRow) -> None:
    """End seeks across servers by people on this server, if the server no longer allows them."""
    everywhere = await feature.occasions.of_scope(seek_scope(None, feature.tables.clock())[0])
    if everywhere is not None and not server.seek_abroad:
        await feature.occasions.act(everywhere.id, Recall(server.guild_id))


SERVER: Final[tuple[Setting[ServerRow], ...]] = (
    of_field(
        "language",
        name_("language"),
        L_("The language of boards and announcements"),
        N_("Language"),
        (name_("language"), L_("The language of this server"), LANGUAGE_CHOICES),
        str,
        lambda code, say: LANGUAGES[code].name if code else say("same as in Discord"),
        lambda code: None if code == UNSET else code,
    ),
    Setting(
        name_("channel"),
        L_("Allow tables in a channel, or stop allowing them"),
        N_("Channels for tables"),
        {
            "channel": (name_("channel"), L_("The channel, including its threads")),
            "allowed": (
                name_("allowed"),
                L_("Whether tables may be opened there; if you list no channel, all are allowed"),
            ),
        },
        _allow_channel,
        _channels_in_words,
    ),
    of_field(
        "opener_role",
        name_("opener"),
        L_("Who may open tables"),
        N_("Who may open tables"),
        (name_("role"), L_("The role that may open tables; default: everybody")),
        discord.Role | None,
        lambda role, say: f"<@&{role}>" if role else say("everybody"),
        lambda role: None if role is None or role.is_default() else role.id,
    ),
    of_field(
        "quiet_limit",
        name_("quiet"),
        L_("How long clocks pause during people's quiet hours"),
        N_("Longest clock pause per turn in quiet hours"),
        (name_("hours"), L_("Maximum hours per turn; 0: clocks never pause")),
        app_commands.Range[int, 0, 48],
        lambda hours, say: say.plural("{n} hour", "{n} hours", hours),
    ),
    of_field(
        "away_limit",
        name_("away"),
        L_("How long clocks pause while people are on holiday"),
        N_("Longest clock pause on holiday"),
        (name_("days"), L_("Maximum days in a row; 0: clocks never pause")),
        app_commands.Range[int, 0, 60],
        lambda days, say: say.plural("{n} day", "{n} days", days),
    ),
    of_field(
        "tables_limit",
        name_("tables"),
        L_("How many tables a person may play at"),
        N_("Open tables per person"),
        (name_("limit"), L_("Maximum open tables per person on this server; default: any number")),
        app_commands.Range[int, 1, 50] | None,
        lambda limit, say: say("any number") if limit is None else str(limit),
    ),
    of_field(
        "boards",
        name_("boards"),
        L_("How many boards stay in a channel during a match"),
        N_("Boards in a channel"),
        (name_("kept"), L_("Which boards stay"), marked(BOARD_WORDS)),
        str,
        lambda boards, say: say(BOARD_WORDS[boards]),
    ),
    of_field(
        "threads",
        name_("threads"),
        L_("Whether each table gets its own thread, where possible"),
        N_("A thread for each table"),
    ),
    of_field(
        "grandmasters",
        name_("grandmasters"),
        L_("Computer players that think for up to ten seconds"),
        N_("Grandmasters"),
        (name_("allowed"), L_("Whether they may play at tables on this server")),
    ),
    of_field(
        "seek_channel",
        name_("seek"),
        L_("The channel that lists who is seeking a match, and where their tables open"),
        N_("Channel that lists who is seeking a match"),
        (name_("channel"), L_("The channel; default: seekers are not listed")),
        discord.TextChannel | None,
        lambda channel, say: f"<#{channel}>" if channel else say("nowhere"),
        _to_show,
        _show_seeks,
    ),
    of_field(
        "seek_abroad",
        name_("seek_abroad"),
        L_("Whether people may seek matches across servers, played by direct message"),
        N_("Matches with people on other servers"),
        (name_("allowed"), L_("Whether they may")),
        then=_recall_seeks,
    ),
)


@app_commands.default_permissions(manage_guild=True)
@app_commands.guild_only()
class ServerCog(
    SettingsCog[ServerRow],
    group_name=name_("server"),
    group_description=L_("Settings for tables on this server"),
):
    """``/server``."""

    def __init__(self, acting: Acting, seasons: Seasons) -> None:
        super().__init__(acting, SERVER)
        self._seasons = seasons

    @command(name_("show"), L_("Show this server's settings"))
    async def show(self, interaction: Interaction) -> None:
        """Show the settings."""
        await self.answer(interaction, await self.settings.server(interaction.guild_id or 0))

    async def change(self, interaction: Interaction, change: Change[ServerRow]) -> ServerRow:
        """Change the settings of the server, and update the clocks that depend on them."""
        server = await self.settings.change_server(interaction.guild_id or 0, change)
        await self.tables.reckon(await self.tables.store.tables.open_on(server.guild_id))
        return server

    async def answer(self, interaction: Interaction, row: ServerRow, advice: str = "") -> None:
        """Show the settings, including daily posts and seasons."""
        say = self.say(interaction)
        daily = await self.occasions.of_scope(daily_scope(row.guild_id))
        seasons = await self._seasons.of_server(row.guild_id)
        text = [
            f"### {say('Settings of this server')}",
            *self.lines(row, say),
            f"- {daily_in_words(daily, say)}",
            f"- {seasons_in_words(seasons, say)}",
            advice,
        ]
        await self.replies.answer(interaction, Card(("\n".join(filter(None, text)),)))

    @command(
        name_("daily"),
        L_("Post the riddle and the deal of the day in a channel, or stop posting them"),
        channel=(name_("channel"), L_("The channel; default: as before, or this one")),
        at=(name_("at"), L_("When, such as 8:00")),
        zone=(
            name_("zone"),
            L_("A city whose time zone applies, such as Berlin; default: as before, or your zone"),
            offer_zones,
        ),
        wanted=(name_("wanted"), L_("Whether to post them")),
    )
    async def daily(
        self,
        interaction: Interaction,
        channel: discord.TextChannel | None = None,
        at: str | None = None,
        zone: str | None = None,
        wanted: bool = True,
    ) -> None:
        """Set up the daily posts, or stop them."""
        guild_id = interaction.guild_id or 0
        known = await self.occasions.of_scope(daily_scope(guild_id))
        place, may_post = _daily_place(interaction, channel, known)
        refuse_if(wanted and not may_post, "not_posted", channel=place)
        before = Daily(wanted=False, minutes=MORNING) if known is None else known.state
        zone_name = await self._zone(interaction, zone, known)
        minutes = before.minutes if at is None else read_wall_time(at)
        if known is None and wanted:
            known = await self._open_daily(interaction, place, before)
        if known is not None:
            me, number = interaction.user.id, interaction.id
            arrange = Arrange(me, place, zone_name, minutes, wanted, interaction_id=number)
            await self.occasions.act(known.id, arrange)
        await self.answer(interaction, await self.settings.server(guild_id))

    async def _open_daily(
        self, interaction: Interaction, channel_id: int, state: Daily
    ) -> Occasion[Daily]:
        guild_id = interaction.guild_id or 0
        return await self.occasions.open(
            DailyKind.NAME,
            state,
            guild_id=guild_id,
            channel_id=channel_id,
            language=(await self.acting.server_texts(interaction)).language,
            scope=daily_scope(guild_id),
        )

    @command(
        name_("season"),
        L_("Ratings by season in addition to all-time ones, with a hall of fame"),
        length=(
            name_("length"),
            L_("How long a season lasts"),
            {**marked(LENGTHS), UNSET: L_("no seasons")},
        ),
        zone=(
            name_("zone"),
            L_(
                "A city in whose time zone seasons end, such as Berlin; default: as before, or "
                "your zone"
            ),
            offer_zones,
        ),
        channel=(
            name_("channel"),
            L_("Where I post the final standings of a season; default: nowhere"),
        ),
    )
    async def season(
        self,
        interaction: Interaction,
        length: str,
        zone: str | None = None,
        channel: discord.TextChannel | None = None,
    ) -> None:
        """Choose whether and how the server plays in seasons."""
        shown_in, guild_id = _to_show(channel) or 0, interaction.guild_id or 0
        await self._seasons.choose(
            guild_id,
            None if length == UNSET else length,
            await self._zone(interaction, zone, await self._seasons.of_server(guild_id)),
            shown_in,
            (await self.acting.server_texts(interaction)).language,
            interaction.user.id,
            interaction.id,
        )
        await self.answer(interaction, await self.settings.server(guild_id))

    async def _zone(
        self, interaction: Interaction, typed: str | None, known: Occasion[Any] | None
    ) -> str:
        """Return the typed zone; if none was typed, the server's current zone, or else the person's
        own, or else UTC.

        :raises Refused: ``unknown_zone``.
        """
        if typed is not None:
            return zone_typed(typed, self.say(interaction))
        if known is not None:
            return str(known.state.zone)
        return (await self.settings.person(interaction.user.id)).zone or "UTC"


def _daily_place(
    interaction: Interaction, chosen: discord.TextChannel | None, known: Occasion[Daily] | None
) -> tuple[int, bool]:
    """Return the channel for the daily posts (the one just chosen, the one already set or this
    one), and whether the bot may post there. For the one already set, this is not checked: the
    answer is True.
    """
    if chosen is not None:
        return chosen.id, may_show(chosen)
    if known is not None:
        return known.channel_id, True
    return interaction.channel_id or 0, not missing_permissions(interaction)


def daily_in_words(daily: Occasion[Daily] | None, say: Texts) -> str:
    """Describe a server's setting for the daily posts."""
    if daily is None or not daily.state.wanted:
        return say("Riddle and deal of the day: {answer}", answer=say("no"))
    zone = daily.state.zone
    return say(
        "Riddle and deal of the day: at {time} ({zone}) in {place}, without a ping",
        time=clock_face(daily.state.minutes),
        zone=places(say.language).get(zone, zone),
        place=f"<#{daily.channel_id}>",
    )


def seasons_in_words(seasons: Occasion[ServerSeasons] | None, say: Texts) -> str:
    """Describe a server's setting for seasons."""
    state = ServerSeasons() if seasons is None else seasons.state
    if seasons is None or state.length is None:
        return say("Seasons: {answer}", answer=say("no"))
    zone = places(say.language).get(state.zone, state.zone)
    until = moment(state.ends_at) if state.ends_at is not None else "…"
    length = say(LENGTHS[state.length])
    told = say("Seasons: {length}, by the calendar of {zone}", length=length, zone=zone)
    told += f"; {say('the current one until {when}', when=until)}"
    if seasons.channel_id:
        told += f"; {say('shown in {channel}', channel=f'<#{seasons.channel_id}>')}"
    return told
