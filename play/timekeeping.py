"""Keeping the time of tables with a pace.

A clock runs for each person who owes a decision, as long as somebody else plays in person and
waits for it: who plays with computer players alone is never hurried. Each decision has its own
time; what is left of it goes back into the bank, if the pace knows one. A decision that an undo, or
the return to a seat, opens again goes on with the time that was left of it, at least an hour.

``follow`` brings the clocks of a table in line with its state. It may be called at any time and
any number of times, and is called after everything that may have changed who is awaited.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import structlog

from data.clocks import Alarm, DueRow, TurnRow
from data.store import Status
from data.undos import UndoRow
from play.clock import AGAIN, Pace, Quiet, alarms, pace_in, quiet_of, running_seconds
from play.table import Table
from play.tables import Tables

log = structlog.get_logger()

OVER = (Status.FINISHED, Status.ENDED)


class Timekeeper:
    """The use cases of clocks."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store.clocks

    # -- following the tables
    async def follow(self, table_id: int) -> Table:
        """Stop the clocks that need not run any more, start those that must.

        :returns: the table as it stands, with its clocks.
        """
        async with self._tables.lock(table_id):
            table = await self._tables.get(table_id)
            pace = pace_in(table.row.options)
            if pace is None or not table.started:
                return table
            if table.row.status in OVER:
                await self._store.forget_table(table_id)
            else:
                await self._follow(table, pace)
            return await self._tables.get(table_id)

    async def follow_person(self, person_id: int) -> list[Table]:
        """Reckon a person's clocks anew, because the quiet hours have changed.

        :returns: the tables where a deadline has changed.
        """
        return await self._reckon(await self._tables.of_person(person_id))

    async def follow_server(self, guild_id: int) -> list[Table]:
        """Reckon the clocks of a server anew, because they rest longer or less long.

        :returns: the tables where a deadline has changed.
        """
        rows = await self._tables.store.open_tables()
        return await self._reckon(
            [await self._tables.get(row.id) for row in rows if row.guild_id == guild_id]
        )

    async def follow_all(self) -> None:
        """After a start: bring all clocks in line with what the last process left. What fails at
        one table concerns no other.
        """
        running = [row.id for row in await self._tables.store.open_tables()]
        for table_id in dict.fromkeys([*running, *await self._store.tables_with_clocks()]):
            try:
                await self.follow(table_id)
            except Exception:
                log.exception("clocks_not_followed", table=table_id)

    # -- deadlines
    async def claim(self) -> list[DueRow]:
        """Take over what is due. Of several deadlines of one turn only the last counts."""
        claimed = await self._store.claim(self._tables.clock())
        order = list(Alarm)
        last: dict[int, DueRow] = {}
        for due in sorted(claimed, key=lambda due: order.index(due.alarm)):
            if due.turn.id in last:
                await self.settle(last[due.turn.id])
            last[due.turn.id] = due
        return list(last.values())

    async def standing(self, due: DueRow) -> tuple[Table, TurnRow] | None:
        """The table and the turn of a claimed deadline, if it is to be acted on now.

        If not, it is given back for the right time, or is no more.
        """
        table = await self.follow(due.turn.table_id)
        turn = await self._store.turn(due.turn.id)
        if turn is None:
            return None
        later = await self._better_time(due.alarm, table, turn)
        if later is None:
            return table, turn
        if due.alarm is Alarm.END or later < turn.ends_at:
            await self._store.postpone(due, later)
        else:
            await self.settle(due)
        return None

    async def settle(self, due: DueRow) -> None:
        """Note that what a deadline called for has happened."""
        await self._store.settle(due)

    async def miss(self, turn: TurnRow) -> int:
        """Count that a person's time is up.

        :returns: how often it has been up in a row.
        """
        return await self._store.miss(turn.id)

    async def extend(self, table: Table, turn: TurnRow) -> None:
        """Give a person the time of one more turn, counted from now."""
        pace = pace_in(table.row.options)
        if pace is not None:
            now = self._now()
            due = alarms(now, pace.more, await self._quiet(table, turn.person_id))
            await self._store.extend(turn.id, now, pace.more, due)

    # -- inside
    async def _reckon(self, tables: Sequence[Table]) -> list[Table]:
        """Follow tables; those where a deadline has changed."""
        changed = []
        for before in tables:
            after = await self.follow(before.id)
            if any(after.until(seat) != before.until(seat) for seat in after.clocks):
                changed.append(after)
        return changed

    async def _better_time(self, alarm: Alarm, table: Table, turn: TurnRow) -> datetime | None:
        """When to act on a deadline; None: now."""
        now = self._tables.clock()
        if alarm is Alarm.END:
            return turn.ends_at if turn.ends_at > now else None
        if turn.ends_at <= now:
            return turn.ends_at
        quiet = await self._quiet(table, turn.person_id)
        night = None if quiet is None else quiet.around(now)
        return None if night is None else night[1]

    async def _follow(self, table: Table, pace: Pace) -> None:
        owed = {
            seat: person
            for seat in table.awaited_persons
            if (person := table.members[seat].person_id) is not None and table.others(person)
        }
        undos = await self._tables.store.undos.of_table(table.id) if table.row.undos else []
        running = set()
        for turn in await self._store.open_turns(table.id):
            if owed.get(turn.seat) == turn.person_id and _is_due(turn, table, undos):
                running.add(turn.seat)
                await self._shift(table, turn)
            else:
                await self._close(table, turn)
        for seat in owed.keys() - running:
            await self._open(table, pace, seat, owed[seat], undos)

    async def _open(
        self, table: Table, pace: Pace, seat: int, person_id: int, undos: Sequence[UndoRow]
    ) -> None:
        before = await self._store.closed_turns(table.id, seat, person_id)
        same = next((turn for turn in before if _is_due(turn, table, undos)), None)
        if same is not None:
            budget = max(same.time_left or 0, AGAIN)
        else:
            budget = pace.budget(before[0].time_left if before else None)
        now = self._now()
        await self._store.open(
            table_id=table.id,
            seat=seat,
            ply=table.played.opened(seat),
            undos=table.row.undos,
            person_id=person_id,
            at=now,
            budget=budget,
            misses=before[0].misses if before else 0,
            alarms=alarms(now, budget, await self._quiet(table, person_id)),
        )

    async def _shift(self, table: Table, turn: TurnRow) -> None:
        quiet = await self._quiet(table, turn.person_id)
        due = alarms(turn.opened_at, turn.budget, quiet)
        if due[Alarm.END] != turn.ends_at:
            await self._store.shift(turn.id, due)

    async def _close(self, table: Table, turn: TurnRow) -> None:
        quiet = await self._quiet(table, turn.person_id)
        used = running_seconds(turn.opened_at, self._now(), quiet)
        await self._store.close(turn.id, max(0, turn.budget - used))

    async def _quiet(self, table: Table, person_id: int) -> Quiet | None:
        store = self._tables.store
        server = await store.server(table.row.guild_id or 0)
        return quiet_of(await store.person(person_id), server)

    def _now(self) -> datetime:
        """The present time, exact to the second like everything in the store."""
        return self._tables.clock().replace(microsecond=0)


def _is_due(turn: TurnRow, table: Table, undos: Sequence[UndoRow]) -> bool:
    """Whether a turn was for the decision that its seat owes now: no undo since has cut the log
    before that decision opened.
    """
    return turn.ply == table.played.opened(turn.seat) and not any(
        undo.number > turn.undos and undo.ply < turn.ply for undo in undos
    )
