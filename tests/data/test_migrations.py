"""Old databases are upgraded after a backup, completely or not at all."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from data.store.access import Database
from data.store.migrate import MIGRATIONS, Migration, open_database, read_migrations
from data.store.place import Place
from data.store.problems import DamagedFile, StoreBusy
from data.store.store import Store
from tests.data.later import AFTER_NEXT, NEWEST, NEXT, know
from tests.data.samples import move
from tests.data.test_privacy import fill
from tests.stores import cells


def schema(db: sqlite3.Connection) -> list[tuple[object, ...]]:
    """The schema of a database, without its content."""
    return [
        tuple(row) for row in db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY 2")
    ]


def version(file: Path) -> int:
    with closing(sqlite3.connect(file)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


# ------------------------------------------------------------------ the real migrations
async def test_a_used_database_is_brought_up_to_date(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await Store.open(place)
    played = await fill(store)
    await store.close()
    before = {row for row in cells(place) if row[0] != "followers"}
    know(monkeypatch, NEXT, AFTER_NEXT)
    store = await Store.open(place)
    assert before <= set(cells(place))
    assert (await store.tables.load(played.row.id)).stored == played
    moods = await store.database.fetch("SELECT mood FROM moods ORDER BY table_id")
    assert [mood for (mood,) in moods] == ["long", "long"]
    await move(store, played)
    assert await store.standings.recompute() == 0
    await store.close()
    await (await Store.open(place)).close()


async def test_an_upgraded_file_is_built_like_a_new_one(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await (await Store.open(file)).close()
    know(monkeypatch, NEXT, AFTER_NEXT)
    for path in (file, new := file.with_name("new")):
        await (await Store.open(path)).close()
    with closing(sqlite3.connect(file)) as upgraded, closing(sqlite3.connect(new)) as fresh:
        assert schema(upgraded) == schema(fresh)
    assert version(file) == version(new) == NEWEST + 2
    assert version(file.with_name(f"{file.name}.v{NEWEST}.backup")) == NEWEST


def test_the_scripts_are_in_the_order_of_their_numbers() -> None:
    """Each script ends with a complete statement."""
    migrations = read_migrations(MIGRATIONS)
    assert [migration.version for migration in migrations] == list(range(1, NEWEST + 1))
    assert all(sqlite3.complete_statement(migration.script) for migration in migrations)


@pytest.mark.parametrize("names", [["0002_second.sql"], ["0001_a.sql", "0001_b.sql"]])
def test_numbers_without_order_are_refused(tmp_path: Path, names: list[str]) -> None:
    for name in names:
        (tmp_path / name).write_text("SELECT 1;")
    with pytest.raises(ValueError, match="numbered without gaps"):
        read_migrations(tmp_path)


# ------------------------------------------------------------------- invented migrations
FIRST = Migration(
    1,
    """
    CREATE TABLE knights (id INTEGER PRIMARY KEY, name TEXT NOT NULL);  -- of the round table
    CREATE TABLE quests (knight INTEGER REFERENCES knights (id), goal TEXT);
    """,
)
SECOND = Migration(
    2,
    """
    ALTER TABLE knights ADD COLUMN seat INTEGER;
    CREATE TRIGGER seated AFTER INSERT ON knights BEGIN
        UPDATE knights SET seat = new.id WHERE id = new.id; -- one statement; not the last
        INSERT INTO quests VALUES (new.id, 'the Grail');
    END;
    UPDATE knights SET seat = 1
    """,
)


def _move_quests(db: Database) -> None:
    db.execute("INSERT INTO deeds SELECT * FROM quests")
    db.execute("DROP TABLE quests")


MOVING = Migration(
    4,
    "CREATE TABLE deeds (knight INTEGER, goal TEXT);",
    _move_quests,
)
REBUILDING = Migration(
    3,
    """
    CREATE TABLE new_knights (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, seat INTEGER);
    INSERT INTO new_knights SELECT * FROM knights;
    DROP TABLE knights;
    ALTER TABLE new_knights RENAME TO knights;
    """,
)


@pytest.fixture
def old_file(file: Path) -> Path:
    """A database of version 1 with a knight on a quest."""
    with closing(open_database(file, [FIRST])) as db:
        db.execute("INSERT INTO knights VALUES (5, 'Lancelot')")
        db.execute("INSERT INTO quests VALUES (5, 'the cart')")
    return file


def names_beside(file: Path) -> list[str]:
    """The names of all other files in the database's directory."""
    return sorted(path.name for path in file.parent.iterdir() if path != file)


