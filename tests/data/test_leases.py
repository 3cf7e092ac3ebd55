"""Several processes share a database on a server and divide the shards among themselves."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from data.store import leases
from data.store.place import Server
from data.store.problems import OtherShards, ServedElsewhere, StoreTaken
from data.store.rows import MessageRow
from data.store.shards import ALL, Shards, changed, shard_of, shards_of
from data.store.store import Store
from tests.data.samples import NOON, opened
from tests.data.test_postgres import cut_all
from tests.postgres import shared_server

pytestmark = pytest.mark.slow("server")

GUILDS = [shard << 22 for shard in range(4)]
"""One server for each of four shards."""


@pytest.fixture
def place() -> Iterator[Server]:
    """A database with empty tables."""
    with shared_server().house() as house:
        yield house


async def joined(place: Server, shards: str, patience: float = 0.3) -> Store:
    """A process that serves these shards."""
    return await Store.open(place, shards=shards_of(shards), patience=patience)


def served(store: Store) -> set[int]:
    return set(store.database.served.numbers)


async def until_served(store: Store, shards: set[int]) -> None:
    """Have a process check until it serves these shards."""
    async with asyncio.timeout(20):
        while served(store) != shards:
            await store.database.renew()
            await asyncio.sleep(0.05)


async def heard(store: Store) -> list[str]:
    """The next notifications of a process that listens."""
    async with asyncio.timeout(20):
        while not (news := await store.database.hear()):
            pass
    return news


# ------------------------------------------------------------------------------- settings
def test_a_setting_names_shards() -> None:
    """A setting names the first and last shard and the total, or a single shard."""
    assert shards_of("0-3/16") == Shards(frozenset({0, 1, 2, 3}), 16)
    assert shards_of(" 5/16") == Shards(frozenset({5}), 16)
    assert shards_of("0/1") == shards_of(ALL) == ALL
    for wrong in ("", "16/16", "3-2/16", "0-3", "x/4", "-1/4", "0/99999"):
        with pytest.raises(ValueError, match="shards"):
            shards_of(wrong)


def test_a_server_belongs_to_the_shard_that_discord_says() -> None:
    """The shard follows from the time at which a server was created; direct messages are on shard
    0.
    """
    guild = 197038439483310086
    assert shard_of(guild, 16) == (guild >> 22) % 16 == 2
    assert shard_of(None, 16) == 0
    assert shards_of("0-7/16").has(guild)
    assert not shards_of("8-15/16").has(None)


# --------------------------------------------------------------------------------- claims
async def test_no_shard_is_served_twice(place: Server) -> None:
    """All processes must use the same number of shards; one that serves everything runs alone."""
    first = await joined(place, "0-1/4")
    second = await joined(place, "2-3/4")
    assert [served(first), served(second)] == [{0, 1}, {2, 3}]
    for shards, problem in (("1-2/4", StoreTaken), ("7/8", OtherShards), ("0/1", StoreTaken)):
        with pytest.raises(problem):
            await joined(place, shards, patience=0)
    for store in (first, second):
        await store.close()
    alone = await joined(place, "0/1")
    with pytest.raises(StoreTaken):
        await joined(place, "0/4", patience=0)
    await alone.close()


async def test_abandoned_shards_are_taken_over_and_given_back(
    place: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process takes over abandoned shards only after a while, so that a restarted process
    finds its own shards free.
    """
    first, second = await joined(place, "0-1/4"), await joined(place, "2-3/4")
    assert await first.database.hear() is None
    await second.close()
    await first.database.renew()
    assert served(first) == {0, 1}
    monkeypatch.setattr(leases, "UNSERVED", 0.0)
    await until_served(first, {0, 1, 2, 3})
    coming = asyncio.create_task(joined(place, "2-3/4", patience=20))
    while served(first) != {0, 1}:
        for news in await heard(first):
            kind, _, number = news.partition(" ")
            assert kind == "shard"
            await first.database.give_back(int(number))
    second = await coming
    assert served(second) == {2, 3}
    await first.database.give_back(0)  # its own shard, which it keeps
    assert served(first) == {0, 1}
    for store in (first, second):
        await store.close()


