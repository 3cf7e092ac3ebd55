"""Settings of people and servers persist, and no change gets lost."""

from __future__ import annotations

import asyncio
import sqlite3
from dataclasses import replace
from functools import partial
from typing import Any, get_args

import psycopg
import pytest

from cogs.present.seasons import LENGTHS
from data.store.rows import Boards, PersonRow, ServerRow
from data.store.store import Store
from data.texts import LANGUAGES
from tests.data.samples import GUEST, HOST, NOON, always, minutes


async def test_settings_are_stored_and_have_defaults(store: Store) -> None:
    for person in (
        PersonRow(HOST, "de", False, "Europe/Berlin", 22 * 60, 7 * 60, "dm", 2**62),
        PersonRow(HOST, "en", True, "UTC", None, None, None, None),
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


async def test_simultaneous_changes_of_settings_all_last(store: Store) -> None:
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


async def test_invalid_settings_of_servers_are_never_stored(store: Store) -> None:
    invalid: dict[str, Any] = {
        "language": "french",
        "boards": "burn",
        "quiet_limit": -1,
        "away_limit": -1,
        "tables_limit": 0,
        "threads": 2,
        "grandmasters": 2,
        "seek_abroad": 2,
    }
    kept = await store.settings.change_server(900, lambda row: replace(row, boards="keep"))
    for key, value in invalid.items():
        with refused_by_the_database():
            await store.settings.change_server(900, partial(replace, **{key: value}))
        assert await store.settings.server(900) == kept, key


async def test_invalid_settings_of_people_are_never_stored(store: Store) -> None:
    invalid: dict[str, Any] = {
        "language": "french",
        "quiet_from": 1440,
        "quiet_to": -1,
        "call_at": "camelot",
        "dm_closed": 2,
        "coach": 2,
    }
    for key, value in invalid.items():
        with refused_by_the_database():
            await store.settings.set_person(HOST, **{key: value})
        assert await store.settings.person(HOST) == PersonRow(HOST), key


def refused_by_the_database() -> pytest.RaisesExc[Exception]:
    """Expect that SQLite or PostgreSQL refuses an invalid value."""
    return pytest.raises((sqlite3.IntegrityError, psycopg.IntegrityError), match=r"(?i)check")


async def test_every_choice_is_stored(store: Store) -> None:
    """A new language, option for old boards or length of seasons needs a migration."""
    for language in LANGUAGES:
        await store.settings.set_person(HOST, language=language)
        await store.settings.change_server(900, partial(replace, language=language))
    for boards in get_args(Boards):
        await store.settings.change_server(900, partial(replace, boards=boards))
    for length in LENGTHS:
        await store.seasons.play_in(list(LENGTHS).index(length), length, "UTC", NOON)
