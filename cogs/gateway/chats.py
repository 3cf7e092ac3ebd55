"""Messages where the bot is not a member: in group chats, in direct messages between two people,
and on servers without the bot. There it can act only with the tokens it gets from people's
interactions.

It cannot read messages there, nor post one until somebody has used a command or a button. A message
that no token can change any more counts as gone, and another message can replace it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Unpack

import discord

from cogs.gateway.emojis import Emojis
from cogs.gateway.failures import Failure, Trouble, tried
from cogs.gateway.replies import (
    Content,
    LentTokens,
    Posting,
    as_card,
    edit_arguments,
    new_message,
    note_follow_up,
)

OUT_OF_REACH = Failure(Trouble.GONE)


class Chats:
    """Makes the calls of ``Gateway`` that concern single messages. All promises of ``Gateway``
    hold, except that a repeated post creates a second message, because there are no nonces here.
    """

    def __init__(self, lent: LentTokens, emojis: Emojis) -> None:
        self._lent = lent
        self._emojis = emojis

    def can_post(self, channel_id: int) -> bool:
        """Return whether a message could be posted now."""
        return self._lent.newest(channel_id) is not None

    def can_edit(self, channel_id: int, message_id: int) -> bool:
        """Return whether this message could be edited now."""
        return self._lent.find(channel_id, message_id) is not None

    async def post(
        self, channel_id: int, content: Content, **how: Unpack[Posting]
    ) -> int | Failure:
        """Post a message as a follow-up to an interaction; parameters as in ``Gateway.post``."""
        interaction = self._lent.newest(channel_id)
        if interaction is None:
            return Failure(Trouble.WAITS)
        card = as_card(content)
        note_follow_up(interaction)

        async def attempt() -> discord.WebhookMessage:
            message: discord.WebhookMessage = await self._emojis.sent(
                lambda icons: interaction.followup.send(
                    **new_message(card, icons, **how), ephemeral=False, wait=True
                )
            )
            return message

        message = await tried("post", attempt, channel=channel_id)
        if isinstance(message, Failure):
            if message.trouble is Trouble.TOO_LATE:
                self._lent.spend(channel_id)
                return Failure(Trouble.WAITS, message.code)
            return message
        if message.flags.ephemeral:  # the server does not let people's own apps post publicly
            return Failure(Trouble.MISSING_PERMISSION)
        self._lent.follow(interaction, message.id)
        return message.id

    async def edit(
        self, channel_id: int, message_id: int, content: Content, *, mark: int | None = None
    ) -> Failure | None:
        """Edit one of the bot's messages; parameters as in ``Gateway.edit``."""
        lent, card = self._lent.find(channel_id, message_id), as_card(content)
        if lent is None:
            return OUT_OF_REACH

        async def attempt() -> None:
            await self._emojis.sent(lambda icons: lent.edit(edit_arguments(card, mark, icons)))

        failure = await tried("edit", attempt, channel=channel_id)
        return self._judged(failure, channel_id, message_id)

    async def strip(self, channel_id: int, message_id: int) -> Failure | None:
        """Return a failure: no token lets the bot read a message."""
        return OUT_OF_REACH

    async def delete(self, channel_id: int, message_id: int) -> Failure | None:
        """Delete one of the bot's messages."""
        lent = self._lent.find(channel_id, message_id)
        if lent is None:
            return OUT_OF_REACH
        failure = await tried("delete", lent.delete, channel=channel_id)
        return self._judged(failure, channel_id, message_id)

    async def exists(self, channel_id: int, message_id: int) -> bool | Failure:
        """Return True, because there is no way to check."""
        return True

    async def find(self, channel_id: int, mark: int, since: datetime) -> int | Failure | None:
        """Return None, because there is no way to search."""
        return None

    def _judged(self, failure: Failure | None, channel_id: int, message_id: int) -> Failure | None:
        """Drop the token if the failure is permanent. If the token has expired, the message can no
        longer be changed.
        """
        if failure is None or failure.trouble.passing:
            return failure
        self._lent.drop(channel_id, message_id)
        return OUT_OF_REACH if failure.trouble is Trouble.TOO_LATE else failure