async def test_a_silent_process_loses_its_shards(
    place: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever it then writes as if nothing had happened is refused, even if it has the shards
    back by then.
    """
    monkeypatch.setattr(leases, "LEASE", 1)
    monkeypatch.setattr(leases, "UNSERVED", 0.0)
    silent, awake = await joined(place, "0-1/4"), await joined(place, "2-3/4")
    table = await opened(silent, guild_id=GUILDS[1])
    term, row = silent.database.served.term, MessageRow("lobby", NOON)
    await silent.messages.write(table.row.id, [row], term=term)
    await silent.database.renew()
    await until_served(awake, {0, 1, 2, 3})
    with pytest.raises(StoreTaken):
        await silent.messages.write(table.row.id, [replace(row, pinged=True)], term=term)
    for shard in (0, 1):
        await awake.database.give_back(shard)
    await silent.database.renew()
    assert served(silent) == {0, 1}
    with pytest.raises(ServedElsewhere):
        await silent.messages.write(table.row.id, [replace(row, pinged=True)], term=term)
    assert await silent.messages.all_of(table.row.id) == (0, {"lobby": row})
    for store in (silent, awake):
        await store.close()


async def test_a_process_that_was_cut_off_gets_its_shards_back(place: Server) -> None:
    """It gets them with its next write, in a new term."""
    first, second = await joined(place, "0-1/4"), await joined(place, "2-3/4")
    cut_all(place)
    for store, own in ((first, {0, 1}), (second, {2, 3})):
        await store.standings.set_unlisted(7, True)
        assert served(store) == own
        assert store.database.served.term == 1
        await store.close()


async def test_nobody_waits_on_the_event_loop(
    place: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Waiting for another process, or for a lost connection, happens on other threads."""
    waits: list[threading.Thread] = []
    sleep = time.sleep

    def noting(seconds: float) -> None:
        waits.append(threading.current_thread())
        sleep(seconds)

    monkeypatch.setattr(time, "sleep", noting)
    for taken, shards in ((place, shards_of("0/2")), (tmp_path / "house.sqlite3", ALL)):
        store = await Store.open(taken, shards=shards)
        before = len(waits)
        with pytest.raises(StoreTaken):
            await Store.open(taken, shards=shards, patience=0.2)
        assert len(waits) > before
        await store.close()
    store = await joined(place, "0/2", patience=5)
    cut_all(place)
    before = len(waits)
    await store.standings.set_unlisted(7, True)
    assert len(waits) > before
    await store.close()
    assert threading.current_thread() not in waits


# ----------------------------------------------------------------------------------- work
async def test_each_process_finds_its_own_work(place: Server) -> None:
    first, second = await joined(place, "0-1/4"), await joined(place, "2-3/4")
    tables = [await opened(first, guild_id=guild) for guild in (None, *GUILDS)]
    ids = [table.row.id for table in tables]
    for store, own in ((first, ids[:3]), (second, ids[3:])):
        assert await store.tables.open_ids() == own
        assert await store.tables.behind(NOON) == own
        assert [store.tables.serves(t.row.guild_id) for t in tables] == [i in own for i in ids]
        await store.close()


async def test_the_process_that_serves_a_table_is_notified_of_changes(place: Server) -> None:
    first, second = await joined(place, "0-1/4"), await joined(place, "2-3/4")
    assert await second.database.hear() is None
    await opened(first, guild_id=GUILDS[1])
    table = await opened(first, guild_id=GUILDS[2])
    assert await heard(second) == [changed("table", table.row.id, GUILDS[2])]
    await first.messages.note(table.row.id, MessageRow("advice:7", NOON, final=True))
    assert await heard(second) == [changed("table", table.row.id, GUILDS[2], messages=True)]
    cut_all(place)
    missed = 0
    async with asyncio.timeout(20):
        while not missed:
            try:
                missed += await second.database.hear() is None
            except Exception:  # noqa: BLE001 - the connection is gone
                await asyncio.sleep(0.01)
    for store in (first, second):
        await store.close()
