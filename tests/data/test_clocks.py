"""Settings and clocks in the store: kept, upgraded, claimed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from data.clocks import CLAIM, Alarm
from data.rows import PersonRow, ServerRow
from data.store import Store
from tests.data.samples import GUEST, HOST, NOON, always, started
from tests.data.test_migrations import restored

DAY = timedelta(days=1)


async def opened(store: Store, table_id: int, seat: int = 0, misses: int = 0) -> None:
    """Start the clock of a seat for a day."""
    await store.clocks.open(
        table_id=table_id,
        seat=seat,
        ply=0,
        undos=0,
        person_id=HOST,
        at=NOON,
        budget=24 * 3600,
        misses=misses,
        alarms={Alarm.HALF: NOON + DAY / 2, Alarm.END: NOON + DAY},
    )


async def test_settings_last(store: Store) -> None:
    """Quiet hours, direct messages, the limits of a server: kept exactly, and given up again."""
    for person in (
        PersonRow(HOST, "de", False, "Europe/Berlin", 22 * 60, 7 * 60, True),
        PersonRow(HOST, "de", True, "UTC", None, None, False),
        PersonRow(HOST),
    ):
        await store.change_person(person.person_id, always(person))
        assert await store.person(HOST) == person
    for server in (ServerRow(900, quiet_limit=0, tables_limit=3), ServerRow(900)):
        await store.change_server(server.guild_id, always(server))
        assert await store.server(900) == server
    assert await store.server(901) == ServerRow(901, None, (), None, 10, None)


@pytest.mark.parametrize("old", [1, 2, 3, 4])
async def test_older_files_have_the_usual_settings(old: int, file: Path) -> None:
    """Whoever comes from a version without clocks has no quiet hours, and ten hours of rest."""
    store = await Store.open(restored(old, file))
    person, server = await store.person(GUEST), await store.server(900)
    assert (person.zone, person.quiet_from, person.quiet_to, person.dm_too) == (
        *(None, None, None),
        False,
    )
    assert (server.quiet_limit, server.tables_limit) == (10, None)
    assert await store.clocks.next_due() is None
    await store.close()


async def test_clocks_of_an_old_file_go_on(file: Path) -> None:
    """What a bot of the first version with clocks left is due when it was due."""
    store = await Store.open(restored(5, file))
    (turn,) = await store.clocks.open_turns(1)
    assert (turn.person_id, turn.ply, turn.misses) == (GUEST, 2, 0)
    (closed,) = await store.clocks.closed_turns(1, 1, HOST)
    assert (closed.time_left, closed.misses, closed.missed_at) == (0, 1, closed.ends_at)
    due = await store.clocks.claim(turn.ends_at)
    assert [d.alarm for d in due] == [Alarm.SOON, Alarm.END]
    await store.close()


async def test_a_seat_has_one_clock(store: Store) -> None:
    """Started twice, it runs once, with one set of deadlines."""
    table = await started(store)
    await opened(store, table.id)
    await opened(store, table.id, misses=2)
    (turn,) = await store.clocks.open_turns(table.id)
    assert turn.misses == 0
    assert len(await store.clocks.claim(NOON + DAY)) == 2


async def test_a_closed_clock_is_left_alone(store: Store) -> None:
    """No more time, no other hour, no miss; what was left stays what it was."""
    table = await started(store)
    await opened(store, table.id)
    (turn,) = await store.clocks.open_turns(table.id)
    await store.clocks.close(turn.id, 600)
    alarms = {Alarm.END: NOON + 2 * DAY}
    await store.clocks.close(turn.id, 300)
    await store.clocks.extend(turn.id, NOON, 60, alarms)
    await store.clocks.shift(turn.id, alarms)
    assert await store.clocks.miss(turn.id) == 0
    (closed,) = await store.clocks.closed_turns(table.id, 0, HOST)
    assert (closed.time_left, closed.ends_at) == (600, NOON + DAY)
    assert await store.clocks.next_due() is None
    assert await store.clocks.turn(turn.id) is None


async def test_a_claim_that_has_run_out_changes_nothing(store: Store) -> None:
    """Neither settled nor given back by whoever was too slow."""
    table = await started(store)
    await opened(store, table.id)
    (slow,) = await store.clocks.claim(NOON + DAY / 2)
    (quick,) = await store.clocks.claim(NOON + DAY / 2 + CLAIM)
    await store.clocks.settle(slow)
    await store.clocks.postpone(slow, NOON)
    assert await store.clocks.next_due() == NOON + DAY / 2 + 2 * CLAIM
    await store.clocks.postpone(quick, NOON + 3 * DAY / 4)
    assert await store.clocks.next_due() == NOON + 3 * DAY / 4


async def test_a_table_is_forgotten_with_its_clocks_alone(store: Store) -> None:
    """Those of other tables run on."""
    first, second = await started(store), await started(store, 501)
    for table in (first, second):
        await opened(store, table.id)
    assert await store.clocks.tables_with_clocks() == [first.id, second.id]
    await store.clocks.forget_table(first.id)
    assert await store.clocks.tables_with_clocks() == [second.id]
    assert len(await store.clocks.claim(NOON + DAY)) == 2


async def test_a_missing_clock_has_no_misses(store: Store) -> None:
    """The table may be over before a miss is noted."""
    assert await store.clocks.miss(77) == 0
