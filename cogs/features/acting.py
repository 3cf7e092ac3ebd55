"""What every command and button needs: the table meant, languages, and an answer when it fails."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, TypeVar

import structlog
from discord import app_commands

from cogs.delivery.delivery import Delivery
from cogs.features.direct import DirectMessages
from cogs.gateway.cards import Card
from cogs.gateway.client import OnPress
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.gateway import Gateway
from cogs.present import refusals
from cogs.present.surfaces import Presenter
from data.store.problems import Conflict, NoSuchTable, StoreProblem
from data.texts import Texts, language_of, texts
from play.table import Command, Refused, Table
from play.tables import Change, Tables

log = structlog.get_logger()

T = TypeVar("T")

LANGUAGES_KEPT = 10_000
"""So many people's languages are held, so that they need not be looked up at each press."""

_changes: ContextVar[list[int] | None] = ContextVar("changes", default=None)
"""The tables that the present action has changed."""


class Acting:
    """Carries out what people do, and answers what goes wrong.

    :ivar gateway, tables, presenter, delivery, direct: the parts that features are made with.
    :param fell_behind: is called when something has failed that may succeed later.
    :ivar presses: what each verb of a control does; every feature adds its own.
    :ivar table_commands: what ``/table`` is made of; likewise.
    """

    def __init__(
        self,
        gateway: Gateway,
        tables: Tables,
        presenter: Presenter,
        delivery: Delivery,
        fell_behind: Callable[[], None],
    ) -> None:
        self.gateway = gateway
        self.tables = tables
        self.presenter = presenter
        self.delivery = delivery
        self.direct = DirectMessages(gateway, tables.store)
        self.replies = gateway.replies
        self.presses: dict[str, OnPress] = {}
        self.table_commands: list[app_commands.Command[Any, ..., None]] = []
        self._fell_behind = fell_behind
        self._languages: OrderedDict[int, str] = OrderedDict()
        self._actions: set[asyncio.Task[Any]] = set()
        self._notes: set[asyncio.Task[None]] = set()
        tables.listen(_note_change)

    async def finish(self, patience: float) -> None:
        """Let what people are doing come to its end.

        :param patience: seconds; what takes longer is cancelled.
        """
        tasks = self._actions | self._notes
        if tasks:
            _, unfinished = await asyncio.wait(tasks, timeout=patience)
            for task in unfinished:
                task.cancel()
            await asyncio.gather(*unfinished, return_exceptions=True)

    # -- languages
    def say(self, interaction: Interaction) -> Texts:
        """The texts for one person."""
        return texts(language_of(interaction.locale.value))

    async def server_texts(self, interaction: Interaction) -> Texts:
        """The texts for everyone in a server: as set there, else as Discord says."""
        server = await self.tables.store.settings.server(interaction.guild_id or 0)
        locale = interaction.guild_locale
        return texts(server.language or language_of(locale.value if locale else "en"))

    def _note_language(self, interaction: Interaction) -> None:
        """Remember which language a person reads, for direct messages; nothing waits for it."""
        person, language = interaction.user.id, self.say(interaction).language
        if self._languages.get(person) != language:
            task = asyncio.create_task(self._store_language(person, language))
            self._notes.add(task)
            task.add_done_callback(self._notes.discard)

    async def _store_language(self, person_id: int, language: str) -> None:
        settings = self.tables.store.settings
        try:
            if (await settings.person(person_id)).language != language:
                await settings.set_person(person_id, language=language)
                await self.tables.reckon(await self.tables.store.tables.of_person(person_id))
        except StoreProblem as problem:
            log.error("store_problem", code=problem.code, problem=str(problem))
            return
        self._languages[person_id] = language
        if len(self._languages) > LANGUAGES_KEPT:
            self._languages.popitem(last=False)

    async def unlearn(self, person_id: int) -> None:
        """Hold nothing about a person any more, not even what is just being noted."""
        if self._notes:
            await asyncio.wait(self._notes)
        self._languages.pop(person_id, None)

    # -- what people do
    async def press(self, interaction: Interaction, control: Control) -> None:
        """Act on a button or menu."""
        structlog.contextvars.bind_contextvars(table=control.table, revision=control.revision)
        on_press = self.presses.get(control.verb, _unknown)
        await self.attempt(interaction, on_press(interaction, control))

    async def attempt(self, interaction: Interaction, action: Coroutine[Any, Any, object]) -> None:
        """Carry out an action; answer a refusal with a sentence, a fault of ours with regret."""
        structlog.contextvars.bind_contextvars(interaction=interaction.id)
        if (task := asyncio.current_task()) is not None:
            self._actions.add(task)
            task.add_done_callback(self._actions.discard)
        changes: list[int] = []
        token = _changes.set(changes)
        try:
            self._note_language(interaction)
            await action
        except (Refused, Conflict) as refusal:
            log.info("refused", code=refusal.code)
            await self._explain(interaction, refusal)
        except StoreProblem as problem:
            log.error("store_problem", code=problem.code, problem=str(problem))
            await self._regret(interaction, changes, "store_problem")
        except Exception:
            log.exception("action_failed")
            await self._regret(interaction, changes, "our_fault")
        finally:
            action.close()
            _changes.reset(token)
            structlog.contextvars.unbind_contextvars("table", "revision", "interaction")

    async def _regret(self, interaction: Interaction, changes: list[int], code: str) -> None:
        """Say that something failed, and whether what the person did counts all the same."""
        self._fell_behind()
        await self._explain(interaction, Refused("counts_all_the_same" if changes else code))

    async def _explain(self, interaction: Interaction, refusal: Refused | Conflict) -> None:
        text = refusals.explain(refusal, self.presenter.words, self.say(interaction))
        await self.replies.answer(interaction, text)

    async def command_failed(
        self, interaction: Interaction, error: app_commands.AppCommandError
    ) -> None:
        """Answer a command that failed before it came to its action."""
        if isinstance(error, app_commands.CheckFailure):
            refusal = Refused("not_allowed")
        elif isinstance(error, app_commands.TransformerError):
            refusal = Refused("bad_value", value=str(error.value))
        else:
            log.error("command_failed", exc_info=error)
            refusal = Refused("our_fault")
        await self._explain(interaction, refusal)

    # -- answering
    async def tell(self, interaction: Interaction, message: str, /, **values: object) -> None:
        """Answer with a text, given in English and marked."""
        await self.replies.answer(interaction, self.say(interaction)(message, **values))

    async def note(self, interaction: Interaction, message: str, /, **values: object) -> None:
        """Show a text, given in English and marked, where the pressed private message stood."""
        await self.replies.show(interaction, Card((self.say(interaction)(message, **values),)))

    # -- at a table
    async def act(self, interaction: Interaction, table_id: int, command: Command) -> Change:
        """Carry out a command of the person's at a table.

        :raises Refused: as the command.
        """
        await self.replies.acknowledge(interaction)
        return await self.tables.act(table_id, replace(command, interaction_id=interaction.id))

    async def table_meant(
        self, interaction: Interaction, code: str | None, game_id: str | None = None
    ) -> Table:
        """The table with a code, else the channel's, else the one that waits for the person.

        :param game_id: among several that wait, one of this game is meant.
        :raises Refused: ``no_table_here``, ``which_table``.
        :raises NoSuchTable: no table has that code, or none that this person may know of here.
        """
        person = interaction.user.id
        if code:
            table = await self.tables.by_code(code)
            if not _may_know(interaction, table):
                raise NoSuchTable(code)
            return table
        try:
            return await self.tables.in_channel(interaction.channel_id or 0)
        except Refused:
            mine = await self.tables.of_person(person)
        fitting = [table for table in mine if game_id in (None, table.row.game)]
        waiting = [t for t in fitting if t.seat_of(person) in t.awaited] or fitting
        if len(waiting) == 1:
            return waiting[0]
        raise Refused("which_table" if waiting else "no_table_here")

    async def judged(
        self, interaction: Interaction, table_id: int, judge: Callable[[Table, int], T]
    ) -> tuple[Table, T]:
        """A table with what ``judge`` says of it and of the person. A refusal counts only if it
        rests on what is stored, not on what this process remembers.
        """
        table = await self.tables.get(table_id)
        person = interaction.user.id
        try:
            return table, judge(table, person)
        except Refused:
            table = await self.tables.fresh(table_id)
            return table, judge(table, person)


async def _unknown(interaction: Interaction, control: Control) -> None:
    """A button from a time when it meant something, or is to mean something."""
    raise Refused("stale")


def _may_know(interaction: Interaction, table: Table) -> bool:
    """Whether a code opens a table to this person here: on the table's own server to everyone, and
    anywhere, direct messages included, to whoever plays at it or follows it.
    """
    if interaction.guild_id == table.row.guild_id:
        return True
    person = interaction.user.id
    return table.member_of(person) is not None or person in table.followers


def _note_change(table: Table) -> None:
    changes = _changes.get()
    if changes is not None:
        changes.append(table.id)
