"""Taking a move back.

A person takes back the last move of the own seat, and with it all that came after. However many
play, these rules decide:

* Nothing is taken back once something was drawn by lot or revealed since: what is known stays
  known. The result of the match is never touched; who has finished it takes nothing back.
* It is free if nobody has moved since; and, where several choose at the same time, as long as
  somebody of them still has to choose: the own choice alone is opened again then.
* Otherwise everybody else who plays in person has to agree: one of two players, all others of
  more. Silence is no consent, and the next event at the table settles the question.
* Computer players are not asked.

The log is cut, and what was cut is kept apart. Draws made anew come out the same, because each
follows from the seed and its place in the log.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from data.votes import VoteRow
from games.engine import CHANCE, EngineError, Fact, Match
from play.table import Refused, Table
from play.tables import Tables
from play.votes import Question, Rule


@dataclass(frozen=True, slots=True)
class Undo:
    """What taking back the last move of a seat would undo.

    :param first: the ply of the move, which is the first event that goes.
    :param last: the ply of the last event that goes.
    :param moves: (seat, move) of what goes, as everybody may know it; None: not at all.
    :param free: nobody has to agree.
    """

    seat: int
    first: int
    last: int
    moves: tuple[tuple[int, str | None], ...]
    free: bool


def undo_of(table: Table, seat: int) -> Undo:
    """What a seat may take back at present.

    :raises Refused: ``table_over``, ``not_started``, ``nothing_to_undo``, ``undo_drawn``,
        ``undo_revealed``.
    """
    table.require_running()
    match = table.played
    own = [ply for ply, event in enumerate(match.log) if event.seat == seat]
    if not own:
        raise Refused("nothing_to_undo")
    first, end = own[-1], match.ply - 1
    if any(event.seat == CHANCE for event in match.log[first:]):
        raise Refused("undo_drawn")
    if any(fact.reveals for fact in _facts_since(match, first)):
        raise Refused("undo_revealed")
    alone = first == end or _is_open_choice(match, first)
    last = first if alone else end
    return Undo(seat, first, last, _as_all_know(match, first, last), alone)


def is_free(table: Table, seat: int) -> bool:
    """Whether a seat may take its last move back without asking anybody."""
    match = table.played
    own = [ply for ply, event in enumerate(match.log) if event.seat == seat]
    if not own or not (own[-1] == match.ply - 1 or _others_choose_since(match, own[-1])):
        return False  # told without looking at what followed, because boards ask it all the time
    try:
        return undo_of(table, seat).free
    except Refused:
        return False


def undo_question(table: Table, person_id: int) -> Question | None:
    """What the others have to be asked before the person takes back a move; None: nothing.

    :raises Refused: as ``undo_of``, and ``not_a_member``.
    """
    undo = undo_of(table, table.seat_to_move(person_id))
    others = table.others(person_id)
    if undo.free or not others:
        return None
    subject = {**table.position, "moves": [list(move) for move in undo.moves]}
    return Question("undo", others, Rule.ALL, seat=undo.seat, subject=subject)


def is_overtaken(vote: VoteRow, table: Table) -> bool:
    """Whether the match has moved on since an undo was asked for."""
    if not table.running:
        return True
    return any(vote.subject[key] != value for key, value in table.position.items())


async def take_back(
    tables: Tables, table_id: int, person_id: int, agreed: Collection[int] = ()
) -> tuple[int, ...]:
    """Undo the last move of the person's seat.

    :param agreed: the persons who have agreed.
    :returns: the persons whose planned moves were dropped.
    :raises Refused: as ``undo_of``; ``not_a_member``; ``overtaken``: somebody else, who has not
        agreed, has moved meanwhile.
    """
    async with tables.lock(table_id):
        table = await tables.get(table_id)
        undo = undo_of(table, table.seat_to_move(person_id))
        consent = () if undo.free else tuple(p for p in table.others(person_id) if p in agreed)
        if not undo.free and consent != table.others(person_id):
            raise Refused("overtaken")
        return await tables.store.undos.take_back(
            table_id=table_id,
            ply=table.played.ply,
            undos=table.row.undos,
            first=undo.first,
            last=undo.last,
            seat=undo.seat,
            asked_by=person_id,
            agreed=consent,
            moves=undo.moves,
            at=tables.clock(),
        )


# ------------------------------------------------------------------------------- inside
def _facts_since(match: Match[Any], first: int) -> list[Fact]:
    """Everything that followed from the events from ``first`` on, whoever may know it."""
    state = match.game.start(match.setup)
    facts: list[Fact] = []
    for ply, event in enumerate(match.log):
        match.game.do(state, event.seat, event.move, facts if ply >= first else None)
    return facts


def _as_all_know(match: Match[Any], first: int, last: int) -> tuple[tuple[int, str | None], ...]:
    """(seat, move) of some events; None instead of a move that was not seen by everybody."""
    told = match.history(None, first)
    events = match.log[first : last + 1]
    return tuple(
        (event.seat, event.move if seen == event.move else None)
        for event, (_, seen, _) in zip(events, told, strict=False)
    )


def _is_open_choice(match: Match[Any], first: int) -> bool:
    """Whether the event is a choice that was made while others chose, some of whom still do.

    The proof is made by playing: the others' moves do not need it, and played after them it leads
    to the present position.
    """
    if not _others_choose_since(match, first):
        return False
    event = match.log[first]
    later = [*match.log[first + 1 :], event]
    other = Match.replay(match.game, match.setup, match.log[:first])
    try:
        for moved in later:
            other.play(moved.seat, [moved.move])
    except EngineError:
        return False
    equal: bool = other.log[first:] == later and other.state == match.state
    return equal


def _others_choose_since(match: Match[Any], ply: int) -> bool:
    """Whether somebody else was choosing when an event happened, and still is."""
    mover = match.log[ply].seat
    return any(seat not in (CHANCE, mover) and match.opened(seat) <= ply for seat in match.actors)
