"""Hints: the move that a computer player would make in a person's place, and why.

A hint uses only the person's knowledge: a search runs on the person's view, and ``play.judgement``
judges its result. Hints are counted, at most one for each decision, and their number is shown with
the result.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime

from games.engine import View
from play.computers import STRONGEST, NoAdvice, Thinkers
from play.judgement import Judgement, judge
from play.table import PersonCommand, Refused, Table, refuse_if
from play.tables import Tables

POSITIONS_KEPT = 256
"""How many positions' hints are kept, so that asking again needs no new search."""


@dataclass(frozen=True, slots=True)
class Hint:
    """The advice for a seat, and the reasons.

    :param given: how many hints the seat has been given, including this one.
    """

    seat: int
    judgement: Judgement
    given: int


def seat_to_advise(table: Table, person_id: int) -> int:
    """Return the seat for which the person may ask for a hint.

    :raises Refused: ``no_hints``: hints are off at this table; ``not_your_turn``; or whatever
        ``Table.seat_to_move`` raises.
    """
    seat = table.seat_to_move(person_id)
    refuse_if(not table.gives_hints, "no_hints")
    refuse_if(seat not in table.awaited, "not_your_turn")
    return seat


@dataclass(frozen=True, slots=True)
class CountHint(PersonCommand):
    """Record that a seat is given a hint, once for each decision, however often it asks.

    :param decision: the decision that the hint is about, as in ``Table.decision``.
    """

    decision: int

    def effect(self, table: Table, now: datetime) -> Table:
        """:raises Refused: ``overtaken``: the match has continued, or whatever ``seat_to_advise``
        raises.
        """
        seat = seat_to_advise(table, self.person_id)
        refuse_if(table.decision(seat) != self.decision, "overtaken")
        text = str(self.decision)
        if any((line.kind, line.seat, line.text) == ("hint", seat, text) for line in table.journal):
            return table
        return table.add("hint", now, seat, self.person_id, text)


class Hints:
    """Thinks for people. Each position is searched once, however many people ask and however often,
    and each person has one search at a time.
    """

    def __init__(self, tables: Tables, thinkers: Thinkers) -> None:
        self._tables = tables
        self._thinkers = thinkers
        self._thoughts: OrderedDict[str, asyncio.Task[Judgement]] = OrderedDict()
        """Searches, keyed by the seat's knowledge, because a hint uses nothing else; the oldest
        first.
        """
        self._asking: dict[int, asyncio.Task[Judgement]] = {}
        """The search in progress for each person."""

    async def give(self, table: Table, person_id: int, interaction_id: int | None) -> Hint:
        """Advise a person who is to move, and count the hint.

        :raises Refused: ``no_advice``: there is no time to think, or the search failed;
            ``hint_under_way``: the person is still waiting for another hint; ``overtaken``: the
            match has continued in the meantime; or whatever ``seat_to_advise`` raises.
        """
        seat = seat_to_advise(table, person_id)
        thought = self._thought(table, seat, person_id)
        try:
            told = await asyncio.shield(thought)
        except NoAdvice:
            raise Refused("no_advice") from None
        count = CountHint(person_id, table.decision(seat), interaction_id=interaction_id)
        now = (await self._tables.act(table.id, count)).after
        return Hint(seat, told, now.hints[seat])

    def _thought(self, table: Table, seat: int, person_id: int) -> asyncio.Task[Judgement]:
        """Return the search for the position of a seat: a finished one, one in progress, or a new
        one.
        """
        view = table.played.view(seat)
        position = view.to_json()
        thought = self._thoughts.get(position)
        if thought is not None and thought.done():
            return thought
        refuse_if(self._asking.get(person_id, thought) is not thought, "hint_under_way")
        if thought is None:
            thought = asyncio.create_task(self._think(table, view, person_id))
            self._keep(position, thought)
        self._asking[person_id] = thought
        thought.add_done_callback(lambda _: self._asking.pop(person_id, None))
        return thought

    def _keep(self, position: str, thought: asyncio.Task[Judgement]) -> None:
        """Keep a search; if it fails, drop it, so that the next request starts another."""
        self._thoughts[position] = thought
        if len(self._thoughts) > POSITIONS_KEPT:
            self._thoughts.popitem(last=False)

        def ended(_: object) -> None:
            failed = thought.cancelled() or thought.exception() is not None
            if failed and self._thoughts.get(position) is thought:
                del self._thoughts[position]

        thought.add_done_callback(ended)

    async def _think(self, table: Table, view: View, person_id: int) -> Judgement:
        """Return the judgement of a position.

        :raises NoAdvice: there is no time, or the search failed.
        """
        advice = await self._thinkers.advise(
            view, STRONGEST, table_id=table.id, person_id=person_id, hint=True
        )
        return await asyncio.to_thread(judge, table.game, view, advice)
