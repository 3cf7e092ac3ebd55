"""Tables to test the store with."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from data.store import Store, TableRow

T = TypeVar("T")

NOON = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)
HOST, GUEST, THIRD = 101, 102, 103


def minutes(count: int) -> datetime:
    """A time so many minutes after the first."""
    return NOON + timedelta(minutes=count)


def always(settings: T) -> Callable[[object], T]:
    """A change of settings that minds nothing of what was there."""
    return lambda _: settings


async def opened(store: Store, channel_id: int = 500, **changes: Any) -> TableRow:
    """A table in its lobby, with its host only."""
    given: dict[str, Any] = {
        "game": "lancelot",
        "rules": 1,
        "guild_id": 900,
        "channel_id": channel_id,
        "host_id": HOST,
        "host_name": "Ada",
        "language": "de",
        "options": {"seating": "lot"},
        "wanted_players": None,
        "seed": "5eed",
        "at": NOON,
    }
    return await store.open_table(**{**given, **changes})


async def started(store: Store, channel_id: int = 500) -> TableRow:
    """A running table of two persons, the guest in seat 0, before the first event."""
    table = await opened(store, channel_id)
    await store.add_member(table.id, GUEST, "Ben", None, 2)
    await store.start(
        table.id, rules=1, options={"komi": 7}, players=2, seating=[1, 0], events=[], at=minutes(1)
    )
    return await store.table(table.id)


async def move(
    store: Store, table: TableRow, ply: int, text: str = "K4", interaction_id: int | None = None
) -> None:
    """One move of the host at ``ply``."""
    await store.append(
        table.id,
        ply,
        [(1, text)],
        person_id=HOST,
        interaction_id=interaction_id,
        at=minutes(2 + ply),
        finished=None,
    )
