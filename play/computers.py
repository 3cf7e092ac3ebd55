"""Computer players at work: views go out to another process, advice comes back.

Thinking never delays anyone: it runs in worker processes of low priority, first come, first
served, whether a computer player is to move or a person asks for a hint. A worker that dies, gets
stuck, or has too much to do costs a weaker move, and a fault in what it thinks a random one; a
table is never stuck.
"""

from __future__ import annotations

import asyncio
import os
import random
import secrets
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from multiprocessing import get_context, parent_process

import structlog

from games import GAMES
from games.engine import Move, View
from games.players import LEVELS, Advice
from play.ladder import STAND_IN

log = structlog.get_logger()

PATIENCE = 20.0
"""Seconds after which no one waits for a thought any more, its time in the queue included."""

LONGEST_THOUGHT = 10.0
"""Seconds on the wall after which a worker is taken to be stuck, and ends. How long it shall think
is the level's budget, which is far shorter."""

THOUGHTS_AT_ONCE = 10
"""Thoughts for each worker that may be under way or wait."""

QUICK = 4
"""Iterations of a thought for which there is no time."""

WEAKEST = next(iter(LEVELS))
STRONGEST = list(LEVELS)[-1]


def new_seed() -> str:
    """A seed for one thought."""
    return secrets.token_hex(8)


class NoAdvice(Exception):  # noqa: N818 - no error: an answer
    """There was no time to think, or whoever thought has died of it."""


class Thinkers:
    """The computer players' place to think.

    :param workers: worker processes; 0 thinks in threads of this process.
    :param patience: as ``PATIENCE``; ``longest`` as ``LONGEST_THOUGHT``.
    :param new_seed: draws the seed of a thought that is given none.
    """

    def __init__(
        self,
        workers: int = 1,
        patience: float = PATIENCE,
        longest: float = LONGEST_THOUGHT,
        new_seed: Callable[[], str] = new_seed,
    ) -> None:
        self._workers = workers
        self._new_seed = new_seed
        self._patience = patience
        self._longest = longest
        self._limit = THOUGHTS_AT_ONCE * max(1, workers)
        self._thoughts = 0
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, view: View, level: str, seed: str | None = None) -> Move:
        """The move that a computer player of ``level`` plays for ``view.viewer``; where thinking
        fails, a weaker one.

        :param seed: makes the choice reproducible.
        """
        seed = seed or self._new_seed()
        try:
            return (await self.advise(view, level, seed)).best
        except NoAdvice:
            return await asyncio.to_thread(move_quickly, view.to_json(), seed)

    async def advise(self, view: View, level: str, seed: str | None = None) -> Advice:
        """What a computer player of ``level`` thinks of the moves of ``view.viewer``.

        :raises NoAdvice: too many thoughts are under way, this one took too long, or it failed.
        """
        if self._thoughts >= self._limit:
            log.warning("thinkers_busy", game=view.game, thoughts=self._thoughts)
            raise NoAdvice
        try:
            async with asyncio.timeout(self._patience):
                return await self._advise(view.to_json(), level, seed or self._new_seed())
        except TimeoutError:
            log.warning("thinker_too_slow", game=view.game, level=level)
            raise NoAdvice from None
        except BrokenProcessPool:
            log.warning("thinkers_died", game=view.game, level=level)
            raise NoAdvice from None
        except Exception as fault:
            log.exception("thinker_failed", game=view.game, level=level)
            raise NoAdvice from fault

    def close(self) -> None:
        """Let the workers go; thoughts under way are dropped."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    async def _advise(self, view: str, level: str, seed: str) -> Advice:
        """Think, and once more if the worker died: it may have been someone else's thought."""
        if self._workers == 0:
            return await self._run(None, partial(think, view, level, seed))
        try:
            return await self._in_worker(view, level, seed)
        except BrokenProcessPool:
            log.warning("thinker_died", level=level)
            return await self._in_worker(view, level, seed)

    async def _in_worker(self, view: str, level: str, seed: str) -> Advice:
        pool = self._open_pool()
        try:
            return await self._run(
                pool, partial(_think_in_worker, view, level, seed, self._longest)
            )
        except BrokenProcessPool:
            if self._pool is pool:  # the first of all whose thoughts it broke
                self._pool = None
            raise

    async def _run(self, executor: Executor | None, thought: Callable[[], Advice]) -> Advice:
        """Wait for a thought; it goes on if no one waits any more, and then still counts.

        It is not taken out of the queue, because Python 3.11 does not survive the end of a worker
        while there are cancelled thoughts.
        """
        future = asyncio.get_running_loop().run_in_executor(executor, thought)
        self._thoughts += 1
        future.add_done_callback(self._forget)
        return await asyncio.shield(future)

    def _forget(self, _future: asyncio.Future[Advice]) -> None:
        self._thoughts -= 1

    def _open_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Never fork: the bot's process has threads of its own.
            self._pool = ProcessPoolExecutor(
                self._workers, mp_context=get_context("spawn"), initializer=_serve_quietly
            )
        return self._pool


def think(view_json: str, level: str, seed: str) -> Advice:
    """Rank the moves of the view's viewer, for as long as the level's budget allows."""
    view = View.from_json(view_json)
    chosen = LEVELS[level]
    return chosen.player(GAMES[view.game], view, random.Random(seed), chosen.budget)


def move_quickly(view_json: str, seed: str) -> Move:
    """A move at a glance, so that it disturbs no one even in the bot's own process; where even
    that fails, any legal one.
    """
    view, rng = View.from_json(view_json), random.Random(seed)
    game, chosen = GAMES[view.game], LEVELS[STAND_IN]
    budget = replace(chosen.budget, iterations=QUICK)
    try:
        return chosen.player(game, view, rng, budget).best
    except Exception:
        log.exception("quick_thinker_failed", game=view.game)
        return game.random_move(game.determinize(view, rng), view.viewer or 0, rng)


# ---------------------------------------------------------------------------- in the worker
def _think_in_worker(view_json: str, level: str, seed: str, longest: float) -> Advice:
    """Think; a worker that gets stuck is ended by its alarm, and its pool is built anew."""
    signal.setitimer(signal.ITIMER_REAL, longest)
    try:
        return think(view_json, level, seed)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _serve_quietly() -> None:
    """Yield to everyone else, and end when the bot ends, even if it was killed."""
    os.nice(10)
    threading.Thread(target=_end_with_the_bot, daemon=True).start()


def _end_with_the_bot() -> None:
    bot = parent_process()
    if bot is not None:
        bot.join()
        os._exit(0)
