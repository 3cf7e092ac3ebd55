"""Hints: what a computer player would do in a person's place, and what is certain to come of it.

A hint is made of what the person knows and of nothing else: it thinks about the person's view, and
tells of a move only what happens at once, and what speaks for it, in every position that this view
allows. Hints are counted, one for each decision, and told with the result.
"""

from __future__ import annotations

import asyncio
import random
from collections import OrderedDict
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

POSITIONS_KEPT = 256
"""Positions whose hints are held, so that asking again costs no thought."""

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


Suggestions = tuple[Suggestion, ...]


@dataclass(frozen=True, slots=True)
class Hint:
    """Moves that are recommended to a seat, the best first.

    :param given: how many hints the seat has been given, this one included.
    """

    seat: int
    suggestions: Suggestions
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


class Hints:
    """Thinks for people. A position is thought about once, however often and by however many it is
    asked for, and a person is thought for once at a time.
    """

    def __init__(self, tables: Tables, thinkers: Thinkers) -> None:
        self._tables = tables
        self._thinkers = thinkers
        self._thoughts: OrderedDict[str, asyncio.Task[Suggestions]] = OrderedDict()
        """By what the seat knows, which is all that a hint is made of; the oldest first."""
        self._asking: dict[int, asyncio.Task[Suggestions]] = {}
        """By person, the thought under way."""

    async def give(self, table: Table, person_id: int, interaction_id: int | None) -> Hint:
        """Advise a person who is to move, and count it.

        :raises Refused: as ``seat_to_advise``; ``no_advice``: there is no time to think;
            ``hint_under_way``: the person waits for another hint; ``overtaken``: the match has gone
            on meanwhile.
        """
        seat = seat_to_advise(table, person_id)
        thought = self._thought(table, seat, person_id)
        try:
            told = await asyncio.shield(thought)
        except NoAdvice:
            raise Refused("no_advice") from None
        count = CountHint(person_id, table.decision(seat), interaction_id=interaction_id)
        now = (await self._tables.act(table.id, count)).table
        return Hint(seat, told, now.hints[seat])

    def _thought(self, table: Table, seat: int, person_id: int) -> asyncio.Task[Suggestions]:
        """What is, was, or from now on is being thought about the position of a seat."""
        view = table.played.view(seat)
        position = view.to_json()
        thought = self._thoughts.get(position)
        if thought is not None and thought.done():
            return thought
        refuse_if(self._asking.get(person_id, thought) is not thought, "hint_under_way")
        if thought is None:
            thought = asyncio.create_task(self._think(table, view))
            self._keep(position, thought)
        self._asking[person_id] = thought
        thought.add_done_callback(lambda _: self._asking.pop(person_id, None))
        return thought

    def _keep(self, position: str, thought: asyncio.Task[Suggestions]) -> None:
        """Hold a thought, unless it fails: then the next one who asks may be luckier."""
        self._thoughts[position] = thought
        if len(self._thoughts) > POSITIONS_KEPT:
            self._thoughts.popitem(last=False)

        def ended(_: object) -> None:
            failed = thought.cancelled() or thought.exception() is not None
            if failed and self._thoughts.get(position) is thought:
                del self._thoughts[position]

        thought.add_done_callback(ended)

    async def _think(self, table: Table, view: View) -> Suggestions:
        """:raises NoAdvice: there is no time."""
        advice = await self._thinkers.advise(view, STRONGEST, table_id=table.id, hint=True)
        match, seat = table.played, view.viewer or 0
        choices = len(match.game.legal(match.state, seat))
        return tuple(await asyncio.to_thread(suggestions, match.game, view, advice, choices))


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
