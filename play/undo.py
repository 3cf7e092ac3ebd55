"""Undo: taking a move back.

A person can take back the last move of their seat, together with everything after it:

* never once the match is over, or if chance has drawn or something was revealed since;
* freely if nobody has moved since, or, where several choose at the same time, while one of them
  still has to choose: then only the person's own choice is reopened;
* otherwise if everyone else who plays in person agrees before the next event at the table.

An undo is a journal line that lists the lines it takes out. A draw that is repeated after an undo
has the same result, because it follows from the seed and from its place among the events that
count.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from data.store.rows import VoteRow
from games.engine import CHANCE, EngineError, Match
from play.fold import folded
from play.table import PersonCommand, Refused, Table, refuse_if
from play.votes import Question, Rule, ask


@dataclass(frozen=True, slots=True)
class Undo:
    """The effect of taking back the last move of a seat.

    :param first: the index of the first event taken back.
    :param last: the index of the last event taken back.
    :param moves: (seat, move) of each event, as shown to everyone; None: the move is secret.
    :param free: whether it needs nobody's agreement, even if other people play.
    """

    seat: int
    first: int
    last: int
    moves: tuple[tuple[int, str | None], ...]
    free: bool


@dataclass(frozen=True, slots=True)
class TakeBack(PersonCommand):
    """Take back the last move of a person's seat, or ask the others to agree."""

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: whatever ``Table.seat_to_move``, ``undo_of`` or ``votes.ask`` raises."""
        seat = table.seat_to_move(self.person_id)
        undo = undo_of(table, seat)
        others = table.others(self.person_id)
        if undo.free or not others:
            return without_undone(table, undo, now, self.person_id)
        subject = {"position": table.position, "moves": [list(move) for move in undo.moves]}
        question = Question("undo", others, Rule.ALL, seat=seat, subject=subject)
        return ask(table, question, self.person_id, now)


def undo_of(table: Table, seat: int) -> Undo:
    """Return the undo that a seat may make now.

    :raises Refused: ``nothing_to_undo``, ``undo_drawn``, ``undo_revealed``, or whatever
        ``Table.require_running`` or ``Table.played`` raises.
    """
    table.require_running()
    match = table.played
    line = table.last_of(seat)
    refuse_if(not line, "nothing_to_undo")
    first, end = table.lines.index(line), match.ply - 1
    refuse_if(any(event.seat == CHANCE for event in match.log[first:]), "undo_drawn")
    since = table.told_since(line - 1)
    refuse_if(any(fact.reveals for told in since for fact in told.facts), "undo_revealed")
    alone = first == end or is_open_choice(table, first)
    last = first if alone else end
    moves = tuple(
        (told.seat, told.move if told.seen == told.move else None)
        for told in since[: last - first + 1]
    )
    return Undo(seat, first, last, moves, alone)


def has_chosen(table: Table, seat: int) -> bool:
    """Return whether a seat has made a choice that stays sealed until the others have made
    theirs.
    """
    line = table.last_of(seat)
    return bool(line) and is_open_choice(table, table.lines.index(line))


def waits_for_others(table: Table, seat: int) -> bool:
    """Return whether a seat has chosen while others, who choose at the same time, still have to.
    This is called for every hand that is shown, so it must be cheap, and does not fold later
    events.
    """
    line = table.last_of(seat)
    return bool(line) and table.lines.index(line) >= table.played.choosing_since


def is_free(table: Table, seat: int) -> bool:
    """Return whether a seat may take back its last move without asking anyone, even if other people
    play.
    """
    line = table.last_of(seat)
    first = table.lines.index(line) if line else 0
    # Boards ask this often, so later events are folded only if necessary.
    if not line or first < min(table.played.choosing_since, table.played.ply - 1):
        return False
    try:
        return undo_of(table, seat).free
    except Refused:
        return False


def can_be_undone(table: Table) -> bool:
    """Return whether any person may take back their last move, with or without asking the
    others.
    """
    for told in reversed(table.tail):
        if told.seat == CHANCE or any(fact.reveals for fact in told.facts):
            return False
        if table.computer_at(told.seat) is None:
            return True
    return False


def undo_is_overtaken(table: Table, vote: VoteRow) -> bool:
    """Return whether the match has continued since the undo was requested."""
    return not table.running or vote.subject["position"] != table.position


def agreed(table: Table, vote: VoteRow, now: datetime) -> Table:
    """Return the table after an undo that everyone agreed to.

    :raises Refused: whatever ``undo_of`` raises.
    """
    consent = [person for person, choice in vote.answers if choice and person != vote.asked_by]
    undo = undo_of(table, vote.seat or 0)
    return without_undone(table, undo, now, vote.asked_by, consent)


def without_undone(
    table: Table, undo: Undo, now: datetime, asked_by: int | None, consent: Collection[int] = ()
) -> Table:
    """Return the table without the events that an undo takes back, and without any plans.

    :param asked_by: the person who takes the move back.
    :param consent: the people who have agreed, if that was necessary.
    """
    before = table.played
    out = table.lines[undo.first : undo.last + 1]
    opened = {seat: before.opened(seat) for seat in before.actors}
    said: dict[str, Any] = {"out": list(out), "moves": [list(move) for move in undo.moves]}
    if consent:
        said["agreed"] = list(consent)
    # Which decisions are reopened can only be seen by folding the match without those lines.
    said["reopened"] = []
    cut = folded(table.add("undo", now, undo.seat, asked_by, json.dumps(said), moved_at=now))
    match = cut.played
    said["reopened"] = [
        seat
        for seat in match.actors
        if opened.get(seat) != match.opened(seat) or match.opened(seat) > undo.first
    ]
    line = replace(cut.journal[-1], text=json.dumps(said))
    reopened = {**table.reopened, **dict.fromkeys(said["reopened"], line.number)}
    after = replace(cut, journal=(*cut.journal[:-1], line), reopened=reopened, plans=())
    for person in dict.fromkeys(plan.person_id for plan in cut.plans):
        after = after.add("void", now, None, person)
    return after


def is_open_choice(table: Table, place: int) -> bool:
    """Return whether an event is a sealed choice that may be reopened on its own: others still have
    to choose, and the match would be the same if this choice had been made last.
    """
    match = table.played
    if place < table.played.choosing_since:
        return False
    event = match.log[place]
    later = [*match.log[place + 1 :], event]
    other = Match.replay(match.game, match.setup, match.log[:place])
    try:
        for moved in later:
            other.play(moved.seat, [moved.move])
    except EngineError:
        return False
    return bool(other.log[place:] == later and other.state == match.state)
