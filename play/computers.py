"""Runs computer players: sends a view to another process, and receives advice.

Thinking never delays anyone. It runs in worker processes of low priority, whether a computer player
is to move or a person asks for a hint; ``Scheduler`` shares the time fairly between people, and
then between their tables. If a worker dies, its search is tried once more. If that fails as well,
if the workers are overloaded, or if a search fails, a move from a very short search is played; if
that fails too, a random one. A worker that is stuck, or frozen from outside, is killed and
replaced. So a table never gets stuck.
"""

from __future__ import annotations

import asyncio
import math
import os
import random
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType
from typing import Any, TypeVar

import structlog
from prometheus_client import Counter, Gauge

from games import GAMES
from games.engine import Move, View
from games.players import GRANDMASTER, LEVELS, Advice
from games.players.advice import Stop
from play.ladder import STAND_IN
from play.scheduler import Crowded, Scheduler

log = structlog.get_logger()

T = TypeVar("T")

PATIENCE = 20.0
"""The longest time, in seconds, to wait for a result, including the time in the queue."""

GRACE = 5.0
"""Seconds past its time limit after which a search counts as stuck."""

START = 60.0
"""Seconds that a worker may take to start, however busy the machine is."""

ROOM = 250
"""How many hints, and how many moves, may wait per worker."""

SHORTEST = 0.01
"""Seconds that a search gets under any load, if its level needs them."""

QUICK = 4
"""Iterations of a search when there is no time for more."""

WAITING = Gauge("tafelrunde_thoughts_waiting", "Thoughts that wait for their turn.", ["kind"])
THOUGHTS = Counter(
    "tafelrunde_thoughts_total",
    "Thoughts that were asked for, by their outcome.",
    ["kind", "outcome"],
)

WEAKEST = next(iter(LEVELS))
STRONGEST = [level for level in LEVELS if level != GRANDMASTER][-1]
"""The strongest level available on every server."""


def new_seed() -> str:
    """Return a seed for one search."""
    return secrets.token_hex(8)


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """The move that a computer player has chosen.

    :param quick: whether it was chosen without a full search, because there was no time or the
        search failed.
    :param full: whether the level had its full thinking time; under load the time may be cut.
    :param advice: the result of the full search; None if ``quick``.
    """

    move: Move
    quick: bool
    full: bool = True
    advice: Advice | None = None


@dataclass(frozen=True, slots=True)
class Thought:
    """A worker's result.

    :param full: see ``ChosenMove``.
    """

    advice: Advice
    full: bool


class NoAdvice(Exception):  # noqa: N818 - no error: an answer
    """There was no time to think, or thinking failed. The text, if there is one, is the outcome
    that ``THOUGHTS`` counts.
    """


