"""Old databases are brought up to date, after a backup, wholly or not at all."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from data.store.access import Database
from data.store.marks import mark_of
from data.store.migrate import MIGRATIONS, Migration, open_database, read_migrations
from data.store.problems import DamagedFile, StoreBusy
from data.store.rows import Status, Stored
from data.store.store import Store
from tests.data.samples import DUMPS, GUEST, HOST, move, restored

NEWEST = len(read_migrations())


def schema(db: sqlite3.Connection) -> list[tuple[object, ...]]:
    """What a database consists of, apart from its content."""
    return [
        tuple(row) for row in db.execute("SELECT type, name, sql FROM sqlite_master ORDER BY 2")
    ]


def version(file: Path) -> int:
    """The version that a file is marked with."""
    with closing(sqlite3.connect(file)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


CODES = ("K7Q2", "M3X9", "T4WD")
"""The tables of the dumps: running, finished, and waiting in its lobby."""


# ------------------------------------------------------------------ the true migrations
def test_there_is_a_dump_of_every_version() -> None:
    """A new migration comes with a dump of a database of the new version."""
    dumps = {path.name for path in DUMPS.glob("*.sql")}
    assert dumps == {f"version_{number}.sql" for number in range(1, NEWEST + 1)}


@pytest.mark.parametrize("old", range(1, NEWEST + 1))
async def test_a_file_of_every_version_is_brought_up_to_date(old: int, file: Path) -> None:
    """A used database of any version opens with all its content and takes the next move."""
    store = await Store.open(restored(old, file))
    ids = [await store.tables.id_of(code) for code in ("K7Q2", "M3X9")]
    running, finished = [(await store.tables.load(table_id)).stored for table_id in ids]
    assert (running.row.status, running.row.options) == (
        Status.RUNNING,
        {"komi": 7, "seating": "lot"},
    )
    result = {"ranks": [2, 1], "by_people": True}
    assert (finished.row.status, finished.row.result) == (Status.FINISHED, result)
    assert [member.person_id for member in running.members] == [HOST, GUEST, None]
    assert played(running) == ["deal:3", "K4"]
    told, messages = await store.messages.all_of(running.row.id)
    standing = {row.message_id: key for key, row in messages.items()}
    assert (standing[81], standing[82]) == ("board:0", f"hand:{GUEST}:0")
    assert told < running.row.revision
    assert (await store.settings.server(900)).channels == (500, 501)
    guest = await store.settings.person(GUEST)
    assert (guest.dm_closed, guest.dm_channel) == (True, 600)
    rated = await store.standings.of_person(HOST, 900)
    assert (rated["lancelot"].row.won, rated["lancelot"].place) == (1, 1)
    assert await store.standings.recompute() == 0
    await move(store, running)
    await store.close()
    assert version(file) == NEWEST


@pytest.mark.parametrize("old", range(3, NEWEST + 1))
async def test_who_was_sent_away_stays_away(old: int, file: Path) -> None:
    """By a mark in place of the number; what was wanted at tables that are over is gone."""
    with closing(sqlite3.connect(restored(old, file))) as db, db:
        if old < 8:
            db.execute("INSERT INTO hurried VALUES (2, 102)")
            db.execute("INSERT INTO barred VALUES (2, 103)")
    store = await Store.open(file)
    ids = [await store.tables.id_of(code) for code in ("K7Q2", "M3X9", "T4WD")]
    running, over, parked = [(await store.tables.load(number)).stored for number in ids]
    assert parked.barred == {mark_of("T4WD", 103)}
    assert (over.hurried, over.barred) == (frozenset(), frozenset())
    assert running.hurried == {102}
    await store.close()


@pytest.mark.parametrize("old", range(1, NEWEST + 1))
async def test_the_middle_level_keeps_its_strength(old: int, file: Path) -> None:
    """Up to version 12 it was called "player"; no other level changes."""
    with closing(sqlite3.connect(restored(old, file))) as db, db:
        if old < 13:
            db.execute("UPDATE members SET level = 'player' WHERE level IS NOT NULL")
    store = await Store.open(file)
    running = (await store.tables.load(await store.tables.id_of("K7Q2"))).stored
    await store.close()
    levels = [member.level for member in running.members if member.level is not None]
    assert levels == (["skilled"] if old < 13 else ["strong"])


@pytest.mark.parametrize("old", range(1, 9))
async def test_matches_keep_their_seed_and_lobbies_get_a_secret(old: int, file: Path) -> None:
    """What has started goes on as version 1 of fairness; what has not will draw its seed anew."""
    store = await Store.open(restored(old, file))
    rows = [(await store.tables.load(await store.tables.id_of(c))).stored.row for c in CODES]
    await store.close()
    begun = [(row.seed, row.secret) for row in rows if row.players is not None]
    waiting = [(row.seed, row.secret) for row in rows if row.players is None]
    assert begun == [("5eed", None)] * 2
    assert len(waiting) == 1
    for seed, secret in waiting:
        assert (seed, len(secret or "")) == ("", 64)


def played(table: Stored) -> list[str]:
    """The moves and draws that stand."""
    lines: dict[int, str] = {}
    for line in table.journal:
        if line.kind in {"move", "draw"}:
            lines[line.number] = line.text
        elif line.kind == "undo":
            for number in json.loads(line.text)["out"]:
                del lines[number]
    return list(lines.values())


@pytest.mark.parametrize("old", range(1, NEWEST + 1))
def test_an_upgraded_file_is_built_like_a_new_one(old: int, tmp_path: Path) -> None:
    """Whichever version a file began with, its schema ends up the same."""
    migrations = read_migrations()
    with (
        closing(open_database(restored(old, tmp_path / "old"), migrations)) as upgraded,
        closing(open_database(tmp_path / "new", migrations)) as new,
    ):
        assert schema(upgraded) == schema(new)


def test_the_scripts_are_in_the_order_of_their_numbers() -> None:
    """The shipped migrations are numbered 1, 2, 3... and contain something."""
    migrations = read_migrations(MIGRATIONS)
    assert [migration.version for migration in migrations] == list(range(1, NEWEST + 1))
    assert all(sqlite3.complete_statement(migration.script) for migration in migrations)


@pytest.mark.parametrize("names", [["0002_second.sql"], ["0001_a.sql", "0001_b.sql"]])
def test_numbers_without_order_are_refused(tmp_path: Path, names: list[str]) -> None:
    """A missing or doubled number is a mistake that no file should suffer from."""
    for name in names:
        (tmp_path / name).write_text("SELECT 1;")
    with pytest.raises(ValueError, match="numbered without gaps"):
        read_migrations(tmp_path)


# ------------------------------------------------------------------- imagined migrations
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
    """The names of all files in the database's directory but its own."""
    return sorted(path.name for path in file.parent.iterdir() if path != file)


