"""The steps taken when a person's time is up.

Everyone else who plays in person chooses among five steps. The vote stays open for the time of a
turn or, with a bank, for the increment, but at most a day. The late person may still move, which
ends the vote. There is no vote at a strict pace, where a computer player moves at once; nor after
three misses in a row, when a computer player keeps the seat. A move made in person clears all
misses.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum

from data.store.rows import Alarm, TurnRow, VoteRow
from play.clock import DAY, Pace, alarms, pace_in, resting
from play.ending import ended
from play.seats import kept, offered
from play.table import Refused, Table, swapped
from play.votes import Question, Rule, ask

MISSES_AT_MOST = 3
"""After this many misses in a row, a computer player keeps the seat."""

STAND_IN = "skilled"
"""The level of computer players that stand in for people."""


class Rung(StrEnum):
    """The steps: give the person more time; let a computer player play this turn; let a computer
    player keep the seat; give more time and offer the seat; end without a result.
    """

    WAIT = "wait"
    MOVE = "move"
    KEEP = "keep"
    OFFER = "offer"
    END = "end"


def climb(table: Table, turn: TurnRow, now: datetime) -> Table:
    """Return the table after a person's time is up: count the miss, then take a step or open a
    vote.

    :param turn: the running turn of the person, with its alarms removed.
    """
    pace = pace_in(table.row.options)
    if pace is None or turn.missed_at == turn.ends_at:
        return table
    missed = replace(turn, misses=turn.misses + 1, missed_at=turn.ends_at)
    step = next_step(table, missed, pace)
    taken = None if isinstance(step, Question) else step
    text = json.dumps({"misses": missed.misses, "step": taken})
    turns = swapped(table.turns, turn, misses=missed.misses, missed_at=missed.missed_at)
    after = table.add("miss", now, turn.seat, turn.person_id, text, turns=turns)
    if not isinstance(step, Question):
        return take_step(after, missed, step, now)
    try:
        return ask(after, step, None, now)
    except Refused:  # the same question is still open
        return after


def next_step(table: Table, turn: TurnRow, pace: Pace) -> Rung | Question:
    """Return what to do about a person whose time is up: a step to take at once, or a question to
    ask.

    :param turn: the turn, with this miss counted.
    """
    if turn.misses >= MISSES_AT_MOST:
        return Rung.KEEP
    if pace.strict:
        return Rung.MOVE
    return Question(
        "late",
        table.others(turn.person_id),
        Rule.ANSWERS,
        choices=tuple(Rung),
        fallback=Rung.WAIT,
        seat=turn.seat,
        subject={"decision": turn.decision},
        patience=timedelta(seconds=min(pace.more, DAY)),
    )


def late_is_overtaken(table: Table, vote: VoteRow) -> bool:
    """Return whether the person has moved, the seat has changed hands, or the clock was restarted
    since the table was asked.
    """
    turn = table.clocks.get(vote.seat) if vote.seat is not None else None
    if turn is None or turn.decision != vote.subject["decision"]:
        return True
    # A clock restarted after an undo, or for someone else, has no miss yet. A clock that is no
    # longer needed may still run, because clocks are updated last.
    still_owed = (
        turn.seat in table.awaited_persons
        and table.members[turn.seat].person_id == turn.person_id
        and table.decision(turn.seat) == turn.decision
    )
    return turn.missed_at is None or not still_owed


def take_step(table: Table, turn: TurnRow, step: Rung, now: datetime) -> Table:
    """Return the table after the step chosen for someone whose time is up."""
    match step:
        case Rung.WAIT:
            return extended(table, turn, now)
        case Rung.MOVE:
            turns = swapped(table.turns, turn, helped=True)
            return table.add("helped", now, turn.seat, turn.person_id, turns=turns)
        case Rung.KEEP:
            return kept(table, turn.seat, STAND_IN, now)
        case Rung.OFFER:
            return offered(extended(table, turn, now), turn.seat, None, now)
        case Rung.END:
            return ended(table, {"how": "ended"}, now)


def extended(table: Table, turn: TurnRow, now: datetime) -> Table:
    """Return the table with a later deadline for the person: from now, the time of a turn or, with
    a bank, the increment.
    """
    pace = pace_in(table.row.options)
    if pace is None:
        return table
    due = alarms(now, pace.more, resting(table.settings(turn.person_id), table.server))
    turns = swapped(
        table.turns, turn, opened_at=now, budget=pace.more, ends_at=due[Alarm.END], alarms=due
    )
    return table.add("extend", now, turn.seat, turn.person_id, turns=turns)
