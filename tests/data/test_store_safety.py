"""Nothing is lost, counted twice or half-written while the store is in use."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from data.store.access import Database
from data.store.place import Place
from data.store.problems import (
    AlreadyCounted,
    Conflict,
    DamagedFile,
    DiskFailure,
    DiskFull,
    ServerUnwritable,
    StoreBusy,
    StoreClosed,
    StoreUnwritable,
)
from data.store.rows import Status, Stored
from data.store.sqlite import SQLite
from data.store.store import Store
from data.store.together import Together
from tests.data.samples import GUEST, HOST, grown, in_a_file, move, moved, started
from tests.stores import address, furnish

ROOT = Path(__file__).parents[2]

PREAMBLE = """
import asyncio, sys
from pathlib import Path
import structlog
from data.store.problems import StoreProblem
from data.store.store import Store
from tests.data.samples import move, opened, started

structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))

async def only(store):
    [table_id] = await store.tables.open_ids()
    return (await store.tables.load(table_id)).stored

async def append_until_refused(store, table):
    try:
        while True:
            table = await move(store, table, "K4" * 50, interaction_id=1000 + table.row.revision)
            print(table.row.revision, flush=True)
    except StoreProblem as problem:
        print(problem.code, flush=True)
"""


def program(script: str, *arguments: object) -> list[str]:
    """The command that runs a script in a separate process."""
    return [sys.executable, "-c", PREAMBLE + script, *map(str, arguments)]


def run(command: list[str]) -> list[str]:
    """Run a command that must succeed; return the lines that it prints."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def kill(command: list[str], after_lines: int, then_wait: float) -> list[str]:
    """Kill a command this many seconds after it has printed this many lines; return all its
    lines.
    """
    with subprocess.Popen(
        # Keep stdin open, for commands that run until the end of their input.
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(after_lines)]
        time.sleep(then_wait)
        process.kill()
        lines += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    return [line.strip() for line in lines]


# -------------------------------------------------------------------------- concurrency
async def test_of_many_moves_for_one_position_one_counts(store: Store) -> None:
    table = await started(store)
    changes = [moved(table, f"K{n}", interaction_id=n) for n in range(100)]
    answers = await asyncio.gather(*(store.tables.commit(table, after) for after in changes))
    assert sum(answers) == 1
    loaded = await store.tables.load(table.row.id)
    assert loaded.stored == changes[answers.index(True)]


async def test_an_interaction_delivered_many_times_counts_once(store: Store) -> None:
    tables = [await started(store, channel_id=channel) for channel in range(50)]
    moves = [move(store, table, interaction_id=7) for table in tables]
    answers = await asyncio.gather(*moves, return_exceptions=True)
    assert sum(isinstance(answer, AlreadyCounted) for answer in answers) == 49
    revisions = [(await store.tables.load(table.row.id)).stored.row.revision for table in tables]
    assert sum(revisions) == 50 * tables[0].row.revision + 1


async def test_two_stores_on_one_database_keep_the_rules_together(
    store: Store, place: Place
) -> None:
    table = await started(store)
    second = await Store.open(place, alone=False)
    try:
        for _ in range(30):
            changes = [moved(table, text) for text in ("K4", "K5")]
            answers = await asyncio.gather(
                *(
                    either.tables.commit(table, after)
                    for either, after in zip((store, second), changes, strict=True)
                )
            )
            assert sorted(answers) == [False, True]
            table = changes[answers.index(True)]
            for either in (store, second):
                assert (await either.tables.load(table.row.id)).stored == table
    finally:
        await second.close()


async def test_any_order_of_changes_leaves_a_whole_journal(
    store: Store, rng: random.Random
) -> None:
    async def player() -> None:
        for _ in range(25):
            try:
                await something(store, rng)
            except Conflict:
                continue  # another task was faster, as can happen

    await asyncio.gather(*(player() for _ in range(6)))
    ids = await store.tables.open_ids()
    tables = [(await store.tables.load(table_id)).stored for table_id in ids]
    for table in tables:
        numbers = [line.number for line in table.journal]
        assert numbers == list(range(1, table.row.revision + 1))


async def something(store: Store, chance: random.Random) -> None:
    """Make one change at a random table."""
    open_tables = await store.tables.open_ids()
    if len(open_tables) < 2:
        await started(store, channel_id=chance.randrange(3))
        return
    table = (await store.tables.load(chance.choice(open_tables))).stored
    if chance.random() < 0.1:
        after = grown(table, "end", status=Status.ENDED)
    elif chance.random() < 0.2:
        after = grown(table, "unpark", channel_id=chance.randrange(3))
    else:
        after = moved(table, interaction_id=chance.randrange(60))
    await store.tables.commit(table, after)


