"""Icons as emojis of the application: brought to Discord once, then used by their keys.

They are never needed. Until they are there, or where Discord does not take them, texts and labels
stand alone. The name of an emoji carries the hash of its picture, so that only what has changed is
uploaded.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable, Collection, Mapping
from typing import Final

import aiohttp
import discord
import structlog

log = structlog.get_logger(__name__)

OURS: Final = re.compile(r"tr_(?P<key>[a-z0-9_]{1,20})_(?P<hash>[0-9a-f]{8})")
"""Names of emojis that this bot has brought; others are left alone."""

PAUSE: Final = 3.0
"""Seconds between two uploads: nobody waits for them, and Discord allows few at a time."""

Icons = Mapping[str, discord.PartialEmoji]
"""Emojis by the keys of their icons."""


class Emojis:
    """The emojis that are there.

    :param keys: of all icons; more may come until they are brought.
    :param draw: an icon as a PNG, by its key; called in a thread.
    :ivar known: those that can be used now.
    """

    def __init__(self, keys: Collection[str], draw: Callable[[str], bytes]) -> None:
        self._keys = keys
        self._draw = draw
        self.known: dict[str, discord.PartialEmoji] = {}

    async def bring(
        self, client: discord.Client, pause: float = PAUSE, *, upload: bool = True
    ) -> None:
        """Upload what is missing, and delete what has become old. Gives up where Discord refuses;
        the next start goes on from there.

        :param client: logged in.
        :param pause: seconds between two calls that change something.
        :param upload: False: another process does it; what is there now is used.
        """
        try:
            there = await self._there(client)
            if upload:
                await self._bring(client, there, pause)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as problem:
            log.warning("emojis_incomplete", known=len(self.known), problem=repr(problem))

    async def _there(self, client: discord.Client) -> dict[str, discord.Emoji]:
        """The emojis that were brought before; an old one serves until the new one is there."""
        there = {
            e.name: e for e in await client.fetch_application_emojis() if OURS.fullmatch(e.name)
        }
        for emoji in there.values():
            self._know(emoji)
        return there

    async def _bring(
        self, client: discord.Client, there: Mapping[str, discord.Emoji], pause: float
    ) -> None:
        wanted = set()
        for key in self._keys:
            png = await asyncio.to_thread(self._draw, key)
            name = f"tr_{key}_{hashlib.sha256(png).hexdigest()[:8]}"
            wanted.add(name)
            if name in there:
                self._know(there[name])
                continue
            self._know(await client.create_application_emoji(name=name, image=png))
            await asyncio.sleep(pause)
        for name, emoji in there.items():
            if name not in wanted:
                await emoji.delete()
                await asyncio.sleep(pause)

    def _know(self, emoji: discord.Emoji) -> None:
        match = OURS.fullmatch(emoji.name)
        if match is not None:
            self.known[match["key"]] = discord.PartialEmoji(name=emoji.name, id=emoji.id)
