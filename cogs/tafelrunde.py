"""The bot: one house with a store, a door, a herald, and the games."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine
from dataclasses import replace
from importlib import import_module
from typing import Any

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from cogs import refusals
from cogs.actions import PRESSES, Interaction, OnPress
from cogs.controls import Control, Pick, Press
from cogs.door import Door
from cogs.hands import Hands
from cogs.herald import Herald
from cogs.notices import Notices
from cogs.plans import Planner
from cogs.replays import Replays
from cogs.translator import CatalogueTranslator
from cogs.votes import Ballots
from cogs.words import GameWords
from data.store import Conflict, Store, StoreProblem
from data.texts import Texts, language_of, texts
from games import GAMES
from play import ending
from play.computers import Thinkers
from play.table import Refused, Table
from play.tables import Tables
from play.timekeeping import Timekeeper

log = structlog.get_logger()

FAREWELL = 3.0
"""Seconds that actions under way have to end when the bot is asked to leave."""

SECOND_TRIES = (5.0, 30.0, 120.0)
"""Seconds that computer players wait after each failure; then the clock's next round wakes them."""

PAUSES = (0.7, 1.3)
"""How much shorter or longer than set the pause of a computer player may be: nobody thinks by the
clock.
"""

SHARED_COGS = (
    "cogs.table",
    "cogs.server",
    "cogs.votes",
    "cogs.clock",
    "cogs.consent",
    "cogs.seats",
    "cogs.plans",
    "cogs.following",
    "cogs.hints",
    "cogs.parking",
    "cogs.more",
    "cogs.replays",
    "cogs.records",
    "cogs.standings",
    "cogs.preferences",
    "cogs.privacy",
)


