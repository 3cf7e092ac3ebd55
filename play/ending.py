"""Ending a match otherwise than by playing it out.

*Resigning* is for good; the match is counted as it ends. *A draw* is for games whose rules know
one, and only among persons, all of whom have to agree and share the first place. *Ending without a
result* needs more than half of those who play in person; who manages the server ends a table
alone, and so does the host in the lobby and when the channel is lost. Computer players play for
people, not for each other: once no one plays in person any more, the table is *deserted*, and ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from data.store.rows import Status, VoteRow
from play.moves import finished
from play.table import PersonCommand, Table, refuse_if, swapped
from play.votes import Question, Rule, ask


class Resigning(StrEnum):
    """What it means for a table that someone resigns."""

    LOSES = "loses"
    """The other one wins."""
    ENDS = "ends"
    """No one is left, so the match ends without a result."""
    REPLACED = "replaced"
    """A computer player goes on in the seat."""


def resigning(table: Table, person_id: int) -> Resigning:
    """What follows if this person, who plays, resigns."""
    if len(table.members) == 2:
        return Resigning.LOSES
    return Resigning.REPLACED if table.others(person_id) else Resigning.ENDS


@dataclass(frozen=True, slots=True)
class Resign(PersonCommand):
    """Give up.

    :param level: of the computer player that takes over where one does.
    """

    level: str

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``not_a_member``, ``not_started``, ``table_over``."""
        table.require_running()
        member = table.member(self.person_id)
        refuse_if(member.level is not None, "not_a_member")
        what = resigning(table, self.person_id)
        members = swapped(table.members, member, level=self.level, resigned=True)
        after = table.add("resign", now, member.seat, self.person_id, what, members=members)
        result = {"how": "resigned", "by": member.seat}
        if what is Resigning.LOSES:
            ranks = [2 if other.seat == member.seat else 1 for other in table.members]
            return finished(after, {**result, "ranks": ranks}, now)
        return ended(after, result, now) if what is Resigning.ENDS else after


@dataclass(frozen=True, slots=True)
class OfferDraw(PersonCommand):
    """Offer a draw to everyone else."""

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``table_over``, ``not_started``, ``not_a_member``, ``no_draws``,
        ``draw_with_computers``; as ``votes.ask``.
        """
        table.seat_to_move(self.person_id)
        refuse_if(not table.game.info.draws, "no_draws")
        _require_persons(table)
        others = table.others(self.person_id)
        question = Question("draw", others, Rule.ALL, subject={"position": table.position})
        return ask(table, question, self.person_id, now)


def draw_is_overtaken(table: Table, vote: VoteRow) -> bool:
    """Whether someone who was asked has moved instead of answering, or a move was taken back."""
    if not table.running or table.unreadable:
        return True
    asked = {table.seat_of(person) for person, _ in vote.answers if person != vote.asked_by}
    since = (line for line in table.journal if line.number > vote.asked)
    return any(
        line.kind == "undo" or (line.kind == "move" and line.seat in asked) for line in since
    )


def drawn(table: Table, now: datetime) -> Table:
    """The match finished as a draw, to which all have agreed; refused if someone has left since."""
    _require_persons(table)
    return finished(table, {"how": "drawn", "ranks": [1] * len(table.members)}, now)


@dataclass(frozen=True, slots=True)
class EndTable(PersonCommand):
    """End a table without a result, or ask the others for it.

    :param manages: the person may manage the table's server, and thus end anyone's table.
    :param only_lobby: end it only if it has not started.
    """

    manages: bool = False
    only_lobby: bool = False

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``only_host``, ``not_a_member``, ``table_over``, ``not_in_lobby``; as
        ``votes.ask``.
        """
        if self.only_lobby:
            table.require_lobby()
        refuse_if(table.over, "table_over")
        if not (self.manages or table.running):
            refuse_if(self.person_id != table.row.host_id, "only_host")
        elif not self.manages:
            table.held_seat(self.person_id)
            if others := table.others(self.person_id):
                subject = {"position": table.position}
                question = Question("end", others, Rule.MAJORITY, subject=subject)
                return ask(table, question, self.person_id, now)
        return ended(table, {"how": "ended"}, now, self.person_id)


def ended(
    table: Table, result: Mapping[str, Any], now: datetime, person_id: int | None = None
) -> Table:
    """The table stopped without a winner.

    :param person_id: who ended it alone, if someone did.
    """
    stopped = table.changed(status=Status.ENDED, result=result, moved_at=now)
    return stopped.add("end" if table.started else "close", now, person_id=person_id)


def deserted(table: Table, now: datetime) -> Table:
    """The table, ended if no one plays there in person any more."""
    if not table.running or table.persons:
        return table
    return ended(table, {"how": "deserted"}, now)


def _require_persons(table: Table) -> None:
    """Go on only where everyone plays in person."""
    refuse_if(len(table.persons) < len(table.members), "draw_with_computers")
