"""Finds out whether people accept direct messages from the bot."""

from __future__ import annotations

from cogs.gateway.failures import Failure, Trouble
from cogs.gateway.gateway import Gateway
from data.store.rows import PersonRow
from data.store.store import Store
from data.texts import N_

ALLOW = N_("For this to work, please allow direct messages from members of this server.")
"""Advice for a person who wants direct messages but does not accept any."""


class DirectMessages:
    """Checks whether direct messages reach people, and stores the result."""

    def __init__(self, gateway: Gateway, store: Store) -> None:
        self._gateway = gateway
        self._settings = store.settings

    async def reach(self, person_id: int) -> bool:
        """Return whether a person accepts direct messages; True if Discord cannot say right now."""
        person = await self._settings.person(person_id)
        channel = person.dm_channel
        if channel is None:
            opened = await self._gateway.open_dm(person_id)
            if isinstance(opened, Failure):
                closed = opened.trouble is Trouble.CLOSED_DM
                await self._note(person, None, closed)
                return not closed
            channel = opened
        reached = await self._gateway.can_dm(person_id, channel)
        await self._note(person, channel, not reached)
        return reached

    async def again(self, person_id: int) -> bool:
        """Return whether a person who accepted no direct messages now accepts them."""
        person = await self._settings.person(person_id)
        return person.dm_closed and await self.reach(person_id)

    async def _note(self, person: PersonRow, channel: int | None, closed: bool) -> None:
        if (person.dm_channel, person.dm_closed) != (channel, closed):
            changes = {} if channel is None else {"dm_channel": channel}
            await self._settings.set_person(person.person_id, dm_closed=closed, **changes)
