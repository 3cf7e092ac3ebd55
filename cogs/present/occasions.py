"""What should stand in Discord for an occasion: a pure function of the occasion, by its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cogs.gateway.cards import Card
from cogs.gateway.permissions import PERMISSIONS, TO_SHOW
from cogs.present.surfaces import Surface
from data.store.rows import OccasionLine
from data.texts import texts
from play.aggregate import Command
from play.lines import HINDERED
from play.occasions.occasion import Hinder, Occasion

Surfaces = Callable[[Occasion[Any], int, Callable[[str], int]], list[Surface]]
"""What should stand, as ``OccasionPresenter.surfaces``."""


class OccasionPresenter:
    """Knows what should stand for each occasion.

    :param surfaces: by the name of a kind, what should stand for its occasions.
    """

    def __init__(self, surfaces: Mapping[str, Surfaces]) -> None:
        self._surfaces = surfaces

    def surfaces(
        self, occasion: Occasion[Any], told: int, told_from: Callable[[str], int]
    ) -> list[Surface]:
        """All messages that should stand, in the order in which to post them. Pure.

        :param told: all lines of the journal up to this one have been told.
        :param told_from: by key, how far had been told when a message was begun, or else ``told``.
        """
        wanted = self._surfaces[occasion.row.kind](occasion, told, told_from)
        hindered = [line for line in occasion.journal[told:] if line.kind == HINDERED]
        return [*wanted, *(_hindrance(occasion, line) for line in hindered[-1:])]

    def next_command(
        self, occasion: Occasion[Any], message_of: Callable[[str], int | None]
    ) -> Command[Occasion[Any]] | None:
        """What its kind does once the message it waits for has been posted.

        :param message_of: by key, the id of a message that stands.
        """
        key = occasion.kind.awaited(occasion)
        message_id = message_of(key) if key else None
        return None if message_id is None else occasion.kind.stands(occasion, message_id)

    def when_unreached(
        self, occasion: Occasion[Any], person_id: int
    ) -> Command[Occasion[Any]] | None:
        """Nothing: what the message would have said can be looked up."""
        return None

    def when_hindered(self, occasion: Occasion[Any]) -> Command[Occasion[Any]] | None:
        """Tell the person who began it."""
        return Hinder()


def _hindrance(occasion: Occasion[Any], line: OccasionLine) -> Surface:
    """Tells the person who began something that the bot cannot post in its channel."""
    say = texts(occasion.row.language)
    told = say(
        "I cannot post in {channel} any more. Please give me these permissions there:"
        " {permissions}. What is missing then follows by itself.",
        channel=f"<#{occasion.channel_id}>",
        permissions=say.list([say(PERMISSIONS[key]) for key in TO_SHOW]),
    )
    return Surface(f"{HINDERED}:{line.number}", Card((told,)), line.person_id, final=True)
