"""Hints: who may ask for one, how they are computed, and how they are counted."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from typing import Any

import pytest

from games import GAMES
from games.engine import View
from games.players import LEVELS, Advice, Budget, Ranked
from play import hints
from play.computers import NoAdvice, Thinkers
from play.hints import CountHint, Hints
from play.moves import PlayMoves
from play.table import Refused
from play.tables import Tables
from play.undo import TakeBack
from tests.play.house import ANNA, BEN, STRANGER, started
from tests.play.test_tables import started as a_table

LANCELOT = GAMES["lancelot"]


@pytest.fixture(autouse=True)
def small_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, level in LEVELS.items():
        monkeypatch.setitem(LEVELS, name, replace(level, budget=Budget(iterations=5)))


def test_hints_are_counted_by_seat_and_decision() -> None:
    house = started(2)
    for _ in range(2):
        house.do(CountHint(ANNA, house.table.decision(0)))
    assert house.table.hints == {0: 1}
    house.moves("K4")
    house.do(TakeBack(ANNA))
    house.do(CountHint(ANNA, house.table.decision(0)))
    assert house.table.hints == {0: 1}
    house.moves("K4")
    house.do(CountHint(BEN, house.table.decision(1)))
    house.moves("D4")
    house.do(CountHint(ANNA, house.table.decision(0)))
    assert house.table.hints == {0: 2, 1: 1}
    assert [line.kind for line in house.lines("hint")] == ["hint"] * 3


def test_only_the_player_to_move_may_ask_for_a_hint() -> None:
    house = started(2)
    decision = house.table.decision(0)
    assert house.code(CountHint(BEN, decision)) == "not_your_turn"
    assert house.code(CountHint(STRANGER, decision)) == "not_a_member"
    house.moves("K4", "D4")
    assert house.code(CountHint(ANNA, decision)) == "overtaken"
    without = started(2, advice=False)
    assert without.code(CountHint(ANNA, without.table.decision(0))) == "no_hints"


async def test_a_hint_is_thought_of_and_counted(tables: Tables) -> None:
    table = await a_table(tables)
    giver = Hints(tables, Thinkers(workers=0))
    hint = await giver.give(table, ANNA, 5)
    assert (hint.seat, hint.given) == (0, 1)
    assert hint.judgement.recommended
    again = await giver.give(await tables.get(table.id), ANNA, 6)
    assert again == hint
    table = await tables.get(table.id)
    assert [line.interaction_id for line in table.journal if line.kind == "hint"] == [5]


class Slow(Thinkers):
    """Answers once released, and records its searches."""

    def __init__(self) -> None:
        super().__init__(workers=0)
        self.go_on = asyncio.Event()
        self.asked: list[tuple[int, bool]] = []
        self.fails = False

    async def advise(self, view: View, level: str, *_: object, **given: Any) -> Advice:
        """Recommend the first free square."""
        self.asked.append((given["table_id"], given["hint"]))
        await self.go_on.wait()
        if self.fails:
            raise NoAdvice
        return Advice((Ranked(LANCELOT.legal(determined(view), view.viewer or 0)[0], 0.5, 1),))


def determined(view: View) -> Any:
    """A position that agrees with a view."""
    return LANCELOT.determinize(view, random.Random(1))


async def test_twelve_requests_for_one_decision_are_one_thought(tables: Tables) -> None:
    table, thinkers = await a_table(tables), Slow()
    giver = Hints(tables, thinkers)
    requests = [asyncio.create_task(giver.give(table, ANNA, n)) for n in range(12)]
    await asyncio.sleep(0.01)
    thinkers.go_on.set()
    (first, *others) = await asyncio.gather(*requests)
    assert others == [first] * 11
    assert await giver.give(await tables.get(table.id), ANNA, 12) == first
    assert thinkers.asked == [(table.id, True)]
    assert (await tables.get(table.id)).hints == {0: 1}


async def test_after_an_undo_the_same_position_is_not_thought_about_again(tables: Tables) -> None:
    table, thinkers = await a_table(tables), Slow()
    thinkers.go_on.set()
    giver = Hints(tables, thinkers)
    first = await giver.give(table, ANNA, 5)
    await tables.act(table.id, PlayMoves(ANNA, ("K4",)))
    change = await tables.act(table.id, TakeBack(ANNA))
    assert (await giver.give(change.after, ANNA, 6)).judgement == first.judgement
    assert len(thinkers.asked) == 1
    change = await tables.act(table.id, PlayMoves(ANNA, ("K4",)))
    await giver.give(change.after, BEN, 7)
    assert len(thinkers.asked) == 2


async def test_a_person_is_thought_for_once_at_a_time(tables: Tables) -> None:
    thinkers = Slow()
    giver = Hints(tables, thinkers)
    known = await a_table(tables, channel=500)
    thinkers.go_on.set()
    await giver.give(known, ANNA, 1)
    thinkers.go_on.clear()
    first, second = [
        (await tables.act(table.id, PlayMoves(ANNA, (move,)))).after
        for channel, move in ((501, "K4"), (502, "D4"))
        for table in [await a_table(tables, channel=channel)]
    ]
    thought = asyncio.create_task(giver.give(first, BEN, 2))
    await asyncio.sleep(0.01)
    with pytest.raises(Refused, match="hint_under_way"):
        await giver.give(second, BEN, 3)
    assert (await giver.give(known, ANNA, 4)).given == 1
    thinkers.go_on.set()
    await thought
    assert (await giver.give(second, BEN, 5)).judgement
    assert len(thinkers.asked) == 3


async def test_a_failed_search_is_reported_to_all_and_not_kept(tables: Tables) -> None:
    table, thinkers = await a_table(tables), Slow()
    thinkers.go_on.set()
    thinkers.fails = True
    giver = Hints(tables, thinkers)
    requests = [giver.give(table, ANNA, n) for n in range(2)]
    for refusal in await asyncio.gather(*requests, return_exceptions=True):
        assert isinstance(refusal, Refused)
        assert refusal.code == "no_advice"
    assert (await tables.get(table.id)).hints == {}
    thinkers.fails = False
    assert (await giver.give(table, ANNA, 5)).given == 1


async def test_answers_are_kept_up_to_a_limit(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "POSITIONS_KEPT", 2)
    thinkers = Slow()
    thinkers.go_on.set()
    giver = Hints(tables, thinkers)
    table = await a_table(tables)
    for move in ("D11", "J5", "K4"):
        change = await tables.act(table.id, PlayMoves(ANNA, (move,)))
        await giver.give(change.after, BEN, None)
        table = (await tables.act(table.id, TakeBack(ANNA))).after
    assert len(thinkers.asked) == 3
    for move, thoughts in (("K4", 3), ("D11", 4)):
        change = await tables.act(table.id, PlayMoves(ANNA, (move,)))
        await giver.give(change.after, BEN, None)
        await tables.act(table.id, TakeBack(ANNA))
        assert len(thinkers.asked) == thoughts


async def test_a_hint_that_comes_too_late_is_not_given(tables: Tables) -> None:
    table, thinkers = await a_table(tables), Slow()
    request = asyncio.create_task(Hints(tables, thinkers).give(table, ANNA, 5))
    await asyncio.sleep(0.01)
    await tables.act(table.id, PlayMoves(ANNA, ("K4",)))
    thinkers.go_on.set()
    with pytest.raises(Refused, match="not_your_turn"):
        await request
    assert (await tables.get(table.id)).hints == {}
