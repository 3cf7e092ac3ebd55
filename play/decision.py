"""Deciding: from a value and a command, compute the next value, with all consequences. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from play.aggregate import A, Command
from play.table import refuse_if


def decided(
    value: A, command: Command[A], now: datetime, settled: Callable[[A, A, datetime], A]
) -> A:
    """Return the value after a command and all its consequences; the same object if nothing
    changes.

    :param settled: called with the value before, the value after the command's own effect, and the
        time; returns the value with all consequences, or the value before if nothing has changed.
    :raises Refused: the command is not possible; ``already_counted``: it was carried out before.
    """
    now = now.replace(microsecond=0)  # the store keeps whole seconds
    once = command.interaction_id
    counted = once is not None and any(line.interaction_id == once for line in value.journal)
    refuse_if(counted, "already_counted")
    after = command.effect(value, now)
    if once is not None and after.revision > value.revision:
        # Only the first line gets the interaction's id: a consequence may be somebody else's line,
        # and would then keep a trace of this person.
        journal = list(after.journal)
        journal[value.revision] = replace(journal[value.revision], interaction_id=once)
        after = replace(after, journal=tuple(journal))
    return _in_order(settled(value, after, now), value.revision)


def _in_order(value: A, known: int) -> A:
    """Return the value with the times of new lines corrected where they seem older than the line
    before, because the clock may have been set back. Only the journal is corrected; deadlines
    follow the clock as it is now.

    :param known: the number of the last stored line.
    """
    times = [line.at for line in value.journal[max(known - 1, 0) :]]
    if times == sorted(times):
        return value
    journal = list(value.journal)
    for number in range(max(known, 1), len(journal)):
        at = max(journal[number].at, journal[number - 1].at)
        journal[number] = replace(journal[number], at=at)
    return replace(value, journal=tuple(journal))
