"""Nothing is lost, counted twice or half-written, whatever happens while the store is in use."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import pytest

from data.store import (
    AlreadyCounted,
    AlreadyMember,
    ChannelTaken,
    Conflict,
    DamagedFile,
    DiskFailure,
    DiskFull,
    PlyTaken,
    Status,
    Store,
    StoreBusy,
    TableFull,
    TableRow,
)
from tests.data.samples import HOST, NOON, move, opened, started

ROOT = Path(__file__).parents[2]

PREAMBLE = """
import asyncio, sys
from pathlib import Path
from data.store import Store, StoreProblem
from tests.data.samples import move, opened, started

async def append_until_refused(store, table):
    ply = table.ply
    try:
        while True:
            await move(store, table, ply, text="K4" * 50, interaction_id=1000 + ply)
            ply += 1
            print(ply, flush=True)
    except StoreProblem as problem:
        print(problem.code, flush=True)
"""


def program(script: str, *arguments: object) -> list[str]:
    """The command that runs a script in a process of its own."""
    return [sys.executable, "-c", PREAMBLE + script, *map(str, arguments)]


def run(command: list[str]) -> list[str]:
    """The lines that a command prints; it must succeed."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def kill(command: list[str], after_lines: int, then_wait: float) -> list[str]:
    """Kill a command so many seconds after it has printed so many lines; return all its lines."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(after_lines)]
        time.sleep(then_wait)
        process.kill()
        lines += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    return [line.strip() for line in lines]


# -------------------------------------------------------------------------- many at once
async def test_of_many_moves_for_one_position_one_counts(store: Store) -> None:
    """A hundred moves at once for the same ply: one is stored, the rest are refused."""
    table = await started(store)
    moves = [move(store, table, 0, f"K{n}", interaction_id=n) for n in range(100)]
    answers = await asyncio.gather(*moves, return_exceptions=True)
    accepted = [n for n, answer in enumerate(answers) if answer is None]
    assert len(accepted) == 1
    assert sum(isinstance(answer, PlyTaken) for answer in answers) == 99
    events = await store.events(table.id)
    assert [(event.move, event.interaction_id) for event in events] == [
        (f"K{accepted[0]}", accepted[0])
    ]


async def test_an_interaction_delivered_many_times_counts_once(store: Store) -> None:
    """One interaction delivered at once to fifty tables is stored at one of them."""
    tables = [await started(store, channel_id=channel) for channel in range(50)]
    moves = [move(store, table, 0, interaction_id=7) for table in tables]
    answers = await asyncio.gather(*moves, return_exceptions=True)
    assert sum(isinstance(answer, AlreadyCounted) for answer in answers) == 49
    assert sum([(await store.table(table.id)).ply for table in tables]) == 1


async def test_of_many_tables_for_one_channel_one_is_opened(store: Store) -> None:
    """Twenty persons open a table in the same channel at once: one gets it."""
    openings = [opened(store, host_id=person) for person in range(20)]
    answers = await asyncio.gather(*openings, return_exceptions=True)
    assert sum(isinstance(answer, ChannelTaken) for answer in answers) == 19
    assert len(await store.open_tables()) == 1


async def test_of_many_who_join_at_once_as_many_as_fit_sit_down(store: Store) -> None:
    """Ten persons, each pressing twice, share three free places."""
    table = await opened(store)
    joins = [store.add_member(table.id, n // 2, "name", None, 4) for n in range(20)]
    answers = await asyncio.gather(*joins, return_exceptions=True)
    assert {type(answer) for answer in answers if isinstance(answer, Exception)} == {
        AlreadyMember,
        TableFull,
    }
    members = await store.members(table.id)
    assert len({member.person_id for member in members}) == 4 == len(members)


async def test_two_stores_on_one_file_keep_the_rules_together(store: Store, file: Path) -> None:
    """Two bots that were started on the same file by mistake cannot both take a ply."""
    table = await started(store)
    second = await Store.open(file)
    try:
        for ply in range(30):
            moves = [
                move(either, table, ply, interaction_id=2 * ply + n)
                for n, either in enumerate((store, second))
            ]
            answers = await asyncio.gather(*moves, return_exceptions=True)
            assert [type(answer) for answer in answers if answer is not None] == [PlyTaken]
        assert [event.ply for event in await second.events(table.id)] == list(range(30))
    finally:
        await second.close()


async def test_any_order_of_changes_leaves_a_whole_log(store: Store) -> None:
    """Random changes from several tasks: each log stays whole, each channel has one table."""
    seed = random.randrange(2**32)
    chance = random.Random(seed)

    async def somebody() -> None:
        for _ in range(25):
            try:
                await something(store, chance)
            except Conflict:
                continue  # somebody else was faster, as happens

    await asyncio.gather(*(somebody() for _ in range(6)))
    tables = await store.open_tables()
    assert len({table.channel_id for table in tables}) == len(tables), seed
    for table in tables:
        events = await store.events(table.id)
        assert [event.ply for event in events] == list(range(table.ply)), seed


async def something(store: Store, chance: random.Random) -> None:
    """One change at a random table."""
    open_tables = await store.open_tables()
    if len(open_tables) < 2:
        await started(store, channel_id=chance.randrange(3))
        return
    table = chance.choice(open_tables)
    if chance.random() < 0.1:
        await store.end(table.id, Status.ENDED, None, NOON)
    elif chance.random() < 0.2:
        await store.move_table(table.id, chance.randrange(3), None)
    else:
        await move(store, table, table.ply, interaction_id=chance.randrange(60))


# -------------------------------------------------------------------------- all or nothing
async def test_an_error_in_the_middle_leaves_nothing_behind(store: Store) -> None:
    """A transaction that fails after its first statements has changed nothing."""
    table = await started(store)
    with pytest.raises(sqlite3.IntegrityError):
        await store.append(
            table.id,
            0,
            [(0, "K4"), (0, None)],  # type: ignore[list-item]
            person_id=HOST,
            interaction_id=7,
            at=NOON,
            finished={"ranks": [1, 2]},
        )
    assert await store.table(table.id) == table
    assert await store.events(table.id) == []
    await move(store, table, 0, interaction_id=7)
    assert (await store.table(table.id)).ply == 1


async def test_a_cancelled_caller_does_not_halve_a_change(store: Store) -> None:
    """A change whose caller is cancelled in mid-flight happens as a whole, and play goes on."""
    table = await started(store)
    task = asyncio.create_task(move(store, table, 0))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await store.table(table.id)).ply == 1
    assert len(await store.events(table.id)) == 1
    await move(store, table, 1)


async def test_a_change_cannot_be_made_without_its_table(store: Store) -> None:
    """Foreign keys are enforced, so that no row is ever left without its table."""
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        await store.database.write(
            lambda db: db.execute("INSERT INTO events VALUES (9, 0, 0, '', 0, 0, 0)")
        )


async def test_a_commit_is_on_the_disk(store: Store) -> None:
    """The journal is written ahead, and each commit waits for the disk."""
    settings = [
        (await store.database.fetch(f"PRAGMA {name}"))[0][0]
        for name in ("journal_mode", "synchronous", "foreign_keys")
    ]
    assert settings == ["wal", 2, 1]


# ---------------------------------------------------------------------------- sudden death
WRITER = """
async def main():
    store = await Store.open(sys.argv[1])
    [table] = await store.open_tables()
    await append_until_refused(store, table)

