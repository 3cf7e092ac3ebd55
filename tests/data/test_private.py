"""Only the owner can read files with secrets, and the bot finds files that others can read."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from data.backup import main
from data.private import create_private, open_to_others, with_companions
from data.restore import restore
from data.store.store import Store
from tests.data.later import NEWEST, NEXT, know
from tests.data.samples import started

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")


@pytest.fixture(autouse=True)
def careless() -> Iterator[None]:
    """Set a umask that removes no permission."""
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    """The permissions of a directory's files in octal."""
    return {path.name: f"{path.stat().st_mode & 0o777:o}" for path in folder.iterdir()}


async def test_a_new_database_is_private_with_its_journals_and_backups(
    file: Path, tmp_path: Path
) -> None:
    store = await Store.open(file)
    await started(store)
    await store.backup(tmp_path / "copy.sqlite3")
    assert main([str(tmp_path / "by_command"), "--database", str(file)]) == 0
    private = ["by_command", "copy.sqlite3", *(file.name + end for end in ("", "-shm", "-wal"))]
    found = modes(tmp_path)
    assert found.keys() >= set(private)
    assert set(found.values()) == {"600"}
    await store.close()


async def test_the_backup_before_an_upgrade_is_private(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await Store.open(file)).close()
    await asyncio.to_thread(file.chmod, 0o644)
    know(monkeypatch, NEXT)
    await (await Store.open(file)).close()
    assert modes(tmp_path) == {file.name: "644", f"{file.name}.v{NEWEST}.backup": "600"}
    assert open_to_others(with_companions(file)) == [file]


async def test_a_restored_database_is_private(file: Path, tmp_path: Path) -> None:
    store = await Store.open(file)
    await started(store)
    copy, journal = tmp_path / "copy", tmp_path / f"{file.name}-wal"
    await store.backup(copy)
    left = journal.read_bytes()
    await store.close()
    journal.write_bytes(left)  # as after a kill
    for path in (file, copy, journal):
        path.chmod(0o644)
    aside = restore(copy, file)
    assert aside is not None
    assert modes(tmp_path) == {
        "copy": "644",
        file.name: "600",
        aside.name: "600",
        f"{aside.name}-wal": "600",
    }


def test_a_private_file_never_replaces_another(tmp_path: Path) -> None:
    file = tmp_path / "letter"
    file.write_text("Dear Ada")
    file.chmod(0o640)
    with pytest.raises(FileExistsError):
        create_private(file)
    assert (file.read_text(), modes(tmp_path)) == ("Dear Ada", {"letter": "640"})


@pytest.mark.parametrize(
    ("mode", "told"),
    [(0o600, False), (0o400, False), (0o640, True), (0o604, True), (0o602, True), (0o666, True)],
)
def test_files_open_to_others_are_found(mode: int, told: bool, tmp_path: Path) -> None:
    file = tmp_path / ".env"
    file.touch()
    file.chmod(mode)
    assert open_to_others([file, tmp_path, tmp_path / "missing"]) == [file] * told


def test_files_next_to_a_database_are_recognised_by_name(file: Path, tmp_path: Path) -> None:
    beside = [file.name + end for end in ("", "-shm", "-wal", ".v1.backup")]
    for name in (*beside, "house.sqlite30", "house"):
        (tmp_path / name).touch()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "link").symlink_to(file)
    assert with_companions(elsewhere / "link") == sorted(tmp_path / name for name in beside)


def test_a_database_in_no_directory_is_left_to_the_store(tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "house.sqlite3"
    assert open_to_others(with_companions(file)) == []
