"""Computer players at their tables: they move when it is their turn and recover from every
failure.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from data.store.problems import StoreProblem
from data.store.rows import ServerRow
from games import GAMES
from games.engine import View
from games.players import GRANDMASTER, Advice, Ranked
from play import opponents
from play.computers import STRONGEST, ChosenMove, NoAdvice, Thinkers
from play.ending import EndTable
from play.moves import PlayMoves
from play.opponents import Opponents
from play.table import Table, swapped
from play.tables import Tables
from play.undo import TakeBack
from tests.play.clock import Clock
from tests.play.house import ANNA, BEN
from tests.play.test_tables import moved, started

SQUARES = ("K4", "D4", "E8", "F8", "G5", "H5", "D11", "J5")
SOON = 5.0


class Plain(Thinkers):
    """Thinkers that always choose the first free square in Lancelot."""

    def __init__(self) -> None:
        super().__init__(workers=0)
        self.thoughts = 0
        self.hurried = False
        self.meanwhile: Callable[[], Any] | None = None

    async def choose(
        self,
        view: View,
        level: str,
        seed: str | None = None,
        *,
        table_id: int = 0,
        person_id: int = 0,
    ) -> ChosenMove:
        self.thoughts += 1
        if self.meanwhile is not None:
            meanwhile, self.meanwhile = self.meanwhile, None
            await meanwhile()
        taken = view.public["board"]
        move = next(square for square in SQUARES if square not in taken)
        return ChosenMove(move, self.hurried)


@pytest.fixture
def thinkers() -> Plain:
    return Plain()


@pytest.fixture
async def players(tables: Tables, thinkers: Plain) -> AsyncIterator[Opponents]:
    """Computer players that hear of every change and do not pause."""
    players = Opponents(tables, thinkers, 0.0)
    tables.listen(players.wake)
    yield players
    await players.close()


async def until(tables: Tables, table: Table, happened: Callable[[Table], bool]) -> Table:
    """The table once something has happened there."""
    changed = asyncio.Event()
    tables.listen(lambda _: changed.set())
    async with asyncio.timeout(SOON):
        while not happened(table := await tables.get(table.id)):
            await changed.wait()
            changed.clear()
    return table


@pytest.mark.usefixtures("players")
async def test_a_computer_player_answers(tables: Tables) -> None:
    table = await started(tables, 1, computers=2)
    for n, move in enumerate(("D11", "J5"), 1):
        await moved(tables, table, ANNA, move)
        table = await until(tables, table, lambda t: t.awaited == (0,))
        assert table.played.ply == 3 * n
    assert [line.person_id for line in table.journal if line.kind == "move"] == [
        *(ANNA, None, None, ANNA, None, None)
    ]


@pytest.mark.usefixtures("players")
async def test_a_computer_player_stands_in_once(tables: Tables, clock: Clock) -> None:
    table = await started(tables, pace="1h", strict=True)
    clock.move(timedelta(hours=1))
    await tables.tick(table.id)
    table = await until(tables, table, lambda t: t.awaited == (1,))
    assert (table.played.log[0].move, table.seat_of(ANNA)) == ("K4", 0)


async def test_moves_at_a_glance_are_announced_once(
    tables: Tables, thinkers: Plain, players: Opponents
) -> None:
    table = await started(tables, 1, computers=1)
    for ply, (move, hurried) in enumerate((("D11", False), ("J5", True), ("F8", True)), 1):
        thinkers.hurried = hurried
        await moved(tables, table, ANNA, move)
        table = await until(tables, table, lambda t, ply=ply: t.played.ply == 2 * ply)  # type: ignore[misc]
    kinds = [(line.kind, line.seat) for line in table.journal if line.kind in ("move", "quick")]
    moves = [("move", 0), ("move", 1)]
    assert kinds == [*moves, ("move", 0), ("quick", 1), ("move", 1), *moves]


async def test_an_overtaken_search_starts_again(
    tables: Tables, thinkers: Plain, players: Opponents
) -> None:
    table = await started(tables, 1, computers=1)

    async def take_back() -> None:
        await tables.act(table.id, TakeBack(ANNA))
        await moved(tables, table, ANNA, "J5")

    thinkers.meanwhile = take_back
    await moved(tables, table, ANNA, "D11")
    table = await until(tables, table, lambda t: t.played.ply == 2)
    assert [event.move for event in table.played.log] == ["J5", "K4"]
    assert thinkers.thoughts == 2


async def test_a_table_that_ends_meanwhile_is_left_alone(
    tables: Tables, thinkers: Plain, players: Opponents
) -> None:
    table = await started(tables, 1, computers=1)
    thinkers.meanwhile = lambda: tables.act(table.id, EndTable(ANNA))
    await moved(tables, table, ANNA, "D11")
    table = await until(tables, table, lambda t: t.over)
    await asyncio.sleep(0.05)
    assert (await tables.get(table.id)).played.ply == 1


async def test_after_a_failure_it_tries_again(
    tables: Tables,
    thinkers: Plain,
    players: Opponents,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Any,
) -> None:
    """Neither a full disk nor a bug in the bot stops a match for good."""
    monkeypatch.setattr(Opponents, "RETRIES", (0.01, 0.01))
    table = await started(tables, 1, computers=1)
    faults = iter([StoreProblem(tmp_path), ZeroDivisionError()])

    async def failing_twice() -> None:
        fault = next(faults, None)
        if fault is not None:
            thinkers.meanwhile = failing_twice
            raise fault

    thinkers.meanwhile = failing_twice
    await moved(tables, table, ANNA, "D11")
    await until(tables, table, lambda t: t.awaited == (0,))
    assert thinkers.thoughts == 3


async def test_after_a_start_all_who_are_to_move_are_woken(tables: Tables, thinkers: Plain) -> None:
    """The previous process died before these computer players had moved."""
    table = await started(tables, 1, computers=1)
    await tables.act(table.id, PlayMoves(ANNA, ("D11",)))
    await started(tables, channel=501)
    players = Opponents(tables, thinkers, 0.0)
    await players.wake_all()
    await until(tables, table, lambda t: t.awaited == (0,))
    assert thinkers.thoughts == 1
    await players.close()


async def test_no_computer_player_starts_while_the_bot_shuts_down(
    tables: Tables, thinkers: Plain
) -> None:
    table = await started(tables, 1, computers=1)
    players = Opponents(tables, thinkers, 60.0)
    table = await moved(tables, table, ANNA, "D11")
    players.wake(table)
    await players.close()
    players.wake(table)
    await asyncio.sleep(0.02)
    assert thinkers.thoughts == 0
    assert (await tables.get(table.id)).awaited_computers == (1,)
    assert BEN not in table.persons


class Together(Thinkers):
    """Computer players of which none moves until all are thinking."""

    def __init__(self, number: int) -> None:
        super().__init__(workers=0)
        self.meeting = asyncio.Barrier(number)

    async def choose(
        self,
        view: View,
        level: str,
        seed: str | None = None,
        *,
        table_id: int = 0,
        person_id: int = 0,
    ) -> ChosenMove:
        async with asyncio.timeout(SOON):
            await self.meeting.wait()
        game, rng = GAMES[view.game], random.Random(seed)
        world = game.determinize(view, rng)
        return ChosenMove(game.random_move(world, view.viewer or 0, rng), quick=False)


@pytest.mark.parametrize("game", ["donquixote", "isolde"])
async def test_computer_players_think_at_the_same_time(tables: Tables, game: str) -> None:
    table = await started(tables, 1, computers=3, game=game)
    assert table.awaited_computers == (1, 2, 3)
    players = Opponents(tables, Together(3), 0.0)
    players.wake(table)
    table = await until(tables, table, lambda t: not {1, 2, 3} & {*t.awaited})
    await players.close()
    assert table.awaited == (0,)


# ---------------------------------------------------------------------------------- pauses
class Watch:
    """A simulated clock that advances on request and by sleeping."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.pauses.append(seconds)


