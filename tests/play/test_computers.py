"""Computer players return a legal move whatever happens to their worker processes."""

from __future__ import annotations

import asyncio
import math
import os
import random
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from types import ModuleType
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
from structlog.testing import capture_logs

from cogs.preparing import load_packaged_rules
from games import GAMES
from games.engine import Game, Match, View
from games.players import LEVELS, Advice, Budget, Ranked
from play import computers
from play.computers import (
    PATIENCE,
    QUICK,
    ROOM,
    STRONGEST,
    WEAKEST,
    NoAdvice,
    Thinkers,
    Thought,
    think,
)
from play.scheduler import SHARED

SOON = 10.0
"""Seconds within which a process starts or ends, even on a busy machine."""


def view_of(game_id: str, seed: str = "5eed") -> View:
    """The view of the first player to move in a new match."""
    game = GAMES[game_id]
    match = Match(game, game.setup(max(2, game.info.players[0]), {}, seed))
    match.advance()
    return match.view(match.actors[0])


def is_legal(view: View, move: str) -> bool:
    game = GAMES[view.game]
    state = game.determinize(view, random.Random(1))
    return move in game.legal(state, view.viewer or 0)


@pytest.fixture
async def thinkers() -> AsyncIterator[Thinkers]:
    """A pool with one worker process, made once no worker of an earlier test is left."""
    await until(lambda: not active_children())
    thinkers = Thinkers(workers=1)
    yield thinkers
    thinkers.close()


@pytest.fixture(autouse=True)
def small_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit searches in this process to a few iterations regardless of time, so that they are
    repeatable.
    """
    for name, level in LEVELS.items():
        budget = Budget(iterations=5, patience=SOON)
        monkeypatch.setitem(LEVELS, name, replace(level, budget=budget))


async def until(happened: Callable[[], bool]) -> None:
    """Wait for an effect of other processes."""
    end = time.monotonic() + SOON
    while not happened():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


# ------------------------------------------------------------------------------- searching
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game_id", GAMES)
async def test_every_level_moves_in_every_game(game_id: str, level: str) -> None:
    view = view_of(game_id)
    choice = await Thinkers(workers=0).choose(view, level, "a seed")
    assert is_legal(view, choice.move), choice
    assert not choice.quick


async def test_the_same_seed_gives_the_same_move() -> None:
    view = view_of("lancelot")
    here = Thinkers(workers=0)
    for seed in ("a", "b"):
        moves = {await here.choose(view, WEAKEST, seed) for _ in range(3)}
        assert len(moves) == 1, f"seed {seed}"


async def test_a_worker_thinks_in_another_process_with_a_lower_priority(thinkers: Thinkers) -> None:
    view = view_of("lancelot")
    assert is_legal(view, (await thinkers.choose(view, WEAKEST)).move)
    (worker,) = active_children()
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, worker.pid or 0) == min(19, own + 10)


@pytest.mark.full
async def test_workers_go_when_the_bot_goes(thinkers: Thinkers) -> None:
    await thinkers.choose(view_of("lancelot"), WEAKEST)
    assert active_children()
    thinkers.close()
    await until(lambda: not active_children())


# ------------------------------------------------------------------------------- mishaps
def think_for_ever(view_json: str, level: str, seed: str, share: float, *, hint: bool) -> Thought:
    """Hang in the worker process, which can then only be killed."""
    while True:
        time.sleep(60)


def think_and_quit(
    end: type[BaseException], view_json: str, level: str, seed: str, share: float, *, hint: bool
) -> Thought:
    """Exit from the process, as a library might on a fatal error."""
    raise end


@pytest.mark.full
async def test_an_idle_worker_that_is_killed_is_replaced(thinkers: Thinkers) -> None:
    view = view_of("lancelot")
    await thinkers.choose(view, WEAKEST)
    (before,) = active_children()
    os.kill(before.pid or 0, signal.SIGKILL)
    advice = await thinkers.advise(view, WEAKEST)
    assert is_legal(view, advice.best)
    assert before.pid not in {worker.pid for worker in active_children()}


@pytest.mark.full
async def test_a_worker_killed_during_a_search_costs_a_weaker_move(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After two kills during one search, the player makes a quick move; then everything works
    again.
    """
    view = view_of("lancelot")
    with monkeypatch.context() as stuck:
        stuck.setattr(computers, "think", think_for_ever)
        thought = asyncio.create_task(thinkers.choose(view, WEAKEST))
        for _ in range(2):
            await until(lambda: bool(active_children()))
            (worker,) = active_children()
            os.kill(worker.pid or 0, signal.SIGKILL)
            await until(lambda worker=worker: worker not in active_children())  # type: ignore[misc]
        assert is_legal(view, (await asyncio.wait_for(thought, SOON)).move)
    assert is_legal(view, (await thinkers.advise(view, WEAKEST)).best)


