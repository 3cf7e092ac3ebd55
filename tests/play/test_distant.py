"""Computer players that run in other processes, connected by a queue in the database."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import procrastinate
import psycopg
import pytest
from structlog.testing import capture_logs

from data.jobs import SCHEMA, Jobs, NoAnswer
from data.store.place import Server
from play.computers import STRONGEST, NoAdvice
from play.distant import HINTS_FIRST, DistantThinkers
from tests.play.test_computers import is_legal, view_of
from tests.postgres import shared_server
from tests.wire.process import ROOT

BUSY = 314159265358979323
"""A person who sends many requests."""

pytestmark = pytest.mark.slow("server")


@pytest.fixture
def place() -> Iterator[Server]:
    with shared_server().house() as house:
        yield house


@pytest.fixture
async def jobs(place: Server) -> AsyncIterator[Jobs]:
    """The queue as used by a process that asks."""
    jobs = Jobs(place)
    yield jobs
    await jobs.close()


@asynccontextmanager
async def serving(place: Server, name: str, heard: list[str]) -> AsyncIterator[None]:
    """A worker that answers with its name and the question, but takes a second over ``keep``."""

    async def answer(question: str) -> str:
        heard.append(name)
        if question == "keep":
            await asyncio.sleep(1)
        return f"{name}: {question}"

    worker = Jobs(place)
    task = asyncio.create_task(worker.serve(answer, 1))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await worker.close()


async def test_a_question_is_answered_once_and_in_time(
    place: Server, jobs: Jobs, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(NoAnswer):
        await jobs.ask("too early", 0.5)
    heard: list[str] = []
    async with serving(place, "Ada", heard), serving(place, "Bob", heard):
        answers = await asyncio.gather(*(jobs.ask(f"{n}", 20) for n in range(6)))
        assert [answer.split(": ")[1] for answer in answers] == list("012345")
        assert len(heard) == 6
        with pytest.raises(NoAnswer):
            await jobs.ask("keep", 0.5)
        assert (await jobs.ask("after it", 20)).endswith("after it")
    assert "after it" not in caplog.text


async def test_an_answer_that_comes_too_late_keeps_no_one_waiting(
    place: Server, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An asker may give up while the answers are on their way."""
    fetch = procrastinate.PsycopgConnector.execute_query_all_async

    async def with_another(self: Any, query: str, **arguments: Any) -> list[dict[str, Any]]:
        found = await fetch(self, query, **arguments)
        return [{"job": -1, "answer": "late"}, *found] if "FROM answers" in query else found

    monkeypatch.setattr(procrastinate.PsycopgConnector, "execute_query_all_async", with_another)
    async with serving(place, "Ada", []):
        assert await jobs.ask("now", 20) == "Ada: now"


async def test_work_other_than_moves_runs_beside_the_bot(jobs: Jobs) -> None:
    """Such work runs in a separate process, so a long analysis never delays the bot's answers."""
    thinkers = DistantThinkers(jobs, workers=1)
    try:
        assert await thinkers.work(os.getpid, 20) != os.getpid()
    finally:
        thinkers.close()


async def test_patience_may_end_before_the_queue_is_open(jobs: Jobs) -> None:
    """A server may take longer to connect than the asker can wait."""
    with pytest.raises(NoAnswer):
        await jobs.ask("at once", 0)


async def test_a_queue_leaves_no_connection_behind(place: Server) -> None:
    """A server accepts only a limited number of connections."""
    jobs = Jobs(place)
    async with serving(place, "Ada", []):
        await jobs.ask("hello", 20)
    await jobs.close()
    with psycopg.connect(place.url, autocommit=True) as db:
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        assert db.execute(query).fetchone() == (1,)


