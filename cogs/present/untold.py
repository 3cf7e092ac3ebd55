"""Why something that counts could not be told yet, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from cogs.gateway.failures import Failure, Trouble
from cogs.present.refusals import MESSAGES
from cogs.present.times import deadline
from data.texts import N_, Texts

FOLLOWS: Final = N_("It follows by itself as soon as Discord takes it.")

CAUSES: Final[Mapping[Trouble, str]] = {
    Trouble.MISSING_PERMISSION: N_(
        "I lack a permission in its channel; once I have it back, the board follows by itself."
    ),
    Trouble.GONE: MESSAGES["parked"],
    Trouble.ARCHIVED: N_("Its thread is closed; once it is open again, the board follows."),
    Trouble.STORE: N_("I try again by myself in a few minutes."),
    Trouble.FAULT: N_("I try again by myself in a few minutes."),
}
"""Why a board could not be posted, by trouble; for any other one, ``FOLLOWS``."""


def untold_move(
    failure: Failure, held_until: datetime | None, missing: Sequence[str], say: Texts
) -> str:
    """Tell a person that their move counts, but cannot be seen yet.

    :param held_until: as of ``Delivery.held_back``.
    :param missing: the permissions that the bot lacks there, as far as is known; still to be said.
    """
    told = say("Your move counts, but I could not post the board.")
    if held_until is not None:
        return f"{told} {held_back(held_until, say)}"
    if failure.trouble is Trouble.MISSING_PERMISSION and missing:
        names = say.list([say(name) for name in missing])
        why = say(
            "I lack these permissions: {missing}. Once I have them, it follows.", missing=names
        )
        return f"{told} {why}"
    return f"{told} {say(CAUSES.get(failure.trouble, FOLLOWS))}"


def held_back(until: datetime, say: Texts) -> str:
    """Say until when Discord holds back the messages of a table."""
    return say("Discord is holding back this table's messages until {time}.", time=deadline(until))
