"""The coach: before a clear mistake takes effect, asks once, in private, whether to play it.

The warning uses only the seat's knowledge, and counts as a hint for the decision. There is no coach
in rated matches between people.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import partial

from games import GAMES
from games.engine import Fact, IllegalMove, Move, View
from games.players import policy_for
from games.players.advice import Budget, Proof
from games.players.search import Search
from play.analysis import (
    SEARCHED,
    contradicted,
    examined,
    has_perfect_information,
    iterations_in,
)
from play.computers import NoAdvice, Thinkers
from play.judgement import WORTH_SAYING
from play.table import Table
from play.weighing import Loss, settled, verified

SECONDS = 0.6
"""Seconds for analysing a move (see ``analysis.PACE``)."""

REPLY = 0.3
"""Seconds for analysing the next seat's reply."""

PATIENCE = 5.0
"""Seconds of real time that the check of a move may take once it has begun; see ``Thinkers.work``.
"""


@dataclass(frozen=True, slots=True)
class Caution:
    """A reason to reconsider a move.

    :param lost: how much the move loses, as ``judgement.Scale`` measures it.
    :param loses: whether it is proven to lose, while another move is not.
    :param reply: the next seat, its best move, and the immediate effects of that move; None if
        something is hidden, or no other seat moves next.
    """

    seat: int
    move: Move
    lost: float
    loses: bool
    reply: tuple[int, Move, tuple[Fact, ...]] | None = None


class Coach:
    """Checks moves before they count."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers

    async def warning(self, table: Table, person_id: int, text: str) -> Caution | None:
        """Return why a person should reconsider a move; None if no reason is found, for example
        because there is no time to look for one.

        :param text: the move, as typed or pressed.
        """
        seat = table.seat_of(person_id)
        if seat is None or not wanted(table, person_id, seat):
            return None
        try:
            move = table.game.parse(table.played.state, seat, table.game.typed(text, table.names))
        except IllegalMove:
            return None
        if len(table.legal(seat)) == 1:
            return None
        look = partial(looked_over, table.played.view(seat).to_json(), move)
        try:
            return await self._thinkers.work(
                look, PATIENCE, table_id=table.id, person_id=person_id, hint=True
            )
        except NoAdvice:
            return None


def wanted(table: Table, person_id: int, seat: int) -> bool:
    """Return whether the coach should check the next move of a seat: the person has turned the
    coach on, the table gives hints, the seat is to move, the match is not rated, and no hint was
    given for this decision.
    """
    if not table.settings(person_id).coach or not table.gives_hints:
        return False
    if seat not in table.awaited or is_rated(table):
        return False
    decision = str(table.decision(seat))
    return all(
        (line.kind, line.seat, line.text) != ("hint", seat, decision) for line in table.journal
    )


def is_rated(table: Table) -> bool:
    """Return whether the match may be rated: only people play it, against each other."""
    people = [member.person_id is not None and member.level is None for member in table.members]
    return len(people) > 1 and all(people)


# ------------------------------------------------------------------------- in the workers
def looked_over(view_json: str, move: Move) -> Caution | None:
    """Return the objection to a move of the view's viewer, based on the viewer's knowledge; None if
    there is none.
    """
    view = View.from_json(view_json)
    game, seat = GAMES[view.game], view.viewer or 0
    rng = random.Random(view_json)
    advice, found, _ = examined(game, view, move, rng, iterations_in(view.game, SECONDS))
    played = next((ranked for ranked in advice.moves if ranked.move == move), None)
    loses = (
        played is not None
        and played.proof is Proof.LOSS
        and advice.moves[0].proof is not Proof.LOSS
    )
    clear = loses or found.lost >= WORTH_SAYING
    if clear and has_perfect_information(game) and settled(advice, move):
        searched = max(1, round(SEARCHED * iterations_in(view.game, SECONDS)))
        found, loss = verified(game, view, move, found, rng, searched)
        clear = loss is Loss.CLEAR or (loses and found.best != move)
    elif clear:
        clear = not contradicted(game, view, advice, rng, found.best, move)
    if not clear:
        return None
    return Caution(
        seat,
        move,
        found.lost,
        loses,
        _reply(view, move, rng) if has_perfect_information(game) else None,
    )


def _reply(view: View, move: Move, rng: random.Random) -> tuple[int, Move, tuple[Fact, ...]] | None:
    """In games without hidden information, return the next seat's best reply to a move, with its
    facts; None if no other seat moves next.
    """
    game, seat = GAMES[view.game], view.viewer or 0
    state = game.determinize(view, rng)
    game.do(state, seat, move)
    actors = game.actors(state)
    if not actors or actors[0] in (seat, -1):
        return None
    advice = Search(policy_for(game), game.view(state, actors[0]), rng).run(
        Budget(iterations_in(view.game, REPLY))
    )
    facts: list[Fact] = []
    game.do(state, actors[0], advice.best, facts)
    return actors[0], advice.best, tuple(fact for fact in facts if fact.known_to(seat))
