"""Only one process at a time uses a database; however the process ends, the database becomes
free.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from data.store.database import FileClaim
from data.store.problems import ForeignFile, StoreTaken
from data.store.store import Store
from tests.data.samples import started
from tests.data.test_store_safety import ROOT, kill, program, revision_of

HOLDER = """
async def main():
    store = await Store.open(sys.argv[1])
    print("open", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await store.close()

asyncio.run(main())
"""


async def test_a_second_bot_is_refused(file: Path) -> None:
    """The claim also holds through a link and within one process; closing the store releases it."""
    link = file.with_name("link.sqlite3")
    link.symlink_to(file)
    store = await Store.open(file)
    for path in (file, link):
        with pytest.raises(StoreTaken, match=r"A running bot uses it\. Stop that"):
            await Store.open(path, patience=0)
    await store.close()
    await store.close()
    again = await Store.open(link, patience=0)
    await again.close()
    assert not lock_of(file).exists()


def lock_of(file: Path) -> Path:
    return file.with_name(f"{file.name}-lock")


@pytest.mark.full
async def test_a_second_process_is_refused_and_then_waited_for(file: Path) -> None:
    with holding(file) as release:
        with pytest.raises(StoreTaken):
            await Store.open(file, patience=0.1)
        opening = asyncio.create_task(Store.open(file, patience=20))
        await asyncio.sleep(0.1)
        assert not opening.done()
        release()
        await (await opening).close()


@contextmanager
def holding(file: Path) -> Iterator[Callable[[], None]]:
    """Have another process hold a database until the yielded function is called."""
    with subprocess.Popen(
        program(HOLDER, file), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    ) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"open\n"
        yield holder.stdin.close
    assert holder.returncode == 0


@pytest.mark.full
async def test_a_killed_process_holds_nothing(file: Path) -> None:
    """The killed process's lock file remains, but is not locked."""
    store = await Store.open(file)
    await started(store)
    await store.close()
    kill(program(HOLDER, file), 1, 0)
    assert lock_of(file).exists()
    assert await revision_of(file) == 3
    assert not lock_of(file).exists()


async def test_a_refused_file_is_not_held(file: Path) -> None:
    put(file, "Once upon a time\n" * 400)
    for _ in range(2):
        with pytest.raises(ForeignFile):
            await Store.open(file, patience=0)
    assert not lock_of(file).exists()


def put(file: Path, text: str) -> None:
    file.write_text(text)


def test_an_observer_claims_nothing(file: Path) -> None:
    """Stores with ``alone=False`` open alongside a bot's, in any order."""

    async def look() -> None:
        first = await Store.open(file, alone=False)
        bot = await Store.open(file, patience=0)
        last = await Store.open(file, alone=False)
        for store in (first, bot, last):
            await store.close()

    asyncio.run(look())


def test_a_lock_file_that_cannot_be_deleted_blocks_nobody(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Path) -> None:
        raise PermissionError

    claim = FileClaim(file)
    with monkeypatch.context() as undeletable:
        undeletable.setattr(Path, "unlink", refuse)
        claim.close()
    assert lock_of(file).exists()
    FileClaim(file, patience=0).close()
    assert not lock_of(file).exists()


def test_the_end_of_a_claim_removes_no_other_claims_file(tmp_path: Path) -> None:
    """A lock file was removed, so a second claim could make its own, which survives the end of the
    first claim.
    """
    file = tmp_path / "house.sqlite3"
    first = FileClaim(file)
    lock_of(file).unlink()
    second = FileClaim(file, 0)
    first.close()
    assert lock_of(file).exists()
    with pytest.raises(StoreTaken):
        FileClaim(file, 0)
    second.close()
    assert not lock_of(file).exists()


RACER = """
import sys
from pathlib import Path

import data.store.database
from data.store.database import FileClaim

data.store.database.STEP = 0
file, inside = Path(sys.argv[1]), Path(sys.argv[2])
for _ in range(200):
    claim = FileClaim(file, 60)
    inside.touch(exist_ok=False)
    inside.unlink()
    claim.close()
"""


@pytest.mark.full
@pytest.mark.skipif(os.name != "posix", reason="no such locks")
def test_of_many_processes_that_come_and_go_one_has_the_claim(tmp_path: Path) -> None:
    files = tmp_path / "house.sqlite3", tmp_path / "inside"
    command = [sys.executable, "-c", RACER, *map(str, files)]
    racers = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) for _ in range(3)]
    for racer in racers:
        assert racer.communicate(timeout=60)[1] == b""
        assert racer.returncode == 0
