"""Computer players at work: whatever becomes of those who think, a legal move comes back."""

from __future__ import annotations

import asyncio
import math
import os
import random
import signal
import threading
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial
from multiprocessing import active_children
from typing import Any

import pytest
from structlog.testing import capture_logs

from games import GAMES
from games.engine import Game, Match, View
from games.players import LEVELS, Advice, Budget, Ranked
from play import computers
from play.computers import PATIENCE, QUICK, ROOM, WEAKEST, NoAdvice, Thinkers, Thought, think
from play.ladder import STAND_IN
from play.scheduler import SHARED

SOON = 10.0
"""Seconds within which a process of this machine starts or ends, however busy it is."""


def view_of(game_id: str, seed: str = "5eed") -> View:
    """What the first to move knows in a new match."""
    game = GAMES[game_id]
    match = Match(game, game.setup(max(2, game.info.players[0]), {}, seed))
    match.advance()
    return match.view(match.actors[0])


def is_legal(view: View, move: str) -> bool:
    """Whether the viewer may play a move."""
    game = GAMES[view.game]
    state = game.determinize(view, random.Random(1))
    return move in game.legal(state, view.viewer or 0)


@pytest.fixture
async def thinkers() -> AsyncIterator[Thinkers]:
    """One worker process, and none left of the last test."""
    await until(lambda: not active_children())
    thinkers = Thinkers(workers=1)
    yield thinkers
    thinkers.close()


@pytest.fixture(autouse=True)
def small_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everyone who thinks in this process think for a few iterations, however long they take:
    such thoughts can be repeated.
    """
    for name, level in LEVELS.items():
        budget = Budget(iterations=5, patience=SOON)
        monkeypatch.setitem(LEVELS, name, replace(level, budget=budget))


async def until(happened: Callable[[], bool]) -> None:
    """Wait for something that other processes do."""
    end = time.monotonic() + SOON
    while not happened():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


# ------------------------------------------------------------------------------- thinking
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game_id", GAMES)
async def test_every_level_moves_in_every_game(game_id: str, level: str) -> None:
    """Whatever the game and the strength, the chosen move is legal."""
    view = view_of(game_id)
    choice = await Thinkers(workers=0).choose(view, level, "a seed")
    assert is_legal(view, choice.move), choice
    assert not choice.quick


async def test_the_same_seed_gives_the_same_move() -> None:
    """With nothing but a limit of iterations a choice can be repeated."""
    view = view_of("lancelot")
    here = Thinkers(workers=0)
    for seed in ("a", "b"):
        moves = {await here.choose(view, WEAKEST, seed) for _ in range(3)}
        assert len(moves) == 1, f"seed {seed}"


async def test_a_worker_thinks_in_another_process(thinkers: Thinkers) -> None:
    """The process that plays with Discord is not the one that thinks; the worker gives way."""
    view = view_of("lancelot")
    assert is_legal(view, (await thinkers.choose(view, WEAKEST)).move)
    (worker,) = active_children()
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, worker.pid or 0) == min(19, own + 10)


async def test_workers_go_when_the_bot_goes(thinkers: Thinkers) -> None:
    """Nothing is left behind by a house that is closed."""
    await thinkers.choose(view_of("lancelot"), WEAKEST)
    assert active_children()
    thinkers.close()
    await until(lambda: not active_children())


# ------------------------------------------------------------------------------- mishaps
def think_for_ever(view_json: str, level: str, seed: str, share: float) -> Thought:
    """In the worker: never come to an end, deaf to everything but signals."""
    while True:
        time.sleep(60)


def think_and_quit(
    end: type[BaseException], view_json: str, level: str, seed: str, share: float
) -> Thought:
    """As some library might that gives up."""
    raise end


async def test_an_idle_worker_that_is_killed_is_replaced(thinkers: Thinkers) -> None:
    """After ``kill -9`` the next thought is thought all the same, and not at a glance."""
    view = view_of("lancelot")
    await thinkers.choose(view, WEAKEST)
    (before,) = active_children()
    os.kill(before.pid or 0, signal.SIGKILL)
    advice = await thinkers.advise(view, WEAKEST)
    assert is_legal(view, advice.best)
    assert before.pid not in {worker.pid for worker in active_children()}


async def test_a_worker_that_is_killed_in_thought_costs_a_weaker_move(
    thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed twice in the same thought, a quick move is played; then all is well again."""
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
    """Let a thought be overdue soon."""
    budget = Budget(iterations=5, patience=0.5)
    monkeypatch.setitem(LEVELS, WEAKEST, replace(LEVELS[WEAKEST], budget=budget))


@pytest.mark.slow("worker")
async def test_a_stuck_worker_is_killed_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that does not come back makes room for another one."""
    hurry(monkeypatch)
    view = view_of("lancelot")
    thinkers = Thinkers(workers=1, grace=0.5)
    with monkeypatch.context() as stuck:
        stuck.setattr(computers, "think", think_for_ever)
        with pytest.raises(NoAdvice):
            await thinkers.advise(view, WEAKEST)
    await until(lambda: not active_children())
    assert is_legal(view, (await thinkers.advise(view, WEAKEST)).best)
    thinkers.close()


@pytest.mark.slow("worker")
async def test_a_frozen_worker_is_killed_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped from outside, a worker does nothing, not even notice it: the table gets a quick move
    meanwhile, and the next thought is a whole one again, in another process.
    """
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
    advice = await thinkers.advise(view, STAND_IN)
    assert advice.iterations > QUICK
    assert len(active_children()) == 1
    thinkers.close()


