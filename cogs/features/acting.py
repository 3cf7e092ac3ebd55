"""What every command and button needs: the table meant, languages, and an answer when it fails."""

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
"""What becomes of a form: its control, and what was written, by field."""


class First(Enum):
    """How a press is acknowledged, before anything is looked up: a slow disk must not cost the
    three seconds that Discord waits.
    """

    QUIETLY = auto()
    """The message that was pressed stays as it is, until it is changed."""
    PRIVATELY = auto()
    """Something is to be shown, in place of the private message that was pressed, if one was."""
    THINKING = auto()
    """The person sees that the bot is thinking; the answer may take a while."""
    FORM = auto()
    """Not at all: the answer is a form, and Discord takes that only as the first one. What it says
    is looked up within ``FORM_PATIENCE``."""


FORM_PATIENCE = 1.5
"""Seconds that a form, or what autocompletion offers, may wait for what is looked up for it."""

LANGUAGES_KEPT = 10_000
"""So many people's languages are held, so that they need not be looked up at each press."""

WORDS = 0.5
"""Seconds in which people are told that what they did was cut short."""

ACTIONS = Histogram(
    "tafelrunde_action_seconds",
    "How long presses, commands and forms took, answers included.",
    ["outcome"],
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60),
)

_changes: ContextVar[list[str] | None] = ContextVar("changes", default=None)
"""The tables and occasions that the present action has changed."""


class Acting:
    """Carries out what people do, and answers what goes wrong.

    :ivar gateway, tables, occasions, presenter, delivery, direct: what features are made with.
    :param fell_behind: is called when something has failed that may succeed later.
    :ivar allowance: what each person may still do for now.
    :ivar presses: what each verb of a control does; every feature adds its own.
    :ivar forms: what becomes of each form that is sent in, by the verb of its control; likewise.
    :ivar firsts: how a press of each verb is acknowledged; likewise.
    :ivar table_commands: what ``/table`` is made of; likewise.
    :ivar menus: commands in the menu of a person; likewise.
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
        self.firsts: dict[str, First] = {}
        self.table_commands: list[app_commands.Command[Any, ..., None]] = []
        self.menus: list[app_commands.ContextMenu] = []
        self._fell_behind = fell_behind
        self._languages: OrderedDict[int, str] = OrderedDict()
        self._actions: set[asyncio.Task[Any]] = set()
        self._notes: set[asyncio.Task[None]] = set()
        self._leaving = False
        tables.listen(_note_change)
        occasions.listen(_note_change)

    async def finish(self, patience: float) -> None:
        """Let what people are doing come to its end; what they begin from now on is refused.

        :param patience: seconds; what takes longer is cancelled, and whoever did it is told so.
        """
        self._leaving = True
        loop = asyncio.get_running_loop()
        end = loop.time() + patience
        while (tasks := self._actions | self._notes) and (left := end - loop.time()) > 0:
            await asyncio.wait(tasks, timeout=left)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=WORDS)

    # -- languages
    def say(self, interaction: Interaction) -> Texts:
        """The texts for one person."""
        return texts(language_of(interaction.locale.value))

    async def server_texts(self, interaction: Interaction) -> Texts:
        """The texts for everyone in a server: as set there, else as Discord says."""
        if interaction.guild_id is None:
            return self.say(interaction)
        server = await self.tables.store.settings.server(interaction.guild_id)
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
        except StoreProblem:
            return  # the next press tries again
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
        structlog.contextvars.bind_contextvars(
            table=control.table, occasion=control.occasion, revision=control.revision
        )
        drawn_for.set(control.table)
        await self.attempt(interaction, self._acknowledged(interaction, control))
        self.delivery.visit(control.table)

    async def _acknowledged(self, interaction: Interaction, control: Control) -> None:
        """Acknowledge a press, then do what it means.

        :raises Refused: ``slow_form``, or as what it means.
        """

        async def act() -> None:
            await self._require_reach(interaction, control)
            await self.presses.get(control.verb, _unknown)(interaction, control)

        match self.firsts.get(control.verb, First.QUIETLY):
            case First.QUIETLY:
                await self.replies.acknowledge(interaction)
            case First.PRIVATELY:
                await self.replies.acknowledge_privately(interaction)
            case First.THINKING:
                await self.replies.defer(interaction)
            case First.FORM:
                await _soon(act())
                return
        await act()

    async def receive(
        self, interaction: Interaction, control: Control, written: Mapping[str, str]
    ) -> None:
        """Act on a form that was sent in.

        :param written: by field.
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
        """Go on only if the person may know of the control's table from here, as with its code, or
        of its occasion: on its server everyone may, and anywhere whoever it names.

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
        """Carry out an action; answer a refusal with a sentence, a fault of ours with regret."""
        structlog.contextvars.bind_contextvars(interaction=interaction.id)
        asked_by.set(interaction.user.id)  # what is told of it is drawn for this person, too
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
            # What Discord delivers twice is answered by whichever delivery has counted.
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
    async def act(
        self, interaction: Interaction, table_id: int, command: Command[Table]
    ) -> Change[Table]:
        """Carry out a person's command to a table.

        :raises Refused: as the command.
        """
        return await self._act(interaction, self.tables, table_id, command)

    async def act_in(
        self, interaction: Interaction, number: int, command: Command[Occasion[Any]]
    ) -> Change[Occasion[Any]]:
        """Carry out a person's command to an occasion.

        :raises Refused: as the command.
        """
        return await self._act(interaction, self.occasions, number, command)

    async def _act(
        self, interaction: Interaction, where: Aggregates[A], number: int, command: Command[A]
    ) -> Change[A]:
        await self.replies.acknowledge(interaction)
        return await where.act(number, replace(command, interaction_id=interaction.id))

    async def table_meant(
        self, interaction: Interaction, code: str | None, game_id: str | None = None
    ) -> Table:
        """The table with a code, else the channel's, else one of the person's. Of several, the one
        that waits for the person, else the one at which the person plays.

        :param game_id: among several, one of this game is meant.
        :raises Refused: ``no_table_here``, ``which_table``, ``too_much_at_once``.
        :raises NoSuchTable: no table has that code, or none that this person may know of here.
        """
        person = interaction.user.id
        if code:
            try:
                table = await self.tables.by_code(code)
                if _may_know(interaction, table):
                    return table
            except NoSuchTable:
                pass
            if interaction.type is not discord.InteractionType.autocomplete:
                self.allowance.spend(person, Cost.GUESS)
            raise NoSuchTable(code)
        place = interaction.channel_id or 0
        here = []
        if (
            context_of(interaction) is InteractionContext.DIRECT
        ):  # which are one place, whosever they are
            here = [table for table in await self.tables.of_person(person) if table.direct]
        here = here or await self.tables.open_in(place)
        if not here:
            try:
                return await self.tables.in_channel(place)
            except Refused:
                here = _of_game(await self.tables.of_person(person), game_id)
        of_game = _of_game(here, game_id) or here
        own = [table for table in of_game if table.member_of(person) is not None] or of_game
        waiting = [table for table in own if table.seat_of(person) in table.awaited] or own
        if len(waiting) == 1:
            return waiting[0]
        refuse_if(not waiting, "no_table_here")
        codes = ", ".join(f"`{table.row.code}`" for table in waiting)
        raise Refused("which_table", tables=codes)

    async def own_tables(self, interaction: Interaction, typed: str) -> list[Any]:
        """What autocompletion offers for the option ``table``: the person's own tables by code,
        those that wait for the person first.
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


