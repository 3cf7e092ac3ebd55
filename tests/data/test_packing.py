"""Packing the tables of old matches saves space and keeps every value as it was."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from data.restore import restore
from data.store import packing
from data.store.packing import packed, unpacked
from data.store.place import Place
from data.store.problems import DamagedDatabase, DamagedFile, Undecodable
from data.store.rows import Line, Status, Stored
from data.store.shards import Shards
from data.store.sqlite import SQLite
from data.store.store import Store
from play.packing import pack_old
from tests.data.samples import (
    GUEST,
    HOST,
    NOON,
    THIRD,
    committed,
    ended,
    forgotten,
    grown,
    in_a_file,
    minutes,
    move,
    opened,
    started,
)
from tests.data.test_store_safety import program
from tests.data.test_transfer import killed
from tests.stores import address, looking_into

LATER = minutes(1000)


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("play.packing.PAUSE", 0)


async def over(store: Store, channel_id: int = 500, moves: int = 3, **given: Any) -> Stored:
    """A table whose match is over."""
    table = await started(store, channel_id, **given)
    for number in range(moves):
        table = await move(store, table, f"K{number}", interaction_id=channel_id * 1000 + number)
    return await ended(store, table, Status.FINISHED, result={"ranks": [1, 2]})


async def stored(store: Store, table: Stored) -> Stored:
    return (await store.tables.load(table.row.id)).stored


def lines_there(place: Place) -> dict[int, int]:
    """The number of each table's lines that are in the journal itself."""
    with looking_into(place) as db:
        found = db.execute("SELECT table_id, count(*) FROM journal GROUP BY table_id")
        return {row[0]: row[1] for row in found}


async def test_a_packed_table_is_the_same_value(store: Store, place: Place) -> None:
    """Tables that have been over for long enough are packed, each once."""
    old, young = await over(store), await over(store, 501)
    stopped = await ended(store, await started(store, 502), Status.ENDED)
    going_on = [
        await opened(store, 503),
        await started(store, 504),
        await ended(store, await started(store, 505), Status.PARKED),
    ]
    late = await over(store, 506, moves=9)
    assert late.row.moved_at > old.row.moved_at
    assert await pack_old(store, old.row.moved_at) == 3
    every = [old, young, stopped, *going_on, late]
    assert [await stored(store, table) for table in every] == every
    assert lines_there(place) == {table.row.id: table.row.revision for table in (*going_on, late)}
    assert await pack_old(store, old.row.moved_at) == 0
    assert not await store.packing.pack(old.row.id, LATER)
    assert await pack_old(store, LATER) == 1
    assert await stored(store, late) == late


async def test_later_lines_are_in_the_journal(store: Store, place: Place) -> None:
    """An analysis that follows is added to the journal, and packed later, too."""
    table = await over(store)
    await pack_old(store, LATER)
    after = await committed(store, table, grown(table, "analysis", text="{}"))
    assert await stored(store, after) == after
    assert lines_there(place) == {table.row.id: 1}
    assert await pack_old(store, LATER) == 1
    assert await stored(store, after) == after
    assert lines_there(place) == {}


async def test_all_tables_are_found_over_several_pages(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "PAGE", 2)
    tables = [await over(store, 500 + n) for n in range(5)]
    assert [n async for n in store.packing.due(LATER)] == [table.row.id for table in tables]


