"""Who sits where: being sent away, handing a seat over, coming back.

*In the lobby* the host may send anybody away, who may not join that table again.

*In the match* a seat changes hands in two steps. More than half of those who play in person have
to agree: of two both, of three two, of four three. Then the seat is offered, to one person or to
whoever comes first, and changes hands when somebody takes it; until then everything goes on as
before. Offered may be the own seat, or one in which a computer player sits. Whoever takes a seat
takes its position, its rights and, in the end, its result.

*Coming back* is open to everybody whose seat a computer player has only kept, at any time and
without asking; not to those who have resigned.
"""

from __future__ import annotations

from data.store import AlreadyMember, NoSuchMember
from data.votes import VoteRow
from play.table import Refused, Table
from play.tables import Tables
from play.votes import Question, Rule


async def send_away(tables: Tables, table_id: int, by: int, number: int) -> Table:
    """Send a member away from the lobby.

    :raises Refused: ``not_in_lobby``, ``only_host``, ``host_stays``.
    :raises NoSuchMember: nobody has that number any more.
    """
    async with tables.lock(table_id):
        table = await tables.get(table_id)
        table.require_lobby()
        if by != table.row.host_id:
            raise Refused("only_host")
        member = next((m for m in table.members if m.number == number), None)
        if member is not None and member.person_id == by:
            raise Refused("host_stays")
        await tables.store.seats.send_away(table_id, number)
        return await tables.get(table_id)


def replace_question(
    table: Table, by: int, seat: int | None = None, newcomer: int | None = None
) -> Question | None:
    """What the others have to be asked before a seat is offered; None: nothing.

    :param seat: one that a computer player keeps; None: the own.
    :param newcomer: the only person to whom it is to be offered; None: anybody.
    :raises Refused: ``table_over``, ``not_started``, ``not_a_member``, ``plays_in_person``.
    :raises AlreadyMember: the newcomer plays here already.
    """
    own = table.seat_to_move(by)
    seat = own if seat is None else seat
    if seat != own and table.computer_at(seat) is None:
        raise Refused("plays_in_person", name=table.names[seat])
    if newcomer is not None and table.member_of(newcomer) is not None:
        raise AlreadyMember(newcomer)
    others = table.others(by)
    if not others:
        return None
    subject = {**table.position, "from": table.members[seat].person_id, "to": newcomer}
    return Question("replace", others, Rule.MAJORITY, seat=seat, subject=subject)


def replacing_is_overtaken(vote: VoteRow, table: Table) -> bool:
    """Whether the seat has changed hands, or its owner has come back, since it was asked for."""
    if not table.running or vote.seat is None:
        return True
    member = table.members[vote.seat]
    offered_by_owner = vote.asked_by == vote.subject["from"]
    came_back = member.level is None and not offered_by_owner
    return came_back or member.person_id != vote.subject["from"]


async def offer(tables: Tables, table_id: int, seat: int, newcomer: int | None) -> Table:
    """Offer a seat; how it came to that is for the caller to judge.

    :raises Refused: ``table_over``, ``not_started``.
    """
    async with tables.lock(table_id):
        table = await tables.get(table_id)
        table.require_running()
        await tables.store.seats.offer(table_id, seat, newcomer, tables.clock())
        return table


async def take(
    tables: Tables, table_id: int, seat: int, person_id: int, name: str
) -> tuple[Table, int | None]:
    """Sit down on an offered seat.

    :returns: the table, and who had the seat before; None: a computer player.
    :raises Refused: ``table_over``, ``not_started``, ``barred``, ``too_many_tables``.
    :raises Conflict: ``NotOffered``, ``AlreadyMember``.
    """
    async with tables.lock(table_id):
        table = await tables.get(table_id)
        table.require_running()
        if await tables.store.seats.is_barred(table_id, person_id):
            raise Refused("barred")
        if table.member_of(person_id) is None:
            await tables.require_room(person_id, table.row.guild_id)
        before = await tables.store.seats.take(table_id, seat, person_id, name)
        return await tables.get(table_id), before


async def come_back(tables: Tables, table_id: int, person_id: int) -> Table:
    """Play again in the own seat, which a computer player has kept.

    :raises Refused: ``table_over``, ``not_started``, ``not_a_member``, ``never_left``,
        ``resigned``.
    """
    async with tables.lock(table_id):
        table = await tables.get(table_id)
        table.require_running()
        member = table.member_of(person_id)
        if member is None:
            raise Refused("not_a_member")
        if member.level is None:
            raise Refused("never_left")
        try:
            await tables.store.seats.come_back(table_id, person_id)
        except NoSuchMember:
            raise Refused("resigned") from None
        return await tables.get(table_id)