def _of_game(tables: Sequence[Table], game_id: str | None) -> list[Table]:
    return [table for table in tables if game_id in (None, table.row.game)]


async def _soon(action: Coroutine[Any, Any, None]) -> None:
    """Do something that has little time.

    :raises Refused: ``slow_form``: it takes too long.
    """
    try:
        async with asyncio.timeout(FORM_PATIENCE):
            await action
    except TimeoutError:
        raise Refused("slow_form") from None


async def _unknown(interaction: Interaction, control: Control) -> None:
    """A button from a time when it meant something, or is to mean something."""
    raise Refused("stale")


def _may_know(interaction: Interaction, table: Table) -> bool:
    """Whether a code opens a table to this person here: on the table's own server to everyone, and
    anywhere, direct messages included, to whoever plays at it, follows it or is invited. A table
    in direct messages is open to all until it begins, because they need its code to come, and then
    to those who may take a seat; one in a chat is open to all there.
    """
    if table.chat:
        if interaction.channel_id == table.row.channel_id:
            return True
    elif table.row.guild_id is None:
        # Played in direct messages: whoever is shown the lobby's button, or told the code.
        if table.row.status is Status.LOBBY or table.offer_to(interaction.user.id) is not None:
            return True
    elif interaction.guild_id == table.row.guild_id:
        return True
    person = interaction.user.id
    known = table.followers | table.invitations.keys()
    return table.member_of(person) is not None or person in known


def _is_there(interaction: Interaction, table: Table) -> bool:
    """Whether something was pressed in the channel of a table, which is not lost then."""
    here = interaction.channel_id == table.row.channel_id
    return here and context_of(interaction) is InteractionContext.SERVER


def _note_change(changed: Table | Occasion[Any]) -> None:
    changes = _changes.get()
    if changes is not None:
        changes.append(changed.name)
