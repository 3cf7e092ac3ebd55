"""The store refuses an unusable file with a clear message and leaves every byte in place."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from data.restore import restore
from data.store.migrate import APPLICATION_ID, UNRELEASED
from data.store.problems import (
    DamagedFile,
    ForeignFile,
    NewerSchema,
    StoreBusy,
    StoreProblem,
    StoreUnwritable,
    UnreleasedSchema,
)
from data.store.store import Store
from tests.data.samples import move, opened, started

PAGE = 4096
"""The size of a database page in bytes."""


@pytest.fixture
async def used_file(file: Path) -> Path:
    """A closed database with a match, large enough to be damaged in the middle."""
    store = await Store.open(file)
    table = await started(store)
    for _ in range(60):
        table = await move(store, table, text="K4" * 800)
    await store.close()
    return file


@contextmanager
def untouched(file: Path) -> Iterator[None]:
    """Check that the block changes nothing in the file's directory."""
    before = contents_of(file.parent)
    yield
    assert contents_of(file.parent) == before


def put(file: Path, content: bytes) -> None:
    file.write_bytes(content)


def content_of(file: Path) -> bytes:
    return file.read_bytes()


def contents_of(folder: Path) -> dict[str, bytes | None]:
    """The content of each file in a directory; None for a directory."""
    return {p.name: p.read_bytes() if p.is_file() else None for p in folder.iterdir()}


async def test_a_missing_or_empty_file_becomes_a_database(file: Path) -> None:
    empty = file.with_name("empty.sqlite3")
    put(empty, b"")
    for path in (file, empty):
        store = await Store.open(path)
        assert await store.tables.open_ids() == []
        await opened(store)
        await store.close()


async def test_a_closed_store_leaves_one_file(used_file: Path) -> None:
    """After closing, one file has all the content and can simply be copied."""
    assert list(contents_of(used_file.parent)) == [used_file.name]


async def test_a_store_can_be_closed_twice(file: Path) -> None:
    store = await Store.open(file)
    await store.close()
    await store.close()


async def test_a_link_leads_to_the_file(used_file: Path) -> None:
    link = used_file.with_name("link.sqlite3")
    link.symlink_to(used_file)
    store = await Store.open(link)
    assert len(await store.tables.open_ids()) == 1
    await store.close()


@pytest.mark.parametrize("content", [b"x", b"Once upon a time\n" * 400, bytes(8192)])
async def test_a_file_that_is_not_a_database_is_refused(file: Path, content: bytes) -> None:
    put(file, content)
    with untouched(file), pytest.raises(ForeignFile, match="does not belong to this bot"):
        await Store.open(file)


@pytest.mark.parametrize("mark", [0, 1])
@pytest.mark.parametrize("mode", ["delete", "wal"])
async def test_a_database_of_another_program_is_refused(file: Path, mark: int, mode: str) -> None:
    """An SQLite database without the bot's application id is left alone."""
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute(f"PRAGMA journal_mode = {mode}")
        db.execute(f"PRAGMA application_id = {mark}")
        db.execute("CREATE TABLE tables (id INTEGER)")
    with untouched(file), pytest.raises(ForeignFile):
        await Store.open(file)


@pytest.mark.parametrize("version", [1, 20])
@pytest.mark.parametrize("mode", ["delete", "wal"])
async def test_a_database_from_before_the_first_release_is_refused(
    file: Path, tmp_path: Path, version: int, mode: str
) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute(f"PRAGMA journal_mode = {mode}")
        db.execute(f"PRAGMA application_id = {UNRELEASED}")
        db.execute(f"PRAGMA user_version = {version}")
        db.execute("CREATE TABLE tables (id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE)")
        db.execute("INSERT INTO tables VALUES (1, 'K7Q2')")
    told = "before the first release. Revision 8bf0339 of this bot is the last that can open it"
    with untouched(file), pytest.raises(UnreleasedSchema, match=told):
        await Store.open(file)
    with untouched(file), pytest.raises(UnreleasedSchema):
        restore(file, tmp_path / "elsewhere.sqlite3")


async def test_a_database_of_a_newer_bot_is_refused(used_file: Path) -> None:
    with closing(sqlite3.connect(used_file, isolation_level=None)) as db:
        db.execute("PRAGMA user_version = 9999")
    with untouched(used_file), pytest.raises(NewerSchema, match="Update the bot"):
        await Store.open(used_file)


