"""After a start, messages are checked slowly, but at once where something happens."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from cogs.delivery.budget import EVERY, LookBudget
from data.store.shards import ALL, Shards
from tests.stage import Stage, private, use

TABLES = 3000

APART = 6.0
"""Seconds between two requests; an action on a stage would wait out a shorter pause."""

MINUTES = 5


def multiplied(house: Path, count: int) -> None:
    """Copy the only table of a database many times, each with the same messages."""
    with closing(sqlite3.connect(house)) as db, db:
        for table in ("tables", "journal", "members", "turns", "messages"):
            own = "id" if table == "tables" else "table_id"
            names = [column[1] for column in db.execute(f"PRAGMA table_info({table})")]
            values = dict(zip(names, names, strict=True))
            values |= {own: "n", "interaction_id": "NULL"} if table == "journal" else {own: "n"}
            if table == "tables":
                values["code"] = "printf('T%05d', n)"
            db.execute(
                f"""WITH RECURSIVE numbers (n) AS
                    (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?)
                INSERT INTO {table} SELECT {", ".join(values[name] for name in names)}
                FROM {table}, numbers WHERE {table}.{own} = 1""",  # noqa: S608
                [count],
            )


def requests_of(stage: Stage) -> list[str]:
    """The methods of the bot's requests to Discord about messages."""
    of_messages = [each for each in stage.env.http_requests if "/messages" in each.path]
    return [each.method for each in of_messages if "/webhooks/" not in each.path]


@pytest.mark.full
async def test_a_start_with_thousands_of_tables_costs_a_request_now_and_then(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.stage.LOOKS_APART", APART)
    await stage.lancelot()
    multiplied(tmp_path / "house.sqlite3", TABLES)
    before = len(requests_of(stage))
    await stage.restart()
    assert requests_of(stage)[before:] == []
    await stage.wait(MINUTES * 60)
    made = requests_of(stage)[before:]
    assert set(made) <= {"GET", "PATCH"}, "a message to edit is not checked first"
    assert MINUTES * 60 / APART * 0.9 <= len(made) <= MINUTES * 60 / APART


async def test_a_deleted_message_is_missed_where_something_happens(stage: Stage) -> None:
    await stage.lancelot()
    await (await stage.message("board")).delete()
    await stage.restart()
    assert stage.boards() == []
    await stage.command("Ben", "table mute")
    assert len(stage.boards()) == 1


async def test_a_deleted_message_is_missed_where_somebody_presses(stage: Stage) -> None:
    """Only the first press checks the messages."""
    await stage.lancelot()
    more = private(await stage.press("Anna", "more"))
    await (await stage.message("board")).delete()
    await stage.restart()
    await use(stage.people["Anna"], more, "log")
    assert len(stage.boards()) == 1
    before = len(requests_of(stage))
    await use(stage.people["Anna"], more, "log")
    assert requests_of(stage)[before:] == []


@pytest.mark.parametrize("mine", [range(16), range(4), [7]])
async def test_all_processes_share_one_limit(
    monkeypatch: pytest.MonkeyPatch, mine: Sequence[int]
) -> None:
    """Each process's share of the limit corresponds to its number of shards, and covers tables and
    occasions together.
    """
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    shards = Shards(frozenset(mine), 16)
    shared, alone = LookBudget(lambda: shards), LookBudget(lambda: ALL)
    await shared.wait(3)
    await shared.wait(1)
    await alone.wait(1)
    each = EVERY * 16 / len(mine)
    assert waited == pytest.approx([3 * each, 4 * each, EVERY], abs=0.5)
    assert EVERY >= 2
