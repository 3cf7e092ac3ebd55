"""Computer players at work: views go out to another process, moves come back.

Thinking never delays anybody: it runs in a worker process of low priority. A worker that crashes
or is slow costs a weaker move, never a stuck table.
"""

from __future__ import annotations

import asyncio
import os
import random
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process

import structlog

from games import GAMES
from games.engine import Move, View
from games.players import LEVELS

log = structlog.get_logger()

PATIENCE = 20.0
"""Seconds to wait for a worker beyond which any legal move will do."""


WEAKEST = next(iter(LEVELS))


class Thinkers:
    """The computer players' place to think.

    :param workers: worker processes; 0 thinks in a thread of this process.
    """

    def __init__(self, workers: int = 1) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, view: View, level: str) -> Move:
        """The move that a computer player of ``level`` plays for ``view.viewer``."""
        seed = secrets.token_hex(8)
        for _attempt in range(2):
            try:
                return await asyncio.wait_for(self._run(view, level, seed), PATIENCE)
            except BrokenProcessPool:
                log.warning("thinker_died", game=view.game, level=level)
                self._pool = None
            except TimeoutError:
                log.warning("thinker_too_slow", game=view.game, level=level)
                break
        return think(view.to_json(), WEAKEST, seed)

    def close(self) -> None:
        """Let the workers go; thoughts under way are dropped."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    async def _run(self, view: View, level: str, seed: str) -> Move:
        call: Callable[[str, str, str], Move] = think
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor(), call, view.to_json(), level, seed)

    def _executor(self) -> Executor | None:
        if self._workers == 0:
            return None
        if self._pool is None:
            # Never fork: the bot's process has threads of its own.
            self._pool = ProcessPoolExecutor(
                self._workers, mp_context=get_context("spawn"), initializer=_serve_quietly
            )
        return self._pool


def think(view_json: str, level: str, seed: str) -> Move:
    """Choose a move; runs in the worker, so everything that goes in and out is text."""
    view = View.from_json(view_json)
    game = GAMES[view.game]
    chosen = LEVELS[level]
    return chosen.player(game, view, random.Random(seed), chosen.budget).best


def _serve_quietly() -> None:
    """Yield to everybody else, and end when the bot ends, even if it was killed."""
    os.nice(10)
    threading.Thread(target=_end_with_the_bot, daemon=True).start()


def _end_with_the_bot() -> None:
    bot = parent_process()
    if bot is not None:
        bot.join()
        os._exit(0)
