"""Deletions are completed in the end, whatever fails on the way."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

from cogs.features.privacy import PrivacyCog
from data.store.problems import DiskFull
from play.table import Table
from tests.cogs.matches import won_by_anna
from tests.cogs.test_privacy import forget
from tests.stage import Stage, controls, private, texts_of, use

TEN_MINUTES = 600


@pytest.fixture(autouse=True)
def usual_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tidy up as often as the real bot does."""
    monkeypatch.setattr("tests.stage.TIDY_MINUTES", PrivacyCog.tidy.minutes)


async def test_a_deletion_that_fails_is_tried_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot tells the person that everything will be deleted, and deletes it ten minutes later,
    without another request.
    """
    store, anna = stage.bot.store, stage.people["Anna"].id
    await won_by_anna(stage, most=2)
    with monkeypatch.context() as broken:
        broken.setattr(store.privacy, "finish", AsyncMock(side_effect=DiskFull(Path("house"))))
        told = await forget(stage, "Anna")
    assert "That counts, but" in texts_of(told)
    assert await store.privacy.begun() == [anna]
    await stage.env.advance_time(TEN_MINUTES + 1)
    assert await store.privacy.begun() == []


async def test_expired_records_are_deleted_by_themselves(stage: Stage) -> None:
    """The deletion does not wait for another import."""
    records, ben = stage.bot.store.records, stage.people["Ben"].id
    await records.add(ben, "a record", stage.bot.tables.clock())
    await stage.env.advance_time(TEN_MINUTES + 1)
    assert len(await records.of_person(ben)) == 1
    await stage.bot.store.database.write(lambda db: db.execute("UPDATE records SET used_at = 0"))
    await stage.env.advance_time(TEN_MINUTES + 1)
    assert await records.of_person(ben) == []


def traces(file: Path, numbers: Iterable[int]) -> set[int]:
    """The given numbers that occur anywhere in a database, including unused pages and the
    write-ahead log: as digits, or in SQLite's encoding of integers.
    """
    files = [file, file.with_name(f"{file.name}-wal")]
    data = b"".join(each.read_bytes() for each in files if each.exists())
    return {
        number
        for number in numbers
        if str(number).encode() in data or number.to_bytes(8, "big").lstrip(b"\0") in data
    }


async def test_nothing_is_left_in_nor_sent_to_direct_messages(
    stage: Stage, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """A person who deletes everything has two tables in their direct messages; the running one
    moves elsewhere. Nothing is sent to the person or to the made-up number that replaces them.
    """
    anna, ben, clara = (stage.people[name] for name in ("Anna", "Ben", "Clara"))
    over = await seated(stage, ben)
    await use(ben.user, private(await ben.user.slash("table resign")), "resign")
    table = await seated(stage, ben, clara)
    await anna.user.slash("lancelot place", square="K4")
    await stage.env.settle()
    place, file = anna.user.dm_channel.id, stage.bot.store.database.backend.place
    assert isinstance(file, Path)
    lots = {(await stage.bot.tables.fresh(each.id)).drawn_by for each in (over, table)}
    told = await forget(stage, "Anna")
    assert "I have deleted your data" in texts_of(told)
    await stage.env.settle()
    numbers = {anna.id, place, *(message.id for message in stage.dms("Anna"))}
    assert len(numbers) > 5
    assert traces(file, [*numbers - lots, ben.id]) == {ben.id}
    assert traces(file, lots) == lots  # Ben and Clara can still verify these matches
    caplog.clear()
    capsys.readouterr()
    sent = len(stage.env.http_requests)
    for name, square in (("Ben", "D4"), ("Clara", "E8")):
        await stage.people[name].user.slash("lancelot place", square=square)
        await stage.env.settle()
    after = await stage.bot.tables.fresh(table.id)
    assert after.running
    assert after.channel_id == ben.user.dm_channel.id
    for name in ("Ben", "Clara"):
        assert any("E8" in texts_of(message) for message in stage.dms(name))
    paths = [request.path for request in stage.env.http_requests[sent:]]
    assert not [path for path in paths if str(place) in path or path == "/users/@me/channels"]
    logged = f"{capsys.readouterr()} {caplog.text}"
    assert not [number for number in numbers if str(number) in logged]
    assert traces(file, numbers - lots) == set()


async def seated(stage: Stage, *guests: Any) -> Table:
    """Start a table in Anna's direct messages, with guests in theirs; return it."""
    anna = stage.people["Anna"]
    await anna.user.slash("lancelot new", seating="joined", starter=1)
    (table,) = await stage.bot.tables.of_person(anna.id)
    for guest in guests:
        await guest.user.slash("join", code=table.row.code)
    lobby = next(m for m in reversed(stage.dms("Anna")) if controls(m))
    await use(anna.user, lobby, "start")
    return await stage.bot.tables.fresh(table.id)
