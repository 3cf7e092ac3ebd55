"""The store keeps each solved step of a lesson once per person."""

from __future__ import annotations

from data.store.store import Store
from tests.data.samples import GUEST, HOST


async def test_a_solved_step_is_kept_once(store: Store) -> None:
    assert await store.lessons.of_person(HOST) == {}
    for game, step in (("isis", "lots"), ("isis", "steps"), ("isis", "lots"), ("twilight", "a-b")):
        await store.lessons.solve(HOST, game, step)
    assert await store.lessons.of_person(HOST) == {
        "isis": frozenset({"lots", "steps"}),
        "twilight": frozenset({"a-b"}),
    }
    assert await store.lessons.of_person(GUEST) == {}
    assert (await store.privacy.kept(HOST)).steps == 3
