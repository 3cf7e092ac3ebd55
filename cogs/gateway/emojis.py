"""Icons as application emojis: uploaded to Discord once, then used by key.

The bot works without them. Until they are uploaded, or where Discord refuses them, texts and labels
appear without icons. An emoji's name contains the hash of its picture, so only changed icons are
uploaded, and processes of two versions can use their own emojis at the same time.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final, NoReturn, TypeVar

import aiohttp
import discord
import structlog

from cogs.gateway.failures import Trouble, trouble_of
from data.store.icons import IconRepository
from data.store.problems import StoreProblem

log = structlog.get_logger(__name__)

T = TypeVar("T")

OURS: Final = re.compile(r"tr_(?P<key>[a-z0-9_]{1,20})_(?P<hash>[0-9a-f]{8})")
"""Names of emojis that this bot has uploaded; it leaves all others alone."""

PAUSE: Final = 3.0
"""Seconds between two uploads or deletions. Nobody waits for them, and Discord allows only a few at
a time.
"""

ROUND: Final = 3600.0
"""Seconds between two regular checks, each of which also records the emojis in use."""

APART: Final = 60.0
"""Minimum number of seconds between two checks, no matter how many icons Discord refuses."""

UNUSED: Final = timedelta(days=1, hours=1)
"""An emoji unused for this long is deleted. Running processes record every hour which emojis they
use, so by then the emoji has been unused for a day.
"""

Icons = Mapping[str, discord.PartialEmoji]
"""Emojis by icon key."""

NO_ICONS: Final[Icons] = {}


class Emojis:
    """The emojis that messages may use.

    :ivar known: the emojis that existed at the last check or have been uploaded since, by icon key.
    :ivar doubted: set once Discord has refused one of them.
    """

    def __init__(self) -> None:
        self.known: dict[str, discord.PartialEmoji] = {}
        self.doubted = asyncio.Event()

    async def sent(self, send: Callable[[Icons], Awaitable[T]]) -> T:
        """Send a message with icons. If Discord refuses one of them, send it once more without
        icons.

        Try icons again with the next message, because Discord sometimes refuses valid emojis
        (discord-api-docs, issue 7128).

        :param send: builds the message with the icons it is given, and sends it.
        :raises discord.DiscordException: ``send`` failed for any other reason.
        """
        known = self.known
        try:
            return await send(known)
        except discord.HTTPException as error:
            if not known or trouble_of(error) is not Trouble.ICON:
                raise
        log.info("icons_refused")
        self.doubted.set()
        return await send(NO_ICONS)


class EmojiKeeper:
    """Uploads icons to Discord, and deletes emojis that are no longer used.

    :param client: must be logged in before the first check.
    :param icons: records which emojis the bot's processes use.
    :param keys: the keys of all icons; read at every check, so keys may be added later.
    :param draw: returns an icon as a PNG, by key; called in a thread.
    :ivar emojis: the emojis that messages may use.
    """

    def __init__(
        self,
        client: discord.Client,
        icons: IconRepository,
        keys: Collection[str],
        draw: Callable[[str], bytes],
        clock: Callable[[], datetime] = discord.utils.utcnow,
    ) -> None:
        self.emojis = Emojis()
        self._client = client
        self._icons = icons
        self._keys = keys
        self._draw = draw
        self._clock = clock
        self._own: dict[str, str] = {}
        """The name of the emoji that shows this process's version of each icon, by key."""

    async def keep(self, *, upload: bool = True) -> NoReturn:
        """Synchronise the icons now, every ``ROUND`` seconds, and when Discord refuses one."""
        while True:
            self.emojis.doubted.clear()
            await self.bring(upload=upload)
            await asyncio.sleep(APART)
            with suppress(TimeoutError):
                async with asyncio.timeout(ROUND - APART):
                    await self.emojis.doubted.wait()

    async def bring(self, *, pause: float = PAUSE, upload: bool = True) -> None:
        """Check which emojis exist, upload missing ones, and delete those unused for ``UNUSED``. If
        Discord refuses a call, the next check tries it again.

        :param pause: seconds between two calls that change something.
        :param upload: False: leave uploading and deleting to another process, and use the emojis
            that exist.
        """
        there: dict[str, discord.Emoji] = {}
        try:
            there = await self._look()
            if upload:
                await self._upload(there, pause)
            used = [emoji.name for emoji in self.emojis.known.values()]
            now = self._clock()
            unused = await self._icons.note(used, there, now, now - UNUSED)
            for name in unused if upload else ():
                await there[name].delete()
                await asyncio.sleep(pause)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as problem:
            known = len(self.emojis.known)
            log.warning("emojis_incomplete", known=known, problem=repr(problem))
        except StoreProblem as problem:  # the store has already logged it
            log.info("emojis_postponed", code=problem.code)

    async def _look(self) -> dict[str, discord.Emoji]:
        """Read which emojis exist, by name. If an icon has several emojis, use this process's own,
        or else the newest.
        """
        emojis = await self._client.fetch_application_emojis()
        there = {e.name: e for e in sorted(emojis, key=lambda e: e.id) if OURS.fullmatch(e.name)}
        known = {name.rpartition("_")[0].removeprefix("tr_"): e for name, e in there.items()}
        known |= {key: there[own] for key, own in self._own.items() if own in there}
        self.emojis.known = {key: _shown(emoji) for key, emoji in known.items()}
        return there

    async def _upload(self, there: Mapping[str, discord.Emoji], pause: float) -> None:
        for key in self._keys:
            if self._own.get(key) in there:
                continue
            png = await asyncio.to_thread(self._draw, key)
            name = f"tr_{key}_{hashlib.sha256(png).hexdigest()[:8]}"
            self._own[key] = name
            emoji = there.get(name)
            if emoji is None:
                emoji = await self._client.create_application_emoji(name=name, image=png)
                await asyncio.sleep(pause)
            self.emojis.known[key] = _shown(emoji)


def _shown(emoji: discord.Emoji) -> discord.PartialEmoji:
    return discord.PartialEmoji(name=emoji.name, id=emoji.id)
