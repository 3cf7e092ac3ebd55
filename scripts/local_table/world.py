"""A small simulated Discord: one server, one channel, four people, and the time of day.

SimCord is made for tests: its clock stands still between two actions, everyone speaks American
English, only one thing may happen at a time, and all is gone at the end. To play in it, the clock
has to go, people speak the language of their browser, each act waits for
``turn``, and the channel is kept in a file.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

import discord
import simcord
import structlog
from discord.ext import commands
from simcord import Env, Preview, UserHandle

from cogs.features.front import FrontCog
from data.private import OWNER_ONLY

log = structlog.get_logger()

SERVER: Final = "Tafelrunde"
CHANNEL: Final = "tafelrunde"
PEOPLE: Final = ("Anna", "Ben", "Clara", "David")

LOCALES: Final = {"en": discord.Locale.american_english, "de": discord.Locale.german}
"""What Discord calls the languages of the bot."""

WELCOME: Final = {
    "en": """\
# Welcome to the local table
This is the bot in a simulated Discord: everything works here as it does there.
1. Press a game below, then one of the buttons **Computer: …** to play at once.
2. To play with others, press **Open a table**, be somebody else at **Viewing as** above, and \
press **Join**; whoever has opened the table presses **Start**. A second browser tab can be a \
second person.
3. Play with the buttons under the board. Commands work, too: type `/` to see all.

-# There are no direct messages and no threads here: your hand is behind the button **My hand**.""",
    "de": """\
# Willkommen am Tisch
Das ist der Bot in einem nachgebildeten Discord: Hier geht alles wie dort.
1. Drück unten auf ein Spiel, dann auf einen der Knöpfe **Computer: …**, und es geht los.
2. Willst du mit anderen spielen, drück **Tisch eröffnen**, sei oben bei **Viewing as** jemand \
anders und drück **Mitspielen**; wer den Tisch eröffnet hat, drückt **Beginnen**. Ein zweiter Tab \
im Browser kann eine zweite Person sein.
3. Spiel mit den Knöpfen unter dem Spielplan. Befehle gehen auch: `/` zeigt sie alle.

-# Direktnachrichten und Threads gibt es hier nicht: Deine Hand liegt hinter dem Knopf \
**Meine Hand**.""",
}
"""What a new channel begins with, in each language of the bot."""

PATIENCE: Final = 30.0
"""Seconds that one action, computer players' moves included, may take before it counts as stuck."""

TICK: Final = 1.0
"""Seconds between two moments at which what falls due is done, such as a deadline."""

REMEMBERED: Final = 50
"""Messages that are kept for the next start: as many as the page shows."""


class LocalDiscord:
    """The simulated Discord with the bot in it; enter it as a context.

    The same things are made in the same order at the same instant of SimCord's calendar, so all
    ids are the same at every start, and a table of yesterday finds its channel and its people.

    :param bot: not yet started; SimCord logs it in, and closes it at the end.
    :param memory: the file that keeps the channel; it is made if it does not exist.
    :ivar language: what everyone speaks from now on, one of LOCALES.
    :ivar turn: held while something is made to happen; SimCord refuses two at once.
    """

    def __init__(self, bot: commands.Bot, language: str, memory: Path) -> None:
        self.language = language
        self.turn: Final = asyncio.Lock()
        self._bot: Final = bot
        self._memory: Final = memory.with_name(f"{memory.name}-simcord-{simcord.__version__}")
        self._env: Final = Env(bot, check_errors=False, settle_timeout=PATIENCE)
        self._backend: Final = self._env.backend
        self._news = False
        # The first to listen changes what those after him hear; the bot comes later.
        self._backend.subscribers.append(self._listen)
        self._furnish()

    async def __aenter__(self) -> Self:
        try:
            self._recall()
            self._backend.advance_clock(self._lag())
            await self._env.start()
        except BaseException:
            await self._bot.close()
            raise
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self._env.shutdown()
        await self._bot.close()

    def preview(self) -> Preview:
        """SimCord's page of the channel, to be entered as a context."""
        return self._env.preview(
            self._channel,
            viewers=self._people,
            layout="channel",
            locale=LOCALES[self.language].value,
            timezone=time_zone(),
        )

    async def welcome(self) -> None:
        """Begin a new channel with how to play; the caller has the turn."""
        if not self._channel.history():
            await self._greeter.send(WELCOME[self.language])
            front = self._bot.get_cog("FrontCog")
            if isinstance(front, FrontCog):
                await front.greet(self._channel.id, self.language)

    async def keep_time(self, preview: Preview) -> None:
        """Let the clock go and show what happens by itself, until cancelled."""
        while True:
            await asyncio.sleep(TICK)
            async with self.turn:
                try:
                    await self._env.advance_time(self._lag())
                except TimeoutError:
                    log.warning("local_table_slow", patience=PATIENCE)
                await self.show_news(preview)

    async def show_news(self, preview: Preview) -> None:
        """Show and keep the messages that came, changed or went; the caller has the turn."""
        if self._news:
            self._news = False
            await preview.refresh()
            self._remember()
        # SimCord notes everything for the report of a failed test: too much for an evening.
        self._backend.transcript.clear()
        self._backend.http_requests.clear()

    def _furnish(self) -> None:
        self._backend.bot_user.name = self._backend.bot_user.global_name = SERVER
        bot = UserHandle(self._env, self._backend.bot_user)
        host, *guests = (self._env.create_user(name.lower(), global_name=name) for name in PEOPLE)
        locale = LOCALES[self.language].value
        server = self._env.create_guild(SERVER, owner=host, preferred_locale=locale)
        self._people = [server.add_member(person) for person in (host, *guests)]
        # The page shows one channel and no direct messages: so the bot must do without others.
        self._channel = server.create_text_channel(
            CHANNEL, overwrites={bot: discord.PermissionOverwrite(create_public_threads=False)}
        )
        for person in (host, *guests):
            self._env.inject_error(
                "POST",
                f"/channels/{person.dm_channel.id}/messages",
                status=403,
                code=50007,
                message="Cannot send messages to this user",
                times=None,
            )
        self._greeter = server.create_webhook(self._channel, SERVER)

    def _lag(self) -> float:
        return max(0.0, (datetime.now(UTC) - self._env.now()).total_seconds())

    def _listen(self, event: str, payload: Mapping[str, Any]) -> None:
        if event == "INTERACTION_CREATE" and isinstance(payload, dict):
            locale = LOCALES[self.language].value
            payload.update(locale=locale, guild_locale=locale)
        elif event.startswith("MESSAGE_"):
            self._news = True

    def _remember(self) -> None:
        # Private answers are forgotten, as by Discord itself.
        private = discord.MessageFlags.ephemeral.flag
        messages = self._backend.messages[self._channel.id].values()
        history = [message for message in messages if not message.flags & private][-REMEMBERED:]
        urls = [file["url"] for message in history for file in message.attachments]
        files = {url: self._backend.cdn.get(url) for url in urls}
        half = self._memory.with_name(f"{self._memory.name}-half")
        half.touch(OWNER_ONLY)
        half.write_bytes(pickle.dumps((history, files)))
        half.replace(self._memory)

    def _recall(self) -> None:
        if not self._memory.exists():
            return
        history, files = pickle.loads(self._memory.read_bytes())  # noqa: S301 - we wrote it
        self._backend.messages[self._channel.id] = {message.id: message for message in history}
        self._backend.cdn._blobs.update(files)


def time_zone() -> str:
    """The name of this computer's time zone; UTC if it does not tell."""
    _, _, name = str(Path("/etc/localtime").resolve()).partition("zoneinfo/")
    return name or "UTC"
