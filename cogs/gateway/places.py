"""Where an interaction happens, and with it what the bot may do there."""

from __future__ import annotations

from enum import Enum, auto

from cogs.gateway.components import Interaction


class InteractionContext(Enum):
    """The places in which Discord lets people use an app."""

    SERVER = auto()
    """A server of which the bot is a member: it may post in the channel."""
    DIRECT = auto()
    """The direct messages between the bot and one person: it may post there, too."""
    ELSEWHERE = auto()
    """A group chat, the direct messages of two people, or a server without the bot: it can only
    answer there.
    """


def context_of(interaction: Interaction) -> InteractionContext:
    """Where an interaction happens."""
    if interaction.context.private_channel:
        return InteractionContext.ELSEWHERE
    if interaction.guild_id is None:
        return InteractionContext.DIRECT
    by_person_alone = interaction.is_user_integration() and not interaction.is_guild_integration()
    return InteractionContext.ELSEWHERE if by_person_alone else InteractionContext.SERVER


def chat_of(interaction: Interaction) -> str:
    """What links to the place of an interaction begin with where the bot can only answer: ``@me``,
    or the number of a server; empty elsewhere.
    """
    if context_of(interaction) is not InteractionContext.ELSEWHERE:
        return ""
    return "@me" if interaction.guild_id is None else str(interaction.guild_id)
