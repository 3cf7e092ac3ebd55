"""Histories by the hundred: some in every run, more with ``--long``, and any number with ``python
-m tests.simulation``.
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
"""The total number of histories, split into chunks that are separate tests."""

CHUNK = 4

ALWAYS = 20
"""The number of histories that are played in every run."""


@pytest.fixture(autouse=True)
def nothing_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace all drawings with empty ones, because pixels do not matter here."""
    monkeypatch.setattr(message, "with_pictures", stub_drawn)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
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
async def test_after_any_history_the_right_messages_exist(
    first: int, store: Store, tmp_path: Path
) -> None:
    for seed in range(first, first + CHUNK):
        steps = steps_of(seed)
        if await failure_of(store, seed, steps):
            fewer, why = await smallest(tmp_path / "smaller.sqlite3", seed, steps)
            pytest.fail(told(seed, fewer, why))


@pytest.mark.slow("simulated histories")
@pytest.mark.seeds(5, always=3)
async def test_a_chat_is_updated_once_somebody_acts(seed: int, store: Store) -> None:
    """In a chat, the bot can only answer, and cannot read anything; tokens expire, and follow-ups
    are limited. Still, everything is delivered once somebody acts.
    """
    await holds(store, seed, in_chat(seed), chat="@me")


@pytest.mark.slow("simulated histories")
@pytest.mark.seeds(4)
async def test_the_result_is_the_same_while_two_processes_race(seed: int, store: Store) -> None:
    """The messages are right although two processes keep taking over from each other, even during a
    delivery.
    """
    await holds(store, seed, raced(seed))


@pytest.mark.slow("server")
@pytest.mark.seeds(3, always=1)
async def test_the_result_is_the_same_at_a_server(seed: int) -> None:
    with shared_server().house() as house:
        store = await opened(house)
        try:
            await holds(store, seed, steps_of(seed))
        finally:
            await store.close()


FAILED_ONCE = {
    "a board is looked for and posted after a kill": """95
        computer:304652 options:107580 word:797288 start:48272""",
    "a board is there when an earlier post is looked for": """18
        computer:71066 start:946406 rounds:936701""",
    "direct messages are closed, and Discord fails before anybody has noticed": """906106
        join:911105 computer:506300 invite:84124 invite:209151 start:350548 move:20910 move:891282
        move:637032 close:992699 move:624539 move:856799 outage:58789 move:87434""",
    "the match ends after its channel was lost": """933796
        join:175275 start:672951 lose:900416 resign:435905""",
    "a call comes back by an undo while late calls are waited for": """933725
        join:551728 join:840184 start:961912 twice:951571 move:141841 twice:341757 move:625996
        undo:991615""",
    "a note on dropped plans comes back by an undo": """1008003
        computer:802172 computer:48830 start:10054 move:549188 plan:942403 move:837218
        undo:200994""",
    "a note on dropped plans comes back by the second undo": """1000691
        join:752040 join:458810 join:687752 computer:122337 start:594122 move:430351 rounds:329384
        move:345940 move:774143 outage:437367 plan:560410 move:981805 undo:150509 move:471287
        twice:834528 move:467319 move:466045 undo:60231""",
    "a post arrives after the deletion of its copy has failed, but taken effect": """1008631
        join:575276 join:655041 join:137857 word:232206 start:936738 move:298180 move:802775
        move:341809 move:611272 hint:210136""",
    "a late post comes while the bot may not look for it": """1100921
        join:998370 join:551168 join:813969 start:647011 move:885155 move:126096 move:244148
        move:397467 move:206401 move:382235 replace:400667 move:280441 forbid:292209
        move:511064""",
    "a table ends while the bot may not look for its lobby": """2706810
        delete:881958 ring:810005 forbid:437142 end:293761""",
    "an invitation comes late to somebody who is not at the table": """2807634
        computer:716999 invite:402889 start:730047""",
    "a kill before somebody with closed direct messages is called at the table": """2951765
        close:623178 ring:504149 wait:482668 join:111987 delete:507621 start:873367""",
    "the first edit of a dead process's board fails": """3207162
        join:428948 move:743487 outage:710715 move:944639""",
    "an undo reopens a full message of rounds after the next one has begun": """3309845
        join:294959 start:87184 move:935118 move:855881 move:100944 rounds:883477 move:398686
        move:962780 rounds:351007 move:101281 move:548781 rounds:430238 undo:986552""",
    "a late post comes after its copy was deleted by a process that was then killed": """9200371
        join:871787 invite:18305 invite:568745 join:164511 join:662961 computer:966204
        computer:3509 word:398422 start:57020 move:465566 move:507717 twice:562045 move:704259
        move:191282 move:405656 rounds:522428 answer:149304 replace:223166""",
    "a follower who was told the result does not follow any more": """9302683
        follow:168932 start:120171 resign:116570 unfollow:429531""",
}
"""Histories that once failed, shortened to their seeds and steps."""


@pytest.mark.parametrize("history", FAILED_ONCE.values(), ids=FAILED_ONCE)
async def test_histories_that_failed_once_pass(history: str, store: Store) -> None:
    seed, *steps = history.split()
    parts = (step.split(":") for step in steps)
    await holds(store, int(seed), [Step(kind, int(number)) for kind, number in parts])


async def holds(store: Store, seed: int, steps: Sequence[Step], chat: str = "") -> None:
    """Fail, showing the whole history, unless everything is correct after it."""
    if why := await failure_of(store, seed, steps, chat=chat):
        pytest.fail(told(seed, steps, why))
