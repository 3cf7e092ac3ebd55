"""What all commands and buttons share: finding the table, languages, and answering failures."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import replace
from enum import Enum, auto
from typing import Any, TypeVar

import discord
import structlog
from discord import app_commands
from prometheus_client import Histogram

from cogs.delivery.delivery import TableDelivery
from cogs.features.allowance import Allowance, Cost
from cogs.features.direct import DirectMessages
from cogs.gateway.cards import ENTRY_LABEL, OPTIONS_IN_MENU, Card
from cogs.gateway.client import OnPress
from cogs.gateway.components import Interaction
from cogs.gateway.controls import Control
from cogs.gateway.drawing import asked_by, drawn_for
from cogs.gateway.gateway import Gateway
from cogs.gateway.places import InteractionContext, context_of
from cogs.gateway.replies import is_pressed
from cogs.present import refusals
from cogs.present.mine import in_a_line
from cogs.present.surfaces import Presenter
from data.store.problems import AlreadyCounted, Conflict, NoSuchTable, StoreProblem
from data.store.rows import Status
from data.texts import Texts, language_of, texts
from play.aggregate import A, Command
from play.aggregates import Aggregates, Change, compared
from play.lobby import Unpark
from play.occasions.occasion import Occasion
from play.occasions.occasions import Occasions
from play.table import Refused, Table, refuse_if
from play.tables import Tables

log = structlog.get_logger()

T = TypeVar("T")

OnForm = Callable[[Interaction, Control, Mapping[str, str]], Coroutine[Any, Any, None]]
"""Handles a form: takes its control, and the text of each field."""


class Acknowledge(Enum):
    """How a press is acknowledged, so that a slow disk does not use up the three seconds that
    Discord allows. ``QUIETLY`` and ``PRIVATELY`` first give the answer a moment to get ready; see
    ``Replies.answering``.
    """

    QUIETLY = auto()
    """The pressed message stays unchanged until it is edited."""
    PRIVATELY = auto()
    """The answer replaces the pressed message if that was private, or is a new private message."""
    THINKING = auto()
    """Acknowledge at once: the person sees that the bot is thinking. For answers that may take a
    while.
    """
    FORM = auto()
    """No acknowledgement: the answer is a form, which Discord accepts only as the first answer. It
    must be ready within ``FORM_PATIENCE``.
    """


FORM_PATIENCE = 1.5
"""Seconds that a form or autocompletion may wait for its lookups."""

LANGUAGES_KEPT = 10_000
"""How many people's languages are kept in memory, which saves a lookup at each press."""

FAREWELL = 0.5
"""Seconds allowed at shutdown for telling people that their action was cut short."""

ACTIONS = Histogram(
    "tafelrunde_action_seconds",
    "Seconds that presses, commands and forms took, including answers.",
    ["outcome"],
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60),
)

_changes: ContextVar[list[str] | None] = ContextVar("changes", default=None)
"""The tables and occasions changed by the current action."""


