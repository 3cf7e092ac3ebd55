"""Forgetting a person takes many steps; if it is interrupted between any two, the result is the
same.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from data.store.rows import Status
from data.store.store import Store
from play.lobby import Follow, Join
from play.tables import Tables
from tests.play.clock import Clock
from tests.play.house import ANNA, BEN
from tests.play.life import (
    NAME,
    PERSON,
    a_life,
    begun,
    bytes_left,
    gathered,
    privacy_of,
    traces,
)
from tests.stores import opened


class Killed(BaseException):
    """The process has died."""


async def test_nothing_is_left_in_the_file(tmp_path: Path, clock: Clock) -> None:
    file = tmp_path / "house.sqlite3"
    store = await Store.open(file)
    tables = Tables(store, clock)
    await a_life(tables)
    before = traces(file)
    assert {table for table, _ in before} == {
        *("followers", "hurried", "journal", "lessons", "members", "messages", "offers"),
        *("packed", "people", "plans", "ratings", "records", "tables", "turns", "unlisted"),
        *("attempts", "muted", "occasion_journal", "occasion_messages", "occasion_people"),
        *("occasions", "plays", "trophies", "votes"),
    }
    assert bytes_left(file)
    await privacy_of(tables).forget(PERSON, "Unknown K7Q2")
    assert traces(file) == set()
    assert bytes_left(file) == []
    await store.close()
    assert bytes_left(file) == []


async def test_the_others_find_their_games_whole(tables: Tables) -> None:
    known = await a_life(tables)
    await privacy_of(tables).forget(PERSON, "Unknown K7Q2")
    after = {place: await tables.fresh(table.id) for place, table in known.items()}
    assert {place: table.row.status for place, table in after.items()} == {
        "host": Status.ENDED,
        "guest": Status.LOBBY,
        "away": Status.LOBBY,
        "rival": Status.FINISHED,
        "third": Status.RUNNING,
        "hidden": Status.RUNNING,
        "alone": Status.ENDED,
        "parked": Status.PARKED,
        "follower": Status.RUNNING,
        "wanted": Status.RUNNING,
        "winner": Status.FINISHED,
        "resigned": Status.RUNNING,
    }
    assert not any(table.unreadable for table in after.values())
    for place, table in known.items():
        assert (after[place].match is None) == (table.match is None)
        if table.match is not None:
            assert after[place].played.log == table.match.log
    names = {name for table in after.values() for name in table.names}
    assert {name for name in names if name.startswith("Unknown")} == {"Unknown K7Q2"}
    strangers = {
        member.person_id
        for table in after.values()
        for member in table.members
        if member.name == "Unknown K7Q2"
    }
    assert len(strangers) == 1


@pytest.mark.full
async def test_after_a_kill_between_any_two_steps_the_deletion_is_completed(
    tmp_path: Path, clock: Clock
) -> None:
    lived = tmp_path / "lived.sqlite3"
    store = await opened(lived)
    await a_life(Tables(store, clock))
    await store.close()
    steps = 0
    for step in count():
        file = tmp_path / f"{step}.sqlite3"
        copyfile(lived, file)
        store = await opened(file)
        killed = await _killed(store, clock, step)
        await store.close()
        store = await opened(file)
        tables = Tables(store, clock)
        if await store.privacy.begun() == []:
            # The deletion either had not started or had already finished.
            assert step == 0 or traces(file) == set()
            await privacy_of(tables).forget(PERSON, "Unknown K7Q2")
        else:
            await privacy_of(tables).carry_on()
        assert traces(file) == set()
        assert await store.privacy.begun() == []
        pseudonyms = await store.database.fetch(
            "SELECT DISTINCT person_id, name FROM members WHERE name LIKE 'Unknown%'"
        )
        assert len(pseudonyms) == 1
        await store.close()
        if not killed:
            break
        steps += 1
    assert steps > 15


async def _killed(store: Store, clock: Clock, step: int) -> bool:
    """Forget the person, but die at a given step; return whether that step was reached.

    :param step: the number of the write before which it dies.
    """
    write, steps = store.database.write, count()

    async def dying(change: Callable[[Any], Any]) -> Any:
        if step == next(steps):
            raise Killed
        return await write(change)

    store.database.write = dying  # type: ignore[method-assign]
    try:
        await privacy_of(Tables(store, clock)).forget(PERSON, "Unknown K7Q2")
    except Killed:
        return True
    return False


async def test_of_two_presses_at_once_the_first_pseudonym_counts(
    tables: Tables, tmp_path: Path
) -> None:
    known = await a_life(tables)

    @asynccontextmanager
    async def pressing(table_id: int) -> Any:
        if table_id == known["hidden"].id:
            await privacy_of(tables).forget(PERSON, "Unknown M3X9")
        yield

    await privacy_of(tables, pressing).forget(PERSON, "Unknown K7Q2")
    assert traces(tmp_path / "house.sqlite3") == set()
    names = await tables.store.database.fetch("SELECT name FROM members")
    assert {name for (name,) in names if name.startswith("Unknown")} == {"Unknown K7Q2"}


async def test_a_person_at_many_open_tables_is_forgotten(tables: Tables, tmp_path: Path) -> None:
    for n in range(20):
        await begun(tables, ANNA, PERSON)
        await gathered(tables, *((ANNA, PERSON) if n % 2 else (PERSON, ANNA)))
    privacy = privacy_of(tables)
    assert len(await privacy.departures(PERSON)) == 40
    await privacy.forget(PERSON, "Unknown K7Q2")
    assert traces(tmp_path / "house.sqlite3") == set()


async def test_joining_during_the_deletion_is_undone(tables: Tables, tmp_path: Path) -> None:
    known = await a_life(tables)
    lobby = await gathered(tables, ANNA, BEN)
    await tables.act(lobby.id, Follow(PERSON))

    @asynccontextmanager
    async def joining(table_id: int) -> Any:
        if table_id == known["hidden"].id:
            await tables.act(lobby.id, Join(PERSON, NAME))
        yield

    await privacy_of(tables, joining).forget(PERSON, "Unknown K7Q2")
    assert traces(tmp_path / "house.sqlite3") == set()
    assert (await tables.get(lobby.id)).names == ("Anna", "Ben")


async def test_a_failure_for_one_person_affects_no_other(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    await a_life(tables)
    store = tables.store.privacy
    for person in (BEN, PERSON):
        await store.begin(person, "Unknown K7Q2")
    forget_at: Callable[..., Awaitable[None]] = store.forget_at

    async def failing(table_id: int, person_id: int, level: str) -> None:
        if person_id == BEN:
            raise RuntimeError("not Ben")
        await forget_at(table_id, person_id, level)

    monkeypatch.setattr(store, "forget_at", failing)
    with pytest.raises(RuntimeError, match="not Ben"):
        await privacy_of(tables).carry_on()
    assert await store.begun() == [BEN]
