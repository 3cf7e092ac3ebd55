"""The clocks of a table: when they start and stop, and what happens when they ring.

A clock runs for each person who owes a decision, as long as another person plays. Someone who plays
only against computer players is never hurried. Without a pace the clock has no end: it only
reminds, and after weeks the table asks whether to end the match. With a pace, each decision has its
own time, and unused time returns to the bank if there is one. If the clock of a decision starts
again, for example after an undo or a return to the seat, it has the remaining time, but at least
an hour.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime

from data.store.rows import Alarm, Status, TurnRow
from play.away import absent
from play.clock import (
    AGAIN,
    Pace,
    Rest,
    alarms,
    gentle_alarms,
    pace_in,
    resting,
    running_seconds,
)
from play.idle import ask_whether_to_end, asked_lately
from play.ladder import climb
from play.table import Table, swapped
from play.votes import open_votes


def follow(table: Table, now: datetime) -> Table:
    """Return the table with needless clocks stopped and needed ones running; the same object if
    nothing changes.
    """
    if table.over:
        return replace(table, turns=()) if table.turns else table
    pace = pace_in(table.row.options)
    if not table.started:
        return table
    owed = {} if table.unreadable else _owed(table)
    turns = list[TurnRow]()
    for turn in table.turns:
        if turn.time_left is not None:
            turns.append(turn)
        elif owed.get(turn.seat) == (turn.decision, turn.person_id):
            turns.append(_shifted(table, turn))
            del owed[turn.seat]
        else:
            turns.append(_closed(table, turn, now))
    for seat in owed:
        turns = _opened(table, turns, pace, seat, now)
    kept = tuple(turns)
    return table if kept == table.turns else replace(table, turns=kept)


def _owed(table: Table) -> dict[int, tuple[int, int]]:
    """Return, by seat, the decisions that people owe while others play, and those people."""
    return {
        seat: (table.decision(seat), person)
        for seat in table.awaited_persons
        if (person := table.members[seat].person_id) is not None and table.others(person)
    }


def _opened(
    table: Table, turns: list[TurnRow], pace: Pace | None, seat: int, now: datetime
) -> list[TurnRow]:
    decision, person_id = table.decision(seat), table.members[seat].person_id or 0
    before = [turn for turn in turns if (turn.seat, turn.person_id) == (seat, person_id)]
    same = next((turn for turn in before if turn.decision == decision), None)
    rest = rest_at(table, person_id)
    if pace is None:
        budget, due = 0, gentle_alarms(now, rest, now)
    else:
        left = before[-1].time_left if before else None
        budget = pace.budget(left) if same is None else max(same.time_left or 0, AGAIN)
        due = alarms(now, budget, rest)
    turn = TurnRow(
        seat=seat,
        decision=decision,
        person_id=person_id,
        opened_at=now,
        budget=budget,
        ends_at=due.get(Alarm.END, now),
        alarms=due,
        misses=before[-1].misses if before else 0,
        helped=same is None and _goes_on_helped(table, before, seat),
    )
    # Of a person's earlier turns, keep the last one, which holds the bank and the misses, and those
    # that the person can reopen without asking, by taking back one move after another.
    since = _others_last(table, seat)
    old = {other.decision for other in before[:-1] if other.decision < since}
    gone = {(seat, other) for other in old | {decision}}
    return [*(other for other in turns if (other.seat, other.decision) not in gone), turn]


def _others_last(table: Table, seat: int) -> int:
    """Return the line of the last event by anyone but the seat."""
    events = zip(reversed(table.lines), reversed(table.played.log), strict=True)
    return next((line for line, event in events if event.seat != seat), table.begun)


def _goes_on_helped(table: Table, before: list[TurnRow], seat: int) -> bool:
    """Return whether a computer player that moves for a person still has to finish the turn."""
    last = table.tail[-1] if table.tail else None
    goes_on = last is not None and last.seat == seat and table.awaited == (seat,)
    return goes_on and bool(before) and before[-1].helped


def _shifted(table: Table, turn: TurnRow) -> TurnRow:
    """Return a running turn, with new alarms if the person's quiet hours or holidays have changed.
    Alarms that have gone off are not set again. Without a limit, no alarm is changed: a reminder
    that falls in quiet hours waits until they end.
    """
    if not turn.budget:
        return turn
    due = alarms(turn.opened_at, turn.budget, rest_at(table, turn.person_id))
    if due[Alarm.END] == turn.ends_at:
        return turn
    pending = {alarm: due[alarm] for alarm in turn.alarms if alarm in due}
    return replace(turn, ends_at=due[Alarm.END], alarms=pending)


def _closed(table: Table, turn: TurnRow, now: datetime) -> TurnRow:
    used = running_seconds(turn.opened_at, now, rest_at(table, turn.person_id))
    moved = any(
        line.kind == "move" and (line.seat, line.person_id) == (turn.seat, turn.person_id)
        for line in table.journal[turn.decision :]
    )
    left = max(0, turn.budget - used)
    return replace(turn, time_left=left, misses=0 if moved else turn.misses, alarms={})


# ------------------------------------------------------------------------------ what is due
def ring(table: Table, now: datetime) -> Table:
    """Return the table after the next alarm that is due; the same object if none is due."""
    if not table.running or table.unreadable:
        return table
    for turn in table.clocks.values():
        due = {alarm for alarm, at in turn.alarms.items() if at <= now}
        if Alarm.END in due:
            rung = replace(table, turns=swapped(table.turns, turn, alarms={}))
            return climb(rung, replace(turn, alarms={}), now)
        if due & {Alarm.NUDGE, Alarm.ASK}:
            return _nudged(table, turn, due, now)
        for alarm in (Alarm.SOON, Alarm.HALF):
            if alarm in due:
                return _reminded(table, turn, alarm, now)
    return table


def _reminded(table: Table, turn: TurnRow, alarm: Alarm, now: datetime) -> Table:
    """Return the table after a reminder. A late reminder that falls in quiet hours or holidays
    waits until they end, or is left out if the time is up by then; if two are due, the later one
    counts.
    """
    rest = rest_at(table, turn.person_id)
    silence = None if rest is None else rest.around(now)
    later = {alarm: silence[1]} if silence is not None and silence[1] < turn.ends_at else {}
    others = {other: at for other, at in turn.alarms.items() if other not in (Alarm.HALF, alarm)}
    turns = swapped(table.turns, turn, alarms={**others, **later})
    if silence is not None:
        return replace(table, turns=turns)
    return _with_reminder(replace(table, turns=turns), turn, alarm, now)


def _with_reminder(table: Table, turn: TurnRow, alarm: Alarm, now: datetime) -> Table:
    # A bot that can only respond to interactions would have to wait for one before it posts the
    # reminder.
    closed = table.settings(turn.person_id).dm_closed
    by_dm = not closed if table.chat else table.prefers_dm(turn.person_id)
    text = json.dumps({"alarm": alarm, "decision": turn.decision, "dm": by_dm})
    return table.add("remind", now, turn.seat, turn.person_id, text)


def _nudged(table: Table, turn: TurnRow, due: set[Alarm], now: datetime) -> Table:
    """For a decision without a time limit, return the table after reminding the person, or instead
    asking everyone whether to end the match. During quiet hours and holidays, both wait.
    """
    rest = rest_at(table, turn.person_id)
    silence = None if rest is None else rest.around(now)
    fresh = gentle_alarms(turn.opened_at, rest, now)
    later = {alarm: fresh[alarm] if silence is None else silence[1] for alarm in due}
    turns = swapped(table.turns, turn, alarms={**turn.alarms, **later})
    after = replace(table, turns=turns)
    if silence is not None:
        return after
    if Alarm.ASK in due and not asked_lately(table, now):
        return ask_whether_to_end(after, now)
    return _with_reminder(after, turn, Alarm.NUDGE, now)


def due_at(table: Table) -> datetime | None:
    """Return when something will next happen without anyone acting; None: never."""
    if table.row.status not in (Status.LOBBY, Status.RUNNING):
        return None
    hours = [*absent(table).values()]
    if table.asked:
        hours.append(table.asked_until)
    if table.running:
        hours += [at for turn in table.clocks.values() for at in turn.alarms.values()]
        hours += [vote.closes_at for vote in open_votes(table) if vote.closes_at is not None]
    return min(hours, default=None)


def rest_at(table: Table, person_id: int) -> Rest | None:
    """Return when a person's clocks rest at this table; None if they never do."""
    return resting(table.settings(person_id), table.server)
