"""What people and servers want is kept, and no change of it is lost."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from data.store.rows import PersonRow, ServerRow
from data.store.store import Store
from tests.data.samples import GUEST, HOST, NOON, always, minutes, restored


async def test_settings_last(store: Store) -> None:
    """There are defaults until settings are saved, then exactly those, and none again."""
    for person in (
        PersonRow(HOST, "de", False, "Europe/Berlin", 22 * 60, 7 * 60, True, 2**62),
        PersonRow(HOST, "en", True, "UTC", None, None, False, None),
        PersonRow(HOST, away=((NOON, minutes(9)), (minutes(10), minutes(99))), blocked_ids=(5, -7)),
        PersonRow(HOST),
    ):
        await store.settings.change_person(person.person_id, always(person))
        assert await store.settings.person(HOST) == person
    assert await store.settings.person(GUEST) == PersonRow(GUEST)
    for server in (ServerRow(900, "de", (1, 2**62), 3, 0, 3), ServerRow(900)):
        await store.settings.change_server(server.guild_id, always(server))
        assert await store.settings.server(900) == server
    assert await store.settings.server(901) == ServerRow(901, None, (), None, 10, None)


async def test_no_change_of_settings_is_lost_beside_another(store: Store) -> None:
    """Each change starts from what the one before it left, however many come at once."""
    limits: dict[str, Any] = {
        "quiet_limit": 3,
        "tables_limit": 7,
        "language": "de",
        "opener_role": 5,
    }
    settings = store.settings
    await asyncio.gather(
        *(settings.change_server(900, partial(replace, **{key: n})) for key, n in limits.items())
    )
    assert await settings.server(900) == ServerRow(900, **limits)
    wishes: dict[str, Any] = {"zone": "UTC", "dm_closed": True, "language": "de", "dm_channel": 7}
    await asyncio.gather(
        *(settings.change_person(HOST, partial(replace, **{key: n})) for key, n in wishes.items())
    )
    assert await settings.person(HOST) == PersonRow(HOST, **wishes)


@pytest.mark.parametrize("old", [1, 2, 3, 4])
async def test_older_files_have_the_usual_settings(old: int, file: Path) -> None:
    """From a version without clocks come no quiet hours, and ten hours of rest."""
    store = await Store.open(restored(old, file))
    person, server = await store.settings.person(GUEST), await store.settings.server(900)
    assert (person.zone, person.quiet_from, person.quiet_to, person.dm_too) == (
        *(None, None, None),
        False,
    )
    assert (server.quiet_limit, server.tables_limit) == (10, None)
    await store.close()
