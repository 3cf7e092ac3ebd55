"""Answers that are too late for Discord do no harm."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.hostile.house import house
from tests.wire.world import UnansweredError

pytestmark = [pytest.mark.slow("late"), pytest.mark.blank]


def invokers() -> list[asyncio.Task[object]]:
    """The callbacks that discord.py still runs for commands."""
    return [task for task in asyncio.all_tasks() if task.get_name() == "CommandTree-invoker"]


async def test_suggestions_that_come_too_late_are_no_error(tmp_path: Path) -> None:
    """When the bot answers, Discord no longer knows the interaction."""
    async with house(tmp_path, "0") as home:
        room = home.discord.guild("Camelot").channel("games")
        anna = home.discord.person("Anna")
        await home.discord.world.until(lambda: home.discord.world.commands)
        home.discord.world.answer_within = 0
        with pytest.raises(UnansweredError):
            await anna.suggestions(room, "table show", "table")
        requests = home.discord.faults.requests
        await home.discord.world.until(lambda: any(r.endswith("/callback") for r in requests))
        while invokers():
            await asyncio.wait(invokers())
        assert home.heard.errors == []
