"""A small simulated Discord: one server, a few channels, four people with their direct messages,
and the time of day.

SimCord is made for tests: its clock stands still between two actions, everyone uses American
English, only one thing may happen at a time, and everything is gone at the end. To play in it, we
run the clock, use the language of the browser, let each action wait for ``turn``, and keep messages
in a file. A SimCord page shows one place, so there is a page for each, and SimCord knows only the
one in use.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

import discord
import simcord
import structlog
from discord.ext import commands
from simcord import Env, MemberActor, Preview, UserHandle
from simcord.backend.cdn import CDN_BASE
from simcord.builders import ChannelHandle

from cogs.features.front import FrontCog
from data.private import OWNER_ONLY
from render.gallery import app_icon

log = structlog.get_logger()

SERVER: Final = "Tafelrunde"
CHANNELS: Final = ("tafelrunde", "tafelrunde-2", "tafelrunde-3")
"""The channels; the first one starts with a message on how to play."""
PEOPLE: Final = ("Anna", "Ben", "Clara", "David")

LOCALES: Final = {
    "en": discord.Locale.american_english,
    "de": discord.Locale.german,
    "fr": discord.Locale.french,
    "es": discord.Locale.spain_spanish,
}
"""Discord's names for the bot's languages."""

WELCOME: Final = {
    "en": """\
# Welcome to the local table
This is the bot in a simulated Discord: everything works here as it does there.
1. Press a game below, then one of the buttons **Computer: …** to play at once.
2. To play with others, press **Open a table**, become somebody else at **Viewing as** above, and \
press **Join**; whoever has opened the table presses **Start**. A second browser tab can be a \
second person.
3. Play with the buttons under the board. Commands work, too: type `/` to see all.

4. Above are the other channels, for tables side by side, and everybody's direct messages.

-# There are no threads here.""",
    "de": """\
# Willkommen am Tisch
Das ist der Bot in einem nachgebildeten Discord: Hier geht alles wie dort.
1. Drück unten auf ein Spiel, dann auf einen der Knöpfe **Computer: …**, und es geht los.
2. Willst du mit anderen spielen, drück **Tisch eröffnen**, sei oben bei **Viewing as** jemand \
anders und drück **Mitspielen**; wer den Tisch eröffnet hat, drückt **Beginnen**. Ein zweiter Tab \
im Browser kann eine zweite Person sein.
3. Spiel mit den Knöpfen unter dem Spielplan. Befehle gehen auch, hier unter ihren \
englischen Namen: `/` zeigt sie alle.

4. Oben sind die anderen Kanäle, für Tische nebeneinander, und die Direktnachrichten von allen.

-# Threads gibt es hier nicht.""",
    "fr": """\
# Bienvenue à la table
Voici le bot dans un Discord simulé : tout se passe ici comme là-bas.
1. Clique sur un jeu ci-dessous, puis sur l’un des boutons **Ordinateur : …** pour jouer tout de \
suite.
2. Pour jouer avec d’autres, clique sur **Ouvrir une table**, deviens quelqu’un d’autre en haut, \
sous **Viewing as**, et clique sur **Rejoindre** ; qui a ouvert la table clique sur **Commencer**. \
Un deuxième onglet du navigateur peut être une deuxième personne.
3. Joue avec les boutons sous le plateau. Les commandes marchent aussi, ici sous leurs noms \
anglais : `/` les montre toutes.

4. En haut, il y a les autres salons, pour des tables côte à côte, et les messages privés de tous.

-# Il n’y a pas de fils ici.""",
    "es": """\
# Te damos la bienvenida a la mesa
Este es el bot en un Discord simulado: aquí todo funciona como allí.
1. Pulsa un juego abajo, y luego uno de los botones **Máquina: …** para jugar enseguida.
2. Para jugar con otras personas, pulsa **Abrir mesa**, sé otra persona arriba en **Viewing as** y \
pulsa **Unirse**; quien ha abierto la mesa pulsa **Empezar**. Una segunda pestaña del navegador \
puede ser una segunda persona.
3. Juega con los botones bajo el tablero. Los comandos también funcionan, aquí con sus nombres en \
inglés: `/` los muestra todos.

4. Arriba están los demás canales, para varias mesas a la vez, y los mensajes directos de todos.

-# Aquí no hay hilos.""",
}
"""How to play, in each language of the bot."""

PATIENCE: Final = 30.0
"""Seconds after which an action, including computer players' moves, counts as stuck."""

TICK: Final = 1.0
"""Seconds between two checks for whatever is due, such as a deadline."""

REMEMBERED: Final = 50
"""Messages per place that are kept for the next start: as many as the page shows."""

ICON: Final = "tafelrunde"
"""SimCord's name for the bot's avatar."""


class LocalEnv(Env):
    """SimCord, but an action ends although a timer of the bot will go off within ``PATIENCE``:
    SimCord would wait for it, and so would the people.
    """

    async def _settle_internal(self, *, _deadline: float | None = None, **named: Any) -> None:
        clock = asyncio.get_running_loop().time
        end = _deadline or clock() + (named.pop("timeout", None) or self.settle_timeout)
        while True:
            try:
                await super()._settle_internal(_deadline=min(end, clock() + TICK), **named)
            except TimeoutError:
                if clock() >= end:
                    raise
            else:
                return


