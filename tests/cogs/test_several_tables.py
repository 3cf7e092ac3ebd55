"""Several tables in one channel: told apart by code and colour, and always found."""

from __future__ import annotations

import pytest

from cogs.present.people import colour_of
from play.table import Table
from tests.stage import Stage, answer_to, controls, private, texts_of, verb_of

pytestmark = pytest.mark.usefixtures("no_errors")


async def tables(stage: Stage) -> list[Table]:
    """The open tables of the channel, oldest first."""
    return await stage.bot.tables.open_in(stage.channel.id)


async def two_tables(stage: Stage) -> tuple[Table, Table]:
    """Start two tables of Lancelot: Anna begins against Ben, and Clara begins against Anna."""
    for guest, starter in (("Ben", 1), ("Clara", 2)):
        options = {"seating": "joined", "starter": starter}
        await stage.slash("Anna", "lancelot new", **options)
        await stage.press(guest, "join")
        await stage.press("Anna", "start")
    first, second = await tables(stage)
    return first, second


async def test_two_tables_live_side_by_side(stage: Stage) -> None:
    first, second = await two_tables(stage)
    assert colour_of(first) != colour_of(second)
    told = [texts_of(message) for message in stage.channel.history()]
    for table in (first, second):
        assert any(f"{colour_of(table)} `{table.row.code}`" in text for text in told)
    anna = stage.people["Anna"]
    result = await anna.slash(stage.channel, "lancelot place", square="K4")
    assert "Done: K4" in answer_to(result), "only this table waits for Anna"
    fresh = [await stage.bot.tables.get(table.id) for table in (first, second)]
    assert [table.revision > 0 and len(table.played.log) for table in fresh] == [1, 0]
    ben = await stage.slash("Ben", "table show")
    assert first.row.code in texts_of(private(ben))
    unclear = await stage.slash("David", "table show")
    assert f"`{first.row.code}`, `{second.row.code}`" in answer_to(unclear)


async def test_codes_of_tables_that_wait_are_offered_first(stage: Stage) -> None:
    first, second = await two_tables(stage)
    anna, clara = stage.people["Anna"], stage.people["Clara"]
    offered = await anna.autocomplete(stage.channel, "table show", "table", "")
    assert [choice["value"] for choice in offered] == [first.row.code, second.row.code]
    assert "waiting for you" in offered[0]["name"]
    offered = await anna.autocomplete(stage.channel, "lancelot place", "table", second.row.code)
    assert [choice["value"] for choice in offered] == [second.row.code]
    offered = await clara.autocomplete(stage.channel, "table show", "table", "lance")
    assert [choice["value"] for choice in offered] == [second.row.code]
    assert await stage.people["David"].autocomplete(stage.channel, "table log", "table", "") == []


async def test_a_lobby_of_strangers_is_no_rematch(stage: Stage) -> None:
    await stage.open("lancelot", 2)
    await stage.resign("Anna")
    result = stage.channel.last_message
    again = next(c for c in controls(result) if verb_of(c.custom_id)[0] == "rematch")
    await stage.slash("Clara", "lancelot new")
    for name in ("Anna", "Ben"):
        await stage.people[name].click(result, custom_id=again.custom_id)
    assert [[m.name for m in table.members] for table in await tables(stage)] == [
        ["Clara"],
        ["Anna", "Ben"],
    ]