async def test_a_worker_that_is_killed_costs_a_second_try(place: Server, jobs: Jobs) -> None:
    thinkers = DistantThinkers(jobs, patience=50)
    view = view_of("lancelot")
    async with worker(place) as first:
        thinking = asyncio.create_task(thinkers.choose(view, STRONGEST, "seed"))
        await doing(place)
        first.kill()
        await first.wait()
        async with worker(place) as second:
            choice = await thinking
            second.terminate()
            assert await second.wait() == 0
    assert not choice.quick
    assert is_legal(view, choice.move)


async def test_a_worker_that_was_cut_off_serves_on(place: Server, jobs: Jobs) -> None:
    """A worker whose registration was removed because it seemed dead registers again."""
    heard: list[str] = []
    async with serving(place, "Ada", heard):
        assert await jobs.ask("before", 20) == "Ada: before"
        with psycopg.connect(place.url, autocommit=True) as db:
            db.execute(f"SET search_path = {SCHEMA}".encode())
            db.execute("DELETE FROM procrastinate_workers")
        assert await jobs.ask("after it", 20) == "Ada: after it"


async def test_a_worker_waits_for_its_server(
    place: Server, jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect, failures = psycopg.connect, iter(range(2))

    def refused(*given: Any, **named: Any) -> Any:
        if next(failures, None) is not None:
            raise psycopg.OperationalError("connection refused")
        return connect(*given, **named)

    monkeypatch.setattr(psycopg, "connect", refused)
    with capture_logs() as lines:
        async with serving(place, "Ada", []):
            async with asyncio.timeout(20):
                while len(lines) < 2:  # noqa: ASYNC110 - no event to await
                    await asyncio.sleep(0.01)
            assert await jobs.ask("late", 20) == "Ada: late"
    assert [line["problem"] for line in lines if line["event"] == "queue_unreachable"] == [
        "connection refused",
        "connection refused",
    ]


@asynccontextmanager
async def worker(place: Server) -> AsyncIterator[asyncio.subprocess.Process]:
    """A worker process that ends with the test."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cogs.worker", "--database", place.url, "--processes", "1", cwd=ROOT
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def doing(place: Server) -> None:
    """Wait until a worker has taken a question."""
    found: tuple[Any, ...] | None = None
    with psycopg.connect(place.url, autocommit=True) as db:
        async with asyncio.timeout(30):
            while found is None:
                await asyncio.sleep(0.02)
                with suppress(psycopg.errors.UndefinedTable):  # nobody has made the queue yet
                    jobs = f"{SCHEMA}.procrastinate_jobs"
                    query = f"SELECT id FROM {jobs} WHERE status = 'doing'"  # noqa: S608
                    found = db.execute(query.encode()).fetchone()


class Queued:
    """A queue that records questions and priorities, and holds answers back until released."""

    def __init__(self) -> None:
        self.questions: list[str] = []
        self.priorities: list[int] = []
        self.go_on = asyncio.Event()

    async def ask(self, question: str, _patience: float, priority: int) -> str:
        """:raises NoAnswer: always, once the queue is released."""
        self.questions.append(question)
        self.priorities.append(priority)
        await self.go_on.wait()
        raise NoAnswer


async def test_a_person_with_many_questions_is_behind_others() -> None:
    queue, view = Queued(), view_of("lancelot")
    thinkers = DistantThinkers(queue)  # type: ignore[arg-type]
    for _ in range(2):
        queue.priorities.clear()
        queue.go_on.clear()
        asked = [(1, BUSY, False), (2, BUSY, False), (3, BUSY, True), (4, 72, False), (5, 0, False)]
        async with asyncio.TaskGroup() as tasks:
            for table, person, hint in asked:
                thought = thinkers.think(view, STRONGEST, "", table, person, hint=hint)
                tasks.create_task(_refused(thought))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            queue.go_on.set()
        assert queue.priorities == [0, -1, HINTS_FIRST - 2, 0, 0]
    assert not any(str(BUSY) in question for question in queue.questions)


async def _refused(thought: Coroutine[Any, Any, object]) -> None:
    with pytest.raises(NoAdvice):
        await thought
