"""A database on a PostgreSQL server: everything that cannot happen with a file."""

from __future__ import annotations

import asyncio
import random
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest
from psycopg_pool import ConnectionPool
from structlog.testing import capture_logs

from data import backup, forget, ratings, restore
from data.settings import StoreSettings
from data.store.access import Access, Database
from data.store.leases import OLDER, WHOLE, query
from data.store.migrate import TRANSFER, Migration, oldest_beside, read_migrations
from data.store.place import Server
from data.store.postgres import PostgreSQL, bring_up_to_date, connected
from data.store.problems import (
    CommitUnknown,
    DamagedDatabase,
    DriverMissing,
    ForeignDatabase,
    NewerSchema,
    NoDatabase,
    OlderRunning,
    ServerFull,
    ServerUnreachable,
    ServerUnwritable,
    StoreProblem,
    StoreTaken,
    TransferUnfinished,
    UnreleasedSchema,
)
from data.store.rows import Stored
from data.store.shards import ALL, shards_of
from data.store.store import Store
from tests.data.later import AFTER_NEXT, NEWEST, NEXT
from tests.data.samples import GUEST, HOST, move, started
from tests.postgres import TestServer, shared_server
from tests.stores import looking_into, schema

pytestmark = pytest.mark.slow("server")

LOCKS = """SELECT pid FROM pg_locks WHERE locktype = 'advisory'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"""
"""A query for the processes with a lock on the database."""

CUT_ALL = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""


@pytest.fixture
def place() -> Iterator[Server]:
    """A database with empty tables."""
    with shared_server().house() as house:
        yield house


@pytest.fixture
def bare() -> Iterator[Server]:
    """A database without tables."""
    with shared_server().bare() as bare:
        yield bare


@pytest.fixture(scope="module")
def own_server() -> Iterator[TestServer]:
    """A server for this module alone, so that its tests can stop it."""
    with TemporaryDirectory(prefix="tafelrunde-own-") as folder:
        server = TestServer(Path(folder) / "data")
        yield server
        server.remove()


async def journal_of(store: Store, table: Stored) -> list[str]:
    """The texts of all moves at a table; checks that its journal has no gaps."""
    stored = (await store.tables.load(table.row.id)).stored
    assert [line.number for line in stored.journal] == [*range(1, stored.row.revision + 1)]
    return [line.text for line in stored.journal if line.kind == "move"]


# -------------------------------------------------------------------------------- opening
def test_the_setting_names_a_file_or_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """A password in the address is never shown."""
    assert StoreSettings().database == Path("tafelrunde.sqlite3")
    url = "postgresql://ada:hush@house.example:5433/games?sslmode=require"
    monkeypatch.setenv("TAFELRUNDE_DATABASE", url)
    settings = StoreSettings()
    assert settings.database == Server(url)
    assert str(settings.database) == "postgresql://ada@house.example:5433/games"
    assert "hush" not in repr(settings)
    assert str(Server("postgresql:///games?password=hush")) == "postgresql:///games"


