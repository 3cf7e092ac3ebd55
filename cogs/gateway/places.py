"""The kind of place where an interaction happens, which decides what the bot may do there."""

from __future__ import annotations

from enum import Enum, auto

from cogs.gateway.components import Interaction


class InteractionContext(Enum):
    """The kinds of places where Discord lets people use an app."""

    SERVER = auto()
    """A server the bot is a member of; it can post in the channel."""
    DIRECT = auto()
    """The direct messages between the bot and one person; it can post there too."""
    ELSEWHERE = auto()
    """A group chat, direct messages between two people, or a server without the bot; the bot can
    only answer interactions there.
    """


def context_of(interaction: Interaction) -> InteractionContext:
    """Return the kind of place where an interaction happens."""
    if interaction.context.private_channel:
        return InteractionContext.ELSEWHERE
    if interaction.guild_id is None:
        return InteractionContext.DIRECT
    by_person_alone = interaction.is_user_integration() and not interaction.is_guild_integration()
    return InteractionContext.ELSEWHERE if by_person_alone else InteractionContext.SERVER


def chat_of(interaction: Interaction) -> str:
    """Return the first part of links to a place where the bot can only answer: ``@me`` or a
    server's id. Empty for all other places.
    """
    if context_of(interaction) is not InteractionContext.ELSEWHERE:
        return ""
    return "@me" if interaction.guild_id is None else str(interaction.guild_id)