def knights(file: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as db:
        return db.execute("SELECT * FROM knights").fetchall()


def test_missing_migrations_run_in_order(old_file: Path) -> None:
    with closing(open_database(old_file, [FIRST, SECOND, REBUILDING])) as db:
        assert [tuple(row) for row in db.execute("SELECT * FROM knights")] == [(5, "Lancelot", 1)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        assert db.execute("PRAGMA foreign_keys").fetchone()[0] == 1
    assert version(old_file) == 3
    with closing(open_database(old_file, [FIRST, SECOND, REBUILDING])) as db:
        assert db.execute("SELECT count(*) FROM knights").fetchone()[0] == 1


def test_a_function_does_what_a_script_cannot(old_file: Path) -> None:
    """A migration's function runs after its script."""
    with closing(open_database(old_file, [FIRST, SECOND, REBUILDING, MOVING])) as db:
        assert [tuple(row) for row in db.execute("SELECT * FROM deeds")] == [(5, "the cart")]
    assert version(old_file) == 4


def test_a_failing_function_changes_nothing(old_file: Path) -> None:
    def fail(db: Database) -> None:
        db.execute("DROP TABLE quests")
        raise KeyError("quests")

    before = old_file.read_bytes()
    with pytest.raises(KeyError):
        open_database(old_file, [FIRST, replace(SECOND, transform=fail)])
    assert old_file.read_bytes() == before
    assert names_beside(old_file) == []


def test_a_trigger_is_one_statement(old_file: Path) -> None:
    with closing(open_database(old_file, [FIRST, SECOND])) as db:
        db.execute("INSERT INTO knights (id, name) VALUES (6, 'Iwein')")
        assert db.execute("SELECT seat FROM knights WHERE id = 6").fetchone()[0] == 6
        assert db.execute("SELECT goal FROM quests WHERE knight = 6").fetchone()[0] == "the Grail"


def test_the_old_file_is_kept_before_an_upgrade(old_file: Path) -> None:
    open_database(old_file, [FIRST, SECOND]).close()
    backup = old_file.with_name("house.sqlite3.v1.backup")
    assert names_beside(old_file) == [backup.name]
    assert version(backup) == 1
    assert knights(backup) == [(5, "Lancelot")]
    open_database(backup, [FIRST]).close()


def test_no_backup_is_made_without_need(file: Path) -> None:
    for _ in range(2):
        open_database(file, [FIRST, SECOND]).close()
    assert names_beside(file) == []


def test_an_older_backup_is_not_overwritten(old_file: Path) -> None:
    earlier = old_file.with_name("house.sqlite3.v1.backup")
    earlier.write_text("precious")
    open_database(old_file, [FIRST, SECOND]).close()
    assert names_beside(old_file) == ["house.sqlite3.v1.2.backup", earlier.name]
    assert earlier.read_text() == "precious"


@pytest.mark.parametrize(
    "script",
    ["INSERT INTO quests VALUES (5, 'x');\nINSERT INTO nowhere VALUES (1);", "CREATE TABL"],
)
def test_a_failing_migration_changes_nothing(old_file: Path, script: str) -> None:
    before = old_file.read_bytes()
    with pytest.raises(sqlite3.OperationalError):
        open_database(old_file, [FIRST, SECOND, Migration(3, script)])
    assert old_file.read_bytes() == before
    assert names_beside(old_file) == []
    open_database(old_file, [FIRST]).close()


def test_a_migration_that_loses_a_row_changes_nothing(old_file: Path) -> None:
    with pytest.raises(DamagedFile, match="refers to one that is missing"):
        open_database(old_file, [FIRST, Migration(2, "DELETE FROM knights;")])
    assert knights(old_file) == [(5, "Lancelot")]
    assert version(old_file) == 1


def test_an_upgrade_does_not_wait_for_ever(old_file: Path) -> None:
    with closing(sqlite3.connect(old_file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            open_database(old_file, [FIRST, SECOND], patience=0.05)
        other.execute("ROLLBACK")
    assert version(old_file) == 1
    assert names_beside(old_file) == []