asyncio.run(main())
"""


async def test_a_killed_process_loses_no_acknowledged_move(store: Store, file: Path) -> None:
    """Killed again and again while writing, the log holds every move that was acknowledged.

    The move under way at the moment of death may be there as well, whole, but no other.
    """
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    await started(store)
    await store.close()
    for _ in range(5):
        lines = kill(program(WRITER, file), chance.randint(1, 12), chance.uniform(0, 0.01))
        ply, plies = await state_of(file)
        assert plies == list(range(ply)), f"{seed=}"
        assert ply - int(lines[-1]) in (0, 1), f"{seed=}"


async def state_of(file: Path) -> tuple[int, list[int]]:
    """The ply and the plies of the log of the only table in a file."""
    store = await Store.open(file)
    try:
        [table] = await store.open_tables()
        return table.ply, [event.ply for event in await store.events(table.id)]
    finally:
        await store.close()


CREATOR = """
async def main():
    print("ready", flush=True)
    store = await Store.open(sys.argv[1])
    await asyncio.sleep(60)  # it will be killed long before

asyncio.run(main())
"""


async def test_a_creation_cut_short_is_taken_up_again(tmp_path: Path) -> None:
    """A process killed while it creates the database leaves a file that opens, or none."""
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    for n in range(5):
        file = tmp_path / f"{seed}-{n}.sqlite3"
        kill(program(CREATOR, file), 1, chance.uniform(0, 0.03))
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


def test_a_bot_that_dies_of_an_error_does_not_linger(file: Path) -> None:
    """A process that ends without closing its store does end."""
    command = program(FORGETFUL, file)
    done = subprocess.run(command, capture_output=True, cwd=ROOT, timeout=30, check=False)
    assert (done.returncode, done.stdout) == (1, b"done\n")


# ---------------------------------------------------------------------- trouble underway
async def test_a_full_database_refuses_and_recovers(store: Store) -> None:
    """Without room a move is refused as a whole; with room again, it succeeds."""
    table = await started(store)
    await set_page_limit(store, 1)
    with pytest.raises(DiskFull) as refusal:
        await fill(store, table)
    assert refusal.value.code == "disk_full"
    ply = (await store.table(table.id)).ply
    assert ply == len(await store.events(table.id))
    await set_page_limit(store, 2**30)
    await move(store, table, ply)
    assert (await store.table(table.id)).ply == ply + 1


async def fill(store: Store, table: TableRow) -> None:
    """Play on and on."""
    for ply in count():
        await move(store, table, ply, text="K4" * 100)


async def set_page_limit(store: Store, pages: int) -> None:
    """Let the database grow to so many pages at most, but not shrink."""
    await store.database.fetch(f"PRAGMA max_page_count = {pages}")


FILLER = """
import os
from data.store import DiskFull

