"""What should stand in Discord for an occasion: a pure function of the occasion, by its kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cogs.gateway.cards import Card
from cogs.gateway.permissions import PERMISSIONS, TO_SHOW
from cogs.present.surfaces import Surface
from data.store.rows import OccasionLine
from data.texts import texts
from play.occasions.occasion import HINDERED, Act, Hinder, Occasion

Surfaces = Callable[[Occasion[Any], int, Callable[[str], int]], list[Surface]]
"""What should stand, as ``OccasionPresenter.surfaces``."""

SURFACES: dict[str, Surfaces] = {}
"""By kind of occasion."""


class OccasionPresenter:
    """Knows what should stand for each occasion."""

    def surfaces(
        self, occasion: Occasion[Any], told: int, told_from: Callable[[str], int]
    ) -> list[Surface]:
        """All messages that should stand, in the order in which to post them. Pure.

        :param told: all lines of the journal up to this one have been told.
        :param told_from: by key, how far had been told when a message was begun, or else ``told``.
        """
        wanted = SURFACES[occasion.row.kind](occasion, told, told_from)
        hindered = [line for line in occasion.journal[told:] if line.kind == HINDERED]
        return [*wanted, *(_hindrance(occasion, line) for line in hindered[-1:])]

    def next_command(
        self, occasion: Occasion[Any], message_of: Callable[[str], int | None]
    ) -> Act[Any] | None:
        """What its kind does, once a message that it awaits stands.

        :param message_of: by key, the id of a message that stands.
        """
        key = occasion.kind.awaited(occasion)
        message_id = message_of(key) if key else None
        return None if message_id is None else occasion.kind.stands(occasion, message_id)

    def when_hindered(self, occasion: Occasion[Any]) -> Act[Any] | None:
        """Whoever has begun it is told."""
        return Hinder()


def _hindrance(occasion: Occasion[Any], line: OccasionLine) -> Surface:
    """What whoever has begun something is told of a channel that cannot be told."""
    say = texts(occasion.row.language)
    told = say(
        "I cannot post in {channel} any more, where I show something that you have begun. Please"
        " give me these permissions there: {permissions}. Nothing is lost: what I could not post"
        " follows by itself.",
        channel=f"<#{occasion.channel_id}>",
        permissions=say.list([say(PERMISSIONS[key]) for key in TO_SHOW]),
    )
    return Surface(f"{HINDERED}:{line.number}", Card((told,)), line.person_id, final=True)
