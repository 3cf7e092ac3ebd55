"""Changes that queue up at the same time share a commit, yet each succeeds or fails on its own."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from data.store.access import Database
from data.store.problems import CommitUnknown, DiskFull
from data.store.sqlite import SQLite
from data.store.store import Store
from data.store.together import Together
from tests.stores import furnish

COUNT = 20
"""How many changes queue up."""


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    file = tmp_path / "house.sqlite3"
    await furnish(file)
    store = await Store.open(file)
    yield store
    await store.close()


def change(number: int) -> Callable[[Database], int]:
    def note(db: Database) -> int:
        db.execute("INSERT INTO unlisted (person_id) VALUES (?)", [number])
        return number

    return note


def fail(db: Database) -> None:
    """Write something, then fail."""
    change(1000)(db)
    raise LookupError("no such thing")


async def trace(store: Store, heard: Callable[[str], None] | None) -> None:
    """Pass every statement of changes to ``heard``; None: stop."""
    backend = store.database.backend
    assert isinstance(backend, SQLite)
    await backend.writer.run(lambda db: db.set_trace_callback(heard))


@asynccontextmanager
async def waiting(store: Store, *changes: Callable[[Database], Any]) -> AsyncIterator[list[Any]]:
    """Queue changes behind another one until the end of the block."""
    begun, go_on = threading.Event(), threading.Event()

    def hold(_: Database) -> None:
        begun.set()
        go_on.wait(60)

    held = asyncio.create_task(store.database.write(hold))
    await asyncio.to_thread(begun.wait, 60)
    tasks = [asyncio.create_task(store.database.write(each)) for each in changes]
    await asyncio.sleep(0)
    try:
        yield tasks
    finally:
        go_on.set()
        await held
        await asyncio.wait(tasks)


async def test_waiting_changes_are_committed_once(store: Store) -> None:
    statements, early = list[str](), list[bool]()
    tasks = list[asyncio.Task[int]]()

    def heard(statement: str) -> None:
        statements.append(statement.split()[0])
        if statement == "COMMIT":
            early.append(any(task.done() for task in tasks))

    await trace(store, heard)
    async with waiting(store, *map(change, range(COUNT))) as waiting_tasks:
        tasks += waiting_tasks
    await trace(store, None)
    assert [task.result() for task in tasks] == [*range(COUNT)]
    assert statements.count("COMMIT") == 2
    assert statements.count("INSERT") == COUNT
    assert early == [False, False]
    assert await store.standings.unlisted() == {*range(COUNT)}


async def test_a_failing_change_undoes_no_other(store: Store) -> None:
    async with waiting(store, change(1), fail, change(2), change(1), change(3)) as tasks:
        pass
    one, failed, two, twice, three = tasks
    assert [each.result() for each in (one, two, three)] == [1, 2, 3]
    with pytest.raises(LookupError, match="no such thing"):
        failed.result()
    with pytest.raises(sqlite3.IntegrityError):
        twice.result()
    assert await store.standings.unlisted() == {1, 2, 3}


async def test_a_change_whose_caller_is_cancelled_is_made_anyway(store: Store) -> None:
    async with waiting(store, change(1), change(2), change(3)) as tasks:
        tasks[1].cancel()
    assert tasks[1].cancelled()
    assert [tasks[0].result(), tasks[2].result()] == [1, 3]
    assert await store.standings.unlisted() == {1, 2, 3}


async def test_a_change_without_room_keeps_out_no_other(store: Store) -> None:
    """If one change does not fit, SQLite rolls all of them back, and each is tried on its own."""

    def large(db: Database) -> None:
        db.execute("UPDATE unlisted SET person_id = person_id")
        db.execute("INSERT INTO reports (text) SELECT ?", ["K4" * 1_000_000])

    def limit(db: Database) -> None:
        db.execute("CREATE TABLE reports (text TEXT)")
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {pages + 4}")

    await store.database.write(limit)
    async with waiting(store, change(1), large, change(2)) as tasks:
        pass
    assert [tasks[0].result(), tasks[2].result()] == [1, 2]
    with pytest.raises(DiskFull):
        tasks[1].result()
    assert await store.standings.unlisted() == {1, 2}


async def test_if_the_commit_fails_each_is_committed_alone(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements = list[str]()
    await trace(store, lambda statement: statements.append(statement.split()[0]))

    def late(db: Database) -> None:
        db.execute("PRAGMA defer_foreign_keys = 1")
        db.execute("INSERT INTO followers VALUES (?, ?)", [9, 1])

    async with waiting(store, change(1), late, change(2)) as tasks:
        pass
    assert [tasks[0].result(), tasks[2].result()] == [1, 2]
    with pytest.raises(sqlite3.IntegrityError):
        tasks[1].result()
    assert statements.count("COMMIT") >= 4
    assert await store.standings.unlisted() == {1, 2}


async def test_a_change_that_may_be_stored_is_not_repeated(store: Store) -> None:
    commits = list[object]()

    async def commit(made: Callable[[Database], Any]) -> None:
        commits.append(made)
        await store.database.write(made)
        raise CommitUnknown(Path("house"))

    together = Together(commit)
    tasks = [asyncio.create_task(together.write(change(number))) for number in range(3)]
    await asyncio.wait(tasks)
    assert [type(task.exception()) for task in tasks] == [CommitUnknown] * 3
    assert len(commits) == 1
    assert await store.standings.unlisted() == {0, 1, 2}


async def test_no_request_during_a_commit_is_forgotten(store: Store) -> None:
    for first in range(0, 200, 4):
        tasks = [asyncio.create_task(store.database.write(change(first + n))) for n in range(4)]
        await tasks[first % 4]
    await asyncio.gather(*tasks)
    assert await store.standings.unlisted() == {*range(200)}
