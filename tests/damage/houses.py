"""The databases that are damaged: used ones, at rest or as a killed bot has left them."""

from __future__ import annotations

import asyncio
import gzip
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from data.store.migrate import read_migrations
from data.store.store import Store
from play.tables import Tables
from tests.damage.looking import NOW, any_move, table_ids
from tests.data.samples import DUMPS, restored

ENDINGS = ("", "-wal", "-shm")

NAME = "house.sqlite3"


def make_houses(folder: Path) -> list[Path]:
    """Three used databases of the current version, each in a folder of its own: one that was really
    played on, at rest; the same, left by a killed bot; and a small one with all kinds of rows.
    """
    return asyncio.run(_make(folder))


def copy_house(house: Path, folder: Path) -> Path:
    """The same database, with what stands beside it, in another folder."""
    folder.mkdir(parents=True)
    for ending in ENDINGS:
        if (source := house.with_name(house.name + ending)).exists():
            shutil.copyfile(source, folder / source.name)
    return folder / house.name


async def _make(folder: Path) -> list[Path]:
    folders = [folder / name for name in ("rest", "killed", "small")]
    for each in (folders[0], folders[2]):
        each.mkdir()
    rest = folders[0] / NAME
    with closing(sqlite3.connect(rest)) as db:
        db.executescript(gzip.decompress((DUMPS / "played_6.sql.gz").read_bytes()).decode())
    store = await Store.open(rest)
    await _play(store)
    killed = copy_house(rest, folders[1])
    await store.close()
    small = restored(len(read_migrations()), folders[2] / NAME)
    with closing(sqlite3.connect(small)) as db, db:
        db.execute("UPDATE members SET level = 'master' WHERE level = 'strong'")  # it is invented
    return [rest, killed, small]


async def _play(store: Store) -> None:
    """Let someone move at every table that runs."""
    tables, rng = Tables(store, lambda: NOW), random.Random(0)
    for table_id in await table_ids(store):
        table = await tables.get(table_id)
        if (command := any_move(table, rng)) is not None:
            await tables.act(table_id, command)
