"""Connections of aiosqlite run whole functions on their threads; the store depends on that."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator

import pytest

from data.store import database
from data.store.sqlite import Connection


@pytest.fixture
async def connection() -> AsyncIterator[Connection]:
    async with Connection(database.connect_in_memory) as connection:
        yield connection


async def test_a_function_runs_as_a_whole_on_the_thread_of_its_connection(
    connection: Connection,
) -> None:
    """The function gets the connection of ``sqlite3`` itself, which no other thread may use."""

    def work(db: database.Connection) -> tuple[int, threading.Thread]:
        db.execute("CREATE TABLE knights (name TEXT)")
        db.executemany("INSERT INTO knights VALUES (?)", [("Iwein",), ("Erec",)])
        count: int = db.execute("SELECT count(*) FROM knights").fetchone()[0]
        return count, threading.current_thread()

    count, thread = await connection.run(work)
    assert count == 2
    assert thread is not threading.current_thread()
    assert await connection.run(lambda _: threading.current_thread()) is thread
    assert thread.daemon, "a process that dies of an error would hang"


async def test_functions_run_in_order_even_if_callers_are_cancelled(
    connection: Connection,
) -> None:
    done: list[int] = []
    release = threading.Event()
    first = asyncio.create_task(connection.run(lambda _: release.wait(20)))
    later = [
        asyncio.create_task(connection.run(lambda _, number=number: done.append(number)))  # type: ignore[misc]
        for number in range(4)
    ]
    await asyncio.sleep(0)
    for task in (first, later[1]):
        task.cancel()
    release.set()
    results = await asyncio.gather(first, *later, return_exceptions=True)
    cancelled = [isinstance(result, asyncio.CancelledError) for result in results]
    assert cancelled == [True, False, True, False, False]
    assert done == [0, 1, 2, 3]


async def test_an_error_reaches_the_caller(connection: Connection) -> None:
    with pytest.raises(sqlite3.OperationalError) as error:
        await connection.run(lambda db: db.execute("SELECT * FROM nowhere"))
    assert error.value.sqlite_errorcode == sqlite3.SQLITE_ERROR
    assert await connection.run(lambda db: db.execute("SELECT 1").fetchone()[0]) == 1


async def test_a_connection_that_cannot_be_opened_leaves_no_thread() -> None:
    """The event loop may be closed right afterwards, so the thread must have ended by then."""

    threads: list[threading.Thread] = []

    def refuse() -> database.Connection:
        threads.append(threading.current_thread())
        raise sqlite3.OperationalError("unable to open database file")

    connection = Connection(refuse)
    with pytest.raises(sqlite3.OperationalError):
        async with connection:
            pass
    (thread,) = threads
    assert thread is not threading.current_thread()
    assert not thread.is_alive()
