"""Deciding: from a table and a command, compute the next table, with all consequences.

Nothing here has side effects: a decision is a value, which is stored as a whole or not at all.
Consequences belong to the decision that causes them: votes are settled or lapse, planned moves and
moves without an alternative are played, clocks start, stop or ring, holidays are noted, a deserted
table ends. Only work that needs the outside world comes later: thinking, and calls to Discord.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from data.store.rows import Line
from play.aggregate import Command
from play.away import note_absence
from play.decision import decided
from play.ending import cleared, deserted
from play.motions import settle_next
from play.plans import play_next
from play.rematch import lapse
from play.table import Table, refuse_if, stored_of
from play.turns import due_at, follow, ring

CONSEQUENCES = (settle_next, deserted, cleared, play_next, note_absence, lapse, follow, ring)
"""One function for each kind of consequence. It returns the table after the next consequence of
that kind, or the same object if there is none.
"""


def decide(table: Table, command: Command[Table], now: datetime) -> Table:
    """Return the table after a command and all its consequences; the same object if nothing
    changes.

    :raises Refused: whatever ``decided`` raises.
    """
    return decided(table, command, now, settled)


def settled(before: Table, after: Table, now: datetime) -> Table:
    """Return a changed table with all its consequences; ``before`` if nothing has changed."""
    while (following := _consequence(after, now)) is not after:
        after = following
    after = _with_call(before, after, now)
    if (due := due_at(after)) != after.row.due_at:
        after = after.changed(due_at=due)
    if after.revision == before.revision:
        if stored_of(after) == stored_of(before):
            return before
        # Every change has a line, so other processes can tell their copy is stale.
        after = after.add("clock", now)
    return after


def _consequence(table: Table, now: datetime) -> Table:
    for consequence in CONSEQUENCES:
        following = consequence(table, now)
        if following is not table:
            return following
    return table


# ------------------------------------------------------------------------------------ calls
@dataclass(frozen=True, slots=True)
class CallAtTable(Command[Table]):
    """Mention somebody at the table because a direct message to them was refused.

    :param line: the number of the call's line.
    """

    seat: int
    line: int

    def effect(self, table: Table, now: datetime, /) -> Table:
        """:raises Refused: ``stale``: the seat has moved, or has been called again."""
        call = table.call_of(self.seat)
        unheard = call is not None and call.line == self.line and self.seat in call.dm
        refuse_if(not unheard or self.seat not in table.awaited_persons, "stale")
        return table.add("call", now, text=json.dumps({"table": [self.seat], "dm": []}))


def _with_call(before: Table, after: Table, now: datetime) -> Table:
    """Return the table with up to two more lines: one if a hand or round has ended, and one that
    calls the people who have to decide because of somebody else's act. Each person is notified
    once.
    """
    new = after.journal[before.revision :]
    if after.unreadable or not after.started or not new:
        return after
    if after.match is not None and after.game.info.accounts:
        after = _with_account(after, new, now)
    called = _called(before, after, new) if after.running else []
    if not called:
        return after
    by_dm = [seat for seat in called if after.prefers_dm(after.members[seat].person_id or 0)]
    at_table = [seat for seat in called if seat not in by_dm]
    return after.add("call", now, text=json.dumps({"table": at_table, "dm": by_dm}))


def _with_account(table: Table, new: Sequence[Line], now: datetime) -> Table:
    """If a hand or round has ended, add a line that refers to the event that ended it."""
    kinds = table.game.info.accounts
    for told in reversed(table.told_since(new[0].number - 1)):
        if any(fact.kind in kinds for fact in told.facts):
            return table.add("account", now, text=str(told.line))
    return table


def _called(before: Table, after: Table, new: Sequence[Line]) -> list[int]:
    """Return the seats of people who have to decide because of somebody else's act, or of an agreed
    undo.
    """
    if any(line.kind == "undo" and "agreed" in json.loads(line.text) for line in new):
        return list(after.awaited_persons)
    return [
        seat
        for seat in after.awaited_persons
        if after.opened(seat) > before.revision and not _opened_by_owner(before, after, seat)
    ]


def _opened_by_owner(before: Table, after: Table, seat: int) -> bool:
    """Return whether a person has to decide because of their own act. A planned move does not
    count: it was played as soon as somebody else's act had opened the turn.
    """
    number = after.opened(seat)
    while (cause := after.journal[number - 1]).kind == "draw":
        number -= 1
    return cause.seat == seat and (cause.kind != "move" or seat in before.awaited)
