"""A database that was played on before tables had a journal goes on in full: its messages are
brought up to date, its buttons, votes and clocks serve, and its matches come to their ends.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from cogs.delivery import message
from cogs.gateway.cards import Button, Card
from cogs.gateway.controls import Control
from data.store.rows import Status
from data.store.standings import finished_matches
from data.store.store import Store
from games.engine import CHANCE
from play.moves import PlayForComputer, PlayMoves
from play.table import Refused, Table
from play.tables import Tables
from play.votes import Answer, open_votes
from tests.data.samples import DUMPS, restored
from tests.simulation.checks import check_posted, check_standing
from tests.simulation.discord import Message, World
from tests.simulation.history import stub_drawn
from tests.simulation.house import Process, at_once
from tests.stores import opened

OLD: list[dict[str, Any]] = json.loads(gzip.decompress((DUMPS / "played_6.json.gz").read_bytes()))[
    "tables"
]
OPEN = [old for old in OLD if old["status"] in ("lobby", "running")]
RUNNING = [old for old in OPEN if old["status"] == "running"]


def named(tables: list[dict[str, Any]]) -> pytest.MarkDecorator:
    """One test a table."""
    return pytest.mark.parametrize("old", tables, ids=[f"{t['game']}-{t['code']}" for t in tables])


@dataclass
class Upgraded:
    """A table of old in the new house, with the messages that stood for it."""

    store: Store
    world: World
    process: Process
    id: int

    @classmethod
    async def of(cls, store: Store, old: dict[str, Any]) -> Upgraded:
        """The table, right after the start."""
        table_id = await store.tables.id_of(old["code"])
        row = (await store.tables.load(table_id)).stored.row
        world = World(row.moved_at + timedelta(minutes=1), random.Random(old["code"]))
        for m in old["messages"]:
            press = Control(table_id, 0, "old", legacy=(m["ply"], 0))
            pressed = m["kind"] not in ("result", "advised")
            card = Card((m["kind"],), ((Button(press, "Old"),),) if pressed else ())
            world.messages[m["id"]] = Message(m["id"], m["channel"], None, card, None, world.now)
        return cls(store, world, Process.started(store, world), table_id)

    async def table(self) -> Table:
        """As it is stored."""
        return await self.process.tables.fresh(self.id)

    async def settle(self) -> Table:
        """Look at the messages, wait for all that goes on, and check it."""
        await self.process.delivery.look(self.id)
        while not await self.process.quiet():
            pass
        table = await self.table()
        told, rows = await self.store.messages.all_of(self.id)
        check_standing(self.world, table, told, rows)
        check_posted(self.world, table, {})
        assert not self.world.faults, self.world.faults
        return table


@pytest.fixture(scope="module")
def upgraded_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database as its own bot left it, brought up to date."""
    file = tmp_path_factory.mktemp("played") / "house.sqlite3"
    with closing(sqlite3.connect(file)) as db:
        db.executescript(gzip.decompress((DUMPS / "played_6.sql.gz").read_bytes()).decode())

    async def upgrade() -> None:
        await (await Store.open(file)).close()

    asyncio.run(upgrade())
    return file


@pytest.fixture
async def upgraded(
    old: dict[str, Any], upgraded_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Upgraded]:
    """A table of old, right after the start."""
    monkeypatch.setattr(message, "drawn", stub_drawn)
    store = await opened(Path(copy(upgraded_file, tmp_path)))
    at_once(store)
    upgraded = await Upgraded.of(store, old)
    yield upgraded
    await upgraded.process.end()
    await store.close()


@named(OPEN)
async def test_messages_are_brought_up_to_date(upgraded: Upgraded, old: dict[str, Any]) -> None:
    """The last board and the last hands are edited, all others lose their controls."""
    behind = await upgraded.store.tables.behind(upgraded.world.now - timedelta(days=7))
    assert upgraded.id in behind
    await upgraded.settle()
    verbs = [
        button.control.verb
        for shown in upgraded.world.messages.values()
        for row in shown.card.rows
        if isinstance(row, tuple)
        for button in row
        if isinstance(button, Button)
    ]
    assert "old" not in verbs
    assert verbs