def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit searches of the weakest level to half a second."""
    budget = Budget(iterations=5, patience=0.5)
    monkeypatch.setitem(LEVELS, WEAKEST, replace(LEVELS[WEAKEST], budget=budget))


@pytest.mark.slow("worker")
async def test_a_frozen_worker_is_killed_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)
    view = view_of("lancelot")
    thinkers = Thinkers(workers=1, grace=1.5)
    await thinkers.advise(view, WEAKEST)
    (frozen,) = active_children()
    os.kill(frozen.pid or 0, signal.SIGSTOP)
    with capture_logs() as lines:
        assert is_legal(view, (await thinkers.choose(view, WEAKEST)).move)
    assert [line["event"] for line in lines] == ["thinker_stuck"]
    await until(lambda: frozen not in active_children())
    advice = await thinkers.advise(view, STRONGEST)
    assert advice.iterations > QUICK
    assert len(active_children()) == 1
    thinkers.close()


@pytest.mark.slow("worker")
async def test_the_searches_queued_behind_a_frozen_worker_are_full_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hurry(monkeypatch)
    view = view_of("lancelot")
    thinkers = Thinkers(workers=1, grace=1.5)
    await thinkers.advise(view, WEAKEST)
    (frozen,) = active_children()
    os.kill(frozen.pid or 0, signal.SIGSTOP)
    first, second = await asyncio.gather(
        *(thinkers.advise(view, WEAKEST) for _ in range(2)), return_exceptions=True
    )
    assert isinstance(first, NoAdvice)
    assert isinstance(second, Advice)
    thinkers.close()


@pytest.mark.slow("worker")
async def test_a_frozen_worker_does_not_outlive_the_bot(thinkers: Thinkers) -> None:
    await thinkers.choose(view_of("lancelot"), WEAKEST)
    (frozen,) = active_children()
    os.kill(frozen.pid or 0, signal.SIGSTOP)
    thinkers.close()
    await until(lambda: not active_children())


@pytest.mark.slow("worker")
async def test_a_worker_loads_only_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A worker imports neither the program that started it, nor discord.py (which would load
    aiohttp), nor Pillow.
    """
    program, imported = tmp_path / "program.py", tmp_path / "imported"
    program.write_text(f"open({str(imported)!r}, 'w').close()")
    main = ModuleType("__main__")
    main.__file__ = str(program)
    monkeypatch.setitem(sys.modules, "__main__", main)
    thinkers = Thinkers(workers=1, prepare=load_packaged_rules)
    await thinkers.advise(view_of("lancelot"), WEAKEST)
    (worker,) = active_children()
    mapped = [each.path for each in psutil.Process(worker.pid).memory_maps()]
    thinkers.close()
    assert not imported.exists()
    assert not [path for path in mapped if "/aiohttp/" in path or "/PIL/" in path]


@pytest.mark.full
async def test_no_one_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_of("lancelot")
    thinkers = Thinkers(workers=1, patience=0.3)
    monkeypatch.setattr(computers, "think", think_for_ever)
    thoughts = [thinkers.choose(view, WEAKEST) for _ in range(3)]
    choices = await asyncio.wait_for(asyncio.gather(*thoughts), SOON)
    assert all(choice.quick and is_legal(view, choice.move) for choice in choices)
    thinkers.close()


