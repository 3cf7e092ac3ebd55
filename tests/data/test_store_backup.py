"""A backup is a complete database as of one moment, made while play continues."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from data.backup import main
from data.store.database import copy_database
from data.store.problems import BackupExists, ForeignFile, StoreUnwritable
from data.store.rows import Stored
from data.store.store import Store
from tests.data.samples import move, started

ROOT = Path(__file__).parents[2]


@pytest.fixture
def place(file: Path) -> Path:
    """A file: database servers have their own backups."""
    return file


async def test_a_backup_is_a_store(store: Store, tmp_path: Path) -> None:
    table = await move(store, await started(store))
    target = tmp_path / "copy.sqlite3"
    await store.backup(target)
    await move(store, table)
    assert files_named(tmp_path, "copy") == ["copy.sqlite3"]
    assert journal_mode(target) == "delete"
    copy = await Store.open(target)
    assert (await copy.tables.load(table.row.id)).stored == table
    await copy.close()


def journal_mode(file: Path) -> str:
    """The journal mode of a database: with ``wal``, opening it needs two more files next to it."""
    with closing(sqlite3.connect(file)) as db:
        return str(db.execute("PRAGMA journal_mode").fetchone()[0])


def files_named(folder: Path, start: str) -> list[str]:
    return sorted(path.name for path in folder.glob(f"{start}*"))


async def test_backups_while_moves_are_made_are_whole(store: Store, tmp_path: Path) -> None:
    table = await started(store)
    stop = asyncio.Event()
    writer = asyncio.create_task(play_until(stop, store, table))
    copied = []
    for n in range(5):
        await store.backup(tmp_path / f"{n}.copy")
        copied.append(whole_journal(tmp_path / f"{n}.copy"))
    stop.set()
    await writer
    assert copied == sorted(copied)
    assert (await store.tables.load(table.row.id)).stored.row.revision > copied[0]


async def play_until(stop: asyncio.Event, store: Store, table: Stored) -> None:
    """Make moves one after the other until told to stop, at least up to revision 10."""
    while not stop.is_set() or table.row.revision < 10:
        table = await move(store, table)


def whole_journal(file: Path) -> int:
    """The revision of the only table in a database; checks that its journal has as many lines."""
    with closing(sqlite3.connect(file)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        (revision,) = db.execute("SELECT revision FROM tables").fetchone()
        assert db.execute("SELECT count(*), max(number) FROM journal").fetchone() == (
            revision,
            revision,
        )
    return int(revision)


async def test_a_slow_backup_holds_up_no_move(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await started(store)
    moved = threading.Event()
    monkeypatch.setattr(
        "data.store.sqlite.copy_database", lambda *_: moved.wait(20) or pytest.fail("late")
    )
    backup = asyncio.create_task(store.backup(tmp_path / "copy"))
    await move(store, table)
    moved.set()
    await backup


async def test_a_backup_never_overwrites(store: Store, file: Path, tmp_path: Path) -> None:
    target = tmp_path / "letter.txt"
    write(target, "Dear Ada")
    for existing in (target, file):
        with pytest.raises(BackupExists, match="never overwrites"):
            await store.backup(existing)
    assert read(target) == "Dear Ada"
    await started(store)


def write(file: Path, text: str) -> None:
    file.write_text(text)


def read(file: Path) -> str:
    return file.read_text()


async def test_a_backup_needs_a_directory(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreUnwritable):
        await store.backup(tmp_path / "nowhere" / "copy.sqlite3")


async def test_a_failed_backup_leaves_no_file(tmp_path: Path) -> None:
    source = tmp_path / "notes.txt"
    write(source, "Once upon a time\n" * 100)
    assert main([str(tmp_path / "copy"), "--database", str(source)]) == 1
    assert files_named(tmp_path, "") == ["notes.txt"]


@pytest.mark.full
async def test_the_command_copies_a_database_in_use(
    store: Store, file: Path, tmp_path: Path
) -> None:
    table = await move(store, await started(store))
    for expected in (0, 1):
        assert backup_command(file, tmp_path / "copy").returncode == expected
    assert whole_journal(tmp_path / "copy") == table.row.revision


def backup_command(database: Path, target: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "data.backup", str(target)],
        env={"TAFELRUNDE_DATABASE": str(database)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_says_what_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TAFELRUNDE_DATABASE", raising=False)
    assert main(["copy"]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("Database tafelrunde.sqlite3: The file cannot be opened")
    assert told.err.count("\n") == 1
    assert files_named(tmp_path, "") == []


def test_the_command_knows_the_settings_of_the_bot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TAFELRUNDE_DATABASE", raising=False)
    Path(".env").write_text("TAFELRUNDE_DATABASE=elsewhere.sqlite3\n", "utf-8")
    assert main(["copy"]) == 1
    assert capsys.readouterr().err.startswith("Database elsewhere.sqlite3: ")


def test_a_backup_of_a_closed_store_leaves_no_journals(tmp_path: Path) -> None:
    file = tmp_path / "house.sqlite3"

    async def make() -> None:
        store = await Store.open(file)
        await started(store)
        await store.close()

    asyncio.run(make())
    before = file.read_bytes()
    assert main([str(tmp_path / "copy"), "--database", str(file)]) == 0
    assert files_named(tmp_path, "") == ["copy", "house.sqlite3"]
    assert file.read_bytes() == before
    assert whole_journal(tmp_path / "copy") == 3


def test_a_text_is_not_reported_as_a_damaged_database(tmp_path: Path) -> None:
    source = tmp_path / "notes.txt"
    source.write_text("Once upon a time\n" * 100)
    with pytest.raises(ForeignFile):
        copy_database(source, tmp_path / "copy")
