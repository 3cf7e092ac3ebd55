"""Moves planned ahead.

A person may leave up to five moves, which are played one at each of the next turns, and may want
the only legal move to be played without being asked. A planned move may be meant as the answer
to a certain move only. A plan that cannot be played when its turn has come is dropped with all
that were to follow it, and the person is told why; an undo drops all plans at the table.

Planned moves are played before the channel is told what led to them, so that nobody is called
to a turn that is over already. They are struck off first: a plan that is lost in a crash does
less harm than one that is played twice.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from weakref import WeakValueDictionary

from data.plans import PlanRow
from games.engine import PLAYER_MOVE_MAX, IllegalMove
from play.table import Refused, Table, refused_move
from play.tables import Tables

PLANS_AT_MOST = 5


@dataclass(frozen=True, slots=True)
class Dropped:
    """A plan that could not be played.

    :param why: the refusal of the move; None: the others did not play what it was to answer.
    """

    plan: PlanRow
    why: Refused | None


class Plans:
    """The use cases of planned moves."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store.plans
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def add(
        self, table_id: int, person_id: int, move: str, answer_to: str = ""
    ) -> list[PlanRow]:
        """Plan one more move; it is judged when its turn has come, but what can never be played
        is refused at once.

        :param answer_to: only if another player has played this since; empty: in any case.
        :returns: all that the person has planned at the table.
        :raises Refused: ``table_over``, ``not_started``, ``not_a_member``, ``no_plan``, or
            ``plan_now`` if the person is to move.
        :raises RefusedByRules: no position can allow the move, or what it is to answer.
        :raises PlansFull: so many moves are planned already.
        """
        table = await self._tables.get(table_id)
        seat = table.seat_to_move(person_id)
        if seat in table.awaited:
            raise Refused("plan_now")
        move, answer_to = move.strip(), answer_to.strip()
        if not move or not all(map(_may_be_move, filter(None, (move, answer_to)))):
            raise Refused("no_plan", limit=PLAYER_MOVE_MAX)
        for text in filter(None, (move, answer_to)):
            _check_notation(table, seat, text)
        await self._store.add(table_id, person_id, move, answer_to or None, PLANS_AT_MOST)
        return await self._store.of_person(table_id, person_id)

    async def play(self, table_id: int) -> list[Dropped]:
        """Play what is planned for those who have to move, until somebody is to choose.

        :returns: the plans that could not be played; the rest of theirs is dropped, too.
        """
        dropped: list[Dropped] = []
        async with self._locks.setdefault(table_id, asyncio.Lock()):
            while await self._play_one(table_id, dropped):
                pass
        return dropped

    # -- inside
    async def _play_one(self, table_id: int, dropped: list[Dropped]) -> bool:
        """Play or drop one plan; false if there is none to be played."""
        table = await self._tables.get(table_id)
        if not table.awaited_persons:
            return False
        hurried = await self._store.hurried(table_id)
        for seat in table.awaited_persons:
            person = table.members[seat].person_id or 0
            plans = await self._store.of_person(table_id, person)
            if plans:
                await self._play_plan(table, seat, plans[0], dropped)
                return True
            if person in hurried and await self._play_only_move(table, seat, person):
                return True
        return False

    async def _play_plan(
        self, table: Table, seat: int, plan: PlanRow, dropped: list[Dropped]
    ) -> None:
        if not await self._store.take(plan.id):
            return
        if plan.answer_to is not None and not _was_played(table, seat, plan.answer_to):
            dropped.append(Dropped(plan, None))
        else:
            try:
                await self._move(table, seat, plan.person_id, plan.move)
            except Refused as refusal:
                dropped.append(Dropped(plan, refusal))
            else:
                return
        await self._store.drop(table.id, plan.person_id)

    async def _play_only_move(self, table: Table, seat: int, person_id: int) -> bool:
        """Play the only legal move; false if there are more, or the match has just moved on."""
        legal = table.game.legal(table.played.state, seat)
        if len(legal) > 1:
            return False
        try:
            await self._move(table, seat, person_id, legal[0])
        except Refused:
            return False
        return True

    async def _move(self, table: Table, seat: int, person_id: int, move: str) -> None:
        await self._tables.move(
            table.id,
            person_id,
            [move],
            seen_ply=table.played.opened(seat),
            seen_undos=table.row.undos,
        )


def _may_be_move(text: str) -> bool:
    """Whether a text is short and plain enough to be a move of some game."""
    return len(text) <= PLAYER_MOVE_MAX and text.isprintable()


def _check_notation(table: Table, seat: int, text: str) -> None:
    try:
        table.game.check_notation(table.played.state, seat, text)
    except IllegalMove as error:
        raise refused_move(error, table, seat) from error


def _was_played(table: Table, seat: int, move: str) -> bool:
    """Whether another seat has played a move, for all that ``seat`` knows, since its own last."""
    log = table.played.log
    own = [ply for ply, event in enumerate(log) if event.seat == seat]
    told = table.played.history(seat, own[-1] + 1 if own else 0)
    return any(
        who != seat and seen is not None and seen.casefold() == move.casefold()
        for who, seen, _ in told
    )
