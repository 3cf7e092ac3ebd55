"""A backup is restored completely, and the files it replaces are kept."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from data.backup import main as back_up
from data.restore import main, restore
from data.store.problems import (
    DamagedFile,
    ForeignFile,
    ForeignJournal,
    NewerSchema,
    RestoredFromItself,
    StoreBusy,
    StoreTaken,
    StoreUnwritable,
)
from data.store.store import Store
from tests.data.samples import move, started
from tests.data.test_store_opening import contents_of, held_by_another, untouched
from tests.data.test_store_safety import kill, program, revision_of

ROOT = Path(__file__).parents[2]

DYING = """
async def main():
    store = await Store.open(sys.argv[1])
    await append_until_refused(store, await only(store))

asyncio.run(main())
"""


@pytest.fixture
async def copy(file: Path, tmp_path: Path) -> Path:
    """A backup of one match after three journal lines; the database has moved on since."""
    target = tmp_path / "elsewhere" / "copy.sqlite3"
    make_folder(target.parent)
    store = await Store.open(file)
    table = await started(store)
    await store.backup(target)
    await move(store, table)
    await store.close()
    return target


def die_writing(file: Path, moves: int) -> None:
    """Kill a bot after this many moves, so that its journal stays next to the database."""
    kill(program(DYING, file), moves, 0)
    remove(file.with_name(f"{file.name}-lock"))  # whatever claims the database next would delete it


def remove(file: Path) -> None:
    file.unlink()


def make_folder(folder: Path) -> None:
    folder.mkdir()


def write_over(file: Path, copy: Path) -> None:
    """Copy a file over another one, as an operator might do instead of using the command."""
    file.write_bytes(copy.read_bytes())


def named(folder: Path, ending: str = "") -> list[str]:
    """The names of a directory's files with this ending."""
    return sorted(p.name for p in folder.iterdir() if p.is_file() and p.name.endswith(ending))


@pytest.mark.full
async def test_a_stale_journal_does_not_harm_a_restored_database(file: Path, copy: Path) -> None:
    die_writing(file, 40)
    assert f"{file.name}-wal" in named(file.parent)
    before = contents_of(file.parent)
    aside = restore(copy, file)
    assert aside is not None
    # Every file is kept byte by byte, and together they open as the old database.
    after = contents_of(file.parent)
    for part in ("", "-wal", "-shm"):
        assert after[f"{aside.name}{part}"] == before[f"{file.name}{part}"]
    assert await revision_of(file) == 3
    assert await revision_of(aside) >= 4 + 40


@pytest.mark.full
async def test_a_copy_next_to_a_stale_journal_is_refused(file: Path, copy: Path) -> None:
    """The bot changes neither, and following the advice in its error works."""
    die_writing(file, 40)
    write_over(file, copy)
    with untouched(file), pytest.raises(ForeignJournal, match=r"python -m data\.restore COPY"):
        await Store.open(file)
    target = file.with_name("second.copy")
    with untouched(file):
        assert back_up([str(target), "--database", str(file)]) == 1
    moved = file.with_name("moved.sqlite3")
    write_over(moved, file)
    remove(file)
    restore(moved, file)
    assert await revision_of(file) == 3


async def test_a_missing_database_is_restored(file: Path, copy: Path) -> None:
    remove(file)
    assert restore(copy, file) is None
    assert named(file.parent) == [file.name]
    assert await revision_of(file) == 3


async def test_nothing_set_aside_is_ever_overwritten(file: Path, copy: Path) -> None:
    link = file.with_name("link.sqlite3")
    link.symlink_to(file)
    asides = [restore(copy, path) for path in (file, link, file)]
    stem = f"{file.name}-replaced-{datetime.now(UTC):%Y-%m-%d}"
    assert [path and path.name for path in asides] == [stem, f"{stem}.2", f"{stem}.3"]
    assert [await revision_of(path) for path in asides if path] == [4, 3, 3]
    assert link.is_symlink()
    assert await revision_of(link) == 3


async def test_the_owner_alone_may_read_what_is_restored(file: Path, copy: Path) -> None:
    restore(copy, file)
    assert permissions(file) == 0o600


def permissions(file: Path) -> int:
    return file.stat().st_mode & 0o777