async def test_a_slow_reader_keeps_no_one_waiting(store: Store) -> None:
    table = await started(store)
    release = threading.Event()
    slow = asyncio.create_task(store.database.read(lambda _: release.wait(20)))
    table = await move(store, table)
    assert (await store.tables.load(table.row.id)).stored == table
    release.set()
    assert await slow


@in_a_file
async def test_a_cancelled_query_keeps_no_one_waiting(store: Store) -> None:
    """The cancelled query's connection stays busy, so the next queries use the other one."""
    release, busy = threading.Event(), threading.Event()

    def hold(_: Database) -> None:
        busy.set()
        release.wait(20)

    slow = asyncio.create_task(store.database.read(hold))
    await asyncio.to_thread(busy.wait, 20)
    slow.cancel()
    with pytest.raises(asyncio.CancelledError):
        await slow
    async with asyncio.timeout(10):
        for _ in range(5):
            assert await store.tables.open_ids() == []
    release.set()


async def test_closing_waits_for_everything_that_was_requested(place: Place) -> None:
    await furnish(place)
    store = await Store.open(place)
    table = await started(store)
    release, busy = threading.Event(), threading.Semaphore(0)

    def hold(_: Database) -> bool:
        busy.release()
        return release.wait(20)

    held = [asyncio.create_task(store.database.read(hold)) for _ in range(4)]
    held.append(asyncio.create_task(store.database.write(hold)))
    after = moved(table)
    change = asyncio.create_task(store.tables.commit(table, after))
    cancelled = asyncio.create_task(store.standings.set_unlisted(HOST, True))
    for _ in range(3):
        await asyncio.to_thread(busy.acquire, timeout=20)
    cancelled.cancel()
    closing = asyncio.create_task(store.close())
    await asyncio.sleep(0.1)
    assert not closing.done()
    for refused in (store.tables.open_ids(), store.standings.set_unlisted(HOST, False)):
        with pytest.raises(StoreClosed):
            await refused
    release.set()
    await closing
    assert all(await asyncio.gather(*held))
    assert await change
    again = await Store.open(place)
    assert (await again.tables.load(table.row.id)).stored == after
    assert HOST in await again.standings.unlisted()
    await again.close()


