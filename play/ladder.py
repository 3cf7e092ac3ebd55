"""What happens when somebody's time is up.

*The table is asked.* Everybody else who plays in person chooses among five steps: to wait longer,
to let a computer player move for the person this once, to let one keep the seat until the person
comes back, to offer the seat to somebody else, to end the match without a result. More than half
of those asked decide at once; when the time of the question is up, more than half of those who
have answered. The silent do not block. A tie, or that nobody has said a word, means to wait
longer. The question is open for as long as a turn lasts, at most a day; whoever's time is up may
still move, and thereby settles it. Of two players the other one decides alone.

*Strict paces.* Where the host has chosen so, nobody is asked: a computer player moves at once.

*Three misses in a row*, whatever the pace, and a computer player keeps the seat at once. A move in
person forgets all misses. Coming back takes one press, at any time.

Waiting longer, also while a seat is offered, gives the time of one more turn, or the increment
where there is a bank. The match counts as it ends, but for no rating if a computer player then has
a seat.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from enum import StrEnum

from data.clocks import TurnRow
from data.votes import VoteRow
from games.engine import Move, View
from play.clock import DAY, Pace
from play.table import Refused, Table
from play.tables import Tables
from play.votes import Question, Rule

MISSES_AT_MOST = 3
"""So many misses in a row make a computer player keep the seat."""


class Rung(StrEnum):
    """The steps of the ladder."""

    WAIT = "wait"
    MOVE = "move"
    KEEP = "keep"
    OFFER = "offer"
    END = "end"


def next_step(table: Table, turn: TurnRow, pace: Pace, misses: int) -> Rung | Question:
    """What to do when a person's time is up: a step that is taken at once, or a question.

    :param misses: how often in a row the person's time has been up, this time included.
    """
    if misses >= MISSES_AT_MOST:
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
        subject={"turn": turn.id},
        patience=timedelta(seconds=min(pace.more, DAY)),
    )


def is_overtaken(vote: VoteRow, table: Table) -> bool:
    """Whether the person has moved, or the seat has changed hands, since the table was asked."""
    clock = table.clocks.get(vote.seat) if vote.seat is not None else None
    return clock is None or clock.id != vote.subject["turn"]


async def move_for(
    tables: Tables, turn: TurnRow, choose: Callable[[View], Awaitable[Move]]
) -> Table:
    """Let a computer player move for a person until somebody else is to choose.

    :param choose: the computer player.
    :raises Refused: ``overtaken``: the person has moved, or the seat has changed hands.
    """
    table = await tables.get(turn.table_id)
    if not _waits_for(table, turn) or table.played.opened(turn.seat) != turn.ply:
        raise Refused("overtaken")
    while True:
        match = table.played
        opened = match.opened(turn.seat)
        move = await choose(match.view(turn.seat))
        played = await tables.move_in_absence(
            table.id, turn.person_id, move, opened, table.row.undos
        )
        table = played.table
        if table.awaited != (turn.seat,) or not _waits_for(table, turn):
            return table


async def keep_seat(tables: Tables, turn: TurnRow, level: str) -> Table:
    """Let a computer player keep a person's seat until the person comes back.

    :param level: of the computer player.
    :raises Refused: ``overtaken``: the person has moved, or the seat has changed hands.
    """
    async with tables.lock(turn.table_id):
        table = await tables.get(turn.table_id)
        if not _waits_for(table, turn) or table.played.opened(turn.seat) != turn.ply:
            raise Refused("overtaken")
        member = table.members[turn.seat]
        await tables.store.set_member(
            table.id,
            member.number,
            person_id=member.person_id,
            name=member.name,
            level=level,
            resigned=False,
        )
        return await tables.get(turn.table_id)


def _waits_for(table: Table, turn: TurnRow) -> bool:
    """Whether the person of a turn owes a decision."""
    return turn.seat in table.awaited_persons and (
        table.members[turn.seat].person_id == turn.person_id
    )