async def test_without_the_driver_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The driver is an optional dependency, imported only when needed."""
    monkeypatch.setitem(sys.modules, "data.store.postgres", None)
    with pytest.raises(DriverMissing, match=r"pip install -r requirements/postgres\.txt"):
        await Store.open("postgresql:///games")


async def test_tables_are_made_where_there_are_none(bare: Server, tmp_path: Path) -> None:
    """The migrations for files create the same tables and columns on a server."""
    with pytest.raises(NoDatabase):
        await Store.open(bare, create=False)
    for place in (bare, tmp_path / "house.sqlite3"):
        await (await Store.open(place)).close()
    with looking_into(bare) as server, looking_into(tmp_path / "house.sqlite3") as file:
        assert schema(server) == schema(file)


async def test_stores_that_open_at_once_make_the_tables_once(bare: Server) -> None:
    stores = await asyncio.gather(*(Store.open(bare, alone=False) for _ in range(4)))
    for store in stores:
        assert await store.tables.open_ids() == []
        await store.close()


@pytest.mark.parametrize(
    ("statement", "problem", "told"),
    [
        ("DROP TABLE tafelrunde_schema", ForeignDatabase, "tables of other programs"),
        ("ALTER TABLE tafelrunde_schema RENAME TO tafelrunde", UnreleasedSchema, "8bf0339"),
        ("UPDATE tafelrunde_schema SET version = 9999", NewerSchema, "Update the bot"),
        (f"CREATE TABLE {TRANSFER} (name TEXT)", TransferUnfinished, "again to finish it"),
        ("DROP TABLE ratings", DamagedDatabase, "not those of this bot"),
    ],
)
async def test_an_unusable_database_is_refused(
    place: Server, statement: str, problem: type[StoreProblem], told: str
) -> None:
    with looking_into(place) as db:
        db.execute(statement)
        before = schema(db)
        with pytest.raises(problem, match=told):
            await Store.open(place)
        assert schema(db) == before


def test_a_server_that_starts_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    real, failures = psycopg.connect, iter(range(3))

    def connect(*url: Any, **options: Any) -> Any:
        if next(failures, None) is not None:
            raise psycopg.OperationalError("the database system is starting up")
        return real(*url, **options)

    with shared_server().house() as house:
        monkeypatch.setattr(psycopg, "connect", connect)
        connected(house, patience=60).close()


# ----------------------------------------------------------------------- rolling upgrades
def migrated(place: Server, *more: Migration) -> None:
    """Upgrade a database to a later version, as that version's programs would."""
    with closing(connected(place)) as connection:
        bring_up_to_date(connection, place, [*read_migrations(), *more])


def test_a_migration_declares_which_programs_can_continue() -> None:
    """By default only programs that know the migration may continue; of several migrations, the
    strictest counts.
    """
    assert Migration(7, "CREATE TABLE a (b TEXT);").oldest == 7
    assert Migration(7, "-- oldest: 5\nCREATE TABLE a (b TEXT);").oldest == 5
    assert Migration(7, "CREATE TABLE a (b TEXT); -- oldest: 5").oldest == 7
    assert oldest_beside([NEXT, AFTER_NEXT]) == NEWEST + 1
    assert all(1 <= each.oldest <= each.version for each in read_migrations())


async def test_a_process_continues_with_a_newer_schema(place: Server) -> None:
    """If a newer schema only adds to the old one, an older process may keep running and start
    again, provided that it is one of several.
    """
    running = await Store.open(place, shards=shards_of("0/2"))
    table = await started(running)
    migrated(place, NEXT)
    table = await move(running, table, "K4")
    beside = await Store.open(place, shards=shards_of("1/2"))
    table = await move(beside, table, "G7")
    assert await journal_of(running, table) == ["K4", "G7"]
    cut_all(place)
    table = await move(running, table, "E9")
    for store in (running, beside):
        await store.close()


@pytest.mark.parametrize(
    ("given", "more"),
    [
        ({"shards": shards_of("0/2")}, [AFTER_NEXT]),
        ({"shards": ALL}, []),
        ({"alone": False}, []),
    ],
    ids=["another step", "alone", "a tool"],
)
async def test_a_process_that_cannot_continue_does_not_start(
    place: Server, given: dict[str, Any], more: list[Migration]
) -> None:
    """A process that is behind starts only if it is one of several and a single step behind. A
    transfer, for example, would leave out data that it does not know.
    """
    migrated(place, NEXT, *more)
    with pytest.raises(NewerSchema):
        await Store.open(place, **given)


async def test_a_newer_schema_has_what_the_older_one_needs(place: Server) -> None:
    """A process detects a wrong declaration when it starts."""
    wrong = f"-- oldest: {NEWEST}\nALTER TABLE members DROP COLUMN word;"
    migrated(place, Migration(NEWEST + 1, wrong))
    with pytest.raises(DamagedDatabase):
        await Store.open(place, shards=shards_of("0/2"))