async def main():
    folder = Path(sys.argv[1])
    ballast = folder / "ballast"
    ballast.write_bytes(bytes(100_000))
    store = await Store.open(folder / "house.sqlite3")
    table = await started(store)
    await append_until_refused(store, table)
    full = await store.table(table.id)
    assert [event.ply for event in await store.events(table.id)] == list(range(full.ply))
    try:
        await store.backup(folder / "copy")
    except DiskFull:
        print("no copy", (folder / "copy").exists(), flush=True)
    ballast.unlink()
    await move(store, table, full.ply)
    await store.close()
    again = await Store.open(folder / "house.sqlite3")
    print(full.ply, (await again.table(table.id)).ply - full.ply, flush=True)
    await again.close()

asyncio.run(main())
"""


def own_disk(kilobytes: int, folder: Path) -> list[str]:
    """The beginning of a command that runs with a small disk of its own in a folder."""
    mount = f'mount -t tmpfs -o size={kilobytes}k tmpfs "$0" && exec "$@"'
    return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, str(folder)]


def own_disks_allowed(folder: Path) -> bool:
    """Whether this machine lets a process mount a disk of its own."""
    if shutil.which("unshare") is None:
        return False
    attempt = subprocess.run([*own_disk(64, folder), "true"], capture_output=True, check=False)
    return attempt.returncode == 0


def test_a_full_disk_refuses_and_recovers(tmp_path: Path) -> None:
    """On a disk that is really full nothing is half-written, and room makes all well again."""
    if not own_disks_allowed(tmp_path):
        pytest.skip("the system does not let this user mount a disk of its own")
    *acknowledged, problem, copy, ending = run(own_disk(500, tmp_path) + program(FILLER, tmp_path))
    assert problem == "disk_full"
    assert copy == "no copy False"
    assert ending == f"{len(acknowledged)} 1"
    assert len(acknowledged) > 0


LIMITED = """
import resource, signal

async def main():
    store = await Store.open(sys.argv[1])
    [table] = await store.open_tables()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
    await append_until_refused(store, table)
    ply = (await store.table(table.id)).ply
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    await move(store, table, ply)
    await store.close()

asyncio.run(main())
"""


async def test_a_failing_disk_refuses_and_recovers(store: Store, file: Path) -> None:
    """When writing fails otherwise, that is said, and play goes on once it works again."""
    await started(store)
    await store.close()
    *acknowledged, problem = run(program(LIMITED, file))
    assert problem == DiskFailure.code
    ply, plies = await state_of(file)
    assert plies == list(range(ply))
    assert ply == len(acknowledged) + 1 > 1


async def test_a_lock_of_another_program_is_waited_for(file: Path) -> None:
    """While another program writes, a move waits; when that takes too long, it is refused."""
    store = await Store.open(file, patience=0.05)
    other = sqlite3.connect(file, isolation_level=None)
    try:
        table = await started(store)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy) as refusal:
            await move(store, table, 0)
        assert refusal.value.code == "store_busy"
        assert str(file) in str(refusal.value)
        assert (await store.table(table.id)).ply == 0, "reading goes on"
        other.execute("ROLLBACK")
        await move(store, table, 0)
    finally:
        other.close()
        await store.close()


async def test_a_page_destroyed_underway_is_reported(store: Store, file: Path) -> None:
    """Damage that happens while the store is open is told as damage, not as a strange error."""
    table = await started(store)
    for ply in range(60):
        await move(store, table, ply, text="K4" * 50)
    await store.database.fetch("PRAGMA wal_checkpoint(TRUNCATE)")
    destroy(file)
    await store.database.fetch("PRAGMA shrink_memory")
    with pytest.raises(DamagedFile):
        await store.events(table.id)


def destroy(file: Path) -> None:
    """Overwrite all pages of a database but the first."""
    with file.open("r+b") as content:
        content.seek(4096)
        content.write(os.urandom(file.stat().st_size - 4096))
