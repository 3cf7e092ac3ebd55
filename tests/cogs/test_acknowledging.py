"""Commands and presses are acknowledged in time, however slow the disk or a drawing is."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import app_commands

from cogs.features import acting
from cogs.features.acting import Acknowledge
from cogs.gateway import replies
from cogs.gateway.controls import Control
from data.store.access import Database
from tests.stage import Stage, answer_to

ARGUMENTS = {"go": "K4", "vote": "4.yes", "take": "0", "kick": "1", "unlist": "yes"}
"""The arguments of some verbs' controls."""

GIVEN: dict[discord.AppCommandOptionType, Any] = {
    discord.AppCommandOptionType.string: "K4",
    discord.AppCommandOptionType.integer: 1,
    discord.AppCommandOptionType.boolean: True,
    discord.AppCommandOptionType.user: SimpleNamespace(id=5, bot=False, display_name="Eve"),
    discord.AppCommandOptionType.channel: SimpleNamespace(id=6),
    discord.AppCommandOptionType.role: SimpleNamespace(id=7, is_default=lambda: False),
    discord.AppCommandOptionType.attachment: SimpleNamespace(size=1, url="", filename="x"),
}
"""Values for required options, by type."""


class Response:
    """The first response to an interaction; records that it was sent."""

    def __init__(self, happened: list[str]) -> None:
        self._happened = happened
        self._done = False

    def is_done(self) -> bool:
        return self._done

    def __getattr__(self, name: str) -> Callable[..., Awaitable[None]]:
        async def answer(*_: object, **__: object) -> None:
            self._happened.append(name)
            self._done = True

        return answer


def interaction_of(stage: Stage, kind: discord.InteractionType, happened: list[str]) -> Any:
    """Anna's interaction, on a message in the channel if it is a press."""
    anna = stage.people["Anna"]
    message = SimpleNamespace(
        id=99,
        channel=SimpleNamespace(id=stage.channel.id),
        flags=SimpleNamespace(ephemeral=False),
    )

    async def answered(**_: object) -> None:
        happened.append("answered")

    return SimpleNamespace(
        id=1,
        type=kind,
        user=SimpleNamespace(id=anna.id, display_name="Anna", roles=[]),
        guild_id=stage.guild.id,
        guild_locale=discord.Locale.british_english,
        locale=discord.Locale.british_english,
        channel_id=stage.channel.id,
        channel=None,
        context=app_commands.AppCommandContext(guild=True),
        is_user_integration=lambda: False,
        extras={},
        message=message if kind is discord.InteractionType.component else None,
        namespace=SimpleNamespace(table=None),
        client=stage.bot.client,
        response=Response(happened),
        edit_original_response=answered,
        followup=SimpleNamespace(send=answered),
    )


