"""Hints: what a computer player would do in a person's place, and what is certain to come of it.

A hint is made of what the person knows and of nothing else: it thinks about the person's view, and
tells of a move only what happens at once, and what speaks for it, in every position that this view
allows. Hints are counted, one for each decision, and told with the result.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import takewhile

from games.engine import Fact, Game, Move, State, View
from games.players import Advice, Ranked, policy_for
from play.computers import STRONGEST, NoAdvice, Thinkers
from play.table import PersonCommand, Refused, Table, refuse_if
from play.tables import Tables

MOVES_AT_MOST = 3

WORLDS = 30
"""Positions that are imagined to tell what is certain."""

EQUAL, CLOSE, WORTH_SAYING = 0.03, 0.1, 0.25
"""Differences in value, of which the whole range is 2: as good, almost as good, and so much that
the weaker move is no advice.
"""

TRIED = 0.05
"""A move is only judged if it was looked at so often, in parts of the best one's visits."""


class Verdict(StrEnum):
    """A move beside the others."""

    ONLY = "only"
    CLEAR = "clear"
    BEST = "best"
    EQUAL = "equal"
    CLOSE = "close"
    WEAKER = "weaker"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A move that is recommended.

    :param facts: what is certain to happen at once.
    :param motives: what else speaks for it, as certainly: ``blocks``, ``garrisons`` ...
    """

    move: Move
    verdict: Verdict
    facts: tuple[Fact, ...]
    motives: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Hint:
    """Moves that are recommended to a seat, the best first.

    :param given: how many hints the seat has been given, this one included.
    """

    seat: int
    suggestions: tuple[Suggestion, ...]
    given: int


def seat_to_advise(table: Table, person_id: int) -> int:
    """The seat for which the person may ask for a hint.

    :raises Refused: ``no_hints``: this table plays without; ``not_your_turn``, and why the person
        may not move at all.
    """
    seat = table.seat_to_move(person_id)
    refuse_if(not table.gives_hints, "no_hints")
    refuse_if(seat not in table.awaited, "not_your_turn")
    return seat


@dataclass(frozen=True, slots=True)
class CountHint(PersonCommand):
    """Note that a seat is given a hint; once for each decision, however often it asks.

    :param decision: the decision that the hint is about, as ``Table.decision``.
    """

    decision: int

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: as ``seat_to_advise``; ``overtaken``: the match has gone on."""
        seat = seat_to_advise(table, self.person_id)
        refuse_if(table.decision(seat) != self.decision, "overtaken")
        text = str(self.decision)
        if any((line.kind, line.seat, line.text) == ("hint", seat, text) for line in table.journal):
            return table
        return table.add("hint", now, seat, self.person_id, text)


async def give(
    tables: Tables, thinkers: Thinkers, table: Table, person_id: int, interaction_id: int | None
) -> Hint:
    """Think for a person who is to move, and count it.

    :raises Refused: as ``seat_to_advise``; ``no_advice``: there is no time to think; ``overtaken``:
        the match has gone on meanwhile.
    """
    seat = seat_to_advise(table, person_id)
    match = table.played
    view = match.view(seat)
    try:
        advice = await thinkers.advise(view, STRONGEST)
    except NoAdvice:
        raise Refused("no_advice") from None
    choices = len(match.game.legal(match.state, seat))
    told = await asyncio.to_thread(suggestions, match.game, view, advice, choices)
    count = CountHint(person_id, table.decision(seat), interaction_id=interaction_id)
    now = (await tables.act(table.id, count)).table
    return Hint(seat, tuple(told), now.hints[seat])


def suggestions(game: Game[State], view: View, advice: Advice, choices: int) -> list[Suggestion]:
    """The moves worth telling a person of.

    :param choices: how many moves are legal.
    """
    best = advice.moves[0]
    weighed = [ranked for ranked in advice.moves if ranked.visits >= TRIED * best.visits]
    worth = takewhile(lambda ranked: best.value - ranked.value < WORTH_SAYING, weighed)
    told = list(worth)[:MOVES_AT_MOST]
    return [
        Suggestion(ranked.move, verdict, *certainties(game, view, ranked.move))
        for ranked, verdict in zip(told, _verdicts(told, weighed, choices), strict=True)
    ]


def _verdicts(told: Sequence[Ranked], weighed: Sequence[Ranked], choices: int) -> list[Verdict]:
    best = told[0].value
    if choices == 1:
        first = Verdict.ONLY
    elif len(weighed) > 1 and best - max(ranked.value for ranked in weighed[1:]) >= CLOSE:
        first = Verdict.CLEAR
    else:
        first = Verdict.BEST
    return [first, *(_beside(best - ranked.value) for ranked in told[1:])]


def _beside(behind: float) -> Verdict:
    if behind < EQUAL:
        return Verdict.EQUAL
    return Verdict.CLOSE if behind < CLOSE else Verdict.WEAKER


def certainties(
    game: Game[State], view: View, move: Move
) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    """What happens at once, and surely, when ``view.viewer`` plays a move; and its motives.

    Nothing here is taken from the real position: a fact is told if it comes about in each of
    several positions that agree with the view.
    """
    seat = view.viewer
    if seat is None:
        raise ValueError("a spectator has no move")
    policy = policy_for(game)
    # Not drawn from anything: the same question is given the same answer.
    rng = random.Random(f"{view.to_json()}/{move}")
    worlds = WORLDS if game.info.hidden or game.info.simultaneous else 1
    facts, motives = [], []
    for _ in range(worlds):
        state = game.determinize(view, rng)
        motives.append(policy.motives(state, seat, move))
        told: list[Fact] = []
        game.do(state, seat, move, told)
        facts.append([fact for fact in told if fact.known_to(seat)])
    return _common(facts), _common(motives)


def _common(told: Sequence[Sequence[Fact]]) -> tuple[Fact, ...]:
    """The facts that are told each time."""
    return tuple(fact for fact in told[0] if all(fact in others for others in told[1:]))
