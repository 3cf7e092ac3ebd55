"""Histories by the hundred: one in every run, more with ``--long``, and as many as wanted by
``python -m tests.simulation``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from cogs.delivery import message
from data.store.store import Store
from tests.postgres import shared_server
from tests.simulation.history import (
    Step,
    failure_of,
    in_chat,
    raced,
    smallest,
    steps_of,
    stub_drawn,
    told,
)
from tests.stores import opened

HISTORIES = 320
"""In all, in chunks that are tests of their own."""

CHUNK = 4

ALWAYS = 96
"""How many of them every run plays."""


@pytest.fixture(autouse=True)
def nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """What pictures look like does not matter here."""
    monkeypatch.setattr(message, "with_pictures", stub_drawn)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An empty store."""
    store = await opened(tmp_path / "house.sqlite3")
    yield store
    await store.close()


@pytest.mark.slow("simulated histories")
@pytest.mark.parametrize(
    "first",
    [
        pytest.param(first, marks=[pytest.mark.long] if first >= ALWAYS else [])
        for first in range(0, HISTORIES, CHUNK)
    ],
)
async def test_after_any_history_what_stands_is_what_should(
    first: int, store: Store, tmp_path: Path
) -> None:
    """Surfaces stand once, calls ping once, acknowledged commands count once, the journal grows."""
    for seed in range(first, first + CHUNK):
        steps = steps_of(seed)
        if await failure_of(store, seed, steps):
            fewer, why = await smallest(tmp_path / "smaller.sqlite3", seed, steps)
            pytest.fail(told(seed, fewer, why))


@pytest.mark.parametrize(
    ("seed", "steps"),
    [
        (95, ["computer:304652", "options:107580", "word:797288", "start:48272"]),
        (18, ["computer:71066", "start:946406", "rounds:936701"]),
    ],
)
async def test_a_post_cut_off_by_a_kill_leaves_nothing_behind(
    seed: int, steps: Sequence[str], store: Store
) -> None:
    """A board comes after the next process has looked for it, when another one is there already."""
    kinds = [step.split(":") for step in steps]
    await holds(store, seed, [Step(kind, int(number)) for kind, number in kinds])


@pytest.mark.slow("simulated histories")
@pytest.mark.seeds(5)
async def test_in_a_chat_all_is_told_once_somebody_acts(seed: int, store: Store) -> None:
    """Where the bot can only answer: tokens end, follow-ups are few, and nothing can be read."""
    await holds(store, seed, in_chat(seed), chat="@me")


@pytest.mark.slow("simulated histories")
@pytest.mark.seeds(4)
async def test_it_is_the_same_while_two_processes_race(seed: int, store: Store) -> None:
    """One takes over from the other before any call to Discord."""
    await holds(store, seed, raced(seed))


@pytest.mark.slow("server")
@pytest.mark.seeds(3)
async def test_it_is_the_same_at_a_server(seed: int) -> None:
    """The short form of ``python -m tests.simulation --server``."""
    with shared_server().house() as house:
        store = await opened(house)
        try:
            await holds(store, seed, steps_of(seed))
        finally:
            await store.close()


CLOSED_IN_MID_MATCH = (
    "join:911105 computer:506300 invite:84124 invite:209151 start:350548 move:20910 move:891282 "
    "move:637032 close:992699 move:624539 move:856799 outage:58789 move:87434"
)
"""Direct messages are closed and Discord fails before anybody has noticed: nothing can replace the
hand that was sent before, and its owner is not to move any more when that is found out.
"""


async def test_no_old_hand_is_left_in_closed_direct_messages(store: Store) -> None:
    """It is deleted, though its successor was refused."""
    steps = (step.split(":") for step in CLOSED_IN_MID_MATCH.split())
    await holds(store, 906106, [Step(kind, int(seed)) for kind, seed in steps])


async def test_where_nothing_can_be_posted_the_last_board_is_forgotten(store: Store) -> None:
    """The match ends after its channel was lost, so that no result can take the board's place."""
    steps = ("join:175275", "start:672951", "lose:900416", "resign:435905")
    parts = (step.split(":") for step in steps)
    await holds(store, 933796, [Step(kind, int(seed)) for kind, seed in parts])


TAKEN_BACK_AT_ONCE = (
    "join:551728 join:840184 start:961912 twice:951571 move:141841 twice:341757 move:625996 "
    "undo:991615"
)
"""Two processes race, so late calls are waited for; meanwhile somebody is called, another one
moves, and the move is taken back.
"""


async def test_a_call_that_comes_back_calls_nobody_twice(store: Store) -> None:
    """Though the table does not count as told yet."""
    steps = (step.split(":") for step in TAKEN_BACK_AT_ONCE.split())
    await holds(store, 933725, [Step(kind, int(seed)) for kind, seed in steps])


PLANS_BACK_AT_ONCE = {
    1008003: """computer:802172 computer:48830 start:10054 move:549188 plan:942403 move:837218
        undo:200994""",
    1000691: """join:752040 join:458810 join:687752 computer:122337 start:594122 move:430351
        rounds:329384 move:345940 move:774143 outage:437367 plan:560410 move:981805 undo:150509
        move:471287 twice:834528 move:467319 move:466045 undo:60231""",
}
"""The same with the note that somebody's planned moves are gone."""


@pytest.mark.parametrize(("seed", "steps"), PLANS_BACK_AT_ONCE.items())
async def test_a_note_that_comes_back_is_told_once(store: Store, seed: int, steps: str) -> None:
    """It was deleted when that person moved, and the move was taken back."""
    parts = (step.split(":") for step in steps.split())
    await holds(store, seed, [Step(kind, int(number)) for kind, number in parts])


LATE_AFTER_A_FAILED_DELETION = """join:575276 join:655041 join:137857 word:232206 start:936738
    move:298180 move:802775 move:341809 move:611272 hint:210136"""
"""A call is posted again after a kill. Its deletion fails, but takes effect; then the first post,
which was in flight at the kill, arrives."""


async def test_what_comes_late_is_deleted_though_a_deletion_has_failed(store: Store) -> None:
    """The message that was known is gone by then, and another one has its mark."""
    steps = (step.split(":") for step in LATE_AFTER_A_FAILED_DELETION.split())
    await holds(store, 1008631, [Step(kind, int(seed)) for kind, seed in steps])


async def holds(store: Store, seed: int, steps: Sequence[Step], chat: str = "") -> None:
    """Fail with the whole history unless all is as it should be after it."""
    if why := await failure_of(store, seed, steps, chat=chat):
        pytest.fail(told(seed, steps, why))
