"""Thinking in other processes, on any machine: thoughts go through the queue of the database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from pydantic import TypeAdapter

from data.jobs import Jobs, NoAnswer
from games.engine import View
from play.computers import PATIENCE, NoAdvice, Thinkers, Thought, new_seed

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class ThoughtRequest:
    """What is to be thought about, as it stands in the queue.

    :param view: as JSON.
    :param hint: a person waits for it.
    """

    view: str
    level: str
    seed: str
    table_id: int
    hint: bool


QUESTION = TypeAdapter(ThoughtRequest)
THOUGHT = TypeAdapter(Thought)


class DistantThinkers(Thinkers):
    """Computer players that think wherever ``python -m cogs.worker`` runs.

    A worker that dies costs a second try, and too few workers cost weaker moves, as with thinkers
    of this process.
    """

    def __init__(
        self,
        jobs: Jobs,
        patience: float = PATIENCE,
        new_seed: Callable[[], str] = new_seed,
    ) -> None:
        super().__init__(0, patience, new_seed=new_seed)
        self._jobs = jobs

    async def think(
        self, view: View, level: str, seed: str, table_id: int, *, hint: bool
    ) -> Thought:
        """Have a worker think."""
        question = ThoughtRequest(view.to_json(), level, seed, table_id, hint)
        text = QUESTION.dump_json(question).decode()
        try:
            answer = await self._jobs.ask(text, self._patience, urgent=hint)
        except NoAnswer:
            log.warning("no_worker_answers", game=view.game, level=level)
            raise NoAdvice from None
        if not answer:
            raise NoAdvice
        return THOUGHT.validate_json(answer)

    def close(self) -> None:
        """Let go of the queue; thoughts under way are dropped."""
        self._closing = asyncio.ensure_future(self._jobs.close())


async def answer(thinkers: Thinkers, question: str) -> str:
    """What a worker answers; nothing if it has no time, or thinking fails."""
    asked = QUESTION.validate_json(question)
    view = View.from_json(asked.view)
    try:
        thought = await thinkers.think(
            view, asked.level, asked.seed, asked.table_id, hint=asked.hint
        )
    except NoAdvice:
        return ""
    return THOUGHT.dump_json(thought).decode()