class Acting:
    """Carries out people's actions, and answers failures.

    :ivar gateway, tables, occasions, presenter, delivery, direct: shared by all features.
    :param fell_behind: called when something failed that may succeed if tried again.
    :ivar allowance: limits how much each person may do.
    :ivar presses: handlers of buttons and menus, by verb; features register them.
    :ivar forms: handlers of forms, by verb; features register them.
    :ivar acknowledgements: how presses are acknowledged, by verb.
    :ivar table_commands: the commands of ``/table``; features register them.
    :ivar menus: commands in the menu of a person; features register them.
    """

    def __init__(
        self,
        gateway: Gateway,
        tables: Tables,
        occasions: Occasions,
        presenter: Presenter,
        delivery: TableDelivery,
        fell_behind: Callable[[], None],
    ) -> None:
        self.gateway = gateway
        self.tables = tables
        self.occasions = occasions
        self.presenter = presenter
        self.delivery = delivery
        self.direct = DirectMessages(gateway, tables.store)
        self.allowance = Allowance()
        self.replies = gateway.replies
        self.presses: dict[str, OnPress] = {}
        self.forms: dict[str, OnForm] = {}
        self.acknowledgements: dict[str, Acknowledge] = {}
        self.table_commands: list[app_commands.Command[Any, ..., None]] = []
        self.menus: list[app_commands.ContextMenu] = []
        self._fell_behind = fell_behind
        self._languages: OrderedDict[int, str] = OrderedDict()
        self._actions: set[asyncio.Task[Any]] = set()
        self._notes: set[asyncio.Task[None]] = set()
        self._leaving = False
        tables.listen(_note_change)
        occasions.listen(_note_change)

    @property
    def tasks(self) -> set[asyncio.Task[Any]]:
        """The running tasks: people's actions, and languages that are being stored."""
        return self._actions | self._notes

    async def finish(self, patience: float) -> None:
        """Let running actions finish, and refuse new ones.

        :param patience: seconds to wait; actions that take longer are cancelled, and the people who
            started them are told.
        """
        self._leaving = True
        loop = asyncio.get_running_loop()
        end = loop.time() + patience
        while (tasks := self.tasks) and (left := end - loop.time()) > 0:
            await asyncio.wait(tasks, timeout=left)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=FAREWELL)

    # -- languages
    def say(self, interaction: Interaction) -> Texts:
        """Return texts in the language of one person."""
        return texts(language_of(interaction.locale.value))

    async def server_texts(self, interaction: Interaction) -> Texts:
        """Return texts for everyone on a server, in the language that the server has set for the
        bot, or else in its language on Discord. Outside servers, use the person's language.
        """
        if interaction.guild_id is None:
            return self.say(interaction)
        server = await self.tables.store.settings.server(interaction.guild_id)
        locale = interaction.guild_locale
        return texts(server.language or language_of(locale.value if locale else "en"))

    def _note_language(self, interaction: Interaction) -> None:
        """Store the person's language for direct messages, in the background."""
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
        except StoreProblem:
            return  # the next press tries again
        self._languages[person_id] = language
        if len(self._languages) > LANGUAGES_KEPT:
            self._languages.popitem(last=False)

    async def unlearn(self, person_id: int) -> None:
        """Drop a person's language from memory, once no language is waiting to be stored."""
        if self._notes:
            await asyncio.wait(self._notes)
        self._languages.pop(person_id, None)

    # -- actions
    async def press(self, interaction: Interaction, control: Control) -> None:
        """Handle a button or menu."""
        structlog.contextvars.bind_contextvars(
            table=control.table, occasion=control.occasion, revision=control.revision
        )
        drawn_for.set(control.table)

        async def act() -> None:
            await self._require_reach(interaction, control)
            await self.presses.get(control.verb, _unknown)(interaction, control)

        async def thought() -> None:
            await self.replies.defer(interaction)
            await act()

        match self.acknowledgements.get(control.verb, Acknowledge.QUIETLY):
            case Acknowledge.QUIETLY:
                async with self.replies.answering(interaction, self.replies.acknowledge):
                    await self.attempt(interaction, act())
            case Acknowledge.PRIVATELY:
                async with self.replies.answering(interaction, self.replies.acknowledge_privately):
                    await self.attempt(interaction, act())
            case Acknowledge.THINKING:
                await self.attempt(interaction, thought())
            case Acknowledge.FORM:
                await self.attempt(interaction, _soon(act()))
                await self.replies.acknowledge(interaction)
        self.delivery.visit(control.table)

    async def receive(
        self, interaction: Interaction, control: Control, written: Mapping[str, str]
    ) -> None:
        """Handle a submitted form.

        :param written: the text of each field.
        """

        async def act() -> None:
            await self.replies.defer(interaction)
            await self._require_reach(interaction, control)
            await self.forms[control.verb](interaction, control, written)

        structlog.contextvars.bind_contextvars(
            table=control.table, occasion=control.occasion, revision=control.revision
        )
        await self.attempt(interaction, act())

    async def _require_reach(self, interaction: Interaction, control: Control) -> None:
        """Make sure the person may use this control here; resume a parked table if the press shows
        that its channel exists. The controls of a table work wherever its code does; see
        ``_may_know``. Those of an occasion work for everyone on its server and, anywhere else, for
        the people listed in it.

        :raises Refused: ``elsewhere``.
        """
        if control.occasion:
            occasion = await self.occasions.get(control.occasion)
            here = occasion.guild_id is not None and interaction.guild_id == occasion.guild_id
            refuse_if(not here and interaction.user.id not in occasion.state.names, "elsewhere")
        if not control.table:
            return
        table = await self.tables.get(control.table)
        if not _may_know(interaction, table):
            table = await self.tables.fresh(control.table)
            if not _may_know(interaction, table):
                raise Refused("elsewhere")
        if table.row.status is Status.PARKED and _is_there(interaction, table):
            await self.tables.act(table.id, Unpark(table.row.channel_id))

    async def attempt(self, interaction: Interaction, action: Coroutine[Any, Any, object]) -> None:
        """Carry out an action; answer a refusal with its reason, and a bug with an apology."""
        structlog.contextvars.bind_contextvars(interaction=interaction.id)
        # from here on, drawings count as requested by this person
        asked_by.set(interaction.user.id)
        compared.set(set())
        if (task := asyncio.current_task()) is not None:
            self._actions.add(task)
            task.add_done_callback(self._actions.discard)
        changes: list[str] = []
        token = _changes.set(changes)
        begun, outcome = time.monotonic(), "done"
        try:
            refuse_if(self._leaving, "store_closed")
            self._note_language(interaction)
            try:
                await action
            finally:
                if context_of(interaction) is InteractionContext.ELSEWHERE:
                    await self.delivery.answered(interaction.channel_id or 0)
        except (Refused, Conflict) as refusal:
            outcome = "refused"
            log.info("refused", code=refusal.code)
            # If Discord delivers an interaction twice, the first delivery to be counted answers it.
            if refusal.code != AlreadyCounted.code:
                await self._explain(interaction, refusal)
        except StoreProblem as problem:
            outcome = "store"
            log.info("refused", code=problem.code)
            await self._regret(interaction, changes, problem.code)
        except asyncio.CancelledError:
            outcome = "cut_short"
            log.warning("cut_short")
            await self._regret(interaction, changes, "cut_short")
            raise
        except Exception:
            outcome = "fault"
            log.exception("action_failed")
            await self._regret(interaction, changes, "our_fault")
        finally:
            ACTIONS.labels(outcome).observe(time.monotonic() - begun)
            action.close()
            _changes.reset(token)
            structlog.contextvars.unbind_contextvars("table", "occasion", "revision", "interaction")

    async def _regret(self, interaction: Interaction, changes: list[str], code: str) -> None:
        """Say that something failed, and whether the person's action still counts."""
        self._fell_behind()
        await self._explain(interaction, Refused("counts_all_the_same" if changes else code))

    async def _explain(self, interaction: Interaction, refusal: Refused | Conflict) -> None:
        text = refusals.explain(refusal, self.presenter.words, self.say(interaction))
        await self.replies.answer(interaction, text)

    async def command_failed(
        self, interaction: Interaction, error: app_commands.AppCommandError
    ) -> None:
        """Answer a command that failed before its action began."""
        if isinstance(error, app_commands.CheckFailure):
            refusal = Refused("not_allowed")
        elif isinstance(error, app_commands.TransformerError):
            refusal = Refused("bad_value", value=str(error.value))
        else:
            log.error("command_failed", exc_info=error)
            refusal = Refused("our_fault")
        await self._explain(interaction, refusal)

    # -- answers
    async def tell(self, interaction: Interaction, message: str, /, **values: object) -> None:
        """Answer with a translated text.

        :param message: the English text, marked for translation.
        """
        await self.replies.answer(interaction, self.say(interaction)(message, **values))

    async def note(self, interaction: Interaction, message: str, /, **values: object) -> None:
        """Show a translated text in private, in place of the pressed message if that was private.

        :param message: the English text, marked for translation.
        """
        await self.replies.show(interaction, Card((self.say(interaction)(message, **values),)))

    # -- at a table
    async def act(
        self, interaction: Interaction, table_id: int, command: Command[Table]
    ) -> Change[Table]:
        """Apply a person's command to a table.

        :raises Refused: whatever the command raises.
        """
        return await self._act(interaction, self.tables, table_id, command)

    async def act_in(
        self, interaction: Interaction, number: int, command: Command[Occasion[Any]]
    ) -> Change[Occasion[Any]]:
        """Apply a person's command to an occasion.

        :raises Refused: whatever the command raises.
        """
        return await self._act(interaction, self.occasions, number, command)

    async def _act(
        self, interaction: Interaction, where: Aggregates[A], number: int, command: Command[A]
    ) -> Change[A]:
        if not is_pressed(interaction):
            await self.replies.defer(interaction)
        return await where.act(number, replace(command, interaction_id=interaction.id))

    async def table_meant(
        self, interaction: Interaction, code: str | None, game_id: str | None = None
    ) -> Table:
        """Return the table with this code; without a code, one in the channel, or else one of the
        person's. If there are several, see ``_best_match``.

        :param game_id: in the channel, prefer tables of this game; elsewhere, consider only the
            person's tables of this game.
        :raises Refused: ``no_table_here``, ``which_table``, ``too_much_at_once``.
        :raises NoSuchTable: no table has that code, or this person may not know of it here.
        """
        if code:
            return await self._table_with_code(interaction, code)
        person, place = interaction.user.id, interaction.channel_id or 0
        tables: Sequence[Table] = []
        if context_of(interaction) is InteractionContext.DIRECT:
            # All direct messages count as one place, whichever player's channel a table uses.
            tables = [table for table in await self.tables.of_person(person) if table.direct]
        tables = tables or await self.tables.open_in(place)
        if not tables:
            try:
                return await self.tables.in_channel(place)
            except Refused:
                tables = _of_game(await self.tables.of_person(person), game_id)
        return _best_match(tables, person, game_id)

    async def _table_with_code(self, interaction: Interaction, code: str) -> Table:
        try:
            table = await self.tables.by_code(code)
            if _may_know(interaction, table):
                return table
        except NoSuchTable:
            pass
        if interaction.type is not discord.InteractionType.autocomplete:
            self.allowance.spend(interaction.user.id, Cost.GUESS)
        raise NoSuchTable(code)

    async def own_tables(self, interaction: Interaction, typed: str) -> list[Any]:
        """Complete the option ``table`` with the codes of the person's own tables, starting with
        those that wait for the person.
        """
        say, person = self.say(interaction), interaction.user.id
        try:
            async with asyncio.timeout(FORM_PATIENCE):
                mine = await self.tables.of_person(person)
        except (StoreProblem, TimeoutError):
            return []
        wanted = typed.strip().casefold()
        named = [(table, in_a_line(table, person, self.presenter.words, say)) for table in mine]
        fitting = [(table, text) for table, text in named if wanted in text.casefold()]
        return [
            app_commands.Choice(name=text[:ENTRY_LABEL], value=table.row.code)
            for table, text in fitting[:OPTIONS_IN_MENU]
        ]

    async def judged(
        self, interaction: Interaction, table_id: int, judge: Callable[[Table, int], T]
    ) -> tuple[Table, T]:
        """Return a table, and the result of ``judge`` for it and the person. If ``judge`` refuses,
        call it again with the stored table, because this process's copy may be outdated.
        """
        table = await self.tables.get(table_id)
        person = interaction.user.id
        try:
            return table, judge(table, person)
        except Refused:
            table = await self.tables.fresh(table_id)
            return table, judge(table, person)