class Tafelrunde(commands.Bot):
    """The Discord bot.

    :param store: open; the bot closes it when it leaves.
    :param thinkers: where computer players think; closed likewise.
    :param computer_pause: seconds that a computer player waits before it moves, so that people can
        follow.
    """

    def __init__(self, store: Store, thinkers: Thinkers, computer_pause: float = 2.0) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
        )
        self.store = store
        self.thinkers = thinkers
        self.tables = Tables(store, discord.utils.utcnow)
        self.keeper = Timekeeper(self.tables)
        self.door = Door(self)
        self.herald = Herald(self)
        self.hands = Hands(self)
        self.notices = Notices(self)
        self.ballots = Ballots(self)
        self.planner = Planner(self)
        self.replays = Replays(self)
        self.presses: dict[str, OnPress] = dict(PRESSES)
        self.words: dict[str, GameWords] = {}
        self._computer_pause = computer_pause
        self._tasks: set[asyncio.Task[bool]] = set()
        self._actions: set[asyncio.Task[Any]] = set()
        self._playing: set[int] = set()
        self._caught_up = False
        self.behind = False
        """Whether something has failed since the clock's last round; see ``try_later``."""
        self.tree.error(self._on_command_error)

    # -- coming and going
    async def setup_hook(self) -> None:
        """Load the games' words and commands, register the controls, tell Discord the commands."""
        for game_id in GAMES:
            self.words[game_id] = import_module(f"cogs.{game_id}").WORDS
        for extension in (*(f"cogs.{game_id}" for game_id in GAMES), *SHARED_COGS):
            await self.load_extension(extension)
        self.add_dynamic_items(Press, Pick)
        await self.tree.set_translator(CatalogueTranslator())
        await self.tree.sync()

    async def on_ready(self) -> None:
        """Tell what was left untold, once for each start."""
        if not self._caught_up:
            self._caught_up = True
            log.info("ready", servers=len(self.guilds))
            await self.herald.catch_up()

    async def close(self) -> None:
        """Finish what people are doing, then leave."""
        if self._actions:
            _, unfinished = await asyncio.wait(self._actions, timeout=FAREWELL)
            for action in unfinished:
                action.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await super().close()
        self.thinkers.close()
        await self.store.close()

    def later(self, work: Coroutine[Any, Any, object]) -> None:
        """Do something beside whatever is going on; a failure is logged."""
        task = asyncio.create_task(self.guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # -- languages
    def say(self, interaction: discord.Interaction[Any]) -> Texts:
        """The texts for one person."""
        return texts(language_of(interaction.locale.value))

    async def server_texts(self, interaction: discord.Interaction[Any]) -> Texts:
        """The texts for everybody in a server: as set there, else as Discord says."""
        server = await self.store.server(interaction.guild_id or 0)
        locale = interaction.guild_locale
        return texts(server.language or language_of(locale.value if locale else "en"))

    async def person_texts(self, person_id: int, fallback: str) -> Texts:
        """The texts for a person who is not acting just now."""
        person = await self.store.person(person_id)
        return texts(person.language or fallback)

    async def note_language(self, interaction: discord.Interaction[Any]) -> None:
        """Remember which language a person reads, for direct messages."""
        person = interaction.user.id
        language = self.say(interaction).language
        if (await self.store.person(person)).language != language:
            await self.store.change_person(person, lambda known: replace(known, language=language))

    def words_of(self, table: Table) -> GameWords:
        """The words of a table's game."""
        return self.words[table.row.game]

    # -- what people do
    async def press(self, interaction: Interaction, control: Control) -> None:
        """Act on a button or menu."""
        structlog.contextvars.bind_contextvars(table=control.table, ply=control.ply)
        await self.attempt(interaction, self.presses[control.verb](interaction, control))

    async def attempt(
        self,
        interaction: Interaction,
        action: Coroutine[Any, Any, object],
    ) -> None:
        """Carry out an action; answer a refusal with a sentence, a fault of ours with regret."""
        structlog.contextvars.bind_contextvars(interaction=interaction.id)
        say = self.say(interaction)
        if (task := asyncio.current_task()) is not None:
            self._actions.add(task)
            task.add_done_callback(self._actions.discard)
        try:
            await self.note_language(interaction)
            await action
        except (Refused, Conflict) as refusal:
            log.info("refused", code=refusal.code)
            await self.door.answer(interaction, refusals.explain(refusal, self.words, say))
        except StoreProblem as problem:
            log.error("store_problem", code=problem.code, problem=str(problem))
            self.try_later()
            await self.door.answer(interaction, refusals.store_problem(say))
        except Exception:
            log.exception("action_failed")
            self.try_later()
            await self.door.answer(interaction, refusals.our_fault(say))
        finally:
            action.close()
            structlog.contextvars.unbind_contextvars("table", "ply", "interaction")

    async def _on_command_error(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError
    ) -> None:
        say = self.say(interaction)
        if isinstance(error, app_commands.CheckFailure):
            await self.door.answer(interaction, refusals.not_allowed(say))
        elif isinstance(error, app_commands.TransformerError):
            await self.door.answer(interaction, refusals.bad_value(say, str(error.value)))
        else:
            log.error("command_failed", exc_info=error)
            await self.door.answer(interaction, refusals.our_fault(say))

    # -- what follows from what people do
    def follow_up(self, table_id: int) -> None:
        """See to what an event at a table leads to: clocks start and stop, votes and notices may be
        out of date; then computer players move.
        """
        self.later(self._follow_up(table_id))

    async def _follow_up(self, table_id: int) -> None:
        await self.guarded(self._tidy(table_id))
        self.dispatch("deadline_set")
        self.wake_computers(table_id)

    async def _tidy(self, table_id: int) -> None:
        table = await self.keeper.follow(table_id)
        await self.notices.tidy(table)
        await self.ballots.tidy(table)

    async def pick_up(self) -> None:
        """Go on wherever something has failed that may succeed now."""
        self.behind = False
        await self.herald.tell_owed()
        for row in await self.store.with_computers():
            self.wake_computers(row.id)

    # -- computer players
    def wake_computers(self, table_id: int) -> None:
        """Let computer players move where they are awaited, one driver for each table."""
        if table_id not in self._playing:
            self._playing.add(table_id)
            self.later(self._drive_computers(table_id))

    async def _drive_computers(self, table_id: int) -> None:
        try:
            for pause in SECOND_TRIES:
                if await self.guarded(self._play_computers(table_id)):
                    break
                await asyncio.sleep(pause)
        finally:
            self._playing.discard(table_id)

    async def _play_computers(self, table_id: int) -> None:
        while (table := await self.tables.get(table_id)).awaited_computers:
            if (ended := await ending.end_deserted(self.tables, table_id)) is not None:
                await self.herald.tell_ended(ended)
                return
            await asyncio.sleep(self._computer_pause * random.uniform(*PAUSES))
            await self._play_computer(table, table.awaited_computers[0])

    async def _play_computer(self, table: Table, seat: int) -> None:
        match = table.played
        opened = match.opened(seat)
        view = match.view(seat)
        move = await self.thinkers.choose(view, table.computer_at(seat) or "")
        try:
            await self.tables.move_for_computer(table.id, seat, move, opened, table.row.undos)
        except (Refused, Conflict) as refusal:
            log.info("computer_overtaken", table=table.id, code=refusal.code)
        await self.herald.announce(table.id)

    # -- failures
    async def guarded(self, work: Coroutine[Any, Any, object]) -> bool:
        """Do something whose failure must not hinder what comes after it; it is logged.

        :returns: whether it succeeded.
        """
        try:
            await work
        except StoreProblem as problem:
            log.error("store_problem", code=problem.code, problem=str(problem))
        except Exception:
            log.exception("background_work_failed")
        else:
            return True
        self.try_later()
        return False

    def try_later(self) -> None:
        """Something could not be done, or told: let the clock's next round go over it."""
        self.behind = True
        self.dispatch("deadline_set")
