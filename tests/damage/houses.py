"""The databases to damage: used ones, closed properly or left by a killed bot."""

from __future__ import annotations

import asyncio
import random
import shutil
from contextlib import suppress
from pathlib import Path

from data.store.store import Store
from games import GAMES
from play.table import Refused
from tests.data.test_privacy import fill
from tests.play.house import House, started
from tests.play.test_fold import a_move, an_answer
from tests.play.test_packing import kept

ENDINGS = ("", "-wal", "-shm")

NAME = "house.sqlite3"

TABLES = 50
"""The number of matches in the large databases."""


def make_houses(folder: Path) -> list[Path]:
    """Make three used databases in folders of their own: one with many matches, closed properly;
    the same one as a killed bot leaves it; and a small one with every kind of row.
    """
    return asyncio.run(_make(folder))


def copy_house(house: Path, folder: Path) -> Path:
    """Copy the database and its companion files to another folder."""
    folder.mkdir(parents=True)
    for ending in ENDINGS:
        if (source := house.with_name(house.name + ending)).exists():
            shutil.copyfile(source, folder / source.name)
    return folder / house.name


async def _make(folder: Path) -> list[Path]:
    folders = [folder / name for name in ("rest", "killed", "small")]
    for each in (folders[0], folders[2]):
        each.mkdir()
    store = await Store.open(folders[0] / NAME)
    rng = random.Random(0)
    for number in range(TABLES):
        await kept(store, _played(sorted(GAMES)[number % len(GAMES)], rng))
    killed = copy_house(folders[0] / NAME, folders[1])
    await store.close()
    small = await Store.open(folders[2] / NAME)
    await fill(small)
    await small.close()
    return [folders[0] / NAME, killed, folders[2] / NAME]


def _played(game_id: str, rng: random.Random) -> House:
    """A match that is running or over."""
    players = max(2, min(GAMES[game_id].info.players))
    house = started(players, game_id, careful=False, secret=str(rng.random()), pace="1d")
    for _ in range(rng.randrange(60)):
        if not house.table.over:
            with suppress(Refused):
                house.do(rng.choice((a_move, a_move, an_answer))(house, rng))
    return house
