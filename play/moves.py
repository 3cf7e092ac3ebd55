"""Moves of people, of computer players, and of computer players standing in for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from data.store.rows import Status
from games.engine import CHANCE, EngineError, IllegalMove, Match, Move, Outcome, Step
from play.aggregate import Command
from play.seats import without_late_offer
from play.table import TAIL, PersonCommand, Table, refuse_if, refused_move, told_of
from play.undo import has_chosen

MOVES_TO_COUNT = 2
"""How many moves each player must have made for a match to be rated."""


@dataclass(frozen=True, slots=True)
class PlayMoves(PersonCommand):
    """Play one or more moves in a row for a person's seat: all of them or none of them.

    :param texts: the moves, as typed or pressed.
    :param seen: the revision that the person saw when pressing; None: the moves were typed, so they
        apply to the current position.
    """

    texts: tuple[str, ...]
    seen: int | None = None

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``no_move``, ``stale``, ``chosen_already``, or whatever
            ``Table.seat_to_move`` raises.
        :raises RefusedByRules: it is not the seat's turn, or a move breaks a rule, which the
            exception names.
        """
        seat = table.seat_to_move(self.person_id)
        refuse_if(not self.texts, "no_move")
        if seat in table.awaited:
            refuse_stale(table, seat, self.seen)
        else:
            refuse_if(has_chosen(table, seat), "chosen_already")
        pressed = self.seen is not None
        texts = self.texts if pressed else [typed(table, seat, text) for text in self.texts]
        return without_late_offer(played(table, seat, texts, now, self.person_id), seat)


@dataclass(frozen=True, slots=True)
class PlayForComputer(Command[Table]):
    """Play a move that a computer player chose for its own seat, or in place of a person.

    :param opened: ``Table.opened`` of the seat when the computer player began to think.
    :param quick: whether it was chosen without a full search; see ``play.computers.ChosenMove``.
        The journal gets a line ``quick`` for the first such move at the table.
    """

    seat: int
    move: Move
    opened: int
    quick: bool = False

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``not_a_computer``, ``stale``, or whatever ``Table.require_running``
            raises.
        :raises RefusedByRules: the move is illegal.
        """
        table.require_running()
        refuse_if(self.seat not in table.awaited_computers, "not_a_computer")
        refuse_if(table.opened(self.seat) != self.opened, "stale")
        if self.quick and all(line.kind != "quick" for line in table.journal):
            table = table.add("quick", now, self.seat)
        return played(table, self.seat, (self.move,), now, None)


def refuse_stale(table: Table, seat: int, seen: int | None) -> None:
    """Refuse, as ``stale``, a press on a control made for an earlier decision."""
    refuse_if(seen is not None and seen < table.opened(seat), "stale")


def typed(table: Table, seat: int, text: str) -> str:
    """Return a typed text in the notation of the rules.

    :raises RefusedByRules: a name in it could mean several players.
    """
    try:
        return table.game.typed(text, table.names)
    except IllegalMove as error:
        raise refused_move(error, table, seat) from error


def played(
    table: Table, seat: int, texts: Sequence[str], now: datetime, person_id: int | None
) -> Table:
    """Return the table after moves of a seat, and after the draws of chance that follow them.

    :param person_id: the person who moved; None: a computer player.
    :raises RefusedByRules: it is not the seat's turn, or a move breaks a rule, which the exception
        names.
    """
    try:
        match, steps = table.played.played(seat, texts)
    except EngineError as error:
        raise refused_move(error, table, seat) from error
    return with_steps(table, match, steps, now, person_id)


def with_steps(
    table: Table, match: Match[Any], steps: Sequence[Step], now: datetime, person_id: int | None
) -> Table:
    """Return the table with steps of its match added to the journal, and with the result if they
    end the match.
    """
    first = table.revision + 1
    for step in steps:
        kind, who = ("draw", None) if step.event.seat == CHANCE else ("move", person_id)
        table = table.add(kind, now, step.event.seat, who, step.event.move)
    numbers = tuple(range(first, table.revision + 1))
    tail = (*table.tail, *told_of(steps, numbers))[-TAIL:]
    after = table.changed(match=match, lines=(*table.lines, *numbers), tail=tail, moved_at=now)
    outcome = match.outcome
    return after if outcome is None else finished(after, result_of(outcome), now)


def finished(table: Table, result: Mapping[str, Any], now: datetime) -> Table:
    """Return the table with its match finished, and with a result. The result is marked ``brief``
    if only the number of moves keeps it from being rated.
    """
    by_people = _by_people(table, result)
    result = {**result, "by_people": by_people}
    if by_people and len(table.members) > 1 and _brief(table):
        result["brief"] = True
    return table.add("finish", now, status=Status.FINISHED, result=result, moved_at=now)


def result_of(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome in its stored form."""
    return {
        "how": "played",
        "ranks": list(outcome.ranks),
        "scores": list(outcome.scores),
        "reason": outcome.reason,
    }


def _by_people(table: Table, result: Mapping[str, Any]) -> bool:
    """Return whether there are ranks, and each seat had the same person from beginning to end."""
    if "ranks" not in result or any(m.person_id is None for m in table.members):
        return False
    # When one of two players resigns, a computer player takes the seat but never moves.
    if any(m.level for m in table.members) and result.get("how") != "resigned":
        return False
    counted = set(table.lines)
    return all(
        line.person_id == table.members[line.seat or 0].person_id
        for line in table.journal
        if line.kind == "move" and line.number in counted
    )


def _brief(table: Table) -> bool:
    """Return whether somebody made fewer than ``MOVES_TO_COUNT`` of the moves that count."""
    if table.unreadable:
        return False
    moves = Counter(event.seat for event in table.played.log)
    return any(moves[seat] < MOVES_TO_COUNT for seat in range(len(table.members)))
