"""All tables: each is loaded, changed and committed as a whole."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from data.store.problems import NoSuchTable
from data.store.rows import Opening
from data.store.store import Store
from games import GAMES
from games.fairness import new_secret
from play.aggregate import Command
from play.aggregates import Aggregates, Change
from play.decide import decide
from play.fold import table_of
from play.guard import guarded
from play.lobby import Invite, Join, check_options
from play.seats import TakeSeat
from play.table import REMATCH_PATIENCE, UNHEARD, Arrival, Refused, Table, refuse_if
from play.together import blocks

INVITATIONS: Final = 10
"""The maximum number of open invitations that a person may have been notified of."""

INVITATIONS_OF_ONE: Final = 3
"""The maximum number of open invitations from the same person."""

WHILE: Final = timedelta(days=1)
"""An invitation counts for at least this long, even if its table has closed or started."""


class Tables(Aggregates[Table]):
    """Everything that can be done with tables."""

    MISSING = NoSuchTable

    def __init__(
        self,
        store: Store,
        clock: Callable[[], datetime],
        new_secret: Callable[[], str] = new_secret,
    ) -> None:
        """:param clock: returns the current time, with its time zone.
        :param new_secret: draws the secret of a table.
        """
        super().__init__(store, clock, store.tables, store.messages)
        self._new_secret = new_secret
        self._inviting = asyncio.Lock()

    # -- looking
    async def in_channel(self, channel_id: int) -> Table:
        """Return the table of a channel or thread: the open one that changed last, otherwise the
        last one whose match finished with a result.

        :raises Refused: ``no_table_here``.
        """
        table_id = await self.store.tables.in_channel(channel_id)
        if table_id is None:
            raise Refused("no_table_here")
        return await self.get(table_id)

    async def open_in(self, channel_id: int) -> list[Table]:
        """Return the tables of a channel or thread that are in the lobby or running, oldest
        first.
        """
        return [await self.get(n) for n in await self.store.tables.open_in([channel_id])]

    async def of_person(self, person_id: int) -> list[Table]:
        """Return the person's tables that are not over: those that are waiting for the person
        first, by deadline.
        """
        tables = [await self.get(n) for n in await self.store.tables.of_person(person_id)]
        return sorted(tables, key=lambda table: _urgency(table, person_id))

    # -- doing
    async def open(self, opening: Opening) -> Table:
        """Open a table in a channel; the host is its first member.

        :raises Refused: whatever ``check_opening`` raises.
        """
        if opening.occasion_id is None:  # an occasion may open tables beyond anyone's limit
            await self.check_opening(opening)
        rules, secret, now = GAMES[opening.game].info.rules, self._new_secret(), self.clock()
        if opening.rematch and any(guest.person_id for guest in opening.guests):
            opening = replace(opening, due_at=now + REMATCH_PATIENCE)
        loaded = await self.store.tables.open(opening, rules, secret, now)
        return self._tell(self._keep(table_of(loaded)))

    async def check_opening(self, opening: Opening) -> None:
        """Check that the host may open the table.

        :raises Refused: ``too_many_tables``, or whatever ``check_options`` raises.
        """
        check_options(GAMES[opening.game], opening.options, opening.wanted_players)
        await self._require_room(opening.host_id, opening.guild_id)

    async def act(self, number: int, command: Command[Table], /) -> Change[Table]:
        """Carry out a command; see ``Aggregates.act``. If it is an ``Arrival``, fill in the
        person's settings.
        """
        if isinstance(command, Arrival):
            settings = await self.store.settings.person(command.person_id)
            command = replace(command, settings=settings)
        return await super().act(number, command)

    async def join(self, table_id: int, command: Join | TakeSeat) -> Change[Table]:
        """Join a table, if the server's limit allows the person another table.

        :raises Refused: ``too_many_tables``, or whatever the command raises.
        """
        table = await self.get(table_id)
        kept = command.person_id in table.asked
        if kept or table.member_of(command.person_id) is None:
            await self._require_room(command.person_id, table.row.guild_id, seats_kept=int(kept))
        return await self.act(table_id, command)

    async def invite(self, table_id: int, command: Invite) -> Change[Table]:
        """Invite somebody, unless they have too many open invitations, in all or from this person.
        A guest who has blocked the inviting person is not notified, but the invitation still counts
        as one from that person.

        :raises Refused: ``invited_enough``, or whatever the command raises.
        """
        guest = await self.store.settings.person(command.guest)
        command = replace(command, heard=not blocks(guest, command.person_id))
        async with self._inviting:
            found = await self.store.tables.invitations_to(command.guest, self.clock() - WHILE)
            own = sum(inviter == command.person_id for inviter, _ in found)
            heard = sum(not text.endswith(UNHEARD) for _, text in found)
            enough = own >= INVITATIONS_OF_ONE or heard >= INVITATIONS
            refuse_if(enough, "invited_enough")
            return await self.act(table_id, command)

    async def reckon(self, table_ids: list[int]) -> None:
        """Update the clocks of tables after a change to settings. A failure at one table does not
        stop the others.
        """
        for table_id in table_ids:
            with guarded("clocks_not_followed", table=table_id):
                await self.tick(table_id)

    # -- inside
    async def _load(self, number: int) -> Table:
        known = self._held.get(number)
        return table_of(await self.store.tables.load(number, known), known)

    async def _commit(self, before: Table, after: Table) -> bool:
        return await self.store.tables.commit(before, after)

    def _decide(self, value: Table, command: Command[Table]) -> Table:
        return decide(value, command, self.clock())

    async def _require_room(
        self, person_id: int, guild_id: int | None, *, seats_kept: int = 0
    ) -> None:
        if guild_id is None:
            return
        limit = (await self.store.settings.server(guild_id)).tables_limit
        if limit is None:
            return
        present = await self.store.tables.count_of(person_id, guild_id) - seats_kept
        refuse_if(present >= limit, "too_many_tables", limit=limit)


def _urgency(table: Table, person_id: int) -> tuple[bool, float]:
    """Return a sort key for a person's tables: those that are waiting for the person first, by
    deadline.
    """
    seat = table.seat_of(person_id)
    if seat is None or seat not in table.awaited:
        return True, math.inf
    until = table.until(seat)
    return False, math.inf if until is None else until.timestamp()
