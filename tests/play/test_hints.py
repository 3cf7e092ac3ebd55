"""Hints: which moves are worth a word, what surely comes of them, and how they are counted."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from games import GAMES
from games.engine import Match, View
from games.players import LEVELS, Advice, Budget, Ranked
from play import hints
from play.computers import Thinkers
from play.hints import CountHint, Verdict
from play.moves import PlayMoves
from play.table import Refused
from play.tables import Tables
from play.undo import TakeBack
from tests.play.house import ANNA, BEN, STRANGER, started
from tests.play.test_tables import started as a_table

LANCELOT = GAMES["lancelot"]


@pytest.fixture(autouse=True)
def small_budgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let everyone think for a few iterations only."""
    for name, level in LEVELS.items():
        monkeypatch.setitem(LEVELS, name, replace(level, budget=Budget(iterations=5)))


def verdicts(*values: tuple[float, int], choices: int = 64) -> Sequence[tuple[str, Verdict]]:
    """What is told of moves with these values and visits, in a new match of Lancelot."""
    match = Match(LANCELOT, LANCELOT.setup(2, {"starter": "1"}, "5eed"))
    legal = match.game.legal(match.state, 0)
    ranked = [Ranked(move, *value) for move, value in zip(legal, values, strict=False)]
    told = hints.suggestions(LANCELOT, match.view(0), Advice(tuple(ranked)), choices)
    return [(suggestion.move, suggestion.verdict) for suggestion in told]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([(0.5, 100)], [Verdict.BEST]),
        ([(0.5, 100), (0.35, 50)], [Verdict.CLEAR, Verdict.WEAKER]),
        ([(0.5, 100), (0.1, 50)], [Verdict.CLEAR]),
        ([(0.5, 100), (0.45, 90)], [Verdict.BEST, Verdict.CLOSE]),
        ([(0.5, 100), (0.49, 90), (0.52, 80), (0.5, 70)], ["best", "equal", "equal"]),
        ([(0.5, 100), (0.5, 1)], [Verdict.BEST]),
        ([(1.0, 0)], [Verdict.BEST]),
    ],
)
def test_moves_are_judged_beside_each_other(
    values: list[tuple[float, int]], told: list[str]
) -> None:
    """Three at most; what is much weaker, or was hardly looked at, is no advice."""
    assert [verdict for _, verdict in verdicts(*values)] == told


def test_the_only_move_is_called_so() -> None:
    """Where there is nothing to choose, nothing is judged."""
    assert [verdict for _, verdict in verdicts((0.0, 0), choices=1)] == [Verdict.ONLY]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game_id", GAMES)
def test_what_a_hint_tells_comes_true(game_id: str, seed: int) -> None:
    """Whatever others hide, each fact that is told of a move happens when it is played, and is one
    that the person then learns.
    """
    game = GAMES[game_id]
    rng = random.Random(seed)
    match = Match(game, game.setup(game.info.players[-1], {}, str(seed)))
    match.advance()
    told = 0
    for _ in range(30):
        if match.outcome is not None:
            break
        seat = rng.choice(match.actors)
        move = game.random_move(match.state, seat, rng)
        certain, _ = hints.certainties(game, match.view(seat), move)
        happened = match.play(seat, [move])[0].facts
        for fact in certain:
            assert fact in happened, f"{game_id}, seed {seed}, {move}"
            assert fact.known_to(seat), f"{game_id}, seed {seed}, {move}"
        told += len(certain)
    assert told, "nothing was told of any move"


def test_hints_are_counted_by_seat_and_decision() -> None:
    """The same decision counts once, also when it was undone and is to be made again; another one
    counts again.
    """
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


def test_who_may_ask_for_a_hint() -> None:
    """Who is to move, at a table that gives hints, of a decision that still stands."""
    house = started(2)
    decision = house.table.decision(0)
    assert house.code(CountHint(BEN, decision)) == "not_your_turn"
    assert house.code(CountHint(STRANGER, decision)) == "not_a_member"
    house.moves("K4", "D4")
    assert house.code(CountHint(ANNA, decision)) == "overtaken"
    without = started(2, advice=False)
    assert without.code(CountHint(ANNA, without.table.decision(0))) == "no_hints"


async def test_a_hint_is_thought_of_and_counted(tables: Tables) -> None:
    """And one for which there is no time counts for nothing."""
    table = await a_table(tables)
    here = Thinkers(workers=0)
    hint = await hints.give(tables, here, table, ANNA, 5)
    assert (hint.seat, hint.given) == (0, 1)
    assert hint.suggestions
    again = await hints.give(tables, here, await tables.get(table.id), ANNA, 6)
    assert again.given == 1
    table = await tables.get(table.id)
    assert [line.interaction_id for line in table.journal if line.kind == "hint"] == [5]


async def test_a_hint_for_which_there_is_no_time_is_not_counted(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person is told to ask again."""
    table = await a_table(tables)
    monkeypatch.setattr("play.computers.THOUGHTS_AT_ONCE", 0)
    with pytest.raises(Refused, match="no_advice"):
        await hints.give(tables, Thinkers(workers=0), table, ANNA, 5)
    assert (await tables.get(table.id)).hints == {}


async def test_a_hint_that_comes_too_late_is_not_given(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person has moved while it was thought of."""
    table = await a_table(tables)
    here = Thinkers(workers=0)
    advise = here.advise

    async def slowly(view: View, level: str, seed: str | None = None) -> Advice:
        advice = await advise(view, level, seed)
        await tables.act(table.id, PlayMoves(ANNA, ("K4",)))
        return advice

    monkeypatch.setattr(here, "advise", slowly)
    with pytest.raises(Refused, match="not_your_turn"):
        await hints.give(tables, here, table, ANNA, 5)
    assert (await tables.get(table.id)).hints == {}
