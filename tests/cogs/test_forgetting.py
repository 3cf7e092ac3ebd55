"""What is to be deleted is deleted in the end, whatever fails on the way."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import AsyncMock

import pytest

from data.store.problems import DiskFull
from tests.cogs.matches import won_by_anna
from tests.cogs.test_privacy import forget
from tests.stage import Stage, texts_of

TEN_MINUTES = 600


async def test_a_deletion_that_fails_is_tried_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person is told that it counts; ten minutes later it is done, unasked."""
    store, anna = stage.bot.store, stage.people["Anna"].id
    await won_by_anna(stage, most=2)
    with monkeypatch.context() as broken:
        broken.setattr(store.privacy, "finish", AsyncMock(side_effect=DiskFull(Path("house"))))
        told = await forget(stage, "Anna")
    assert "What you did counts" in texts_of(told)
    assert await store.privacy.begun() == [anna]
    await stage.env.advance_time(TEN_MINUTES + 1)
    assert await store.privacy.begun() == []


async def test_old_records_go_by_themselves(stage: Stage) -> None:
    """Nobody has to bring another one first."""
    records, ben = stage.bot.store.records, stage.people["Ben"].id
    await records.add(ben, "a record", stage.bot.tables.clock())
    await stage.env.advance_time(TEN_MINUTES + 1)
    assert len(await records.of_person(ben)) == 1
    await stage.bot.store.database.write(lambda db: db.execute("UPDATE records SET used_at = 0"))
    await stage.env.advance_time(TEN_MINUTES + 1)
    assert await records.of_person(ben) == []
