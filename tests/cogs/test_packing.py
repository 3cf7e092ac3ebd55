"""A packed match looks the same in replays, exports, proofs and analyses."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from play import packing
from play.analysis import analysis_of
from play.packing import pack_old
from tests.cogs.matches import everything_is_told, won_by_anna
from tests.cogs.test_privacy import forget
from tests.cogs.test_records import exported
from tests.stage import Stage, alts_of, answer_to, controls, private, texts_of

pytestmark = pytest.mark.usefixtures("no_errors", "hurried")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pack without a pause."""
    monkeypatch.setattr(packing, "PAUSE", 0)


async def pack(stage: Stage) -> int:
    """Pack finished matches, and restart the bot."""
    packed = await pack_old(stage.bot.store, stage.bot.tables.clock() + timedelta(days=1))
    await stage.restart()
    return packed


async def shown(stage: Stage) -> list[object]:
    """What people are shown when they look up a match in several ways."""
    clara = stage.people["Clara"]
    found: list[object] = [await exported(stage)]
    for command in ("replay", "verify", "log", "show"):
        page = private(await clara.slash(stage.channel, f"table {command}"))
        found += [texts_of(page), alts_of(page), [each.label for each in controls(page)]]
    for command in ("stats", "leaderboard"):
        found.append(answer_to(await clara.slash(stage.channel, command)))
    return found


async def analysed(stage: Stage) -> Any:
    """The page of an analysis."""
    return private(await stage.slash("Clara", "table analyse"))


@pytest.mark.full
async def test_a_packed_match_is_shown_as_before(stage: Stage) -> None:
    await won_by_anna(stage)
    before, messages = await shown(stage), len(stage.channel.history())
    assert await pack(stage) == 1
    assert await shown(stage) == before
    await everything_is_told(stage)
    assert len(stage.channel.history()) == messages


@pytest.mark.full
async def test_a_packed_match_is_analysed(stage: Stage) -> None:
    """The analysis is stored with the match and packed with it the next time."""
    table = await won_by_anna(stage)
    assert await pack(stage) == 1
    told = texts_of(await analysed(stage))
    found = analysis_of(await stage.bot.tables.get(table.id))
    assert found is not None
    assert await pack(stage) == 1
    assert analysis_of(await stage.bot.tables.get(table.id)) == found
    assert texts_of(await analysed(stage)) == told


async def test_a_forgotten_person_disappears_from_a_packed_match(stage: Stage) -> None:
    table = await won_by_anna(stage)
    assert await pack(stage) == 1
    await forget(stage, "Anna")
    after = await stage.bot.tables.fresh(table.id)
    assert after.played.log == table.played.log
    assert "Anna" not in await exported(stage)
    assert stage.people["Anna"].id not in {line.person_id for line in after.journal}
    text = await exported(stage)
    assert await pack(stage) == 1
    assert await exported(stage) == text