class Thinkers:
    """Runs the searches of computer players.

    :param workers: the number of worker processes; 0: searches run in threads of this process.
    :param prepare: called in each worker process at its start; a module-level function.
    :param patience: see ``PATIENCE``.
    :param grace: see ``GRACE``.
    :param new_seed: draws the seed of a search that has none.
    """

    def __init__(
        self,
        workers: int = 1,
        patience: float = PATIENCE,
        grace: float = GRACE,
        new_seed: Callable[[], str] = new_seed,
        prepare: Callable[[], object] | None = None,
    ) -> None:
        self._workers = [_Worker(prepare) for _ in range(workers)]
        self._idle = asyncio.Queue[_Worker]()
        for worker in self._workers:
            self._idle.put_nowait(worker)
        self._new_seed = new_seed
        self._patience = patience
        self._grace = grace
        # Without workers, searches run in threads of this process, which would only slow each other
        # down; so only one runs at a time.
        turns = max(1, workers)
        self._scheduler = Scheduler(turns, ROOM * turns, patience)
        self._closed = False

    async def choose(
        self,
        view: View,
        level: str,
        seed: str | None = None,
        *,
        table_id: int = 0,
        person_id: int = 0,
    ) -> ChosenMove:
        """Return the move that a computer player of ``level`` plays for ``view.viewer``; if
        thinking fails, a move chosen quickly.

        :param seed: makes the choice reproducible.
        :param table_id: the table; one person's tables share thinking time fairly.
        :param person_id: the person for whom the table plays; thinking time is shared fairly
            between people, and then between their tables. 0: nobody in particular, so the table
            counts on its own.
        """
        seed = seed or self._new_seed()
        try:
            thought = await self.think(view, level, seed, table_id, person_id, hint=False)
        except NoAdvice:
            move = await asyncio.to_thread(move_quickly, view.to_json(), seed)
            return ChosenMove(move, quick=True, full=False)
        return ChosenMove(
            thought.advice.best, quick=False, full=thought.full, advice=thought.advice
        )

    async def advise(
        self,
        view: View,
        level: str,
        seed: str | None = None,
        *,
        table_id: int = 0,
        person_id: int = 0,
        hint: bool = False,
    ) -> Advice:
        """Return the opinion of a computer player of ``level`` on the moves of ``view.viewer``.

        :param table_id: see ``choose``.
        :param person_id: see ``choose``.
        :param hint: whether a person is waiting for it.
        :raises NoAdvice: others come first, the search took too long, or it failed.
        """
        seed = seed or self._new_seed()
        return (await self.think(view, level, seed, table_id, person_id, hint=hint)).advice

    async def work(
        self,
        work: Callable[[], T],
        longest: float,
        *,
        table_id: int = 0,
        person_id: int = 0,
        hint: bool = False,
    ) -> T:
        """Run other work that takes thinking time, queued with computer players' moves or hints.

        :param work: must be picklable, and so must its result.
        :param longest: how many seconds of real time it may take once it has begun; ``grace``
            seconds later it counts as stuck. ``patience`` limits the wait and the work together.
        :param table_id: see ``choose``.
        :param person_id: see ``choose``.
        :raises NoAdvice: others come first, it took too long, or its process died. Exceptions that
            the work raises are passed on.
        """
        return await self._in_turn(lambda _: work, longest, table_id, person_id, hint=hint)

    async def think(
        self, view: View, level: str, seed: str, table_id: int, person_id: int = 0, *, hint: bool
    ) -> Thought:
        """Return the result of a search; parameters as in ``advise``.

        :raises NoAdvice: others come first, the search took too long, or it failed.
        """
        kind, outcome = "hint" if hint else "move", "given_up"
        try:
            longest = LEVELS[level].budget.patience
            thinking = partial(partial, think, view.to_json(), level, seed, hint=hint)
            thought = await self._in_turn(thinking, longest, table_id, person_id, hint=hint)
            outcome = "full" if thought.full else "short"
            return thought
        except NoAdvice as none:
            outcome = str(none)
            raise
        except Exception as fault:
            outcome = "failed"
            log.exception("thinker_failed", game=view.game, level=level)
            raise NoAdvice from fault
        finally:
            THOUGHTS.labels(kind, outcome).inc()

    async def _in_turn(
        self,
        work: Callable[[float], Callable[[], T]],
        longest: float,
        table_id: int,
        person_id: int,
        *,
        hint: bool,
    ) -> T:
        """Wait for a turn, then run some work.

        :param work: given the seconds of its share, returns the function to run.
        """
        try:
            async with asyncio.timeout(self._patience):
                with WAITING.labels("hint" if hint else "move").track_inprogress():
                    share = await self._scheduler.turn(table_id, person_id, hint=hint)
                wait = min(longest, self._patience) + self._grace
                return await self._run(partial(without_exiting, work(share)), wait)
        except Crowded:
            log.debug("thinkers_busy", table=table_id, hint=hint)
            raise NoAdvice("crowded") from None
        except TimeoutError:
            log.warning("thinker_too_slow", table=table_id)
            raise NoAdvice("slow") from None
        except Stuck:
            log.warning("thinker_stuck", table=table_id)
            raise NoAdvice("stuck") from None
        except BrokenProcessPool:
            log.warning("thinkers_died", table=table_id)
            raise NoAdvice("died") from None

    def close(self) -> None:
        """Kill the workers at once; searches in progress are dropped."""
        self._closed = True
        for worker in self._workers:
            worker.end()

    async def _run(self, thought: Callable[[], T], longest: float) -> T:
        """Run a search on a worker during the current turn. The turn lasts until the search ends,
        even if nobody is waiting for the result any longer.
        """
        if self._workers:
            thinking = self._serve(self._idle.get_nowait(), thought, longest)
        else:
            thinking = asyncio.to_thread(thought)
        work: asyncio.Task[T] = asyncio.create_task(thinking)
        work.add_done_callback(self._finish)
        return await asyncio.shield(work)

    async def _serve(self, worker: _Worker, thought: Callable[[], T], longest: float) -> T:
        """Think; try once more if the worker died, because that may have happened before this
        search.
        """
        try:
            try:
                return await worker.run(thought, longest)
            except BrokenProcessPool:
                if self._closed:
                    raise
                log.warning("thinker_died")
                return await worker.run(thought, longest)
        finally:
            self._idle.put_nowait(worker)

    def _finish(self, work: asyncio.Task[T]) -> None:
        self._scheduler.done()
        if not work.cancelled():
            work.exception()  # anybody still waiting has received it


class Stuck(Exception):  # noqa: N818 - what has become of a worker
    """A worker did not answer in time, and was killed."""


