"""Ending a match early.

*Resigning* is final; the result counts. *A draw* exists only in games whose rules allow it, and
only among people: everyone must agree, and all share first place. *Ending without a result* needs
more than half of those who play in person, or of those who answer if the bot has asked; the host
alone may close a table that is still in its lobby, or whose channel is lost. Server managers who do
not play at a table can end it alone, with a reason shown to everyone. Computer players play for
people, not among themselves: when nobody plays in person any longer, the table is *deserted*, and
ends.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from data.store.rows import Status, VoteRow
from play.moves import finished
from play.table import PersonCommand, Table, refuse_if, swapped
from play.votes import Question, Rule, ask

REASON_LIMIT = 200
"""The longest reason for ending a table, in characters."""


class Resigning(StrEnum):
    """What happens to the match when someone resigns."""

    LOSES = "loses"
    """The only other player wins."""
    ENDS = "ends"
    """Nobody else plays in person, so the match ends without a result."""
    REPLACED = "replaced"
    """A computer player takes over the seat."""


def resigning(table: Table, person_id: int) -> Resigning:
    """Return what happens if this player resigns."""
    if len(table.members) == 2:
        return Resigning.LOSES
    return Resigning.REPLACED if table.others(person_id) else Resigning.ENDS


@dataclass(frozen=True, slots=True)
class Resign(PersonCommand):
    """Give up.

    :param level: the level of the computer player, if one takes over.
    """

    level: str

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``not_a_member``, or whatever ``Table.require_running`` raises."""
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
        """:raises Refused: ``no_draws``, ``draw_with_computers``, or whatever
        ``Table.seat_to_move`` or ``votes.ask`` raises.
        """
        table.seat_to_move(self.person_id)
        refuse_if(not table.game.info.draws, "no_draws")
        _require_persons(table)
        others = table.others(self.person_id)
        question = Question("draw", others, Rule.ALL, subject={"position": table.position})
        return ask(table, question, self.person_id, now)


def draw_is_overtaken(table: Table, vote: VoteRow) -> bool:
    """Return whether someone who was asked has moved since, a move was undone, or the match cannot
    be continued.
    """
    if not table.running or table.unreadable:
        return True
    asked = {table.seat_of(person) for person, _ in vote.answers if person != vote.asked_by}
    since = (line for line in table.journal if line.number > vote.asked)
    return any(
        line.kind == "undo" or (line.kind == "move" and line.seat in asked) for line in since
    )


def finished_as_draw(table: Table, now: datetime) -> Table:
    """Return the match ended as an agreed draw.

    :raises Refused: ``draw_with_computers``: someone has left since.
    """
    _require_persons(table)
    return finished(table, {"how": "drawn", "ranks": [1] * len(table.members)}, now)


class Ending(StrEnum):
    """What happens when someone asks to end a table."""

    CLOSES = "closes"
    """The host closes it, in the lobby or because the channel is lost."""
    ASKS = "asks"
    """The others are asked."""
    ALONE = "alone"
    """Nobody else plays in person, so it ends."""
    MANAGES = "manages"
    """Someone who does not play ends it, because they manage the server."""


def ending(table: Table, person_id: int, *, manages: bool = False) -> Ending:
    """Return what happens if this person asks to end the table.

    :param manages: whether the person may manage the table's server.
    :raises Refused: ``table_over``, ``resigned``, ``only_host``, ``not_a_member``, ``away``.
    """
    refuse_if(table.over, "table_over")
    member = table.member_of(person_id)
    sits = member is not None and not member.resigned
    if manages and not sits:
        return Ending.MANAGES
    if not table.running:
        refuse_if(person_id != table.row.host_id, "only_host")
        refuse_if(not sits, "resigned")
        return Ending.CLOSES
    table.held_seat(person_id)
    return Ending.ASKS if table.others(person_id) else Ending.ALONE


@dataclass(frozen=True, slots=True)
class EndTable(PersonCommand):
    """End a table without a result, or ask the others to.

    :param only_lobby: whether to end it only if it has not started.
    :param sure: whether the person has confirmed this although others are at the table.
    """

    only_lobby: bool = False
    sure: bool = False

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``not_in_lobby``, ``not_sure``, or whatever ``ending`` or ``votes.ask``
        raises.
        """
        if self.only_lobby:
            table.require_lobby()
        what, others = ending(table, self.person_id), table.others(self.person_id)
        if what is Ending.ASKS:
            subject = {"position": table.position}
            question = Question("end", others, Rule.MAJORITY, subject=subject)
            return ask(table, question, self.person_id, now)
        refuse_if(others and not self.sure, "not_sure")
        return ended(table, {"how": "ended"}, now, self.person_id)


@dataclass(frozen=True, slots=True)
class EndAsManager(PersonCommand):
    """End a table as a manager of its server who does not play at it.

    :param manages: whether the person manages the server at the time of the command.
    :param reason: shown to everyone.
    :param only_lobby: whether to end it only if it has not started.
    """

    manages: bool
    reason: str
    only_lobby: bool = False

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``not_manager``, ``not_in_lobby``, ``manager_plays``, ``no_reason``, or
        whatever ``ending`` raises.
        """
        refuse_if(not self.manages, "not_manager")
        if self.only_lobby:
            table.require_lobby()
        what = ending(table, self.person_id, manages=True)
        refuse_if(what is not Ending.MANAGES, "manager_plays")
        # A form may contain half of a surrogate pair, which no database stores.
        reason = " ".join(self.reason.encode(errors="replace").decode().split())
        refuse_if(not 0 < len(reason) <= REASON_LIMIT, "no_reason", limit=REASON_LIMIT)
        return ended(table, {"how": "ended"}, now, self.person_id, reason)


def ended(
    table: Table,
    result: Mapping[str, Any],
    now: datetime,
    person_id: int | None = None,
    reason: str = "",
) -> Table:
    """Return the table, stopped without a winner.

    :param person_id: the person who ended it alone; None if nobody did.
    :param reason: the reason given; empty if none was.
    """
    stopped = table.changed(status=Status.ENDED, result=result, moved_at=now)
    text = json.dumps({"reason": reason}, ensure_ascii=False) if reason else ""
    kind = "end" if table.started else "close"
    return stopped.add(kind, now, person_id=person_id, text=text)


def ending_record(table: Table) -> tuple[int | None, str]:
    """Return who ended a table alone (None: nobody), and the reason given (empty: no reason)."""
    line = table.last_line("end", "close")
    if line is None:
        return None, ""
    return line.person_id, json.loads(line.text)["reason"] if line.text else ""


def cleared(table: Table, now: datetime) -> Table:
    """Once a table is over, return it without plans, offers and the like; the same object if there
    is nothing to clear.
    """
    if not (table.over and (table.plans or table.hurried or table.offers or table.barred)):
        return table
    nobody: frozenset[int] = frozenset()
    return replace(table, plans=(), hurried=nobody, offers=(), barred=nobody)


def deserted(table: Table, now: datetime) -> Table:
    """Return the table, ended if nobody plays at it in person any more."""
    if not table.running or table.persons:
        return table
    return ended(table, {"how": "deserted"}, now)


def _require_persons(table: Table) -> None:
    """Refuse a draw unless every player is a person."""
    refuse_if(len(table.persons) < len(table.members), "draw_with_computers")
