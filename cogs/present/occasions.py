"""The messages that should exist in Discord for an occasion, by its kind. They depend only on the
occasion, and on how much of it earlier messages have shown.
"""

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
"""Lists the messages for one kind of occasion; see ``OccasionPresenter.surfaces``."""


class OccasionPresenter:
    """Lists the messages that should exist for each occasion.

    :param surfaces: a function for each kind of occasion, by the kind's name.
    """

    def __init__(self, surfaces: Mapping[str, Surfaces]) -> None:
        self._surfaces = surfaces

    def surfaces(
        self, occasion: Occasion[Any], told: int, told_from: Callable[[str], int]
    ) -> list[Surface]:
        """Return all messages that should exist, in posting order. Pure.

        :param told: every message shows the occasion up to this line of its journal.
        :param told_from: see ``cogs.delivery.delivery.Showing``.
        """
        wanted = self._surfaces[occasion.row.kind](occasion, told, told_from)
        hindered = [line for line in occasion.journal[told:] if line.kind == HINDERED]
        return [*wanted, *(_hindrance(occasion, line) for line in hindered[-1:])]

    def next_command(
        self, occasion: Occasion[Any], message_of: Callable[[str], int | None]
    ) -> Command[Occasion[Any]] | None:
        """Return the command to run once the message that the occasion waits for has been posted;
        None if it has not been posted yet, or the occasion waits for none.

        :param message_of: returns the id of an existing message, by key.
        """
        key = occasion.kind.awaited(occasion)
        message_id = message_of(key) if key else None
        return None if message_id is None else occasion.kind.stands(occasion, message_id)

    def when_unreached(
        self, occasion: Occasion[Any], person_id: int
    ) -> Command[Occasion[Any]] | None:
        """Return None: people can look up whatever the message would have told them."""
        return None

    def when_hindered(self, occasion: Occasion[Any]) -> Command[Occasion[Any]] | None:
        """Return a command that notifies the person who last set up the occasion."""
        return Hinder()


def _hindrance(occasion: Occasion[Any], line: OccasionLine) -> Surface:
    """Tell the person who last set up an occasion that the bot cannot post in its channel."""
    say = texts(occasion.row.language)
    told = say(
        "I can no longer post in {channel}. Please give me these permissions there: {permissions}."
        " I will then post whatever is missing.",
        channel=f"<#{occasion.channel_id}>",
        permissions=say.list([say(PERMISSIONS[key]) for key in TO_SHOW]),
    )
    return Surface(f"{HINDERED}:{line.number}", Card((told,)), line.person_id, final=True)
