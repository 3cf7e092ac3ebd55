"""Tournaments whose process dies between any two effects, such as a write or the opening of a
thread.
"""

from __future__ import annotations

import asyncio
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from cogs.features.hosting import Hosting
from data.store.rows import Status
from data.store.store import Store
from play.ending import Resign
from play.lobby import DrawLots
from play.occasions.occasions import Occasions
from play.occasions.tournament import Format, Phase, Tournament, TournamentPlan
from play.occasions.tournament_acts import NAME, SignUp, Tourney
from play.tables import Tables
from tests.play.clock import Clock
from tests.play.kinds import KINDS
from tests.stores import opened

PEOPLE = {101: "Anna", 102: "Ben", 103: "Clara", 104: "David", 105: "Emil"}


class Killed(Exception):  # noqa: N818 - not an error
    """The process is dead."""


class Process:
    """The bot without Discord; it dies after a given number of effects.

    :param left: effects left before it dies.
    """

    def __init__(self, store: Store, left: float) -> None:
        clock = Clock()
        self.left = left
        self.store = store
        self.tables = Tables(store, clock)
        self.occasions = Occasions(store, clock, KINDS)
        self.hosting = Hosting(
            self.tables,
            self.occasions,
            self,  # type: ignore[arg-type]
            self.announce,
            lambda: None,
        )
        self.tables.drive(self.hosting.hear)
        self.occasions.drive(self.hosting.wake)
        self.threads = count(1000)
        self._write = store.database.write
        store.database.write = self.write  # type: ignore[method-assign]

    def effect(self) -> None:
        """Count one more effect, or die."""
        self.left -= 1
        if self.left < 0:
            raise Killed

    async def write(self, change: Any, *given: Any) -> Any:
        self.effect()
        return await self._write(change, *given)

    async def open_thread(self, channel_id: int, name: str) -> int:
        """Open a thread, as the gateway would."""
        self.effect()
        return next(self.threads)

    async def announce(self, number: int) -> None:
        """Post the messages of an occasion, as delivery would."""
        self.effect()

    async def begin(self, plan: TournamentPlan) -> None:
        """Announce the tournament unless there is one, and sign up everyone who has not signed up
        yet.
        """
        there = await self.occasions.of_kind(NAME)
        if not there and await self._is_new():
            await self.occasions.open(
                NAME,
                Tournament(plan=plan, secret="of the test"),
                guild_id=5,
                channel_id=6,
                language="en",
            )
        tourney = await self.occasions.fresh(1)
        for person, name in PEOPLE.items():
            if tourney.state.phase is Phase.OPEN and not tourney.state.signed_up(person):
                tourney = (await self.occasions.act(1, SignUp(person, name))).after

    async def _is_new(self) -> bool:
        return not await self.store.database.fetch("SELECT 1 FROM occasions")

    async def go_on(self) -> Tourney:
        """Carry out everything possible until the tournament is over, with people resigning in seat
        order.
        """
        await self.hosting.wake_all()
        for _ in range(200):
            await self._rest()
            if self.left < 0:
                raise Killed
            tourney: Tourney = await self.occasions.fresh(1)
            if tourney.over:
                return tourney
            if tourney.kind.awaited(tourney):
                # The number of the message makes no difference.
                await self.occasions.act(1, tourney.kind.stands(tourney, 4711))
            for number in (await self.store.tables.of_occasion(1)).values():
                await self._play(number)
        raise AssertionError(f"the tournament does not advance: {tourney.state}")

    async def _play(self, number: int) -> None:
        table = await self.tables.fresh(number)
        if table.drawing:
            await self.tables.act(number, DrawLots(table.drawing, 99))
        elif table.row.status is Status.RUNNING:
            await self.tables.act(number, Resign(table.persons[0], "skilled"))

    async def _rest(self) -> None:
        await asyncio.gather(*self.hosting.tasks)

    async def die(self) -> None:
        """Abandon everything as it is."""
        await self.hosting.close()
        await self.store.close()


PLANS = {
    "knock-out": TournamentPlan(title="Cup", game="lancelot", format=Format.KNOCKOUT, most=5),
    "swiss": TournamentPlan(title="Cup", game="isis", format=Format.SWISS, most=5, rounds=2),
    "tables": TournamentPlan(
        title="Cup", game="lancelot", format=Format.SWISS, seats=3, least=3, most=5, rounds=2
    ),
}


async def outcome(place: Path, plan: TournamentPlan, kills: list[int]) -> tuple[Any, ...]:
    """The result of a tournament if all processes but the last die after these numbers of
    effects.
    """
    for left in [*kills, 10**6]:
        process = Process(await opened(place), left)
        try:
            await process.begin(plan)
            tourney = await process.go_on()
        except Killed:
            continue
        finally:
            await process.die()
        lines = [line.text for line in tourney.journal if line.kind == "result"]
        store = await opened(place)
        tables = await store.tables.of_occasion(1)
        await store.close()
        assert sorted(lines) == sorted(tables) == sorted(tourney.state.tables)
        state = tourney.state
        return state.phase, state.rounds, state.places, sorted(tables), state.ranks()
    raise AssertionError("the last process does not die")


@pytest.mark.full
@pytest.mark.parametrize("kind", PLANS)
@pytest.mark.parametrize(
    "step", [9, *(pytest.param(n, marks=pytest.mark.long) for n in range(18) if n != 9)]
)
async def test_a_tournament_survives_kills_between_any_two_effects(
    tmp_path: Path, kind: str, step: int
) -> None:
    """As without kills, each match is opened once and each result counted once.
    Processes are killed after various numbers of effects, one after the other.
    """
    plan = PLANS[kind]
    expected = await outcome(tmp_path / "calm.sqlite3", plan, [])
    assert expected[0] is Phase.OVER
    for number in range(step, 60, 18):
        killed = await outcome(tmp_path / f"{number}.sqlite3", plan, [number])
        assert killed == expected, f"killed after {number} effects"
    assert await outcome(tmp_path / "often.sqlite3", plan, [step % 3 + 3] * 30) == expected