@pytest.fixture
async def stuck(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A stage with a table that is not in memory and a store that no longer answers; attempts to
    use the store are recorded.
    """
    table = await stage.open("lancelot", 2)
    stage.bot.tables.forget(table.id)
    happened: list[str] = []

    async def hang(*_: object) -> None:
        happened.append("store")
        await asyncio.Event().wait()

    monkeypatch.setattr(stage.bot.store.database, "read", hang)
    monkeypatch.setattr(stage.bot.store.database, "write", hang)
    return happened


async def until_stuck(action: Awaitable[None], happened: list[str]) -> None:
    """Run an action until it waits for the store, or to its end."""
    task = asyncio.ensure_future(action)
    while not task.done() and "store" not in happened:  # noqa: ASYNC110 - no event to await
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def commands_of(stage: Stage) -> Iterator[app_commands.Command[Any, ..., None]]:
    for each in stage.bot.client.tree.walk_commands():
        if isinstance(each, app_commands.Command):
            yield each


def called(
    command: app_commands.Command[Any, ..., None], interaction: Any, **given: Any
) -> Coroutine[Any, Any, None]:
    callback: Any = command.callback
    owner = () if command.binding is None else (command.binding,)
    return callback(*owner, interaction, **given)  # type: ignore[no-any-return]


@pytest.mark.full
async def test_every_press_is_acknowledged_soon(
    stage: Stage, stuck: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the store does not answer, every press is acknowledged, except for the few that are
    answered with a form.
    """
    monkeypatch.setattr(replies, "PATIENCE", 0.0)
    verbs = stage.bot.acting.presses
    acknowledgements = stage.bot.acting.acknowledgements
    forms = {verb for verb, first in acknowledgements.items() if first is Acknowledge.FORM}
    assert forms == {"endform", "planform", "word", "tourout", "tourwhy"}
    for verb in [*verbs, "unheard-of"]:
        stuck.clear()
        interaction = interaction_of(stage, discord.InteractionType.component, stuck)
        control = Control(1, 4, verb, ARGUMENTS.get(verb, ""))
        press = asyncio.create_task(stage.bot.acting.press(interaction, control))
        if verb in forms:
            await asyncio.sleep(0.1)
            assert stuck == ["store"], verb
        else:
            await until_answered(stuck)
        press.cancel()
        await asyncio.gather(press, return_exceptions=True)
    assert len(verbs) > 30


async def until_answered(happened: list[str]) -> None:
    """Wait for the first response to an interaction."""
    async with asyncio.timeout(30):
        while not {"defer", "send_message"} & {*happened}:  # noqa: ASYNC110 - no event to await
            await asyncio.sleep(0.002)


async def test_every_command_is_acknowledged_first(stage: Stage, stuck: list[str]) -> None:
    """Each command, called with all its required options, is acknowledged before it reads the
    store.
    """
    found = list(commands_of(stage))
    reading = 0
    for each in found:
        stuck.clear()
        interaction = interaction_of(stage, discord.InteractionType.application_command, stuck)
        given = {option.name: GIVEN[option.type] for option in each.parameters if option.required}
        defaults = {
            option.name: option.default for option in each.parameters if not option.required
        }
        await until_stuck(called(each, interaction, **defaults, **given), stuck)
        assert stuck, each.qualified_name
        assert stuck[0] != "store", each.qualified_name
        reading += "store" in stuck
    assert reading > 0.8 * len(found) > 40
    for menu in stage.bot.client.tree.get_commands(type=discord.AppCommandType.user):
        stuck.clear()
        interaction = interaction_of(stage, discord.InteractionType.application_command, stuck)
        await until_stuck(menu.callback(interaction, interaction.user), stuck)
        assert stuck[0] != "store" in stuck, menu.name


@pytest.mark.usefixtures("stuck")
async def test_a_form_that_would_come_too_late_is_refused(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a form takes too long to prepare, the press is refused while Discord still accepts an
    answer.
    """
    monkeypatch.setattr(acting, "FORM_PATIENCE", 0.05)
    happened: list[str] = []
    interaction = interaction_of(stage, discord.InteractionType.component, happened)
    async with asyncio.timeout(1):
        await stage.bot.acting.press(interaction, Control(1, 4, "planform"))
    assert happened == ["send_message"]


@pytest.mark.usefixtures("stuck")
async def test_nothing_is_offered_too_late(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Autocompletion cannot be acknowledged: anything that takes too long is left out."""
    monkeypatch.setattr("cogs.games.game.FORM_PATIENCE", 0.0)
    anna = stage.people["Anna"]
    async with asyncio.timeout(1):
        assert await anna.autocomplete(stage.channel, "lancelot place", "square", "K") == []


async def test_no_acknowledgement_waits_long_for_a_drawing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.lancelot()
    revision = (await stage.table()).revision
    happened: list[str] = []
    monkeypatch.setattr(replies, "PATIENCE", 0.0)

    async def hang(_: Callable[[], object]) -> None:
        happened.append("drawing")
        await asyncio.Event().wait()

    monkeypatch.setattr("cogs.gateway.cards.beside", hang)
    for number, (verb, said) in enumerate(
        (("where", ""), ("hint", ""), ("replay", ""), ("go", "K4")), 1
    ):
        happened.clear()
        interaction = interaction_of(stage, discord.InteractionType.component, happened)
        interaction.id = number
        press = stage.bot.acting.press(interaction, Control(1, revision, verb, said))
        task = asyncio.create_task(press)
        async with asyncio.timeout(30):
            while "drawing" not in happened:  # noqa: ASYNC110 - no event to await
                await asyncio.sleep(0.01)
        await until_answered(happened)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_slow_reader_keeps_nobody_waiting(stage: Stage) -> None:
    table = await stage.lancelot()
    stage.bot.tables.forget(table.id)
    go_on = threading.Event()

    def slow(_: Database) -> None:
        go_on.wait(60)

    reading = asyncio.create_task(stage.bot.store.database.read(slow))
    try:
        async with asyncio.timeout(30):
            anna = stage.people["Anna"]
            moved = await anna.slash(stage.channel, "lancelot place", square="K4")
            assert "Done" in answer_to(moved)
            assert "Leaderboard" not in answer_to(await anna.slash(stage.channel, "stats"))
            await stage.press("Ben", "where")
        assert not reading.done()
        assert (await stage.table()).played.ply == 1
    finally:
        go_on.set()
        await reading
