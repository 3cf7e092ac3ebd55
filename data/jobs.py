"""Work for other processes on any machine, through procrastinate's job queue in the database.

A question is a job. The worker writes its answer to a table, which the asking process polls.
Workers skip questions whose asker has given up, and delete answers that nobody has fetched. The
queue has its own schema, which nothing else reads.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

import procrastinate
import psycopg
import structlog
from procrastinate.exceptions import ConnectorException
from psycopg.conninfo import make_conninfo

from data.store.migrate import APPLICATION_ID
from data.store.place import Server

log = structlog.get_logger()

logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
"""procrastinate's log lines quote questions, which contain hands and seeds. This module logs
problems itself.
"""

SCHEMA = "thoughts"

LOOK = 0.1
"""Seconds between two polls for answers."""

HEARTBEAT = 1.0
"""Seconds between two heartbeats of a worker."""

SILENT = 4.0
"""Seconds without a heartbeat after which a worker counts as dead and its jobs go to other
workers.
"""

FAREWELL = 15.0
"""How many seconds a worker may take to finish its jobs when it is asked to stop."""

TRIES = 2
"""A question that has killed this many workers is not tried again."""

CONNECTIONS = 3
"""The maximum number of database connections in the queue's pool. A worker keeps one more, on which
it is notified of new questions.
"""

KEPT = 60
"""Seconds that an answer is kept for its asker."""

TABLES = """CREATE UNLOGGED TABLE IF NOT EXISTS answers (
    job BIGINT PRIMARY KEY,
    answer TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL DEFAULT now()
)"""

UNREACHABLE = (ConnectorException, psycopg.Error)
"""The errors that the queue raises while its server is unreachable."""

Answer = Callable[[str], Awaitable[str]]
"""Answers a question."""


class NoAnswer(Exception):  # noqa: N818 - an expected outcome, not an error
    """Nobody answered in time, or the queue cannot be reached."""


class Jobs:
    """The job queue in one database."""

    def __init__(self, server: Server) -> None:
        self._url = make_conninfo(server.url, options=f"-c search_path={SCHEMA}")
        self._connector = procrastinate.PsycopgConnector(
            conninfo=self._url, min_size=1, max_size=CONNECTIONS
        )
        self._app = procrastinate.App(connector=self._connector)
        self._answer: Answer | None = None
        self._task = self._app.task(name="think", pass_context=True)(self._work)
        self._waiting: dict[int, asyncio.Future[str]] = {}
        self._looking: asyncio.Task[None] | None = None
        self._opening = asyncio.Lock()
        self._opened = False

    # -- asking
    async def ask(self, question: str, patience: float, priority: int = 0) -> str:
        """Ask a question and wait for a worker's answer.

        :param patience: seconds to wait for the answer.
        :param priority: workers take the question with the highest priority first.
        :raises NoAnswer: nobody answered in time, or the queue cannot be reached.
        """
        job = 0
        try:
            async with asyncio.timeout(patience):
                await self._open()
                job = await self._task.configure(priority=priority).defer_async(
                    question=question, until=time.time() + patience
                )
                return await self._answer_to(job)
        except TimeoutError:
            if job:
                with suppress(*UNREACHABLE):
                    await self._app.job_manager.cancel_job_by_id_async(job, delete_job=True)
            raise NoAnswer from None
        except UNREACHABLE as problem:
            _warn(problem)
            raise NoAnswer from problem

    async def _answer_to(self, job: int) -> str:
        waiting: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting[job] = waiting
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            return await waiting
        finally:
            self._waiting.pop(job, None)

    async def _look(self) -> None:
        """Poll for answers as long as questions are waiting for them."""
        while self._waiting:
            await asyncio.sleep(LOOK)
            try:
                found = await self._connector.execute_query_all_async(
                    "DELETE FROM answers WHERE job = ANY(%(jobs)s) RETURNING job, answer",
                    jobs=list(self._waiting),
                )
            except UNREACHABLE as problem:
                _warn(problem)
                await asyncio.sleep(1)
                continue
            for row in found:
                waiting = self._waiting.get(row["job"])
                if waiting is not None and not waiting.done():
                    waiting.set_result(row["answer"])

    # -- answering
    async def serve(self, answer: Answer, at_once: int) -> None:
        """Answer questions until cancelled; while the server is unreachable, keep retrying.

        :param answer: must not raise.
        :param at_once: the maximum number of questions to answer at the same time.
        """
        self._answer = answer
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._tidy())
            tasks.create_task(self._serve(at_once))

    async def _serve(self, at_once: int) -> None:
        """Run a worker; restart it if the server was unreachable, or if other workers declared it
        dead.
        """
        serving = asyncio.current_task()
        while serving is not None and not serving.cancelling():
            try:
                await self._open()
                await self._app.run_worker_async(
                    concurrency=at_once,
                    delete_jobs="always",
                    update_heartbeat_interval=HEARTBEAT,
                    stalled_worker_timeout=SILENT,
                    fetch_job_polling_interval=SILENT,
                    shutdown_graceful_timeout=FAREWELL,
                    install_signal_handlers=False,
                )
            except UNREACHABLE as problem:
                _warn(problem)
            await asyncio.sleep(HEARTBEAT)

    async def _work(self, context: procrastinate.JobContext, question: str, until: float) -> None:
        """Answer a question, unless its asker has given up or the question has killed too many
        workers.
        """
        if self._answer is None or context.job.attempts >= TRIES or time.time() > until:
            return
        answer = await self._answer(question)
        await self._connector.execute_query_async(
            """INSERT INTO answers (job, answer) VALUES (%(job)s, %(answer)s)
            ON CONFLICT (job) DO NOTHING""",
            job=context.job.id,
            answer=answer,
        )

    async def _tidy(self) -> None:
        """Requeue the jobs of dead workers, and delete old answers."""
        while True:
            try:
                await self._open()
                jobs = self._app.job_manager
                for job in await jobs.get_stalled_jobs(seconds_since_heartbeat=SILENT):
                    log.warning("worker_died", job=job.id)
                    await jobs.retry_job(job)
                await self._connector.execute_query_async(
                    f"DELETE FROM answers WHERE at < now() - interval '{KEPT}s'"  # noqa: S608
                )
            except UNREACHABLE as problem:
                _warn(problem)
            await asyncio.sleep(HEARTBEAT)

    # -- opening
    async def _open(self) -> None:
        async with self._opening:
            if not self._opened:
                await asyncio.to_thread(self._make_tables)
                await self._app.open_async()
                self._opened = True

    def _make_tables(self) -> None:
        """Create the queue's schema and tables, unless another process already has."""
        with psycopg.connect(self._url) as db:
            db.execute("SELECT pg_advisory_xact_lock(%s)", [APPLICATION_ID])
            db.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}".encode())
            if db.execute("SELECT to_regclass('procrastinate_jobs')").fetchall() == [(None,)]:
                db.execute(self._app.schema_manager.get_schema())
            db.execute(TABLES.encode())

    async def close(self) -> None:
        """Stop polling for answers and close the queue's connections."""
        if self._looking is not None:
            self._looking.cancel()
        if self._opened:
            self._opened = False
            await self._app.close_async()


def _warn(problem: Exception) -> None:
    cause = problem.__cause__ or problem  # the queue's own error says nothing
    log.warning("queue_unreachable", problem=str(cause).strip().partition("\n")[0])
