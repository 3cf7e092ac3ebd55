"""A game under another name, for servers whose word filters block its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from data.texts import call_otherwise, texts
from tests.stage import Stage, answer_to, stage_on, texts_of


@pytest.fixture(autouse=True)
def alias() -> Iterator[None]:
    """Call Isis “Throne”."""
    call_otherwise("isis", "throne")
    yield
    call_otherwise("isis", "isis")
    texts.cache_clear()


@pytest.fixture
async def stage(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Stage]:
    """A stage of a bot that has started under the alias."""
    async with stage_on(tmp_path / "house.sqlite3", request.param) as stage:
        yield stage


@pytest.mark.parametrize("stage", ["en", "de"], indirect=True)
async def test_the_command_the_lobby_the_rules_and_descriptions_use_the_alias(stage: Stage) -> None:
    tree = stage.bot.client.tree
    assert {"throne", "lancelot"} <= {command.name for command in tree.get_commands()}
    assert "isis" not in {command.name for command in tree.get_commands()}
    anna = stage.people["Anna"]
    await anna.slash(stage.channel, "throne new")
    assert "### Throne · " in texts_of(await stage.message("lobby"))
    told = answer_to(await anna.slash(stage.channel, "throne rules"))
    assert "Isis" not in told
    assert "Throne" in told
    for command in tree.walk_commands():
        assert "Isis" not in command.description, command.qualified_name
    offered = await anna.autocomplete(stage.channel, "leaderboard", "game", "thro")
    assert [choice["name"] for choice in offered] == ["Throne"]
