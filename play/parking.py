"""Parked tables: a table whose channel is lost waits until one of its players moves it.

Anybody who has a place at the table may do so, whoever its host is: the channel is lost for all.
"""

from __future__ import annotations

from data.store import ChannelTaken, Status
from play.table import Refused, Table
from play.tables import Tables


async def move_here(
    tables: Tables, table_id: int, by: int, channel_id: int, guild_id: int | None
) -> Table:
    """Let a parked table go on in a channel, be it in its lobby or running.

    :raises Refused: ``not_a_member``, ``not_parked``, ``channel_taken``.
    """
    async with tables.lock(table_id):
        table = await tables.get(table_id)
        if table.member_of(by) is None:
            raise Refused("not_a_member")
        if table.row.status is not Status.PARKED:
            raise Refused("not_parked")
        try:
            await tables.store.move_table(table_id, channel_id, guild_id)
        except ChannelTaken as taken:
            raise Refused("channel_taken", code=taken.table.code) from None
        return await tables.get(table_id)
