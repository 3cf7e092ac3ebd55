"""Whole matches of all games, with undos, votes and hints, survive packing unchanged."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from data.store.problems import ServerUnreachable
from data.store.rows import Opening, Stored
from data.store.store import Store
from games import GAMES
from games.records import written
from play import packing
from play.aggregate import Command
from play.ending import Resign
from play.fold import table_of
from play.ladder import STAND_IN
from play.packing import keep_packing, pack_old
from play.records import record_of
from play.table import Refused, Table, stored_of
from play.undo import TakeBack
from tests.play.clock import Clock
from tests.play.house import ANNA, CHANNEL, GUILD, House, started
from tests.play.test_fold import a_hint, a_move, an_answer, anyone

TRIES = 200
"""The maximum number of matches to play until one is eventful."""


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "PAUSE", 0)


def played(game_id: str, rng: random.Random) -> House:
    """A whole match in which people take moves back, vote, ask for hints, and resign."""
    players = max(2, min(GAMES[game_id].info.players))
    house = started(players, game_id, careful=False, secret=str(rng.random()), pace="1d")
    while not house.table.over:
        if rng.random() < 0.05:
            house.wait(hours=rng.randrange(20))
        command: Command[Table] = rng.choices(
            [
                a_move(house, rng),
                an_answer(house, rng),
                a_hint(house, rng),
                TakeBack(anyone(house, rng)),
                Resign(anyone(house, rng), STAND_IN),
            ],
            [60, 25, 2, 10, 0.5],
        )[0]
        with suppress(Refused):
            house.do(command)
    return house


def eventful(house: House) -> bool:
    """Return whether people have voted and taken something back."""
    return {"move", "ask", "settle", "undo"} <= set(house.kinds())


async def kept(store: Store, house: House) -> Stored:
    """Store the table of a house."""
    row = house.table.row
    opening = Opening(row.game, GUILD, CHANNEL, ANNA, "Anna", "en", {})
    opened = await store.tables.open(opening, row.rules, row.secret, row.created_at)
    stored = Stored(**stored_of(house.table))
    stored = replace(stored, row=replace(row, id=opened.stored.row.id, code=opened.stored.row.code))
    assert await store.tables.commit(opened.stored, stored)
    return stored


@pytest.mark.full
@pytest.mark.seeds(10, always=1)
@pytest.mark.parametrize("game_id", sorted(GAMES))
async def test_a_packed_match_is_the_same(
    game_id: str, seed: int, store: Store, clock: Clock
) -> None:
    rng = random.Random(f"{game_id} {seed}")
    house = next(house for _ in range(TRIES) if eventful(house := played(game_id, rng)))
    stored = await kept(store, house)
    before = table_of(await store.tables.load(stored.row.id))
    assert await pack_old(store, stored.row.moved_at) == 1
    ((left,),) = await store.database.fetch("SELECT count(*) FROM journal")
    assert left == 0
    after = table_of(await store.tables.load(stored.row.id))
    assert stored_of(after) == stored_of(before)
    assert after.played.log == before.played.log == house.table.played.log
    assert after.played.state == house.table.played.state
    assert (after.lines, after.tail, after.reopened) == (before.lines, before.tail, before.reopened)
    assert written(record_of(after)) == written(record_of(before))


async def test_packing_continues_round_after_round(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "EVERY", 0)
    looks: list[int] = []

    async def looked(given: Store, before: object) -> int:
        assert (given, before) == (store, clock() - timedelta(days=30))
        looks.append(1)
        if len(looks) == 1:
            raise RuntimeError("broken")
        if len(looks) == 3:
            raise asyncio.CancelledError
        return 0

    monkeypatch.setattr(packing, "pack_old", looked)
    with capture_logs() as logs, suppress(asyncio.CancelledError):
        await keep_packing(store, clock, timedelta(days=30))
    assert len(looks) == 3
    assert [line["event"] for line in logs] == ["packing_failed"]


async def test_a_store_out_of_reach_is_left_alone(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise ServerUnreachable(store.database.backend.place)

    monkeypatch.setattr(store.packing, "due", refused)
    assert await pack_old(store, clock()) == 0