# -------------------------------------------------------------------------------- refused
def damage(copy: Path) -> None:
    """Destroy all pages except the first."""
    content = copy.read_bytes()
    copy.write_bytes(content[:4096] + os.urandom(len(content) - 4096))


def loosen_index(copy: Path) -> None:
    """Add an index that lacks rows, which only a thorough check notices."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("CREATE INDEX loose ON journal (number) WHERE number < 0")
        db.execute(
            "UPDATE sqlite_master SET sql = replace(sql, ' WHERE number < 0', '')"
            " WHERE name = 'loose'"
        )


def make_newer(copy: Path) -> None:
    """Mark the file as one of a later version."""
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        db.execute("PRAGMA user_version = 9999")


def make_blank(copy: Path) -> None:
    """Replace the file with an empty database."""
    copy.unlink()
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        db.execute("PRAGMA user_version = 1")
        db.execute("PRAGMA user_version = 0")


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (damage, DamagedFile),
        (loosen_index, DamagedFile),
        (make_newer, NewerSchema),
        (make_blank, ForeignFile),
        (lambda copy: copy.write_bytes(b""), ForeignFile),
        (lambda copy: copy.write_text("Once upon a time\n" * 400), ForeignFile),
        (lambda copy: copy.unlink(), StoreUnwritable),
        (lambda copy: copy.with_name("copy.sqlite3-wal").write_bytes(b"x"), ForeignJournal),
    ],
)
async def test_an_unfit_copy_is_refused(
    file: Path, copy: Path, spoil: Callable[[Path], object], problem: type[Exception]
) -> None:
    spoil(copy)
    with untouched(copy), untouched(file), pytest.raises(problem):
        restore(copy, file)


async def test_a_database_is_not_restored_from_itself(file: Path, copy: Path) -> None:
    with untouched(file), pytest.raises(RestoredFromItself):
        restore(file, file)


async def test_a_running_bot_is_not_robbed_of_its_database(file: Path, copy: Path) -> None:
    store = await Store.open(file)
    try:
        with pytest.raises(StoreTaken, match="Stop that bot first"):
            restore(copy, file, patience=0)
        [table_id] = await store.tables.open_ids()
        await move(store, (await store.tables.load(table_id)).stored)
    finally:
        await store.close()
    assert await revision_of(file) == 5


WATCHER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("SELECT * FROM tables").fetchall()
print("locked", flush=True)
sys.stdin.read()
"""


async def test_no_program_keeps_a_replaced_database_open(file: Path, copy: Path) -> None:
    """Programs without claims, such as an older bot, are detected as well."""
    with held_by_another(WATCHER, file), pytest.raises(StoreBusy):
        restore(copy, file)
    restore(copy, file)
    assert await revision_of(file) == 3


@pytest.mark.full
async def test_a_restore_that_fails_midway_puts_everything_back(
    file: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    die_writing(file, 5)
    rename = Path.rename

    def fail(path: Path, target: Path) -> Path:
        if target == file and "restoring" in path.name:
            raise PermissionError(13, "Permission denied")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", fail)
    before = contents_of(file.parent)
    with pytest.raises(StoreUnwritable):
        restore(copy, file)
    assert contents_of(file.parent) == before


# -------------------------------------------------------------------------------- command
@pytest.mark.full
async def test_the_command_restores_the_database_of_the_settings(file: Path, copy: Path) -> None:
    done = restore_command(file, copy)
    assert (done.returncode, done.stderr) == (0, "")
    first, second = done.stdout.splitlines()
    assert first == f"{file}: restored from {copy}"
    assert second == f"{file}-replaced-{datetime.now(UTC):%Y-%m-%d}: what was there before"
    assert await revision_of(file) == 3


def restore_command(database: Path, copy: Path) -> subprocess.CompletedProcess[str]:
    """Run the command as an operator would."""
    return subprocess.run(
        [sys.executable, "-m", "data.restore", str(copy)],
        env={"TAFELRUNDE_DATABASE": str(database)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


async def test_the_command_says_what_is_wrong(
    file: Path, copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(copy)
    assert main([str(copy), "--database", str(file)]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"Database {copy}: The file is damaged.")
    assert told.err.count("\n") == 1
