"""Examine a database without using it: nothing in it is created, changed or upgraded."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from data.store.database import FileClaim, sqlite_problems
from data.store.migrate import examine, read_migrations
from data.store.place import Place, Server
from data.store.problems import DriverMissing, ServerUnwritable, StoreTaken, StoreUnwritable


def inspect(place: Place) -> str:
    """Look for problems that would keep a bot from starting on a database; the start itself may
    reveal others.

    :returns: what the check found, in a few words. If a running bot is using the file, the text
        says so.
    :raises StoreProblem: the first problem found.
    """
    return _server(place) if isinstance(place, Server) else _file(place)


def _file(file: Path) -> str:
    folder = file.resolve().parent
    if not os.access(folder, os.W_OK | os.X_OK):
        raise StoreUnwritable(file, f"nothing can be written in {folder}")
    if not file.exists():
        return f"{file} does not exist yet; the first start creates it"
    if not os.access(file, os.R_OK | os.W_OK):
        raise StoreUnwritable(file, "the file cannot be written")
    try:
        with closing(FileClaim(file, patience=0)):
            examine(file, len(read_migrations()))
    except StoreTaken:
        return f"{file} is in use by a running bot"
    with sqlite_problems(file):
        return f"{file} is sound, {file.stat().st_size / 1e6:.1f} MB"


def _server(server: Server) -> str:
    try:
        # Imported only here, because a bot that uses a file needs no driver.
        from data.store.postgres import connected, postgres_problems, refuse_newer
    except ImportError as error:
        raise DriverMissing(server, error) from error
    with postgres_problems(server), closing(connected(server)) as connection:
        ((version, may_create, ours),) = connection.execute(
            """SELECT current_setting('server_version'),
                has_schema_privilege(current_schema(), 'CREATE'),
                to_regclass('tafelrunde_schema')"""
        ).fetchall()
        if not may_create:
            raise ServerUnwritable(server, "this user may not create tables in it")
        if ours:
            refuse_newer(connection, server, len(read_migrations()))
    return f"{server} answers, PostgreSQL {version}"