@in_a_file
async def test_a_process_packs_only_what_it_serves(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await over(store)
    monkeypatch.setattr(type(store.database.backend), "served", Shards(frozenset({1}), 2))
    assert await pack_old(store, LATER) == 0


@in_a_file
async def test_queries_over_all_tables_use_indexes(store: Store) -> None:
    """A million old matches must not slow down running ones."""
    await pack_old(store, (await over(store)).row.moved_at)
    asked: set[str] = set()
    assert isinstance(store.database.backend, SQLite)
    for reader in store.database.backend.readers:
        await reader.set_trace_callback(asked.add)
    tables = store.tables
    await asyncio.gather(tables.due(NOON), tables.behind(NOON), tables.to_think())
    await asyncio.gather(
        tables.next_due(), tables.places(), tables.open_ids(), tables.by_status([*Status])
    )
    assert [number async for number in store.packing.due(NOON)] == []
    queries = [sql for sql in asked if sql.startswith("SELECT")]
    assert len(queries) == 8
    for sql in queries:
        plan = await store.database.fetch(f"EXPLAIN QUERY PLAN {sql}")
        steps = [step["detail"] for step in plan]
        assert not [step for step in steps if step.startswith("SCAN") and "INDEX" not in step], (
            sql,
            steps,
        )


async def test_two_at_once_pack_once(store: Store, place: Place) -> None:
    tables = [await over(store, 500 + n) for n in range(6)]
    other = await Store.open(place, alone=False)
    both = await asyncio.gather(pack_old(store, LATER), pack_old(other, LATER))
    assert sum(both) == 6
    await other.close()
    assert [await stored(store, table) for table in tables] == tables


async def test_a_line_committed_during_packing_is_not_lost(store: Store) -> None:
    table = await over(store, moves=30)
    packing_it = asyncio.create_task(store.packing.pack(table.row.id, LATER))
    after = await committed(store, table, grown(table, "analysis", text="{}"))
    assert await packing_it
    assert await stored(store, after) == after


KILLED = """
import os, signal
from data.store import packing
from tests.data.samples import minutes

async def main(place, step):
    store = await Store.open(place)
    real, left = store.database.backend.write, [int(step)]

    class Dying:
        def __init__(self, db):
            self.db = db

        def __getattr__(self, name):
            return getattr(self.db, name)

        def execute(self, *given):
            done = self.db.execute(*given)
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return done

    store.database.backend.write = lambda change: real(lambda db: change(Dying(db)))
    async for table_id in store.packing.due(minutes(1000)):
        await store.packing.pack(table_id, minutes(1000))

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.full
@pytest.mark.parametrize("step", [pytest.param(5, marks=pytest.mark.long), 6])
async def test_a_kill_during_packing_changes_nothing(place: Place, step: int) -> None:
    """A kill changes nothing, even after the lines have left the journal but before ``packed_to``
    is raised.
    """
    store = await Store.open(place)
    table = await over(store)
    await store.close()
    done = await asyncio.to_thread(killed, program(KILLED, address(place), step))
    assert done.returncode == -9, done.stderr
    store = await Store.open(place, patience=20)
    assert lines_there(place) == {table.row.id: table.row.revision}
    assert await pack_old(store, LATER) == 1
    assert await stored(store, table) == table
    await store.close()


async def test_a_damaged_pack_affects_no_other(store: Store, place: Place) -> None:
    damaged, gappy, sound = [await over(store, 500 + n) for n in range(3)]
    assert await store.packing.pack(damaged.row.id, LATER)
    with looking_into(place) as db:
        db.execute("UPDATE packed SET lines = ?", [b"x\x9cnothing"])
        db.execute("DELETE FROM journal WHERE table_id = ? AND number = 2", [gappy.row.id])
    assert await pack_old(store, LATER) == 1
    for table in (damaged, gappy):
        with pytest.raises((DamagedFile, DamagedDatabase)):
            await stored(store, table)
    assert await stored(store, sound) == sound


async def test_a_forgotten_person_is_deleted_from_packs(store: Store) -> None:
    table = await over(store)
    agreed = f'{{"out":[],"moves":[],"agreed":[{GUEST},{HOST}]}}'
    table = await committed(store, table, grown(table, "undo", person_id=GUEST, text=agreed))
    named = await over(store, 501)  # whose move looks like the id of THIRD
    named = await committed(store, named, grown(named, "move", text=str(THIRD)))
    kept = await store.privacy.kept(HOST)
    assert kept.moves == 6
    assert await pack_old(store, LATER) == 2
    assert await store.privacy.kept(HOST) == kept
    for person, tables in ((HOST, [table, named]), (GUEST, [table, named]), (THIRD, [])):
        ids = [number async for number in store.privacy.tables_of(person)]
        assert ids == [each.row.id for each in tables]
    await forgotten(store, HOST)
    assert [number async for number in store.privacy.tables_of(HOST)] == []
    assert await pack_old(store, LATER) == 2
    after = await stored(store, table)
    (stranger,) = [m.person_id for m in after.members if m.name.startswith("Unknown")]
    assert after.journal[-2].text == agreed.replace(str(HOST), str(stranger))
    assert after.journal[-1].kind == "forget"
    for old, new in zip(table.journal[:-1], after.journal, strict=False):
        theirs = replace(old, person_id=stranger, interaction_id=None)
        assert new == (theirs if old.person_id == HOST else old)


@in_a_file
async def test_a_backup_holds_packs(store: Store, file: Path, tmp_path: Path) -> None:
    table = await over(store)
    await pack_old(store, LATER)
    await store.backup(tmp_path / "copy")
    await store.close()
    restore(tmp_path / "copy", file)
    again = await Store.open(file)
    assert await stored(again, table) == table
    await again.close()


# ---------------------------------------------------------------------------------- packs
def test_any_content_of_a_line_survives_packing() -> None:
    lines = (
        Line(1, "open", None, -(2**62), "", NOON),
        Line(2, "word", 0, 2**63 - 1, 'ß\u2028\U0001f451\\" \0', NOON.replace(year=1970), 2**62),
        Line(3, "draw", -1, None, "x" * 10_000, NOON, None),
    )
    assert unpacked(packed(lines)) == lines


@pytest.mark.seeds(200, always=20)
def test_a_damaged_pack_is_reported_as_damage(seed: int) -> None:
    rng = random.Random(seed)
    line = Line(1, "move", 0, HOST, "K4", NOON, 7)
    lines = tuple(replace(line, number=n, text=f"K{rng.randrange(99)}") for n in range(1, 40))
    content = bytearray(packed(lines))
    if rng.random() < 0.3:
        del content[rng.randrange(len(content)) :]
    else:
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    with pytest.raises(Undecodable):
        unpacked(bytes(content))
