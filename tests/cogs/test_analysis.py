"""Analyses as people see them: requesting and browsing."""

from __future__ import annotations

import re

import pytest

from games import GAMES
from play.analysis import analysis_of
from play.ending import EndAsManager
from tests.cogs.matches import MISSING, won_by_anna
from tests.stage import NAMES, PATIENCE, Stage, alts_of, controls, private, texts_of

pytestmark = pytest.mark.usefixtures("no_errors", "hurried")


@pytest.mark.full
async def test_a_match_is_analysed_from_its_result(stage: Stage) -> None:
    """Anyone may request an analysis. It shows the winning chances as a picture and in words, the
    turning points, and comments in the replay.
    """
    table = await won_by_anna(stage, moves=MISSING)
    result = stage.channel.last_message
    page = await stage.turn_page(result, "Analysis")
    found = analysis_of(await stage.bot.tables.get(table.id))
    assert found is not None
    assert page.ephemeral
    overview = texts_of(page)
    (alt,) = alts_of(page)
    assert "Winning chances" in alt
    assert "Anna: " in alt
    assert found.turns, "Ben could have won at once"
    turn = await stage.turn_page(page, "1")
    assert "Turning point 1" in texts_of(turn)
    assert "A hint at that moment would have said" in texts_of(turn)
    assert len(turn.attachments) == 1
    assert texts_of(await stage.turn_page(turn, "Overview")) == overview
    turn = await stage.turn_page(page, "1")
    assert "would have been better" in texts_of(await stage.turn_page(turn, "In the replay"))


@pytest.mark.pixels
async def test_the_result_shows_what_the_analysis_found(stage: Stage) -> None:
    """The existing message is edited once, although the bot was restarted and checked the table in
    between. No message is added, and the buttons still work.
    """
    table = await won_by_anna(stage, moves=MISSING)
    before, messages = stage.channel.last_message, len(stage.channel.history())
    said, _ = alts_of(before)
    await stage.restart()
    await stage.bot.table_delivery.look(table.id)
    assert stage.channel.last_message.edited_at is None
    await stage.turn_page(before, "Analysis")
    await stage.bot.table_delivery.bring(table.id)
    after = stage.channel.last_message
    assert (after.id, len(stage.channel.history())) == (before.id, messages)
    told, _ = alts_of(after)
    assert "Turning point" not in said
    assert re.search(r"Turning points? \(\d+.*?\): Ben: [A-N]\d+\.", told)
    assert texts_of(after) == texts_of(before)
    assert controls(after) == controls(before)
    await stage.restart()
    await stage.turn_page(after, "Analysis")
    await stage.bot.table_delivery.look(table.id)
    assert stage.channel.last_message.edited_at == after.edited_at
    assert await stage.rows(table.id, "result") == []


async def test_a_result_that_is_not_remembered_is_not_changed(stage: Stage) -> None:
    """If a match ended before results were remembered, its result message stays as it is."""
    table = await won_by_anna(stage)
    result, messages = stage.channel.last_message, len(stage.channel.history())
    await stage.bot.store.messages.write(table.id, (), ["result"])
    await stage.restart()
    await stage.turn_page(result, "Analysis")
    await stage.bot.table_delivery.bring(table.id)
    last = stage.channel.last_message
    assert (last.id, last.edited_at, len(stage.channel.history())) == (result.id, None, messages)


async def test_an_analysis_survives_a_restart(stage: Stage) -> None:
    """The analysis is stored in the journal, so nothing is computed again."""
    table = await won_by_anna(stage)
    told = texts_of(await stage.turn_page(stage.channel.last_message, "Analysis"))
    revision = (await stage.bot.tables.get(table.id)).revision
    await stage.restart()
    again = private(await stage.slash("Ben", "table analyse"))
    assert texts_of(again) == told
    assert (await stage.bot.tables.get(table.id)).revision == revision


@pytest.mark.parametrize(
    "game", [pytest.param(g, marks=[pytest.mark.long] * (g != "twilight")) for g in GAMES]
)
async def test_every_game_is_analysed_without_direct_messages(game: str, stage: Stage) -> None:
    """The answer is private in the channel, so closed direct messages do not matter. Each turning
    point has a picture.
    """
    stage.env.settle_timeout = PATIENCE
    await stage.open(game, max(2, GAMES[game].info.players[0]))
    await stage.play_by_buttons(stage.rng, most=4)
    stage.close_dms(*NAMES)
    table = await stage.table()
    await stage.bot.tables.act(table.id, EndAsManager(1, True, "Enough."))
    asked = {"table": table.row.code}
    page = private(await stage.slash("Anna", "table analyse", **asked))
    assert page.ephemeral
    assert "Analysis" in texts_of(page)
    found = analysis_of(await stage.bot.tables.get(table.id))
    assert found is not None
    assert alts_of(page)
    for number in range(1, len(found.turns) + 1):
        turn = await stage.turn_page(page, str(number), "Anna")
        assert f"Turning point {number}" in texts_of(turn)
        assert alts_of(turn)
