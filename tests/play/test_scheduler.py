"""Scheduling of searches: people, tables, hints and moves take turns."""

from __future__ import annotations

import asyncio
import math
import random
from collections import Counter
from collections.abc import AsyncIterator

import pytest

from play.scheduler import SHARED, Crowded, Scheduler


class Queue:
    """Waiting searches, and the order in which their turns came."""

    def __init__(self, room: int = 10, turns: int = 1, patience: float = 60.0) -> None:
        self.scheduler = Scheduler(turns, room, patience)
        self.order: list[str] = []
        self.turned_away: list[str] = []
        self.shares: dict[str, float] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def ask(
        self, name: str, table_id: int, person_id: int = 0, *, hint: bool = False
    ) -> None:
        self.tasks[name] = asyncio.create_task(self._wait(name, table_id, person_id, hint))
        await asyncio.sleep(0)

    async def _wait(self, name: str, table_id: int, person_id: int, hint: bool) -> None:
        try:
            self.shares[name] = await self.scheduler.turn(table_id, person_id, hint=hint)
        except Crowded:
            self.turned_away.append(name)
        else:
            self.order.append(name)

    async def finish(self, turns: int) -> None:
        """Finish this many searches one after another."""
        for _ in range(turns):
            self.scheduler.done()
            for _ in range(3):
                await asyncio.sleep(0)


@pytest.fixture
async def queue() -> AsyncIterator[Queue]:
    """A queue with one slot, which is occupied."""
    queue = Queue()
    await queue.ask("first", 0)
    yield queue
    for task in queue.tasks.values():
        task.cancel()
    await asyncio.gather(*queue.tasks.values(), return_exceptions=True)


async def test_as_many_think_as_there_are_turns() -> None:
    queue = Queue(turns=2)
    for name in "abc":
        await queue.ask(name, ord(name))
    assert queue.order == ["a", "b"]
    await queue.finish(1)
    assert queue.order == ["a", "b", "c"]


async def test_tables_take_turns(queue: Queue) -> None:
    for name, table_id in (("a1", 1), ("a2", 1), ("a3", 1), ("b", 2), ("c", 3)):
        await queue.ask(name, table_id)
    await queue.finish(5)
    assert queue.order == ["first", "a1", "b", "c", "a2", "a3"]


async def test_people_take_turns_and_then_their_tables(queue: Queue) -> None:
    asked = [("a1", 1), ("a1 again", 1), ("a2", 2), ("a3", 3)]
    for name, table_id in asked:
        await queue.ask(name, table_id, 71)
    for name in ("b", "b again"):
        await queue.ask(name, 4, 72)
    await queue.finish(6)
    assert queue.order == ["first", "a1", "b", "a2", "b again", "a3", "a1 again"]


async def test_in_a_crowd_who_has_most_waiting_does_without() -> None:
    """If the queue is full, the person with the most waiting searches loses one, not the last
    person to arrive or the one with the most recent search.
    """
    queue = Queue(room=3)
    await queue.ask("b thinks", 9, 72)
    for name, table_id in (("a1", 1), ("a2", 2), ("a3", 3)):
        await queue.ask(name, table_id, 71)
    await queue.ask("b", 9, 72)
    await asyncio.sleep(0)
    assert queue.turned_away == ["a3"]


async def test_many_tables_of_one_person_shorten_their_own_thoughts() -> None:
    """Other people's searches are as long as if that person had one table."""
    queue = Queue()
    await queue.ask("thinks", 9)
    for n in range(4):
        await queue.ask(f"a{n}", n, 71)
    await queue.ask("b", 8, 72)
    await queue.finish(2)
    soon = SHARED * 60.0
    assert (queue.shares["a0"], queue.shares["b"]) == (soon / 2 / 4, soon / 2)


async def test_the_person_without_a_search_for_longest_comes_first(queue: Queue) -> None:
    """How long a search has been queued makes no difference."""
    for name, table_id in (("a", 1), ("b", 2)):
        await queue.ask(name, table_id)
    await queue.finish(2)
    for name, table_id in (("b again", 2), ("a again", 1), ("new", 3)):
        await queue.ask(name, table_id)
    await queue.finish(3)
    assert queue.order[3:] == ["new", "a again", "b again"]


async def test_hints_and_moves_take_turns(queue: Queue) -> None:
    for n in range(3):
        await queue.ask(f"move {n}", 10 + n)
    for n in range(3):
        await queue.ask(f"hint {n}", 20 + n, hint=True)
    await queue.finish(6)
    assert queue.order[1:] == ["hint 0", "move 0", "hint 1", "move 1", "hint 2", "move 2"]


