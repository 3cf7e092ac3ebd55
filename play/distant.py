"""Runs searches in other processes, on any machine, through a queue in the database."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from pydantic import TypeAdapter

from data.jobs import Jobs, NoAnswer
from games.engine import View
from play.computers import PATIENCE, NoAdvice, Thinkers, Thought, new_seed
from play.last_turns import payer

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ThoughtRequest:
    """A request for a search, as stored in the queue.

    :param view: the view, as JSON.
    :param hint: whether a person is waiting for it.
    """

    view: str
    level: str
    seed: str
    table_id: int
    hint: bool


HINTS_FIRST = 1000
"""How much higher hints rank than moves in the queue."""

QUESTION = TypeAdapter(ThoughtRequest)
THOUGHT = TypeAdapter(Thought)


class DistantThinkers(Thinkers):
    """Runs searches wherever ``python -m cogs.worker`` runs.

    If a worker dies, the search is tried once more. If there are too few workers, searches are not
    shortened; if an answer is late, a move is chosen quickly instead. Each further request of the
    same person ranks lower, so one person's many requests do not delay everyone else's. The queue
    sees the priority, but not the person. Other work (``work``) runs in worker processes on this
    machine.

    :param workers: the number of those processes, started on demand; other parameters as for
        ``Thinkers``.
    """

    def __init__(
        self,
        jobs: Jobs,
        workers: int = 0,
        patience: float = PATIENCE,
        new_seed: Callable[[], str] = new_seed,
        prepare: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(workers, patience, new_seed=new_seed, prepare=prepare)
        self._jobs = jobs
        self._waiting: Counter[tuple[int, ...]] = Counter()

    async def think(
        self, view: View, level: str, seed: str, table_id: int, person_id: int = 0, *, hint: bool
    ) -> Thought:
        """Have a worker think; parameters as for ``Thinkers.think``.

        :raises NoAdvice: no worker answered in time, or thinking failed.
        """
        question = ThoughtRequest(view.to_json(), level, seed, table_id, hint)
        text, whose = QUESTION.dump_json(question).decode(), payer(person_id, table_id)
        priority = HINTS_FIRST * hint - self._waiting[whose]
        self._waiting[whose] += 1
        try:
            answer = await self._jobs.ask(text, self._patience, priority)
        except NoAnswer:
            log.warning("no_worker_answers", game=view.game, level=level)
            raise NoAdvice from None
        finally:
            self._waiting[whose] -= 1
            self._waiting += Counter()  # adding an empty counter drops all zeros
        if not answer:
            raise NoAdvice
        return THOUGHT.validate_json(answer)

    def close(self) -> None:
        """Kill the worker processes started here and close the queue; requests in progress are
        dropped.
        """
        super().close()
        self._closing = asyncio.ensure_future(self._jobs.close())


async def answer(thinkers: Thinkers, question: str) -> str:
    """Return a worker's answer; empty if time ran out or thinking failed."""
    asked = QUESTION.validate_json(question)
    view = View.from_json(asked.view)
    try:
        thought = await thinkers.think(
            view, asked.level, asked.seed, asked.table_id, hint=asked.hint
        )
    except NoAdvice:
        return ""
    return THOUGHT.dump_json(thought).decode()
