"""The kinds of votes: when events make a question pointless, and what each decision does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from data.store.rows import VoteRow
from play import ending, idle, ladder, seats, undo
from play.ladder import Rung
from play.table import Refused, Table, swapped
from play.votes import LAPSED, YES, decision, open_votes


@dataclass(frozen=True, slots=True)
class Motion:
    """A kind of vote.

    :param overtaken: returns whether events at the table have made the question pointless.
    :param carry_out: applies the decision; may refuse if it comes too late.
    :param in_any_case: whether to carry out every decision, not only an agreement.
    """

    overtaken: Callable[[Table, VoteRow], bool]
    carry_out: Callable[[Table, VoteRow, datetime], Table]
    in_any_case: bool = False


def _replace(table: Table, vote: VoteRow, now: datetime) -> Table:
    return seats.offered(table, vote.seat or 0, vote.subject["to"], now)


def _late(table: Table, vote: VoteRow, now: datetime) -> Table:
    turn = table.clocks[vote.seat or 0]
    return ladder.take_step(table, turn, Rung(vote.decision or Rung.WAIT), now)


MOTIONS: Mapping[str, Motion] = {
    "undo": Motion(undo.undo_is_overtaken, undo.agreed),
    "draw": Motion(
        ending.draw_is_overtaken, lambda table, _, now: ending.finished_as_draw(table, now)
    ),
    "end": Motion(
        lambda table, _: not table.running,
        lambda table, _, now: ending.ended(table, {"how": "ended"}, now),
    ),
    idle.IDLE: Motion(
        idle.idle_is_overtaken, lambda table, _, now: ending.ended(table, {"how": "ended"}, now)
    ),
    "replace": Motion(seats.replacement_is_overtaken, _replace),
    "late": Motion(ladder.late_is_overtaken, _late, in_any_case=True),
}
"""All kinds of votes."""


def settle_next(table: Table, now: datetime) -> Table:
    """Return the table after the next vote that is settled or overtaken; the same object if there
    is none. A decision is carried out in the same change.
    """
    for vote in open_votes(table):
        motion = MOTIONS[vote.kind]
        decided = LAPSED if motion.overtaken(table, vote) else decision(table, vote, now)
        if decided is not None:
            settled = _settled(table, vote, decided, now)
            if decided == LAPSED or not (motion.in_any_case or decided == YES):
                return settled
            try:
                return motion.carry_out(settled, replace(vote, decision=decided), now)
            except Refused:  # the agreement is no longer possible
                return _settled(table, vote, LAPSED, now)
    return table


def _settled(table: Table, vote: VoteRow, decided: str, now: datetime) -> Table:
    votes = swapped(table.votes, vote, decision=decided, settled=table.revision + 1)
    return table.add("settle", now, vote.seat, None, f"{vote.asked}.{decided}", votes=votes)
