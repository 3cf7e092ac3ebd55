"""Opens and starts the tables that occasions ask for, and tells each occasion about its tables."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from cogs.gateway.failures import Failure, Trouble
from cogs.gateway.gateway import Gateway
from data.store.rows import MemberRow, Opening, Status
from play.lobby import COMPUTER_NAMES, Begin, free_name
from play.occasions.occasion import Hear, Occasion, PlannedTable, TableNews
from play.occasions.occasions import Occasions
from play.table import Table
from play.tables import Tables
from play.worker import Worker

TITLE_LIMIT = 100
"""Maximum length of a thread's name, in characters."""

UNREACHED = "no_direct_messages"
"""The result of a table that could not be opened because its host accepts no direct messages."""


class Hosting(Worker[int]):
    """Opens the tables that occasions ask for. Each is opened only once, because its slot
    identifies it.

    :param announce: given an occasion's id, tries to post the occasion's messages, so that a round
        is announced before its tables open.
    :param fell_behind: called when work failed; see ``Worker``.
    """

    NAME = "hosting"

    def __init__(
        self,
        tables: Tables,
        occasions: Occasions,
        gateway: Gateway,
        announce: Callable[[int], Awaitable[object]],
        fell_behind: Callable[[], None],
    ) -> None:
        super().__init__(fell_behind)
        self._tables = tables
        self._occasions = occasions
        self._gateway = gateway
        self._announce = announce

    def wake(self, occasion: Occasion[Any]) -> None:
        """Check a changed occasion, which may need a new table."""
        if occasion.kind.seatings(occasion):
            self._ask(occasion.id)

    def hear(self, table: Table) -> None:
        """Report a changed table to its occasion, if the change may concern it."""
        number = table.row.occasion_id
        if number is not None and (table.over or table.row.status is Status.LOBBY):
            self._ask(number)

    async def wake_all(self) -> None:
        """After a start or a failure, check all occasions served here that are not over."""
        async for occasion in self._occasions.each(await self._occasions.found.open_ids()):
            self._ask(occasion.id)

    async def _work(self, number: int) -> None:
        """For one occasion, start tables that have not started, report on its tables, and open new
        ones.
        """
        occasion = await self._occasions.get(number)
        settled = occasion.kind.settled(occasion)
        for slot, table_id in (await self._tables.store.tables.of_occasion(number)).items():
            if slot not in settled:
                await self._begin(await self._tables.get(table_id))
        occasion = await self._occasions.get(number)
        if occasion.kind.seatings(occasion):
            await self._announce(number)
            occasion = await self._occasions.get(number)
        for seating in occasion.kind.seatings(occasion):
            await self._open(occasion, seating)

    async def _begin(self, table: Table) -> None:
        """Start a table that is still in its lobby, or close it if a player has left; report the
        table's state to its occasion.
        """
        if table.row.status is Status.LOBBY and not table.drawing:
            table = (await self._tables.act(table.id, Begin())).after
        await self._tell(table.row.occasion_id or 0, news_of(table))

    async def _tell(self, number: int, news: TableNews) -> None:
        await self._occasions.act(number, Hear(news))

    async def _open(self, occasion: Occasion[Any], seating: PlannedTable) -> None:
        place = await self._place(occasion, seating)
        if isinstance(place, Failure):
            if place.trouble is Trouble.CLOSED_DM:
                failed = TableNews(seating.slot, 0, "", 0, Status.ENDED.value, {"how": UNREACHED})
                await self._tell(occasion.id, failed)
            else:
                self._fell_behind()
            return
        table = await self._tables.open(opening_of(occasion, seating, place))
        await self._begin(table)

    async def _place(self, occasion: Occasion[Any], seating: PlannedTable) -> int | Failure:
        """Return the channel for a table: a player's direct messages if it is on no server,
        otherwise a new thread, or the occasion's channel if a thread is not wanted or not possible.
        """
        if seating.guild_id is None:
            host = next(iter(seating.people))
            known = (await self._tables.store.settings.person(host)).dm_channel
            if known is not None:
                return known
            opened = await self._gateway.open_dm(host)
            if not isinstance(opened, Failure):
                await self._tables.store.settings.set_person(host, dm_channel=opened)
            return opened
        if seating.thread and occasion.server.threads:
            name = seating.thread[:TITLE_LIMIT]
            try:
                thread = await self._gateway.open_thread(occasion.channel_id, name)
            except TypeError:  # such a channel cannot have threads
                return occasion.channel_id
            if not isinstance(thread, Failure):
                return thread
        return occasion.channel_id


def opening_of(occasion: Occasion[Any], seating: PlannedTable, place: int) -> Opening:
    """Return the initial values of a planned table.

    :param place: the table's channel.
    """
    (host, host_name), *others = seating.people.items()
    guests = [MemberRow(number, *other) for number, other in enumerate(others, 1)]
    taken = [*seating.people.values()]
    for number, level in enumerate(seating.computers, len(seating.people)):
        taken.append(free_name(COMPUTER_NAMES, taken))
        guests.append(MemberRow(number, None, taken[-1], level))
    return Opening(
        game=seating.game,
        guild_id=seating.guild_id,
        channel_id=place,
        host_id=host,
        host_name=host_name,
        language=seating.language,
        options=seating.options,
        wanted_players=len(guests) + 1,
        occasion_id=occasion.id,
        slot=seating.slot,
        guests=tuple(guests),
    )


def news_of(table: Table) -> TableNews:
    """Return the state of a table, as reported to its occasion."""
    row = table.row
    seated = sorted(table.members, key=lambda member: member.seat or 0) if table.started else []
    return TableNews(
        slot=row.slot or "",
        table_id=row.id,
        code=row.code,
        channel_id=row.channel_id,
        status=row.status.value,
        result=row.result,
        seats=tuple(member.person_id for member in seated),
        resigned=frozenset(m.person_id for m in table.members if m.resigned and m.person_id),
    )
