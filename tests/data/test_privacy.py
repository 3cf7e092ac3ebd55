"""A person is forgotten: nothing of theirs is left, and the others' games stay whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from data.store import privacy
from data.store.privacy import Kept
from data.store.problems import StillAtTable
from data.store.rows import (
    MessageRow,
    OfferRow,
    PersonRow,
    PlanRow,
    Status,
    Stored,
    TurnRow,
    VoteRow,
)
from data.store.store import Store
from tests.data.samples import (
    GUEST,
    HOST,
    NOON,
    committed,
    ended,
    grown,
    minutes,
    opened,
    started,
)
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


async def fill(store: Store) -> Stored:
    """A running table at which the person has resigned, with rows in every table there is."""
    table = await started(store)
    host, guest = table.members
    vote = VoteRow(
        asked=6,
        kind="undo",
        seat=0,
        subject={"person": PERSON, "others": [PERSON, GUEST], "position": 3},
        rule="all",
        choices=("yes", "no"),
        fallback="no",
        asked_by=PERSON,
        asked_at=NOON,
        closes_at=None,
        answers=((PERSON, "yes"), (HOST, None)),
    )
    played = grown(
        table,
        "move",
        seat=0,
        person_id=PERSON,
        text=str(PERSON),  # a move is never changed, whatever it looks like
        members=(host, replace(guest, person_id=PERSON, level="novice", resigned=True)),
        host_id=PERSON,
    )
    undone = grown(
        played,
        "undo",
        seat=0,
        person_id=PERSON,
        text=f'{{"out":[4],"moves":[[0,"K4"]],"agreed":[{PERSON},{HOST}]}}',
    )
    asked = grown(
        undone,
        "ask",
        person_id=PERSON,
        votes=(vote,),
        turns=(TurnRow(0, 3, PERSON, NOON, 60, minutes(1)),),
        plans=(PlanRow(6, PERSON, "K6", None),),
        offers=(OfferRow(0, 6, PERSON),),
        barred=frozenset({PERSON}),
        hurried=frozenset({PERSON}),
        followers=frozenset({PERSON}),
    )
    await committed(store, table, asked)
    await store.settings.change_person(PERSON, lambda _: PersonRow(PERSON, "de", True))
    hand = MessageRow("hand:1:0", 1, PERSON, 2, None, None, True, False, NOON)
    await store.messages.write(table.row.id, [hand], told=asked.row.revision)
    await store.records.add(PERSON, "a record", NOON)
    await store.standings.set_unlisted(PERSON, True)
    return asked


async def test_nothing_is_left_of_a_person(store: Store, file: Path) -> None:
    """No value of any table holds the person's number, and every table was filled with it."""
    table = await fill(store)
    columns = (*privacy.RENUMBERED, *((table, column) for table, column, _ in privacy.WRITTEN))
    everywhere = set(columns)
    everywhere |= {(t, "person_id") for t in privacy.DELETED}
    assert traces(file, PERSON) == everywhere
    await store.privacy.forget(PERSON, "Unknown K7Q2", "novice")
    assert traces(file, PERSON) == {("journal", "text")}
    assert all(value != "Ben" for _, _, value in cells(file))
    after = (await store.tables.load(table.row.id)).stored
    host, stranger = after.members
    assert (host.person_id, host.name) == (HOST, "Ada")
    assert stranger.name == "Unknown K7Q2"
    number = stranger.person_id
    assert after.journal[3].text == str(PERSON)
    assert after.journal[4].text == f'{{"out":[4],"moves":[[0,"K4"]],"agreed":[{number},{HOST}]}}'
    (vote,) = after.votes
    assert vote.subject == {"person": number, "others": [number, GUEST], "position": 3}
    assert vote.answers == ((number, "yes"), (HOST, None))


async def test_a_process_that_holds_a_changed_table_notices(store: Store) -> None:
    """Its revision rises, and what was told of it stays told; other tables stay as they are."""
    table, other = await fill(store), await started(store, 501)
    await store.messages.write(other.row.id, [], told=1)
    await store.privacy.forget(PERSON, "Unknown K7Q2", "novice")
    after = (await store.tables.load(table.row.id)).stored
    assert after.row.revision == table.row.revision + 1
    line = after.journal[-1]
    assert (line.kind, line.person_id, line.text, line.at) == (
        *("forget", None, ""),
        table.row.moved_at,
    )
    assert (await store.messages.of_table(table.row.id))[0] == after.row.revision
    assert not await store.tables.commit(table, grown(table, "move"))
    assert (await store.tables.load(other.row.id)).stored == other
    assert (await store.messages.of_table(other.row.id))[0] == 1


async def test_every_column_of_people_is_known(store: Store, file: Path) -> None:
    """A new column for people comes with a way to forget it."""
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
    for channel in (500, 501):
        await finished(store, channel)
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


async def test_who_plays_is_not_forgotten(store: Store) -> None:
    """In a lobby or at a running table the person has to stand up first; nothing is changed."""
    for channel, begin in ((500, opened), (501, started)):
        table = await begin(store, channel)
        with pytest.raises(StillAtTable):
            await store.privacy.forget(HOST, "Unknown", "novice")
        assert (await store.tables.load(table.row.id)).stored == table
        await ended(store, table, Status.ENDED)
    await store.privacy.forget(HOST, "Unknown", "novice")


async def test_a_parked_table_gets_a_computer_player(store: Store) -> None:
    """It may go on one day, without the person."""
    table = await ended(store, await started(store), Status.PARKED)
    await store.privacy.forget(GUEST, "Unknown", "novice")
    host, guest = (await store.tables.load(table.row.id)).stored.members
    assert (guest.level, guest.resigned, guest.name) == ("novice", True, "Unknown")
    assert (host.person_id, host.level) == (HOST, None)


async def test_what_is_known_is_counted(store: Store) -> None:
    """By kind, and not what belongs to others."""
    assert await store.privacy.kept(PERSON) == Kept(0, 0, 0, 0, 0, 0)
    await fill(store)
    assert await store.privacy.kept(PERSON) == Kept(1, 1, 1, 1, 1, 1)
