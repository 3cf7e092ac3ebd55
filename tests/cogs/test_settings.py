"""``/server`` and ``/preferences``, and values that Discord's own client would never send."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, get_args

import pytest
from discord import AppCommandOptionType as OptionType
from discord import app_commands

from cogs.features.preferences import PREFERENCES
from cogs.features.server import BOARD_WORDS, SERVER
from data.store.problems import Undecodable
from data.store.rows import Boards, ServerRow
from data.store.settings import SERVERS
from data.texts import LANGUAGES, texts
from tests.cogs.test_acknowledging import commands_of
from tests.stage import Stage, answer_to


# ------------------------------------------------------------------------------ all of them
@pytest.mark.parametrize(
    "language", [pytest.param(it, marks=pytest.mark.speaks(it)) for it in LANGUAGES]
)
async def test_every_setting_is_shown(stage: Stage, language: str) -> None:
    say, now = texts(language), stage.bot.tables.clock()
    settings, guild = stage.bot.store.settings, stage.guild.id
    person, server = await settings.person(1), await settings.server(guild)
    lines = [
        *(setting.line(person, say, now) for setting in PREFERENCES),
        *(setting.line(server, say, now) for setting in SERVER),
    ]
    told = answer_to(await stage.keeper().slash(stage.channel, "server show"))
    told += answer_to(await stage.people["Anna"].slash(stage.channel, "preferences show"))
    assert [line for line in lines if f"- {line}\n" not in told] == []


async def test_preferences_show_the_limits_for_one_person(stage: Stage) -> None:
    told = await stage.command("Anna", "preferences show")
    assert "ou can open tables while you play at fewer than 25, run up to 3 tournaments" in told
    assert "3 unanswered invitations to the same person" in told


def test_boards_are_one_of_the_choices() -> None:
    """A stored row with any other word counts as damaged."""
    row = ServerRow(900)
    record: Any = dict(zip(SERVERS.columns, SERVERS.record(row), strict=True))
    assert SERVERS.rows([record]) == [row]
    with pytest.raises(Undecodable, match="camelot"):
        SERVERS.rows([{**record, "boards": "camelot"}])
    assert {*BOARD_WORDS} == {*get_args(Boards)}


# ------------------------------------------------------------------------- foreign values
def foreign(parameter: app_commands.Parameter) -> list[Any]:
    """Values that an option does not accept."""
    limits = parameter.min_value, parameter.max_value
    least, most = (None if limit is None else int(limit) for limit in limits)
    match parameter.type:
        case OptionType.boolean:
            return ["perhaps", 1]
        case OptionType.integer:
            beyond = [least - 1] if least is not None else []
            return [*beyond, *([most + 1] if most is not None else []), "many", True]
        case OptionType.string if parameter.choices:
            return ["camelot", "", 7]
        case OptionType.string:
            return [7] + (["x" * (most + 1)] if most is not None else [])
        case _:
            return ["1"]  # no such channel, role or person


def accepted(parameter: app_commands.Parameter, stage: Stage) -> Any:
    """A value that the simulated client allows."""
    if parameter.choices:
        return parameter.choices[0].value
    match parameter.type:
        case OptionType.boolean:
            return True
        case OptionType.integer:
            return int(parameter.min_value or 1)
        case OptionType.string:
            return "x"
        case OptionType.channel:
            return stage.channel
        case OptionType.role:
            return stage.guild.create_role("Hosts")
        case OptionType.attachment:
            return ("record.txt", b".")
        case _:
            return stage.people["Ben"]


def replacing(stage: Stage, option: str, value: Any) -> Any:
    """The simulated Discord's event feed, with one option's value replaced in the next command."""
    feed = stage.env.backend.subscribers[-1]

    def replaced(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE":
            payload = deepcopy(payload)
            options = payload["data"]["options"]
            while "value" not in options[0]:
                options = options[0]["options"]
            for given in options:
                if given["name"] == option:
                    given["value"] = value
        feed(event, payload)

    return replaced


async def sent(stage: Stage, person: Any, parameter: app_commands.Parameter, value: Any) -> str:
    """The answer to an option's value that Discord's own client would not send."""
    command, backend = parameter.command, stage.env.backend
    required = [each for each in command.parameters if each.required or each.name == parameter.name]
    given = {each.display_name: accepted(each, stage) for each in required}
    feed = backend.subscribers[-1]
    backend.subscribers[-1] = replacing(stage, parameter.display_name, value)
    try:
        result = await person.slash(stage.channel, command.qualified_name, **given)
    finally:
        backend.subscribers[-1] = feed
    return answer_to(result)


async def everything(stage: Stage) -> list[Any]:
    """The stored settings, occasions, seasons and tables, without people's languages."""
    database = stage.bot.store.database
    tables = ("servers", "occasions", "seasons", "tables")
    kept = [await database.fetch(f"SELECT * FROM {table}") for table in tables]  # noqa: S608
    return [
        *kept,
        await database.fetch("SELECT zone, quiet_from, call_at, coach, away FROM people"),
    ]


@pytest.mark.speaks("de")
async def test_invalid_values_of_options_are_refused(stage: Stage, no_errors: None) -> None:
    person = stage.keeper()
    await person.slash(stage.channel, "server show")
    before, tried = await everything(stage), set()
    for command in commands_of(stage):
        for parameter in command.parameters:
            for value in foreign(parameter):
                told = await sent(stage, person, parameter, value)
                where = command.qualified_name, parameter.name, value, told
                assert "“ verstehe ich nicht." in told, where
                tried.add(command.qualified_name)
    assert {type(error) for error in stage.env.errors} == {app_commands.TransformerError}
    stage.errors_expected = stage.env.error_cursor
    assert await everything(stage) == before
    assert {"server boards", "server season", "server language", "lancelot new"} <= tried
