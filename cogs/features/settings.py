"""The building blocks of ``/preferences`` and ``/server``: tables of settings.

Each setting is one row: its command, how its value is stored, and how it is shown. To add a
setting, add a field to ``PersonRow`` or ``ServerRow``, and a row to ``PREFERENCES`` or ``SERVER``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, partial
from typing import Any, Generic, TypeVar

from discord import app_commands
from discord.ext import commands

from cogs.features.acting import Acting
from cogs.features.feature import CHOICES_AT_MOST, Choices, Feature, Made, Shown, made_of
from cogs.gateway.components import Interaction
from cogs.gateway.translator import L_, Marked, name_
from data.store.rows import PersonRow, ServerRow
from data.texts import Texts
from data.zones import zone_meant, zone_named, zones_like
from play.table import Refused

SUGGESTIONS = 3
"""How many cities are suggested at most if the typed city is unknown."""

Row = TypeVar("Row", PersonRow, ServerRow)

Change = Callable[[Row], Row]
"""Returns the changed settings; may raise ``Refused``."""

Then = Callable[[Any, Interaction, Any], Coroutine[Any, Any, str | None]]
"""Carries out what follows from a new setting, given a feature and the new settings. Returns advice
for the person, or None.
"""

WANTED: Shown = (name_("wanted"), L_("Whether to turn this on"))

PERSON_AND_TIME = 2
"""Number of parameters of ``Setting.change`` before the options."""


@dataclass(frozen=True, slots=True)
class Setting(Generic[Row]):
    """Something that a person or a server can choose.

    :param title: the title of its line on the page with all settings.
    :param options: the options of the command, as Discord shows them.
    :param change: given the texts for the person, the time and the command's options, returns the
        change. May raise ``Refused``.
    :param words: describes the current value.
    :param then: runs after the change has been stored.
    """

    name: Marked
    description: Marked
    title: str
    options: Mapping[str, Shown]
    change: Callable[..., Change[Row]]
    words: Callable[[Row, Texts, datetime], str]
    then: Then | None = None

    def line(self, row: Row, say: Texts, now: datetime) -> str:
        """Describe the setting and its value."""
        value = self.words(row, say, now)
        return say("{setting}: {value}", setting=say(self.title), value=value)


def yes_or_no(answer: bool, say: Texts) -> str:
    """Name the value of a setting that is on or off."""
    return say("yes") if answer else say("no")


def of_field(
    field: str,
    name: Marked,
    description: Marked,
    title: str,
    option: Shown = WANTED,
    takes: Any = bool,
    words: Callable[[Any, Texts], str] = yes_or_no,
    stored: Callable[[Any], Any] = lambda value: value,
    then: Then | None = None,
) -> Setting[Any]:
    """Return a setting that is stored in a single field and set by a command with one option.

    :param takes: the annotation from which discord.py reads the option's type.
    :param words: describes a value of the field.
    :param stored: converts the option's value to the field's; may raise ``Refused``.
    """

    def change(_say: Texts, _now: datetime, value: Any) -> Change[Any]:
        return partial(replace, **{field: stored(value)})

    change.__annotations__["value"] = takes

    def in_words(row: Any, say: Texts, _now: datetime) -> str:
        return words(getattr(row, field), say)

    return Setting(name, description, title, {"value": option}, change, in_words, then)


@cache
def _given_to(change: Callable[..., Change[Any]]) -> Sequence[inspect.Parameter]:
    """Return the parameters that a person gives."""
    signature = inspect.signature(change, eval_str=True)
    return list(signature.parameters.values())[PERSON_AND_TIME:]


class SettingsCog(Feature, commands.GroupCog, Generic[Row]):
    """A group with one command for each setting.

    :param table: the settings, in the order in which to show them.
    """

    def __init__(self, acting: Acting, table: tuple[Setting[Row], ...]) -> None:
        super().__init__(acting)
        self._table: tuple[Setting[Row], ...] = table
        if self.app_command is not None:
            for setting in table:
                self.app_command.add_command(self._command_of(setting))

    def _command_of(self, setting: Setting[Row]) -> Made:
        async def act(interaction: Interaction, **given: Any) -> None:
            await self.replies.defer(interaction)
            say = self.say(interaction)
            change = setting.change(say, self.tables.clock(), **given)
            row = await self.change(interaction, change)
            advice = None if setting.then is None else await setting.then(self, interaction, row)
            await self.answer(interaction, row, say(advice) if advice else "")

        given = _given_to(setting.change)
        return made_of(self, setting.name, setting.description, given, setting.options, act)

    async def change(self, interaction: Interaction, change: Change[Row]) -> Row:
        """Change the settings of the person or the server, and return the new ones."""
        raise NotImplementedError

    async def answer(self, interaction: Interaction, row: Row, advice: str = "") -> None:
        """Show all settings, and advice if there is any."""
        raise NotImplementedError

    def lines(self, row: Row, say: Texts) -> list[str]:
        """List all settings in words, one per line."""
        return [f"- {setting.line(row, say, self.tables.clock())}" for setting in self._table]


# ------------------------------------------------------------------------- time zones
async def offer_zones(feature: Feature, interaction: Interaction, typed: str) -> Choices:
    """Suggest time zones by city, with the current time there."""
    now = feature.tables.clock()
    return [
        app_commands.Choice(name=f"{city} ({name}) · {time_in(name, now)}", value=name)
        for name, city in zones_like(typed, feature.say(interaction).language, CHOICES_AT_MOST)
    ]


def zone_typed(typed: str, say: Texts) -> str:
    """Return the name of the time zone that a person typed.

    :raises Refused: ``unknown_zone``.
    """
    meant = zone_meant(typed)
    if meant is None:
        near = zones_like(typed, say.language, SUGGESTIONS)
        raise Refused("unknown_zone", text=typed, near=[city for _, city in near])
    return meant


def time_in(zone: str, now: datetime) -> str:
    """Return the time of day in a zone."""
    return f"{now.astimezone(zone_named(zone)):%H:%M}"
