"""What should stand in Discord for an occasion: a pure function of the occasion, by its kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cogs.present.surfaces import Surface
from play.occasions.occasion import Act, Occasion

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
        return SURFACES[occasion.row.kind](occasion, told, told_from)

    def next_command(
        self, occasion: Occasion[Any], message_of: Callable[[str], int | None]
    ) -> Act[Any] | None:
        """What its kind does, once a message that it awaits stands.

        :param message_of: by key, the id of a message that stands.
        """
        key = occasion.kind.awaited(occasion)
        message_id = message_of(key) if key else None
        return None if message_id is None else occasion.kind.stands(occasion, message_id)
