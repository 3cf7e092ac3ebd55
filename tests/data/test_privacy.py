"""A person is forgotten: nothing of theirs is left, and the others' games stay whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from data import privacy
from data.privacy import Kept, StillAtTable
from data.store import MessageRow, PersonRow, Status, Store, TableRow
from tests.data.samples import GUEST, HOST, NOON, minutes, opened, started
from tests.data.test_standings import finished


def cells(file: Path) -> Iterator[tuple[str, str, object]]:
    """Every value in the database, with its table and column."""
    with closing(sqlite3.connect(file)) as db:
        db.row_factory = sqlite3.Row
        names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        for name in names:
            for row in db.execute(f"SELECT * FROM {name}"):  # noqa: S608
                for column in row.keys():  # noqa: SIM118 - a row iterates over its values
                    yield name, column, row[column]


def traces(file: Path, person_id: int) -> set[tuple[str, str]]:
    """Where the person's number still stands, alone or within a text."""
    return {
        (table, column)
        for table, column, value in cells(file)
        if value == person_id or (isinstance(value, str) and str(person_id) in value)
    }


PERSON = 271828182845904523
"""A number that cannot stand somewhere by accident."""


async def fill(store: Store) -> TableRow:
    """A running table at which the person has resigned, with rows in every table there is."""
    table = await started(store)
    await store.set_member(table.id, 1, person_id=PERSON, name="Ben", level="novice", resigned=True)
    await store.append(
        table.id, 0, [(0, "K4")], person_id=PERSON, interaction_id=5, at=minutes(2), finished=None
    )
    await store.change_person(PERSON, lambda _: PersonRow(PERSON, "de", True))
    await store.remember_message(MessageRow(table.id, "hand", 1, 2, PERSON))
    await store.records.add(PERSON, "a record", NOON)
    await store.standings.set_unlisted(PERSON, True)
    await store.votes.open(
        table_id=table.id,
        kind="undo",
        seat=0,
        subject={"person": PERSON, "others": [PERSON, GUEST]},
        rule="all",
        choices=["yes", "no"],
        fallback="no",
        asked_by=PERSON,
        asked_at=NOON,
        closes_at=None,
        answers={PERSON: "yes", HOST: None},
    )
    await store.undos.take_back(
        table_id=table.id,
        ply=1,
        undos=0,
        first=0,
        last=0,
        seat=0,
        asked_by=PERSON,
        agreed=[PERSON, HOST],
        moves=[(0, "K4")],
        at=minutes(3),
    )
    await store.append(
        table.id, 0, [(0, "K5")], person_id=PERSON, interaction_id=6, at=minutes(4), finished=None
    )
    await store.seats.offer(table.id, 0, PERSON, NOON)

    def change(db: sqlite3.Connection) -> None:
        for statement in (
            "INSERT INTO plans (table_id, person_id, move) VALUES (?, ?, 'K6')",
            "INSERT INTO hurried (table_id, person_id) VALUES (?, ?)",
            "INSERT INTO followers (table_id, person_id) VALUES (?, ?)",
            "INSERT INTO barred (table_id, person_id) VALUES (?, ?)",
            """INSERT INTO turns (table_id, person_id, seat, ply, undos, opened_at, budget, ends_at,
                misses) VALUES (?, ?, 0, 0, 0, 0, 0, 0, 0)""",
        ):
            db.execute(statement, [table.id, PERSON])
        db.execute("UPDATE tables SET host_id = ?", [PERSON])

    await store.database.write(change)
    return table


async def test_nothing_is_left_of_a_person(store: Store, file: Path) -> None:
    """No value of any table holds the person's number, and every table was filled with it."""
    table = await fill(store)
    everywhere = {(t, c) for t, c in (*privacy.RENUMBERED, *((t, c) for t, c, _ in privacy.LISTED))}
    everywhere |= {(t, "person_id") for t in privacy.DELETED}
    assert traces(file, PERSON) == everywhere
    await store.privacy.forget(PERSON, "Unknown K7Q2", "novice")
    assert traces(file, PERSON) == set()
    assert all(value != "Ben" for _, _, value in cells(file))
    host, stranger = await store.members(table.id)
    assert (host.person_id, host.name) == (HOST, "Ada")
    assert stranger.name == "Unknown K7Q2"


async def test_every_column_of_people_is_known(store: Store, file: Path) -> None:
    """Whoever adds a column for people tells how it is forgotten."""
    with closing(sqlite3.connect(file)) as db:
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        columns = {
            (table, column[1])
            for table in tables
            for column in db.execute(f"PRAGMA table_info({table})")
            if column[1] in {"person_id", "host_id", "asked_by"} or "person" in column[1]
        }
    known = set(privacy.RENUMBERED) | {(table, "person_id") for table in privacy.DELETED}
    assert columns == known


async def test_the_games_of_others_stay_whole(store: Store) -> None:
    """Name and number are the same stranger's in all matches; the others are themselves."""
    tables = [await finished(store, channel) for channel in (500, 501)]
    before = await store.standings.finished(900)
    await store.privacy.forget(GUEST, "Unknown K7Q2", "novice")
    after = await store.standings.finished(900)
    strangers = {row.people[0] for row in after}
    assert len(strangers) == 1
    assert all(stranger is not None and stranger < 0 for stranger in strangers)
    assert {row.names for row in after} == {("Unknown K7Q2", "Ada")}
    assert [(r.ranks, r.by_people, r.people[1]) for r in after] == [
        (r.ranks, r.by_people, r.people[1]) for r in before
    ]
    for table in tables:
        assert [event.move for event in await store.events(table.id)] == ["K4", "K4"]


async def test_who_plays_is_not_forgotten(store: Store) -> None:
    """In a lobby or at a running table the person has to stand up first; nothing is changed."""
    for channel, begin in ((500, opened), (501, started)):
        table = await begin(store, channel)
        with pytest.raises(StillAtTable):
            await store.privacy.forget(HOST, "Unknown", "novice")
        assert (await store.members(table.id))[0].person_id == HOST
        await store.end(table.id, Status.ENDED, None, minutes(9))
    await store.privacy.forget(HOST, "Unknown", "novice")


async def test_a_parked_table_gets_a_computer_player(store: Store) -> None:
    """It may go on one day, without the person."""
    table = await started(store)
    await store.end(table.id, Status.PARKED, None, minutes(3))
    await store.privacy.forget(GUEST, "Unknown", "novice")
    host, guest = await store.members(table.id)
    assert (guest.level, guest.resigned, guest.name) == ("novice", True, "Unknown")
    assert (host.person_id, host.level) == (HOST, None)


async def test_what_is_known_is_counted(store: Store) -> None:
    """By kind, and not what belongs to others."""
    assert await store.privacy.kept(PERSON) == Kept(0, 0, 0, 0, 0, 0)
    await fill(store)
    assert await store.privacy.kept(PERSON) == Kept(1, 1, 1, 1, 1, 1)