@pytest.mark.slow("worker")
async def test_the_thoughts_behind_a_frozen_worker_are_whole_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only the thought that was under way is lost; those in the queue are thought by the next."""
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
    """It is killed when the house is closed."""
    await thinkers.choose(view_of("lancelot"), WEAKEST)
    (frozen,) = active_children()
    os.kill(frozen.pid or 0, signal.SIGSTOP)
    thinkers.close()
    await until(lambda: not active_children())


async def test_no_one_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has waited long enough gets a quick move, be the worker ever so busy."""
    view = view_of("lancelot")
    thinkers = Thinkers(workers=1, patience=0.3)
    monkeypatch.setattr(computers, "think", think_for_ever)
    thoughts = [thinkers.choose(view, WEAKEST) for _ in range(3)]
    choices = await asyncio.wait_for(asyncio.gather(*thoughts), SOON)
    assert all(choice.quick and is_legal(view, choice.move) for choice in choices)
    thinkers.close()


async def test_a_player_that_fails_costs_a_weaker_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault in a strong player's thinking leaves the table playing; a hint is refused."""

    def faulty(game: Game[Any], view: View, rng: random.Random, budget: Budget) -> Advice:
        raise ZeroDivisionError

    monkeypatch.setitem(LEVELS, "faulty", replace(LEVELS[WEAKEST], player=faulty))
    view = view_of("lancelot")
    here = Thinkers(workers=0)
    assert is_legal(view, (await here.choose(view, "faulty")).move)
    with pytest.raises(NoAdvice):
        await here.advise(view, "faulty")


@pytest.mark.parametrize("game_id", GAMES)
async def test_a_fault_that_every_thought_meets_costs_a_random_move(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one in a policy would be, which thinking at a glance meets again."""

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
    """Neither the bot, which asyncio would end, nor the worker; a hint is refused, a move made."""
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
    """Thinking at a glance happens in the bot's own process."""

    def quitter(game: Game[Any], view: View, rng: random.Random, budget: Budget) -> Advice:
        raise SystemExit

    for name, level in LEVELS.items():
        monkeypatch.setitem(LEVELS, name, replace(level, player=quitter))
    view = view_of("lancelot")
    assert is_legal(view, (await Thinkers(workers=0).choose(view, WEAKEST)).move)


async def test_a_crowd_is_served_with_quick_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """When too many wait, the next one moves at a glance and no hint is given; when they are done,
    there is time for all again.
    """
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
    """It is full if its level's own limits end it, or nothing is left to think about."""
    view = view_of("lancelot").to_json()
    endless = Budget(iterations=10**9, seconds=0.02)
    monkeypatch.setitem(LEVELS, STAND_IN, replace(LEVELS[STAND_IN], budget=endless))
    assert think(view, STAND_IN, "seed").full
    assert think(view, STAND_IN, "seed", share=1.0).full
    monkeypatch.setitem(
        LEVELS, STAND_IN, replace(LEVELS[STAND_IN], budget=replace(endless, seconds=9))
    )
    shortened = think(view, STAND_IN, "seed", share=0.02)
    assert not shortened.full
    assert shortened.advice.iterations > QUICK
    hurried = replace(endless, seconds=9, patience=0.0)
    monkeypatch.setitem(LEVELS, STAND_IN, replace(LEVELS[STAND_IN], budget=hurried))
    assert not think(view, STAND_IN, "seed").full
    few = replace(endless, iterations=1, seconds=9)
    monkeypatch.setitem(LEVELS, STAND_IN, replace(LEVELS[STAND_IN], budget=few))
    assert think(view, STAND_IN, "seed", share=0.02).full


async def test_a_crowd_shares_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Computer players are given their share of it; a hint is thought about in full."""
    shares: list[float] = []

    def note(view_json: str, level: str, seed: str, share: float) -> Thought:
        shares.append(share)
        return Thought(Advice((Ranked("K4", 0.0, 1),)), full=True)

    monkeypatch.setattr(computers, "think", note)
    view, here = view_of("lancelot"), Thinkers(workers=0)
    await asyncio.gather(*(here.choose(view, WEAKEST, table_id=n) for n in range(5)))
    await here.advise(view, WEAKEST, hint=True)
    soon = SHARED * PATIENCE
    assert shares == [math.inf, soon / 4, soon / 3, soon / 2, math.inf, math.inf]


async def test_an_unknown_level_keeps_no_one_waiting() -> None:
    """A fault before the thought begins takes no turn away."""
    view = view_of("lancelot")
    here = Thinkers(workers=0)
    assert (await here.choose(view, "wizard")).quick
    assert not (await here.choose(view, WEAKEST)).quick
