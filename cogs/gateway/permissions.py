"""The bot's permissions in a channel, and a person's permissions on a server."""

from __future__ import annotations

from typing import Final

import discord

from cogs.gateway.components import Interaction
from data.texts import N_

PERMISSIONS: Final = {
    "view_channel": N_("View Channel"),
    "send_messages": N_("Send Messages"),
    "send_messages_in_threads": N_("Send Messages in Threads"),
    "create_public_threads": N_("Create Public Threads"),
    "read_message_history": N_("Read Message History"),
    "embed_links": N_("Embed Links"),
    "attach_files": N_("Attach Files"),
}
"""The permissions the bot may need, with the names that Discord shows."""

WANTED: Final = discord.Permissions(**dict.fromkeys(PERMISSIONS, True))
"""The same permissions, in the form that Discord's invite links use."""


def invitation(application_id: int) -> str:
    """Return the link for adding the bot to a server with every permission it may need."""
    scopes = ("bot", "applications.commands")
    return discord.utils.oauth_url(application_id, permissions=WANTED, scopes=scopes)


def lacking_permissions(held: discord.Permissions) -> list[str]:
    """Return Discord's English names of the permissions that the bot may need but does not have."""
    return [name for key, name in PERMISSIONS.items() if not getattr(held, key)]


def missing_permissions(interaction: Interaction, *, opening_thread: bool = False) -> list[str]:
    """Return the permissions that the bot needs to run a table where this interaction happened, but
    does not have.

    :param opening_thread: the table will get its own thread.
    :returns: values of ``PERMISSIONS``, not yet translated.
    """
    if interaction.guild_id is None:
        return []
    needed = {"view_channel", "read_message_history", "embed_links", "attach_files"}
    if opening_thread:
        needed |= {"create_public_threads", "send_messages_in_threads"}
    elif isinstance(interaction.channel, discord.Thread):
        needed.add("send_messages_in_threads")
    else:
        needed.add("send_messages")
    held = interaction.app_permissions
    return [name for key, name in PERMISSIONS.items() if key in needed and not getattr(held, key)]


def may_manage(interaction: Interaction) -> bool:
    """Return whether the person may manage the server of this interaction."""
    return interaction.guild_id is not None and interaction.permissions.manage_guild


TO_SHOW: Final = ("view_channel", "send_messages", "attach_files")
"""The permissions that the bot needs to post pictures in a server's channel, as keys of
``PERMISSIONS``.
"""


def may_show(channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Return whether the bot may post pictures in this channel or thread."""
    held = channel.permissions_for(channel.guild.me)
    thread = isinstance(channel, discord.Thread)
    sends = held.send_messages_in_threads if thread else held.send_messages
    return sends and all(getattr(held, key) for key in TO_SHOW if key != "send_messages")


def may_write(interaction: Interaction) -> bool:
    """Return whether the person may write in the channel of this interaction."""
    held = interaction.permissions
    if isinstance(interaction.channel, discord.Thread):
        return held.send_messages_in_threads
    return held.send_messages


def may_manage_server(interaction: Interaction, guild_id: int | None) -> bool:
    """Return whether the person is acting on this server and may manage it; permissions on another
    server do not count.
    """
    return guild_id == interaction.guild_id and may_manage(interaction)