async def test_the_schema_waits_for_processes_that_cannot_continue(place: Server) -> None:
    """While such a process runs, only migrations that it can handle are applied."""
    running = await Store.open(place, shards=shards_of("0/2"))
    with pytest.raises(OlderRunning, match="Stop them all"):
        migrated(place, NEXT, AFTER_NEXT)
    with pytest.raises(OlderRunning):
        migrated(place, Migration(NEWEST + 1, "CREATE TABLE moods (mood TEXT);"))
    migrated(place, NEXT)
    with pytest.raises(OlderRunning):
        migrated(place, NEXT, AFTER_NEXT)
    await started(running)
    await running.close()
    migrated(place, NEXT, AFTER_NEXT)


async def test_programs_from_before_rolling_upgrades_are_not_overtaken(place: Server) -> None:
    """These programs claim the database without saying which version they know."""
    with closing(connected(place)) as connection:
        query(connection, f"SELECT pg_advisory_lock_shared({WHOLE})")
        with pytest.raises(OlderRunning):
            migrated(place, NEXT)
        # A closed connection loses its locks only a moment later.
        query(connection, f"SELECT pg_advisory_unlock_shared({WHOLE})")
    migrated(place, NEXT)


async def test_a_process_that_was_cut_off_checks_the_schema_again(place: Server) -> None:
    running = await Store.open(place, shards=shards_of("0/2"), patience=0.3)
    table = await started(running)
    cut_all(place)
    migrated(place, NEXT, AFTER_NEXT)
    for _ in range(2):
        with pytest.raises(NewerSchema):
            await move(running, table)
    assert not running.database.served.numbers
    async with asyncio.timeout(10):
        # A closed connection loses its locks only a moment later.
        while left_behind(place):  # noqa: ASYNC110 - the server sends no event
            await asyncio.sleep(0.02)
    await running.close()


def left_behind(place: Server) -> list[Any]:
    """The processes that use the database but do not know its schema."""
    with looking_into(place) as db:
        return db.execute(OLDER.replace("%s", str(NEWEST + 2))).fetchall()


async def test_a_refused_connection_gives_the_reason(own_server: TestServer) -> None:
    own_server.admin("CREATE ROLE lodger LOGIN CONNECTION LIMIT 1")
    own_server.admin("CREATE ROLE onlooker LOGIN")
    with own_server.bare() as bare, own_server.house() as house:
        nowhere = Server(own_server.url("nowhere"))
        with pytest.raises(ServerUnreachable, match='"nowhere" does not exist'):
            await Store.open(nowhere, patience=0)
        for place in (bare, house):
            reading = Server(place.url.replace("postgres:@", "onlooker@"))
            with pytest.raises(ServerUnwritable, match="permission denied"):
                await Store.open(reading, alone=False)
        crowded = Server(house.url.replace("postgres:@", "lodger@"))
        with (
            psycopg.connect(crowded.url),
            pytest.raises(ServerUnreachable, match="too many connections"),
        ):
            await Store.open(crowded, patience=0)


# --------------------------------------------------------------------------------- claims
async def test_a_second_bot_is_refused(place: Server) -> None:
    store = await Store.open(place)
    with pytest.raises(StoreTaken, match="A running bot uses it"):
        await Store.open(place, patience=0)
    await (await Store.open(place, alone=False)).close()
    opening = asyncio.create_task(Store.open(place, patience=20))
    await asyncio.sleep(0.1)
    assert not opening.done()
    await store.close()
    await store.close()
    await (await opening).close()


async def test_a_process_that_loses_the_claim_writes_no_more(place: Server) -> None:
    store = await Store.open(place, patience=0.2)
    table = await started(store)
    cut_all(place)
    other = await Store.open(place)
    with pytest.raises(StoreTaken):
        await move(store, table)
    await other.close()
    await move(store, table)
    await store.close()


def cut_all(place: Server) -> int:
    """Close all connections to a database except this one; return how many there were."""
    with psycopg.connect(place.url, autocommit=True) as db:
        return len(db.execute(CUT_ALL).fetchall())


# ----------------------------------------------------------------- trouble during play
async def play(store: Store, table: Stored, moves: int) -> list[str]:
    """Make moves one after the other; return the texts of acknowledged ones."""
    done = []
    for number in range(moves):
        table = await move(store, table, f"K{number}", interaction_id=number)
        done.append(f"K{number}")
    return done