class _Worker:
    """A separate process that does one job at a time. It is started on demand, and again after it
    has died.
    """

    def __init__(self, prepare: Callable[[], object] | None = None) -> None:
        self._context = _Context()
        self._prepare = prepare
        self._pool: ProcessPoolExecutor | None = None

    async def run(self, work: Callable[[], T], longest: float) -> T:
        """Run a function in the process.

        :param longest: seconds of real time that it may take.
        :raises Stuck: it took longer.
        :raises BrokenProcessPool: the process has died.
        """
        try:
            if self._pool is None:
                # Never fork: the bot's process has threads of its own.
                self._pool = ProcessPoolExecutor(
                    1,
                    mp_context=self._context,
                    initializer=_serve_quietly,
                    initargs=(self._prepare,),
                )
                await self._wait_for(os.getpid, START)
            return await self._wait_for(work, longest)
        except (Stuck, BrokenProcessPool):
            self.end()
            raise

    async def _wait_for(self, work: Callable[[], T], longest: float) -> T:
        future = asyncio.get_running_loop().run_in_executor(self._pool, work)
        # Never cancel it: Python 3.11 fails if a process dies after its work was cancelled.
        done, _ = await asyncio.wait([future], timeout=longest)
        if not done:
            future.add_done_callback(asyncio.Future.exception)
            raise Stuck
        return future.result()

    def end(self) -> None:
        """Kill the process: SIGKILL is the only signal that ends a frozen one."""
        if self._pool is not None:
            self._context.kill()
            self._pool.shutdown(wait=False)
            self._pool = None


class _Process(SpawnProcess):
    """A process that does not import this process's main module, because that would import the
    whole bot.
    """

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802
        with _main_hidden():
            return SpawnProcess._Popen(process_obj)


@contextmanager
def _main_hidden() -> Iterator[None]:
    """During the block, put an empty module in place of the main module, so ``multiprocessing`` has
    nothing to import.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


class _Context(SpawnContext):
    """Spawns processes instead of forking them, and remembers the last one, to kill it."""

    def __init__(self) -> None:
        super().__init__()
        self._last: SpawnProcess | None = None

    def Process(self, *given: Any, **named: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        self._last = _Process(*given, **named)
        return self._last

    def kill(self) -> None:
        if self._last is not None:
            self._last.kill()


class Quit(Exception):  # noqa: N818 - what a thought has done
    """A search tried to end its process."""


def without_exiting(work: Callable[[], T]) -> T:
    """Run a function that must not end the process. Without this, ``SystemExit`` and the like would
    be passed back in place of a result, and end the bot.

    :raises Quit: the function tried to end it.
    """
    try:
        return work()
    except Exception:
        raise
    except BaseException as end:
        raise Quit(type(end).__name__) from end


def think(
    view_json: str, level: str, seed: str, share: float = math.inf, *, hint: bool = False
) -> Thought:
    """Rank the moves of the view's viewer, for as long as the level's budget allows.

    :param share: seconds available, if fewer than the budget allows.
    :param hint: whether to use the level's whole budget, even if it is limited in this game. Such
        limits only serve to space the levels evenly, which does not matter for advice.
    """
    view, chosen = View.from_json(view_json), LEVELS[level]
    whole = chosen.budget if hint else chosen.budget_in(view.game)
    share = max(share, SHORTEST)
    budget = replace(whole, seconds=min(whole.seconds, share), patience=min(whole.patience, share))
    cpu, wall = time.thread_time(), time.monotonic()
    advice = chosen.player(GAMES[view.game], view, random.Random(seed), budget)
    cpu, wall = time.thread_time() - cpu, time.monotonic() - wall
    enough = advice.iterations >= budget.iterations or cpu >= whole.seconds
    cut = cpu >= budget.seconds or wall >= budget.patience
    hurried = budget.seconds < whole.seconds and advice.stop is Stop.CLEAR
    return Thought(advice, full=enough or not (cut or hurried))


def move_quickly(view_json: str, seed: str) -> Move:
    """Return a move after a very short search, which the bot's own process can afford; any legal
    move if the search fails.
    """
    view, rng = View.from_json(view_json), random.Random(seed)
    game, chosen = GAMES[view.game], LEVELS[STRONGEST]
    budget = replace(LEVELS[STAND_IN].budget, iterations=QUICK)
    try:
        return without_exiting(partial(chosen.player, game, view, rng, budget)).best
    except Exception:
        log.exception("quick_thinker_failed", game=view.game)
        return game.random_move(game.determinize(view, rng), view.viewer or 0, rng)


# ---------------------------------------------------------------------------- in the worker
def _serve_quietly(prepare: Callable[[], object] | None) -> None:
    """Set up a worker process: lower its priority, make it end with the bot even if the bot is
    killed, and call ``prepare``.
    """
    os.nice(10)
    threading.Thread(target=_end_with_the_bot, daemon=True).start()
    if prepare is not None:
        prepare()


def _end_with_the_bot() -> None:
    bot = parent_process()
    if bot is not None:
        bot.join()
        os._exit(0)