@pytest.mark.parametrize("linked", [False, True])
async def test_changes_that_reached_only_the_journal_count(
    used_file: Path, tmp_path: Path, linked: bool
) -> None:
    crashed = tmp_path / "crashed"
    crash(used_file, crashed, "PRAGMA user_version = 9999")
    path = crashed / used_file.name
    if linked:
        path = tmp_path / "link.sqlite3"
        path.symlink_to(crashed / used_file.name)
    with pytest.raises(NewerSchema):
        await Store.open(path)


def crash(file: Path, folder: Path, statement: str) -> None:
    """Copy a database to a new folder in the state that a crash right after a statement would
    leave.
    """
    folder.mkdir()
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute(statement)
        for name in (file.name, f"{file.name}-wal"):
            (folder / name).write_bytes(file.with_name(name).read_bytes())


async def test_a_cut_off_file_is_refused(used_file: Path) -> None:
    whole = content_of(used_file)
    put(used_file, whole[: len(whole) // 2])
    with untouched(used_file), pytest.raises(DamagedFile, match=r"python -m data\.restore COPY"):
        await Store.open(used_file)


@pytest.mark.full
async def test_a_destroyed_page_is_noticed(used_file: Path, rng: random.Random) -> None:
    whole = content_of(used_file)
    for start in range(0, len(whole), PAGE):
        damaged = whole[:start] + rng.randbytes(PAGE) + whole[start + PAGE :]
        put(used_file, damaged)
        with pytest.raises((DamagedFile, ForeignFile)):
            await Store.open(used_file)
        assert contents_of(used_file.parent) == {used_file.name: damaged}, f"{start=}"


async def test_a_locked_file_is_refused(used_file: Path) -> None:
    lock = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA journal_mode = DELETE")
db.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
sys.stdin.read()
"""
    with held_by_another(lock, used_file), pytest.raises(StoreBusy, match="has locked it"):
        await Store.open(used_file, patience=0.05)
    store = await Store.open(used_file)
    assert len(await store.tables.open_ids()) == 1
    await store.close()


@contextmanager
def held_by_another(script: str, file: Path) -> Iterator[None]:
    """Run a script that locks a file until the block ends; check that the file does not change."""
    with subprocess.Popen(
        [sys.executable, "-c", script, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"locked\n"
        before = file.read_bytes()
        yield
        assert file.read_bytes() == before
        holder.communicate()


async def test_a_directory_that_does_not_exist_is_refused(file: Path) -> None:
    with pytest.raises(StoreUnwritable, match="must exist and be writable"):
        await Store.open(file / "house.sqlite3")


async def test_a_directory_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreUnwritable):
        await Store.open(tmp_path)


@pytest.mark.parametrize(
    ("directory", "mode"), [(0o555, None), (0o555, 0o644), (0o777, 0o444), (0o777, 0o000)]
)
async def test_a_file_that_may_not_be_written_is_refused(directory: int, mode: int | None) -> None:
    """If the bot cannot write, it says so at the start rather than at the first move.

    :param directory: permissions of the directory.
    :param mode: permissions of the file; None: there is no file yet.
    """
    with public_directory() as folder:
        file = folder / "house.sqlite3"
        if mode is not None:
            await (await Store.open(file)).close()
            file.chmod(mode)
        folder.chmod(directory)
        with untouched(file), without_privileges(), pytest.raises(StoreUnwritable):
            await Store.open(file)
        folder.chmod(0o777)


@contextmanager
def public_directory() -> Iterator[Path]:
    """A directory within one that every user can reach, unlike pytest's."""
    with TemporaryDirectory() as name:
        yield Path(name)


@contextmanager
def without_privileges() -> Iterator[None]:
    """Drop root privileges for a while, since root may write everywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_each_problem_names_the_file_and_the_cause(file: Path) -> None:
    for kind in StoreProblem.__subclasses__():
        text = str(kind(file, "the cause"))
        assert str(file) in text
        assert " ".join(str(kind.__doc__).split()) in text
        assert text.endswith("(the cause)")


def test_the_mark_is_a_name() -> None:
    """The application id of our files reads as letters in a hex dump."""
    assert APPLICATION_ID.to_bytes(4, "big") == b"Tafr"
