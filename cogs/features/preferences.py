"""``/preferences``: a person's settings."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

from discord import app_commands

from cogs.features.acting import FORM_PATIENCE, Acting
from cogs.features.allowance import TABLES, TOURNAMENTS
from cogs.features.direct import ALLOW
from cogs.features.feature import CHOICES_AT_MOST, Choices, Feature, command, marked
from cogs.features.settings import (
    Change,
    Setting,
    SettingsCog,
    of_field,
    offer_zones,
    time_in,
    zone_typed,
)
from cogs.gateway.cards import Card
from cogs.gateway.components import Interaction
from cogs.gateway.translator import L_, name_
from cogs.present.times import clock_face, day
from data.store.problems import StoreProblem
from data.store.rows import PersonRow
from data.texts import LANGUAGES, N_, Texts
from data.zones import places, zone_named
from play.away import away_until, back_on, gone, read_day, returned
from play.clock import check_quiet, read_wall_time
from play.table import Refused, refuse_if
from play.tables import INVITATIONS_OF_ONE

DAYS_OFFERED = (1, 2, 3, 4, 5, 6, 7, 10, 14, 21, 28)
"""The ends of a holiday, in days from now, that are suggested before anything is typed."""

DAYS_KNOWN = 60
"""Typed text is compared with the names of all days that are fewer than this many days ahead."""


# ------------------------------------------------------------------------------- a zone
def _choose_zone(say: Texts, _now: datetime, zone: str) -> Change[PersonRow]:
    return partial(replace, zone=zone_typed(zone, say))


def _zone_in_words(person: PersonRow, say: Texts, now: datetime) -> str:
    if person.zone is None:
        return say("not chosen yet")
    city = places(say.language).get(person.zone, person.zone)
    return say("{zone}, where it is {time} now", zone=city, time=time_in(person.zone, now))


# -------------------------------------------------------------------------- quiet hours
def _choose_quiet(
    _say: Texts, _now: datetime, begins: str | None = None, ends: str | None = None
) -> Change[PersonRow]:
    if begins is None and ends is None:
        return partial(replace, quiet_from=None, quiet_to=None)
    if begins is None or ends is None:
        raise Refused("half_quiet")
    since, until = read_wall_time(begins), read_wall_time(ends)
    check_quiet(since, until)

    def change(person: PersonRow) -> PersonRow:
        refuse_if(person.zone is None, "zone_first")
        return replace(person, quiet_from=since, quiet_to=until)

    return change


def _quiet_in_words(person: PersonRow, say: Texts, _now: datetime) -> str:
    if person.quiet_from is None or person.quiet_to is None:
        return say("none")
    begins, ends = clock_face(person.quiet_from), clock_face(person.quiet_to)
    return say("from {begins} to {ends}", begins=begins, ends=ends)


# ----------------------------------------------------------------------------- holidays
def _choose_away(_say: Texts, now: datetime, until: str | None = None) -> Change[PersonRow]:
    def change(person: PersonRow) -> PersonRow:
        if until is None:
            return returned(person, now)
        zone = zone_named(person.zone)
        if zone is None:
            raise Refused("zone_first")
        back = read_day(until, now.astimezone(zone).date())
        return gone(person, now, back_on(back, zone, now))

    return change


def _away_in_words(person: PersonRow, say: Texts, now: datetime) -> str:
    until = away_until(person, now)
    return say("no") if until is None else say("until {day}", day=day(until))


async def _offer_days(feature: Feature, interaction: Interaction, typed: str) -> Choices:
    """Suggest the typed day and days whose names contain the text; before anything is typed, a few
    days.
    """
    try:
        async with asyncio.timeout(FORM_PATIENCE):
            person = await feature.settings.person(interaction.user.id)
    except (StoreProblem, TimeoutError):
        return []
    now, zone, say = (
        feature.tables.clock(),
        zone_named(person.zone) or UTC,
        feature.say(interaction),
    )
    today, wanted = now.astimezone(zone).date(), typed.strip().casefold()
    ahead = range(1, DAYS_KNOWN) if wanted else DAYS_OFFERED
    days = [today + timedelta(days=n) for n in ahead]
    fitting = [day for day in days if wanted in f"{day} {say.day(day)}".casefold()]
    with suppress(Refused):
        meant = read_day(typed, today)
        back_on(meant, zone, now)
        fitting.insert(0, meant)
    return [
        app_commands.Choice(name=say.day(day), value=f"{day}")
        for day in dict.fromkeys(fitting[:CHOICES_AT_MOST])
    ]


# ---------------------------------------------------------------------- direct messages
async def _try_direct_message(
    feature: Feature, interaction: Interaction, person: PersonRow
) -> str | None:
    """Return advice if the person wants direct messages but does not accept any."""
    reached = person.call_at != "dm" or await feature.acting.direct.reach(interaction.user.id)
    return None if reached else ALLOW


BY_GAME: Final = "auto"

CALLS: Final[Mapping[str, str]] = {
    BY_GAME: N_("by direct message if you have a hidden hand, otherwise at the table"),
    "dm": N_("by direct message"),
    "table": N_("at the table"),
}
"""How the bot can tell a person that it is their turn."""


# ---------------------------------------------------------------------------- the table
PREFERENCES: Final[tuple[Setting[PersonRow], ...]] = (
    Setting(
        name_("zone"),
        L_("Your time zone"),
        N_("Time zone"),
        {
            "zone": (
                name_("zone"),
                L_("A city in your time zone, such as Berlin"),
                offer_zones,
            )
        },
        _choose_zone,
        _zone_in_words,
    ),
    Setting(
        name_("quiet"),
        L_("Hours when your clocks pause and I do not remind you"),
        N_("Quiet hours"),
        {
            "begins": (
                name_("since"),
                L_("When they begin in your time zone, such as 22:00; default: no quiet hours"),
            ),
            "ends": (name_("until"), L_("When they end, such as 7:30")),
        },
        _choose_quiet,
        _quiet_in_words,
    ),
    Setting(
        name_("away"),
        L_("Go on holiday: your clocks pause for as long as the server allows"),
        N_("Holidays"),
        {
            "until": (
                name_("until"),
                L_("The day you are back, such as 2026-12-03; default: now"),
                _offer_days,
            )
        },
        _choose_away,
        _away_in_words,
    ),
    of_field(
        "call_at",
        name_("calls"),
        L_("Where I tell you that it is your turn"),
        N_("Your turn is announced"),
        (
            name_("where"),
            L_("By direct message, at the table, or depending on the game"),
            marked(CALLS),
        ),
        str,
        lambda where, say: say(CALLS[where or BY_GAME]),
        lambda where: None if where == BY_GAME else where,
        then=_try_direct_message,
    ),
    of_field(
        "coach",
        name_("coach"),
        L_("Ask me before a clearly losing move counts, except in rated matches"),
        N_("Coach that asks before you play a clearly losing move"),
    ),
)


class PreferencesCog(
    SettingsCog[PersonRow],
    group_name=name_("preferences"),
    group_description=L_("How and when you want to hear from me"),
):
    """``/preferences``."""

    def __init__(self, acting: Acting) -> None:
        super().__init__(acting, PREFERENCES)

    @command(name_("show"), L_("Show your preferences"))
    async def show(self, interaction: Interaction) -> None:
        """Show the preferences."""
        await self.answer(interaction, await self.settings.person(interaction.user.id))

    async def change(self, interaction: Interaction, change: Change[PersonRow]) -> PersonRow:
        """Change the person's preferences, and update the clocks that depend on them."""
        person = await self.settings.change_person(interaction.user.id, change)
        await self.tables.reckon(await self.tables.store.tables.of_person(person.person_id))
        return person

    async def answer(self, interaction: Interaction, row: PersonRow, advice: str = "") -> None:
        """Show the preferences, what quiet hours and holidays do, and how many tables, tournaments
        and invitations a person can have.
        """
        say = self.say(interaction)
        language = LANGUAGES[say.language].name
        rest = say(
            "In quiet hours and on holiday I do not remind you, and your clock pauses for as long"
            " as the server allows."
        )
        limits = say(
            "You can open tables while you play at fewer than {tables}, run up to {tournaments}"
            " tournaments, and have up to {invitations} unanswered invitations to the same person"
            " at a time.",
            tables=TABLES,
            tournaments=TOURNAMENTS,
            invitations=INVITATIONS_OF_ONE,
        )
        text = [
            f"### {say('Your preferences')}",
            "- " + say("Language: {language}, as set in your Discord", language=language),
            *self.lines(row, say),
            f"-# {rest}",
            f"-# {limits}",
            advice,
        ]
        await self.replies.answer(interaction, Card(("\n".join(filter(None, text)),)))
