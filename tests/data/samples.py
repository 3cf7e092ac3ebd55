"""Tables for testing the store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import pytest

from data.store.rows import Line, MemberRow, Opening, Status, Stored
from data.store.store import Store

T = TypeVar("T")

in_a_file = pytest.mark.parametrize("place", ["sqlite"], indirect=True)
"""For tests of features that only SQLite has."""

at_a_server = pytest.mark.parametrize("place", ["postgresql"], indirect=True)
"""For tests that only run on PostgreSQL, because a file needs a different test."""

NOON = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)
HOST, GUEST, THIRD = 101, 102, 103


def minutes(count: int) -> datetime:
    """The time this many minutes after ``NOON``."""
    return NOON + timedelta(minutes=count)


def always(settings: T) -> Callable[[object], T]:
    """A change to settings that ignores the previous ones."""
    return lambda _: settings


def grown(
    table: Stored,
    kind: str,
    *,
    seat: int | None = None,
    person_id: int | None = None,
    text: str = "",
    at: datetime | None = None,
    interaction_id: int | None = None,
    **changes: Any,
) -> Stored:
    """A table with one more line.

    :param at: None: as many minutes after ``NOON`` as the line's number.
    :param changes: fields of the table or of its row.
    """
    number = table.row.revision + 1
    line = Line(number, kind, seat, person_id, text, at or minutes(number), interaction_id)
    parts = {name: value for name, value in changes.items() if hasattr(table, name)}
    columns = {name: value for name, value in changes.items() if name not in parts}
    row = replace(table.row, revision=number, moved_at=line.at)
    return replace(
        table, **{"row": replace(row, **columns), "journal": (*table.journal, line), **parts}
    )


async def opened(
    store: Store, channel_id: int = 500, at: datetime = NOON, **changes: Any
) -> Stored:
    """A table in its lobby with only its host."""
    given: dict[str, Any] = {
        "game": "lancelot",
        "guild_id": 900,
        "channel_id": channel_id,
        "host_id": HOST,
        "host_name": "Ada",
        "language": "de",
        "options": {"seating": "lot"},
        "wanted_players": None,
    }
    opening = Opening(**{**given, **changes})
    return (await store.tables.open(opening, rules=1, secret="5eed", at=at)).stored


def begun(lobby: Stored) -> Stored:
    """The host's table, running with two people, the guest in seat 0, before the first event."""
    members = (MemberRow(0, HOST, "Ada", seat=1), MemberRow(1, GUEST, "Ben", seat=0))
    joined = grown(lobby, "join", person_id=GUEST, members=members)
    return grown(
        joined,
        "start",
        person_id=HOST,
        text='{"seating":[1,0]}',
        status=Status.RUNNING,
        options={"komi": 7},
        players=2,
    )


async def started(store: Store, channel_id: int = 500, **changes: Any) -> Stored:
    """Store a running table of two people, the guest in seat 0, before the first event."""
    lobby = await opened(store, channel_id, **changes)
    return await committed(store, lobby, begun(lobby))


async def committed(store: Store, before: Stored, after: Stored) -> Stored:
    """Commit a change with no other change in between; return the table."""
    assert await store.tables.commit(before, after)
    return after


def moved(table: Stored, text: str = "K4", interaction_id: int | None = None) -> Stored:
    return grown(table, "move", seat=1, person_id=HOST, text=text, interaction_id=interaction_id)


async def move(
    store: Store, table: Stored, text: str = "K4", interaction_id: int | None = None
) -> Stored:
    """Store a move by the host; return the table."""
    return await committed(store, table, moved(table, text, interaction_id))


async def ended(store: Store, table: Stored, status: Status, **changes: Any) -> Stored:
    """Finish, end or park a table."""
    return await committed(store, table, grown(table, "end", status=status, **changes))


async def forgotten(store: Store, person_id: int, name: str = "Unknown K7Q2") -> None:
    """Forget a person who no longer plays anywhere."""
    await store.privacy.begin(person_id, name)
    async for table_id in store.privacy.tables_of(person_id):
        await store.privacy.forget_at(table_id, person_id, "novice")
    for number in await store.privacy.occasions_of(person_id):
        await store.privacy.forget_in(number, person_id)
    await store.privacy.finish(person_id)
