"""Messages where the bot is no member: in group chats, in the direct messages of two people, on
servers without it. There it has no say but by the tokens of what people do.

Nothing can be read there, and nothing be posted before someone acts. A message that no token
reaches any more counts as gone: another one can take its place.
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
    """Makes the calls of ``Gateway`` that concern single messages, with the same promises but one:
    a repeated post is a second message, for Discord knows no nonce here.

    :param lent: the tokens of what people have done.
    :param emojis: those that can be shown.
    """

    def __init__(self, lent: LentTokens, emojis: Emojis) -> None:
        self._lent = lent
        self._emojis = emojis

    def can_post(self, channel_id: int) -> bool:
        """Whether something could be posted now."""
        return self._lent.newest(channel_id) is not None

    def can_edit(self, channel_id: int, message_id: int) -> bool:
        """Whether a message could be changed now."""
        return self._lent.find(channel_id, message_id) is not None

    async def post(
        self, channel_id: int, content: Content, **how: Unpack[Posting]
    ) -> int | Failure:
        """Post a message that follows what someone has done, as ``Gateway.post`` does."""
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
        if message.flags.ephemeral:  # people may not let apps of their own speak to all there
            return Failure(Trouble.MISSING_PERMISSION)
        self._lent.follow(interaction, message.id)
        return message.id

    async def edit(
        self, channel_id: int, message_id: int, content: Content, *, mark: int | None = None
    ) -> Failure | None:
        """Change a message of the bot's; parameters as for ``Gateway.edit``."""
        lent, card = self._lent.find(channel_id, message_id), as_card(content)
        if lent is None:
            return OUT_OF_REACH

        async def attempt() -> None:
            await self._emojis.sent(lambda icons: lent.edit(edit_arguments(card, mark, icons)))

        failure = await tried("edit", attempt, channel=channel_id)
        return self._judged(failure, channel_id, message_id)

    async def strip(self, channel_id: int, message_id: int) -> Failure | None:
        """Nothing: what stands in a message cannot be read."""
        return OUT_OF_REACH

    async def delete(self, channel_id: int, message_id: int) -> Failure | None:
        """Remove a message of the bot's."""
        lent = self._lent.find(channel_id, message_id)
        if lent is None:
            return OUT_OF_REACH
        failure = await tried("delete", lent.delete, channel=channel_id)
        return self._judged(failure, channel_id, message_id)

    async def exists(self, channel_id: int, message_id: int) -> bool | Failure:
        """True: nobody can tell."""
        return True

    async def find(self, channel_id: int, mark: int, since: datetime) -> int | Failure | None:
        """None: nobody can tell."""
        return None

    def _judged(self, failure: Failure | None, channel_id: int, message_id: int) -> Failure | None:
        """A failure after which the token is worth nothing counts as out of reach."""
        if failure is None or failure.trouble.passing:
            return failure
        self._lent.drop(channel_id, message_id)
        return OUT_OF_REACH if failure.trouble is Trouble.TOO_LATE else failure