async def test_cut_connections_lose_and_double_nothing(
    place: Server, monkeypatch: pytest.MonkeyPatch, rng: random.Random
) -> None:
    store = await Store.open(place, patience=60)
    table = await started(store)
    cut: list[int] = []
    execute: Any = psycopg.Connection.execute
    numbers, chosen = count(), set(rng.sample(range(150), 12))

    def cutting(self: Any, *given: Any, **named: Any) -> Any:
        if self.info.dbname in place.url and next(numbers) in chosen:
            with closing(psycopg.connect(place.url, autocommit=True)) as db:
                cut.append(len(execute(db, CUT_ALL).fetchall()))
        return execute(self, *given, **named)

    monkeypatch.setattr(psycopg.Connection, "execute", cutting)
    playing = asyncio.create_task(play(store, table, 25))
    while not playing.done():
        await journal_of(store, table)
    done = await playing
    assert await journal_of(store, table) == done
    assert sum(cut) > len(cut) > 6
    await store.close()


async def test_a_connection_that_stays_busy_is_replaced(
    place: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection cut within a pipeline stays open, but refuses every statement."""
    store = await Store.open(place, patience=5)
    table = await started(store)
    execute: Any = psycopg.Connection.execute
    stuck: list[psycopg.Connection[Any]] = []

    def sticking(self: Any, sql: Any, *given: Any, **named: Any) -> Any:
        if not stuck and b"INSERT INTO commits" in sql:
            stuck.append(self)
            self.pgconn.enter_pipeline_mode()
            self.pgconn.send_query_params(b"SELECT 1", None)
        return execute(self, sql, *given, **named)

    monkeypatch.setattr(psycopg.Connection, "execute", sticking)
    assert await play(store, table, 2) == await journal_of(store, table)
    assert stuck[0].closed
    await store.close()


@pytest.mark.parametrize("statement", [b"SET lock_timeout", b"LISTEN"])
async def test_a_connection_that_cannot_be_prepared_is_closed(
    place: Server, monkeypatch: pytest.MonkeyPatch, statement: bytes
) -> None:
    """If a statement fails on a new connection, the listener closes it and connects again the next
    time.
    """
    store = await Store.open(place)
    execute: Any = psycopg.Connection.execute
    refused: list[psycopg.Connection[Any]] = []

    def refusing(self: Any, sql: Any, *given: Any, **named: Any) -> Any:
        here = threading.current_thread().name.startswith("news")  # the pool connects meanwhile
        if here and not refused and statement in (sql if isinstance(sql, bytes) else b""):
            refused.append(self)
            raise psycopg.OperationalError("refused")
        return execute(self, sql, *given, **named)

    monkeypatch.setattr(psycopg.Connection, "execute", refusing)
    with pytest.raises(ServerUnreachable):
        await store.database.backend.hear()
    assert refused[0].closed
    assert await store.database.backend.hear() is None
    await store.close()


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
async def test_a_connection_lost_during_a_commit_is_made_up_for(
    place: Server, monkeypatch: pytest.MonkeyPatch, late: bool
) -> None:
    store = await Store.open(place)
    table = await started(store)
    lose_commits(monkeypatch, late=late, times=2)
    done = await play(store, table, 3)
    assert await journal_of(store, table) == done
    await store.records.add(HOST, "a record", table.row.moved_at)
    assert len(await store.records.of_person(HOST)) == 1
    await store.close()


def lose_commits(monkeypatch: pytest.MonkeyPatch, *, late: bool, times: int) -> None:
    """Lose the connection at the next commits, before or after the server has made them."""
    execute: Any = psycopg.Connection.execute
    left = iter(range(times))

    def losing(self: Any, query: Any, *given: Any, **named: Any) -> Any:
        if query == "COMMIT" and next(left, None) is not None:
            if late:
                execute(self, query)
            self.close()
            raise psycopg.OperationalError("the connection is lost")
        return execute(self, query, *given, **named)

    monkeypatch.setattr(psycopg.Connection, "execute", losing)


@pytest.mark.parametrize("mode", ["fast", "immediate"])
async def test_a_restart_of_the_server_loses_and_doubles_nothing(
    own_server: TestServer, mode: str
) -> None:
    with own_server.house() as house:
        store = await Store.open(house, patience=30)
        table = await started(store)
        playing = asyncio.create_task(play(store, table, 60))
        for _ in range(2):
            await asyncio.sleep(0.1)
            await asyncio.to_thread(own_server.control, "stop", "-m", mode)
            await asyncio.to_thread(own_server.start)
        done = await playing
        assert await journal_of(store, table) == done
        await store.standings.set_unlisted(HOST, True)  # A process that writes has the claim.
        with pytest.raises(StoreTaken):
            await Store.open(house, patience=0)
        await store.close()


async def test_a_server_lost_while_it_is_opened_is_waited_for(
    place: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store then has its claim; without patience, opening fails."""
    lost: list[int] = []

    def prepare(connection: psycopg.Connection[Any], *given: Any, **named: Any) -> None:
        bring_up_to_date(connection, *given, **named)
        if not lost:
            lost.append(connection.info.backend_pid)
            end(place, lost[0])
            connection.execute("SELECT 1")

    monkeypatch.setattr("data.store.postgres.bring_up_to_date", prepare)
    store = await Store.open(place, patience=5)
    assert lost
    with pytest.raises(StoreTaken):
        await Store.open(place, patience=0)
    await store.close()
    await released(place)
    lost.clear()
    with pytest.raises(ServerUnreachable):
        await Store.open(place, patience=0)
    await released(place)
    await (await Store.open(place, patience=0)).close()


async def released(place: Server) -> None:
    """Wait until nobody holds a lock on the database: a closed connection loses its locks only a
    moment later.
    """
    with psycopg.connect(place.url, autocommit=True) as db:
        async with asyncio.timeout(20):
            while query(db, LOCKS):  # noqa: ASYNC110 - the server sends no event
                await asyncio.sleep(0.01)


def end(place: Server, pid: int) -> None:
    """Have the server close a connection."""
    with psycopg.connect(place.url, autocommit=True) as db:
        db.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])