async def test_in_a_crowd_the_table_with_the_latest_thought_does_without() -> None:
    queue = Queue(room=2)
    await queue.ask("a", 1)
    await queue.ask("a again", 1)
    await queue.ask("b", 2)
    assert queue.turned_away == []
    await queue.ask("c", 3)
    await asyncio.sleep(0)
    assert queue.turned_away == ["a again"]
    await queue.ask("d", 4)
    await asyncio.sleep(0)
    assert queue.turned_away == ["a again", "d"]
    await queue.finish(2)
    assert queue.order == ["a", "b", "c"]


async def test_a_crowd_of_computer_players_leaves_room_for_hints() -> None:
    queue = Queue(room=1)
    for name, table_id in (("thinks", 1), ("waits", 2), ("too many", 3)):
        await queue.ask(name, table_id)
    await queue.ask("hint", 4, hint=True)
    await queue.ask("one hint too many", 5, hint=True)
    await asyncio.sleep(0)
    assert queue.turned_away == ["too many", "one hint too many"]
    await queue.finish(2)
    assert queue.order == ["thinks", "hint", "waits"]


async def test_no_more_hints_wait_than_can_be_given_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If a hint takes three seconds and the patience is twenty seconds, half of it for the other
    lane, three hints may wait. At least one may wait, however slow hints are, and more may wait
    again once hints are quick.
    """
    now = 0.0
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
    queue = Queue(room=10, patience=20.0)
    for seconds, waiting in ((3.0, 3), (60.0, 1), (0.1, 10)):
        for _ in range(40):
            await queue.ask("thinks", 0, hint=True)
            now += seconds
            await queue.finish(1)
        queue.turned_away.clear()
        for n in range(1 + 12):
            await queue.ask(f"{n}", 1 + n, hint=True)
            await asyncio.sleep(0)
        assert len(queue.turned_away) == 12 - waiting, seconds
        now += seconds
        await queue.finish(1 + waiting)


async def test_waiting_moves_share_the_time() -> None:
    """The more moves wait, the shorter each search. Hints neither shorten others nor are
    shortened.
    """
    queue = Queue(turns=2)
    for n in range(2 + 4):
        await queue.ask(f"move {n}", n)
    for n in range(3):
        await queue.ask(f"hint {n}", 10 + n, hint=True)
    await queue.finish(7)
    soon = 2 * SHARED * 60.0
    assert queue.shares == {
        "move 0": math.inf,
        "move 1": math.inf,
        "move 2": soon / 4,
        "move 3": soon / 3,
        "move 4": soon / 2,
        "move 5": math.inf,
        **{f"hint {n}": math.inf for n in range(3)},
    }


async def test_long_hints_shorten_the_lane_of_hints_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now)
    queue = Queue(room=10, patience=20.0)
    for _ in range(40):
        await queue.ask("hint", 0, hint=True)
        now += 9.0
        await queue.finish(1)
    for n in range(1 + 10):
        await queue.ask(f"move {n}", 1 + n)
    for n in range(2):
        await queue.ask(f"hint {n}", 20 + n, hint=True)
    await asyncio.sleep(0)
    assert queue.turned_away == ["hint 1"]


async def test_a_request_that_gives_up_costs_no_turn(queue: Queue) -> None:
    for name, table_id in (("gone", 1), ("late", 2), ("b", 3)):
        await queue.ask(name, table_id)
    queue.tasks["gone"].cancel()
    await asyncio.sleep(0)
    queue.scheduler.done()
    queue.tasks["late"].cancel()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert queue.order == ["first", "b"]
    await queue.finish(1)
    await queue.ask("c", 4)
    assert queue.order == ["first", "b", "c"]


@pytest.mark.full
@pytest.mark.seeds(3, always=1)
async def test_every_table_gets_its_share(seed: int) -> None:
    """With time for one table in thirty, all get nearly equal numbers of searches, however
    different their pauses.
    """
    rng = random.Random(seed)
    tables = {table_id: rng.uniform(0.2, 1.0) for table_id in range(30)}
    scheduler = Scheduler(1, 10, 60.0)
    thoughts: Counter[int] = Counter(dict.fromkeys(tables, 0))
    waiting: dict[int, asyncio.Task[float]] = {}
    for _ in range(1500):
        for table_id, often in tables.items():
            if table_id not in waiting and rng.random() < often:
                waiting[table_id] = asyncio.create_task(scheduler.turn(table_id))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for table_id, task in list(waiting.items()):
            if task.done():
                del waiting[table_id]
                if task.exception() is None:
                    thoughts[table_id] += 1
                    scheduler.done()
    for task in waiting.values():
        task.cancel()
    await asyncio.gather(*waiting.values(), return_exceptions=True)
    assert min(thoughts.values()) > 0.9 * max(thoughts.values()), thoughts
