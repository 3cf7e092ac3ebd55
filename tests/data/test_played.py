"""A database of version 6 that was really played on: every table goes on where it stood.

Beside the dump lies what its own bot said of each table when it was made.
"""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from data.store.marks import mark_of
from data.store.rows import Alarm, Status, Stored
from data.store.store import Store
from games.engine import CHANCE
from play.fold import table_of
from play.table import Table
from tests.data.samples import DUMPS

EXPECTED: dict[str, Any] = json.loads(gzip.decompress((DUMPS / "played_6.json.gz").read_bytes()))
OLD: list[dict[str, Any]] = EXPECTED["tables"]
STARTED = [old for old in OLD if old["players"] is not None]
RUNNING = [old for old in OLD if old["status"] == "running"]


def told(old: dict[str, Any]) -> bool:
    """Whether the channel had heard of all."""
    return bool(old["announced_ply"] == len(old["log"]))


def named(tables: list[dict[str, Any]]) -> pytest.MarkDecorator:
    """One test a table."""
    return pytest.mark.parametrize("old", tables, ids=[f"{t['game']}-{t['code']}" for t in tables])


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database file, as its own bot left it."""
    file = tmp_path_factory.mktemp("played") / "house.sqlite3"
    with closing(sqlite3.connect(file)) as db:
        db.executescript(gzip.decompress((DUMPS / "played_6.sql.gz").read_bytes()).decode())
    return file


@pytest.fixture
async def played(upgraded: Path) -> AsyncIterator[Store]:
    """The database, brought up to date."""
    store = await Store.open(upgraded)
    yield store
    await store.close()


async def stored(store: Store, old: dict[str, Any]) -> Stored:
    """What has become of a table."""
    return (await store.tables.load(await store.tables.id_of(old["code"]))).stored


async def table(store: Store, old: dict[str, Any]) -> Table:
    """The same with its match."""
    return table_of(await store.tables.load(await store.tables.id_of(old["code"])))


@named(OLD)
async def test_a_table_is_what_it_was(played: Store, old: dict[str, Any]) -> None:
    """Its row, its members, and who belongs to it otherwise."""
    new = await stored(played, old)
    row = new.row
    assert (row.game, row.status, row.players, row.host_id, row.channel_id) == (
        *(old["game"], old["status"], old["players"], old["host"], old["channel"]),
    )
    assert (row.options, row.wanted_players, row.language) == (
        *(old["options"], old["wanted_players"], old["language"]),
    )
    result = dict(row.result) if row.result is not None else None
    if row.status is Status.FINISHED:
        assert result is not None
        assert result.pop("by_people") in (True, False)
    assert result == old["result"]
    assert row.revision == len(new.journal)
    assert [line.number for line in new.journal] == list(range(1, len(new.journal) + 1))
    names = {"player": "skilled"}
    members = {
        m["number"]: {**m, "level": names.get(m["level"], m["level"])} for m in old["members"]
    }
    assert {
        m.number: {
            "number": m.number,
            "seat": m.seat,
            "person": m.person_id,
            "name": m.name,
            "level": m.level,
            "resigned": m.resigned,
        }
        for m in new.members
    } == members
    assert new.followers == frozenset(old["followers"])
    over = row.status in (Status.FINISHED, Status.ENDED)
    assert new.hurried == (frozenset() if over else frozenset(old["hurried"]))
    marks = {mark_of(row.code, person) for person in old["barred"]}
    assert new.barred == (frozenset() if over else marks)


@named(STARTED)
async def test_a_match_stands_where_it_stood(played: Store, old: dict[str, Any]) -> None:
    """Folded from its journal: the same log, the same people to move, the same decisions."""
    new = await table(played, old)
    match = new.played
    assert [[event.seat, event.move] for event in match.log] == [
        [seat, move] for seat, move, *_ in old["log"]
    ]
    assert [seat for seat in match.actors if seat != CHANCE] == old["actors"]
    assert {str(seat): match.opened(seat) for seat in old["actors"]} == old["opened"]
    assert list(new.names) == old["names"]


@named(STARTED)
async def test_nothing_undone_is_lost(played: Store, old: dict[str, Any]) -> None:
    """Each undo is a line, and the lines it takes out are the events that were set apart."""
    new = await stored(played, old)
    undos = [json.loads(line.text) for line in new.journal if line.kind == "undo"]
    assert len(undos) == old["undos"]
    assert [undo["moves"] for undo in undos] == [list(u["moves"]) for u in old["undo_list"]]
    lines = {line.number: line for line in new.journal}
    out = Counter((lines[n].seat, lines[n].text) for undo in undos for n in undo["out"])
    assert out == Counter((seat, move) for _, _, seat, move in old["undone"])
    counted = {line.interaction_id for line in new.journal} - {None}
    assert counted >= {*old["interactions"]}


@named(RUNNING)
async def test_clocks_run_on(played: Store, old: dict[str, Any]) -> None:
    """For the decision that the person still owes, to the same second."""
    new = await table(played, old)
    clocks = {turn.seat: turn for turn in new.turns if turn.time_left is None}
    assert {
        seat: (turn.person_id, turn.budget, int(turn.ends_at.timestamp()), turn.misses)
        for seat, turn in clocks.items()
    } == {t["seat"]: (t["person"], t["budget"], t["ends_at"], t["misses"]) for t in old["turns"]}
    plies = {t["seat"]: t["ply"] for t in old["turns"]}
    for seat, turn in clocks.items():
        ply = plies[seat]
        assert turn.decision == (new.lines[ply - 1] if ply else new.begun)
        # A process that died had not stopped the clock of a decision made.
        assert turn.decision == new.decision(seat) or not told(old)
        assert turn.alarms.get(Alarm.END, turn.ends_at) == turn.ends_at
    due = [at for turn in clocks.values() for at in turn.alarms.values()]
    due += [v.closes_at for v in new.votes if v.closes_at is not None and v.decision is None]
    assert new.row.due_at == min(due, default=None)


@named(OLD)
async def test_votes_plans_offers_and_hints_stay(played: Store, old: dict[str, Any]) -> None:
    """What people have asked for, planned and been given. What was decided, and not carried out
    because the process died, is open again.
    """
    new = await stored(played, old)
    again = [v for v in old["votes_over"] if not v["done"]] if old["status"] == "running" else []
    votes = [vote for vote in new.votes if vote.decision is None]
    assert len(votes) == len(old["votes"]) + len(again)
    assert Counter(v.kind for v in votes) >= Counter(v["kind"] for v in again)
    votes = votes if not again else []
    assert [(v.kind, v.seat, v.asked_by, dict(v.answers)) for v in votes] == [
        (v["kind"], v["seat"], v["asked_by"], {int(p): said for p, said in v["answers"].items()})
        for v in old["votes"]
    ]
    assert len(new.votes) == len(old["votes"]) + len(old["votes_over"])
    for vote in new.votes:
        assert new.journal[vote.asked - 1].kind == "ask"
        assert vote.settled is None or new.journal[vote.settled - 1].kind == "settle"
    plans = [] if new.row.status in {Status.FINISHED, Status.ENDED} else old["plans"]
    assert [(p.person_id, p.move, p.answer_to) for p in new.plans] == [
        (p["person"], p["move"], p["answer_to"]) for p in plans
    ]
    hints = Counter(str(line.seat) for line in new.journal if line.kind == "hint")
    assert hints == Counter(old["hints"])
    offers = [] if new.row.status in {Status.FINISHED, Status.ENDED} else old["offers"]
    assert [(o.seat, o.person_id) for o in new.offers] == [(o["seat"], o["person"]) for o in offers]


@named(RUNNING)
async def test_votes_ask_about_the_present(played: Store, old: dict[str, Any]) -> None:
    """An open vote that was not overtaken before is not by the new numbers."""
    new = await table(played, old)
    for vote in new.votes:
        if vote.decision is None and "position" in vote.subject:
            assert vote.subject["position"] == new.position
        if vote.decision is None and "decision" in vote.subject:
            assert vote.seat is not None
            assert vote.subject["decision"] == new.decision(vote.seat)


@named(OLD)
async def test_messages_are_found_by_their_surfaces(played: Store, old: dict[str, Any]) -> None:
    """Every message is known, the latest of each kind under the key that it stands for."""
    new = await stored(played, old)
    so_far, messages = await played.messages.all_of(new.row.id)
    known = {message["id"]: message for message in old["messages"] if message["kind"] != "result"}
    assert {row.message_id for row in messages.values()} == set(known)
    boards = [number for number, message in known.items() if message["kind"] == "board"]
    if boards:
        assert messages["board:0"].message_id == max(boards)
    for key, row in messages.items():
        assert row.message_id is not None
        kind, _, _ = key.partition(":")
        was = known[row.message_id]["kind"].partition(".")[0]
        assert kind == {"advised": "advice"}.get(was, was) or kind == "old"
        assert row.channel_id == known[row.message_id]["channel"]
    over = new.row.status in {Status.FINISHED, Status.ENDED}
    all_told = new.row.status is Status.ENDED or (over and told(old))
    assert (so_far == new.row.revision) == all_told