async def test_a_player_that_fails_costs_a_weaker_move(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(game: Game[Any], view: View, rng: random.Random, budget: Budget) -> Advice:
        raise ZeroDivisionError

    monkeypatch.setitem(LEVELS, "faulty", replace(LEVELS[WEAKEST], player=faulty))
    view = view_of("lancelot")
    here = Thinkers(workers=0)
    assert is_legal(view, (await here.choose(view, "faulty")).move)
    with pytest.raises(NoAdvice):
        await here.advise(view, "faulty")


@pytest.mark.full
@pytest.mark.parametrize("game_id", GAMES)
async def test_an_error_in_every_search_costs_a_random_move(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(game: Game[Any], view: View, rng: random.Random, budget: Budget) -> Advice:
        raise ZeroDivisionError

    for name, level in LEVELS.items():
        monkeypatch.setitem(LEVELS, name, replace(level, player=faulty))
    view = view_of(game_id)
    assert is_legal(view, (await Thinkers(workers=0).choose(view, WEAKEST)).move)


@pytest.mark.parametrize(
    ("workers", "end"), [(0, SystemExit), (0, asyncio.CancelledError), (1, SystemExit)]
)
async def test_a_thought_that_quits_ends_nothing_but_itself(
    workers: int, end: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    await until(lambda: not active_children())
    thinkers = Thinkers(workers)
    view = view_of("lancelot")
    assert not (await thinkers.choose(view, WEAKEST)).quick
    before = active_children()
    with monkeypatch.context() as broken:
        broken.setattr(computers, "think", partial(think_and_quit, end))
        with pytest.raises(NoAdvice):
            await thinkers.advise(view, WEAKEST)
        choice = await thinkers.choose(view, WEAKEST)
    assert choice.quick
    assert is_legal(view, choice.move)
    assert active_children() == before
    assert not (await thinkers.choose(view, WEAKEST)).quick
    thinkers.close()


async def test_a_quick_thought_that_quits_costs_a_random_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The quick fallback runs in the bot's own process, so its exit must not end the bot."""

    def quitter(game: Game[Any], view: View, rng: random.Random, budget: Budget) -> Advice:
        raise SystemExit

    for name, level in LEVELS.items():
        monkeypatch.setitem(LEVELS, name, replace(level, player=quitter))
    view = view_of("lancelot")
    assert is_legal(view, (await Thinkers(workers=0).choose(view, WEAKEST)).move)


async def test_a_crowd_is_served_with_quick_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    done = threading.Event()

    def slow(game: Game[Any], view: View, rng: random.Random, budget: Budget) -> Advice:
        done.wait(SOON)
        return Advice((Ranked("K4", 0.0, 1),))

    monkeypatch.setitem(LEVELS, "slow", replace(LEVELS[WEAKEST], player=slow))
    view = view_of("lancelot")
    here = Thinkers(workers=0)
    waiting = [asyncio.create_task(here.advise(view, "slow", str(n))) for n in range(1 + ROOM)]
    await asyncio.sleep(0)
    with pytest.raises(NoAdvice):
        await here.advise(view, "slow")
    assert (await here.choose(view, "slow")).quick
    done.set()
    assert [advice.best for advice in await asyncio.gather(*waiting)] == ["K4"] * len(waiting)
    assert (await here.advise(view, "slow")).best == "K4"


def test_a_thought_cut_short_is_not_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search is full if its own limit of iterations or CPU time ends it, but not if its patience
    does.
    """
    view = view_of("lancelot").to_json()
    endless = Budget(iterations=10**9, seconds=0.02)
    level = replace(LEVELS[STRONGEST], iterations={})
    monkeypatch.setitem(LEVELS, STRONGEST, replace(level, budget=endless))
    assert think(view, STRONGEST, "seed").full
    assert think(view, STRONGEST, "seed", share=1.0).full
    monkeypatch.setitem(LEVELS, STRONGEST, replace(level, budget=replace(endless, seconds=9)))
    shortened = think(view, STRONGEST, "seed", share=0.02)
    assert not shortened.full
    assert shortened.advice.iterations > QUICK
    hurried = replace(endless, seconds=9, patience=0.0)
    monkeypatch.setitem(LEVELS, STRONGEST, replace(level, budget=hurried))
    assert not think(view, STRONGEST, "seed").full
    few = replace(endless, iterations=1, seconds=9)
    monkeypatch.setitem(LEVELS, STRONGEST, replace(level, budget=few))
    assert think(view, STRONGEST, "seed", share=0.02).full


async def test_a_hint_is_thought_about_longer_than_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some levels search less in some games, so that the steps between levels are even; hints
    always get the level's whole budget.
    """
    level = replace(
        LEVELS[STRONGEST], budget=Budget(iterations=30, patience=SOON), iterations={"lancelot": 7}
    )
    monkeypatch.setitem(LEVELS, STRONGEST, level)
    view, here = view_of("lancelot"), Thinkers(workers=0)
    assert (await here.advise(view, STRONGEST, "seed")).iterations == 7
    assert (await here.advise(view, STRONGEST, "seed", hint=True)).iterations > 7


async def test_a_crowd_shares_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    shares: list[float] = []

    def note(view_json: str, level: str, seed: str, share: float, *, hint: bool) -> Thought:
        shares.append(share)
        return Thought(Advice((Ranked("K4", 0.0, 1),)), full=True)

    monkeypatch.setattr(computers, "think", note)
    view, here = view_of("lancelot"), Thinkers(workers=0)
    await asyncio.gather(*(here.choose(view, WEAKEST, table_id=n) for n in range(5)))
    await here.advise(view, WEAKEST, hint=True)
    soon = SHARED * PATIENCE
    assert shares == [math.inf, soon / 4, soon / 3, soon / 2, math.inf, math.inf]


async def test_an_unknown_level_keeps_no_one_waiting() -> None:
    view = view_of("lancelot")
    here = Thinkers(workers=0)
    assert (await here.choose(view, "wizard")).quick
    assert not (await here.choose(view, WEAKEST)).quick