@named(RUNNING)
async def test_old_buttons_serve_for_the_decision_they_were_made_for(
    upgraded: Upgraded, old: dict[str, Any]
) -> None:
    """A press names the number of events and of undos before it."""
    table = await upgraded.table()
    rng = random.Random(old["code"])
    for seat in table.awaited_persons:
        table = await upgraded.table()
        if seat not in table.awaited_persons:
            continue
        person, opened = table.members[seat].person_id or 0, table.played.opened(seat)
        move = table.game.random_move(table.played.state, seat, rng)
        stale = [(opened - 1, old["undos"]), (opened, old["undos"] - 1)]
        for legacy in stale:
            with pytest.raises(Refused, match="stale"):
                await upgraded.process.tables.act(
                    upgraded.id, PlayMoves(person, (move,), 0, legacy)
                )
        if len(old["log"]) == table.played.ply:
            press = PlayMoves(person, (move,), 0, (opened, old["undos"]))
            change = await upgraded.process.tables.act(upgraded.id, press)
            assert [told.move for told in change.after.told_since(change.before.revision)][:1] == [
                move
            ]
    await upgraded.settle()


@named([old for old in RUNNING if old["votes"]])
async def test_open_votes_are_settled(upgraded: Upgraded, old: dict[str, Any]) -> None:
    """By those who have not answered yet."""
    asked = open_votes(await upgraded.table())
    assert len(asked) == len(old["votes"])
    for vote in asked:
        for person, _ in vote.answers:
            table = await upgraded.table()
            if any(open_.asked == vote.asked for open_ in open_votes(table)):
                answer = Answer(vote.asked, person, vote.choices[0])
                await upgraded.process.tables.act(upgraded.id, answer)
    table = await upgraded.settle()
    now = {vote.asked: vote.decision for vote in table.votes}
    assert all(now[vote.asked] is not None for vote in asked)


@named([old for old in RUNNING if old["turns"]])
async def test_clocks_ring(upgraded: Upgraded, old: dict[str, Any]) -> None:
    """Each at its hour, until no one is waited for or the table ends."""
    await upgraded.settle()
    for _ in range(6):
        due = (await upgraded.table()).row.due_at
        if due is None:
            break
        upgraded.world.now = max(upgraded.world.now, due)
        table = await upgraded.process.tables.tick(upgraded.id)
        assert table.row.due_at is None or table.row.due_at > upgraded.world.now
        await upgraded.settle()


@named(RUNNING)
async def test_every_match_comes_to_its_end(upgraded: Upgraded, old: dict[str, Any]) -> None:
    """With a result, and in the standings of its server."""
    beside = Tables(upgraded.store, upgraded.world.clock)  # of which the delivery hears nothing
    rng = random.Random(old["code"])
    while (table := await beside.get(upgraded.id)).running:
        seat = rng.choice([seat for seat in table.awaited if seat != CHANCE])
        move = table.game.random_move(table.played.state, seat, rng)
        person = table.members[seat].person_id or 0
        if table.computer_at(seat) is None:
            await beside.act(upgraded.id, PlayMoves(person, (move,)))
        else:
            chosen = PlayForComputer(seat, move, table.opened(seat))
            await beside.act(upgraded.id, chosen)
    table = await upgraded.settle()
    assert table.row.status is Status.FINISHED
    assert table.row.result is not None
    assert table.row.result["ranks"] == list(
        table.played.outcome.ranks if table.played.outcome else ()
    )
    finished = await upgraded.store.database.read(lambda db: list(finished_matches(db)))
    assert upgraded.id in {match.table_id for match in finished}
    assert await upgraded.store.standings.recompute() == 0


@pytest.mark.parametrize("version", range(1, 7))
async def test_every_version_starts(
    version: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that was not told of the open tables is told."""
    monkeypatch.setattr(message, "drawn", stub_drawn)
    store = await Store.open(restored(version, tmp_path / "house.sqlite3"))
    at_once(store)
    ids = await store.tables.open_ids()
    assert ids
    rows = [(await store.tables.load(table_id)).stored.row for table_id in ids]
    world = World(max(row.moved_at for row in rows) + timedelta(minutes=1))
    process = Process.started(store, world)
    for table_id in ids:
        await process.delivery.look(table_id)
        told, _ = await store.messages.all_of(table_id)
        assert told == (await process.tables.fresh(table_id)).revision
    assert not world.faults, world.faults
    await process.end()
    await store.close()
