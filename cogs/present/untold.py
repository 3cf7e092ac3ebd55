"""Explains why a move does not show on the board yet although it counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from cogs.gateway.failures import Failure, Trouble
from cogs.present.refusals import MESSAGES
from cogs.present.times import deadline
from data.texts import N_, Texts

FOLLOWS: Final = N_("I will post it as soon as Discord lets me.")

CAUSES: Final[Mapping[Trouble, str]] = {
    Trouble.MISSING_PERMISSION: N_(
        "I lack a permission in the table's channel; I will post the board once I have it back."
    ),
    Trouble.GONE: MESSAGES["parked"],
    Trouble.ARCHIVED: N_(
        "The table's thread is closed; I will post the board once it is open again."
    ),
    Trouble.STORE: N_("I will try again in a few minutes."),
    Trouble.FAULT: N_("I will try again in a few minutes."),
}
"""Why a board could not be posted, by kind of trouble; ``FOLLOWS`` is for all other kinds."""


def untold_move(
    failure: Failure, held_until: datetime | None, missing: Sequence[str], say: Texts
) -> str:
    """Tell a person that their move counts although the board could not be posted.

    :param held_until: as returned by ``Delivery.held_back``.
    :param missing: the permissions that the bot lacks in the channel, not yet translated.
    """
    told = say("Your move counts, but I could not post the board.")
    if held_until is not None:
        return f"{told} {held_back(held_until, say)}"
    if failure.trouble is Trouble.MISSING_PERMISSION and missing:
        names = say.list([say(name) for name in missing])
        why = say(
            "I lack these permissions: {missing}. I will post it once I have them.", missing=names
        )
        return f"{told} {why}"
    return f"{told} {say(CAUSES.get(failure.trouble, FOLLOWS))}"


def held_back(until: datetime, say: Texts) -> str:
    """Say that Discord is holding back a table's messages."""
    return say("Discord is holding back this table's messages until {time}.", time=deadline(until))