def _of_game(tables: Sequence[Table], game_id: str | None) -> list[Table]:
    return [table for table in tables if game_id in (None, table.row.game)]


def _best_match(tables: Sequence[Table], person_id: int, game_id: str | None) -> Table:
    """Return the table that a person most likely means. Prefer tables of this game; among these,
    tables where they play; and among these, tables that wait for them.

    :raises Refused: ``no_table_here``; ``which_table``: several match equally well.
    """
    found = _of_game(tables, game_id) or tables
    found = [table for table in found if table.member_of(person_id) is not None] or found
    found = [table for table in found if table.seat_of(person_id) in table.awaited] or found
    if len(found) == 1:
        return found[0]
    refuse_if(not found, "no_table_here")
    raise Refused("which_table", tables=", ".join(f"`{table.row.code}`" for table in found))


async def _soon(action: Coroutine[Any, Any, None]) -> None:
    """Carry out an action that must be quick.

    :raises Refused: ``slow_form``: it takes too long.
    """
    try:
        async with asyncio.timeout(FORM_PATIENCE):
            await action
    except TimeoutError:
        raise Refused("slow_form") from None


async def _unknown(interaction: Interaction, control: Control) -> None:
    """Refuse a verb that this version of the bot does not have."""
    raise Refused("stale")


def _may_know(interaction: Interaction, table: Table) -> bool:
    """Return whether a table's code works for this person here. On the table's own server it works
    for everyone; elsewhere, including direct messages, for people who play at it, follow it or are
    invited. A table in direct messages is open to everyone until its match begins, because people
    join by its code; after that, also to people who may take an offered seat. A table in a chat is
    open to everyone there.
    """
    if table.chat:
        if interaction.channel_id == table.row.channel_id:
            return True
    elif table.row.guild_id is None:
        if table.row.status is Status.LOBBY or table.offer_to(interaction.user.id) is not None:
            return True
    elif interaction.guild_id == table.row.guild_id:
        return True
    person = interaction.user.id
    known = table.followers | table.invitations.keys()
    return table.member_of(person) is not None or person in known


def _is_there(interaction: Interaction, table: Table) -> bool:
    """Return whether this press came from the table's channel, which proves that the channel
    exists.
    """
    here = interaction.channel_id == table.row.channel_id
    return here and context_of(interaction) is InteractionContext.SERVER


def _note_change(changed: Table | Occasion[Any]) -> None:
    changes = _changes.get()
    if changes is not None:
        changes.append(changed.name)