async def test_a_server_that_stays_away_is_reported_once(
    own_server: TestServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log has one line each for reading and writing when the server goes down, and one when it
    is back; no queue builds up meanwhile.
    """
    with own_server.house() as house, capture_logs() as lines:
        store = await Store.open(house, patience=1.2)
        table = await started(store)
        own_server.control("stop", "-m", "fast")
        with pytest.raises(ServerUnreachable, match="Start it, or correct TAFELRUNDE_DATABASE"):
            await move(store, table)
        monkeypatch.setattr(ConnectionPool, "connection", None)  # no request may wait for one
        for _ in range(5):
            with pytest.raises(ServerUnreachable):
                await move(store, table)
            with pytest.raises(ServerUnreachable):
                await store.tables.open_ids()
        monkeypatch.undo()
        own_server.start()
        table = await move(store, table)
        assert await journal_of(store, table) == ["K4"]
        told = [line["event"] for line in lines]
        assert told == ["store_problem", "store_problem", "store_works_again"]
        await store.close()


async def test_an_unknown_outcome_is_not_reported_as_no_change(
    place: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection to the server is lost during a commit, and the server does not come back."""
    store = await Store.open(place, patience=0)
    table = await started(store)
    lose_commits(monkeypatch, late=True, times=1)
    monkeypatch.setattr("data.store.postgres.connected", unreachable)
    with pytest.raises(CommitUnknown, match="to say whether the change was made"):
        await move(store, table)
    monkeypatch.undo()
    assert await journal_of(store, table) == ["K4"]
    await store.close()


def unreachable(*_: object) -> None:
    """Fail as if the server were unreachable."""
    raise psycopg.OperationalError("connection refused")


async def test_a_conflicting_change_is_made_again(place: Server) -> None:
    """If two changes conflict, one is made again, with the result as if it had come second."""
    store, other = [await Store.open(place, alone=False) for _ in range(2)]
    loop, runs = asyncio.get_running_loop(), list[int]()

    def add(db: Database, used_at: int) -> None:
        (found,) = db.execute("SELECT sum(used_at) FROM records").fetchone()
        row = [HOST, "", used_at + (found or 0)]
        db.execute("INSERT INTO records (person_id, text, used_at) VALUES (?, ?, ?)", row)

    def crossed(db: Database) -> None:
        runs.append(1)
        add(db, 1)
        if len(runs) == 1:
            crossing = other.database.write(lambda there: add(there, 2))
            asyncio.run_coroutine_threadsafe(crossing, loop).result(20)

    await store.database.write(crossed)
    records = await store.database.fetch("SELECT used_at FROM records ORDER BY used_at")
    assert [used_at for (used_at,) in records] == [2, 3]
    assert len(runs) == 2
    for each in (store, other):
        await each.close()


async def test_a_pool_of_one_serves_one_after_the_other(place: Server) -> None:
    """A request that waits too long gets an error; the connection stays usable."""
    store = Store(Access(PostgreSQL(place, patience=0.2, alone=False, connections=1)))
    table = await started(store)
    release, holding = threading.Event(), threading.Event()

    def hold(_: Database) -> bool:
        holding.set()
        return release.wait(20)

    slow = asyncio.create_task(store.database.read(hold))
    await asyncio.to_thread(holding.wait, 20)
    with pytest.raises(ServerFull, match="No connection was free"):
        await move(store, table)
    moving = asyncio.create_task(move(store, table))
    release.set()
    assert await slow
    await moving
    assert await journal_of(store, table) == ["K4"]
    await store.close()


async def test_old_marks_are_deleted(place: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the marks of the last hour are kept."""
    monkeypatch.setattr("data.store.postgres.KEPT", 5)
    with looking_into(place) as db:
        db.execute(
            "INSERT INTO commits SELECT n, now() - interval '2 hours' FROM generate_series(1, 9) n"
        )
        store = await Store.open(place)
        assert db.execute("SELECT count(*) FROM commits").fetchone()[0] == 0
        db.execute("INSERT INTO commits VALUES (1, now() - interval '2 hours')")
        table = await started(store)
        for _ in range(5):
            table = await move(store, table)
        await store.close()
        count = "SELECT count(*), count(*) FILTER (WHERE mark = 1) FROM commits"
        assert tuple(db.execute(count).fetchone()) == (7, 0)


async def test_a_text_that_the_server_cannot_hold_is_changed(place: Server) -> None:
    """NUL, which only a malicious file can contain, is replaced with U+FFFD."""
    store = await Store.open(place)
    table = await started(store)
    record = await store.records.add(HOST, "a\0b 100% ?", table.row.moved_at)
    assert await store.records.text(record, HOST, table.row.moved_at) == "a\ufffdb 100% ?"
    await store.close()


# ------------------------------------------------------------------------------- commands
@pytest.mark.parametrize("command", [["backup"], ["restore"]])
def test_backups_are_left_to_the_server(
    command: list[str], place: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    main: Callable[[list[str]], int] = {"backup": backup.main, "restore": restore.main}[command[0]]
    assert main(["copy", "--database", place.url]) == 1
    told = capsys.readouterr().err
    assert told.startswith("Database postgresql://")
    assert "pg_dump --format=custom" in told
    assert "pg_restore --clean" in told


async def test_the_other_commands_work_at_a_server(
    place: Server, bare: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await asyncio.to_thread(forget.main, [str(GUEST), "--database", place.url]) == 0
    assert await asyncio.to_thread(ratings.main, ["--database", place.url]) == 0
    assert "ratings corrected: 0" in capsys.readouterr().out
    store = await Store.open(place)
    assert await store.privacy.begun() == [GUEST]
    await store.close()
    assert await asyncio.to_thread(forget.main, [str(GUEST), "--database", bare.url]) == 1
    assert "has not created it" in capsys.readouterr().err
