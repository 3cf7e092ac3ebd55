"""Records that people upload are kept for a while, for themselves only."""

from __future__ import annotations

from datetime import timedelta

import pytest

from data.store.problems import NoSuchRecord
from data.store.records import KEPT_AT_MOST, KEPT_FOR
from data.store.store import Store
from tests.data.samples import GUEST, HOST, NOON

DAY = timedelta(days=1)


async def test_only_the_person_who_brought_a_record_finds_it_again(store: Store) -> None:
    record = await store.records.add(HOST, "Tafelrunde record 1 „ß“", NOON)
    assert await store.records.text(record, HOST, NOON) == "Tafelrunde record 1 „ß“"
    for number, person in ((record, GUEST), (record + 1, HOST)):
        with pytest.raises(NoSuchRecord):
            await store.records.text(number, person, NOON)


async def test_a_record_is_kept_while_it_is_looked_at(store: Store) -> None:
    looked_at, forgotten = [await store.records.add(HOST, text, NOON) for text in ("a", "b")]
    later = NOON + KEPT_FOR - DAY
    await store.records.text(looked_at, HOST, later)
    await store.records.add(GUEST, "c", later + 2 * DAY)
    assert await store.records.text(looked_at, HOST, later + 2 * DAY) == "a"
    with pytest.raises(NoSuchRecord):
        await store.records.text(forgotten, HOST, later + 2 * DAY)


async def test_the_record_looked_at_longest_ago_makes_room(store: Store) -> None:
    others = await store.records.add(GUEST, "mine", NOON - DAY)
    mine = [
        await store.records.add(HOST, str(n), NOON + n * DAY / 100) for n in range(KEPT_AT_MOST)
    ]
    await store.records.text(mine[0], HOST, NOON + DAY)
    await store.records.add(HOST, "one more", NOON + DAY)
    assert await store.records.text(mine[0], HOST, NOON + DAY) == "0"
    with pytest.raises(NoSuchRecord):
        await store.records.text(mine[1], HOST, NOON + DAY)
    assert await store.records.text(others, GUEST, NOON + DAY) == "mine"