class LocalDiscord:
    """The simulated Discord with the bot in it; enter it as a context.

    Everything is created in the same order at the same instant of SimCord's calendar, so that ids
    are the same at every start and yesterday's tables find their channel and their people. Add new
    things at the end.

    :param bot: the bot, not yet started; SimCord logs it in, and closes it at the end.
    :param memory: the database; messages are kept in a file next to it, whose name begins with that
        of the database.
    :ivar language: everyone's language from now on, one of LOCALES.
    :ivar turn: held during an action; SimCord refuses two at once.
    """

    def __init__(self, bot: commands.Bot, language: str, memory: Path) -> None:
        self.language = language
        self.turn: Final = asyncio.Lock()
        self._bot: Final = bot
        self._memory: Final = memory.with_name(f"{memory.name}-simcord-{simcord.__version__}")
        self._env: Final = LocalEnv(bot, check_errors=False, settle_timeout=PATIENCE)
        self._backend: Final = self._env.backend
        self._news = set[int]()
        """The places where messages were added, changed or deleted."""
        # The first listener changes what later ones, such as the bot, get.
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

    @asynccontextmanager
    async def pages(self) -> AsyncIterator[dict[str, Preview]]:
        """Open SimCord's pages, by the place that they show: the channels and everyone's direct
        messages.
        """
        places: dict[str, tuple[ChannelHandle, Sequence[MemberActor | UserHandle]]] = {
            f"#{name}": (channel, self._people)
            for name, channel in zip(CHANNELS, self._channels, strict=True)
        }
        for person, letters in zip(self._people, self._letters, strict=True):
            places[f"@{person.user.global_name}"] = (letters, [person.user])
        bot = self._backend.bot_user
        assets = {f"{CDN_BASE}/avatars/{bot.id}/{ICON}.png": ("icon.png", app_icon())}
        async with AsyncExitStack() as opened:
            pages = {}
            for name, (channel, viewers) in places.items():
                self._env._preview = None
                page = self._env.preview(
                    channel,
                    viewers=viewers,
                    layout="channel",
                    locale=LOCALES[self.language].value,
                    timezone=time_zone(),
                    assets=assets,
                )
                pages[name] = await opened.enter_async_context(page)
            yield pages

    def use(self, page: Preview) -> None:
        """Prepare for an action on a page."""
        self._env._preview = page

    async def welcome(self) -> None:
        """Post how to play in the first channel if it is empty; the caller holds ``turn``."""
        first = self._channels[0]
        if not first.history():
            await self._greeter.send(WELCOME[self.language])
            front = self._bot.get_cog("FrontCog")
            if isinstance(front, FrontCog):
                await front.greet(first.id, self.language)

    async def keep_time(self, pages: Collection[Preview]) -> None:
        """Run the clock and show what happens by itself, until cancelled."""
        while True:
            await asyncio.sleep(TICK)
            async with self.turn:
                try:
                    await self._env.advance_time(self._lag())
                except TimeoutError:
                    log.warning("local_table_slow", patience=PATIENCE)
                await self.show_news(pages)

    async def show_news(self, pages: Collection[Preview]) -> None:
        """Show and keep added, changed and deleted messages; the caller holds ``turn``."""
        if self._news:
            for page in pages:
                if page.channel.id in self._news:
                    await page.refresh()
            self._news.clear()
            self._remember()
        # SimCord records everything to report failed tests; over an evening, that would be too
        # much.
        self._backend.transcript.clear()
        self._backend.http_requests.clear()

    def _furnish(self) -> None:
        self._backend.bot_user.name = self._backend.bot_user.global_name = SERVER
        self._backend.bot_user.avatar = ICON
        bot = UserHandle(self._env, self._backend.bot_user)
        host, *guests = (self._env.create_user(name.lower(), global_name=name) for name in PEOPLE)
        locale = LOCALES[self.language].value
        server = self._env.create_guild(SERVER, owner=host, preferred_locale=locale)
        self._people = [server.add_member(person) for person in (host, *guests)]
        # There is no page for a thread.
        denied = discord.PermissionOverwrite(create_public_threads=False)
        first, *others = CHANNELS
        self._channels = [server.create_text_channel(first, overwrites={bot: denied})]
        self._letters = [person.dm_channel for person in (host, *guests)]
        self._greeter = server.create_webhook(self._channels[0], SERVER)
        for name in others:
            self._channels.append(server.create_text_channel(name, overwrites={bot: denied}))

    def _lag(self) -> float:
        return max(0.0, (datetime.now(UTC) - self._env.now()).total_seconds())

    def _listen(self, event: str, payload: Mapping[str, Any]) -> None:
        if event == "INTERACTION_CREATE" and isinstance(payload, dict):
            locale = LOCALES[self.language].value
            payload.update(locale=locale, guild_locale=locale)
        elif event.startswith("MESSAGE_"):
            self._news.add(int(payload["channel_id"]))

    def _remember(self) -> None:
        # Private answers are forgotten, as in Discord itself.
        private = discord.MessageFlags.ephemeral.flag
        histories = {
            place: [message for message in messages.values() if not message.flags & private]
            for place, messages in self._backend.messages.items()
        }
        histories = {place: history[-REMEMBERED:] for place, history in histories.items()}
        written = [message for history in histories.values() for message in history]
        urls = [file["url"] for message in written for file in message.attachments]
        files = {url: self._backend.cdn.get(url) for url in urls}
        half = self._memory.with_name(f"{self._memory.name}-half")
        half.touch(OWNER_ONLY)
        half.write_bytes(pickle.dumps((histories, files)))
        half.replace(self._memory)

    def _recall(self) -> None:
        if not self._memory.exists():
            return
        histories, files = pickle.loads(self._memory.read_bytes())  # noqa: S301 - we wrote it
        for place, history in histories.items():
            self._backend.messages[place] = {message.id: message for message in history}
        self._backend.cdn._blobs.update(files)


def time_zone() -> str:
    """Return the name of this computer's time zone; UTC if unknown."""
    _, _, name = str(Path("/etc/localtime").resolve()).partition("zoneinfo/")
    return name or "UTC"
