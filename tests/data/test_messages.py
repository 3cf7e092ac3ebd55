"""Stored messages persist, and the last revision announced for a table only rises."""

from __future__ import annotations

from dataclasses import replace

import pytest

from data.store.problems import NoSuchTable
from data.store.rows import MessageRow
from data.store.store import Store
from tests.data.samples import HOST, NOON, minutes, move, opened

BOARD = MessageRow("board:2", NOON, 500, None, 71, "f00d", '{"strip": true}', pinged=True)
HAND = MessageRow("hand:101:2", minutes(3), person_id=HOST, final=True, told_from=4)


async def test_messages_are_kept_by_table_and_key(store: Store) -> None:
    table, other = [(await opened(store, channel_id=channel)).row.id for channel in (1, 2)]
    await store.messages.write(table, [BOARD, HAND])
    await store.messages.write(other, [replace(BOARD, message_id=72)])
    assert await store.messages.all_of(table) == (0, {BOARD.key: BOARD, HAND.key: HAND})
    later = replace(HAND, channel_id=7, message_id=2**62, stands="cafe", pinged=True)
    await store.messages.write(table, [later], removed=[BOARD.key, "nowhere"])
    assert await store.messages.all_of(table) == (0, {HAND.key: later})
    await store.messages.write(table, [BOARD], removed=[BOARD.key])
    assert (await store.messages.all_of(table))[1] == {BOARD.key: BOARD, HAND.key: later}
    assert (await store.messages.all_of(other))[1][BOARD.key].message_id == 72


async def test_the_announced_revision_never_falls(store: Store) -> None:
    table = await opened(store)
    for told, expected in ((1, 1), (0, 1), (None, 1), (3, 3), (2, 3)):
        await store.messages.write(table.row.id, [BOARD], told=told)
        assert (await store.messages.all_of(table.row.id))[0] == expected
    assert (await store.tables.load(table.row.id)).stored == table
    await move(store, table)
    assert (await store.messages.all_of(table.row.id))[0] == 3


async def test_there_are_no_messages_without_a_table(store: Store) -> None:
    with pytest.raises(NoSuchTable):
        await store.messages.all_of(9)
    with pytest.raises(NoSuchTable):
        await store.messages.write(9, [BOARD])