class Slow(Plain):
    """Spends a given number of seconds on a choice between two equal moves, for which the pause is
    longest.
    """

    def __init__(self, watch: Watch, seconds: float) -> None:
        super().__init__()
        self.watch, self.seconds = watch, seconds

    async def choose(
        self,
        view: View,
        level: str,
        seed: str | None = None,
        *,
        table_id: int = 0,
        person_id: int = 0,
    ) -> ChosenMove:
        self.watch.now += self.seconds
        choice = await super().choose(view, level, seed, table_id=table_id)
        return replace(choice, advice=Advice((Ranked(choice.move, 0.0, 9), Ranked("F9", 0.0, 9))))


@pytest.mark.parametrize(("thought", "pause"), [(0.0, 6.0), (1.5, 4.5), (7.0, 0.0)])
async def test_thinking_is_part_of_the_pause(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, thought: float, pause: float
) -> None:
    """For a close choice, the pause is three times the setting, minus the thinking time."""
    watch = Watch()
    spared = {"create_task": asyncio.create_task, "gather": asyncio.gather}
    monkeypatch.setattr(opponents, "time", watch)
    monkeypatch.setattr(opponents, "asyncio", SimpleNamespace(sleep=watch.sleep, **spared))
    table = await started(tables, 1, computers=1)
    players = Opponents(tables, Slow(watch, thought), 2.0)
    players.wake(await moved(tables, table, ANNA, "D11"))
    await until(tables, table, lambda t: t.awaited == (0,))
    await players.close()
    assert watch.pauses == [pause]


