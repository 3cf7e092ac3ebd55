"""Ending a match otherwise than by playing it out.

*Resigning.* One of two gives the win to the other. At a larger table a computer player goes on in
the seat, and the match is counted as it ends; whoever resigned does not come back. Once nobody
plays in person any more, the table ends without a result.

*A draw* is for games whose rules know one, and only among persons: everybody has to agree, be it
one other or all others. All share the first place. The offer stands until somebody who was asked
moves.

*Ending without a result* needs more than half of those who play in person: of two both, of three
two, of four three. Who plays in person with nobody else, and who manages the server, ends a table
alone; in the lobby, and when the channel is lost, so does the host.

*Deserted.* Computer players play for people, not for each other: once none plays in person any
more, because computer players keep all the seats, the table ends without a result.
"""

from __future__ import annotations

from data.store import Status
from data.votes import VoteRow
from play.table import Refused, Table
from play.tables import Tables
from play.votes import Question, Rule


def draw_question(table: Table, person_id: int) -> Question:
    """What everybody else has to be asked.

    :raises Refused: ``table_over``, ``not_started``, ``not_a_member``, ``no_draws``,
        ``draw_with_computers``.
    """
    table.seat_to_move(person_id)
    if not table.game.info.draws:
        raise Refused("no_draws")
    _require_persons(table)
    return Question("draw", table.others(person_id), Rule.ALL, subject=table.position)


def draw_is_overtaken(vote: VoteRow, table: Table) -> bool:
    """Whether somebody who was asked has moved instead of answering."""
    if not table.running or table.unreadable or vote.subject["undos"] != table.row.undos:
        return True
    asked = {table.seat_of(person) for person in vote.answers if person != vote.asked_by}
    return any(event.seat in asked for event in table.played.log[vote.subject["ply"] :])


def end_question(table: Table, person_id: int) -> Question | None:
    """What the others have to be asked before the table ends without a result; None: nothing.

    :raises Refused: ``table_over``, ``not_started``, ``not_a_member``.
    """
    table.require_running()
    table.held_seat(person_id)
    others = table.others(person_id)
    if not others:
        return None
    return Question("end", others, Rule.MAJORITY, subject=table.position)


async def draw(tables: Tables, table_id: int) -> Table:
    """Finish a match as a draw, to which all have agreed.

    :raises Refused: ``table_over``; ``draw_with_computers``: somebody has left meanwhile.
    """
    async with tables.lock(table_id):
        table = await tables.get(table_id)
        table.require_running()
        _require_persons(table)
        result = {"how": "drawn", "ranks": [1] * len(table.members)}
        await tables.store.end(table_id, Status.FINISHED, result, tables.clock())
        return await tables.get(table_id)


async def end_by_consent(tables: Tables, table_id: int) -> Table:
    """End a running table without a result, as the vote has decided.

    :raises Refused: ``table_over``.
    """
    async with tables.lock(table_id):
        table = await tables.get(table_id)
        table.require_running()
        await tables.store.end(table_id, Status.ENDED, {"how": "ended"}, tables.clock())
        return await tables.get(table_id)


async def end_deserted(tables: Tables, table_id: int) -> Table | None:
    """End a running table without a result if nobody plays there in person any more.

    :return: the table; None: it goes on, or was over before.
    """
    async with tables.lock(table_id):
        table = await tables.get(table_id)
        if not table.running or table.persons:
            return None
        await tables.store.end(table_id, Status.ENDED, {"how": "deserted"}, tables.clock())
        return await tables.get(table_id)


def _require_persons(table: Table) -> None:
    """Go on only where everybody plays in person."""
    if len(table.persons) < len(table.members):
        raise Refused("draw_with_computers")
