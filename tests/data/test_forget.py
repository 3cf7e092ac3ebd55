"""An operator can have a person forgotten; the request is stored even while the bot runs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from data.forget import main
from data.store.store import Store
from tests.data.samples import GUEST, started


def test_a_wrong_path_makes_no_database(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(GUEST), "--database", str(file)]) == 1
    assert "has not created it" in capsys.readouterr().err
    assert not file.exists()


async def test_a_request_is_stored_while_the_bot_runs(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = await Store.open(file)
    table = await started(bot)
    for _ in range(2):
        assert await asyncio.to_thread(main, [str(GUEST), "--database", str(file)]) == 0
    assert "next" in capsys.readouterr().out
    assert await bot.privacy.begun() == [GUEST]
    assert (await bot.tables.load(table.row.id)).stored == table
    await bot.close()


def test_a_faulty_database_is_reported(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("Dear Ada")
    assert main([str(GUEST), "--database", str(file)]) == 1
    assert capsys.readouterr().err.startswith(f"Database {file}")
    assert file.read_text() == "Dear Ada"