# --------------------------------------------------------------------------- grandmasters
class Named(Thinkers):
    """Recommends the first free square, or refuses because it is busy; records the level
    asked for.
    """

    def __init__(self, *, busy: bool = False) -> None:
        super().__init__(workers=0)
        self.busy = busy
        self.levels: list[str] = []

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
        """Recommend the first free square.

        :raises NoAdvice: if ``busy``.
        """
        self.levels.append(level)
        if self.busy:
            raise NoAdvice
        move = next(square for square in SQUARES if square not in view.public["board"])
        return Advice((Ranked(move, 0.0, 1),))

    async def choose(
        self,
        view: View,
        level: str,
        seed: str | None = None,
        *,
        table_id: int = 0,
        person_id: int = 0,
    ) -> ChosenMove:
        return ChosenMove((await self.advise(view, level)).best, quick=False)


@pytest.mark.parametrize(
    ("allowed", "busy", "asked", "others"),
    [
        pytest.param(True, False, [GRANDMASTER], [], id="thinks"),
        pytest.param(True, True, [GRANDMASTER], [STRONGEST], id="too many"),
        pytest.param(False, False, [], [STRONGEST], id="forbidden meanwhile"),
    ],
)
async def test_a_grandmaster_thinks_apart(
    tables: Tables, allowed: bool, busy: bool, asked: list[str], others: list[str]
) -> None:
    """A grandmaster has its own workers; if they are busy, or grandmasters are forbidden meanwhile,
    it plays as a master.
    """
    table = await started(tables, 1, computers=1)
    members = swapped(table.members, table.members[1], level=GRANDMASTER)
    table = replace(table, members=members, server=ServerRow(1, grandmasters=allowed))
    thinkers, grandmasters = Named(), Named(busy=busy)
    players = Opponents(tables, thinkers, 0.0, grandmasters=grandmasters)
    choice = await players.choose(table, table.played.view(1), GRANDMASTER)
    assert (choice.move, choice.quick) == (SQUARES[0], False)
    assert (grandmasters.levels, thinkers.levels) == (asked, others)
