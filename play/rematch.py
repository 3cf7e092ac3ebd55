"""A rematch: the players of a finished match are asked to play again.

The lobby of the new table is the offer. Everyone who played has a seat there from the beginning,
kept for ``REMATCH_PATIENCE``; they accept (``Join``) or decline (``Leave``). The match starts by
itself once all have accepted. If a seat becomes free, others can take it, as in any lobby; once
everybody who was asked has answered, the host can start, even with fewer players.
"""

from __future__ import annotations

import json
from datetime import datetime

from data.store.rows import MemberRow, Opening, Status
from games import GAMES
from games.absent import NO_GAME
from games.house import STARTER, first_of
from play.lobby import SEATINGS, computer_levels, vacated
from play.table import SEATING, Table, refuse_if


def rematch(table: Table, person_id: int) -> Opening:
    """Return the data for opening another table like a finished one, in the same channel.

    If the game has an option for who begins, the seating order stays the same and the next player
    begins. Otherwise seats are assigned as they were before: by lot, or in order of joining. If
    somebody's data has been deleted since, their seat is free, and a lot decides who begins.

    :param person_id: becomes the host.
    :raises Refused: ``not_a_member``, ``no_game``.
    """
    refuse_if(table.row.game not in GAMES, NO_GAME)
    row, circle = table.row, list(table.members)
    at = circle.index(table.member(person_id))
    first = None if table.match is None else first_of(table.match)
    circle = [*circle[at:], *circle[:at]]
    present = [m for m in circle if m.person_id is None or m.person_id > 0]
    complete = len(present) == len(circle)
    options = {key: value for key, value in row.options.items() if complete or key != STARTER}
    if complete and first is not None:
        begins = (first + 1 - at) % len(circle)
        options |= {SEATING: SEATINGS[1], STARTER: str(begins + 1)}
    guests = tuple(
        MemberRow(number, m.person_id, m.name, _level(table, m))
        for number, m in enumerate(present[1:], 1)
    )
    by_dm = [m.number for m in guests if m.person_id and table.prefers_dm(m.person_id)]
    return Opening(
        game=row.game,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        host_id=person_id,
        host_name=circle[0].name,
        language=row.language,
        options=options,
        wanted_players=len(circle) if complete else None,
        chat=table.chat,
        home_id=row.home_id,
        guests=guests,
        rematch=json.dumps({"of": row.code, "dm": by_dm}),
    )


def _level(table: Table, member: MemberRow) -> str | None:
    """Return the level of a computer player or, if the server no longer allows that, the highest
    level that it allows; None for a person.
    """
    if member.person_id is not None:
        return None
    allowed = computer_levels(table)
    return member.level if member.level in allowed else allowed[-1]


def lapse(table: Table, now: datetime) -> Table:
    """Return the table after the next seat of a rematch has become free because its owner has not
    answered in time; the same object if there is none.
    """
    if table.row.status is not Status.LOBBY or not table.asked or now < table.asked_until:
        return table
    return vacated(table, table.member(table.asked[0]), "lapse", now)
