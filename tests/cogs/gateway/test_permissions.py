"""The permissions of the bot in a channel and of a person on a server."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import discord
import pytest
from simcord.env import Env

from cogs.gateway.components import Interaction
from cogs.gateway.gateway import Gateway
from cogs.gateway.permissions import (
    PERMISSIONS,
    invitation,
    may_manage,
    may_manage_server,
    missing_permissions,
)
from tests.cogs.gateway.stage import Bot, me


def test_the_invitation_asks_for_all_permissions_and_no_others() -> None:
    asked = parse_qs(urlsplit(invitation(4711)).query)
    assert (asked["client_id"], asked["scope"]) == (["4711"], ["bot applications.commands"])
    granted = discord.Permissions(int(asked["permissions"][0]))
    assert all(getattr(granted, key) for key in PERMISSIONS)
    assert granted.value.bit_count() == len(PERMISSIONS)


@pytest.mark.parametrize(
    ("denied", "opening_thread", "missing"),
    [
        ([], False, []),
        (["send_messages"], False, ["Send Messages"]),
        (["send_messages"], True, []),
        (["attach_files", "embed_links"], False, ["Embed Links", "Attach Files"]),
        (["create_public_threads"], True, ["Create Public Threads"]),
        (["read_message_history"], False, ["Read Message History"]),
    ],
)
async def test_exactly_the_missing_permissions_are_named(
    env: Env, bot: Bot, denied: list[str], opening_thread: bool, missing: list[str]
) -> None:
    overwrite = discord.PermissionOverwrite(**dict.fromkeys(denied, False))
    guild = env.create_guild()
    channel = guild.create_text_channel("strict", overwrites={me(bot): overwrite})
    ann = guild.add_member(env.create_user("ann"))
    assert await missing_at(bot, ann, channel, opening_thread) == missing


async def missing_at(bot: Bot, person: Any, channel: Any, opening_thread: bool) -> list[str]:
    found: list[str] = []

    async def act(interaction: Interaction) -> None:
        found.extend(missing_permissions(interaction, opening_thread=opening_thread))
        await Gateway(bot).replies.answer(interaction, "done")

    bot.act = act
    await person.slash(channel, "do")
    return found


async def test_writing_in_a_thread_needs_another_permission(
    env: Env, bot: Bot, gateway: Gateway
) -> None:
    overwrite = discord.PermissionOverwrite(send_messages_in_threads=False, send_messages=False)
    guild = env.create_guild()
    channel = guild.create_text_channel("strict", overwrites={me(bot): overwrite})
    ann = guild.add_member(env.create_user("ann"))
    assert isinstance(await gateway.open_thread(channel.id, "Lancelot"), int)
    (thread,) = channel.threads
    assert await missing_at(bot, ann, thread, False) == ["Send Messages in Threads"]


async def test_no_permission_is_missing_in_a_dm(bot: Bot, channel: Any, ann: Any) -> None:
    """In direct messages there is nobody who could grant anything."""
    found: list[str] = []

    async def act(interaction: Interaction) -> None:
        found.extend(missing_permissions(interaction))
        found.extend(["may manage"] * may_manage(interaction))
        await Gateway(bot).replies.answer(interaction, "done")

    bot.act = act
    result = await ann.user.slash("do")
    assert result.acknowledged
    assert found == []


@pytest.mark.parametrize("manager", [False, True])
async def test_managing_one_server_gives_no_rights_on_another(
    env: Env, bot: Bot, manager: bool
) -> None:
    guild = env.create_guild()
    channel = guild.create_text_channel("games")
    ben = guild.add_member(env.create_user("ben"))
    if manager:
        role = guild.create_role("managers", permissions=discord.Permissions(manage_guild=True))
        ben = guild.add_member(env.create_user("cem"), roles=[role])
    found: list[bool] = []

    async def act(interaction: Interaction) -> None:
        found.append(may_manage(interaction))
        found.append(may_manage_server(interaction, guild.id))
        found.append(may_manage_server(interaction, guild.id + 1))
        found.append(may_manage_server(interaction, None))
        await Gateway(bot).replies.answer(interaction, "done")

    bot.act = act
    await ben.slash(channel, "do")
    assert found == [manager, manager, False, False]
