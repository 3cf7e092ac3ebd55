"""Moves planned ahead.

At each of a person's next turns, one planned move is played, in the same change that opens the
turn. So nobody is called to a turn that is already over. A plan that cannot be played is dropped
together with those after it, and the person learns why. An undo drops all plans at the table.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime

from data.store.rows import PlanRow
from games.engine import CHANCE, PLAYER_MOVE_MAX, EngineError, IllegalMove, Match, Move
from play.moves import played, typed
from play.table import PersonCommand, Refused, RefusedByRules, Table, refuse_if, refused_move

PLANS_AT_MOST = 5

LEGAL_KEPT = 8
"""The reason for a dropped plan includes the legal moves if there are at most this many."""


@dataclass(frozen=True, slots=True)
class Plan(PersonCommand):
    """Plan another move. Whether it is legal is checked when its turn comes, but a move that no
    position could allow is refused at once.

    :param answer_to: play it only if another player has made this move since the person's last one;
        empty: play it in any case.
    """

    move: str
    answer_to: str = ""

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``plan_now``: the person is to move; ``no_plan``, ``plans_full``, or
            whatever ``Table.seat_to_move`` raises.
        :raises RefusedByRules: no position could allow the move, or the move named in
            ``answer_to``.
        """
        seat = table.seat_to_move(self.person_id)
        refuse_if(seat in table.awaited, "plan_now")
        move, answer_to = self.move.strip(), self.answer_to.strip()
        given = [text for text in (move, answer_to) if text]
        possible = all(len(text) <= PLAYER_MOVE_MAX and text.isprintable() for text in given)
        refuse_if(not (move and possible), "no_plan", limit=PLAYER_MOVE_MAX)
        try:
            for text in given:
                table.game.check_notation(table.played.state, seat, typed(table, seat, text))
        except IllegalMove as error:
            raise refused_move(error, table, seat) from error
        refuse_if(len(plans_of(table, self.person_id)) >= PLANS_AT_MOST, "plans_full")
        plan = PlanRow(table.revision + 1, self.person_id, move, answer_to or None)
        return table.add("plan", now, seat, self.person_id, plans=(*table.plans, plan))


@dataclass(frozen=True, slots=True)
class DropPlans(PersonCommand):
    """Drop all of a person's plans."""

    def effect(self, table: Table, now: datetime) -> Table:
        """Return the table without the plans; unchanged if there are none."""
        if not plans_of(table, self.person_id):
            return table
        return _without_plans(table, self.person_id).add("unplan", now, None, self.person_id)


@dataclass(frozen=True, slots=True)
class Hurry(PersonCommand):
    """Start or stop playing a person's moves automatically when only one is legal."""

    wanted: bool

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: whatever ``Table.seat_to_move`` raises."""
        table.seat_to_move(self.person_id)
        if (self.person_id in table.hurried) == self.wanted:
            return table
        hurried = table.hurried ^ {self.person_id}
        return table.add("hurry", now, None, self.person_id, hurried=hurried)


def plans_of(table: Table, person_id: int) -> tuple[PlanRow, ...]:
    """Return the person's planned moves, the next one first."""
    return tuple(plan for plan in table.plans if plan.person_id == person_id)


def play_next(table: Table, now: datetime) -> Table:
    """Return the table after the next move that is played automatically: a planned one, or the only
    legal one. The same object if there is none.
    """
    if not (table.plans or table.hurried):
        return table
    for seat in table.awaited_persons:
        person = table.members[seat].person_id or 0
        planned = plans_of(table, person)
        if planned:
            return _played_plan(table, seat, planned[0], now)
        if person in table.hurried:
            legal = table.legal(seat)
            if len(legal) == 1:
                return played(table, seat, legal, now, person)
    return table


def _played_plan(table: Table, seat: int, plan: PlanRow, now: datetime) -> Table:
    if plan.answer_to is not None and not was_played(table, seat, plan.answer_to):
        return _dropped(table, plan, None, now)
    try:
        after = played(table, seat, (typed(table, seat, plan.move),), now, plan.person_id)
    except RefusedByRules as refusal:
        return _dropped(table, plan, refusal, now)
    rest = tuple(other for other in after.plans if other.number != plan.number)
    return replace(after, plans=rest)


def _dropped(table: Table, plan: PlanRow, why: Refused | None, now: datetime) -> Table:
    """Return the table without a person's plans, because the first one could not be played.

    :param why: the refusal; None: nobody made the move that it was meant to answer.
    """
    said = {"move": plan.move, "answer_to": plan.answer_to, "why": why and _plain(why)}
    text = json.dumps(said, default=str)
    return _without_plans(table, plan.person_id).add("drop", now, None, plan.person_id, text)


def _without_plans(table: Table, person_id: int) -> Table:
    rest = tuple(plan for plan in table.plans if plan.person_id != person_id)
    return replace(table, plans=rest)


def _plain(refusal: Refused) -> dict[str, object]:
    legal: list[Move] = []
    if isinstance(refusal, RefusedByRules) and len(refusal.legal) <= LEGAL_KEPT:
        legal = list(refusal.legal)
    return {"code": refusal.code, "data": refusal.data, "legal": legal}


def why_dropped(table: Table, said: dict[str, object]) -> RefusedByRules:
    """Return the refusal that a ``drop`` line of the journal records."""
    data = said["data"] if isinstance(said["data"], dict) else {}
    legal = said["legal"] if isinstance(said["legal"], list) else []
    error = EngineError(str(said["code"]), **data)
    return RefusedByRules(error, table.row.game, table.names, legal)


def was_played(table: Table, seat: int, text: str) -> bool:
    """Return whether another seat has made a certain move since the last move of ``seat``, as far
    as ``seat`` knows. The move may be an event, or one that a fact shows, such as a card played
    automatically.

    :param text: the move, as a person typed it.
    """
    match, game = table.played, table.game
    # Start at the seat's own last move, because that may itself have caused others: a forced card,
    # or choices that were opened.
    since = table.told_since(table.last_of(seat) - 1)
    # Read the text in the position before that move.
    state = Match.replay(game, match.setup, match.log[: match.ply - len(since)]).state
    text = typed(table, seat, text)
    for told in since:
        shown = [game.shown(fact) for fact in told.known(seat, over=False)]
        for who, move in [(told.seat, told.seen), *(each for each in shown if each is not None)]:
            if who in (CHANCE, seat) or move is None:
                continue
            if move == game.canonical(state, who, text):
                return True
        game.do(state, told.seat, told.move)
    return False