async def test_closing_takes_no_connection_from_a_waiting_query(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if closing continues at the moment when a connection becomes idle, the query that has
    waited for one gets it.
    """
    place = tmp_path / "store.sqlite3"
    await furnish(place)
    backend = await SQLite.open(place)
    release, finished = threading.Event(), asyncio.Event()
    held = [
        asyncio.create_task(backend.read(lambda _: release.wait(20)))
        for _ in range(len(backend.readers) + 1)
    ]
    await asyncio.sleep(0)
    idle = asyncio.Queue.put_nowait

    def put(queue: asyncio.Queue[Any], item: Any) -> None:
        if item in backend.readers:
            finished.set()  # wakes the closing first
        idle(queue, item)

    monkeypatch.setattr(asyncio.Queue, "put_nowait", put)
    monkeypatch.setattr(Together, "finish", lambda _: finished.wait())
    closing = asyncio.create_task(backend.close())
    await asyncio.sleep(0)
    release.set()
    async with asyncio.timeout(20):
        assert all(await asyncio.gather(*held))
        await closing


async def test_closing_waits_for_a_query(place: Place) -> None:
    await furnish(place)
    store = await Store.open(place)
    release, busy = threading.Event(), threading.Event()

    def hold(_: Database) -> bool:
        busy.set()
        return release.wait(20)

    held = asyncio.create_task(store.database.read(hold))
    await asyncio.to_thread(busy.wait, 20)
    closing = asyncio.create_task(store.close())
    await asyncio.sleep(0.1)
    assert not closing.done()
    release.set()
    await closing
    assert await held


async def test_a_query_sees_one_moment(store: Store) -> None:
    table = await started(store)
    seen, go_on = threading.Event(), threading.Event()

    def twice(db: Database) -> list[int]:
        count = "SELECT count(*) FROM journal"
        first = db.execute(count).fetchone()[0]
        seen.set()
        go_on.wait(20)
        return [first, db.execute(count).fetchone()[0]]

    query = asyncio.create_task(store.database.read(twice))
    await asyncio.to_thread(seen.wait, 20)
    await move(store, table)
    go_on.set()
    first, second = await query
    assert first == second == table.row.revision


async def test_a_query_changes_nothing(store: Store) -> None:
    with pytest.raises((StoreUnwritable, ServerUnwritable), match=r"read-?only"):
        await store.database.fetch("DELETE FROM tables")


# -------------------------------------------------------------------------- all or nothing
async def test_an_error_in_the_middle_leaves_nothing_behind(store: Store) -> None:
    table = await started(store)
    broken = replace(table.members[0], name=None)  # type: ignore[arg-type]
    after = grown(moved(table, interaction_id=7), "take", members=(broken, table.members[1]))
    with pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError)):
        await store.tables.commit(table, after)
    assert (await store.tables.load(table.row.id)).stored == table
    await move(store, table, interaction_id=7)


async def test_a_cancelled_caller_does_not_halve_a_change(store: Store) -> None:
    table = await started(store)
    after = moved(table)
    task = asyncio.create_task(store.tables.commit(table, after))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await store.tables.commit(table, grown(table, "join"))  # wait for the change
    assert (await store.tables.load(table.row.id)).stored == after
    await move(store, after)


async def test_a_change_cannot_be_made_without_its_table(store: Store) -> None:
    with pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError), match=r"(?i)foreign key"):
        await store.database.write(
            lambda db: db.execute("INSERT INTO followers VALUES (?, ?)", [9, GUEST])
        )


@in_a_file
async def test_a_commit_is_on_the_disk(store: Store) -> None:
    """Journal mode is WAL, and each commit waits for the disk."""
    settings = [
        await store.database.write(lambda db, name=name: db.execute(f"PRAGMA {name}").fetchone()[0])  # type: ignore[misc]
        for name in ("journal_mode", "synchronous", "foreign_keys")
    ]
    assert settings == ["wal", 2, 1]


# ---------------------------------------------------------------------------- sudden death
WRITER = """
async def main():
    store = await Store.open(sys.argv[1])
    await append_until_refused(store, await only(store))

asyncio.run(main())
"""


@pytest.mark.slow("killed store")
async def test_a_killed_process_loses_no_acknowledged_move(
    store: Store, place: Place, rng: random.Random
) -> None:
    """Of unacknowledged moves, only the one in progress may be stored, and then completely."""
    await started(store)
    await store.close()
    for _ in range(3):
        lines = kill(program(WRITER, address(place)), rng.randint(1, 12), rng.uniform(0, 0.01))
        revision = await revision_of(place)
        assert revision - int(lines[-1]) in (0, 1)


async def revision_of(place: Place) -> int:
    """The revision of the only stored table; checks that its journal has no gaps."""
    store = await Store.open(place)
    try:
        [table_id] = await store.tables.open_ids()
        table = (await store.tables.load(table_id)).stored
    finally:
        await store.close()
    assert [line.number for line in table.journal] == list(range(1, table.row.revision + 1))
    return table.row.revision


CREATOR = """
async def main():
    print("ready", flush=True)
    store = await Store.open(sys.argv[1])
    await asyncio.sleep(60)  # it will be killed long before

asyncio.run(main())
"""


@pytest.mark.slow("killed store")
@pytest.mark.seeds(5)
async def test_a_creation_cut_short_is_taken_up_again(tmp_path: Path, seed: int) -> None:
    file = tmp_path / "house.sqlite3"
    kill(program(CREATOR, file), 1, random.Random(seed).uniform(0, 0.03))
    store = await Store.open(file)
    await started(store)
    await store.close()


FORGETFUL = """
async def main():
    store = await Store.open(sys.argv[1])
    await started(store)
    print("done", flush=True)
    sys.exit(1)

asyncio.run(main())
"""


@pytest.mark.full
def test_a_bot_that_dies_of_an_error_does_not_linger(place: Place) -> None:
    command = program(FORGETFUL, address(place))
    done = subprocess.run(command, capture_output=True, cwd=ROOT, timeout=30, check=False)
    assert (done.returncode, done.stdout) == (1, b"done\n")


# ---------------------------------------------------------------------- trouble during play
@in_a_file
async def test_a_full_database_refuses_and_recovers(store: Store) -> None:
    table = await started(store)
    await set_page_limit(store, 1)
    with pytest.raises(DiskFull) as refusal:
        await fill(store, table)
    assert refusal.value.code == "disk_full"
    full = (await store.tables.load(table.row.id)).stored
    assert len(full.journal) == full.row.revision
    await set_page_limit(store, 2**30)
    await move(store, full)


async def fill(store: Store, table: Stored) -> None:
    """Make moves endlessly."""
    while True:
        table = await move(store, table, "K4" * 100)


async def set_page_limit(store: Store, pages: int) -> None:
    """Limit the size of the database to this many pages, without shrinking it."""
    await store.database.write(lambda db: db.execute(f"PRAGMA max_page_count = {pages}"))


FILLER = """
import os
from data.store.problems import DiskFull

async def main():
    folder = Path(sys.argv[1])
    ballast = folder / "ballast"
    ballast.write_bytes(bytes(100_000))
    store = await Store.open(folder / "house.sqlite3")
    table = await started(store)
    await append_until_refused(store, table)
    full = await only(store)
    assert len(full.journal) == full.row.revision
    try:
        await store.backup(folder / "copy")
    except DiskFull:
        print("no copy", (folder / "copy").exists(), flush=True)
    ballast.unlink()
    await move(store, full)
    await store.close()
    again = await Store.open(folder / "house.sqlite3")
    moves = full.row.revision - table.row.revision
    print(moves, (await only(again)).row.revision - full.row.revision, flush=True)
    await again.close()

asyncio.run(main())
"""


def own_disk(kilobytes: int, folder: Path) -> list[str]:
    """The start of a command that runs with a small disk of its own mounted at a folder."""
    mount = f'mount -t tmpfs -o size={kilobytes}k tmpfs "$0" && exec "$@"'
    return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, str(folder)]


def own_disks_allowed(folder: Path) -> bool:
    """Return whether this machine allows a process to mount a disk of its own."""
    if shutil.which("unshare") is None:
        return False
    attempt = subprocess.run([*own_disk(64, folder), "true"], capture_output=True, check=False)
    return attempt.returncode == 0


@pytest.mark.full
def test_a_full_disk_refuses_and_recovers(tmp_path: Path) -> None:
    """Nothing is half-written on a disk that is really full, and freeing space is enough to
    recover.
    """
    if not own_disks_allowed(tmp_path):
        pytest.skip("the system does not let this user mount a disk of its own")
    *acknowledged, problem, copy, ending = run(own_disk(900, tmp_path) + program(FILLER, tmp_path))
    assert problem == "disk_full"
    assert copy == "no copy False"
    assert ending == f"{len(acknowledged)} 1"
    assert len(acknowledged) > 0


LIMITED = """
import resource, signal

async def main():
    store = await Store.open(sys.argv[1])
    table = await only(store)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
    await append_until_refused(store, table)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    await move(store, await only(store))
    await store.close()

asyncio.run(main())
"""


@pytest.mark.full
@in_a_file
async def test_a_failing_disk_refuses_and_recovers(store: Store, file: Path) -> None:
    """Other write errors are reported, and play continues once writing works again."""
    table = await started(store)
    await store.close()
    *acknowledged, problem = run(program(LIMITED, file))
    assert problem == DiskFailure.code
    assert await revision_of(file) - table.row.revision == len(acknowledged) + 1 > 1


async def test_a_lock_of_another_program_is_waited_for_only_so_long(file: Path) -> None:
    store = await Store.open(file, patience=0.05)
    other = sqlite3.connect(file, isolation_level=None)
    try:
        table = await started(store)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy) as refusal:
            await move(store, table)
        assert refusal.value.code == "store_busy"
        assert str(file) in str(refusal.value)
        assert (await store.tables.load(table.row.id)).stored == table, "reading must still work"
        other.execute("ROLLBACK")
        await move(store, table)
    finally:
        other.close()
        await store.close()


@in_a_file
async def test_a_page_destroyed_underway_is_reported(store: Store, file: Path) -> None:
    table = await started(store)
    for _ in range(60):
        table = await move(store, table, text="K4" * 50)
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    destroy(file)
    with pytest.raises(DamagedFile):
        await store.tables.load(table.row.id)


@in_a_file
async def test_text_that_cannot_be_decoded_is_reported(store: Store, file: Path) -> None:
    """Python, not SQLite, detects invalid UTF-8; that counts as damage, too."""
    table = await started(store)
    with closing(sqlite3.connect(file)) as other, other:
        other.execute("UPDATE journal SET text = CAST(x'ff' AS TEXT)")
    with pytest.raises(DamagedFile):
        await store.tables.load(table.row.id)


def destroy(file: Path) -> None:
    """Overwrite all pages of a database except the first."""
    with file.open("r+b") as content:
        content.seek(4096)
        content.write(os.urandom(file.stat().st_size - 4096))