def knights(file: Path) -> list[tuple[object, ...]]:
    """All knights in a file."""
    with closing(sqlite3.connect(file)) as db:
        return db.execute("SELECT * FROM knights").fetchall()


def test_missing_migrations_run_in_order(old_file: Path) -> None:
    """Each migration that a file lacks runs once, and the content stays."""
    with closing(open_database(old_file, [FIRST, SECOND, REBUILDING])) as db:
        assert [tuple(row) for row in db.execute("SELECT * FROM knights")] == [(5, "Lancelot", 1)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        assert db.execute("PRAGMA foreign_keys").fetchone()[0] == 1
    assert version(old_file) == 3
    with closing(open_database(old_file, [FIRST, SECOND, REBUILDING])) as db:
        assert db.execute("SELECT count(*) FROM knights").fetchone()[0] == 1


def test_what_a_script_cannot_do_a_function_does(old_file: Path) -> None:
    """It runs after its script, in the same transaction."""
    with closing(open_database(old_file, [FIRST, SECOND, REBUILDING, MOVING])) as db:
        assert [tuple(row) for row in db.execute("SELECT * FROM deeds")] == [(5, "the cart")]
    assert version(old_file) == 4


def test_a_failing_function_changes_nothing(old_file: Path) -> None:
    """What the scripts and functions before it have done is undone."""

    def fail(db: Database) -> None:
        db.execute("DROP TABLE quests")
        raise KeyError("quests")

    before = old_file.read_bytes()
    with pytest.raises(KeyError):
        open_database(old_file, [FIRST, replace(SECOND, transform=fail)])
    assert old_file.read_bytes() == before
    assert names_beside(old_file) == []


def test_a_trigger_is_one_statement(old_file: Path) -> None:
    """A statement that contains semicolons is not torn apart."""
    with closing(open_database(old_file, [FIRST, SECOND])) as db:
        db.execute("INSERT INTO knights (id, name) VALUES (6, 'Iwein')")
        assert db.execute("SELECT seat FROM knights WHERE id = 6").fetchone()[0] == 6
        assert db.execute("SELECT goal FROM quests WHERE knight = 6").fetchone()[0] == "the Grail"


def test_the_old_file_is_kept_before_an_upgrade(old_file: Path) -> None:
    """A backup of the old version lies beside the upgraded file, and still opens as such."""
    open_database(old_file, [FIRST, SECOND]).close()
    backup = old_file.with_name("house.sqlite3.v1.backup")
    assert names_beside(old_file) == [backup.name]
    assert version(backup) == 1
    assert knights(backup) == [(5, "Lancelot")]
    open_database(backup, [FIRST]).close()


def test_no_backup_is_made_without_need(file: Path) -> None:
    """A new file and one that is up to date are not backed up."""
    for _ in range(2):
        open_database(file, [FIRST, SECOND]).close()
    assert names_beside(file) == []


def test_an_older_backup_is_not_overwritten(old_file: Path) -> None:
    """If there is a backup of that name from before, the new one is numbered."""
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
    """If the last of several migrations fails, none has happened, and no backup is left."""
    before = old_file.read_bytes()
    with pytest.raises(sqlite3.OperationalError):
        open_database(old_file, [FIRST, SECOND, Migration(3, script)])
    assert old_file.read_bytes() == before
    assert names_beside(old_file) == []
    open_database(old_file, [FIRST]).close()


def test_a_migration_that_loses_a_row_changes_nothing(old_file: Path) -> None:
    """Rows that refer to a row which the migration removed are noticed in time."""
    with pytest.raises(DamagedFile, match="refers to one that is missing"):
        open_database(old_file, [FIRST, Migration(2, "DELETE FROM knights;")])
    assert knights(old_file) == [(5, "Lancelot")]
    assert version(old_file) == 1


def test_an_upgrade_does_not_wait_for_ever(old_file: Path) -> None:
    """While another program writes to the file, the upgrade is refused and changes nothing."""
    with closing(sqlite3.connect(old_file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            open_database(old_file, [FIRST, SECOND], patience=0.05)
        other.execute("ROLLBACK")
    assert version(old_file) == 1
    assert names_beside(old_file) == []
